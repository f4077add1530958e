"""What experts say in one round as one score for each alternative: evidential reasoning over beliefs, and TOPSIS."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from adjudge.suites.decision.data import Assessment
from adjudge.suites.decision.methods import combine, topsis
from adjudge.suites.decision.rules.beliefs import is_distribution
from adjudge.suites.decision.rules.satisfaction import weight_of
from adjudge.systems.decision.data import DecisionQuestion

Shares = dict[str, float]


class Combination(NamedTuple):
    """The combined beliefs, the closeness to the ideal as shares, both together, and the conflict among beliefs."""

    beliefs: Shares
    closeness: Shares
    scores: Shares
    conflict: float | None


def combine_assessments(
    question: DecisionQuestion, assessments: Sequence[Assessment], parts: frozenset[str]
) -> Combination:
    """What the experts say together.

    With the part `confidence`, experts count by their confidence, else alike. With the part `criteria`, the score of an
    alternative is the mean of its combined belief and its closeness, else its combined belief alone.
    """
    known = [each for each in assessments if is_distribution(each.beliefs)]
    if not known:
        return Combination({}, {}, {}, None)
    weights = _weights(known, "confidence" in parts)
    rows = [[each.beliefs.get(name, 0.0) for name in question.alternatives] for each in known]
    evidence = combine(rows, [weights[each.agent] for each in known])
    beliefs = dict(zip(question.alternatives, map(float, evidence.beliefs), strict=True))
    closeness = mean_closeness(question, known, weights) if "criteria" in parts else {}
    scores = {name: (belief + closeness[name]) / 2 for name, belief in beliefs.items()} if closeness else beliefs
    return Combination(beliefs, closeness, scores, float(evidence.conflict))


def mean_closeness(
    question: DecisionQuestion, assessments: Sequence[Assessment], weights: Mapping[str, float]
) -> Shares:
    """The mean over experts of the closeness by each expert's own scores, as shares; empty where nobody has scores.

    Each expert's closeness rests on the criteria that this expert knows. Pooling the scores of all experts first would
    do the experts' exchange for them.
    """
    totals = dict.fromkeys(question.alternatives, 0.0)
    for assessment in assessments:
        for name, value in closeness_of(question, assessment).items():
            totals[name] += weights[assessment.agent] * value
    whole = sum(totals.values())
    return {name: total / whole for name, total in totals.items()} if whole else {}


def closeness_of(question: DecisionQuestion, assessment: Assessment) -> Shares:
    """The closeness of each alternative by an expert's own scores; empty where it is not defined."""
    known = next(iter(assessment.matrix.values()), {})
    criteria = [criterion for criterion in question.criteria if criterion.id in known]
    if not criteria:
        return {}
    rows = [[assessment.matrix[name][criterion.id] for criterion in criteria] for name in question.alternatives]
    try:
        values = topsis(rows, [weight_of(each) for each in criteria], [each.kind == "benefit" for each in criteria])
    except ValueError:  # All alternatives are alike on the criteria that this expert knows.
        return {}
    return dict(zip(question.alternatives, map(float, values), strict=True))


def _weights(assessments: Sequence[Assessment], by_confidence: bool) -> dict[str, float]:
    """The weight of each expert; all alike where not all of them state a confidence above 0."""
    weights = {each.agent: each.confidence or 0.0 for each in assessments}
    return weights if by_confidence and all(weights.values()) else dict.fromkeys(weights, 1.0)
