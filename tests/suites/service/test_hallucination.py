"""Section 6 of spec/service.md: hallucination rate."""

from typing import Any

import pytest
from dialogues import dialogue, marks, values

from adjudge.core.mark import Score
from adjudge.suites.service.metrics.hallucination import hallucination


def restaurant(**slots: str) -> dict[str, Any]:
    return {"intents": ("find_restaurant",), "state": {f"restaurant-{slot}": value for slot, value in slots.items()}}


def tracked(domains: tuple[str, ...] | None = None, **state: str) -> dict[str, Any]:
    return {"domains": domains, "state": {slot.replace("_", "-"): value for slot, value in state.items()}}


def test_worked_example_of_section_6_a_value_nobody_gave() -> None:
    assert values(hallucination, (restaurant(area="south"), tracked(restaurant_area="north"))) == [1.0]


def test_section_6_case_1_a_wrong_domain() -> None:
    turn = (restaurant(area="centre"), tracked(("hotel",), hotel_area="centre"))
    assert values(hallucination, turn) == [1.0]


def test_section_6_case_1_a_wrong_domain_named_by_the_intent() -> None:
    """Routing takes the domain from the intent where none is named, and so must this."""
    predicted = {"intents": ("find_hotel",), "state": {"hotel-area": "centre"}}
    assert values(hallucination, (restaurant(area="centre"), predicted)) == [1.0]


def test_section_6_case_2_a_wrong_slot() -> None:
    assert values(hallucination, (restaurant(area="centre"), tracked(restaurant_parking="yes"))) == [1.0]


def test_section_6_case_3_a_wrong_value_beside_a_right_one() -> None:
    turn = (restaurant(area="centre", food="thai"), tracked(restaurant_area="north", restaurant_food="thai"))
    assert values(hallucination, turn) == [0.5]


def test_section_6_other_domains_remembered_from_before_are_not_looked_at() -> None:
    gold = restaurant(area="centre")
    gold["state"]["hotel-area"] = "east"
    assert values(hallucination, (gold, tracked(restaurant_area="centre", hotel_area="north"))) == [0.0]


def test_a_domain_of_which_gold_holds_nothing_is_wrong_for_arms_that_predict_states_alone() -> None:
    turn = (restaurant(area="centre"), tracked(restaurant_area="centre", hotel_area="centre"))
    (mark,) = marks(hallucination, dialogue(turn))
    assert (mark.value, mark.why) == (0.5, "not in gold: hotel-area: centre")


def test_a_turn_without_a_pair_to_look_at_is_undefined() -> None:
    gold = restaurant(area="centre")
    gold["state"]["hotel-area"] = "east"
    assert values(hallucination, (gold, tracked())) == []
    assert values(hallucination, (gold, tracked(hotel_area="north"))) == []


def test_a_missed_slot_is_no_hallucination() -> None:
    assert values(hallucination, (restaurant(area="centre", food="thai"), tracked(restaurant_food="thai"))) == [0.0]


def test_the_active_domain_is_carried_over_turns_without_intent() -> None:
    closing = {"intents": (), "state": {"restaurant-area": "centre"}}
    first = (restaurant(area="centre"), tracked(restaurant_area="centre"))
    assert values(hallucination, first, (closing, tracked(restaurant_area="north"))) == [0.0, 1.0]


def test_without_gold_intents_the_domain_whose_state_changes_is_active() -> None:
    first = ({"state": {"hotel-area": "north"}}, tracked(hotel_area="north"))
    second = (
        {"state": {"hotel-area": "north", "taxi-departure": "here"}},
        tracked(hotel_area="south", taxi_departure="here"),
    )
    assert values(hallucination, first, second) == [0.0, 0.0]


def test_domains_with_capitals_are_active_too() -> None:
    """Schema-guided files name services Hotels_1 and slots Hotels_1-area."""
    gold = {"domains": ("Hotels_1",), "intents": ("SearchHotel",), "state": {"Hotels_1-area": "north"}}
    assert values(hallucination, (gold, {"state": {"Hotels_1-area": "south"}})) == [1.0]


@pytest.mark.parametrize("nothing", ["", "none", "not mentioned"])
def test_a_slot_that_holds_nothing_is_not_invented(nothing: str) -> None:
    turn = (restaurant(area="centre"), tracked(restaurant_area="centre", restaurant_food=nothing))
    assert values(hallucination, turn) == [0.0]


def test_a_gold_alternative_is_not_invented() -> None:
    gold = {"intents": ("find_restaurant",), "state": {"restaurant-name": ("ask", "ask restaurant")}}
    assert values(hallucination, (gold, tracked(restaurant_name="the ask"))) == [0.0]


def test_a_turn_without_prediction_gives_no_mark() -> None:
    assert values(hallucination, (restaurant(area="centre"), None)) == []


def test_turns_weigh_alike_and_lower_is_better() -> None:
    right = (restaurant(area="centre"), tracked(restaurant_area="centre"))
    half = (restaurant(area="centre"), tracked(restaurant_area="centre", restaurant_food="thai"))
    assert Score.of(marks(hallucination, dialogue(right, half))).value == 0.25
    assert hallucination.card.better == "lower"


def test_invented_pairs_are_named() -> None:
    (mark,) = marks(hallucination, dialogue((restaurant(area="south"), tracked(restaurant_area="north"))))
    assert (mark.turn, mark.why) == ("0", "not in gold: restaurant-area: north")
