"""Which conversations a page shows whole: few that together show as much as possible."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from itertools import chain, zip_longest
from typing import TypeVar

T = TypeVar("T")
K = TypeVar("K", bound=Hashable)

# The most transcripts on a page, so that it opens fast with any run: together at most 1,440,000 characters of text.
CONVERSATIONS = 60


def take_in_turns(groups: Iterable[Iterable[K]], most: int = CONVERSATIONS) -> list[K]:
    """Keys taken from each group in turns until there are enough."""
    return [key for turn in zip_longest(*groups) for key in turn if key is not None][:most]


def covering_rounds(candidates: dict[K, set[T]]) -> Iterator[list[K]]:
    """Keys in rounds: each round covers everything that the remaining keys show; the key that adds most comes first."""
    left = {key: shows for key, shows in candidates.items() if shows}
    while left:
        unseen = set(chain.from_iterable(left.values()))
        keys: list[K] = []
        while unseen:
            key = max(left, key=lambda key: len(left[key] & unseen))
            unseen -= left.pop(key)
            keys.append(key)
        yield keys
