"""Section 7 of spec/service.md: cross-domain memory transfer, as ruled, and the literal reading beside it."""

from typing import Any

import pytest
from dialogues import dialogue, marks, values

from adjudge.core.mark import Score
from adjudge.suites.service.metrics.memory import memory_carryover, memory_transfer

RESTAURANT = {"restaurant-area": "north"}
BOTH = {**RESTAURANT, "hotel-area": "north"}
FORGOTTEN = {**RESTAURANT, "hotel-stars": "4"}

Pairs = dict[str, Any]


def turn(gold: Pairs, predicted: Pairs | None) -> tuple[Pairs, Pairs | None]:
    """A turn by its gold and predicted states."""
    return {"state": gold}, None if predicted is None else {"state": predicted}


def first() -> tuple[Pairs, Pairs | None]:
    return turn(RESTAURANT, RESTAURANT)


def test_worked_example_of_section_7_the_area_is_carried_over() -> None:
    assert values(memory_transfer, first(), turn(BOTH, BOTH)) == [1.0]


def test_a_constraint_that_is_not_taken_over_is_wrong() -> None:
    (mark,) = marks(memory_transfer, dialogue(first(), turn(BOTH, FORGOTTEN)))
    assert (mark.value, mark.at, mark.turn, mark.group) == (0.0, "hotel-area", "2", "hotel")
    assert mark.why == "north was not taken over within 3 turns"


@pytest.mark.parametrize(("late", "value"), [(0, 1.0), (1, 1.0), (2, 1.0), (3, 0.0)])
def test_the_system_has_that_turn_and_the_next_two(late: int, value: float) -> None:
    turns = [turn(BOTH, FORGOTTEN)] * late + [turn(BOTH, BOTH)]
    assert values(memory_transfer, first(), *turns) == [value]


def test_another_value_in_the_new_domain_is_not_taken_over() -> None:
    assert values(memory_transfer, first(), turn(BOTH, {**RESTAURANT, "hotel-area": "south"})) == [0.0]


def test_without_a_change_of_domain_the_question_does_not_arise() -> None:
    assert values(memory_transfer, first(), turn({**RESTAURANT, "restaurant-food": "thai"}, RESTAURANT)) == []


def test_section_7_a_user_who_wants_something_else_gives_no_opportunity() -> None:
    south = {**RESTAURANT, "hotel-area": "south"}
    assert values(memory_transfer, first(), turn(south, BOTH)) == []
    assert values(memory_transfer, first(), turn(FORGOTTEN, BOTH)) == []


def test_section_7_booking_slots_are_not_transferable() -> None:
    gold = {"restaurant-bookday": "monday"}
    later = {**gold, "hotel-bookday": "monday"}
    assert values(memory_transfer, turn(gold, gold), turn(later, later)) == []


def test_area_and_pricerange_are_an_opportunity_each() -> None:
    gold = {**RESTAURANT, "restaurant-pricerange": "cheap"}
    later = {**gold, "hotel-area": "north", "hotel-pricerange": "cheap"}
    predicted = {**gold, "hotel-area": "north", "hotel-pricerange": "expensive"}
    assert values(memory_transfer, turn(gold, gold), turn(later, predicted)) == [1.0, 0.0]


def test_the_opportunity_comes_from_gold_whatever_the_arm_tracked_before() -> None:
    assert values(memory_transfer, turn(RESTAURANT, {}), turn(BOTH, BOTH)) == [1.0]
    assert values(memory_transfer, turn(RESTAURANT, {}), turn(BOTH, {})) == [0.0]


def test_the_values_are_compared_under_the_policy() -> None:
    gold = {"restaurant-area": "centre"}
    later = {**gold, "hotel-area": "center"}
    assert values(memory_transfer, turn(gold, gold), turn(later, {"hotel-area": "centre"})) == [1.0]


def test_any_alternative_of_gold_counts_as_repeated() -> None:
    gold = {"restaurant-area": ("north", "northern")}
    later = {**gold, "hotel-area": "northern"}
    assert values(memory_transfer, turn(gold, gold), turn(later, later)) == [1.0]


def test_dialogues_weigh_alike() -> None:
    assert memory_transfer.card.pool == "conversations"


def test_carryover_takes_every_predicted_constraint_for_an_opportunity() -> None:
    hotel = {"intents": ("find_hotel",), "state": FORGOTTEN}
    restaurant = {"intents": ("find_restaurant",), "state": RESTAURANT}
    kept = dialogue((restaurant, {"state": RESTAURANT}), (hotel, {"state": BOTH}))
    lost = dialogue((restaurant, {"state": RESTAURANT}), (hotel, {"state": FORGOTTEN}))
    assert Score.of(marks(memory_carryover, kept)).value == 1.0
    assert Score.of(marks(memory_carryover, lost)).value == 0.0
    assert Score.of(marks(memory_transfer, lost)).value is None


def test_carryover_is_a_variant_of_which_neither_direction_is_better() -> None:
    assert (memory_carryover.card.variant, memory_carryover.card.better) == (True, "neither")


def test_carryover_without_a_constraint_or_a_change_of_domain_is_undefined() -> None:
    restaurant = {"intents": ("find_restaurant",), "state": RESTAURANT}
    hotel = {"intents": ("find_hotel",), "state": FORGOTTEN}
    assert values(memory_carryover, (restaurant, {"state": {}}), (hotel, {"state": BOTH})) == []
    assert values(memory_carryover, (restaurant, {"state": RESTAURANT}), (restaurant, {"state": RESTAURANT})) == []
