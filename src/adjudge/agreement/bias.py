"""Bias: whether a judge's errors go with the length or the place of what it judged."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Literal

import numpy as np
from msgspec import Struct

from adjudge.agreement.difference import rank_correlation
from adjudge.agreement.estimate import Estimate, numbered, share
from adjudge.agreement.judged import Judged

Place = Literal["first", "second", "tie"]


class Trend(Struct, frozen=True):
    """How far the judge's error (judge minus human) goes with something: Spearman's rho and its p.

    Above 0: the more of it, the kinder the judge. `p` is two-sided, for rho = 0; None where there is no interval.
    """

    rho: Estimate
    p: float | None = None


def length_bias(judged: Judged, lengths: Sequence[float]) -> Trend:
    """Whether the judge favours long texts: Spearman's rho of its error and the length of what it judged.

    `lengths` has one for each item, in any unit. Taking the error, not the score, leaves alone that long texts may be
    better: people's labels say so as well.

    >>> length_bias(Judged.of([1, 2, 3, 5], [1, 2, 2, 3]), [10, 20, 30, 40]).rho.value > 0.9
    True
    """
    return _trend(judged, lengths)


def turn_bias(judged: Judged, turns: Sequence[float]) -> Trend:
    """Whether the judge grows kinder or stricter as a conversation goes on: Spearman's rho of error and turn."""
    return _trend(judged, turns)


def _trend(judged: Judged, amounts: Sequence[float]) -> Trend:
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


class PositionBias(Struct, frozen=True):
    """What a judge of pairs does when their order is swapped.

    `changed` is the share of pairs about which it then says something else (0 is best). `first` is the share of its
    verdicts that name what it saw first, of those that name one (0.5 is best).
    """

    changed: Estimate
    first: Estimate


def position_bias(
    straight: Sequence[Place], swapped: Sequence[Place], clusters: Sequence[Hashable] | None = None
) -> PositionBias:
    """How far a judge's preference hangs on the order of a pair, from its verdicts in both orders.

    Each verdict says which place won as the judge saw it: a judge that always says "first" changes every time.
    `clusters` is the conversation of each pair.

    Wang et al. (2024), Large Language Models are not Fair Evaluators, ACL.

    >>> position_bias(["first", "first", "tie"], ["first", "second", "tie"]).changed.value
    0.3333333333333333
    """
    if len(straight) != len(swapped):
        raise ValueError(f"{len(straight)} verdicts and {len(swapped)} of swapped pairs; expected the same pairs")
    groups = numbered(clusters, len(straight))
    changed = np.array([_OTHER[two] != one for one, two in zip(straight, swapped, strict=True)], dtype=np.float64)
    verdicts = np.array([*straight, *swapped])
    named = verdicts != "tie"
    first = (verdicts[named] == "first").astype(np.float64)
    return PositionBias(share(changed, groups), share(first, np.tile(groups, 2)[named]))


_OTHER: dict[Place, Place] = {"first": "second", "second": "first", "tie": "tie"}
