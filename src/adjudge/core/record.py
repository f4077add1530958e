"""Records: the conversations and decisions that metrics judge."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, Literal

from msgspec import Struct

from adjudge.core.fingerprint import fingerprint
from adjudge.core.usage import Usage

ParticipantKind = Literal["human", "simulated", "agent", "tool"]
TurnKind = Literal["speech", "call", "result", "thought"]
CallStatus = Literal["ok", "error"]


class Participant(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """One party of a conversation: its id in the turns, its role in the task, and what it is.

    >>> from adjudge import Participant
    >>> Participant("Ann", kind="human").kind
    'human'
    """

    id: str
    role: str = ""
    kind: ParticipantKind = "agent"


class Call(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """A use of a tool: the tool's name, what it was given, and how it ended.

    `arguments` are the values by parameter name, or the text that was passed where it is no JSON object. `status` is
    None where it is not known, as in the turn that makes the call. `id` ties a result to its call where the log has it.

    >>> from adjudge import Call
    >>> Call("search", {"town": "Ely"}, "error").status
    'error'
    """

    name: str
    arguments: dict[str, Any] | str = {}
    status: CallStatus | None = None
    id: str = ""


class BasicTurn(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """Who said what: the fields of a turn that every conversation has, and the only ones given by position."""

    id: str
    speaker: str
    text: str = ""


class Turn(BasicTurn, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True, kw_only=True):
    """What one participant said or did at one point.

    `to` lists the participants it is addressed to; empty means all. `kind` says what the turn is: `speech` that the
    others hear, a `call` of a tool, the `result` of a call, or a `thought` that nobody else sees. `call` names the
    tool, for calls and results. `usage` is what producing the turn took, and `time` when it happened; both are None
    where they are not known.

    >>> from adjudge import Turn
    >>> Turn("0", "Ann", "Hello", to=("Bob",)).to
    ('Bob',)
    """

    to: tuple[str, ...] = ()
    kind: TurnKind = "speech"
    call: Call | None = None
    usage: Usage | None = None
    time: datetime | None = None


class Key(Struct, frozen=True, gc=False, order=True):
    """What identifies a record within a run."""

    case: str
    arm: str
    trial: int = 0

    def __str__(self) -> str:
        trial = f" #{self.trial}" if self.trial else ""
        return f"{self.case} ({self.arm}){trial}"


class Record(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """One conversation or decision under test.

    `case` is the task: the same for all arms that were given it, and the id where it is left out. `arm` is the system
    or condition under test, `trial` the number of the attempt, from 0. `facets` are properties of the whole record by
    which tables can be broken down (condition, persona, language). A `credentialed` record may be held under a data
    use agreement: it is sent only to judges and embedding servers that the user has allowed by name.

    >>> from adjudge import Record
    >>> str(Record(id="a", case="refund-1", arm="mine", trial=1).key)
    'refund-1 (mine) #1'
    """

    id: str
    case: str = ""
    arm: str = ""
    trial: int = 0
    participants: tuple[Participant, ...] = ()
    facets: dict[str, str] = {}
    credentialed: bool = False

    @property
    def key(self) -> Key:
        """Case, arm and trial: what identifies this record."""
        return Key(self.case or self.id, self.arm, self.trial)

    @property
    def given_parts(self) -> Mapping[str, object]:
        """What every arm is given in this case, by part (gold, goal, scenario, profile); a suite's records say it.

        It holds nothing that the arm produced and nothing that differs between conditions by design. A part that the
        record does not have is left out or empty.
        """
        return {}

    @property
    def prose(self) -> Iterable[str]:
        """The texts by which the language of a conversation is told; a suite with metrics for English says them."""
        return ()

    @property
    def fingerprints(self) -> dict[str, str]:
        """A fingerprint of each part that is given: arms are compared on a case only if their fingerprints agree."""
        return {part: fingerprint(content) for part, content in self.given_parts.items() if content}
