"""The corrected value: what people would find over all that a metric judged, from those items they labelled."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean

import numpy as np
from msgspec import Struct, structs
from numpy.typing import NDArray

from adjudge.aggregate import Row
from adjudge.agreement.difference import bias
from adjudge.agreement.estimate import Estimate, Floats
from adjudge.agreement.judged import Judged
from adjudge.agreement.ppi import rectified_mean
from adjudge.calibrate.items import Item
from adjudge.core.mark import Scale


class Corrected(Struct, frozen=True):
    """The value of one arm three ways, and how far the metric is off there.

    `rectified` is the prediction-powered estimate, `labelled_only` the people's alone, `metric_only` the metric's own
    over all `items`, as in the report; `tuning` is how far the metric was trusted (0: not at all, 1: as it is). `bias`
    is the mean of metric minus people over the `labelled` items.
    """

    arm: str
    labelled: int
    items: int
    rectified: Estimate
    labelled_only: Estimate
    metric_only: Estimate
    bias: Estimate
    tuning: float = 0.0


def corrected(row: Row, items: Sequence[Item], scale: Scale) -> Corrected:
    """The corrected value of one arm from all its items, whose labels must be numbers, and its row in the report.

    Items that weigh more in the metric's value weigh as much more here: it is the same value that is corrected.
    """
    judged = judged_of(items)
    weights = np.array([item.weight for item in items])
    found = rectified_mean(_weighted(judged, weights), scale)
    rectified = found.rectified
    if _uneven(weights) and found.tuning:
        rectified = _with_one_error_more(rectified, judged.human[judged.labelled], found.tuning, scale)
    return Corrected(
        row.arm,
        int(judged.labelled.sum()),
        len(items),
        rectified,
        found.labelled_only,
        Estimate(row.value, row.low, row.high, n=row.n, clusters=row.conversations, method=row.method),
        bias(judged),
        found.tuning,
    )


def judged_of(items: Sequence[Item]) -> Judged:
    """The metric's values beside the mean of what people said, where they said something; cases are the clusters."""
    human = [people_mean(item) for item in items]
    return Judged.of([item.value for item in items], human, [item.case for item in items])


def people_mean(item: Item) -> float | None:
    """The mean of the numbers people gave to an item; None where nobody did."""
    numbers = [label for label in item.labels.values() if not isinstance(label, str)]
    return fmean(numbers) if numbers else None


def _weighted(judged: Judged, weights: Floats) -> Judged:
    """Values whose plain means, over labelled and over other items, are the weighted means of these.

    m + (v - m) w / mean(w), with m the weighted mean: each value lies as far from m as its weight moves it, so the
    spread between conversations is the linearised one of a ratio.
    """
    if not _uneven(weights):
        return judged
    judge, human = judged.judge.copy(), judged.human.copy()
    for part in (judged.labelled, judged.unlabelled):
        judge[part] = _spread(judge, weights, part)
        human[part] = _spread(human, weights, part)
    return Judged(judge, human, judged.clusters)


def _spread(values: Floats, weights: Floats, part: NDArray[np.bool_]) -> Floats:
    if not part.any():
        return values[part]
    chosen, weight = values[part], weights[part]
    mean = float(np.average(chosen, weights=weight))
    return np.asarray(mean + (chosen - mean) * weight / weight.mean())


def _uneven(weights: Floats) -> bool:
    # Shares of conversations equal but for rounding are equal.
    return bool(np.ptp(weights) > 1e-9 * weights.max())


def _with_one_error_more(found: Estimate, labels: Floats, tuning: float, scale: Scale) -> Estimate:
    """The estimate as if the metric had made one error more than was seen, where all labels lie at the scale's ends.

    `rectified_mean` sees to that itself for items of equal weight; weighted ones no longer lie at the ends. Without it
    intervals of 0/1 labels cover 92 % in simulation, with it 95 %.
    """
    low, high = scale
    if low is None or high is None or not np.isin(labels, (low, high)).all():
        return found
    if found.value is None or found.low is None or found.high is None or not found.se:
        return found
    unseen = tuning * (high - low) / len(labels)
    wider = float(np.hypot(found.se, unseen)) / found.se
    return structs.replace(
        found,
        low=max(found.value - wider * (found.value - found.low), low),
        high=min(found.value + wider * (found.high - found.value), high),
        se=found.se * wider,
    )
