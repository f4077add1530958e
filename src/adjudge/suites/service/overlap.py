"""Predicted sets against gold sets: exact match, precision, recall and F1 as marks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct

from adjudge.core.mark import Mark
from adjudge.suites.service.data import Exchange


class Overlap(Struct, frozen=True, gc=False):
    """What was predicted in one turn and what gold has there."""

    exchange: Exchange
    found: frozenset[str]
    wanted: frozenset[str]


def exact(overlaps: Iterable[Overlap]) -> Iterator[Mark]:
    """1 where both sets are the same."""
    for overlap in overlaps:
        right = overlap.found == overlap.wanted
        why = "" if right else f"found {_listed(overlap.found)}, gold {_listed(overlap.wanted)}"
        yield Mark(float(right), "", overlap.exchange.turn, why, overlap.exchange.group)


def precision(overlaps: Iterable[Overlap]) -> Iterator[Mark]:
    """The share of what was found that is wanted; weighs what was found, undefined where that is nothing."""
    for overlap in overlaps:
        if overlap.found:
            yield _share(overlap, 1, len(overlap.found))


def recall(overlaps: Iterable[Overlap]) -> Iterator[Mark]:
    """The share of what is wanted that was found; weighs what is wanted, undefined where that is nothing."""
    for overlap in overlaps:
        if overlap.wanted:
            yield _share(overlap, 1, len(overlap.wanted))


def f1(overlaps: Iterable[Overlap]) -> Iterator[Mark]:
    """Twice the overlap over both sizes; weighs both, so that the mean over marks is the pooled F1."""
    for overlap in overlaps:
        if size := len(overlap.found) + len(overlap.wanted):
            yield _share(overlap, 2, size)


def _share(overlap: Overlap, times: int, size: int) -> Mark:
    common = len(overlap.found & overlap.wanted)
    return Mark(times * common / size, "", overlap.exchange.turn, "", overlap.exchange.group, float(size))


def _listed(names: frozenset[str]) -> str:
    return ", ".join(sorted(names)) or "none"
