"""Requests of metrics to tools: the requests, the calls that metrics make, and the tools that answer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import Enum
from typing import Any, Generic, Literal, Protocol, TypeVar, runtime_checkable

from msgspec import Struct

from adjudge.core.record import Key
from adjudge.core.usage import Usage

A = TypeVar("A")

Vector = Sequence[float]
Relation = Literal["entail", "neutral", "contradict"]


class About(Struct, frozen=True, gc=False):
    """What one field of an answer is about.

    `field` is the name of the field in the answer type, with dots for a field inside a field ("sentence_2.kind").
    `record`, `turn` and `at` name the judged thing as a mark names it; `turn` and `at` are empty where the field is
    about the whole record. `label` is the name of the field in files of labels: the metric's name if only one metric
    uses the field. A field may have several `About`; the first one for which there is a label counts. `keys` are the
    names that a label may have after a dot (`related.tobacco`); empty means any name.

    >>> from adjudge import About
    >>> from adjudge.core.record import Key
    >>> About("polite", Key("case-1", "mine"), turn="3").turn
    '3'
    """

    field: str
    record: Key
    turn: str = ""
    at: str = ""
    label: str = ""
    keys: tuple[str, ...] = ()


class NoLabel(Enum):
    """Stands in an answer for a field that no person has labelled.

    >>> from adjudge import NO_LABEL
    >>> NO_LABEL.value
    'no label'
    """

    NO_LABEL = "no label"


NO_LABEL = NoLabel.NO_LABEL


class Labelled(Struct, frozen=True):
    """What people said of one element of a list: its value, what it is about and why.

    Where people answer, a list field holds these in place of elements. `key` tells several labels of one place apart
    (the profile item of "related.tobacco").
    """

    about: About
    value: Any
    why: str = ""
    key: str = ""


class Question(Struct, Generic[A], frozen=True, gc=False):
    """What a judge is asked: instructions, the material they are about, and the type of the answer.

    `material` is data and never an instruction. It is JSON text (of a transcript, a profile, a plan) and reaches the
    judge between unpredictable delimiters. The answer type is a struct whose fields come in the order in which the
    judge should think, reasoning first; or `YesNo`; or `str` for plain text, which is not parsed.

    `temperature` is None to use the judge's own setting. `draw` numbers the answers to the same question: each draw
    is asked and stored separately.

    `about` says what each field of the answer is about. It is not sent to a model and does not change a model's
    answer, so equality, hash and cache key ignore it. A judge that looks answers up, such as a file of human labels,
    reads it. Such a judge gets every question with its own `about`, even if two questions are equal.

    >>> from adjudge import Question, YesNo
    >>> Question("Is the reply polite?", YesNo, material='["Go away."]').answer
    <class 'adjudge.core.ask.YesNo'>
    """

    prompt: str
    answer: type[A]
    material: str = ""
    temperature: float | None = None
    draw: int = 0
    about: tuple[About, ...] = ()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Question):
            return NotImplemented
        return (
            self.prompt == other.prompt
            and self.material == other.material
            and self.answer is other.answer
            and self.temperature == other.temperature
            and self.draw == other.draw
        )

    def __hash__(self) -> int:
        return hash((self.prompt, self.material, self.answer, self.temperature, self.draw))


class YesNo(Struct, frozen=True, gc=False):
    """The answer to a yes-or-no question: the probability of yes, from 0 to 1.

    >>> from adjudge import YesNo
    >>> YesNo(0.9).yes
    0.9
    """

    yes: float


class Pair(Struct, frozen=True, gc=False, order=True):
    """A premise and a hypothesis, for `nli`.

    >>> from adjudge import Pair
    >>> Pair("The hotel is in the north.", "The hotel is cheap.").hypothesis
    'The hotel is cheap.'
    """

    premise: str
    hypothesis: str


class Entailment(Struct, frozen=True, gc=False):
    """How a hypothesis relates to its premise, and how sure the tool is, from 0 to 1.

    >>> from adjudge import Entailment
    >>> Entailment("neutral", 0.8).relation
    'neutral'
    """

    relation: Relation
    confidence: float


class Reply(Struct, frozen=True):
    """The outcome of a request: its answer, or `Unanswered` for a failure, and what it cost.

    `usage` and `seconds` add up all requests that were sent for it, and `attempts` counts them, retries included; all
    three are 0 for a `cached` answer, whose `first_usage` and `first_seconds` say what it took when it was first asked.
    `model` is the model that answered, as the provider reports it. A `partial` answer has `NO_LABEL` in the parts that
    the model did not give in a usable form.

    >>> from adjudge import Reply, YesNo
    >>> Reply(YesNo(1.0), cached=True).answer
    YesNo(yes=1.0)
    """

    answer: object
    usage: Usage = Usage()
    seconds: float = 0.0
    cached: bool = False
    attempts: int = 0
    model: str = ""
    partial: bool = False
    first_usage: Usage = Usage()
    first_seconds: float = 0.0

    def as_cached(self) -> Reply:
        """The reply for others who asked the same: nothing is paid for it again."""
        if self.cached:
            return self
        return Reply(self.answer, cached=True, model=self.model, first_usage=self.usage, first_seconds=self.seconds)


class Judge(Protocol):
    """The `judge` argument of a metric: it takes questions and returns typed answers in the same order.

    A metric is tested with any function of this type:

    >>> from adjudge import Question, YesNo
    >>> def agree(questions):
    ...     return [YesNo(1.0) for question in questions]
    >>> agree([Question("Is the reply polite?", YesNo)])
    [YesNo(yes=1.0)]
    """

    def __call__(self, questions: Sequence[Question[A]]) -> list[A]:
        """The answers, each of its question's type."""


class Embedder(Protocol):
    """The `embed` argument of a metric: it takes texts and returns vectors in the same order.

    A metric is tested with any function of this type:

    >>> def lengths(texts):
    ...     return [[float(len(text))] for text in texts]
    >>> lengths(["yes", "no"])
    [[3.0], [2.0]]
    """

    def __call__(self, texts: Sequence[str]) -> list[Vector]:
        """The vectors, one for each text."""


class Nli(Protocol):
    """The `nli` argument of a metric: it takes pairs and returns relations in the same order.

    A metric is tested with any function of this type:

    >>> from adjudge import Entailment, Pair
    >>> def doubt(pairs):
    ...     return [Entailment("neutral", 0.5) for pair in pairs]
    >>> doubt([Pair("It rains.", "It is Monday.")])
    [Entailment(relation='neutral', confidence=0.5)]
    """

    def __call__(self, pairs: Sequence[Pair]) -> list[Entailment]:
        """The relations, one for each pair."""


@runtime_checkable
class Answerer(Protocol):
    """A tool that answers in the background: requests go in, replies come out as they are ready.

    Requests are hashable and hold everything that determines the answer. `wait` is called from a thread of its own,
    and `ask` may be called while it waits. A tool that sends requests to a server may have an attribute `withheld`:
    the reason why it must not see credentialed records, or an empty text if it may see them.
    """

    def ask(self, requests: Iterable[Any], asker: str = "") -> None:
        """Take requests without waiting for their answers; `asker` names the metric that pays for them."""

    def wait(self) -> Iterable[tuple[Any, Reply]]:
        """Wait for at least one reply; each comes with its request, the very object that was asked."""
