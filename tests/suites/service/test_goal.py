"""Section 5 of spec/service.md: joint goal accuracy, under all match policies."""

from typing import Any

import pytest
from dialogues import dialogue, marks, values

from adjudge.core.card import Metric
from adjudge.suites.service.metrics.goal import (
    joint_goal_accuracy,
    joint_goal_accuracy_canonical,
    joint_goal_accuracy_fuzzy,
    joint_goal_accuracy_leaderboard,
    joint_goal_accuracy_strict,
)

ALL = [
    joint_goal_accuracy,
    joint_goal_accuracy_strict,
    joint_goal_accuracy_canonical,
    joint_goal_accuracy_fuzzy,
    joint_goal_accuracy_leaderboard,
]
POLICIES = ALL[1:4]
EXPENSIVE = {"restaurant-area": "centre", "restaurant-pricerange": "expensive"}


def state(pairs: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {"state": pairs}


@pytest.mark.parametrize("metric", ALL, ids=lambda metric: metric.card.name)
def test_worked_example_of_section_5(metric: Metric) -> None:
    assert values(metric, (state(EXPENSIVE), state(dict(EXPENSIVE)))) == [1.0]
    assert values(metric, (state(EXPENSIVE), state({**EXPENSIVE, "restaurant-pricerange": "cheap"}))) == [0.0]


@pytest.mark.parametrize("metric", ALL, ids=lambda metric: metric.card.name)
def test_section_5_an_extra_or_a_missing_slot_makes_the_turn_wrong(metric: Metric) -> None:
    assert values(metric, (state(EXPENSIVE), state({**EXPENSIVE, "restaurant-food": "thai"}))) == [0.0]
    assert values(metric, (state(EXPENSIVE), state({"restaurant-area": "centre"}))) == [0.0]


@pytest.mark.parametrize("metric", ALL, ids=lambda metric: metric.card.name)
@pytest.mark.parametrize(
    ("slot", "gold", "predicted"),
    [
        ("hotel-bookpeople", "10", "1"),
        ("hotel-bookpeople", "1", "10"),
        ("hotel-bookstay", "2", "12"),
        ("train-bookpeople", "12", "2"),
        ("train-leaveat", "17:15", "17:45"),
    ],
)
def test_another_number_is_wrong_under_every_policy(metric: Metric, slot: str, gold: str, predicted: str) -> None:
    assert values(metric, (state({slot: gold}), state({slot: predicted}))) == [0.0]


@pytest.mark.parametrize(
    ("slot", "gold", "predicted", "right"),
    [
        ("hotel-area", "centre", " Centre ", [1.0, 1.0, 1.0]),
        ("hotel-area", "centre", "center", [0.0, 1.0, 1.0]),
        ("hotel-bookpeople", "2", "two", [0.0, 1.0, 1.0]),
        ("hotel-name", "acorn guest house", "the acorn guesthouse", [0.0, 1.0, 1.0]),
        ("hotel-name", "university arms", "universty arms", [0.0, 0.0, 1.0]),
        ("hotel-name", "university arms", "huntingdon arms", [0.0, 0.0, 0.0]),
    ],
)
def test_each_policy_forgives_more(slot: str, gold: str, predicted: str, right: list[float]) -> None:
    turn = (state({slot: gold}), state({slot: predicted}))
    assert [values(metric, turn) for metric in POLICIES] == [[value] for value in right]


@pytest.mark.parametrize(
    ("slot", "gold", "predicted", "right"),
    [
        ("train-leaveat", "17:15", "after 5:15 pm", 1.0),
        ("restaurant-food", "british", "english", 1.0),
        ("hotel-name", "limehouse", "Lime House", 1.0),
        ("hotel-internet", "yes", "free", 1.0),
        ("restaurant-booktime", "17:15", "1715", 1.0),
        ("restaurant-booktime", "1715", "1715", 1.0),
        ("restaurant-booktime", "1715", "17:15", 0.0),
        ("hotel-area", "centre", "center", 0.0),
    ],
)
def test_the_leaderboard_compares_values_as_the_databases_write_them(
    slot: str, gold: str, predicted: str, right: float
) -> None:
    assert values(joint_goal_accuracy_leaderboard, (state({slot: gold}), state({slot: predicted}))) == [right]


@pytest.mark.parametrize("dontcare", ["dontcare", ("dontcare", "cheap")])
def test_the_leaderboard_leaves_gold_dontcare_out(dontcare: Any) -> None:
    gold = state({"hotel-area": "north", "hotel-pricerange": dontcare})
    assert values(joint_goal_accuracy_leaderboard, (gold, state({"hotel-area": "north"}))) == [1.0]
    said = state({"hotel-area": "north", "hotel-pricerange": "dontcare"})
    assert values(joint_goal_accuracy_leaderboard, (gold, said)) == [0.0]
    assert values(joint_goal_accuracy_strict, (gold, said)) == [1.0]


def test_any_gold_alternative_is_right() -> None:
    gold = state({"restaurant-name": ("pizza hut fen ditton", "pizza hut")})
    assert values(joint_goal_accuracy_strict, (gold, state({"restaurant-name": "pizza hut"}))) == [1.0]


def test_nothing_tracked_is_right_while_there_is_nothing_to_track() -> None:
    assert values(joint_goal_accuracy, (state({}), state({}))) == [1.0]
    assert values(joint_goal_accuracy, (state({}), state({"hotel-area": "north"}))) == [0.0]


def test_a_domain_without_slots_is_nothing_tracked() -> None:
    assert values(joint_goal_accuracy, (state({}), state({"hotel-": ""}))) == [1.0]


def test_a_turn_without_prediction_gives_no_mark_and_one_without_state_is_wrong() -> None:
    gold = state({"hotel-area": "north"})
    assert values(joint_goal_accuracy, (gold, None), (gold, {"intents": ()}), (gold, {"unparsed": "?"})) == [0.0, 0.0]


def test_a_turn_without_predicted_state_is_wrong_even_where_there_is_nothing_to_track() -> None:
    assert values(joint_goal_accuracy, (state({}), {"intents": ()}), (state({}), {"unparsed": "?"})) == [0.0, 0.0]


def test_gold_without_state_is_undefined() -> None:
    assert values(joint_goal_accuracy, ({"intents": ("find_hotel",)}, state({}))) == []


def test_a_wrong_turn_says_what_is_wrong() -> None:
    gold = state({"hotel-area": ("north", "northern"), "hotel-stars": "4", "hotel-type": "hotel"})
    predicted = state({"hotel-area": "south", "hotel-parking": "yes", "hotel-type": "hotel"})
    (mark,) = marks(joint_goal_accuracy, dialogue((gold, predicted)))
    assert sorted(mark.why.split("; ")) == [
        "hotel-area: south, gold north | northern",
        "hotel-parking: yes, not in gold",
        "hotel-stars: gold 4, not predicted",
    ]
