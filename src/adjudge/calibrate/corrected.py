"""The corrected value: what people would find over all that a metric judged, from those items they labelled."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from adjudge.agreement.difference import bias
from adjudge.agreement.estimate import Estimate, Floats
from adjudge.agreement.judged import Judged
from adjudge.agreement.ppi import rectified_mean
from adjudge.calibrate.items import Item
from adjudge.core.mark import Scale


class Corrected(Struct, frozen=True):
    """The value of one arm three ways, and how far the metric is off there.

    `rectified` is the prediction-powered estimate, `labelled_only` the people's alone, `judge_only` the metric's own
    over all `items`; `tuning` is how far the metric was trusted (0: not at all). `bias` is the mean of metric minus
    people over the `labelled` items.
    """

    arm: str
    labelled: int
    items: int
    rectified: Estimate
    labelled_only: Estimate
    judge_only: Estimate
    bias: Estimate
    tuning: float = 0.0


def corrected(arm: str, items: Sequence[Item], scale: Scale) -> Corrected:
    """The corrected value of one arm; the labels of all items must be numbers.

    Items that weigh more in the metric's value weigh as much more here, so the metric's own is the one of the report.
    """
    judged = judged_of(items)
    weights = np.array([item.weight for item in items])
    found = rectified_mean(_weighted(judged, weights), scale)
    alone = Judged(judged.judge, np.full(len(items), np.nan), judged.clusters)
    return Corrected(
        arm,
        int(judged.labelled.sum()),
        len(items),
        found.rectified,
        found.labelled_only,
        rectified_mean(_weighted(alone, weights), scale).judge_only,
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
    if np.ptp(weights) <= 1e-9 * weights.max():
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
