"""The decision against what its own agents would have decided alone."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

from adjudge.core.card import metric
from adjudge.core.mark import Mark
from adjudge.suites.decision.data import ROUNDING, Decision, difference
from adjudge.suites.decision.rules.preferences import equal_shares
from adjudge.suites.decision.rules.satisfaction import expected_quality

member_metric = partial(
    metric,
    unit="decision",
    better="higher",
    pool="conversations",
    probes=("group",),
    predicts=("a decision",),
    source="our own",
)


class Qualities(NamedTuple):
    """The quality of a decision, and of what each of its members preferred in the first round."""

    decided: float
    alone: dict[str, float]
    basis: str

    @property
    def average(self) -> float:
        """The mean quality over the members."""
        return sum(self.alone.values()) / len(self.alone)

    def average_mark(self, value: float) -> Mark:
        """A value that rests on the average member."""
        why = f"decided {self.decided:.3f}, members on average {self.average:.3f}"
        return Mark(value, why=why, basis=self.basis)

    def best_mark(self, slack: float) -> Mark:
        """1 where the decision, with some slack, is better than its best member's, else 0."""
        best = max(self.alone, key=self.alone.__getitem__)
        why = f"decided {self.decided:.3f}, {best} alone {self.alone[best]:.3f}"
        return Mark(float(self.decided + slack > self.alone[best]), why=why, basis=self.basis)


@member_metric(
    "GainOverAverage",
    formula="weighted quality of the decision - mean weighted quality of the agents' first preferences",
    scale=(-1.0, 1.0),
)
def gain_over_average(decision: Decision) -> Iterator[Mark]:
    """How much better is the decision than that of the average member?

    Each agent's preference in the first round counts, before the group talked. Undefined for a single agent.
    """
    if known := _qualities(decision):
        yield known.average_mark(difference(known.decided, known.average))


@member_metric(
    "BeatsAverage",
    formula="1 if the quality of the decision is above the mean of the agents' first preferences, else 0",
)
def beats_average(decision: Decision) -> Iterator[Mark]:
    """Does the decision beat its average member?

    This is the share of decisions that are better than the average member's first preference. Equal quality does not
    count.
    """
    if known := _qualities(decision):
        yield known.average_mark(float(known.decided > known.average + ROUNDING))


@member_metric(
    "BeatsBest",
    formula="1 if the quality of the decision is above that of every agent's first preference, else 0",
)
def beats_best(decision: Decision) -> Iterator[Mark]:
    """Does the decision beat its best member?

    The best member is known only with hindsight. Equal quality does not count here; matches_best counts it.
    """
    if known := _qualities(decision):
        yield known.best_mark(-ROUNDING)


@member_metric(
    "MatchesBest",
    formula="1 if the quality of the decision is at least that of every agent's first preference, else 0",
)
def matches_best(decision: Decision) -> Iterator[Mark]:
    """Is the decision at least as good as that of its best member?

    The best member is known only with hindsight.
    """
    if known := _qualities(decision):
        yield known.best_mark(ROUNDING)


def _qualities(decision: Decision) -> Qualities | None:
    """The qualities to compare; None where the decision is no group's, or some of them are not known."""
    qualities = {
        assessment.agent: expected_quality(decision.scenario, equal_shares(assessment.choices))
        for assessment in decision.first
    }
    alone = {agent: value for agent, value in qualities.items() if value is not None}
    decided = expected_quality(decision.scenario, decision.shares)
    if len(decision.agents) < 2 or not alone or decided is None:
        return None
    return Qualities(decided, alone, decision.matrix_source)
