"""Ratings: what several raters said about the same items."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np

from adjudge.stats.variance import Floats, Ints, number_clusters

Label = str | float
"""What a rater may say: a word or a number (true and false are numbers)."""

# Stands for no label among the numbers of labels, which begin with 0.
MISSING = -1


@dataclass(frozen=True, eq=False)
class Ratings:
    """The labels that raters gave to items, as places in a list of labels.

    `codes` has a row for each rater and a column for each item; -1 where a rater said nothing. `clusters` numbers
    the conversation of each item.
    """

    codes: Ints
    labels: tuple[Label, ...]
    clusters: Ints

    @classmethod
    def of(
        cls,
        raters: Sequence[Sequence[Label | None]],
        labels: Sequence[Label] | None = None,
        clusters: Sequence[Hashable] | None = None,
    ) -> Ratings:
        """The ratings of several raters, each a sequence over the same items; None where one said nothing.

        `labels` are all possible labels in order; by default the labels that were given, sorted. Labels that nobody
        used still count as steps of the scale and in the agreement expected by chance. `clusters` is the conversation
        of each item; by default each item is its own.

        >>> Ratings.of([["no", "yes", None], ["no", "no", "yes"]]).codes.tolist()
        [[0, 1, -1], [0, 0, 1]]
        """
        sizes = {len(rater) for rater in raters} or {0}
        if len(sizes) > 1:
            raise ValueError(f"raters with {' and '.join(map(str, sorted(sizes)))} items; expected the same items")
        given = {label for rater in raters for label in rater if label is not None}
        order = _order_labels(given) if labels is None else tuple(labels)
        places: dict[Label | None, int] = {label: place for place, label in enumerate(order)}
        if len(places) < len(order):
            raise ValueError(f"labels {', '.join(map(repr, order))}; expected each once")
        if stray := given - places.keys():
            raise ValueError(f"label {min(stray, key=str)!r} is none of {', '.join(map(repr, order))}")
        places[None] = MISSING
        codes = np.array([[places[label] for label in rater] for rater in raters], dtype=np.intp)
        items = sizes.pop()
        return cls(codes.reshape(len(raters), items), order, number_clusters(clusters, items))

    @property
    def counts(self) -> Floats:
        """How many raters gave each item (row) each label (column)."""
        shape = (self.codes.shape[1], len(self.labels))
        counts = np.zeros(shape)
        for rater in self.codes:
            rated = np.flatnonzero(rater != MISSING)
            counts[rated, rater[rated]] += 1
        return counts

    def pair(self) -> Ratings:
        """The items that both of two raters rated; raises ValueError where there are not two raters."""
        if len(self.codes) != 2:
            raise ValueError(f"{len(self.codes)} raters; expected two (for more: gwet_ac, krippendorff_alpha)")
        both = (self.codes != MISSING).all(axis=0)
        return Ratings(self.codes[:, both], self.labels, self.clusters[both])


def _order_labels(labels: set[Label]) -> tuple[Label, ...]:
    if any(label != label for label in labels):
        raise ValueError("label nan; expected None where a rater said nothing")
    words = [label for label in labels if isinstance(label, str)]
    numbers = [label for label in labels if not isinstance(label, str)]
    return (*sorted(numbers), *sorted(words))
