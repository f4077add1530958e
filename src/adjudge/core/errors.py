"""Everything that is raised on purpose, and the messages about bad input.

    Exception
    ├── BadInput               a file, option or setting cannot be used; the command ends with exit code 2
    │   └── BadRecord          one record cannot be used; others may
    ├── Pending                not a failure: a metric waits for answers and is run again when they are there
    └── Unanswered             a tool has no answer; the score that asked is skipped with a status and a reason
        ├── FailedAttempt      one request to a server failed; it may be sent again
        └── MalformedReply     a reply holds no answer of the type asked for; the question is asked once more

A package may add a kind of `BadInput` for its own input, such as `BadRule` for the rules of a gate.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from difflib import get_close_matches

from msgspec import Struct

from adjudge.core.mark import Status

# The number of complaints that one message lists.
SHOWN = 20


class Complaint(Struct, frozen=True):
    """One fault: where it is, in which field, and what was found and expected there.

    >>> from adjudge import Complaint
    >>> str(Complaint("trips.jsonl:17", "expected a list, found 'Ann'", "members"))
    "trips.jsonl:17: members: expected a list, found 'Ann'"
    """

    where: str
    text: str
    field: str = ""

    def __str__(self) -> str:
        return ": ".join(part for part in (self.where, self.field, self.text) if part)


class BadInput(Exception):  # noqa: N818 - named for the sentence that a user sees
    """The input cannot be used; the message says where, what was found, what was expected, what to do.

    >>> import adjudge as aj
    >>> try:
    ...     aj.demo("servise")
    ... except aj.BadInput as error:
    ...     print(str(error).partition(" (")[0])
    no suite 'servise'; did you mean 'service'?
    """


class BadRecord(BadInput):
    """One record cannot be used; others may.

    >>> from adjudge import BadRecord, Complaint
    >>> BadRecord(Complaint("a.jsonl:1", "expected a list", "turns")).complaint.field
    'turns'
    """

    def __init__(self, complaint: Complaint) -> None:
        super().__init__(str(complaint))
        self.complaint = complaint


class Pending(Exception):  # noqa: N818 - not an error: the metric waits for answers
    """A metric needs answers that are not there yet; it will be run again when they are.

    >>> from adjudge import Pending
    >>> Pending("judge", ["question"]).tool
    'judge'
    """

    def __init__(self, tool: str, requests: Sequence[Hashable]) -> None:
        super().__init__(f"{len(requests)} requests to {tool!r}")
        self.tool = tool
        self.requests = requests


class Unanswered(Exception):  # noqa: N818 - a fact about a request, and often not raised but returned
    """A tool could not answer: the score that asked is skipped with this status.

    >>> from adjudge import Unanswered
    >>> str(Unanswered("timeout", "no reply within 120 s"))
    'timeout: no reply within 120 s'
    """

    def __init__(self, status: Status, why: str) -> None:
        super().__init__(f"{status}: {why}")
        self.status: Status = status
        self.why = why


class FailedAttempt(Unanswered):
    """One request to a server failed.

    `again` says whether it may be sent again, `wait` how many seconds the server asks to wait before that (None: it
    does not say). `code` is the HTTP status of the reply and `text` its body; 0 and empty where there was none.
    `sent` says whether the request left this process. `out_of_files` says that this process may open no more files and
    connections, so that nothing was sent.
    """

    def __init__(
        self,
        status: Status,
        why: str,
        *,
        again: bool = False,
        wait: float | None = None,
        code: int = 0,
        text: str = "",
        out_of_files: bool = False,
        sent: bool = True,
    ) -> None:
        super().__init__(status, why)
        self.sent = sent and not out_of_files
        self.again = again
        self.wait = wait
        self.code = code
        self.text = text
        self.out_of_files = out_of_files


class MalformedReply(Unanswered):
    """A reply holds no answer of the requested type; the judge gets `why` when it is asked again."""

    def __init__(self, why: str) -> None:
        super().__init__("parse_error", why)


def bad_record(where: str, text: str, field: str = "") -> BadRecord:
    """The exception for one fault."""
    return BadRecord(Complaint(where, text, field))


def listing(complaints: Iterable[Complaint]) -> str:
    """The first complaints, one a line, and then the number of the others."""
    lines = [str(complaint) for complaint in complaints]
    rest = len(lines) - SHOWN
    return "\n".join(lines[:SHOWN] + ([f"... and {rest} more"] if rest > 0 else []))


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """A hint at the name that was probably meant, empty where none is close.

    >>> did_you_mean("jgacc", ["joint_goal_accuracy", "inform"]), did_you_mean("infrom", ["inform"])
    ('', "; did you mean 'inform'?")
    """
    # Lower than difflib's default of 0.6, so that more misspellings get a hint.
    close = get_close_matches(name, list(known), n=1, cutoff=0.5)
    return f"; did you mean {close[0]!r}?" if close else ""


class Warnings:
    """Things accepted with a remark: counted by kind, each kind shown with its first example.

    >>> from adjudge import Warnings
    >>> warnings = Warnings()
    >>> warnings.add("empty", "turn 3 is empty")
    >>> warnings.add("empty", "turn 5 is empty")
    >>> warnings.lines()
    ['turn 3 is empty (and 1 more like it)']
    """

    def __init__(self) -> None:
        self.counts: dict[str, int] = {}
        self.examples: dict[str, str] = {}

    def add(self, kind: str, example: str) -> None:
        """Count one more of a kind; the first example is kept."""
        self.counts[kind] = self.counts.get(kind, 0) + 1
        self.examples.setdefault(kind, example)

    def lines(self) -> list[str]:
        """A sentence per kind."""
        return [
            self.examples[kind] + (f" (and {count - 1} more like it)" if count > 1 else "")
            for kind, count in self.counts.items()
        ]

    def merge(self, other: Warnings) -> None:
        """Take in what was counted elsewhere, later in the input."""
        for kind, count in other.counts.items():
            self.counts[kind] = self.counts.get(kind, 0) + count
            self.examples.setdefault(kind, other.examples[kind])
