"""Which of two texts is better; a judge is asked in both orders, because judges favour the text they see first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec
from msgspec import Struct

from adjudge.core.ask import Judge, Question

Place = Literal["first", "second", "tie"]
_SWAPPED: dict[Place, Place] = {"first": "second", "second": "first", "tie": "tie"}


class Preference(Struct, frozen=True, forbid_unknown_fields=True):
    """A judge's preference between what the material calls first and second, the reasoning before it."""

    reasoning: str
    better: Place


class PairwiseOutcome(Struct, frozen=True):
    """The outcome of both orders: a preference that changes with the order is a tie and not consistent."""

    better: Place
    consistent: bool
    why: str


def prefer(judge: Judge, prompt: str, pairs: Sequence[tuple[str, str]]) -> list[PairwiseOutcome]:
    """Compare each pair of texts in both orders; all questions are asked together.

    >>> from adjudge import prefer
    >>> from adjudge.core.pairwise import Preference
    >>> def favours_the_first(questions):
    ...     return [Preference("it comes first", "first") for question in questions]
    >>> prefer(favours_the_first, "Which reply is better?", [("Yes.", "No.")])[0].consistent
    False
    """
    orders = [order for first, second in pairs for order in ((first, second), (second, first))]
    verdicts = judge([Question(prompt, Preference, _material(*order)) for order in orders])
    return [_combine_orders(*both) for both in zip(verdicts[::2], verdicts[1::2], strict=True)]


def _material(first: str, second: str) -> str:
    return msgspec.json.encode({"first": first, "second": second}).decode()


def _combine_orders(straight: Preference, swapped: Preference) -> PairwiseOutcome:
    other = _SWAPPED[swapped.better]
    if straight.better == other:
        return PairwiseOutcome(straight.better, True, straight.reasoning)
    return PairwiseOutcome("tie", False, f"{straight.reasoning} / in the other order: {swapped.reasoning}")
