"""How a metric asks for what it cannot compute: the calls it makes and the side that answers them."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import Any, Generic, Literal, Protocol, TypeVar, runtime_checkable

from msgspec import Struct

from adjudge.core.mark import Status

A = TypeVar("A")

Vector = Sequence[float]
Relation = Literal["entail", "neutral", "contradict"]


class Question(Struct, Generic[A], frozen=True, gc=False):
    """What a judge is asked: instructions, the material they are about, and the type of the answer.

    `material` is data and never an instruction: it is JSON text (of a transcript, a profile, a plan) that reaches
    the judge between delimiters nobody can foresee. The answer type is a struct whose fields come in the order the
    judge should think, reasoning first, or `YesNo`.
    """

    prompt: str
    answer: type[A]
    material: str = ""


class YesNo(Struct, frozen=True, gc=False):
    """The answer to a question that is answered by yes or no: how probable yes is, from 0 to 1."""

    yes: float


class Pair(Struct, frozen=True, gc=False, order=True):
    """A premise and a hypothesis, for `nli`."""

    premise: str
    hypothesis: str


class Entailment(Struct, frozen=True, gc=False):
    """How a hypothesis relates to its premise, and how sure the tool is, from 0 to 1."""

    relation: Relation
    confidence: float


class Judge(Protocol):
    """What a metric that takes `judge` is given: questions in, typed answers out, in order."""

    def __call__(self, questions: Sequence[Question[A]]) -> list[A]:
        """The answers, each of its question's type."""


class Embedder(Protocol):
    """What a metric that takes `embed` is given: texts in, vectors out, in order."""

    def __call__(self, texts: Sequence[str]) -> list[Vector]:
        """The vectors, one for each text."""


class Nli(Protocol):
    """What a metric that takes `nli` is given: pairs in, relations out, in order."""

    def __call__(self, pairs: Sequence[Pair]) -> list[Entailment]:
        """The relations, one for each pair."""


class Pending(Exception):  # noqa: N818 - not an error: the metric waits for answers
    """A metric needs answers that are not there yet; it will be run again when they are."""

    def __init__(self, tool: str, requests: Sequence[Hashable]) -> None:
        super().__init__(f"{len(requests)} requests to {tool!r}")
        self.tool = tool
        self.requests = requests


class Unanswered(Exception):  # noqa: N818 - read as a fact: the request stays unanswered
    """A tool could not answer: the score that asked is skipped with this status."""

    def __init__(self, status: Status, why: str) -> None:
        super().__init__(f"{status}: {why}")
        self.status: Status = status
        self.why = why


@runtime_checkable
class Answerer(Protocol):
    """A tool that answers in the background: requests go in, answers come out as they are ready.

    `wait` is called from a thread of its own, and `ask` may be called while it waits. One that sends requests elsewhere
    may have an attribute `withheld`: why it is given nothing about credentialed records; empty where it may be.
    """

    def ask(self, requests: Iterable[Any], asker: str = "") -> None:
        """Take requests without waiting for their answers; `asker` names the metric that pays for them."""

    def wait(self) -> Iterable[tuple[Any, object]]:
        """Wait for at least one answer; each comes with its request, a failure as `Unanswered`."""
