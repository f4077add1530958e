"""Predicted sets against gold sets: exact match, precision, recall and F1 as marks."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from adjudge.core.mark import Mark
from adjudge.suites.service.data import Exchange


class Overlap(Struct, frozen=True, gc=False):
    """What was predicted in one turn and what gold has there.

    `common` counts what is in both; `is_predicted` is false where there was no prediction, not even an empty one.
    """

    exchange: Exchange
    predicted: frozenset[str]
    wanted: frozenset[str]
    common: int
    is_predicted: bool

    @classmethod
    def of(cls, exchange: Exchange, predicted: Iterable[str] | None, wanted: Iterable[str]) -> Overlap:
        """The overlap of two sets; None where nothing was predicted."""
        ours, theirs = frozenset(predicted or ()), frozenset(wanted)
        return cls(exchange, ours, theirs, len(ours & theirs), predicted is not None)


def exact(overlaps: Iterable[Overlap]) -> list[Mark]:
    """1 where both sets are the same."""
    return [
        overlap.exchange.one_mark if overlap.predicted == overlap.wanted and overlap.is_predicted else _wrong(overlap)
        for overlap in overlaps
    ]


def precision(overlaps: Iterable[Overlap]) -> list[Mark]:
    """The share of predicted names that are wanted, weighted by their number; undefined where nothing is predicted."""
    return [_share(overlap, overlap.common, len(overlap.predicted)) for overlap in overlaps if overlap.predicted]


def recall(overlaps: Iterable[Overlap]) -> list[Mark]:
    """The share of wanted names that are predicted, weighted by their number; undefined where nothing is wanted."""
    return [_share(overlap, overlap.common, len(overlap.wanted)) for overlap in overlaps if overlap.wanted]


def f1(overlaps: Iterable[Overlap]) -> list[Mark]:
    """Twice the overlap / sum of both sizes, weighted by that sum, so that the mean over marks is the pooled F1."""
    return [
        _share(overlap, 2 * overlap.common, len(overlap.predicted) + len(overlap.wanted))
        for overlap in overlaps
        if overlap.predicted or overlap.wanted
    ]


def _share(overlap: Overlap, part: int, size: int) -> Mark:
    if part == size == 1:
        return overlap.exchange.one_mark
    return Mark(part / size, "", overlap.exchange.turn, "", overlap.exchange.group, float(size))


def _wrong(overlap: Overlap) -> Mark:
    predicted = _name_list(overlap.predicted) if overlap.is_predicted else "no prediction"
    why = f"found {predicted}, gold {_name_list(overlap.wanted)}"
    return Mark(0.0, "", overlap.exchange.turn, why, overlap.exchange.group)


def _name_list(names: frozenset[str]) -> str:
    return ", ".join(sorted(names)) or "none"
