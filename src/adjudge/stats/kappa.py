"""Kappa: agreement on labels beyond what chance would give, after Cohen and after Gwet."""

from __future__ import annotations

from typing import Literal

import numpy as np

from adjudge.stats.disagreement import Disagreement
from adjudge.stats.estimate import Estimate, no_estimate
from adjudge.stats.ratings import Ratings
from adjudge.stats.variance import Floats, Ints

Weights = Literal["linear", "quadratic", "ordinal"]


def distances(labels: int, weights: Weights | None) -> Floats:
    """The distances between labels by their positions: 0 for the same label, 1 for the first and the last.

    Without weights, any two different labels have distance 1. With d the difference of positions and q the number of
    labels, "linear" is d / (q - 1), "quadratic" its square, and "ordinal" (d + 1) d / (q (q - 1)) (Gwet 2014,
    section 3.5).

    >>> distances(3, "ordinal").round(3).tolist()
    [[0.0, 0.333, 1.0], [0.333, 0.0, 0.333], [1.0, 0.333, 0.0]]
    """
    places = np.arange(labels, dtype=np.float64)
    apart = np.abs(places[:, None] - places)
    if weights is None or labels < 2:
        return np.minimum(apart, 1.0)
    if weights == "ordinal":
        return (apart + 1) * apart / (labels * (labels - 1))
    return (apart / (labels - 1)) ** (1 if weights == "linear" else 2)


def cohen_kappa(ratings: Ratings, weights: Weights | None = None) -> Estimate:
    """Cohen's kappa of two raters (-1 to 1, higher is better; 0: what chance would give).

    kappa = 1 - sum(d_kl p_kl) / sum(d_kl p_k. p_.l), with p_kl the share of items the first called k and the
    second l, and d their distance. The standard error is the large-sample one of Fleiss, Cohen & Everitt (1969),
    times sqrt(n / (n - 1)) and robust to clusters. Undefined where chance alone makes them agree: both used one and
    the same label.

    Cohen, J. (1960), Educational and Psychological Measurement 20, 37-46; weighted: (1968), Psychological
    Bulletin 70, 213-220.

    >>> round(cohen_kappa(Ratings.of([["y", "y", "n", "n"], ["y", "n", "n", "n"]])).value, 3)
    0.5
    """
    pair = ratings.pair()
    first, second = pair.codes
    if not first.size:
        return no_estimate("no item was rated by both")
    apart = distances(len(ratings.labels), weights)
    by_first = apart @ _shares(second, len(apart))
    by_second = apart @ _shares(first, len(apart))
    seen, chance = apart[first, second], by_first[first] + by_second[second]
    expected = float(chance.mean() / 2)
    if expected == 0:
        return no_estimate("both gave the same label to every item", first.size)
    observed = float(seen.mean())
    influence = (seen - observed - observed / expected * (chance - 2 * expected)) / (first.size * expected)
    return Disagreement(observed, expected, influence, pair.clusters).coefficient()


def _shares(codes: Ints, labels: int) -> Floats:
    return np.bincount(codes, minlength=labels) / codes.size


def gwet_ac(ratings: Ratings, weights: Weights | None = None) -> Estimate:
    """Gwet's AC1, or with weights AC2, of two raters or more (-1 to 1, higher is better; 0: as by chance).

    AC = (p_a - p_e) / (1 - p_e): p_a is the mean over items rated twice or more of the weighted share of agreeing
    pairs of raters, p_e = T / (q (q - 1)) sum_k pi_k (1 - pi_k), with T the sum of all weights (1 - distance), q the
    number of labels and pi_k the mean share of label k over all items that were rated. Unlike kappa it does not fall
    when one label is rare. The standard error is robust to clusters. It equals Gwet's if every item was rated twice or
    more. Otherwise p_a is treated as a ratio of two sums, while Gwet treats the number of items rated twice as fixed.
    Undefined if there is only one label.

    Gwet, K. L. (2008), British Journal of Mathematical and Statistical Psychology 61, 29-48; (2014), Handbook of
    Inter-Rater Reliability, 4th edition.

    >>> round(gwet_ac(Ratings.of([["y", "y", "n", "n"], ["y", "n", "n", "n"]])).value, 3)
    0.529
    """
    counts = ratings.counts
    rated = counts.sum(axis=1) > 0
    counts, clusters = counts[rated], ratings.clusters[rated]
    labels, twice = len(ratings.labels), counts.sum(axis=1) > 1
    if not twice.any():
        return no_estimate("no item was rated twice")
    if labels < 2:
        return no_estimate("one label only", len(counts))
    apart = distances(labels, weights)
    seen = _pairs_apart(counts[twice], apart)
    observed = float(seen.mean())
    moved = np.zeros(len(counts))
    moved[twice] = (seen - observed) / seen.size
    expected, pull = _by_chance(counts, float((1 - apart).sum()))
    influence = (moved - observed / expected * pull) / expected
    return Disagreement(observed, expected, influence, clusters).coefficient()


def _pairs_apart(counts: Floats, apart: Floats) -> Floats:
    """The mean distance of the pairs of raters of each item."""
    raters: Floats = counts.sum(axis=1)
    total: Floats = ((counts @ apart) * counts).sum(axis=1)
    return total / (raters * (raters - 1))


def _by_chance(counts: Floats, weight: float) -> tuple[float, Floats]:
    """The disagreement Gwet expects by chance, and what each item adds to it."""
    items, labels = counts.shape
    shares = counts / counts.sum(axis=1, keepdims=True)
    mean = shares.mean(axis=0)
    factor = weight / (labels * (labels - 1))
    return 1 - factor * float(mean @ (1 - mean)), -factor * (shares - mean) @ (1 - 2 * mean) / items
