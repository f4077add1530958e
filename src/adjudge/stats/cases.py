"""Cases: an arm as sums over cases, two arms with or without shared cases, and their difference with its error."""

from __future__ import annotations

import numpy as np
from msgspec import Struct
from numpy.typing import ArrayLike, NDArray

from adjudge.stats.variance import (
    ROUNDING,
    Floats,
    Ints,
    drop_rounding,
    jackknife_variance,
    satterthwaite,
    sum_by,
)

# Rounding may move a mean outside its scale by this share of the scale's width.
OFF_SCALE = 1e-9


class Undefined(Struct, frozen=True):
    """Why there is no number: a sentence, and how many cases there were."""

    n: int
    why: str


class Difference(Struct, frozen=True):
    """A difference of two arms with its standard error and degrees of freedom; the error is 0.0 without spread."""

    difference: float
    error: float
    df: float
    n: int

    @property
    def sd(self) -> float:
        """The standard deviation of one case; for paired arms, that of the differences."""
        return float(self.error * self.n**0.5)


class Arm(Struct, frozen=True, eq=False):
    """One metric on one arm: for each case a total and a weight; weight 0 means that it is undefined there.

    >>> Arm.over_marks([3, 0, 5], [4, 0, 5]).mean
    0.8888888888888888
    """

    totals: Floats
    weights: Floats

    def __post_init__(self) -> None:
        if self.totals.ndim != 1 or self.totals.shape != self.weights.shape:
            raise ValueError(
                f"expected as many weights as totals, found shapes {self.weights.shape} and {self.totals.shape}"
            )
        if not (np.isfinite(self.totals).all() and np.isfinite(self.weights).all()) or (self.weights < 0).any():
            raise ValueError("expected finite totals and weights, and no weight below 0")

    @classmethod
    def over_marks(cls, totals: ArrayLike, weights: ArrayLike) -> Arm:
        """Cases by the weighted sums of their marks and the sums of the weights."""
        return cls(np.array(totals, dtype=float), np.array(weights, dtype=float))

    @classmethod
    def over_conversations(cls, values: ArrayLike) -> Arm:
        """Cases by one value each."""
        totals = np.array(values, dtype=float)
        return cls(totals, np.ones_like(totals))

    @classmethod
    def by_cluster(cls, values: Floats, weights: Floats, clusters: Ints) -> Arm:
        """Cases from items with a value and a weight each, which belong to numbered clusters.

        >>> Arm.by_cluster(np.array([1.0, 0.0, 1.0]), np.ones(3), np.array([2, 2, 0])).totals.tolist()
        [1.0, 1.0]
        """
        present = np.flatnonzero(np.bincount(clusters))
        return cls(sum_by(clusters, values * weights)[present], sum_by(clusters, weights)[present])

    @property
    def n(self) -> int:
        """The number of cases."""
        return len(self.totals)

    @property
    def mean(self) -> float:
        """The arm's value, sum of totals / sum of weights; ask only where a weight is not 0."""
        return float(self.totals.sum() / self.weights.sum())

    @property
    def values(self) -> Floats:
        """Each case's own value; ask only where no weight is 0."""
        return self.totals / self.weights

    @property
    def shares(self) -> Floats:
        """Each case's share of the weight."""
        return np.asarray(self.weights / self.weights.sum())

    @property
    def binary(self) -> bool:
        """Whether every case is one mark of 0 or 1."""
        return bool((self.weights == 1).all() and np.isin(self.totals, (0.0, 1.0)).all())

    @property
    def influence(self) -> Floats:
        """The influence of each case on the arm's value: the value minus the value without that case.

        The closed form is (t - mean * w) / (W - w), with W the sum of all weights. Ask only for two cases or more.
        """
        moved: Floats = (self.totals - self.mean * self.weights) / self.others
        return drop_rounding(moved, self.size)

    @property
    def size(self) -> Floats:
        """The size of the two numbers whose difference is a case's influence; rounding errors are relative to it."""
        return (np.abs(self.totals) + np.abs(self.mean * self.weights)) / self.others

    @property
    def others(self) -> Floats:
        """For each case the weight of all others."""
        return np.asarray(self.weights.sum() - self.weights)

    @property
    def variance(self) -> float:
        """The jackknife variance of the arm's value over cases; with equal weights, the variance of a mean."""
        return jackknife_variance(self.influence)

    @property
    def sd(self) -> float:
        """The standard deviation of cases that gives the mean its variance."""
        return float((self.variance * self.n) ** 0.5)

    def take(self, which: NDArray[np.bool_]) -> Arm:
        """The arm with these cases only."""
        return Arm(self.totals[which], self.weights[which])

    def on_unit(self, scale: tuple[float, float]) -> Arm:
        """The arm as if its scale went from 0 to 1; raises ValueError if its value is not on the scale."""
        low, high = scale
        slack = OFF_SCALE * (high - low)
        if not low - slack <= self.mean <= high + slack:
            raise ValueError(f"the arm's value {self.mean!r} is not on its scale {scale!r}")
        totals = (self.totals - low * self.weights) / (high - low)
        # A case at an end of the scale must stay exactly there: a rounding error would count as a case off the end.
        totals = np.where(np.abs(totals) <= ROUNDING * self.weights, 0.0, totals)
        totals = np.where(np.abs(self.weights - totals) <= ROUNDING * self.weights, self.weights, totals)
        return Arm(totals, self.weights)


class PairedCases(Struct, frozen=True, eq=False):
    """Two arms on the same cases, in the same order. The difference is that of `a` minus `b`."""

    a: Arm
    b: Arm

    @classmethod
    def of(cls, a: Arm, b: Arm) -> PairedCases:
        """Two arms whose places are the same cases; a case counts if both define it.

        >>> PairedCases.of(Arm.over_marks([1, 2, 0], [2, 2, 0]), Arm.over_marks([1, 0, 3], [2, 0, 4])).n
        1
        """
        if a.n != b.n:
            raise ValueError(f"expected the same cases in both arms, found {a.n} and {b.n}")
        shared = (a.weights > 0) & (b.weights > 0)
        return cls(a.take(shared), b.take(shared))

    @property
    def n(self) -> int:
        """The number of shared cases."""
        return self.a.n

    @property
    def differences(self) -> Floats:
        """By how much each case's own value is higher in `a`."""
        return drop_rounding(self.a.values - self.b.values, np.abs(self.a.values) + np.abs(self.b.values))

    @property
    def gained(self) -> int:
        """Cases in which `a` has the higher value."""
        return int((self.differences > 0).sum())

    @property
    def lost(self) -> int:
        """Cases in which `b` has the higher value."""
        return int((self.differences < 0).sum())

    def estimate(self) -> Difference | Undefined:
        """The difference with its cluster-robust error, n - 1 degrees of freedom.

        The variance is that of the jackknife: each linearised residual is divided by 1 - w / W. The usual variance with
        the factor n / (n - 1) is equal to it if all weights are equal, and too small if a few cases are long.
        """
        if self.n < 2:
            return Undefined(self.n, f"needs at least 2 shared cases, found {self.n}")
        moved = drop_rounding(self.a.influence - self.b.influence, self.a.size + self.b.size)
        return Difference(self.a.mean - self.b.mean, jackknife_variance(moved) ** 0.5, float(self.n - 1), self.n)


class UnpairedCases(Struct, frozen=True, eq=False):
    """Two arms on different cases. The difference is that of `a` minus `b`."""

    a: Arm
    b: Arm

    @classmethod
    def of(cls, a: Arm, b: Arm) -> UnpairedCases:
        """Two arms, each with the cases that define it."""
        return cls(a.take(a.weights > 0), b.take(b.weights > 0))

    @property
    def n(self) -> int:
        """The number of cases of both arms together."""
        return self.a.n + self.b.n

    def estimate(self) -> Difference | Undefined:
        """The difference with its cluster-robust error, degrees of freedom after Welch and Satterthwaite."""
        fewest = min(self.a.n, self.b.n)
        if fewest < 2:
            return Undefined(self.n, f"needs at least 2 cases in each arm, found {fewest}")
        parts = self.a.variance, self.b.variance
        return Difference(
            self.a.mean - self.b.mean, sum(parts) ** 0.5, satterthwaite(parts, (self.a.n, self.b.n)), self.n
        )
