"""Prediction-powered inference: the mean people would find, from many scores of a judge and few labels of people."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from statistics import NormalDist

import numpy as np
from msgspec import Struct, structs
from numpy.typing import NDArray

from adjudge.core.mark import Scale
from adjudge.stats.estimate import Estimate, Floats, Ints, mean, totals, undefined
from adjudge.stats.interval import CONFIDENCE, t_quantile, wilson
from adjudge.stats.judged import Judged

UNBOUNDED: Scale = (None, None)

# So many conversations must be labelled before the tuning can be taken from them: two go into mean and slope.
_FEWEST = 3


class Rectified(Struct, frozen=True):
    """The mean of all items as people would see them, with what it is to be compared with.

    `rectified` is the prediction-powered estimate; `labelled_only` the mean of the people's labels alone;
    `judge_only` the mean of all the judge's scores, which is off by the judge's bias. `tuning` is how far the judge
    was trusted: at 0 the rectified estimate is the labelled-only one, at 1 plain prediction-powered inference.
    """

    rectified: Estimate
    labelled_only: Estimate
    judge_only: Estimate
    tuning: float = 0.0


def rectified_mean(judged: Judged, scale: Scale = UNBOUNDED, tuning: float | None = None) -> Rectified:
    """The mean that people would find over all items, free of the judge's bias, with its 95 % interval.

    theta = mean_L(y) - lambda (mean_L(f) - mean_U(f)), with y the people's labels, f the judge's scores, L the
    labelled and U the unlabelled items. The labelled items must be a random part of all. With y_g and d_g what
    conversation g adds to mean_L(y) and to mean_L(f) - mean_U(f), the variance is the sum of (y_g - lambda d_g)^2
    over conversations, and lambda = sum(y_g d_g) / sum(d_g^2), kept within 0 and 1, makes it smallest: a bad judge
    does no harm beyond the degree of freedom that tuning takes. Where every item is its own conversation this is
    PPI++. The interval is a t interval with Welch's degrees of freedom over labelled and unlabelled conversations;
    on a bounded `scale` it is Wilson's, for as many labels as have this standard error. Where labels are 0 or 1 the
    judge is taken to have made one error more than was seen, in the variance and so in lambda.

    Angelopoulos, Bates, Fannjiang, Jordan & Zrnic (2023), Science 382, 669-674; PPI++: Angelopoulos, Duchi & Zrnic
    (2023), arXiv 2311.01453.

    >>> judged = Judged.of([1, 1, 1, 0, 0, 1, 0, 0, 0, 1], [1, 1, 0, 0] + [None] * 6)
    >>> found = rectified_mean(judged, scale=(0.0, 1.0))
    >>> found.labelled_only.value, round(found.rectified.value, 3), round(found.tuning, 3)
    (0.5, 0.411, 0.213)
    """
    labelled, valued = judged.labelled, judged.labelled | judged.unlabelled
    labels = mean(judged.human[labelled], judged.clusters[labelled])
    scores = mean(judged.judge[valued], judged.clusters[valued])
    labelled_only, judge_only = _on_scale(labels, scale, labels), _on_scale(scores, scale, scores)
    if labels.value is None:
        return Rectified(undefined("no item has both a score and a label"), labelled_only, judge_only)
    parts = _Parts.of(judged, scale)
    trust = parts.trust() if tuning is None else tuning
    if not trust or not parts.usable:
        return Rectified(labelled_only, labelled_only, judge_only)
    spent = 2 if tuning is None and trust < 1 else 1
    found = parts.rectified(labels.value, trust, spent)
    return Rectified(_on_scale(found, scale, labels), labelled_only, judge_only, trust)


@dataclass(frozen=True, eq=False)
class _Parts:
    """What each conversation adds to the mean label and to the gap between the judge's means.

    `gap` is the judge's mean over labelled items less that over unlabelled ones; `labelled` says which conversations
    have a label; `n` counts items, `unlabelled` conversations with an item that has none. `unseen` is the variance
    that one error more than was seen would add to the gap.
    """

    labels: Floats
    gaps: Floats
    gap: float
    labelled: NDArray[np.bool_]
    n: int
    unlabelled: int
    unseen: float

    @classmethod
    def of(cls, judged: Judged, scale: Scale) -> _Parts:
        few, many = judged.labelled, judged.unlabelled
        clusters = judged.clusters
        labels, near = _added(judged.human, few, clusters), _added(judged.judge, few, clusters)
        far = _added(judged.judge, many, clusters)
        gap = judged.judge[few].mean() - judged.judge[many].mean() if many.any() else 0.0
        present = [np.bincount(clusters[part], minlength=len(labels)) > 0 for part in (few, many)]
        keep = present[0] | present[1]
        return cls(
            labels[keep],
            (near - far)[keep],
            float(gap),
            present[0][keep],
            int((few | many).sum()),
            int(present[1].sum()),
            _unseen(judged.human[few], scale),
        )

    @property
    def usable(self) -> bool:
        """Whether there is a spread to take from labelled and from unlabelled conversations."""
        return bool(self.labelled.sum() > 1 and self.unlabelled > 1)

    def trust(self) -> float:
        """The tuning that makes the variance smallest, between 0 and 1; 0 where too little is there to find it."""
        spread = self.gaps @ self.gaps + self.unseen
        if not self.usable or self.labelled.sum() < _FEWEST or spread == 0:
            return 0.0
        return float(np.clip(self.labels @ self.gaps / spread, 0.0, 1.0))

    def rectified(self, label: float, trust: float, spent: int) -> Estimate:
        """The rectified mean; `spent` is how many degrees of freedom went into means and tuning."""
        squares = (self.labels - trust * self.gaps) ** 2
        free = int(self.labelled.sum()) - spent, max(int((~self.labelled).sum()) - 1, 1)
        near = squares[self.labelled].sum() * (free[0] + spent) / free[0] + trust**2 * self.unseen
        far = squares[~self.labelled].sum() * (free[1] + 1) / free[1]
        se = float(np.sqrt(near + far))
        value = label - trust * self.gap
        if not se:
            return Estimate(
                value, se=se, n=self.n, clusters=len(squares), why="conversations do not differ: no interval"
            )
        half = t_quantile((near + far) ** 2 / (near**2 / free[0] + far**2 / free[1])) * se
        return Estimate(value, value - half, value + half, se, self.n, len(squares), "cluster t")


def _added(values: Floats, part: NDArray[np.bool_], clusters: Ints) -> Floats:
    """What each cluster adds to the mean of a part of the values."""
    chosen = values[part]
    # Equal values differ from their mean by rounding, which is no spread.
    varied = len(chosen) > 0 and np.ptp(chosen) > 0
    about = (chosen - chosen.mean()) / len(chosen) if varied else np.zeros(len(chosen))
    return totals(clusters[part], about, int(clusters.max()) + 1)


def _unseen(labels: Floats, scale: Scale) -> float:
    """The squared share in the mean of one error over the whole scale, where every label lies at an end of it.

    A judge that made no error on 50 labels of 0 or 1 may still make one in 50: without this the interval says it
    makes none. Labels between the ends differ from scores by degrees, and their spread shows it.
    """
    low, high = scale
    if low is None or high is None or not np.isin(labels, (low, high)).all():
        return 0.0
    return ((high - low) / len(labels)) ** 2


def _on_scale(found: Estimate, scale: Scale, labels: Estimate) -> Estimate:
    """The estimate kept within the scale; on a scale with both ends its interval is Wilson's."""
    low, high = scale
    if found.value is None or labels.value is None or low is None or high is None or found.clusters < 2:
        return _clipped(found, scale)
    width = high - low
    worth = _worth(found, (labels.value - low) / width, width)
    if not worth:
        return _clipped(found, scale)
    value = min(max(found.value, low), high)
    bottom, top = wilson((value - low) / width, worth)
    return structs.replace(
        found, value=value, low=low + bottom * width, high=low + top * width, method="wilson", why=""
    )


def _worth(found: Estimate, share: float, width: float) -> float:
    """How many independent 0/1 labels of this share have a t interval as wide; without spread, the clusters there are.

    The share is that of the labels, not the rectified one: that can lie at or beyond an end of the scale and still
    be uncertain. 0 where the labels' share lies at an end.
    """
    if found.low is None or found.high is None:
        return found.clusters
    z = NormalDist().inv_cdf(0.5 + CONFIDENCE / 2)
    half = (found.high - found.low) / (2 * width)
    return share * (1 - share) * (z / half) ** 2


def _clipped(found: Estimate, scale: Scale) -> Estimate:
    low, high = (-inf if scale[0] is None else scale[0]), (inf if scale[1] is None else scale[1])
    value, bottom, top = (
        None if bound is None else min(max(bound, low), high) for bound in (found.value, found.low, found.high)
    )
    return structs.replace(found, value=value, low=bottom, high=top)
