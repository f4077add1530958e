"""Whether the decision depends on the weights, or on the method."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from functools import lru_cache
from itertools import combinations
from typing import Any

import numpy as np

from adjudge.core.card import metric
from adjudge.core.mark import Mark
from adjudge.suites.decision.data import ROUNDING, Decision, DecisionScenario
from adjudge.suites.decision.methods import rank_correlation, topsis
from adjudge.suites.decision.methods.topsis import Normalisation
from adjudge.suites.decision.rules.evidence import combined_beliefs
from adjudge.suites.decision.rules.satisfaction import satisfactions, weight_of

# With as many points the share is within 0.02 of the exact one.
POINTS = 4096


@metric(
    "WeightRobustness",
    formula="weightings in which no alternative has a higher weighted quality than the recommended one / "
    f"{POINTS:,} weightings spread evenly over the weight space",
    unit="decision",
    better="higher",
    pool="conversations",
    probes=("decision",),
    predicts=("a decision",),
    source="our own; acceptability index for the first rank of SMAA (Lahdelma, Hokkanen & Salminen 1998, EJOR 106(1))",
)
def weight_robustness(decision: Decision) -> Iterator[Mark]:
    """In how much of the weight space does the recommended alternative stay first?

    1 means first under every weighting, 0 first under none. The weightings are the same in every run, and the share is
    within 0.02 of the exact one. Undefined for a decision that is a lottery, if all alternatives have the same scores,
    and if an alternative has none.
    """
    rows = _satisfaction_rows(decision.scenario)
    if rows is None or decision.recommended not in rows or np.ptp(list(rows.values()), axis=0).max() <= ROUNDING:
        return
    qualities = _weightings(len(decision.scenario.criteria)) @ np.array(list(rows.values())).T
    own = qualities[:, list(rows).index(decision.recommended)]
    share = float((own >= qualities.max(axis=1) - ROUNDING).mean())
    yield Mark(share, why=f"{decision.recommended!r} first in {share:.1%} of weightings", basis=decision.matrix_source)


@metric(
    "MethodAgreement",
    formula="mean over pairs of methods (weighted sum, TOPSIS, evidential reasoning) of Kendall's tau of their "
    "rankings",
    unit="pair of methods",
    better="neither",
    pool="conversations",
    scale=(-1.0, 1.0),
    probes=("decision",),
    predicts=("a decision",),
    source="our own",
)
def method_agreement(decision: Decision, normalisation: Normalisation = "vector") -> Iterator[Mark]:
    """Do weighted sum, TOPSIS and combined beliefs rank the alternatives alike?

    A low value means that the choice of method decides the ranking. Undefined if fewer than two of the methods give a
    ranking.
    """
    # What differs by rounding alone is tied.
    exact = _scores_by_method(decision, normalisation)
    scores = {method: [round(score, 12) for score in values] for method, values in exact.items()}
    for (first, ours), (second, theirs) in combinations(scores.items(), 2):
        tau = rank_correlation(ours, theirs)
        if tau is not None:
            yield Mark(min(max(tau, -1.0), 1.0), at=f"{first} - {second}")


def _satisfaction_rows(scenario: DecisionScenario) -> dict[str, list[float]] | None:
    """The satisfactions of all alternatives; None where some are not known, or there is nothing to choose from."""
    satisfied = {name: satisfactions(scenario, name) for name in scenario.alternatives}
    # In the order of their names, so that the order in which criteria are listed does not matter.
    known = {name: [values[id] for id in sorted(values)] for name, values in satisfied.items() if values is not None}
    return known if len(known) == len(satisfied) > 1 else None


@lru_cache(maxsize=64)
def _weightings(criteria: int) -> Any:
    """Weightings that fill the space of those that are not negative and sum to 1 evenly.

    An additive recurrence fills the unit cube (Roberts 2018); exponentials of its points, divided by their sum, the
    simplex.
    """
    root = 2.0
    for _ in range(64):  # The root of x^(d+1) = x + 1, by iteration.
        root = (1 + root) ** (1 / (criteria + 1))
    steps = root ** -np.arange(1.0, criteria + 1)
    drawn = -np.log1p(-((0.5 + np.outer(np.arange(1, POINTS + 1), steps)) % 1))
    return drawn / drawn.sum(axis=1, keepdims=True)


def _scores_by_method(decision: Decision, normalisation: Normalisation) -> dict[str, list[float]]:
    """The score of every alternative by each method that can rank them."""
    scenario, scores = decision.scenario, {}
    rows = _satisfaction_rows(scenario)
    weights = [weight_of(criterion) for criterion in sorted(scenario.criteria, key=lambda criterion: criterion.id)]
    if rows is not None:
        scores["weighted sum"] = [float(np.dot(weights, row)) for row in rows.values()]
        with suppress(ValueError):  # All alternatives are alike.
            closeness = topsis(list(rows.values()), weights, [True] * len(weights), normalisation)
            scores["TOPSIS"] = list(map(float, closeness))
    combined = combined_beliefs(decision)
    if combined is not None and len(scenario.alternatives) > 1:
        scores["evidential reasoning"] = list(map(float, combined.evidence.beliefs))
    return scores
