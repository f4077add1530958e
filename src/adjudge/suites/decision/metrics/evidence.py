"""What the agents' beliefs amount to when they are combined: conflict, what stays open, and utility."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from adjudge.core.card import metric
from adjudge.core.mark import Mark
from adjudge.suites.decision.data import Decision
from adjudge.suites.decision.methods import UtilityInterval, utility_interval
from adjudge.suites.decision.rules.evidence import combined_beliefs
from adjudge.suites.decision.rules.satisfaction import quality_of

evidence_metric = partial(
    metric,
    unit="decision",
    better="neither",
    pool="conversations",
    probes=("consensus",),
    source="Yang & Xu (2002), On the evidential reasoning algorithm for multiple attribute decision analysis under "
    "uncertainty, IEEE Trans. SMC-A 32(3), 289-304",
)
utility_metric = partial(evidence_metric, better="higher", probes=("decision",))


@evidence_metric(
    "K",
    formula="mass that equally weighted agents give to different alternatives, before normalisation",
)
def belief_conflict(decision: Decision) -> Iterator[Mark]:
    """How far do the agents' beliefs contradict each other when they are combined?

    0 if no two agents give belief to different alternatives. Each agent's last beliefs are combined by evidential
    reasoning. Their masses are weighted, so K is lower than under Dempster's rule. Undefined with fewer than two
    agents.
    """
    combined = combined_beliefs(decision)
    if combined is not None and combined.agents > 1:
        yield Mark(float(combined.evidence.conflict), why=f"{combined.agents} agents")


@evidence_metric(
    "Unassigned",
    formula="belief that the agents' combined beliefs assign to no alternative",
)
def unassigned_belief(decision: Decision) -> Iterator[Mark]:
    """How much belief do the agents leave open when their beliefs are combined?

    0 if every agent distributes all of its belief. Undefined if no agent gives beliefs.
    """
    combined = combined_beliefs(decision)
    if combined is not None:
        yield Mark(min(max(float(combined.evidence.unassigned), 0.0), 1.0))


@utility_metric(
    "Utility",
    formula="sum over alternatives of combined belief * quality, unassigned belief half on the worst and half on the "
    "best quality",
)
def belief_utility(decision: Decision) -> Iterator[Mark]:
    """How good are the alternatives that the agents together believe in?

    The quality of an alternative is the weighted mean of its satisfied criteria, as in regret. This value is the middle
    of the utility interval; belief_utility_lowest and belief_utility_highest are its ends. Undefined if a quality is
    not known.
    """
    if interval := _interval(decision):
        yield _mark(decision, interval, float(interval.average))


@utility_metric(
    "Utility-lowest",
    formula="like belief_utility, with the unassigned belief on the worst quality",
)
def belief_utility_lowest(decision: Decision) -> Iterator[Mark]:
    """How good are the alternatives believed in, if all unassigned belief goes to the worst one?"""
    if interval := _interval(decision):
        yield _mark(decision, interval, float(interval.worst))


@utility_metric(
    "Utility-highest",
    formula="like belief_utility, with the unassigned belief on the best quality",
)
def belief_utility_highest(decision: Decision) -> Iterator[Mark]:
    """How good are the alternatives believed in, if all unassigned belief goes to the best one?"""
    if interval := _interval(decision):
        yield _mark(decision, interval, float(interval.best))


def _interval(decision: Decision) -> UtilityInterval | None:
    """The utility interval of the combined beliefs; None without beliefs or with an alternative of unknown quality."""
    combined = combined_beliefs(decision)
    qualities = [quality_of(decision.scenario, name) for name in decision.scenario.alternatives]
    known = [quality for quality in qualities if quality is not None]
    if combined is None or len(known) < len(qualities):
        return None
    return utility_interval(combined.evidence, known)


def _mark(decision: Decision, interval: UtilityInterval, value: float) -> Mark:
    why = f"from {float(interval.worst):.3f} to {float(interval.best):.3f}"
    return Mark(min(max(value, 0.0), 1.0), why=why, basis=decision.matrix_source)
