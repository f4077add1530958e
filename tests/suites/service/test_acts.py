"""Section 3 of spec/service.md: action-type accuracy."""

import pytest
from dialogues import acts, dialogue, marks, values

from adjudge.core.card import Metric
from adjudge.suites.service.data import Annotation, ServiceDialogue, ServiceTurn
from adjudge.suites.service.metrics.acts import act_accuracy, act_f1, act_precision, act_recall

ALL = [act_accuracy, act_precision, act_recall, act_f1]


def test_worked_example_of_section_3() -> None:
    gold = {"acts": acts("Restaurant-Inform")}
    assert values(act_accuracy, (gold, {"acts": acts("Restaurant-Inform")})) == [1.0]
    assert values(act_accuracy, (gold, {"acts": acts("Restaurant-Request")})) == [0.0]


def test_section_3_a_missing_act_costs_recall_only() -> None:
    gold = {"acts": acts("Restaurant-Inform", "Restaurant-Request")}
    turn = (gold, {"acts": acts("Restaurant-Inform")})
    assert [values(metric, turn) for metric in ALL] == [[0.0], [1.0], [0.5], [pytest.approx(2 / 3)]]


def test_section_3_an_extra_act_costs_precision_only() -> None:
    gold = {"acts": acts("Hotel-Inform", "Hotel-Request")}
    turn = (gold, {"acts": acts("Hotel-Inform", "Hotel-Request", "Hotel-Book")})
    assert [values(metric, turn) for metric in ALL] == [[0.0], [pytest.approx(2 / 3)], [1.0], [0.8]]


def test_types_count_and_their_slots_do_not() -> None:
    gold = {"acts": {"Hotel-Inform": (("area", "north"),)}}
    assert values(act_accuracy, (gold, {"acts": {"Hotel-Inform": (("area", "south"),)}})) == [1.0]


def test_gold_acts_are_those_of_the_following_system_turn() -> None:
    asks = ServiceTurn("0", "user", predicted=Annotation(acts=acts("Hotel-Inform")))
    reply = ServiceTurn("1", "system", gold=Annotation(acts=acts("Hotel-Inform")))
    asks_on = ServiceTurn("2", "user", predicted=Annotation(acts=acts("Hotel-Inform")))
    last = ServiceTurn("3", "system", gold=Annotation(acts=acts("general-bye")))
    record = ServiceDialogue(id="d", turns=(asks, reply, asks_on, last))
    assert [mark.value for mark in marks(act_accuracy, record)] == [1.0, 0.0]


@pytest.mark.parametrize("metric", ALL, ids=lambda metric: metric.card.name)
def test_a_reply_without_gold_acts_is_undefined(metric: Metric) -> None:
    assert values(metric, ({"acts": {}}, {"acts": acts("Hotel-Inform")})) == []
    assert values(metric, ({"intents": ("find_hotel",)}, {"acts": acts("Hotel-Inform")})) == []


@pytest.mark.parametrize("metric", ALL, ids=lambda metric: metric.card.name)
def test_a_turn_without_prediction_gives_no_mark(metric: Metric) -> None:
    assert values(metric, ({"acts": acts("Hotel-Inform")}, None)) == []


def test_a_turn_predicted_without_acts_is_wrong() -> None:
    turn = ({"acts": acts("Hotel-Inform")}, {"intents": ("find_hotel",)})
    assert [values(metric, turn) for metric in ALL] == [[0.0], [], [0.0], [0.0]]


def test_the_mark_stands_at_the_user_turn() -> None:
    (mark,) = marks(act_accuracy, dialogue(({"acts": acts("Hotel-Inform")}, {"acts": {}})))
    assert (mark.turn, mark.why) == ("0", "found none, gold Hotel-Inform")
