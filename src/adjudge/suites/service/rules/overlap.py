"""Predicted sets against gold sets: exact match, precision, recall and F1 as marks."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from adjudge.core.mark import Mark
from adjudge.suites.service.data import Exchange


class Overlap(Struct, frozen=True, gc=False):
    """What was predicted in one turn and what gold has there.

    `common` counts what is in both; `said` is false where nothing was predicted, not even that there is nothing.
    """

    exchange: Exchange
    found: frozenset[str]
    wanted: frozenset[str]
    common: int
    said: bool

    @classmethod
    def of(cls, exchange: Exchange, found: Iterable[str] | None, wanted: Iterable[str]) -> Overlap:
        """The overlap of two sets; None where nothing was predicted."""
        ours, theirs = frozenset(found or ()), frozenset(wanted)
        return cls(exchange, ours, theirs, len(ours & theirs), found is not None)


def exact(overlaps: Iterable[Overlap]) -> list[Mark]:
    """1 where both sets are the same."""
    return [
        overlap.exchange.one if overlap.found == overlap.wanted and overlap.said else _wrong(overlap)
        for overlap in overlaps
    ]


def precision(overlaps: Iterable[Overlap]) -> list[Mark]:
    """The share of what was found that is wanted; weighs what was found, undefined where that is nothing."""
    return [_share(overlap, overlap.common, len(overlap.found)) for overlap in overlaps if overlap.found]


def recall(overlaps: Iterable[Overlap]) -> list[Mark]:
    """The share of what is wanted that was found; weighs what is wanted, undefined where that is nothing."""
    return [_share(overlap, overlap.common, len(overlap.wanted)) for overlap in overlaps if overlap.wanted]


def f1(overlaps: Iterable[Overlap]) -> list[Mark]:
    """Twice the overlap over both sizes; weighs both, so that the mean over marks is the pooled F1."""
    return [
        _share(overlap, 2 * overlap.common, len(overlap.found) + len(overlap.wanted))
        for overlap in overlaps
        if overlap.found or overlap.wanted
    ]


def _share(overlap: Overlap, part: int, size: int) -> Mark:
    if part == size == 1:
        return overlap.exchange.one
    return Mark(part / size, "", overlap.exchange.turn, "", overlap.exchange.group, float(size))


def _wrong(overlap: Overlap) -> Mark:
    found = _listed(overlap.found) if overlap.said else "no prediction"
    why = f"found {found}, gold {_listed(overlap.wanted)}"
    return Mark(0.0, "", overlap.exchange.turn, why, overlap.exchange.group)


def _listed(names: frozenset[str]) -> str:
    return ", ".join(sorted(names)) or "none"
