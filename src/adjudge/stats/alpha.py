"""Alpha: Krippendorff's reliability of any number of raters, at any level of measurement."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from adjudge.stats.disagreement import Disagreement
from adjudge.stats.estimate import Estimate, no_estimate
from adjudge.stats.ranks import midranks, through_ranks
from adjudge.stats.ratings import MISSING, Label, Ratings
from adjudge.stats.variance import Floats, Ints, sum_by

Level = Literal["nominal", "ordinal", "interval"]


def krippendorff_alpha(ratings: Ratings, level: Level = "nominal") -> Estimate:
    """Krippendorff's alpha (-1 to 1, higher is better; 0: as by chance), for raters who may have left items out.

    alpha = 1 - D_o / D_e: D_o is the mean squared distance of values within items, D_e that of any two values.
    Items that only one rater rated are left out. The distance of two values is 0 or 1 (nominal), the difference of
    their mid-ranks (ordinal), or the difference of the values themselves, which must be numbers (interval). The
    confidence interval comes from the influence of each item and is robust to clusters. Alpha is undefined if all
    values are the same.

    Krippendorff, K. (2011), Computing Krippendorff's Alpha-Reliability, repository.upenn.edu/asc_papers/43.

    >>> round(krippendorff_alpha(Ratings.of([[1, 2, 3, 3], [1, 2, 3, 4]]), "ordinal").value, 3)
    0.91
    """
    values = _Values.of(ratings)
    if not values.n:
        return no_estimate("no item was rated twice")
    spread = _SPREADS[level](values, ratings.labels)
    if spread.between == 0:
        return no_estimate("all gave the same label to every item", len(values.items))
    observed, expected = spread.within.sum() / values.n, spread.between / (values.n * (values.n - 1))
    pull = spread.pull / spread.between - 1 / values.n
    moved = spread.within / (expected * values.n) - observed / expected * pull + spread.shift
    influence = sum_by(values.item, moved)
    clusters = ratings.clusters[values.items]
    return Disagreement(float(observed), float(expected), influence, clusters, spread.worst).coefficient()


@dataclass(frozen=True, eq=False)
class _Values:
    """The values of all items that were rated twice or more, one after the other.

    For each value, `item` is the index of its item in `items`, and `size` is the number of values of that item.
    """

    code: Ints
    item: Ints
    size: Ints
    items: Ints

    @classmethod
    def of(cls, ratings: Ratings) -> _Values:
        given = ratings.codes != MISSING
        sizes = given.sum(axis=0)
        rater, column = np.nonzero(given & (sizes > 1))
        items, item = np.unique(column, return_inverse=True)
        return cls(ratings.codes[rater, column], item, sizes[column], items)

    @property
    def n(self) -> int:
        return len(self.code)

    def within(self, what: Floats) -> Floats:
        """The sum over the item of each value."""
        return sum_by(self.item, what)[self.item]


@dataclass(frozen=True, eq=False)
class _Spread:
    """Squared distances of values.

    `within`: for each value, the mean squared distance to the other values of its item. `between`: the sum over all
    ordered pairs of values. `pull`: how much one more copy of each value adds to `between`. `shift`: how much one more
    copy changes the ratio of disagreements because it changes the distances themselves, as ranks do. `worst`: the
    largest squared distance.
    """

    within: Floats
    between: float
    pull: Floats
    shift: Floats
    worst: float = 1.0


def _nominal(values: _Values, labels: Sequence[Label]) -> _Spread:
    _, cell, counts = np.unique(values.item * len(labels) + values.code, return_inverse=True, return_counts=True)
    others = (values.n - np.bincount(values.code)[values.code]).astype(np.float64)
    within = (values.size - counts[cell]) / (values.size - 1)
    return _Spread(within, float(others.sum()), 2 * others, np.zeros(values.n))


def _interval(values: _Values, labels: Sequence[Label]) -> _Spread:
    if words := [label for label in labels if isinstance(label, str)]:
        raise ValueError(f"label {words[0]!r}; expected numbers at the interval level")
    return _squares(values, np.array(labels, dtype=np.float64)[values.code])


def _ordinal(values: _Values, labels: Sequence[Label]) -> _Spread:
    ranks = midranks(values.code.astype(np.float64))
    spread = _squares(values, ranks)
    if spread.between == 0:
        return spread
    # The chain rule: how the ratio D_o / D_e changes with each rank, and each rank with one more value.
    scale = (values.n - 1) / spread.between
    ratio = spread.within.sum() * scale
    own = values.size / (values.size - 1) * (ranks - values.within(ranks) / values.size)
    overall = values.n * (ranks - ranks.mean())
    gradient = 4 * (scale * own - ratio / spread.between * overall)
    return replace(spread, shift=through_ranks(gradient, ranks))


def _squares(values: _Values, points: Floats) -> _Spread:
    """The spread of points on a line, by sums of squares about their means."""
    about = (points - values.within(points) / values.size) ** 2
    within = (values.size * about + values.within(about)) / (values.size - 1)
    overall = (points - points.mean()) ** 2
    pull = 2 * (values.n * overall + overall.sum())
    worst = float(np.ptp(points)) ** 2
    between = float(pull.sum()) / 2 if worst else 0.0
    return _Spread(within, between, pull, np.zeros(values.n), worst)


_SPREADS: dict[Level, Callable[[_Values, Sequence[Label]], _Spread]] = {
    "nominal": _nominal,
    "ordinal": _ordinal,
    "interval": _interval,
}
