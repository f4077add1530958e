"""What an answerer works with: a judge that completes questions, the kept answers, and a budget."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal, Protocol

from msgspec import Struct

from adjudge.core.ask import Question
from adjudge.tools.budget import Usage as Usage
from adjudge.tools.judge.crew import Crew
from adjudge.tools.judge.models import JudgeSpec

ParseMode = Literal["plain", "fenced", "logprobs"]
Admit = Callable[[], bool]


class Completion(Struct, frozen=True):
    """How a question ended: its answer (`Unanswered` for a failure), what that took, and how the reply was read.

    `model` is the model that the provider says has answered, `seconds` the time from the first request on.
    """

    answer: object
    usage: Usage = Usage()
    model: str = ""
    parse_mode: ParseMode = "plain"
    seconds: float = 0.0


class Judging(Protocol):
    """A judge that can be asked; its coroutines run in the thread of its crew."""

    @property
    def spec(self) -> JudgeSpec:
        """Which judge it is and how it is asked."""

    @property
    def crew(self) -> Crew:
        """The thread it works in, which several answerers may share."""

    def safe(self, text: str) -> str:
        """Text without keys, fit to be shown and kept."""

    async def complete(self, question: Question[Any], admit: Admit = ...) -> Completion:
        """The answer, or why there is none; `admit` is called just before anything is sent and may forbid it.

        The caller has a place in the judge's lane; its crew sees to that.
        """


class Answers(Protocol):
    """The answers kept by content: safe to use from several threads; `get` sees all that `put` has taken."""

    def get(self, keys: Sequence[str]) -> dict[str, bytes]:
        """Those of the keys that are kept, with their values."""

    def put(self, key: str, value: bytes) -> None:
        """Keep a value; called once for each new answer, so it must be cheap."""


class Budget(Protocol):
    """What may be spent: each `take` that is granted is followed by exactly one `spend`, maybe of nothing."""

    def take(self, asker: str, estimate: Usage) -> bool:
        """Whether a question that will take about this much may be sent."""

    def spend(self, asker: str, usage: Usage) -> None:
        """Count what a question took."""
