"""Section 9 of spec/service.md: system correctness, the expected action always taken from gold."""

from pathlib import Path
from typing import Any

import pytest
from dialogues import acts, dialogue, marks, scored_from_file, values

from adjudge.core.mark import Score
from adjudge.suites.service.metrics.correctness import system_correctness, system_correctness_ceiling

FULL = {"hotel-name": "hilton", "hotel-bookday": "saturday", "hotel-bookpeople": "2", "hotel-bookstay": "2"}
SOME = {"hotel-bookpeople": "2"}


def gold(intent: str, state: dict[str, str] | None = None) -> dict[str, Any]:
    return {"intents": (intent,) if intent else (), "state": state or {}}


def did(action: str, state: dict[str, str] | None = None, **more: Any) -> dict[str, Any]:
    return {"action": action, "state": state or {}, **more}


def test_example_1_of_section_9_asking_for_what_an_incomplete_booking_needs_is_correct() -> None:
    assert values(system_correctness, (gold("book_hotel", SOME), did("request", SOME))) == [1.0]


def test_example_2_of_section_9_blocking_a_booking_without_nights_is_correct() -> None:
    known = {slot: value for slot, value in FULL.items() if slot != "hotel-bookstay"}
    assert values(system_correctness, (gold("book_hotel", known), did("request", known))) == [1.0]


def test_example_3_of_section_9_an_invented_value_is_incorrect() -> None:
    wanted = {"restaurant-pricerange": "expensive", "restaurant-area": "centre"}
    invented = {**wanted, "restaurant-name": "the golden dragon"}
    (mark,) = marks(system_correctness, dialogue((gold("find_restaurant", wanted), did("search", invented))))
    assert (mark.value, mark.why) == (0.0, "invented restaurant-name")


def test_example_4_of_section_9_searching_where_a_booking_is_due_is_incorrect() -> None:
    (mark,) = marks(system_correctness, dialogue((gold("book_hotel", FULL), did("search", FULL))))
    assert (mark.value, mark.why) == (0.0, "expected book, did search")


@pytest.mark.parametrize(
    ("intent", "state", "action"),
    [
        ("find_hotel", {}, "search"),
        ("book_hotel", FULL, "book"),
        ("book_hotel", SOME, "request"),
        ("", {}, "inform"),
    ],
)
def test_the_criteria_of_section_9(intent: str, state: dict[str, str], action: str) -> None:
    for done in ("search", "book", "request", "inform"):
        assert values(system_correctness, (gold(intent, state), did(done, state))) == [float(done == action)]


def test_booking_without_required_slots_is_incorrect_even_where_a_booking_is_due() -> None:
    (mark,) = marks(system_correctness, dialogue((gold("book_hotel", FULL), did("book", SOME))))
    assert (mark.value, mark.why) == (0.0, "booked hotel without name, bookday, bookstay")


def test_the_expected_action_never_comes_from_the_predicted_intent() -> None:
    """A search after a wrong find_hotel is consistent with itself, and still wrong."""
    predicted = did("search", FULL, intents=("find_hotel",))
    assert values(system_correctness, (gold("book_hotel", FULL), predicted)) == [0.0]


def test_the_expected_action_comes_from_the_gold_state() -> None:
    """The arm lost the name and asks for it, though the user gave it: a booking was due."""
    lost = {slot: value for slot, value in FULL.items() if slot != "hotel-name"}
    assert values(system_correctness, (gold("book_hotel", FULL), did("request", lost))) == [0.0]


@pytest.mark.parametrize("nothing", ["", "none", "not mentioned"])
def test_a_gold_slot_that_holds_nothing_is_still_to_be_asked_for(nothing: str) -> None:
    state = {**FULL, "hotel-bookstay": nothing}
    assert values(system_correctness, (gold("book_hotel", state), did("request"))) == [1.0]


def test_acts_amount_to_actions_by_the_table() -> None:
    search = {"state": {}, "acts": acts("Hotel-Recommend")}
    assert values(system_correctness, (gold("find_hotel"), search)) == [1.0]
    book = {"state": FULL, "acts": acts("Booking-Book", "general-reqmore")}
    assert values(system_correctness, (gold("book_hotel", FULL), book)) == [1.0]
    unasked = {"state": FULL, "acts": acts("Hotel-Inform", "Booking-Book")}
    assert values(system_correctness, (gold("find_hotel", FULL), unasked)) == [0.0]


def test_a_reply_that_does_nothing_known_is_incorrect() -> None:
    (mark,) = marks(system_correctness, dialogue((gold("find_hotel"), {"state": {}})))
    assert mark.why == "expected search, did nothing"


def test_intents_that_are_neither_find_nor_book_are_undefined() -> None:
    assert values(system_correctness, (gold("ReserveHotel"), did("book"))) == []


def test_gold_that_says_nothing_of_intents_is_undefined() -> None:
    assert values(system_correctness, ({"state": {}}, did("search"))) == []


def test_a_turn_without_prediction_gives_no_mark() -> None:
    assert values(system_correctness, (gold("find_hotel"), None)) == []


def test_the_word_none_as_gold_intent_calls_for_an_inform(tmp_path: Path) -> None:
    scores = scored_from_file(tmp_path, dialogue((gold("NONE"), did("inform"))))
    assert scores["system_correctness"].value == 1.0


def test_the_dialogue_value_is_correct_turns_over_turns() -> None:
    right, wrong = (gold("find_hotel"), did("search")), (gold("find_hotel"), did("request"))
    assert Score.of(marks(system_correctness, dialogue(right, wrong, wrong, wrong))).value == 0.25


def test_the_ceiling_is_what_the_gold_replies_reach() -> None:
    agrees = {**gold("find_hotel"), "acts": acts("Hotel-Inform")}
    differs = {**gold("book_hotel", FULL), "acts": acts("Hotel-Inform")}
    assert values(system_correctness_ceiling, (agrees, None), (differs, None)) == [1.0, 0.0]


def test_without_gold_acts_there_is_no_ceiling() -> None:
    assert values(system_correctness_ceiling, (gold("find_hotel"), did("search"))) == []


def test_the_ceiling_needs_no_prediction_and_has_no_direction() -> None:
    card = system_correctness_ceiling.card
    assert (card.predicts, card.better) == ((), "neither")
