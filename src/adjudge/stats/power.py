"""Power: the smallest detectable difference, and the sample size that a difference needs.

Exact for t tests of normal values. Over marks, take the `sd` of the paired `Estimate`.
"""

from __future__ import annotations

from collections.abc import Callable
from math import ceil, sqrt
from statistics import NormalDist

from msgspec import Struct

from adjudge.stats.interval import z_quantile
from adjudge.stats.student import t_quantile
from adjudge.stats.variance import satterthwaite

# The search for a sample size gives up above this number of cases.
MOST = 10**9


class Aim(Struct, frozen=True):
    """The level of the two-sided test and the wanted chance to find the difference."""

    alpha: float = 0.05
    power: float = 0.8

    def __post_init__(self) -> None:
        if not 0.0001 <= self.alpha < self.power < 1:
            raise ValueError(f"expected 0.0001 <= alpha < power < 1, found {self.alpha!r} and {self.power!r}")


class Sample(Struct, frozen=True):
    """How many cases an arm has and the standard deviation of its values."""

    n: int
    sd: float


AIM = Aim()


def power(difference: float, sample: Sample, alpha: float = AIM.alpha) -> float | None:
    """The probability that a paired t test finds a difference; the sample's sd is that of the paired differences.

    None with fewer than two cases or without spread.

    >>> round(power(0.5, Sample(34, 1.0)), 3)
    0.808
    """
    if sample.n < 2 or not sample.sd:
        return None
    return _power(abs(difference) / sample.sd * sqrt(sample.n), sample.n - 1, alpha)


def power_unpaired(difference: float, a: Sample, b: Sample, alpha: float = AIM.alpha) -> float | None:
    """The probability that Welch's t test finds a difference; None with under two cases in an arm or without spread."""
    error = _error(a, b)
    return _power(abs(difference) / error, _df(a, b), alpha) if error else None


def smallest_difference(sample: Sample, aim: Aim = AIM) -> float | None:
    """The smallest difference a paired t test finds with the wanted power; None with fewer than two cases or no spread.

    >>> round(smallest_difference(Sample(34, 1.0)), 3)
    0.495
    """
    if sample.n < 2 or not sample.sd:
        return None
    return _distance(sample.n - 1, aim) * sample.sd / sqrt(sample.n)


def smallest_difference_unpaired(a: Sample, b: Sample, aim: Aim = AIM) -> float | None:
    """The smallest difference Welch's t test finds with the wanted power; None with too few cases or no spread."""
    error = _error(a, b)
    return _distance(_df(a, b), aim) * error if error else None


def cases_needed(difference: float, sd: float, aim: Aim = AIM) -> int | None:
    """The fewest cases with which a paired t test finds the difference; sd is that of the paired differences.

    None if difference or sd is 0, or if a billion cases are not enough.

    >>> cases_needed(0.5, 1.0)
    34
    """
    return _fewest(lambda n: power(difference, Sample(n, sd), aim.alpha), _guess(difference, sd, aim), aim)


def cases_needed_unpaired(difference: float, sd_a: float, sd_b: float, aim: Aim = AIM) -> int | None:
    """The fewest cases in each arm with which Welch's t test finds the difference; None as for `cases_needed`.

    >>> cases_needed_unpaired(0.5, 1.0, 1.0)
    64
    """

    def power_of(n: int) -> float | None:
        return power_unpaired(difference, Sample(n, sd_a), Sample(n, sd_b), aim.alpha)

    return _fewest(power_of, _guess(difference, sqrt(sd_a**2 + sd_b**2), aim), aim)


def cases_by_p(p: float, n: int, aim: Aim = AIM) -> int:
    """How many cases would find a difference with the wanted power if n cases gave this p; 0 where p is 0 or 1.

    The distance of the estimate from 0, in standard errors, grows with the root of the number of cases. A difference
    that n cases do not find takes more than n: the t test alone may say fewer where few cases hardly differ.

    >>> cases_by_p(0.05, 5), cases_by_p(0.2, 5)
    (11, 24)
    """
    if not 0 < p < 1:
        return 0
    return ceil(n * ((z_quantile(aim.alpha) + NormalDist().inv_cdf(aim.power)) / z_quantile(p)) ** 2)


def cases_to_tie(sd: float, margin: float, alpha: float = AIM.alpha, power: float = AIM.power) -> int:
    """How many cases show with this power that arms without a difference lie within the margin.

    The interval of two one-sided tests has the level 1 - 2 alpha. Schuirmann, Journal of Pharmacokinetics and
    Biopharmaceutics 15 (1987); normal approximation.

    >>> cases_to_tie(1.0, 0.5)
    35
    """
    return ceil(((z_quantile(2 * alpha) + z_quantile(1 - power)) * sd / margin) ** 2)


def _power(distance: float, df: float, alpha: float) -> float:
    """The chance that |t| passes its critical value when its centre is `distance` standard errors from 0.

    t squared has a noncentral F distribution. It is used because scipy 1.17's noncentral t returns NaN in many places.
    """
    from scipy.special import gammainccinv, ncfdtr

    # Far from 0 the power is 1 to the last digit: |t| stays below its critical value only if the estimated spread is
    # above its 1 - 1e-13 quantile, or the estimate lies 8 standard errors below its centre.
    critical = t_quantile(df, alpha)
    largest_spread = float(gammainccinv(df / 2, 1e-13) * 2 / df) ** 0.5
    if distance > critical * largest_spread + 8:
        return 1.0
    return float(1 - ncfdtr(1, df, distance**2, critical**2))


def _distance(df: float, aim: Aim) -> float:
    """How many standard errors away a difference must be to be found with the wanted power."""
    from scipy.optimize import brentq

    far = 1.0
    while _power(far, df, aim.alpha) < aim.power:
        far *= 2
    return float(brentq(lambda distance: _power(distance, df, aim.alpha) - aim.power, 0.0, far, xtol=1e-12))


def _fewest(power_of: Callable[[int], float | None], guess: float, aim: Aim) -> int | None:
    """The smallest n with the wanted power, by doubling and halving from the normal approximation."""
    if not 0 < guess < MOST:
        return None
    low, high = 1, max(int(guess), 2)
    while (power_of(high) or 0.0) < aim.power:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if (power_of(middle) or 0.0) < aim.power else (low, middle)
    return high


def _guess(difference: float, sd: float, aim: Aim) -> float:
    if not difference:
        return 0.0
    return ((z_quantile(aim.alpha) + NormalDist().inv_cdf(aim.power)) * sd / difference) ** 2


def _error(a: Sample, b: Sample) -> float:
    """The standard error of the difference; 0.0 where it cannot be had."""
    return sqrt(a.sd**2 / a.n + b.sd**2 / b.n) if min(a.n, b.n) > 1 else 0.0


def _df(a: Sample, b: Sample) -> float:
    return satterthwaite((a.sd**2 / a.n, b.sd**2 / b.n), (a.n, b.n))
