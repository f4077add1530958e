"""Confusion: which labels two raters gave to the same items."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from adjudge.stats.estimate import Estimate
from adjudge.stats.interval import UNIT, estimate_items
from adjudge.stats.ratings import Label, Ratings


class Confusion(Struct, frozen=True):
    """How often the first rater gave one label (row) and the second another (column).

    `left_out` counts the items that only one of them rated, or neither.
    """

    labels: tuple[Label, ...]
    counts: tuple[tuple[int, ...], ...]
    left_out: int = 0

    @classmethod
    def of(cls, ratings: Ratings) -> Confusion:
        """The confusion of two raters.

        >>> Confusion.of(Ratings.of([["a", "a", "b"], ["a", "b", "b"]])).counts
        ((1, 1), (0, 1))
        """
        pair, width = ratings.pair(), len(ratings.labels)
        first, second = pair.codes
        table = np.bincount(first * width + second, minlength=width * width).reshape(width, width)
        left_out = ratings.codes.shape[1] - pair.codes.shape[1]
        return cls(ratings.labels, tuple(tuple(row) for row in table.tolist()), left_out)

    @property
    def n(self) -> int:
        """How many items both rated."""
        return sum(map(sum, self.counts))

    @property
    def agreement(self) -> float | None:
        """The share of items that got the same label from both; None where they share no item."""
        return sum(row[place] for place, row in enumerate(self.counts)) / self.n if self.n else None


def observed_agreement(ratings: Ratings) -> Estimate:
    """The share of items to which two raters gave the same label (0 to 1, higher is better), with its interval.

    >>> observed_agreement(Ratings.of([["a", "a", "b", "b"], ["a", "b", "b", "b"]])).value
    0.75
    """
    pair = ratings.pair()
    first, second = pair.codes
    return estimate_items((first == second).astype(np.float64), pair.clusters, UNIT)
