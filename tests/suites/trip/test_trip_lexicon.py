"""Every alternative of the lexicon is found where it stands alone, in its example or in a plain sentence."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from wishing import categories_in, lodging, marks, trip

from adjudge.suites.trip.lexicon import table_of
from adjudge.suites.trip.metrics.strategy import theory_phrase
from adjudge.suites.trip.rules.elections import WINNERS
from adjudge.suites.trip.rules.house_rules import topics_in
from adjudge.suites.trip.rules.offers import room_types
from adjudge.suites.trip.rules.plan_words import is_unnamed, says_nothing
from adjudge.suites.trip.rules.refusals import idioms
from adjudge.suites.trip.rules.strategies import operator_of
from adjudge.suites.trip.rules.vocabulary import informative, lexicon
from adjudge.suites.trip.rules.wishes import parse_wish

WISHES = table_of("wishes")
LODGING = table_of("lodging")
CATEGORIES = table_of("categories")
PLANS = table_of("plans")


def wrong(phrases: list[str], holds: Callable[[str], object]) -> list[str]:
    return [phrase for phrase in phrases if not holds(phrase)]


@pytest.mark.parametrize("kind", [name for name in table_of("idioms") if name != "parts"])
def test_every_idiom_is_found_in_its_example(kind: str) -> None:
    examples = zip(idioms(kind), (idiom["example"] for idiom in table_of("idioms")[kind]), strict=True)
    assert [example for pattern, example in examples if not pattern.search(example)] == []


def test_every_cue_refuses_what_follows_it() -> None:
    assert wrong(WISHES["negation"]["cues"], lambda cue: parse_wish(f"{cue} karaoke").unwanted) == []


def test_every_phrase_after_a_thing_refuses_it() -> None:
    assert wrong(WISHES["negation"]["after"], lambda phrase: parse_wish(f"karaoke {phrase}").unwanted) == []


def test_what_only_looks_like_a_negation_refuses_nothing() -> None:
    assert wrong(WISHES["negation"]["none"], lambda phrase: not parse_wish(f"{phrase} karaoke").unwanted) == []


def test_what_is_tolerated_is_no_wish() -> None:
    assert (
        wrong(WISHES["negation"]["tolerance"], lambda phrase: parse_wish(f"{phrase} about karaoke").indifferent) == []
    )


def test_what_is_free_of_a_thing_refuses_it() -> None:
    assert wrong(WISHES["negation"]["free"], lambda thing: thing in parse_wish(f"{thing} free food").unwanted) == []


def test_every_phrase_of_indifference_is_no_wish() -> None:
    assert wrong(WISHES["indifference"]["phrases"], lambda phrase: parse_wish(phrase).indifferent) == []


def test_stop_words_say_nothing() -> None:
    assert wrong(WISHES["stop_words"], lambda word: not informative(word)) == []


@pytest.mark.parametrize("kind", LODGING["rooms"])
def test_every_phrase_for_a_type_of_room_names_it(kind: str) -> None:
    assert wrong(LODGING["rooms"][kind], lambda phrase: kind in room_types(phrase)) == []


def test_phrases_that_are_about_no_room_name_none() -> None:
    assert wrong(LODGING["no_rooms"], lambda phrase: not room_types(phrase)) == []


@pytest.mark.parametrize("slot", CATEGORIES["kinds"])
def test_every_word_for_a_category_names_it(slot: str) -> None:
    known = lexicon(slot)
    for kind, others in CATEGORIES["kinds"][slot].items():
        phrases = [kind, *others, *CATEGORIES["gives"].get(kind, [])]
        assert (
            wrong(
                phrases,
                lambda phrase, kind=kind: kind in categories_in(phrase, known),
            )
            == []
        )


def test_every_narrower_category_is_known_beside_a_wider_one() -> None:
    named = {kind for slot in CATEGORIES["kinds"].values() for kind, others in slot.items() for kind in (kind, *others)}
    given = {phrase for phrases in CATEGORIES["gives"].values() for phrase in phrases}
    assert set(CATEGORIES["within"]) <= named
    assert {kind for narrower in CATEGORIES["within"].values() for kind in narrower} <= named | given


def test_every_phrase_of_theory_gives_the_theory_away() -> None:
    table = table_of("leakage")
    assert wrong([*table["phrases"], *table["strategies"]], theory_phrase) == []
    assert wrong(table["ordinary"], lambda name: theory_phrase(f"the {name} strategy")) == []


def test_what_a_plan_writes_for_nothing_is_found_in_its_example() -> None:
    assert wrong([each["example"] for each in PLANS["nothing"]], says_nothing) == []
    for word in PLANS["parts"]["sort"]:
        assert says_nothing(f"No {word.removesuffix('?')}"), word
    for word in PLANS["parts"]["done"]:
        assert says_nothing(f"Not {word}"), word


def test_every_word_for_a_meal_or_a_night_without_a_name_is_found() -> None:
    meals = PLANS["meals"]
    assert wrong(meals["kitchen"], lambda word: is_unnamed(f"{word} lunch", "lunch")) == []
    assert wrong(meals["vague"], lambda word: is_unnamed(f"{word} restaurant", "lunch")) == []
    assert wrong(meals["noun"], lambda word: is_unnamed(f"local {word}", "lunch")) == []
    assert wrong(meals["beside"], lambda word: is_unnamed(f"packed {word}", "lunch")) == []
    assert wrong(PLANS["nights"]["away"], lambda word: is_unnamed(word, "lodging")) == []
    assert wrong(PLANS["nights"]["beside"], lambda word: is_unnamed(f"home {word}", "lodging")) == []


def test_every_strategy_and_method_has_an_operator() -> None:
    table = table_of("strategies")
    operators = {*WINNERS, "include_both", "subgroups", "unchecked"}
    assert {*table["strategies"].values(), *table["methods"].values()} <= operators
    assert wrong([*table["strategies"], *table["aliases"], *table["methods"]], operator_of) == []


def test_words_general_to_a_slot_tell_nothing_there() -> None:
    for slot, general in WISHES["generic"].items():
        assert wrong(general, lambda word, slot=slot: not informative(word, slot)) == [], slot


def test_who_says_what_they_want_gives_no_reason() -> None:
    # "My knee hurts" beside a refusal is a reason; with one of these words it is a wish.
    for word in WISHES["negation"]["desire"]:
        assert parse_wish(f"no museums, we {word} karaoke").wanted, word


def test_a_clause_that_begins_with_a_person_is_a_reason_beside_a_refusal() -> None:
    for word in WISHES["negation"]["persons"]:
        assert not parse_wish(f"no museums. {word} feet hurt").wanted, word


def test_words_of_prices_add_nothing_to_a_limit() -> None:
    assert wrong(WISHES["price"]["words"], lambda word: parse_wish(f"{word} at most $40 each").wanted == "") == []


def test_phrases_that_are_about_no_category_or_rule_name_none() -> None:
    slots = [lexicon(slot) for slot in CATEGORIES["kinds"]]
    assert wrong(CATEGORIES["no_kinds"], lambda phrase: not any(categories_in(phrase, known) for known in slots)) == []
    assert wrong(LODGING["no_rules"], lambda phrase: not topics_in(f"{phrase} four")) == []


@pytest.mark.parametrize("topic", LODGING["rules"])
def test_every_word_for_what_a_house_rule_forbids_names_it(topic: str) -> None:
    assert wrong(LODGING["rules"][topic], lambda word: topic in topics_in(f"with a {word}")) == []


def test_every_word_of_permission_and_prohibition_is_read() -> None:
    house = lodging("Hill House", "Private room", "No pets")
    for word in LODGING["permission"]["words"]:
        record = trip({"Ann": {"lodging": f"children {word}"}}, house)
        assert [mark.value for mark in marks("channel_house_rules", record)] == [1.0], word
    for word in LODGING["permission"]["forbidding"]:
        record = trip({"Ann": {"lodging": f"no house that {word}s pets"}}, house)
        assert [mark.value for mark in marks("satisfaction_lexical", record)] == [0.0], word
