"""Intervals of a difference between two arms: t, Tango, Newcombe, square-and-add on bounded scales, and bootstrap."""

from __future__ import annotations

from collections.abc import Callable
from math import sqrt

import numpy as np
from msgspec import Struct

from adjudge.stats.bootstrap import RESAMPLES, resample
from adjudge.stats.cases import Arm, Difference, Floats, Paired, Undefined, Unpaired
from adjudge.stats.interval import on_logits, t_quantile, wilson, z_quantile

LEVEL = 0.95

Limits = tuple[float, float]


class Interval(Struct, frozen=True):
    """An interval of a difference at its level. None: there is none, and `why` says why."""

    low: float | None
    high: float | None
    level: float
    method: str
    why: str = ""


def cluster_t(data: Paired, level: float = LEVEL) -> Interval:
    """The t interval of a difference over shared cases, which are the clusters; n - 1 degrees of freedom.

    >>> data = Paired.of(Arm.over_conversations([3, 5, 4, 6]), Arm.over_conversations([2, 5, 2, 5]))
    >>> found = cluster_t(data)
    >>> round(found.low, 3), round(found.high, 3)
    (-0.299, 2.299)
    """
    return _t_interval(data.estimate(), level, "cluster t")


def welch(data: Unpaired, level: float = LEVEL) -> Interval:
    """Welch's t interval of a difference between arms on different cases.

    >>> found = welch(Unpaired.of(Arm.over_conversations([1, 2, 3]), Arm.over_conversations([4, 5, 7])))
    >>> round(found.low, 3), round(found.high, 3)
    (-6.454, -0.212)
    """
    return _t_interval(data.estimate(), level, "welch t")


def tango(data: Paired, level: float = LEVEL) -> Interval:
    """Tango's score interval of a paired difference of 0/1 cases: the differences that a score test does not reject.

    Twenty cases of which none differs give [-0.16, 0.16], never [0, 0]. Tango, Statistics in Medicine 17 (1998).

    >>> data = Paired.of(Arm.over_conversations([1] * 20), Arm.over_conversations([1] * 20))
    >>> found = tango(data)
    >>> round(found.low, 3), round(found.high, 3)
    (-0.161, 0.161)
    """
    if not data.n:
        return _undefined(Undefined(0, "needs at least 1 shared case, found 0"), level, "tango")
    gained, lost, n = data.gained, data.lost, data.n
    z = z_quantile(level)

    def kept(delta: float) -> bool:
        return (gained - lost - n * delta) ** 2 <= z * z * _restricted(gained, lost, n, delta)

    centre = (gained - lost) / n
    return Interval(_edge(centre, -1.0, kept), _edge(centre, 1.0, kept), level, "tango")


def _restricted(gained: int, lost: int, n: int, delta: float) -> float:
    """The variance of gained - lost if the true difference is delta, at the likeliest share of lost cases."""
    b = (2 * n - gained + lost) * delta - gained - lost
    share = (sqrt(b * b + 8 * n * lost * delta * (1 - delta)) - b) / (4 * n)
    return n * (2 * share + delta * (1 - delta))


def _edge(inside: float, outside: float, kept: Callable[[float], bool]) -> float:
    """Where a range that holds `inside` ends on the way to `outside`, by halving."""
    if kept(outside):
        return outside
    for _ in range(60):
        middle = (inside + outside) / 2
        inside, outside = (middle, outside) if kept(middle) else (inside, middle)
    return inside


def newcombe(data: Unpaired, level: float = LEVEL) -> Interval:
    """Newcombe's hybrid score interval (method 10) of an unpaired difference of 0/1 cases.

    Newcombe, Statistics in Medicine 17 (1998), 873-890.

    >>> right, wrong = [1] * 56 + [0] * 14, [1] * 48 + [0] * 32
    >>> found = newcombe(Unpaired.of(Arm.over_conversations(right), Arm.over_conversations(wrong)))
    >>> round(found.low, 4), round(found.high, 4)
    (0.0524, 0.3339)
    """
    if not (data.a.n and data.b.n):
        return _undefined(Undefined(data.n, "needs at least 1 case in each arm, found 0"), level, "newcombe")
    shares = data.a.mean, data.b.mean
    limits = wilson(shares[0], data.a.n, level), wilson(shares[1], data.b.n, level)
    return Interval(*_combined(shares, limits, 0.0), level, "newcombe")


def square_and_add(data: Paired | Unpaired, scale: Limits, level: float = LEVEL) -> Interval:
    """The interval of a difference on a bounded scale, from the limits of both arms and their correlation.

    Newcombe's square-and-add (Zou and Donner, Statistics in Medicine 27, 2008) with the limits that each arm has for
    itself: t on logits, over cases, or Wilson's with the cases as its n for an arm without spread. Where the paired
    differences do not differ at all, as many cases as Wilson's limit allows may differ by all that the scale leaves,
    as in `tango`.

    >>> right = Arm.over_marks([4] * 20, [4] * 20)
    >>> found = square_and_add(Paired.of(right, right), (0, 1))
    >>> round(found.low, 3), round(found.high, 3)
    (-0.161, 0.161)
    """
    method = "square-and-add on logits"
    found = data.estimate()
    if isinstance(found, Undefined):
        return _undefined(found, level, method)
    width = scale[1] - scale[0]
    if isinstance(data, Paired) and not found.error:
        return Interval(*_around(found, width, level), level, method)
    arms = _on_unit(data.a, scale), _on_unit(data.b, scale)
    limits = _limits(arms[0], level), _limits(arms[1], level)
    low, high = _combined((arms[0].mean, arms[1].mean), limits, _correlation(data))
    return Interval(low * width, high * width, level, method)


def _on_unit(arm: Arm, scale: Limits) -> Arm:
    low, high = scale
    if not low <= arm.mean <= high:
        raise ValueError(f"the arm's value {arm.mean!r} is not on its scale {scale!r}")
    return Arm((arm.totals - low * arm.weights) / (high - low), arm.weights)


def _around(found: Difference, width: float, level: float) -> Limits:
    _, most = wilson(0.0, found.n, level)
    return (
        found.difference - most * (width + found.difference),
        found.difference + most * (width - found.difference),
    )


def _limits(arm: Arm, level: float) -> Limits:
    mean, variance = arm.mean, arm.variance
    if not variance:
        return wilson(mean, arm.n, level)
    return on_logits(mean, t_quantile(arm.n - 1, level) * variance**0.5)


def _correlation(data: Paired | Unpaired) -> float:
    size = sqrt(data.a.variance * data.b.variance)
    if isinstance(data, Unpaired) or not size:
        return 0.0
    return min(max(data.covariance / size, -1.0), 1.0)


def _combined(means: Limits, limits: tuple[Limits, Limits], correlation: float) -> Limits:
    """The limits of a difference from the limits of its parts, whose distances add like standard errors."""
    (first, second), ((low_a, high_a), (low_b, high_b)) = means, limits
    down = _root(first - low_a, high_b - second, correlation)
    up = _root(high_a - first, second - low_b, correlation)
    return first - second - down, first - second + up


def _root(one: float, other: float, correlation: float) -> float:
    return sqrt(max(one * one + other * other - 2 * correlation * one * other, 0.0))


def percentile(data: Paired, seed: int = 0, resamples: int = RESAMPLES, level: float = LEVEL) -> Interval:
    """The middle of the resampled differences; cases are resampled, with both arms."""
    drawn = _resampled(data, seed, resamples)
    if isinstance(drawn, Undefined):
        return _undefined(drawn, level, "percentile bootstrap")
    low, high = np.quantile(drawn, ((1 - level) / 2, (1 + level) / 2))
    return Interval(float(low), float(high), level, "percentile bootstrap")


def _resampled(data: Paired, seed: int, resamples: int) -> Floats | Undefined:
    found = data.estimate()
    if isinstance(found, Undefined):
        return found
    if not found.error:
        return _no_spread(found)
    totals = np.column_stack([data.a.totals, data.b.totals])
    weights = np.column_stack([data.a.weights, data.b.weights])
    return resample(totals, weights, seed, resamples).differences((0,), (1,))


def _t_interval(found: Difference | Undefined, level: float, method: str) -> Interval:
    if isinstance(found, Undefined):
        return _undefined(found, level, method)
    if not found.error:
        return _undefined(_no_spread(found), level, method)
    half = t_quantile(found.df, level) * found.error
    return Interval(found.difference - half, found.difference + half, level, method)


def _no_spread(found: Difference) -> Undefined:
    return Undefined(found.n, f"the {found.n} cases show no spread to measure an interval by")


def _undefined(found: Undefined, level: float, method: str) -> Interval:
    return Interval(None, None, level, method, found.why)
