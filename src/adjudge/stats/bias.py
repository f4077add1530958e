"""Bias: whether a judge's errors go with the length or the place of what it judged."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from adjudge.stats.correlation import rank_correlation
from adjudge.stats.estimate import Estimate
from adjudge.stats.judged import Judged


class Trend(Struct, frozen=True):
    """How far the judge's error (judge minus human) goes with something: Spearman's rho and its p.

    Above 0: the more of it, the kinder the judge. `p` is two-sided, for rho = 0; None where there is no interval.
    """

    rho: Estimate
    p: float | None = None


def error_trend(judged: Judged, amounts: Sequence[float]) -> Trend:
    """Whether the judge's error goes with an amount of each item: Spearman's rho of the two.

    With the length of what was judged, in any unit: whether the judge favours long texts. With the number of its turn:
    whether the judge grows kinder or stricter as a conversation goes on. Taking the error, not the score, leaves alone
    that long texts may be better: people's labels say so as well.

    >>> error_trend(Judged.of([1, 2, 3, 5], [1, 2, 2, 3]), [10, 20, 30, 40]).rho.value > 0.9
    True
    """
    if len(amounts) != len(judged.judge):
        raise ValueError(f"{len(amounts)} amounts for {len(judged.judge)} items; expected one each")
    both = judged.labelled
    amount = np.array(amounts, dtype=np.float64)[both]
    rho = rank_correlation(judged.error[both], amount, judged.clusters[both])
    return Trend(rho, _p(rho))


def _p(rho: Estimate) -> float | None:
    """The two-sided p of a correlation of 0, by the t statistic that its interval stands on."""
    from scipy.special import stdtr

    if rho.value is None or not rho.se or rho.low is None:
        return None
    t = np.arctanh(rho.value) * (1 - rho.value**2) / rho.se
    return float(2 * stdtr(rho.clusters - 2, -abs(t)))
