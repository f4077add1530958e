"""The decision against what its own agents would have decided alone."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from adjudge.core.card import metric
from adjudge.core.mark import Mark
from adjudge.suites.decision.data import ROUNDING, Decision
from adjudge.suites.decision.rules.preferences import equal_shares
from adjudge.suites.decision.rules.satisfaction import expected_quality

against_members = partial(
    metric,
    unit="decision",
    better="higher",
    pool="conversations",
    probes=("group",),
    predicts=("a decision",),
    source="our own",
)


@against_members(
    "GainOverAverage",
    formula="quality of the decision - mean quality of the agents' first preferences, by weight",
    scale=(-1.0, 1.0),
)
def gain_over_average(decision: Decision) -> Iterator[Mark]:
    """How much better is the decision than its average member's?

    What agents thought in the first round counts, by themselves. Undefined for a single agent.
    """
    alone = _member_qualities(decision)
    decided = expected_quality(decision.scenario, decision.shares)
    if alone and decided is not None:
        average = sum(alone.values()) / len(alone)
        why = f"decided {decided:.3f}, members on average {average:.3f}"
        yield Mark(decided - average, why=why, basis=decision.matrix_source)


@against_members(
    "BeatsAverage",
    formula="1 where the quality of the decision is above the mean of the agents' first preferences, else 0",
)
def beats_average(decision: Decision) -> Iterator[Mark]:
    """Does the decision beat its average member?

    The share of decisions that deliberation improved. Equal does not count as better.
    """
    alone = _member_qualities(decision)
    decided = expected_quality(decision.scenario, decision.shares)
    if alone and decided is not None:
        average = sum(alone.values()) / len(alone)
        why = f"decided {decided:.3f}, members on average {average:.3f}"
        yield Mark(float(decided > average + ROUNDING), why=why, basis=decision.matrix_source)


@against_members(
    "BeatsBest",
    formula="1 where the quality of the decision is above that of every agent's first preference, else 0",
)
def beats_best(decision: Decision) -> Iterator[Mark]:
    """Does the decision beat its best member?

    The best member is known with hindsight only. Equal does not count as better; matches_best counts it.
    """
    yield from _against_best(decision, -ROUNDING)


@against_members(
    "MatchesBest",
    formula="1 where the quality of the decision is at least that of every agent's first preference, else 0",
)
def matches_best(decision: Decision) -> Iterator[Mark]:
    """Is the decision at least as good as its best member?

    The best member is known with hindsight only.
    """
    yield from _against_best(decision, ROUNDING)


def _against_best(decision: Decision, slack: float) -> Iterator[Mark]:
    alone = _member_qualities(decision)
    decided = expected_quality(decision.scenario, decision.shares)
    if alone and decided is not None:
        best = max(alone, key=alone.__getitem__)
        why = f"decided {decided:.3f}, {best} alone {alone[best]:.3f}"
        yield Mark(float(decided + slack > alone[best]), why=why, basis=decision.matrix_source)


def _member_qualities(decision: Decision) -> dict[str, float]:
    """The quality of what each agent preferred in the first round; empty where the decision is no group's."""
    qualities = {
        assessment.agent: expected_quality(decision.scenario, equal_shares(assessment.choices))
        for assessment in decision.first
    }
    known = {agent: value for agent, value in qualities.items() if value is not None}
    return known if len(decision.agents) > 1 else {}
