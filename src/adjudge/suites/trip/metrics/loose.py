"""Welfare and fairness by the source's loose rule, beside those that rest on strict verdicts.

The loose rule (satisfaction, M10) passes a wish by any channel, and by words in the planner's own text. It passes many
wishes that no place of the plan satisfies, so these are variants: read them only to repeat the source.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from adjudge.core.ask import Embedder
from adjudge.core.card import metric
from adjudge.core.mark import Mark
from adjudge.suites.trip.data import Trip
from adjudge.suites.trip.metrics.fairness import envy_marks, gini_marks, ratio_marks, sacrifice_marks
from adjudge.suites.trip.metrics.welfare import (
    SOURCE,
    mean_rate,
    member_marks,
    nash_rate,
    welfare_marks,
    worst_rate,
)
from adjudge.suites.trip.rules.targets import Thresholds, judge_pairs

loose_of_group = partial(
    metric,
    unit="conversation",
    better="higher",
    pool="conversations",
    probes=("welfare",),
    predicts=("a plan",),
    source="our own",
    variant=True,
    english=True,
)
loose_of_member = partial(loose_of_group, unit="member", pool="marks")


@loose_of_group(
    "W1 loose",
    formula="mean over members of their share of pairs that M10 passes",
    source=SOURCE + "W1 Utilitarian Welfare",
)
def welfare_mean_loose(trip: Trip, embed: Embedder, thresholds: Thresholds) -> Iterator[Mark]:
    """How well off are the members on average, by the loose rule?"""
    yield from welfare_marks(trip, mean_rate, judge_pairs(trip, embed, thresholds).loose)


@loose_of_group(
    "W2 loose", formula="lowest share of a member's pairs that M10 passes", source=SOURCE + "W2 Egalitarian Welfare"
)
def welfare_worst_loose(trip: Trip, embed: Embedder, thresholds: Thresholds) -> Iterator[Mark]:
    """How well off is the member who is worst off, by the loose rule?"""
    yield from welfare_marks(trip, worst_rate, judge_pairs(trip, embed, thresholds).loose)


@loose_of_group(
    "W3 loose",
    formula="geometric mean over members of the share of pairs that M10 passes",
    source=SOURCE + "W3 Nash Welfare",
)
def welfare_nash_loose(trip: Trip, embed: Embedder, thresholds: Thresholds) -> Iterator[Mark]:
    """How well off are the members, if one's gain cannot make up for another's loss, by the loose rule?"""
    yield from welfare_marks(trip, nash_rate, judge_pairs(trip, embed, thresholds).loose)


@loose_of_member(
    "si loose",
    formula="a member's pairs that M10 passes / the member's pairs",
    source=SOURCE + "W1 Utilitarian Welfare, s_i",
)
def member_satisfaction_loose(trip: Trip, embed: Embedder, thresholds: Thresholds) -> Iterator[Mark]:
    """How well off is each member, by the loose rule?"""
    yield from member_marks(trip, judge_pairs(trip, embed, thresholds).loose)


@loose_of_group(
    "GiniS loose", formula="Gini coefficient of the members' shares of pairs that M10 passes", better="lower"
)
def satisfaction_gini_loose(trip: Trip, embed: Embedder, thresholds: Thresholds) -> Iterator[Mark]:
    """How unevenly are the members satisfied, by the loose rule?"""
    yield from gini_marks(trip, judge_pairs(trip, embed, thresholds).loose)


@loose_of_group("WorstBest loose", formula="lowest share of a member's pairs that M10 passes / highest")
def worst_to_best_loose(trip: Trip, embed: Embedder, thresholds: Thresholds) -> Iterator[Mark]:
    """What fraction of the best-off member's share does the worst-off member get, by the loose rule?"""
    yield from ratio_marks(trip, judge_pairs(trip, embed, thresholds).loose)


@loose_of_group("Envy loose", formula="envy over the members' shares of pairs that M10 passes", better="lower")
def envy_loose(trip: Trip, embed: Embedder, thresholds: Thresholds) -> Iterator[Mark]:
    """By how much are other members better off, by the loose rule?"""
    yield from envy_marks(trip, judge_pairs(trip, embed, thresholds).loose)


@loose_of_member(
    "Sacrificed loose",
    formula="members without a pair that M10 passes, while others have one / members with a pair",
    better="lower",
)
def sacrificed_loose(trip: Trip, embed: Embedder, thresholds: Thresholds) -> Iterator[Mark]:
    """Which members get nothing of what they want while others get something, by the loose rule?"""
    yield from sacrifice_marks(trip, judge_pairs(trip, embed, thresholds).loose)
