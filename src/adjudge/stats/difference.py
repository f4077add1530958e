"""The difference between two arms: its interval and its p come from one pivot, so they never contradict each other.

| data | pivot |
|---|---|
| paired, one 0/1 mark a case | Tango's score |
| paired, bounded scale | Tango's score at the effective sample size, against t |
| no shared case, bounded scale | Newcombe's square-and-add of both arms' score limits |
| open scale | Student's t over cases; no shared case: Welch's |
"""

from __future__ import annotations

from collections.abc import Callable
from math import erfc, sqrt
from typing import Protocol

import numpy as np
from msgspec import Struct

from adjudge.core.mark import Scale
from adjudge.stats.cases import Arm, Difference, PairedCases, Undefined, UnpairedCases
from adjudge.stats.interval import Bounds, MeanScore, one_mark_variance, z_quantile
from adjudge.stats.student import t_quantile, t_tails

# Halving a range of at most 2 this often leaves less than the last digit of a float (2^-52 near 1).
HALVINGS = 60
# A quantile is found when a step changes it by less than this; ten steps are usual.
PRECISION = 1e-13
MOST_STEPS = 100
# Beyond this normal quantile p is below 1e-18 and is not searched any further.
LARGEST_QUANTILE = 9.0


class Pivot(Protocol):
    """What gives both the interval of a difference and its p."""

    @property
    def method(self) -> str:
        """The name of the pivot."""
        ...

    def limits(self, level: float) -> Bounds:
        """The differences that the test at 1 - level does not reject."""
        ...

    def p(self, difference: float = 0.0) -> float:
        """The two-sided p of the hypothesis that the true difference is this one."""
        ...


def pivot_of(data: PairedCases | UnpairedCases, scale: Scale) -> Pivot | Undefined:
    """The pivot for these data and this scale (None: an open end), or the reason why there is none.

    >>> data = PairedCases.of(Arm.over_marks([3, 5], [4, 5]), Arm.over_marks([2, 5], [4, 5]))
    >>> pivot_of(data, (0.0, 1.0)).method, pivot_of(data, (0.0, None)).method
    ('paired score', 'paired t')
    """
    estimate, (low, high) = data.estimate(), scale
    if isinstance(estimate, Undefined):
        return estimate
    if low is not None and high is not None:
        a, b = data.a.on_unit((low, high)), data.b.on_unit((low, high))
        return ScaledPivot(
            _paired_score(PairedCases(a, b)) if isinstance(data, PairedCases) else UnpairedScore.of(a, b), high - low
        )
    if not estimate.error:
        return Undefined(estimate.n, f"the {estimate.n} cases show no spread to test against")
    return Student(estimate, "paired t" if isinstance(data, PairedCases) else "welch t")


class ScaledPivot(Struct, frozen=True):
    """A pivot on [0, 1] brought to a scale of this width."""

    pivot: Pivot
    width: float

    @property
    def method(self) -> str:
        """The name of the pivot."""
        return self.pivot.method

    def limits(self, level: float) -> Bounds:
        """The differences that the test at 1 - level does not reject."""
        low, high = self.pivot.limits(level)
        return low * self.width, high * self.width

    def p(self, difference: float = 0.0) -> float:
        """The two-sided p of the hypothesis that the true difference is this one."""
        return self.pivot.p(difference / self.width)


class Student(Struct, frozen=True):
    """Student's t over cases: the paired one with n - 1 degrees of freedom, or Welch's."""

    estimate: Difference
    method: str

    @property
    def statistic(self) -> float:
        """t of no difference."""
        return self.estimate.difference / self.estimate.error

    def limits(self, level: float) -> Bounds:
        """The differences that the test at 1 - level does not reject."""
        half = t_quantile(self.estimate.df, 1 - level) * self.estimate.error
        return self.estimate.difference - half, self.estimate.difference + half

    def p(self, difference: float = 0.0) -> float:
        """The two-sided p of the hypothesis that the true difference is this one."""
        return t_tails((self.estimate.difference - difference) / self.estimate.error, self.estimate.df)


def _paired_score(data: PairedCases) -> PairedScore:
    return PairedScore.of_marks(data) if data.a.binary and data.b.binary else PairedScore.of_cases(data)


class PairedScore(Struct, frozen=True, kw_only=True):
    """Tango's score pivot of a paired difference on [0, 1].

    `gained` and `lost` are the shares of the cases that are higher and lower in `a`, weighted by the size of the
    difference. `error` is 1 / n_eff. An arm without any error may still make errors: for each such arm in `sides`
    (1: a, -1: b), `guard` times the variance m (1 - m) of one mark is added, where m lies half the difference from
    `middle`, the mean of both arms. `df` is None if the reference is the normal distribution: one 0/1 mark a case.
    """

    difference: float
    gained: float
    lost: float
    error: float
    df: float | None
    guard: float = 0.0
    sides: tuple[int, ...] = ()
    middle: float = 0.0

    @classmethod
    def of_marks(cls, data: PairedCases) -> PairedScore:
        """One 0/1 mark a case in both arms: Tango (1998), Statistics in Medicine 17, 891-908."""
        gained, lost = data.gained / data.n, data.lost / data.n
        return cls(difference=gained - lost, gained=gained, lost=lost, error=1 / data.n, df=None)

    @classmethod
    def of_cases(cls, data: PairedCases) -> PairedScore:
        """Cases of any length and grade: Tango's variance of one pair at the effective number of pairs.

        The weighted mean of the absolute case differences stands for the share of cases that differ. For 0/1 cases it
        is exactly that share.
        """
        estimate = data.estimate()
        if isinstance(estimate, Undefined):
            raise ValueError(estimate.why)
        shares, difference = (data.a.shares + data.b.shares) / 2, estimate.difference
        differing = max(float(shares @ np.abs(data.differences)), abs(difference))
        ideal, spread = one_mark_variance(shares), differing - difference**2
        error = estimate.error**2 / spread if estimate.error and spread > 0 else ideal
        faultless = [side for side, arm in ((1, data.a), (-1, data.b)) if not MeanScore.of(arm).off_end]
        return cls(
            difference=difference,
            gained=(differing + difference) / 2,
            lost=(differing - difference) / 2,
            error=error,
            df=estimate.df,
            guard=max(ideal - error, 0.0),
            sides=tuple(faultless),
            middle=(data.a.mean + data.b.mean) / 2,
        )

    @property
    def method(self) -> str:
        """The name of the pivot."""
        return "tango score" if self.df is None else "paired score"

    def limits(self, level: float) -> Bounds:
        """The differences that the test at 1 - level does not reject."""
        quantile = z_quantile(1 - level) if self.df is None else t_quantile(self.df, 1 - level)

        def is_inside(difference: float) -> bool:
            return (self.difference - difference) ** 2 <= quantile**2 * self.variance(difference)

        return _edge(self.difference, -1.0, is_inside), _edge(self.difference, 1.0, is_inside)

    def p(self, difference: float = 0.0) -> float:
        """The two-sided p of the hypothesis that the true difference is this one."""
        distance, variance = abs(self.difference - difference), self.variance(difference)
        if not distance:
            return 1.0
        if not variance:
            return 0.0
        ratio = distance / sqrt(variance)
        return erfc(ratio / sqrt(2)) if self.df is None else t_tails(ratio, self.df)

    def variance(self, difference: float) -> float:
        """The variance of the observed difference if this is the true one."""
        return self.error * self._one_pair(difference) + self._guard(difference)

    def _one_pair(self, x: float) -> float:
        """Tango's variance of one pair at the likeliest share of lost cases, if the true difference is x."""
        # The root of Tango's quadratic 2 q^2 + b q - lost x (1 - x) = 0, with q the share of lost cases.
        b = (2 - self.gained + self.lost) * x - self.gained - self.lost
        lost = (sqrt(max(b * b + 8 * self.lost * x * (1 - x), 0.0)) - b) / 4
        return max(2 * lost + x * (1 - x), 0.0)

    def _guard(self, x: float) -> float:
        # With 20 of 20 cases right, up to 14 % of all cases may still fail. Without the guard such an arm would have
        # a variance of 0.
        means = [min(max(self.middle + side * x / 2, 0.0), 1.0) for side in self.sides]
        return self.guard * sum(mean * (1 - mean) for mean in means)


class UnpairedScore(Struct, frozen=True):
    """Newcombe's pivot for arms on different cases: the distances of the arms' limits from their means add as squares.

    Newcombe (1998), Statistics in Medicine 17, 873-890, method 10.
    """

    a: MeanScore
    b: MeanScore

    @classmethod
    def of(cls, a: Arm, b: Arm) -> UnpairedScore:
        """The pivot of two arms of two cases or more on [0, 1]."""
        return cls(MeanScore.of(a), MeanScore.of(b))

    @property
    def method(self) -> str:
        """The name of the pivot."""
        return "newcombe score"

    def limits(self, level: float) -> Bounds:
        """The differences that the test at 1 - level does not reject."""
        return self._limits(1 - level)

    def p(self, difference: float = 0.0) -> float:
        """The largest alpha whose interval still holds the difference.

        It is searched as the normal quantile that belongs to it, because limits are nearly linear in quantiles.
        """

        def outside(quantile: float) -> float:
            low, high = self._limits(erfc(quantile / sqrt(2)))
            return max(low - difference, difference - high)

        return 1.0 if outside(0.0) <= 0 else erfc(_root(outside, 0.0, LARGEST_QUANTILE) / sqrt(2))

    def _limits(self, alpha: float) -> Bounds:
        (low_a, high_a), (low_b, high_b) = self.a.limits(alpha), self.b.limits(alpha)
        a, b = self.a.mean, self.b.mean
        down = sqrt((a - low_a) ** 2 + (high_b - b) ** 2)
        up = sqrt((high_a - a) ** 2 + (b - low_b) ** 2)
        return a - b - down, a - b + up


def lies_within(bounds: Bounds, margin: float) -> bool:
    """Whether the whole interval lies within the margin: at level 0.90, equivalence at 0.05.

    >>> lies_within((-0.01, 0.03), 0.05)
    True
    """
    if not margin > 0:
        raise ValueError(f"expected a margin above 0, found {margin!r}")
    return -margin < bounds[0] and bounds[1] < margin


def _root(function: Callable[[float], float], left: float, right: float) -> float:
    """Where a falling function that is above 0 on the left is 0, by false position (Illinois); else the right end.

    Dowell & Jarratt (1971), BIT 11, 168-174.
    """
    above, below = function(left), function(right)
    if below >= 0:
        return right
    middle, moved = left, ""
    for _ in range(MOST_STEPS):
        before, middle = middle, (left * below - right * above) / (below - above)
        value = function(middle)
        if abs(middle - before) < PRECISION:
            break
        # The end that stays twice counts half, so that it comes nearer as well.
        if value > 0:
            left, above, below, moved = middle, value, below / 2 if moved == "left" else below, "left"
        else:
            right, below, above, moved = middle, value, above / 2 if moved == "right" else above, "right"
    return middle


def _edge(inside: float, outside: float, is_inside: Callable[[float], bool]) -> float:
    """The end of the range around `inside` in the direction of `outside`, by bisection."""
    if is_inside(outside):
        return outside
    for _ in range(HALVINGS):
        middle = (inside + outside) / 2
        inside, outside = (middle, outside) if is_inside(middle) else (inside, middle)
    return inside
