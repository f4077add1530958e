"""A rule-based expert, who weighs the criteria and takes missing scores from the other experts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import exp
from statistics import fmean
from typing import NamedTuple

from adjudge.suites.decision.data import Assessment
from adjudge.suites.decision.rules.satisfaction import weight_of
from adjudge.systems.decision.data import DecisionQuestion, Expert, ExpertFacts, Scores
from adjudge.systems.decision.wording import word_reasons

# How much better by weight an alternative must be for its belief to be e times that of another.
TEMPERATURE = 0.1


class Sight(NamedTuple):
    """The scores that an expert goes by, and whose they are where it lacked them itself."""

    scores: Scores
    sources: dict[str, tuple[str, ...]]


def assess_by_rule(facts: ExpertFacts, exchanges: bool) -> Assessment:
    """The assessment of an expert: a softmax of the criteria, by weight, as far as it knows them.

    From the second round on it takes the scores of criteria that it lacks from the others. Without that exchange it
    moves its beliefs halfway to the mean of theirs (DeGroot 1974).
    """
    own = facts.own
    sight = see(facts) if exchanges or own is None else Sight(own.matrix, {})
    beliefs = beliefs_of(facts.question, facts.me, sight.scores)
    if own is not None and not exchanges:
        beliefs = _moved_beliefs(own.beliefs, [other.beliefs for other in facts.others if other.beliefs])
    reasons = word_reasons(facts.question, beliefs, sight.scores, sight.sources)
    return assessment_of(facts, sight, beliefs, facts.me.confidence, reasons)


def see(facts: ExpertFacts) -> Sight:
    """What an expert goes by: what it held before, and the scores that it lacks from those who have them.

    Where several have them, it takes their mean, weighted by their competence.
    """
    held = facts.own.matrix if facts.own else facts.me.scores
    known = next(iter(held.values()), {})
    competence = {colleague.id: colleague.competence for colleague in facts.colleagues}
    sources: dict[str, tuple[Assessment, ...]] = {}
    for criterion in facts.question.criteria:
        telling = tuple(other for other in facts.others if criterion.id in next(iter(other.matrix.values()), {}))
        if criterion.id not in known and telling:
            sources[criterion.id] = telling
    scores = {
        alternative: {**held.get(alternative, {}), **_adopted_scores(alternative, sources, competence)}
        for alternative in facts.question.alternatives
    }
    return Sight(scores, {name: tuple(other.agent for other in telling) for name, telling in sources.items()})


def beliefs_of(question: DecisionQuestion, expert: Expert, scores: Scores) -> dict[str, float]:
    """A softmax of how far the alternatives satisfy the criteria, by the expert's weights or else the question's."""
    values = {name: _satisfaction(question, expert, scores[name]) for name in question.alternatives}
    highest = max(values.values())
    powers = {name: exp((value - highest) / TEMPERATURE) for name, value in values.items()}
    total = sum(powers.values())
    return {name: power / total for name, power in powers.items()}


def assessment_of(
    facts: ExpertFacts, sight: Sight, beliefs: dict[str, float], confidence: float | None, reasoning: str
) -> Assessment:
    """The assessment of this round; an expert that names no confidence is as sure as its highest belief."""
    return Assessment(
        agent=facts.me.id,
        beliefs=beliefs,
        confidence=max(beliefs.values()) if confidence is None and beliefs else confidence,
        matrix=sight.scores,
        reasoning=reasoning,
        concerns=_concerns(facts, sight.scores, beliefs),
        role=facts.me.role,
        round=1 if facts.own is None else facts.own.round + 1,
    )


def _satisfaction(question: DecisionQuestion, expert: Expert, scores: Mapping[str, float]) -> float:
    weights = {
        criterion.id: expert.weights.get(criterion.id, 0.0) if expert.weights else weight_of(criterion)
        for criterion in question.criteria
        if criterion.id in scores
    }
    parts = [weights[each.id] * each.satisfaction(scores[each.id]) for each in question.criteria if each.id in weights]
    return sum(parts) / sum(weights.values())


def _concerns(facts: ExpertFacts, scores: Scores, beliefs: Mapping[str, float]) -> tuple[str, ...]:
    """The criteria that the preferred alternative satisfies too little for this expert's tolerance of risk."""
    if not beliefs:
        return ()
    favourite = max(beliefs, key=beliefs.__getitem__)
    least = 1 - facts.me.risk_tolerance
    return tuple(
        criterion.id
        for criterion in facts.question.criteria
        if criterion.id in scores.get(favourite, {}) and criterion.satisfaction(scores[favourite][criterion.id]) < least
    )


def _adopted_scores(
    alternative: str, sources: Mapping[str, Sequence[Assessment]], competence: Mapping[str, Mapping[str, float]]
) -> dict[str, float]:
    return {
        criterion: _weighted_mean(
            [
                (competence.get(other.agent, {}).get(criterion, 1.0), other.matrix[alternative][criterion])
                for other in telling
            ]
        )
        for criterion, telling in sources.items()
    }


def _weighted_mean(pairs: Sequence[tuple[float, float]]) -> float:
    """The mean of values with their weights; the plain mean where all weights are 0."""
    total = sum(weight for weight, _ in pairs)
    return sum(weight * value for weight, value in pairs) / total if total else fmean(value for _, value in pairs)


def _moved_beliefs(own: Mapping[str, float], others: Sequence[Mapping[str, float]]) -> dict[str, float]:
    if not others:
        return dict(own)
    return {name: (belief + fmean(other.get(name, 0.0) for other in others)) / 2 for name, belief in own.items()}
