"""Whether the labelled items can be a random sample: only then do they represent the other items."""

from __future__ import annotations

from collections.abc import Iterator
from math import sqrt

import numpy as np
from msgspec import Struct

from adjudge.stats.judged import JudgedItems
from adjudge.stats.variance import Floats, Ints, sum_by

# The level of the test: it rejects one random sample in a hundred.
ALPHA = 0.01
# Random samples in the permutation test.
DRAWS = 2000
# The test stops after this many gaps as large as the observed one: then p is not small (Besag & Clifford 1991).
ENOUGH = 100
# Gaps that differ by less than this share count as equal, since rounding may separate them.
_ROUNDING = 1e-9


class Selection(Struct, frozen=True):
    """The metric's mean over labelled and over other items, and the p of so large a gap in random samples."""

    labelled: float
    others: float
    p: float

    @property
    def by_chance(self) -> bool:
        """Whether the labelled items can be a random part of all."""
        return self.p >= ALPHA


def selection_test(judged: JudgedItems, weights: Floats) -> Selection | None:
    """Compare the metric's mean over labelled items with that over the others; None if one of them is empty.

    It is a permutation test: it draws as many items as are labelled at random from all items, and `p` is the share of
    draws whose mean is as far from the mean of the rest. It also holds for few items and rare values, where a single
    label can make a t test significant. Items of one case are alike, so the observed gap is first divided by the square
    root of the design effect (Kish 1965).
    """
    labelled = judged.is_labelled
    if labelled.all() or not labelled.any():
        return None
    apart = judged.judge - np.average(judged.judge, weights=weights)
    near, far = (float(np.average(judged.judge[part], weights=weights[part])) for part in (labelled, ~labelled))
    shares = np.where(labelled, weights / weights[labelled].sum(), -weights / weights[~labelled].sum())
    observed = abs(near - far) / sqrt(_design_effect(apart, shares, judged.clusters))
    gaps = _random_gaps(apart * weights, weights, int(labelled.sum()))
    return Selection(near, far, _share_beyond(gaps, observed * (1 - _ROUNDING)))


def _share_beyond(gaps: Iterator[float], observed: float) -> float:
    """The share of gaps that are at least as large as the observed one, which counts as one of them."""
    hits = 0
    for draw, gap in enumerate(gaps, 1):
        hits += gap >= observed
        if hits == ENOUGH:
            return hits / draw
    return (1 + hits) / (1 + DRAWS)


def _random_gaps(weighted: Floats, weights: Floats, size: int) -> Iterator[float]:
    """The gaps between the means of random parts of this size and of what they leave."""
    rng, total = np.random.default_rng(0), weights.sum()
    for _ in range(DRAWS):
        part = rng.choice(len(weights), size, replace=False, shuffle=False)
        amount, weight = weighted[part].sum(), weights[part].sum()
        # The weighted values add up to 0, so the rest has the opposite amount.
        yield abs(float(amount / weight + amount / (total - weight)))


def _design_effect(apart: Floats, shares: Floats, cases: Ints) -> float:
    """The variance of the gap, relative to its variance if items of one case were no more alike than any others.

    1 + icc * (sum over cases of (sum of shares)^2 / sum of squared shares - 1), with `alike` the intraclass correlation
    (Kish 1965).
    """
    spread = float((apart**2).mean())
    pairs = float((sum_by(cases, np.ones(len(cases))) ** 2).sum()) - len(cases)
    if not spread or not pairs:
        return 1.0
    alike = (float((sum_by(cases, apart) ** 2).sum()) - len(cases) * spread) / pairs / spread
    own = float((shares**2).sum())
    return max(1.0, 1.0 + max(alike, 0.0) * (float((sum_by(cases, shares) ** 2).sum()) - own) / own)
