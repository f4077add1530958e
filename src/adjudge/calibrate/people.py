"""People: their majority label, and how far they agree with each other, which is the most a judge can reach."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np
from msgspec import Struct

from adjudge.calibrate.items import Item
from adjudge.calibrate.measures import AC1, AGREEMENT, DISTANCE, alphas, levels
from adjudge.stats.estimate import Estimate
from adjudge.stats.interval import UNIT, estimate_items
from adjudge.stats.kappa import gwet_ac
from adjudge.stats.ratings import Label, Ratings
from adjudge.stats.variance import number_clusters


class Footing(Struct, frozen=True):
    """One measure of agreement over the same items, of two people and of the metric with one person.

    The metric is compared with one person because a majority errs less than one person: against a majority, the
    metric would seem to agree better than people do.
    """

    name: str
    people: Estimate
    metric: Estimate


class _Two(NamedTuple):
    """Two labels of one item, and the case it belongs to."""

    first: Label
    second: Label
    case: str


def majority(item: Item) -> Label | None:
    """The most frequent label of an item; None if two labels are equally frequent.

    >>> majority(Item("c", "a", 1.0, 1.0, {"ann": 1.0, "bob": 0.0, "cyd": 1.0}))
    1.0
    """
    (label, most), *others = Counter(item.labels.values()).most_common(2)
    return None if others and others[0][1] == most else label


def footings(labelled: Sequence[Item], scale: Sequence[Label] | None) -> list[Footing]:
    """The agreement of people with each other, and of the metric with one person; empty if no item has two labels.

    `scale` lists all labels in order; None if there are too many different numbers to treat them as labels.
    """
    shared = [item for item in labelled if len(item.labels) > 1 and item.given is not None]
    if not shared:
        return []
    ours = [
        _Two(item.given, label, item.case)
        for item in shared
        if item.given is not None
        for label in item.labels.values()
    ]
    theirs = [_Two(*two, item.case) for item in shared for two in combinations(item.labels.values(), 2)]
    people, metric = (
        _measures(_ratings(shared, scale), theirs, scale),
        _measures(_paired_ratings(ours, scale), ours, scale),
    )
    return [Footing(name, people[name], metric[name]) for name in people]


def _measures(ratings: Ratings, pairs: Sequence[_Two], scale: Sequence[Label] | None) -> dict[str, Estimate]:
    cases = number_clusters([two.case for two in pairs], len(pairs))
    if scale is None:
        apart = np.array([abs(float(two.first) - float(two.second)) for two in pairs])
        return {DISTANCE: estimate_items(apart, cases, (0.0, None)), **alphas(ratings, ("ordinal", "interval"))}
    same = np.array([float(two.first == two.second) for two in pairs])
    return {AGREEMENT: estimate_items(same, cases, UNIT), AC1: gwet_ac(ratings), **alphas(ratings, levels(ratings))}


def _ratings(items: Sequence[Item], scale: Sequence[Label] | None) -> Ratings:
    """The label of each rater for each item."""
    raters = dict.fromkeys(rater for item in items for rater in item.labels)
    rows = [[item.labels.get(rater) for item in items] for rater in raters]
    return Ratings.of(rows, scale, [item.case for item in items])


def _paired_ratings(pairs: Sequence[_Two], scale: Sequence[Label] | None) -> Ratings:
    rows = [[two.first for two in pairs], [two.second for two in pairs]]
    return Ratings.of(rows, scale, [two.case for two in pairs])
