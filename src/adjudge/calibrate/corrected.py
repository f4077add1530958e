"""The corrected value: what people would find over all that a metric judged, from those items they labelled."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean

import numpy as np
from msgspec import Struct, structs

from adjudge.aggregate import Row
from adjudge.calibrate.items import Item
from adjudge.core.mark import Scale
from adjudge.stats.correlation import bias
from adjudge.stats.estimate import Estimate, no_estimate
from adjudge.stats.judged import Judged
from adjudge.stats.ppi import Rectified, rectified_mean
from adjudge.stats.selection import selection_test
from adjudge.stats.variance import Floats, count_clusters

# Fewer labelled conversations say too little of the rest.
FEWEST = 10


class Corrected(Struct, frozen=True):
    """The value of one arm three ways, and how far the metric is off there.

    `rectified` is the prediction-powered estimate, `labelled_only` the people's alone, `metric_only` the metric's own
    over all `items`, as in the report; `tuning` is how far the metric was trusted (0: not at all, 1: as it is). `bias`
    is the mean of metric minus people over the `labelled` items. `rectified` has no value where too little is labelled,
    and neither it nor `labelled_only` has one where what is labelled is no random part; their `why` says so.
    """

    arm: str
    labelled: int
    items: int
    rectified: Estimate
    labelled_only: Estimate
    metric_only: Estimate
    bias: Estimate
    tuning: float = 0.0


def correct_value(row: Row, items: Sequence[Item], scale: Scale) -> Corrected:
    """The corrected value of one arm from all its items, whose labels must be numbers, and its row in the report.

    Items that weigh more in the metric's value weigh as much more here: it is the same value that is corrected.
    """
    judged = judged_of(items)
    mean = _rectify(judged, np.array([item.weight for item in items]), scale)
    return Corrected(
        row.arm,
        int(judged.labelled.sum()),
        len(items),
        mean.rectified,
        mean.labelled_only,
        Estimate(row.value, row.low, row.high, n=row.n, clusters=row.conversations, method=row.method),
        bias(judged),
        mean.tuning,
    )


def _rectify(judged: Judged, weights: Floats, scale: Scale) -> Rectified:
    """The rectified mean as far as the labels allow one."""
    mean, n = rectified_mean(judged, scale, weights=weights), int(judged.labelled.sum())
    cases = count_clusters(judged.clusters[judged.labelled])
    if cases < FEWEST:
        why = f"needs at least {FEWEST} labelled conversations, found {cases}"
        return structs.replace(mean, rectified=no_estimate(why, n), tuning=0.0)
    part = selection_test(judged, weights)
    if part is not None and not part.by_chance:
        means = f"the metric says {part.labelled:.3f} there and {part.others:.3f} elsewhere"
        none = no_estimate(f"the labelled items are no random part ({means})", n)
        return structs.replace(mean, rectified=none, labelled_only=none, tuning=0.0)
    return mean


def judged_of(items: Sequence[Item]) -> Judged:
    """The metric's values beside the mean of what people said, where they said something; cases are the clusters."""
    human = [people_mean(item) for item in items]
    return Judged.of([item.value for item in items], human, [item.case for item in items])


def people_mean(item: Item) -> float | None:
    """The mean of the numbers people gave to an item; None where nobody did."""
    numbers = [label for label in item.labels.values() if not isinstance(label, str)]
    return fmean(numbers) if numbers else None
