"""Experts by rule: beliefs from the criteria they know, and scores that they take from others."""

from __future__ import annotations

from math import exp

import pytest
from experts import EVEN, FAST, SAFE, believer, facts_of
from msgspec import structs

from adjudge.suites.decision.data import Assessment, Criterion
from adjudge.systems.decision.data import DecisionQuestion, Expert
from adjudge.systems.decision.expert import TEMPERATURE, assess_by_rule, beliefs_of, see

GUIDE = Expert("guide", "mountain guide", scores=SAFE, lacks=("speed",))
BOTH = {"bridge": {"safety": 0.9, "speed": 0.2}, "ford": {"safety": 0.3, "speed": 0.9}}


def test_beliefs_are_a_softmax_of_the_weighted_criteria() -> None:
    expert = Expert("rider", weights={"safety": 0.25, "speed": 0.75}, scores=BOTH)
    beliefs = beliefs_of(EVEN, expert, BOTH)
    gap = (0.25 * 0.3 + 0.75 * 0.9) - (0.25 * 0.9 + 0.75 * 0.2)
    assert beliefs["ford"] / beliefs["bridge"] == pytest.approx(exp(gap / TEMPERATURE))
    assert sum(beliefs.values()) == pytest.approx(1)


def test_a_low_cost_is_good() -> None:
    question = DecisionQuestion("", "", ("bridge", "ford"), (Criterion("toll", kind="cost"),))
    scores = {"bridge": {"toll": 0.8}, "ford": {"toll": 0.0}}
    beliefs = beliefs_of(question, Expert("rider", scores=scores), scores)
    assert beliefs["ford"] > beliefs["bridge"]


def test_criteria_that_an_expert_lacks_do_not_count() -> None:
    assessment = assess_by_rule(facts_of(GUIDE), exchanges=True)
    assert assessment.choices == ("bridge",)
    assert assessment.matrix == SAFE
    assert "I know nothing about speed." in assessment.reasoning


def test_without_a_confidence_of_its_own_an_expert_is_as_sure_as_its_highest_belief() -> None:
    alone = assess_by_rule(facts_of(GUIDE), exchanges=True)
    stated = assess_by_rule(facts_of(structs.replace(GUIDE, confidence=0.4)), exchanges=True)
    assert alone.confidence == max(alone.beliefs.values())
    assert stated.confidence == 0.4


@pytest.mark.parametrize(("tolerance", "concerns"), [(0.9, ()), (0.5, ("speed",)), (0.05, ("safety", "speed"))])
def test_an_expert_who_tolerates_less_risk_has_more_concerns(tolerance: float, concerns: tuple[str, ...]) -> None:
    careful = Expert("careful", weights={"safety": 1.0, "speed": 0.0}, risk_tolerance=tolerance, scores=BOTH)
    assert assess_by_rule(facts_of(careful), exchanges=True).concerns == concerns


def test_an_expert_takes_the_scores_that_it_lacks_by_the_competence_of_those_who_have_them() -> None:
    rider, novice = Expert("rider", competence={"speed": 0.9}), Expert("novice", competence={"speed": 0.3})
    slow = {"bridge": {"speed": 0.6}, "ford": {"speed": 0.5}}
    said = (believer("rider", 0.1, matrix=FAST), believer("novice", 0.5, matrix=slow))
    own = Assessment("guide", {"bridge": 1.0}, matrix=SAFE, round=1)

    sight = see(facts_of(GUIDE, rider, novice, earlier=(own, *said)))

    assert sight.sources == {"speed": ("rider", "novice")}
    assert sight.scores["bridge"] == {"safety": 0.9, "speed": pytest.approx((0.9 * 0.2 + 0.3 * 0.6) / 1.2)}
    assert sight.scores["ford"]["safety"] == 0.3


def test_scores_that_an_expert_has_are_its_own_whatever_others_say() -> None:
    own = Assessment("guide", {"bridge": 1.0}, matrix=SAFE, round=1)
    other = believer("rider", 0.1, matrix={"bridge": {"safety": 0.0}, "ford": {"safety": 1.0}})
    assert see(facts_of(GUIDE, Expert("rider"), earlier=(own, other))).scores == SAFE


def test_the_exchange_changes_a_mind_and_says_whose_scores_did() -> None:
    first = assess_by_rule(facts_of(GUIDE), exchanges=True)
    earlier = (first, believer("rider", 0.1, matrix={"bridge": {"speed": 0.1}, "ford": {"speed": 1.0}}))

    second = assess_by_rule(facts_of(GUIDE, Expert("rider"), earlier=earlier), exchanges=True)

    assert (first.choices, second.choices) == (("bridge",), ("ford",))
    assert (first.round, second.round) == (1, 2)
    assert "I take speed from rider." in second.reasoning


def test_without_the_exchange_beliefs_move_halfway_to_the_mean_of_the_others() -> None:
    earlier = (believer("guide", 0.8, matrix=SAFE), believer("rider", 0.2), believer("novice", 0.4))
    moved = assess_by_rule(facts_of(GUIDE, Expert("rider"), Expert("novice"), earlier=earlier), exchanges=False)
    assert moved.beliefs["bridge"] == pytest.approx((0.8 + 0.3) / 2)
    assert moved.matrix == SAFE
