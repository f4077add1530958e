"""The rows of a run's table, made from the columns of its index."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from typing import Any

import numpy as np

from adjudge.aggregate import Row, row
from adjudge.core.card import Card
from adjudge.core.tally import Tally
from adjudge.web.index.build import Misses
from adjudge.web.index.reader import Index

Numbers = np.ndarray[Any, Any]


def table_rows(index: Index, cards: dict[str, Card], arms: list[str]) -> list[Row]:
    """A row for each metric and arm, as `adjudge report` has them."""
    arm_codes, arm_words, misses = index.column("arm"), index.words("arm"), index.misses()
    return [
        row(card, arm, tally)
        for card in cards.values()
        for arm, tally in _tallies(index, card, arms, arm_codes, arm_words, misses)
    ]


def short_counts(index: Index, cards: dict[str, Card]) -> dict[str, dict[str, int]]:
    """How many conversations are short of the best value, by metric and arm."""
    arms, words = index.column("arm"), index.words("arm")
    counts = {}
    for card in cards.values():
        values = index.column(f"value:{card.name}")
        short = arms[falls_short(values, card) & np.isfinite(values)].astype(int)
        counts[card.name] = dict(zip(words, np.bincount(short, minlength=len(words)).tolist(), strict=True))
    return counts


def falls_short(values: Numbers, card: Card | None) -> Numbers:
    """Which values are short of the best one, as far as the card of the metric says what is best."""
    low, high = card.scale if card else (None, None)
    if card is None or card.better == "neither" or low is None or high is None:
        return np.zeros(len(values), dtype=bool)
    short: Numbers = values < high - 1e-9 if card.better == "higher" else values > low + 1e-9
    return short


def facet_table(index: Index, card: Card, facet: str, arms: list[str]) -> list[Row]:
    """The rows of one metric by the values of a facet, which are their group."""
    codes, arm_codes = index.column(f"facet:{facet}"), index.column("arm")
    arm_words, words = index.words("arm"), index.words(f"facet:{facet}")
    rows = []
    for code, word in enumerate(words):
        within = codes == code
        if not word or not within.any():
            continue
        chosen = np.where(within, arm_codes, -1)
        rows += [row(card, arm, tally, word) for arm, tally in _tallies(index, card, arms, chosen, arm_words, {})]
    return rows


def _tallies(
    index: Index,
    card: Card,
    arms: list[str],
    arm_codes: Numbers,
    arm_words: list[str],
    misses: dict[tuple[str, str], Misses],
) -> Iterator[tuple[str, Tally]]:
    """The tally of a metric for each arm that it was scored in."""
    values, weights = index.column(f"value:{card.name}"), index.column(f"weight:{card.name}")
    counts, cases = index.column(f"n:{card.name}"), index.column("case")
    for arm in arms:
        code = arm_words.index(arm) if arm in arm_words else -2
        chosen = (arm_codes == code) & np.isfinite(values)
        missed = misses.get((card.name, arm))
        if not chosen.any() and missed is None:
            continue
        tally = Tally(
            marks=int(counts[chosen].sum()),
            cases=array("i", cases[chosen].astype("i4").tobytes()),
            values=array("d", values[chosen].tobytes()),
            weights=array("d", weights[chosen].tobytes()),
        )
        yield arm, _with_misses(tally, missed)


def _with_misses(tally: Tally, misses: Misses | None) -> Tally:
    if misses is not None:
        tally.undefined, tally.skipped, tally.errors = misses.undefined, misses.skipped, misses.errors
        tally.reasons, tally.statuses, tally.bases = misses.reasons, misses.statuses, misses.bases
        tally.groups = {group: moments for group, moments in misses.groups.items() if group}
    return tally
