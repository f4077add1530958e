"""Every suite names a small primary family: what `compare` corrects over and what its headline counts."""

from __future__ import annotations

import pytest

from adjudge.core.card import Card
from adjudge.core.selection import primary_family
from adjudge.score import find_suite
from own_suites import OWN_SUITES

MOST = 12
# What the source documents put first; decision 28 has the reasons for the rest.
HEADLINES = {
    "service": {
        "joint_goal_accuracy",
        "slot_accuracy",
        "hallucination",
        "memory_transfer",
        "policy_violation",
        "system_correctness",
        "task_completion",
        "response_quality",
        "inform",
        "success",
    },
    "decision": {"decision_quality", "ground_truth_match", "consensus", "decision_confidence", "efficiency"},
    "patient": {"entailment", "extraction", "role_play", "consistency", "personality"},
    "team": {"success", "goal_reached", "handover_loops", "repeated_turns", "tool_error_rate", "cost"},
    "trip": {"voice_coverage", "conflict_detection", "grounding", "coherence"},
}


def cards(suite: str) -> dict[str, Card]:
    return {metric.card.name: metric.card for metric in find_suite(suite).metrics()}


def family(suite: str) -> list[Card]:
    return [card for card in cards(suite).values() if card.primary]


@pytest.mark.parametrize("suite", OWN_SUITES)
def test_a_primary_family_has_at_most_twelve_metrics_with_the_headlines_of_the_source(suite: str) -> None:
    names = primary_family(cards(suite))
    assert 0 < len(names) <= MOST
    assert set(names) >= HEADLINES.get(suite, set())


@pytest.mark.parametrize("suite", OWN_SUITES)
def test_no_two_primary_metrics_have_one_formula(suite: str) -> None:
    formulas = [card.formula for card in family(suite)]
    assert len(set(formulas)) == len(formulas)


@pytest.mark.parametrize("suite", OWN_SUITES)
def test_primary_metrics_can_be_compared_and_look_at_the_arm(suite: str) -> None:
    for card in family(suite):
        assert card.compared, card.name
        assert not card.variant, card.name
        assert card.pool != "groups", card.name
        assert "ceiling" not in card.name


def test_welfare_of_trips_rests_on_strict_verdicts() -> None:
    """The loose rule takes the planner's own words for a place, so it needs an embedder; the strict one does not."""
    welfare = [card for card in family("trip") if card.name.startswith("welfare")]
    assert len(welfare) == 3
    assert all("embed" not in card.needs for card in welfare)
