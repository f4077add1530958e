"""Correlation: how well a judge's numbers follow people's numbers, and how large their differences are."""

from __future__ import annotations

from math import atanh, tanh

import numpy as np

from adjudge.stats.estimate import Estimate, no_estimate
from adjudge.stats.interval import estimate_items
from adjudge.stats.judged import JudgedItems
from adjudge.stats.ranks import midranks, through_ranks
from adjudge.stats.student import t_quantile
from adjudge.stats.variance import Floats, Ints, cluster_error, count_clusters

# All pairs of items are compared in blocks of this many rows, which bounds the memory.
_ROWS = 1024


def bias(judged: JudgedItems) -> Estimate:
    """The mean of judge minus human (0 is best; above 0: the judge is too kind), with its t interval over clusters.

    >>> bias(JudgedItems.of([3, 4, 5], [3, 3, 4])).value
    0.6666666666666666
    """
    both = judged.is_labelled
    return estimate_items(judged.error[both], judged.clusters[both])


def mean_absolute_difference(judged: JudgedItems) -> Estimate:
    """The mean distance of judge and human (0 and more, lower is better), with its t interval over clusters.

    >>> mean_absolute_difference(JudgedItems.of([3, 4, 5], [3, 5, 4])).value
    0.6666666666666666
    """
    both = judged.is_labelled
    return estimate_items(np.abs(judged.error[both]), judged.clusters[both], (0.0, None))


def pearson(judged: JudgedItems) -> Estimate:
    """Pearson's correlation of judge and human (-1 to 1, higher is better).

    The interval is taken on Fisher's z = atanh(r), with the standard error from the influence of each item,
    a b - r (a^2 + b^2) / 2 for standardised a and b: it needs no normal distribution and is robust to clusters.
    Undefined where one of them does not vary.

    Devlin, Gnanadesikan & Kettenring (1975), Biometrika 62, 531-545.

    >>> round(pearson(JudgedItems.of([1, 2, 3, 4], [1, 3, 2, 4])).value, 3)
    0.8
    """
    both = judged.is_labelled
    return _moment(judged.judge[both], judged.human[both], judged.clusters[both])


def spearman(judged: JudgedItems) -> Estimate:
    """Spearman's correlation of the ranks of judge and human (-1 to 1, higher is better), ties sharing a rank.

    The interval is taken on Fisher's z; an item's influence includes its effect on the ranks of the other items.
    Undefined if one of them does not vary.

    >>> round(spearman(JudgedItems.of([1, 2, 3, 9], [1, 3, 2, 4])).value, 3)
    0.8
    """
    both = judged.is_labelled
    return rank_correlation(judged.judge[both], judged.human[both], judged.clusters[both])


def kendall(judged: JudgedItems) -> Estimate:
    """Kendall's tau-b of judge and human (-1 to 1, higher is better): concordant minus discordant pairs, as a share.

    tau = sum(s_ij t_ij) / sqrt(sum(s_ij^2) sum(t_ij^2)) over all pairs of items, with s and t the signs of the
    differences of judge and human. The interval is taken on Fisher's z, from the influence of each item. Undefined
    where one of them does not vary.

    >>> round(kendall(JudgedItems.of([1, 2, 3, 9], [1, 3, 2, 4])).value, 3)
    0.667
    """
    both = judged.is_labelled
    first, second, clusters = judged.judge[both], judged.human[both], judged.clusters[both]
    if why := _flat(first, second):
        return no_estimate(why, len(first))
    same = _concordance(first, second)
    untied_first, untied_second = _count_untied(first), _count_untied(second)
    scale = np.sqrt(untied_first.sum() * untied_second.sum())
    tau = float(same.sum() / scale)
    ties = untied_first / untied_first.sum() + untied_second / untied_second.sum()
    return _on_z(tau, 2 * same / scale - tau * ties, clusters)


def rank_correlation(first: Floats, second: Floats, clusters: Ints) -> Estimate:
    """Spearman's correlation of any two rows of numbers without gaps, with its interval."""
    if why := _flat(first, second):
        return no_estimate(why, len(first))
    ranks = midranks(first), midranks(second)
    (a, size_a), (b, size_b) = (_standardise(rank) for rank in ranks)
    r = float(a @ b)
    shift = through_ranks((b - r * a) / size_a, first) + through_ranks((a - r * b) / size_b, second)
    return _on_z(r, a * b - r * (a * a + b * b) / 2 + shift, clusters)


def _moment(first: Floats, second: Floats, clusters: Ints) -> Estimate:
    if why := _flat(first, second):
        return no_estimate(why, len(first))
    (a, _), (b, _) = _standardise(first), _standardise(second)
    r = float(a @ b)
    return _on_z(r, a * b - r * (a * a + b * b) / 2, clusters)


def _flat(first: Floats, second: Floats) -> str:
    """Why two rows have no correlation; empty where they have."""
    if len(first) < 2:
        return "fewer than two items were valued by both"
    if not np.ptp(first) or not np.ptp(second):
        return "the same value for every item"
    return ""


def _standardise(values: Floats) -> tuple[Floats, float]:
    """The values minus their mean, divided so that their squares sum to 1, and the divisor."""
    about = values - values.mean()
    size = float(np.sqrt(about @ about))
    return about / size, size


def _on_z(r: float, influence: Floats, clusters: Ints) -> Estimate:
    """A correlation with its t interval on Fisher's z = atanh(r); the fitted line takes two degrees of freedom."""
    n, groups = len(influence), count_clusters(clusters)
    r = min(max(r, -1.0), 1.0)
    if groups < 3:
        return Estimate(r, n=n, clusters=groups, why="fewer than three conversations: no interval")
    se = cluster_error(influence, clusters)
    if not se or abs(r) > 1 - 1e-12:
        return Estimate(r, n=n, clusters=groups, why="all items on one line: no interval")
    half = t_quantile(groups - 2) * se / (1 - r * r)
    return Estimate(r, tanh(atanh(r) - half), tanh(atanh(r) + half), se, n, groups, "cluster t on Fisher's z")


def _concordance(first: Floats, second: Floats) -> Floats:
    """For each item, the number of concordant pairs it is in, minus the number of discordant ones."""
    same = np.empty(len(first))
    for start in range(0, len(first), _ROWS):
        rows = slice(start, start + _ROWS)
        signs = np.sign(first[rows, None] - first) * np.sign(second[rows, None] - second)
        same[rows] = signs.sum(axis=1)
    return same


def _count_untied(values: Floats) -> Floats:
    """For each item, how many others have another value."""
    _, places, counts = np.unique(values, return_inverse=True, return_counts=True)
    return (len(values) - counts[places]).astype(np.float64)
