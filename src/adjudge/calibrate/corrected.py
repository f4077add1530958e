"""The corrected value: an estimate of the value if people had labelled every item that the metric judged."""

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
from adjudge.stats.judged import JudgedItems
from adjudge.stats.ppi import RectifiedMean, rectified_mean
from adjudge.stats.selection import selection_test
from adjudge.stats.variance import Floats, count_clusters

# The smallest number of labelled cases for which a corrected value is given.
FEWEST = 10


class CorrectedEstimate(Struct, frozen=True):
    """Three estimates of the value of one arm, and the bias of the metric there.

    `rectified` is the prediction-powered estimate. `labelled_only` uses the labels alone. `metric_only` is the
    metric's value over all `items`, as in the report. `tuning` is the weight of the metric in `rectified`, from 0 (not
    used) to 1 (used in full). `bias` is the mean of metric minus people over the `labelled` items.
    `rectified` has no value if too few items are labelled. If the labelled items are not a random sample, neither
    `rectified` nor `labelled_only` has a value. Their `why` gives the reason.
    """

    arm: str
    labelled: int
    items: int
    rectified: Estimate
    labelled_only: Estimate
    metric_only: Estimate
    bias: Estimate
    tuning: float = 0.0


def correct_value(row: Row, items: Sequence[Item], scale: Scale) -> CorrectedEstimate:
    """The corrected value of one arm, from all its items and its row in the report; labels must be numbers.

    Items have the same weights as in the metric's value, so that the correction is about the same quantity.
    """
    judged = judged_of(items)
    mean = _rectify(judged, np.array([item.weight for item in items]), scale)
    return CorrectedEstimate(
        row.arm,
        int(judged.is_labelled.sum()),
        len(items),
        mean.rectified,
        mean.labelled_only,
        Estimate(row.value, row.low, row.high, n=row.n, clusters=row.conversations, method=row.method),
        bias(judged),
        mean.tuning,
    )


def _rectify(judged: JudgedItems, weights: Floats, scale: Scale) -> RectifiedMean:
    """The rectified mean, without the estimates that the labels do not allow."""
    mean, n = rectified_mean(judged, scale, weights=weights), int(judged.is_labelled.sum())
    cases = count_clusters(judged.clusters[judged.is_labelled])
    if cases < FEWEST:
        why = f"needs at least {FEWEST} labelled conversations, found {cases}"
        return structs.replace(mean, rectified=no_estimate(why, n), tuning=0.0)
    part = selection_test(judged, weights)
    if part is not None and not part.by_chance:
        means = f"the metric says {part.labelled:.3f} there and {part.others:.3f} elsewhere"
        none = no_estimate(f"the labelled items are not a random sample ({means})", n)
        return structs.replace(mean, rectified=none, labelled_only=none, tuning=0.0)
    return mean


def judged_of(items: Sequence[Item]) -> JudgedItems:
    """The metric's values with the mean of the labels of each item, if it has any; cases are the clusters."""
    human = [people_mean(item) for item in items]
    return JudgedItems.of([item.value for item in items], human, [item.case for item in items])


def people_mean(item: Item) -> float | None:
    """The mean of the numbers that people gave to an item; None if nobody gave one."""
    numbers = [label for label in item.labels.values() if not isinstance(label, str)]
    return fmean(numbers) if numbers else None
