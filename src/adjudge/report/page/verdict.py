"""Whether a value is right, partly right or wrong, as far as the card of its metric says so."""

from __future__ import annotations

from math import isclose
from typing import Literal

from adjudge.core.card import Card

Verdict = Literal["right", "partly", "wrong", "neutral"]
# The words that stand for the sign where it is read out.
WORDS: dict[Verdict, str] = {"right": "right", "partly": "partly wrong", "wrong": "wrong", "neutral": "neutral"}


def verdict(value: float, card: Card) -> Verdict:
    """The verdict on a value; neutral where no direction is better or where the scale has no worst or best end.

    The best end of a scale is right, the worst end is wrong, and everything between is partly wrong.
    """
    low, high = card.scale
    if card.better == "neither" or low is None or high is None or is_neutral(value, card):
        return "neutral"
    best, worst = (high, low) if card.better == "higher" else (low, high)
    if isclose(value, best, abs_tol=1e-9):
        return "right"
    return "wrong" if isclose(value, worst, abs_tol=1e-9) else "partly"


def is_wrong(value: float, card: Card) -> bool:
    """Whether a value is wrong or partly wrong."""
    return verdict(value, card) in ("wrong", "partly")


def is_neutral(value: float, card: Card) -> bool:
    """Whether a value is neither right nor wrong: the 0 of a scale with negative and positive values."""
    low, high = card.scale
    return value == 0 and low is not None and high is not None and low < 0 < high
