"""Intervals of a mean: score limits at the effective sample size on a bounded scale, Student's t on an open one."""

from __future__ import annotations

from math import inf, sqrt
from statistics import NormalDist

import numpy as np
from msgspec import Struct, structs

from adjudge.core.mark import Scale
from adjudge.stats.cases import Arm
from adjudge.stats.estimate import Estimate, no_estimate
from adjudge.stats.student import t_quantile
from adjudge.stats.variance import Floats, Ints, sum_of_squares

CONFIDENCE = 0.95

Bounds = tuple[float, float]

OPEN: Scale = (None, None)
UNIT: Scale = (0.0, 1.0)


def estimate_mean(arm: Arm, scale: Scale = OPEN, level: float = CONFIDENCE) -> Estimate:
    """The arm's value with its interval over cases.

    On a bounded scale: `MeanScore`. On an open one: Student's t with the jackknife variance, kept within the one end
    that the scale may have.

    >>> estimate = estimate_mean(Arm.over_conversations([1] * 20), (0.0, 1.0))
    >>> round(estimate.low, 3), estimate.high, estimate.method
    (0.832, 1.0, 'exact')
    """
    if not arm.n:
        return no_estimate("no items")
    bare = Estimate(arm.mean, n=arm.n, clusters=arm.n)
    if arm.n < 2:
        return structs.replace(bare, why="one conversation: no interval")
    bare, (low, high) = structs.replace(bare, se=arm.variance**0.5), scale
    if low is None or high is None:
        return _student(bare, scale, level)
    score = MeanScore.of(arm.on_unit((low, high)))
    lower, upper = score.limits(1 - level)
    width = high - low
    return structs.replace(bare, low=low + lower * width, high=low + upper * width, method=score.method)


def estimate_items(values: Floats, clusters: Ints, scale: Scale = OPEN, weights: Floats | None = None) -> Estimate:
    """The mean of items with its interval over the clusters they belong to; `n` counts the items."""
    if not len(values):
        return no_estimate("no items")
    arm = Arm.by_cluster(values, np.ones(len(values)) if weights is None else weights, clusters)
    return structs.replace(estimate_mean(arm, scale), n=len(values))


def _student(bare: Estimate, scale: Scale, level: float) -> Estimate:
    if bare.value is None or not bare.se:
        return structs.replace(bare, why="conversations do not differ: no interval")
    half = t_quantile(bare.clusters - 1, 1 - level) * bare.se
    low, high = (-inf if scale[0] is None else scale[0]), (inf if scale[1] is None else scale[1])
    return structs.replace(bare, low=max(bare.value - half, low), high=min(bare.value + half, high), method="cluster t")


class MeanScore(Struct, frozen=True):
    """What the score interval of a mean on [0, 1] rests on.

    `measured` is 1 / n_eff, where n_eff is the number of independent 0/1 marks that would have the variance measured
    between cases (Korn & Graubard 1998). `ideal` is its value if each case were one 0/1 mark: 1 / (n - 1) for equal
    weights. `off_end` is the effective number of cases that are not at the nearer end of the scale; 0 means that all
    cases lie at one end.
    """

    mean: float
    measured: float
    ideal: float
    off_end: float
    n: int

    @classmethod
    def of(cls, arm: Arm) -> MeanScore:
        """The parts of an arm of two cases or more on [0, 1]."""
        off_end = min(_effective_count(arm.totals), _effective_count(arm.weights - arm.totals))
        mean, ideal, variance = min(max(arm.mean, 0.0), 1.0), one_mark_variance(arm.shares), arm.variance
        measured = variance / (mean * (1 - mean)) if variance and off_end else ideal
        return cls(mean, measured, ideal, off_end, arm.n)

    @classmethod
    def without_spread(cls, mean: float, n: int) -> MeanScore:
        """The parts of n cases of equal weight that are all alike."""
        return cls(mean, 1 / (n - 1), 1 / (n - 1), float(n) if 0 < mean < 1 else 0.0, n)

    @property
    def method(self) -> str:
        """The name of the interval."""
        return "score" if self.off_end else "exact"

    def limits(self, alpha: float) -> Bounds:
        """The limits at the level 1 - alpha.

        Wilson's, for as many independent 0/1 marks as the cases are worth. Where all cases lie at one end: those of
        Clopper and Pearson (1934) over cases.
        """
        return score_limits(self.mean, self.reach(alpha)) if self.off_end else self._exact(alpha)

    def reach(self, alpha: float) -> float:
        """The squared quantile over the effective sample size.

        Few failing cases give a poor measurement of the effective size, so they leave few degrees of freedom: two for
        each case off the end, a number set by simulations (INTERVALS). The result is bounded by the worst case, in
        which whole cases fail.
        """
        squared = t_quantile(self.n - 1, alpha) ** 2
        few = t_quantile(min(self.n - 1, 2 * self.off_end), alpha) ** 2
        return max(squared * self.measured, min(few * self.measured, squared * self.ideal))

    def _exact(self, alpha: float) -> Bounds:
        # Clopper and Pearson for n successes in n cases: (alpha / 2)^(1 / n), with n = 1 + 1 / ideal.
        bound = (alpha / 2) ** (1 / (1 + 1 / self.ideal))
        return (bound, 1.0) if self.mean > 0.5 else (0.0, 1 - bound)


def one_mark_variance(shares: Floats) -> float:
    """1 / n_eff if each case were one 0/1 mark: the jackknife's (n - 1) / n * sum((s / (1 - s))^2).

    >>> one_mark_variance(np.full(5, 0.2))
    0.25
    """
    odds = shares / (1 - shares)
    return sum_of_squares(odds) * (len(shares) - 1) / len(shares)


def score_limits(mean: float, reach: float) -> Bounds:
    """The means m' at which (mean - m')^2 = reach * m' (1 - m'): Wilson's limits, with reach = z^2 / n.

    Wilson (1927), Journal of the American Statistical Association 22; with an effective n: Franco, Little, Louis &
    Slud (2019), Journal of Survey Statistics and Methodology 7.
    """
    centre, half = mean + reach / 2, sqrt(reach * mean * (1 - mean) + reach * reach / 4)
    return max((centre - half) / (1 + reach), 0.0), min((centre + half) / (1 + reach), 1.0)


def wilson(share: float, n: float, level: float = CONFIDENCE) -> Bounds:
    """Wilson's score interval for a share of n independent things.

    >>> [round(bound, 4) for bound in wilson(1.0, 20)]
    [0.8389, 1.0]
    """
    return score_limits(share, z_quantile(1 - level) ** 2 / n)


def z_quantile(alpha: float = 1 - CONFIDENCE) -> float:
    """The half-width of an interval at the level 1 - alpha in standard errors, if the standard error is known."""
    return -NormalDist().inv_cdf(alpha / 2)


def _effective_count(amounts: Floats) -> float:
    """The effective number of cases with an amount, (sum x)^2 / sum x^2 (Kish 1965): all if the amounts are equal."""
    squares = sum_of_squares(amounts)
    return float(amounts.sum()) ** 2 / squares if squares else 0.0
