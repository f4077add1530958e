"""How many guesses a game takes."""

from __future__ import annotations

from collections.abc import Iterator

from adjudge.core.card import metric
from adjudge.core.mark import Mark
from guessing import Game


@metric(
    "G",
    formula="number of guesses",
    unit="conversation",
    better="lower",
    scale=(0, None),
    pool="conversations",
    source="this test",
)
def guesses_made(game: Game) -> Iterator[Mark]:
    """How many guesses does it take?"""
    yield Mark(float(len(game.guesses)), at="guesses")
