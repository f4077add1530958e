"""Whether chance can have chosen what was labelled: only then do labels speak for the rest."""

from __future__ import annotations

from collections.abc import Iterator
from math import sqrt

import numpy as np
from msgspec import Struct

from adjudge.stats.judged import Judged
from adjudge.stats.variance import Floats, Ints, sum_by

# One random part in a hundred is refused.
ALPHA = 0.01
DRAWS = 2000
# So many gaps as large are enough to know that they are not rare (Besag & Clifford 1991).
ENOUGH = 100
# What is left of equal gaps after rounding is no difference.
_ROUNDING = 1e-9


class Selection(Struct, frozen=True):
    """The metric's mean over the labelled items and over the others, and how often chance sets them so far apart."""

    labelled: float
    others: float
    p: float

    @property
    def by_chance(self) -> bool:
        """Whether the labelled items can be a random part of all."""
        return self.p >= ALPHA


def selection_test(judged: Judged, weights: Floats) -> Selection | None:
    """The labelled items against the others, as the metric sees both; None where one of them is empty.

    A permutation test: as many items as are labelled are drawn at random from all, and `p` is how often their mean lies
    as far from that of the rest. It holds for few and rare values too, where a t test finds a difference in one label.
    Items of one case are alike, so the observed gap is first divided by the square root of the design effect (Kish
    1965).
    """
    labelled = judged.labelled
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
    """How many times as large the variance of the gap is as if items of one case were no more alike than others."""
    spread = float((apart**2).mean())
    pairs = float((sum_by(cases, np.ones(len(cases))) ** 2).sum()) - len(cases)
    if not spread or not pairs:
        return 1.0
    alike = (float((sum_by(cases, apart) ** 2).sum()) - len(cases) * spread) / pairs / spread
    own = float((shares**2).sum())
    return max(1.0, 1.0 + max(alike, 0.0) * (float((sum_by(cases, shares) ** 2).sum()) - own) / own)
