"""How far a play has come."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass
class PlayState:
    """How far a play has come: conversations that are over, those in play, turns, tokens and cost."""

    total: int
    ended: int = 0
    in_flight: int = 0
    turns: int = 0
    tokens: int = 0
    cost: float = 0.0


PlayProgress = Callable[[PlayState], None]


def show_nothing(state: PlayState) -> None:
    """Progress that nobody sees."""
