"""Resampling: the cluster bootstrap of many ratios at once, and the redrawn means of groups."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from adjudge.stats.cases import PairedCases, Undefined
from adjudge.stats.interval import CONFIDENCE, Bounds
from adjudge.stats.variance import Floats

# Resamples of a percentile interval, and redraws of the group means of a calibration error.
RESAMPLES = 10_000
REDRAWS = 2000
# The number of case counts in memory at a time: 2 Mi numbers of 8 bytes are 16 MB.
BLOCK = 1 << 21


class ResampledSums(Struct, frozen=True, eq=False):
    """Sums of totals and of weights: the first axis is the resample, the others are those of a case (arm, metric).

    The same cases are drawn for all of them, so arms stay paired and metrics keep their correlation.
    """

    totals: Floats
    weights: Floats

    def means(self, *place: int) -> Floats:
        """The value at a place in each resample that defines it."""
        totals, weights = _at(self.totals, place), _at(self.weights, place)
        return totals[weights > 0] / weights[weights > 0]

    def differences(self, a: tuple[int, ...], b: tuple[int, ...]) -> Floats:
        """The value at one place minus that at another, in each resample that defines both."""
        first, second = _at(self.weights, a), _at(self.weights, b)
        both = (first > 0) & (second > 0)
        return _at(self.totals, a)[both] / first[both] - _at(self.totals, b)[both] / second[both]


def resample(totals: Floats, weights: Floats, seed: int = 0, resamples: int = RESAMPLES) -> ResampledSums:
    """Draw cases (the first axis) with replacement, `resamples` times, and sum their totals and weights.

    A case has weight 0 where it is undefined. Blocks bound the memory; their size depends on the number of cases only,
    so the same seed gives the same resamples.

    >>> sums = resample(np.array([[1.0], [1.0]]), np.array([[1.0], [2.0]]), resamples=1000)
    >>> [float(value) for value in np.unique(sums.means(0))]
    [0.5, 0.6666666666666666, 1.0]
    """
    if totals.shape != weights.shape or not len(totals):
        raise ValueError(f"expected totals and weights of one shape and a case, found {totals.shape}, {weights.shape}")
    cases = len(totals)
    columns = np.hstack([totals.reshape(cases, -1), weights.reshape(cases, -1)])
    sums = np.empty((resamples, columns.shape[1]))
    start = 0
    for drawn in _draw_cases(cases, resamples, seed):
        np.matmul(drawn, columns, out=sums[start : start + len(drawn)])
        start += len(drawn)
    half, shape = columns.shape[1] // 2, (resamples, *totals.shape[1:])
    return ResampledSums(sums[:, :half].reshape(shape), sums[:, half:].reshape(shape))


def percentile_limits(
    data: PairedCases, seed: int = 0, resamples: int = RESAMPLES, level: float = CONFIDENCE
) -> Bounds | Undefined:
    """The percentile interval of the difference of two arms; each drawn case brings its values in both arms.

    Efron and Tibshirani, An Introduction to the Bootstrap (1993), chapter 13.
    """
    estimate = data.estimate()
    if isinstance(estimate, Undefined):
        return estimate
    if not estimate.error:
        return Undefined(estimate.n, f"the {estimate.n} cases show no spread to measure an interval by")
    totals = np.column_stack([data.a.totals, data.b.totals])
    weights = np.column_stack([data.a.weights, data.b.weights])
    differences = resample(totals, weights, seed, resamples).differences((0,), (1,))
    low, high = np.quantile(differences, ((1 - level) / 2, (1 + level) / 2))
    return float(low), float(high)


class Group(Struct, frozen=True):
    """A group of marks: how many there are, their mean and their variance."""

    n: int
    mean: float
    variance: float


def group_distance(groups: Sequence[Group]) -> float:
    """The distance of each group's mean from 0, averaged over groups with their sizes as weights.

    >>> group_distance([Group(3, 0.1, 0.0), Group(1, -0.5, 0.0)])
    0.2
    """
    return sum(group.n * abs(group.mean) for group in groups) / sum(group.n for group in groups)


def group_distance_limits(groups: Sequence[Group], level: float = CONFIDENCE) -> Bounds | None:
    """Bounds of the distance when every group's mean is redrawn from its sampling distribution; None without spread."""
    if not any(group.variance for group in groups):
        return None
    dice = Random(0)
    redrawn = sorted(group_distance([_redraw(group, dice) for group in groups]) for _ in range(REDRAWS))
    edge = round(REDRAWS * (1 - level) / 2)
    return redrawn[edge], redrawn[-edge - 1]


def _redraw(group: Group, dice: Random) -> Group:
    return Group(group.n, dice.gauss(group.mean, (group.variance / group.n) ** 0.5), 0.0)


def _at(sums: Floats, place: tuple[int, ...]) -> Floats:
    return np.asarray(np.moveaxis(sums, 0, -1)[place])


def _draw_cases(cases: int, resamples: int, seed: int) -> Iterator[Floats]:
    """How often each case was drawn, one resample a row, in blocks."""
    dice = np.random.default_rng(seed)
    rows = max(BLOCK // cases, 1)
    for start in range(0, resamples, rows):
        yield _counts(dice.integers(0, cases, (min(rows, resamples - start), cases)))


def _counts(drawn: NDArray[np.int64]) -> Floats:
    rows, cases = drawn.shape
    drawn += np.arange(0, rows * cases, cases)[:, None]
    return np.bincount(drawn.ravel(), minlength=rows * cases).reshape(rows, cases).astype(float)
