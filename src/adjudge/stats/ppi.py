"""Prediction-powered inference: the mean that people would find, from many judge scores and few human labels."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

import numpy as np
from msgspec import Struct, structs
from numpy.typing import NDArray

from adjudge.core.mark import Scale
from adjudge.stats.estimate import Estimate, no_estimate
from adjudge.stats.interval import CONFIDENCE, OPEN, MeanScore, estimate_items, score_limits
from adjudge.stats.judged import JudgedItems
from adjudge.stats.student import t_quantile
from adjudge.stats.variance import Floats, Ints, sum_by

# The fewest labelled conversations from which the tuning is estimated: mean and slope take two degrees of freedom.
_FEWEST = 3


class RectifiedMean(Struct, frozen=True):
    """The mean of all items as people would label them, with two simpler means for comparison.

    `rectified` is the prediction-powered estimate; `labelled_only` the mean of the people's labels alone;
    `judge_only` the mean of all the judge's scores, which is off by the judge's bias. `tuning` is how far the judge
    was trusted: at 0 the rectified estimate is the labelled-only one, at 1 plain prediction-powered inference.
    """

    rectified: Estimate
    labelled_only: Estimate
    judge_only: Estimate
    tuning: float = 0.0


def rectified_mean(
    judged: JudgedItems, scale: Scale = OPEN, tuning: float | None = None, weights: Floats | None = None
) -> RectifiedMean:
    """The mean that people would find over all items, free of the judge's bias, with its 95 % interval.

    theta = mean_L(y) - lambda (mean_L(f) - mean_U(f)), with y the people's labels, f the judge's scores, L the
    labelled and U the unlabelled items. The labelled items must be a random part of all items.

    Let y_g and d_g be the contributions of conversation g to mean_L(y) and to mean_L(f) - mean_U(f). The variance is
    the sum of (y_g - lambda d_g)^2 over conversations. It is smallest at lambda = sum(y_g d_g) / sum(d_g^2), which is
    kept within 0 and 1: a bad judge costs no more than the degree of freedom that the tuning takes. If every item is
    its own conversation, this is PPI++.

    The interval is a t interval with Welch's degrees of freedom over labelled and unlabelled conversations. On a
    bounded `scale` it is the score interval at the number of labels that has this standard error. If all labels lie at
    the ends of the scale, the variance, and so lambda, assumes that the judge made one error more than was seen.
    `weights` are the weights of the items in the mean; None means equal weights.

    Angelopoulos, Bates, Fannjiang, Jordan & Zrnic (2023), Science 382, 669-674; PPI++: Angelopoulos, Duchi & Zrnic
    (2023), arXiv 2311.01453.

    >>> judged = JudgedItems.of([1, 1, 1, 0, 0, 1, 0, 0, 0, 1], [1, 1, 0, 0] + [None] * 6)
    >>> mean = rectified_mean(judged, scale=(0.0, 1.0))
    >>> mean.labelled_only.value, round(mean.rectified.value, 3), round(mean.tuning, 3)
    (0.5, 0.411, 0.213)
    """
    weights = np.ones(len(judged.judge)) if weights is None else weights
    labelled_only = _plain_mean(judged.human, judged.is_labelled, judged.clusters, weights, scale)
    valued = judged.is_labelled | judged.is_unlabelled
    judge_only = _plain_mean(judged.judge, valued, judged.clusters, weights, scale)
    if labelled_only.value is None:
        return RectifiedMean(no_estimate("no item has both a score and a label"), labelled_only, judge_only)
    parts = _Contributions.of(judged, weights, scale)
    trust = parts.trust() if tuning is None else tuning
    if not trust or not parts.usable:
        return RectifiedMean(labelled_only, labelled_only, judge_only)
    spent = 2 if tuning is None and trust < 1 else 1
    estimate = parts.rectify(labelled_only.value, trust, spent)
    return RectifiedMean(_keep_on_scale(estimate, scale, labelled_only.value), labelled_only, judge_only, trust)


def _plain_mean(values: Floats, part: NDArray[np.bool_], clusters: Ints, weights: Floats, scale: Scale) -> Estimate:
    return estimate_items(values[part], clusters[part], scale, weights[part])


@dataclass(frozen=True, eq=False)
class _Contributions:
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
    def of(cls, judged: JudgedItems, weights: Floats, scale: Scale) -> _Contributions:
        few, many, clusters = judged.is_labelled, judged.is_unlabelled, judged.clusters
        labels, near = (_cluster_shares(row, weights, few, clusters) for row in (judged.human, judged.judge))
        far = _cluster_shares(judged.judge, weights, many, clusters)
        means = [np.average(judged.judge[part], weights=weights[part]) for part in (few, many) if part.any()]
        gap = means[0] - means[1] if many.any() else 0.0
        present = [np.bincount(clusters[part], minlength=len(labels)) > 0 for part in (few, many)]
        keep = present[0] | present[1]
        return cls(
            labels[keep],
            (near - far)[keep],
            float(gap),
            present[0][keep],
            int((few | many).sum()),
            int(present[1].sum()),
            _one_more_error(judged.human[few], scale),
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

    def rectify(self, label: float, trust: float, spent: int) -> Estimate:
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
        df = (near + far) ** 2 / (near**2 / free[0] + far**2 / free[1])  # Welch and Satterthwaite
        half = t_quantile(df) * se
        return Estimate(value, value - half, value + half, se, self.n, len(squares), "cluster t")


def _cluster_shares(values: Floats, weights: Floats, part: NDArray[np.bool_], clusters: Ints) -> Floats:
    """What each cluster adds to the weighted mean of a part of the values.

    w (y - mean) / W is the linearised influence of an item. If weights differ, it is divided by 1 - W_g / W, with W_g
    the weight of the item's cluster. This is the influence of the jackknife, whose variance is not too small if a few
    clusters have much of the weight.
    """
    chosen, own, places = values[part], weights[part], clusters[part]
    # Equal values differ from their mean by rounding, which is no spread.
    if not len(chosen) or not np.ptp(chosen):
        return np.zeros(int(clusters.max()) + 1)
    shares = own / own.sum()
    about = (chosen - chosen @ shares) * shares
    if np.ptp(own) > 1e-9 * own.max():  # Weights equal but for rounding are equal.
        others = 1 - sum_by(places, shares)[places]
        about = about / np.where(others > 0, others, 1.0)
        about = about - about.mean()
    return sum_by(places, about, int(clusters.max()) + 1)


def _one_more_error(labels: Floats, scale: Scale) -> float:
    """The square of what one more error would change in the mean, if every label lies at an end of the scale.

    A judge that made no error on 50 labels of 0 or 1 may still make one in 50. Without this term the interval would
    assume that it makes none. Labels between the ends need no such term: their spread shows the judge's errors.
    """
    low, high = scale
    if low is None or high is None or not np.isin(labels, (low, high)).all():
        return 0.0
    return ((high - low) / len(labels)) ** 2


def _keep_on_scale(estimate: Estimate, scale: Scale, label: float) -> Estimate:
    """The estimate kept within the scale; on a scale with both ends it has the score interval.

    The effective number of labels is computed at the mean of the labels and not at the rectified mean, because the
    rectified mean can lie at or beyond an end of the scale and still be uncertain.
    """
    low, high = scale
    if estimate.value is None or low is None or high is None or estimate.clusters < 2:
        return _clip(estimate, scale)
    width, share = high - low, min(max((label - low) / (high - low), 0.0), 1.0)
    value = min(max(estimate.value, low), high)
    if estimate.low is None or estimate.high is None:
        limits = MeanScore.without_spread((value - low) / width, estimate.clusters).limits(1 - CONFIDENCE)
    elif 0 < share < 1:
        half = (estimate.high - estimate.low) / (2 * width)
        limits = score_limits((value - low) / width, half**2 / (share * (1 - share)))
    else:
        return _clip(estimate, scale)
    bottom, top = (low + limit * width for limit in limits)
    return structs.replace(estimate, value=value, low=bottom, high=top, method="score", why="")


def _clip(estimate: Estimate, scale: Scale) -> Estimate:
    low, high = (-inf if scale[0] is None else scale[0]), (inf if scale[1] is None else scale[1])
    value, bottom, top = (
        None if bound is None else min(max(bound, low), high) for bound in (estimate.value, estimate.low, estimate.high)
    )
    return structs.replace(estimate, value=value, low=bottom, high=top)
