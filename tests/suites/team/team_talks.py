"""Short conversations for tests: who says what, which tools are called, and judges that answer as told."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from adjudge.core.ask import Question
from adjudge.core.card import Metric
from adjudge.core.conversation import Conversation
from adjudge.core.mark import Mark
from adjudge.core.record import Call, Participant, Turn
from adjudge.suites.team import suite
from adjudge.tools.rubrics import Rubrics

RUBRICS = suite.tools({})["rubrics"]
assert isinstance(RUBRICS, Rubrics)
METRICS = {metric.card.name: metric for metric in suite.metrics()}


def talk(*turns: tuple[Any, ...] | Turn, people: Sequence[str] = ("mia",), **more: Any) -> Conversation:
    """A conversation; a turn is (speaker, text) or (speaker, text, addressee). Those in `people` are human."""
    made = tuple(_turn(number, turn) for number, turn in enumerate(turns, 1))
    speakers = dict.fromkeys(turn.speaker for turn in made if turn.kind != "result")
    parties = tuple(Participant(name, kind="human" if name in people else "agent") for name in speakers)
    tools = dict.fromkeys(turn.speaker for turn in made if turn.kind == "result" and turn.speaker not in speakers)
    listed = (*parties, *(Participant(name, kind="tool") for name in tools))
    return Conversation(**{"id": "c1", "arm": "ours", "turns": made, "participants": listed, **more})


def call(speaker: str, tool: str, /, **arguments: Any) -> Turn:
    """A call of a tool; `talk` numbers it."""
    return Turn("", speaker, kind="call", call=Call(tool, arguments))


def result(tool: str, text: str, status: Any = "ok") -> Turn:
    """What a tool gives back; `talk` numbers it."""
    return Turn("", tool, text, kind="result", call=Call(tool, status=status))


def marks(name: str, conversation: Conversation, **tools: Any) -> list[Mark]:
    """The marks of a metric of the suite."""
    return list(METRICS[name](conversation, **tools))


def values(name: str, conversation: Conversation, **tools: Any) -> list[float]:
    """The values of a metric of the suite."""
    return [mark.value for mark in marks(name, conversation, **tools)]


def wrong_turns(name: str, conversation: Conversation) -> list[str]:
    """The turns that a check finds fault with."""
    return [mark.turn for mark in marks(name, conversation) if mark.value]


class Clerk:
    """A judge that answers by a function of the material, and keeps what it was asked."""

    def __init__(self, answer: Callable[[dict[str, Any]], Any]) -> None:
        self.answer = answer
        self.asked: list[Question[Any]] = []

    def __call__(self, questions: Sequence[Question[Any]]) -> list[Any]:
        self.asked += questions
        return [msgspec.convert(self.answer(msgspec.json.decode(each.material)), each.answer) for each in questions]


def card(name: str) -> Any:
    metric: Metric = METRICS[name]
    return metric.card


def _turn(number: int, given: tuple[Any, ...] | Turn) -> Turn:
    if isinstance(given, Turn):
        return msgspec.structs.replace(given, id=str(number))
    speaker, text, *to = given
    return Turn(str(number), speaker, text, to=tuple(to))
