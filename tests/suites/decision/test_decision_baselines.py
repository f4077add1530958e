"""Arms derived from the members."""

from __future__ import annotations

from itertools import pairwise
from statistics import fmean
from typing import Any

import pytest
from decision_records import QUALITIES, agents, decision, scenario, value
from decision_strategies import QUICKLY, decisions
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from adjudge.suites.decision.data import (
    Assessment,
    Decision,
    DecisionScenario,
)
from adjudge.suites.decision.rules.baselines import FEW, Members, baselines


def derived(decided: Decision) -> dict[str, Decision]:
    return {arm.arm: arm for arm in baselines(decided)}


def test_arms_are_derived_under_the_same_case() -> None:
    decided = decision("b", scenario=QUALITIES, assessments=agents({"a": 1.0}, {"b": 1.0}, {"b": 1.0}), truth="c")
    arms = derived(decided)
    assert list(arms) == ["group/average", "group/best", "group/majority", "group/random"]
    assert {arm.key.case for arm in arms.values()} == {"s1"}
    assert {arm.truth for arm in arms.values()} == {"c"}
    assert all(arm.scenario == QUALITIES for arm in arms.values())
    assert arms["group/average"].lottery == pytest.approx({"a": 1 / 3, "b": 2 / 3})
    assert arms["group/best"].recommended == "b"
    assert arms["group/majority"].recommended == "b"


def test_tie_of_the_majority_is_shared_out() -> None:
    members = agents({"a": 1.0}, {"a": 1.0}, {"b": 1.0}, {"b": 1.0}, {"c": 1.0})
    majority = derived(decision("c", scenario=QUALITIES, assessments=members))["group/majority"]
    assert majority.recommended is None
    assert majority.lottery == {"a": 0.5, "b": 0.5}
    assert value("decision_quality", majority) == pytest.approx(0.35)


def test_best_member_is_the_one_who_is_right_where_no_quality_is_known() -> None:
    members = agents({"a": 1.0}, {"b": 1.0}, {"c": 1.0})
    decided = decision("c", scenario=DecisionScenario(("a", "b", "c")), assessments=members, truth="b")
    assert derived(decided)["group/best"].recommended == "b"
    assert "group/best" not in derived(structs.replace(decided, truth=None))


def test_best_member_goes_by_the_weights() -> None:
    rows = {"fast": {"speed": 1.0, "safety": 0.2}, "safe": {"speed": 0.4, "safety": 0.9}}
    members = agents({"fast": 1.0}, {"safe": 1.0})
    decided = decision("fast", scenario=scenario(rows, speed=1, safety=3), assessments=members)
    assert derived(decided)["group/best"].recommended == "safe"


def test_random_member_is_the_same_in_every_run() -> None:
    members = agents({"a": 1.0}, {"b": 1.0}, {"c": 1.0})
    drawn = [
        derived(structs.replace(decision("c", scenario=QUALITIES, assessments=members), id=f"s{number}"))
        for number in range(60)
        for _ in range(2)
    ]
    chosen = [arms["group/random"].recommended for arms in drawn]
    assert all(first == other for first, other in list(pairwise(chosen))[::2])
    assert set(chosen) == {"a", "b", "c"}


def test_random_member_brings_its_own_confidence() -> None:
    decided = decision("a", scenario=QUALITIES, assessments=agents({"a": 1.0}, {"a": 1.0}, confidences=(0.7, 0.7)))
    for name in ("group/best", "group/random"):
        assert value("decision_confidence", derived(decided)[name]) == 0.7


@pytest.mark.parametrize(
    "members",
    [(), agents({"a": 1.0}), agents({}, {}), agents({"a": 0.0}, {"b": 0.0})],
    ids=["nobody", "one agent", "no beliefs", "beliefs all zero"],
)
def test_no_arm_is_derived_without_members_who_prefer_something(members: tuple[Assessment, ...]) -> None:
    assert derived(decision("a", scenario=QUALITIES, assessments=members)) == {}


def test_members_without_a_first_assessment_are_left_out_of_what_members_thought() -> None:
    both = (*agents({"a": 1.0}), *agents({"c": 1.0}, {"c": 1.0}, round=1))
    arms = derived(decision("c", scenario=QUALITIES, assessments=both))
    assert arms["group/average"].recommended == "a"


@QUICKLY
@given(decisions(least_agents=2, scored=True, preferring=True))
def test_average_member_has_the_mean_quality_of_the_members(decided: Decision) -> None:
    members = [member for member in decided.first if member.choices]
    arms = derived(decided)
    for name in ("decision_quality", "decision_quality_weighted"):
        alone = [_of_member(name, decided, member) for member in members]
        actual = value(name, arms["group/average"])
        assert actual == (None if None in alone else pytest.approx(fmean(alone), abs=1e-9))


def _of_member(name: str, decided: Decision, member: Assessment) -> Any:
    shares = {choice: 1 / len(member.choices) for choice in member.choices}
    return value(name, structs.replace(decided, recommended=None, lottery=shares))


@QUICKLY
@given(decisions(least_agents=2, scored=True))
def test_best_member_is_at_least_as_good_as_any_other_arm_of_members(decided: Decision) -> None:
    arms = derived(decided)
    weighted = decided.scenario.criteria[0].weight is not None
    name = "decision_quality_weighted" if weighted else "decision_quality"
    # Where members prefer several alike, what most of them share can be better than what any of them prefers.
    clear = all(len(member.choices) < 2 for member in decided.first)
    for other in ("average", "random", *(["majority"] if clear else [])) if arms else ():
        assert (value(name, arms["group/best"]) or 0) >= (value(name, arms[f"group/{other}"]) or 0) - 1e-9, other


@QUICKLY
@given(decisions(least_agents=2, scored=True, is_decided=True, preferring=True))
def test_gain_over_average_is_the_difference_to_the_average_arm(decided: Decision) -> None:
    arms = derived(decided)
    weighted = decided.scenario.criteria[0].weight is not None
    name = "decision_quality_weighted" if weighted else "decision_quality"
    expected = (value(name, decided) or 0) - (value(name, arms["group/average"]) or 0)
    assert value("gain_over_average", decided) == pytest.approx(expected, abs=1e-9)


@QUICKLY
@given(decisions(), st.data())
def test_values_of_a_lottery_are_expectations(decided: Decision, data: st.DataObject) -> None:
    alternatives = st.sampled_from(decided.scenario.alternatives)
    names = data.draw(st.lists(alternatives, min_size=1, max_size=4, unique=True))
    drawn = structs.replace(decided, recommended=None, lottery=dict.fromkeys(names, 1 / len(names)))
    for name in ("decision_quality", "decision_quality_weighted", "decision_closeness", "regret", "ground_truth_match"):
        alone = [value(name, structs.replace(decided, recommended=alternative, lottery={})) for alternative in names]
        actual = value(name, drawn)
        assert actual == (None if None in alone else pytest.approx(fmean(alone), abs=1e-9)), name


def test_few_baselines_are_the_average_and_the_best_member() -> None:
    members = agents({"a": 1.0}, {"b": 1.0}, {"b": 1.0})
    arms = [arm.arm for arm in baselines(decision("b", scenario=QUALITIES, assessments=members), FEW)]
    assert arms == ["group/average", "group/best"]


def test_members_who_say_the_same_in_several_arms_belong_to_the_arm_called_group() -> None:
    same, other = agents({"a": 1.0}, {"b": 1.0}), agents({"b": 1.0}, {"b": 1.0})
    votes, group, rounds, unlike = (
        structs.replace(decision("b", scenario=QUALITIES, assessments=said), arm=arm)
        for arm, said in (("votes", same), ("group", same), ("rounds", same), ("unlike", other))
    )
    members = Members()
    for decided in (votes, group, rounds, unlike):
        members.add(decided)
    assert [members.are_of(each) for each in (votes, group, rounds, unlike)] == [False, True, False, True]


def test_without_an_arm_called_group_the_first_arm_has_the_members() -> None:
    members = Members()
    first, second = (
        structs.replace(decision("b", scenario=QUALITIES, assessments=agents({"a": 1.0}, {"b": 1.0})), arm=arm)
        for arm in ("votes", "rounds")
    )
    members.add(first)
    members.add(second)
    assert (members.are_of(first), members.are_of(second)) == (True, False)
