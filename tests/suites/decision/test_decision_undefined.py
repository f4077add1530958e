"""Questions that do not arise have no value."""

from __future__ import annotations

import pytest
from decision_records import BELIEFS, MATRIX, METRICS, SAID, agents, by_place, decision, group, scenario, value
from msgspec import structs

from adjudge.suites.decision.data import (
    Criterion,
    Decision,
    DecisionScenario,
)

OF_SEVERAL_AGENTS = {
    "unanimous_wrong",
    "gain_over_average",
    "beats_average",
    "beats_best",
    "matches_best",
    "consensus",
    "belief_agreement",
    "choice_agreement",
    "consensus_by_round",
    "consensus_before",
    "consensus_gain",
    "confidence_variance",
    "contribution_balance",
    "diversity",
    "participation_balance",
    "influence",
    "pivotal",
}
OF_A_MATRIX = {
    "decision_quality",
    "decision_quality_weighted",
    "decision_closeness",
    "regret",
    "decision_quality_boosted",
    "decision_quality_literal",
    "gain_over_average",
    "beats_average",
    "beats_best",
    "matches_best",
    "weight_robustness",
}
OF_BELIEFS = {
    "unanimous_wrong",
    "consensus",
    "belief_agreement",
    "choice_agreement",
    "consensus_by_round",
    "consensus_before",
    "consensus_gain",
    "contribution_balance",
    "diversity",
    "influence",
    "pivotal",
}
NOTHING = {"a": 0.0, "b": 0.0}


@pytest.mark.parametrize(
    ("decided", "names"),
    [
        (decision("alt1", scenario=scenario(MATRIX, safety=1, cost=1, speed=1), truth="alt1"), OF_SEVERAL_AGENTS),
        (
            decision(
                "alt1",
                scenario=scenario(MATRIX, safety=1, cost=1, speed=1),
                truth="alt1",
                turns=SAID,
                assessments=agents(BELIEFS[0], confidences=(0.8,)),
            ),
            OF_SEVERAL_AGENTS,
        ),
        (group(*BELIEFS, recommended="alt1", truth="alt1", confidences=(0.5, 0.6, 0.7)), OF_A_MATRIX),
        (decision(scenario=scenario(MATRIX), truth="alt1", assessments=agents(*BELIEFS)), OF_A_MATRIX),
        (group(NOTHING, NOTHING, recommended="a", truth="b", confidences=(0.5, 0.9)), OF_BELIEFS),
        (
            decision(
                "a",
                scenario=DecisionScenario(("a", "b")),
                truth="a",
                assessments=(*agents(NOTHING, NOTHING), *agents(NOTHING, NOTHING, round=1)),
            ),
            OF_BELIEFS,
        ),
        (group({}, {}, recommended="a", truth="a", confidences=(0.5, 0.9)), OF_BELIEFS),
        (decision(), set(METRICS)),
    ],
    ids=[
        "no agents",
        "one agent",
        "no matrix",
        "no decision",
        "beliefs all zero",
        "beliefs all zero in two rounds",
        "no beliefs",
        "nothing",
    ],
)
def test_question_that_does_not_arise_has_no_value(decided: Decision, names: set[str]) -> None:
    assert {name: actual for name in sorted(names) if (actual := value(name, decided)) is not None} == {}


def test_agent_that_believes_in_nothing_agrees_with_nobody_and_changes_nothing() -> None:
    decided = group({"a": 0.8, "b": 0.2}, {"a": 0.6, "b": 0.4}, NOTHING)
    assert list(by_place("consensus", decided)) == ["agent1 - agent2"]
    assert list(by_place("belief_agreement", decided)) == ["agent1 - agent2"]
    assert value("diversity", decided) == 0.5
    assert value("choice_agreement", decided) == 1.0


def test_confidences_that_are_all_zero_are_no_balance() -> None:
    decided = group(*({"a": 1.0, "b": 0.0},) * 3, confidences=(0.0, 0.0, 0.0))
    assert value("contribution_balance", decided) is None
    assert value("average_confidence", decided) == 0.0
    assert value("confidence_variance", decided) == 0.0


def test_identical_alternatives_leave_nothing_to_choose() -> None:
    row = {"x": 0.4, "y": 0.7}
    decided = decision("a", scenario=scenario({"a": row, "b": row}, x=1, y=2), assessments=agents(*BELIEFS[:0]))
    assert value("decision_closeness", decided) is None
    assert value("method_agreement", decided) is None
    assert value("decision_quality", decided) == pytest.approx(0.55)
    assert value("regret", decided) == 0.0


def test_one_alternative_alone_is_no_choice() -> None:
    alone = group({"a": 1.0}, {"a": 1.0}, recommended="a", truth="a", confidences=(0.5, 0.9))
    alone = structs.replace(alone, scenario=DecisionScenario(("a",), (Criterion("x"),), {"a": {"x": 0.5}}))
    names = ("consensus", "belief_agreement", "choice_agreement", "diversity", "influence", "regret", "unanimous_wrong")
    assert {name: value(name, alone) for name in names} == dict.fromkeys(names)
