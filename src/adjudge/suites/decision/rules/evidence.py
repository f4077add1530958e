"""The beliefs of a decision's agents as one piece of evidence."""

from __future__ import annotations

from typing import NamedTuple

from adjudge.core.memo import once
from adjudge.suites.decision.data import Decision
from adjudge.suites.decision.methods import Evidence, combine
from adjudge.suites.decision.rules.beliefs import is_distribution


class CombinedBeliefs(NamedTuple):
    """The agents' last beliefs combined by evidential reasoning, all weighted alike.

    The propositions are the scenario's alternatives, in their order; `agents` counts the agents who gave beliefs.
    """

    evidence: Evidence
    agents: int


@once
def combined_beliefs(decision: Decision) -> CombinedBeliefs | None:
    """The combined beliefs; None where no agent gives a distribution over the alternatives."""
    names = decision.scenario.alternatives
    known = [assessment.beliefs for assessment in decision.last if is_distribution(assessment.beliefs)]
    if not known or not names:
        return None
    return CombinedBeliefs(combine([[beliefs.get(name, 0.0) for name in names] for beliefs in known]), len(known))
