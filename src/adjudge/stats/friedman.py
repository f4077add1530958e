"""Three or more arms on the same cases: Friedman's test on ranks, and which pairs differ after it."""

from __future__ import annotations

from functools import cache
from itertools import combinations
from math import erfc, inf, sqrt

import numpy as np
from msgspec import Struct
from numpy.typing import ArrayLike

from adjudge.stats.correction import holm


class Friedman(Struct, frozen=True):
    """Friedman's test: rank 1 is the lowest value. p is None where the test is undefined, and `why` says why.

    `error` is the standard error of a difference of two mean ranks if the arms are alike, corrected for ties.
    """

    statistic: float | None
    p: float | None
    df: int
    n: int
    mean_ranks: tuple[float, ...]
    error: float = 0.0
    why: str = ""


class RankContrast(Struct, frozen=True):
    """Two arms by their places, the difference of their mean ranks, and its p for the whole family of contrasts."""

    a: int
    b: int
    difference: float
    p: float


def friedman(values: ArrayLike) -> Friedman:
    """Friedman's chi-squared test with the correction for ties; one case a row, one arm a column, none undefined.

    The error of a difference of mean ranks is sqrt(2 A / ((k - 1) n^2)) with A the sum of (rank - (k + 1) / 2)^2
    (Conover, Practical Nonparametric Statistics, 1999); without ties that is sqrt(k (k + 1) / (6 n)).

    >>> test = friedman([[1, 2, 3], [2, 1, 3], [1, 2, 3], [1, 3, 2]])
    >>> test.mean_ranks, round(test.p, 4)
    ((1.25, 2.0, 2.75), 0.1054)
    """
    table = np.array(values, dtype=float)
    if table.ndim != 2 or not np.isfinite(table).all():
        raise ValueError(f"expected finite values, one case a row and one arm a column, found shape {table.shape}")
    n, k = table.shape
    if n < 2 or k < 3:
        return Friedman(None, None, k - 1, n, (), why=f"needs at least 2 cases and 3 arms, found {n} and {k}")
    from scipy.stats import friedmanchisquare, rankdata

    ranks = rankdata(table, axis=1)
    means = tuple(map(float, ranks.mean(axis=0)))
    spread = float(((ranks - (k + 1) / 2) ** 2).sum())
    if not spread:
        return Friedman(None, None, k - 1, n, means, why=f"all arms tie in each of the {n} cases")
    test = friedmanchisquare(*table.T)
    error = sqrt(2 * spread / (k - 1)) / n
    return Friedman(float(test.statistic), float(test.pvalue), k - 1, n, means, error)


def nemenyi(test: Friedman) -> list[RankContrast]:
    """All pairs by Nemenyi's test: mean ranks against the studentized range. Demšar, JMLR 7 (2006)."""
    from scipy.stats import studentized_range

    pairs = list(combinations(range(len(test.mean_ranks)), 2))
    gaps = [test.mean_ranks[a] - test.mean_ranks[b] for a, b in pairs]
    ranges = [sqrt(2) * abs(gap) / test.error if gap else 0.0 for gap in gaps]
    ps = [float(studentized_range.sf(size, len(test.mean_ranks), inf)) if size else 1.0 for size in ranges]
    return [RankContrast(a, b, gap, min(p, 1.0)) for (a, b), gap, p in zip(pairs, gaps, ps, strict=True)]


def critical_difference(test: Friedman, alpha: float = 0.05) -> float:
    """How far apart two mean ranks must be to differ by Nemenyi's test."""
    return _critical_range(len(test.mean_ranks), alpha) / sqrt(2) * test.error


@cache
def _critical_range(arms: int, alpha: float) -> float:
    # Cached: it takes a tenth of a second to compute and is needed once for each metric.
    from scipy.stats import studentized_range

    return float(studentized_range.isf(alpha, arms, inf))


def holm_against(test: Friedman, baseline: int) -> list[RankContrast]:
    """Every other arm against the baseline, corrected by Holm: a smaller family than all pairs."""
    others = [arm for arm in range(len(test.mean_ranks)) if arm != baseline]
    gaps = [test.mean_ranks[arm] - test.mean_ranks[baseline] for arm in others]
    ps = holm([erfc(abs(gap) / test.error / sqrt(2)) if gap else 1.0 for gap in gaps])
    return [RankContrast(arm, baseline, gap, p) for arm, gap, p in zip(others, gaps, ps, strict=True) if p is not None]
