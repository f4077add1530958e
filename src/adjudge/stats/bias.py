"""Bias: whether a judge's errors correlate with the length or the position of the judged items."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from adjudge.stats.correlation import rank_correlation
from adjudge.stats.estimate import Estimate
from adjudge.stats.judged import JudgedItems
from adjudge.stats.student import t_tails


class Trend(Struct, frozen=True):
    """The correlation of the judge's error (judge minus human) with an amount: Spearman's rho and its p.

    Above 0, the judge is kinder to larger amounts. `p` is two-sided, for rho = 0; None if there is no interval.
    """

    rho: Estimate
    p: float | None = None


def error_trend(judged: JudgedItems, amounts: Sequence[float]) -> Trend:
    """Spearman's correlation of the judge's error with an amount of each item.

    If the amount is the length of the judged text, in any unit, it shows whether the judge favours long texts. If it is
    the number of the turn, it shows whether the judge grows kinder or stricter during a conversation. It uses the error
    and not the score, because long texts may really be better: then people's labels are higher as well.

    >>> error_trend(JudgedItems.of([1, 2, 3, 5], [1, 2, 2, 3]), [10, 20, 30, 40]).rho.value > 0.9
    True
    """
    if len(amounts) != len(judged.judge):
        raise ValueError(f"{len(amounts)} amounts for {len(judged.judge)} items; expected one each")
    both = judged.is_labelled
    amount = np.array(amounts, dtype=np.float64)[both]
    rho = rank_correlation(judged.error[both], amount, judged.clusters[both])
    return Trend(rho, _p(rho))


def _p(rho: Estimate) -> float | None:
    """The two-sided p of a correlation of 0, from the t statistic of its interval on Fisher's z."""
    if rho.value is None or not rho.se or rho.low is None:
        return None
    # The standard error of atanh(rho) is se / (1 - rho^2), by the delta method.
    t = np.arctanh(rho.value) * (1 - rho.value**2) / rho.se
    return t_tails(float(t), rho.clusters - 2)
