"""How far alternatives satisfy the criteria, and the quality that results."""

from __future__ import annotations

from collections.abc import Mapping

from adjudge.suites.decision.data import ROUNDING, Criterion, Decision, DecisionScenario


def has_weights(scenario: DecisionScenario) -> bool:
    """Whether the criteria have weights of their own."""
    return bool(scenario.criteria) and all(criterion.weight is not None for criterion in scenario.criteria)


def weight_of(criterion: Criterion) -> float:
    """The criterion's weight; 1 where none is given, so that all criteria count equally."""
    return 1.0 if criterion.weight is None else criterion.weight


def satisfactions(scenario: DecisionScenario, alternative: str) -> dict[str, float] | None:
    """How far an alternative satisfies each criterion; None if scores are missing or outside the scale."""
    scores = scenario.matrix.get(alternative)
    if not scores:
        return None
    satisfied = {criterion.id: criterion.satisfaction(scores[criterion.id]) for criterion in scenario.criteria}
    return satisfied if all(-ROUNDING <= value <= 1 + ROUNDING for value in satisfied.values()) else None


def decided_satisfactions(decision: Decision) -> dict[str, float] | None:
    """How far the decision satisfies each criterion, as the mean over a lottery's shares; None if not known."""
    shares = decision.shares
    parts = {name: satisfactions(decision.scenario, name) for name in shares}
    if not parts or any(part is None for part in parts.values()):
        return None
    return {
        criterion.id: min(max(sum(shares[name] * (part or {})[criterion.id] for name, part in parts.items()), 0.0), 1.0)
        for criterion in decision.scenario.criteria
    }


def quality_of(scenario: DecisionScenario, alternative: str) -> float | None:
    """The mean satisfaction of the criteria, weighted where they have weights; None if not known."""
    satisfied = satisfactions(scenario, alternative)
    if satisfied is None:
        return None
    weights = {criterion.id: weight_of(criterion) for criterion in scenario.criteria}
    return sum(weights[name] * value for name, value in satisfied.items()) / sum(weights.values())


def expected_quality(scenario: DecisionScenario, shares: Mapping[str, float]) -> float | None:
    """The mean quality of alternatives, weighted by their shares; None where a quality is not known."""
    qualities = [(share, quality_of(scenario, name)) for name, share in shares.items()]
    if not qualities or any(value is None for _, value in qualities):
        return None
    return min(sum(share * (value or 0.0) for share, value in qualities), 1.0)
