"""Questions about single turns, a few in each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from adjudge.core.ask import Judge, Question
from adjudge.core.conversation import Conversation
from adjudge.suites.team.rules.material import material
from adjudge.suites.team.rules.parties import PlacedTurn

# The most turns in one question. More would make the answer longer than the limit on a judge's answer.
TURNS_A_QUESTION = 8

Ask = Callable[[Sequence[PlacedTurn], str], Question[Any]]


def judge_turns(
    conversation: Conversation, turns: Sequence[PlacedTurn], judge: Judge, ask: Ask
) -> list[tuple[PlacedTurn, Any]]:
    """Each turn with its verdict; `ask` makes the question about a portion of turns from its material.

    The fields of the answer are the codes of the turns in their order. The judge sees a conversation up to the last
    turn that it is asked about.
    """
    portions = [turns[at : at + TURNS_A_QUESTION] for at in range(0, len(turns), TURNS_A_QUESTION)]
    if not portions:
        return []
    answers = judge([ask(portion, _material(conversation, portion)) for portion in portions])
    return [
        (placed, getattr(answer, code))
        for portion, answer in zip(portions, answers, strict=True)
        for placed, code in zip(portion, codes(portion), strict=True)
    ]


def codes(portion: Sequence[PlacedTurn]) -> list[str]:
    """The names of the fields about turns: `judged_1` and so on."""
    return [f"judged_{number}" for number in range(1, len(portion) + 1)]


def _material(conversation: Conversation, portion: Sequence[PlacedTurn]) -> str:
    numbers = {code: place + 1 for code, (place, _) in zip(codes(portion), portion, strict=True)}
    return material(conversation, portion[-1][0] + 1, judged=numbers)
