"""Effect sizes: the size of a difference relative to the spread of cases, and the words for it."""

from __future__ import annotations

from math import sqrt

import numpy as np
from numpy.typing import ArrayLike

from adjudge.stats.cases import PairedCases, Undefined, UnpairedCases

Band = tuple[float, str]

# The word for effects below each limit: Cohen, Statistical Power Analysis for the Behavioral Sciences (1988).
COHEN: tuple[Band, ...] = ((0.2, "negligible"), (0.5, "small"), (0.8, "medium"))


def cohen_d(data: UnpairedCases) -> float | None:
    """Cohen's d: the difference over the pooled standard deviation of cases; None without two cases or spread.

    >>> from adjudge.stats.cases import Arm
    >>> cohen_d(UnpairedCases.of(Arm.over_conversations([1, 2, 3]), Arm.over_conversations([3, 4, 5])))
    -2.0
    """
    a, b = data.a, data.b
    if min(a.n, b.n) < 2:
        return None
    # The variance of a mean times n is that of one case.
    squares = (a.n - 1) * a.variance * a.n + (b.n - 1) * b.variance * b.n
    pooled = sqrt(squares / (a.n + b.n - 2))
    return (a.mean - b.mean) / pooled if pooled else None


def cohen_dz(data: PairedCases) -> float | None:
    """Cohen's dz: the difference over the standard deviation of paired differences; None without two cases or spread.

    >>> from adjudge.stats.cases import Arm
    >>> round(cohen_dz(PairedCases.of(Arm.over_conversations([2, 4, 3]), Arm.over_conversations([1, 1, 1]))), 6)
    2.0
    """
    estimate = data.estimate()
    return None if isinstance(estimate, Undefined) or not estimate.error else estimate.difference / estimate.sd


def cliffs_delta(a: ArrayLike, b: ArrayLike) -> float | None:
    """Cliff's delta: how much more often a value of `a` is above one of `b` than below; None if either is empty.

    >>> cliffs_delta([1, 2, 3], [0, 2])
    0.5
    """
    first, second = np.asarray(a, dtype=float), np.sort(np.asarray(b, dtype=float))
    if not (first.size and second.size):
        return None
    below = np.searchsorted(second, first, "left").sum()
    above = second.size * first.size - np.searchsorted(second, first, "right").sum()
    return float(below - above) / (first.size * second.size)


def word(d: float) -> str:
    """Cohen's word for d or dz: negligible below 0.2, small below 0.5, medium below 0.8, else large.

    >>> word(-0.6)
    'medium'
    """
    return next((name for limit, name in COHEN if abs(d) < limit), "large")


def percentage_word(relative: float) -> str:
    """The decision suite's word for a relative difference, given as a share: -0.15 is 15 % less.

    As in the suite's source: up to 5 % is negligible, from 20 % substantial, above 50 % major. The source has no word
    for the range from 5 % to 20 %; here it is moderate. The source says "significant" for substantial; here that word
    is reserved for tests.

    >>> [percentage_word(share) for share in (0.05, -0.153, 0.2, 0.51)]
    ['negligible', 'moderate', 'substantial', 'major']
    """
    size = abs(relative)
    if size <= 0.05:
        return "negligible"
    if size > 0.5:
        return "major"
    return "moderate" if size < 0.2 else "substantial"
