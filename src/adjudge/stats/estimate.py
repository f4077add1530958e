"""Estimates: a value with its interval, the spread taken between conversations.

Every coefficient of this package is a smooth function of sums over items, so its error is to first order the sum of
what each item adds to it, its influence (the linearised variance of survey sampling, Särndal, Swensson & Wretman
1992, section 5.5). Items of one conversation are not independent: their influences are added up first, and the
variance is taken between conversations.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from adjudge.stats.interval import t_quantile, wilson

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]
Interval = tuple[float, float]

# What is left of equal numbers after rounding is no spread.
_ROUNDING = 1e-13


class Estimate(Struct, frozen=True):
    """A value with its 95 % interval, what it was computed from, and why something is missing.

    `value` is None where the question has no answer (one label only, nobody rated twice); `low`, `high` and `se`
    are None where there is no spread to take them from (one conversation); `why` says so in words. `n` counts the
    items used, `clusters` the conversations they belong to, `method` names the interval.
    """

    value: float | None
    low: float | None = None
    high: float | None = None
    se: float | None = None
    n: int = 0
    clusters: int = 0
    method: str = ""
    why: str = ""


def undefined(why: str, n: int = 0) -> Estimate:
    """The estimate that cannot be given, and why."""
    return Estimate(None, n=n, why=why)


def numbered(clusters: Sequence[Hashable] | None, n: int) -> Ints:
    """The clusters of n items as numbers from 0; None: each item is its own.

    >>> numbered(["b", "a", "b"], 3).tolist()
    [0, 1, 0]
    """
    if clusters is None:
        return np.arange(n)
    if len(clusters) != n:
        raise ValueError(f"{len(clusters)} clusters for {n} items; expected one each")
    places = {cluster: place for place, cluster in enumerate(dict.fromkeys(clusters))}
    return np.array([places[cluster] for cluster in clusters], dtype=np.intp)


def present(clusters: Ints) -> int:
    """How many different clusters there are."""
    return len(np.unique(clusters))


def totals(places: Ints, amounts: Floats, size: int = 0) -> Floats:
    """The sum of the amounts at each place from 0.

    >>> totals(np.array([0, 1, 0]), np.array([1.0, 2.0, 3.0])).tolist()
    [4.0, 2.0]
    """
    return np.bincount(places, amounts, size).astype(np.float64)


def standard_error(influence: Floats, clusters: Ints, magnitude: float = 1.0) -> float:
    """The cluster-robust standard error of what has these influences: sqrt(G / (G - 1) * sum over g of u_g^2).

    u_g is the sum of the influences in cluster g. `magnitude` is the size of the numbers the influences came from,
    against which what rounding leaves is told from spread. Ask only where there are two clusters or more.
    """
    groups = present(clusters)
    sums = totals(clusters, influence)
    if np.abs(sums).max() <= _ROUNDING * magnitude:
        return 0.0
    return float(np.sqrt(groups / (groups - 1) * (sums @ sums)))


def mean(values: Floats, clusters: Ints) -> Estimate:
    """The mean of all values, with a t interval over clusters."""
    n, groups = len(values), present(clusters)
    if not n:
        return undefined("no items")
    value = float(values.mean())
    if groups < 2:
        return Estimate(value, n=n, clusters=groups, why="one conversation: no interval")
    se = standard_error((values - value) / n, clusters, float(np.abs(values).max()))
    if not se:
        return Estimate(value, se=se, n=n, clusters=groups, why="conversations do not differ: no interval")
    half = t_quantile(groups - 1) * se
    return Estimate(value, value - half, value + half, se, n, groups, "cluster t")


def share(hits: Floats, clusters: Ints) -> Estimate:
    """The share of hits (1) among hits and misses (0), with an interval that stays within 0 to 1 and is never [1, 1].

    Wilson's, for as many independent items as the clustered ones are worth (Korn & Graubard 1998); where clusters do
    not differ, for as many as there are clusters.
    """
    found = mean(hits, clusters)
    if found.value is None or found.clusters < 2:
        return found
    low, high = wilson(found.value, _worth(found))
    return Estimate(found.value, low, high, found.se, found.n, found.clusters, "wilson")


def _worth(found: Estimate) -> float:
    """How many independent items give a share the standard error found between clusters; at most those there are.

    p (1 - p) / se^2, with se^2 freed of its factor G / (G - 1), times (t_{n-1} / t_{G-1})^2.
    """
    groups = found.clusters
    if not found.value or not found.se:
        return groups
    spread = found.value * (1 - found.value)
    fewer = (t_quantile(found.n - 1) / t_quantile(groups - 1)) ** 2
    return min(spread / (found.se**2 * (groups - 1) / groups) * fewer, found.n)
