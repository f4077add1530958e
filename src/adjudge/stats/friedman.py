"""Three or more arms on the same cases: Friedman's test on ranks, and which pairs differ after it."""

from __future__ import annotations

from itertools import combinations
from math import inf, sqrt

import numpy as np
from msgspec import Struct
from numpy.typing import ArrayLike

from adjudge.stats.cases import Floats
from adjudge.stats.correction import holm


class Friedman(Struct, frozen=True):
    """Friedman's test: rank 1 is the lowest value. p is None where the test is undefined, and `why` says why."""

    statistic: float | None
    p: float | None
    df: int
    n: int
    mean_ranks: tuple[float, ...]
    why: str = ""

    @property
    def error(self) -> float:
        """The standard error of a difference of two mean ranks if the arms are alike; ask only where `n` is not 0."""
        k = len(self.mean_ranks)
        return sqrt(k * (k + 1) / (6 * self.n))


class RankContrast(Struct, frozen=True):
    """Two arms by their places, the difference of their mean ranks, and its p for the whole family of contrasts."""

    a: int
    b: int
    difference: float
    p: float


def friedman(values: ArrayLike) -> Friedman:
    """Friedman's chi-squared test with the correction for ties; one case a row, one arm a column, none undefined.

    >>> found = friedman([[1, 2, 3], [2, 1, 3], [1, 2, 3], [1, 3, 2]])
    >>> found.mean_ranks, round(found.p, 4)
    ((1.25, 2.0, 2.75), 0.1054)
    """
    table = np.array(values, dtype=float)
    if table.ndim != 2 or not np.isfinite(table).all():
        raise ValueError(f"expected finite values, one case a row and one arm a column, found shape {table.shape}")
    n, k = table.shape
    if n < 2 or k < 3:
        return Friedman(None, None, k - 1, n, (), f"needs at least 2 cases and 3 arms, found {n} and {k}")
    ranks = _ranks(table)
    means = tuple(map(float, ranks.mean(axis=0)))
    spread = float(((ranks - (k + 1) / 2) ** 2).sum())
    if not spread:
        return Friedman(None, None, k - 1, n, means, f"all arms tie in each of the {n} cases")
    statistic = n * n * (k - 1) * sum((mean - (k + 1) / 2) ** 2 for mean in means) / spread
    return Friedman(statistic, _chi_squared(k - 1, statistic), k - 1, n, means)


def nemenyi(found: Friedman) -> list[RankContrast]:
    """All pairs by Nemenyi's test: mean ranks against the studentized range. Demšar, JMLR 7 (2006)."""
    from scipy.stats import studentized_range

    pairs = list(combinations(range(len(found.mean_ranks)), 2))
    gaps = [found.mean_ranks[a] - found.mean_ranks[b] for a, b in pairs]
    reached = [sqrt(2) * abs(gap) / found.error for gap in gaps]
    ps = [float(studentized_range.sf(one, len(found.mean_ranks), inf)) if one else 1.0 for one in reached]
    return [RankContrast(a, b, gap, min(p, 1.0)) for (a, b), gap, p in zip(pairs, gaps, ps, strict=True)]


def critical_difference(found: Friedman, alpha: float = 0.05) -> float:
    """How far apart two mean ranks must be to differ by Nemenyi's test."""
    from scipy.stats import studentized_range

    return float(studentized_range.isf(alpha, len(found.mean_ranks), inf)) / sqrt(2) * found.error


def holm_against(found: Friedman, baseline: int) -> list[RankContrast]:
    """Every other arm against the baseline, corrected by Holm: a smaller family than all pairs."""
    return _by_holm(found, [(arm, baseline) for arm in range(len(found.mean_ranks)) if arm != baseline])


def _by_holm(found: Friedman, pairs: list[tuple[int, int]]) -> list[RankContrast]:
    from scipy.special import ndtr

    gaps = [found.mean_ranks[a] - found.mean_ranks[b] for a, b in pairs]
    ps = holm([float(2 * ndtr(-abs(gap) / found.error)) for gap in gaps])
    return [RankContrast(a, b, gap, p) for (a, b), gap, p in zip(pairs, gaps, ps, strict=True) if p is not None]


def _ranks(table: Floats) -> Floats:
    """Ranks within each row, ties sharing their mean: how many are below, plus half of those alike."""
    below = (table[:, :, None] > table[:, None, :]).sum(axis=2)
    alike = (table[:, :, None] == table[:, None, :]).sum(axis=2)
    ranks: Floats = below + (alike + 1) / 2
    return ranks


def _chi_squared(df: int, statistic: float) -> float:
    from scipy.special import chdtrc

    return float(chdtrc(df, statistic))
