"""Judged items: the numbers that a judge and people gave to each item."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np

from adjudge.stats.variance import Floats, Ints, number_clusters


@dataclass(frozen=True, eq=False)
class JudgedItems:
    """The judge's and the people's values of the same items, nan where there is none, and their conversations."""

    judge: Floats
    human: Floats
    clusters: Ints

    @classmethod
    def of(
        cls,
        judge: Sequence[float | None],
        human: Sequence[float | None],
        clusters: Sequence[Hashable] | None = None,
    ) -> JudgedItems:
        """The items with what was said of each; None where somebody said nothing.

        `clusters` is the conversation of each item; by default each item is its own.

        >>> JudgedItems.of([1, 0, 1], [1, None, None]).is_labelled.tolist()
        [True, False, False]
        """
        if len(judge) != len(human):
            raise ValueError(f"{len(judge)} values of the judge and {len(human)} of people; expected the same items")
        return cls(_numbers(judge), _numbers(human), number_clusters(clusters, len(judge)))

    @property
    def is_labelled(self) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        """Which items both valued."""
        return ~np.isnan(self.judge) & ~np.isnan(self.human)

    @property
    def is_unlabelled(self) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        """Which items only the judge valued."""
        return ~np.isnan(self.judge) & np.isnan(self.human)

    @property
    def error(self) -> Floats:
        """The judge's value minus the people's; nan where one is missing."""
        return self.judge - self.human


def _numbers(values: Sequence[float | None]) -> Floats:
    numbers = np.array([np.nan if value is None else value for value in values], dtype=np.float64)
    if np.isinf(numbers).any():
        raise ValueError(f"value {numbers[np.isinf(numbers)][0]}; expected a number or None")
    return numbers
