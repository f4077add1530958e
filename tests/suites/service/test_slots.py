"""Section 4 of spec/service.md: slot-level accuracy, with precision and F1 beside it."""

import pytest
from dialogues import dialogue, marks, values

from adjudge.core.card import Metric
from adjudge.core.mark import Score
from adjudge.suites.service.metrics.slots import slot_accuracy, slot_f1, slot_precision, slot_recall
from adjudge.suites.service.rules.values import STRICT

ALL = [slot_accuracy, slot_precision, slot_recall, slot_f1]
CENTRE_CHEAP = {"restaurant-area": "centre", "restaurant-pricerange": "cheap"}


def state(**slots: str | tuple[str, ...]) -> dict[str, dict[str, str | tuple[str, ...]]]:
    return {"state": {f"hotel-{slot}": value for slot, value in slots.items()}}


def test_worked_example_of_section_4() -> None:
    gold = {"state": CENTRE_CHEAP}
    predicted = {"state": {**CENTRE_CHEAP, "restaurant-pricerange": "expensive"}}
    assert [values(metric, (gold, predicted)) for metric in ALL] == [[0.5], [0.5], [0.5], [0.5]]


def test_section_4_a_missing_slot_costs_accuracy() -> None:
    turn = (state(area="north", stars="4", parking="yes"), state(area="north", stars="4"))
    assert [values(metric, turn) for metric in ALL] == [[pytest.approx(2 / 3)], [1.0], [pytest.approx(2 / 3)], [0.8]]


def test_section_4_an_extra_slot_costs_precision_only() -> None:
    turn = (state(area="north", stars="4"), state(area="north", stars="4", parking="yes"))
    assert [values(metric, turn) for metric in ALL] == [[1.0], [pytest.approx(2 / 3)], [1.0], [0.8]]


def test_any_gold_alternative_is_right() -> None:
    gold = state(name=("acorn guest house", "the acorn"))
    assert values(slot_accuracy, (gold, state(name="the acorn"))) == [1.0]
    assert values(slot_accuracy, (gold, state(name="the limehouse"))) == [0.0]


def test_naming_several_values_to_be_safe_is_not_right() -> None:
    guess = ("north", "south", "east", "west", "centre")
    assert values(slot_accuracy, (state(area="north"), state(area=guess))) == [0.0]
    assert values(slot_precision, (state(area="north"), state(area=guess))) == [0.0]


def test_dontcare_is_a_value_on_both_sides() -> None:
    assert values(slot_accuracy, (state(area="dontcare"), state(area="do n't care"))) == [1.0]
    assert values(slot_accuracy, (state(area="dontcare"), state())) == [0.0]
    assert values(slot_precision, (state(), state(area="dontcare"))) == [0.0]


@pytest.mark.parametrize("nothing", ["", "none", "not mentioned", ()])
def test_a_slot_that_holds_nothing_is_not_there(nothing: str) -> None:
    assert values(slot_precision, (state(stars="4"), state(stars="4", area=nothing))) == [1.0]
    assert values(slot_accuracy, (state(stars="4", area=nothing), state(stars="4"))) == [1.0]


def test_an_empty_gold_state_is_undefined_for_recall_and_an_empty_prediction_for_precision() -> None:
    assert [values(metric, (state(), state(area="north"))) for metric in ALL] == [[], [0.0], [], [0.0]]
    assert [values(metric, (state(area="north"), state())) for metric in ALL] == [[0.0], [], [0.0], [0.0]]
    assert [values(metric, (state(), state())) for metric in ALL] == [[], [], [], []]


@pytest.mark.parametrize("metric", ALL, ids=lambda metric: metric.card.name)
def test_gold_without_state_and_turns_without_prediction_give_no_mark(metric: Metric) -> None:
    assert values(metric, ({"intents": ("find_hotel",)}, state(area="north"))) == []
    assert values(metric, (state(area="north"), None)) == []


def test_a_turn_predicted_without_state_misses_everything() -> None:
    assert values(slot_accuracy, (state(area="north"), {"intents": ("find_hotel",)})) == [0.0]


def test_turns_weigh_alike_in_accuracy_and_by_pairs_in_recall() -> None:
    record = dialogue(
        (state(area="north"), state(area="north")),
        (state(area="north", stars="4", type="hotel"), state(area="north")),
    )
    assert Score.of(marks(slot_accuracy, record)).value == pytest.approx((1 + 1 / 3) / 2)
    assert Score.of(marks(slot_recall, record)).value == pytest.approx(2 / 4)
    assert Score.of(marks(slot_precision, record)).value == 1.0
    assert Score.of(marks(slot_f1, record)).value == pytest.approx(2 * 2 / (2 + 4))


def test_the_match_policy_decides() -> None:
    turn = (state(area="centre"), state(area="Center"))
    assert values(slot_accuracy, turn) == [1.0]
    assert values(slot_accuracy, turn, match=STRICT) == [0.0]


def test_missed_pairs_are_named() -> None:
    (mark,) = marks(slot_accuracy, dialogue((state(area=("north", "northern"), stars="4"), state(stars="3"))))
    assert mark.why == "missed hotel-area: north | northern; hotel-stars: 4"
