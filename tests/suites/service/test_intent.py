"""Section 2 of spec/service.md: intent accuracy."""

from pathlib import Path

import pytest
from dialogues import dialogue, marks, scored_from_file, values

from adjudge.core.card import Metric
from adjudge.core.mark import Score
from adjudge.suites.service.metrics.intent import (
    intent_accuracy,
    intent_accuracy_all_turns,
    intent_f1,
    intent_precision,
    intent_recall,
)

ALL = [intent_accuracy, intent_precision, intent_recall, intent_f1]
ONE = {"intents": ("find_hotel",)}
TWO = {"intents": ("find_hotel", "book_hotel")}


def test_worked_example_of_section_2() -> None:
    gold = {"intents": ("find_restaurant",)}
    assert values(intent_accuracy, (gold, {"intents": ("find_restaurant",)})) == [1.0]
    assert values(intent_accuracy, (gold, {"intents": ("find_hotel",)})) == [0.0]


def test_section_2_a_missing_intent_costs_recall_only() -> None:
    assert [values(metric, (TWO, ONE)) for metric in ALL] == [[0.0], [1.0], [0.5], [pytest.approx(2 / 3)]]


def test_section_2_an_extra_intent_costs_precision_only() -> None:
    assert [values(metric, (ONE, TWO)) for metric in ALL] == [[0.0], [0.5], [1.0], [pytest.approx(2 / 3)]]


def test_the_order_of_intents_does_not_matter() -> None:
    assert values(intent_accuracy, (TWO, {"intents": ("book_hotel", "find_hotel")})) == [1.0]


@pytest.mark.parametrize("metric", ALL, ids=lambda metric: metric.card.name)
def test_a_turn_without_gold_intent_is_undefined(metric: Metric) -> None:
    assert values(metric, ({"intents": ()}, ONE)) == []


def test_a_turn_whose_gold_intent_is_the_word_none_is_undefined(tmp_path: Path) -> None:
    record = dialogue(({"intents": ("NONE",)}, {"intents": ("NONE",)}), ({"intents": ("NONE",)}, ONE))
    scores = scored_from_file(tmp_path, record)
    assert [scores[metric.card.name].value for metric in ALL] == [None] * 4


def test_the_variant_counts_turns_without_gold_intent() -> None:
    assert values(intent_accuracy_all_turns, ({"intents": ()}, {"intents": ()}), ({"intents": ()}, ONE)) == [1.0, 0.0]


def test_the_variant_takes_the_word_none_for_no_intent(tmp_path: Path) -> None:
    scores = scored_from_file(tmp_path, dialogue(({"intents": ()}, {"intents": ("NONE",)})))
    assert scores["intent_accuracy_all_turns"].value == 1.0


@pytest.mark.parametrize("metric", ALL, ids=lambda metric: metric.card.name)
def test_a_turn_without_prediction_gives_no_mark(metric: Metric) -> None:
    assert values(metric, (ONE, None)) == []


def test_a_turn_predicted_without_intent_is_wrong() -> None:
    assert [values(metric, (ONE, {"state": {}})) for metric in ALL] == [[0.0], [], [0.0], [0.0]]


def test_the_variant_takes_no_prediction_of_intents_for_wrong_and_not_for_no_intent() -> None:
    assert values(intent_accuracy_all_turns, ({"intents": ()}, {"state": {}})) == [0.0]


def test_turns_weigh_as_many_intents_as_they_hold() -> None:
    record = dialogue((TWO, TWO), (ONE, {"intents": ("find_taxi",)}))
    assert Score.of(marks(intent_accuracy, record)).value == 0.5
    assert Score.of(marks(intent_precision, record)).value == pytest.approx(2 / 3)
    assert Score.of(marks(intent_recall, record)).value == pytest.approx(2 / 3)
    assert Score.of(marks(intent_f1, record)).value == pytest.approx(2 / 3)
