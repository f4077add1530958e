"""Disagreement: what the coefficients of agreement have in common, 1 - observed / expected."""

from __future__ import annotations

from dataclasses import dataclass
from math import exp

from adjudge.stats.estimate import Estimate
from adjudge.stats.interval import CONFIDENCE, Bounds, MeanScore
from adjudge.stats.student import t_quantile
from adjudge.stats.variance import Floats, Ints, cluster_error, count_clusters


@dataclass(frozen=True, eq=False)
class Disagreement:
    """Observed and expected disagreement, with the influence of each item on their ratio.

    `worst` is the largest possible disagreement of two ratings.
    """

    observed: float
    expected: float
    influence: Floats
    clusters: Ints
    worst: float = 1.0

    @property
    def ratio(self) -> float:
        """Observed over expected disagreement; ask only where something is expected."""
        return self.observed / self.expected

    def coefficient(self) -> Estimate:
        """The chance-corrected agreement, 1 - observed / expected, with its interval.

        The ratio is positive and skewed, so its t interval is taken on its logarithm: the bounds stay below 1, and
        coverage holds at high agreement as well. If the items have no spread (as at perfect agreement), the interval
        is the score interval of the observed disagreement as a share of the worst: each conversation counts as one
        mark, and the expected disagreement is treated as fixed.
        """
        value, groups = 1 - self.ratio, count_clusters(self.clusters)
        n = len(self.influence)
        if groups < 2:
            return Estimate(value, n=n, clusters=groups, why="one conversation: no interval")
        se = cluster_error(self.influence, self.clusters)
        if se and self.observed:
            (low, high), method = self._limits_on_logs(se, groups), "cluster t on logs"
        else:
            score = MeanScore.without_spread(self.observed / self.worst, groups)
            (low, high), method = self._limits_of_share(score), score.method
        return Estimate(value, max(low, min(value, -1.0)), high, se, n, groups, method)

    def _limits_on_logs(self, se: float, groups: int) -> Bounds:
        # exp overflows a float above about 709.
        reach = exp(min(t_quantile(groups - 1) * se / self.ratio, 700.0))
        return 1 - self.ratio * reach, 1 - self.ratio / reach

    def _limits_of_share(self, score: MeanScore) -> Bounds:
        few, many = score.limits(1 - CONFIDENCE)
        return 1 - many * self.worst / self.expected, 1 - few * self.worst / self.expected
