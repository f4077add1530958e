"""How consensus moves from round to round."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from statistics import fmean

from adjudge.core.card import metric
from adjudge.core.mark import Mark
from adjudge.suites.decision.data import Assessment, Decision, difference
from adjudge.suites.decision.metrics.consensus import CONSENSUS_BANDS
from adjudge.suites.decision.rules.beliefs import pair_cosines
from adjudge.suites.decision.rules.preferences import is_choice

round_metric = partial(metric, better="neither", probes=("consensus",), source="our own")


@round_metric(
    "CL-round",
    formula="mean over pairs of agents of the cosine of their beliefs, for each round",
    unit="round",
    bands=CONSENSUS_BANDS,
)
def consensus_by_round(decision: Decision) -> Iterator[Mark]:
    """How alike are the agents' beliefs in each round?

    The table by group has a row for each round. An agent that is silent in a round keeps its last beliefs.
    """
    for number, value in _by_round(decision).items():
        yield Mark(value, at=f"round {number}", group=f"round {number}")


@round_metric(
    "CL-first",
    formula="mean over pairs of agents of the cosine of their beliefs in the first round",
    unit="decision",
    pool="conversations",
    bands=CONSENSUS_BANDS,
)
def consensus_before(decision: Decision) -> Iterator[Mark]:
    """How alike were the agents' beliefs before they deliberated?

    This is the consensus of the first round. Read it beside consensus, which is that of the last round.
    """
    values = list(_by_round(decision).values())
    if values:
        yield Mark(values[0])


@round_metric(
    "CL-gain",
    formula="consensus of the last round - consensus of the first",
    unit="decision",
    pool="conversations",
    scale=(-1.0, 1.0),
)
def consensus_gain(decision: Decision) -> Iterator[Mark]:
    """How much closer did deliberation bring the agents?

    Undefined with a single round. Convergence is not good in itself; see unanimous_wrong.
    """
    values = list(_by_round(decision).values())
    if values:
        yield Mark(difference(values[-1], values[0]), why=f"from {values[0]:.3f} to {values[-1]:.3f}")


def _by_round(decision: Decision) -> dict[int, float]:
    """The consensus of each round; empty where there is one round only, or the first has no pair to compare."""
    if len(decision.rounds) < 2 or not decision.first or not is_choice(decision):
        return {}
    consensus: dict[int, float] = {}
    held: dict[str, Assessment] = {}
    for number, assessments in decision.rounds.items():
        held |= {assessment.agent: assessment for assessment in assessments}
        if known := pair_cosines(list(held.values())):
            consensus[number] = fmean(known.values())
    return consensus if len(consensus) > 1 and min(decision.rounds) in consensus else {}
