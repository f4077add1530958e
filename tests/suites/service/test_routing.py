"""Section 1 of spec/service.md: domain routing accuracy."""

from dialogues import dialogue, marks, values

from adjudge.core.mark import Score
from adjudge.suites.service.metrics.routing import domain_accuracy, domain_accuracy_all_turns

FIND_RESTAURANT = {"intents": ("find_restaurant",)}
NO_INTENT = {"intents": ()}


def test_worked_example_of_section_1_a_hotel_for_a_restaurant_is_wrong() -> None:
    assert values(domain_accuracy, (FIND_RESTAURANT, {"domains": ("hotel",)})) == [0.0]


def test_the_domain_of_the_gold_intent_is_right() -> None:
    assert values(domain_accuracy, (FIND_RESTAURANT, {"domains": ("restaurant",)})) == [1.0]


def test_the_domains_of_predicted_intents_count_where_no_domain_is_named() -> None:
    assert values(domain_accuracy, (FIND_RESTAURANT, {"intents": ("book_restaurant",)})) == [1.0]


def test_a_domain_that_is_named_counts_before_that_of_the_intent() -> None:
    predicted = {"domains": ("hotel",), "intents": ("find_restaurant",)}
    assert values(domain_accuracy, (FIND_RESTAURANT, predicted)) == [0.0]


def test_several_domains_are_a_set() -> None:
    gold = {"intents": ("find_hotel", "book_restaurant")}
    assert values(domain_accuracy, (gold, {"domains": ("restaurant", "hotel")})) == [1.0]
    assert values(domain_accuracy, (gold, {"domains": ("hotel",)})) == [0.0]


def test_a_turn_without_gold_intent_is_undefined() -> None:
    assert values(domain_accuracy, (NO_INTENT, {"domains": ("hotel",)})) == []
    assert values(domain_accuracy, ({"intents": ("NONE",)}, {"domains": ("hotel",)})) == []


def test_the_variant_counts_turns_without_gold_intent() -> None:
    assert values(domain_accuracy_all_turns, (NO_INTENT, {"domains": ("hotel",)})) == [0.0]
    assert values(domain_accuracy_all_turns, (NO_INTENT, {"domains": ()})) == [1.0]


def test_gold_that_says_nothing_of_intents_is_undefined() -> None:
    assert values(domain_accuracy, ({"state": {}}, {"domains": ("hotel",)})) == []
    assert values(domain_accuracy_all_turns, ({"state": {}}, {"domains": ("hotel",)})) == []


def test_a_turn_without_prediction_gives_no_mark() -> None:
    assert values(domain_accuracy, (FIND_RESTAURANT, None), (FIND_RESTAURANT, {"domains": ("restaurant",)})) == [1.0]


def test_a_turn_predicted_without_domain_is_wrong() -> None:
    assert values(domain_accuracy, (FIND_RESTAURANT, {"state": {}})) == [0.0]


def test_the_variant_takes_no_prediction_of_domains_for_wrong_and_not_for_no_domain() -> None:
    assert values(domain_accuracy_all_turns, (NO_INTENT, {"state": {}})) == [0.0]


def test_an_output_that_could_not_be_read_is_wrong() -> None:
    assert values(domain_accuracy, (FIND_RESTAURANT, {"unparsed": "{"})) == [0.0]


def test_the_dialogue_value_is_the_mean_over_its_turns() -> None:
    right, wrong = (FIND_RESTAURANT, {"domains": ("restaurant",)}), (FIND_RESTAURANT, {"domains": ("taxi",)})
    assert Score.of(marks(domain_accuracy, dialogue(right, right, wrong, right))).value == 0.75
    assert domain_accuracy.card.pool == "conversations"


def test_a_wrong_turn_says_what_was_found_and_wanted() -> None:
    (mark,) = marks(domain_accuracy, dialogue((FIND_RESTAURANT, {"domains": ("hotel",)})))
    assert (mark.turn, mark.group, mark.why) == ("0", "restaurant", "found hotel, gold restaurant")
