"""Whether tool results support the statements of agents, as a judge sees it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

from msgspec import Struct

from adjudge.core.ask import NO_LABEL, About, Judge, Question
from adjudge.core.card import metric
from adjudge.core.conversation import Conversation
from adjudge.core.mark import Mark, Unlabelled
from adjudge.suites.team.rules.calls import tool_uses
from adjudge.suites.team.rules.material import answer_of
from adjudge.suites.team.rules.parties import PlacedTurn, agents, speeches
from adjudge.suites.team.rules.portions import codes, judge_turns
from adjudge.tools.rubrics import Rubrics


class GroundVerdict(Struct, frozen=True, forbid_unknown_fields=True):
    """A judge's verdict on one turn."""

    reasoning: str
    claims: bool
    supported: bool


@metric(
    "Grounded",
    formula="turns whose facts the tool results support, according to the judge / turns that state such facts",
    unit="turn",
    better="higher",
    probes=("grounding", "tools"),
    rubrics=("grounding",),
    source="our own",
)
def grounded(conversation: Conversation, judge: Judge, rubrics: Rubrics) -> Iterator[Mark | Unlabelled]:
    """Do the tool results support what an agent states?

    Turns of agents after the first tool result are judged, eight in one question. A turn is left out if it states no
    fact that a tool gave or could have given. The group of a mark is the speaker.
    """

    def ask(portion: Sequence[PlacedTurn], shown: str) -> Question[Any]:
        about = tuple(
            About(f"{code}.supported", conversation.key, turn.id, label="grounded")
            for code, (_, turn) in zip(codes(portion), portion, strict=True)
        )
        return Question(rubrics.text("grounding"), _answer(len(portion)), shown, about=about)

    for (_, turn), verdict in judge_turns(conversation, turns_to_judge(conversation), judge, ask):
        if verdict.supported is NO_LABEL:
            yield Unlabelled(turn.speaker, turn.id)
        elif verdict.claims is NO_LABEL or verdict.claims:
            yield Mark(float(verdict.supported), turn.speaker, turn.id, verdict.reasoning, turn.speaker)


def turns_to_judge(conversation: Conversation) -> list[PlacedTurn]:
    """What agents say after the first result of a tool."""
    first = next((use.end for use in tool_uses(conversation) if use.result is not None), len(conversation.turns))
    known = set(agents(conversation))
    return [
        (place, turn)
        for place, turn in speeches(conversation)
        if place > first and turn.speaker in known and turn.text.strip()
    ]


@cache
def _answer(number: int) -> Any:
    return answer_of("Grounding", {f"judged_{place}": GroundVerdict for place in range(1, number + 1)})
