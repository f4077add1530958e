"""Correction of p values for the number of questions asked; None stays None and is not counted."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

Ps = list[float | None]


def holm(ps: Sequence[float | None]) -> Ps:
    """Holm's step-down p values, which bound the chance of any false finding.

    Holm, Scandinavian Journal of Statistics 6 (1979).

    >>> holm([0.01, None, 0.04, 0.03])
    [0.03, None, 0.06, 0.06]
    """
    order = _rising(ps)
    raised = [(len(order) - rank) * p for rank, (p, _) in enumerate(order)]
    return _placed(ps, [place for _, place in order], list(accumulate(raised, max)))


def benjamini_hochberg(ps: Sequence[float | None]) -> Ps:
    """Benjamini and Hochberg's step-up p values, which bound the share of false findings among all findings.

    Benjamini and Hochberg, Journal of the Royal Statistical Society B 57 (1995).

    >>> benjamini_hochberg([0.01, None, 0.04, 0.03])
    [0.03, None, 0.04, 0.04]
    """
    order = _rising(ps)[::-1]
    raised = [p * len(order) / (len(order) - rank) for rank, (p, _) in enumerate(order)]
    return _placed(ps, [place for _, place in order], list(accumulate(raised, min)))


def _rising(ps: Sequence[float | None]) -> list[tuple[float, int]]:
    return sorted((p, place) for place, p in enumerate(ps) if p is not None)


def _placed(ps: Sequence[float | None], places: list[int], corrected: list[float]) -> Ps:
    found: Ps = [None] * len(ps)
    for place, p in zip(places, corrected, strict=True):
        found[place] = min(p, 1.0)
    return found
