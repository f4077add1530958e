"""Section 10 of spec/service.md: task completion, and its table against system correctness."""

from typing import Any

import pytest
from dialogues import acts, dialogue, marks

from adjudge.core.mark import Score
from adjudge.suites.service.data import Goal, ServiceDialogue
from adjudge.suites.service.metrics.completion import task_completion, task_completion_ceiling
from adjudge.suites.service.metrics.correctness import system_correctness

FULL = {"hotel-name": "university arms", "hotel-bookday": "saturday", "hotel-bookpeople": "2", "hotel-bookstay": "2"}
NAMELESS = {slot: value for slot, value in FULL.items() if slot != "hotel-name"}
BOOKING = Goal(booking={"people": "2", "day": "saturday", "stay": "2"})


def gold(intent: str = "", state: dict[str, str] | None = None, **more: Any) -> dict[str, Any]:
    return {"intents": (intent,) if intent else (), "state": state or {}, **more}


def did(action: str, state: dict[str, str] | None = None, **more: Any) -> dict[str, Any]:
    return {"action": action, "state": state or {}, **more}


def completed(record: ServiceDialogue) -> float | None:
    return Score.of(marks(task_completion, record)).value


def test_example_1_of_section_10_all_slots_and_a_booking_complete_the_task() -> None:
    assert completed(dialogue((gold("book_hotel", FULL), did("book", FULL)))) == 1.0


def test_example_2_of_section_10_a_missing_name_leaves_it_incomplete() -> None:
    asked = (gold("book_hotel", NAMELESS), did("request", NAMELESS))
    closed = (gold("", NAMELESS), did("inform", NAMELESS))
    assert completed(dialogue(asked, closed)) == 0.0


def test_example_3_of_section_10_no_booking_action_leaves_it_incomplete() -> None:
    offered = (gold("book_hotel", FULL), did("inform", FULL))
    closed = (gold("", FULL), did("inform", FULL))
    (mark,) = marks(task_completion, dialogue(offered, closed))
    assert (mark.value, mark.why) == (0.0, "hotel not booked")


THE_TABLE = [
    ("all info, the system books", [(gold("book_hotel", FULL), did("book", FULL))], 1.0, 1.0),
    ("missing info, the system asks", [(gold("book_hotel", NAMELESS), did("request", NAMELESS))], 0.0, 1.0),
    ("all info, the system fails to book", [(gold("book_hotel", FULL), did("search", FULL))], 0.0, 0.0),
    (
        "the system hallucinates during search",
        [(gold("find_hotel", {"hotel-area": "centre"}), did("search", {"hotel-area": "north"}))],
        0.0,
        0.0,
    ),
]


@pytest.mark.parametrize(
    ("turns", "completion", "correctness"), [row[1:] for row in THE_TABLE], ids=[row[0] for row in THE_TABLE]
)
def test_the_table_of_section_10(turns: list[Any], completion: float, correctness: float) -> None:
    """The customer wants a hotel booked in all four scenarios."""
    record = dialogue(*turns, goal={"hotel": BOOKING})
    assert completed(record) == completion
    assert Score.of(marks(system_correctness, record)).value == correctness


def test_step_0_of_section_10_a_policy_violation_forfeits_completion() -> None:
    hasty, mended = (gold("book_hotel", FULL), did("book", NAMELESS)), (gold("book_hotel", FULL), did("book", FULL))
    (mark,) = marks(task_completion, dialogue(hasty, mended))
    assert (mark.value, mark.why) == (0.0, "booked hotel without name")


def test_bookings_are_checked_only_for_services_that_are_to_be_booked() -> None:
    goal = {"hotel": BOOKING, "restaurant": Goal(informable={"food": "thai"}), "attraction": Goal()}
    assert completed(dialogue((gold("book_hotel", FULL), did("book", FULL)), goal=goal)) == 1.0


def test_every_service_to_be_booked_must_be_booked() -> None:
    goal = {"hotel": BOOKING, "restaurant": Goal(booking={"time": "18:00"})}
    (mark,) = marks(task_completion, dialogue((gold("book_hotel", FULL), did("book", FULL)), goal=goal))
    assert (mark.value, mark.why, mark.group) == (0.0, "restaurant not booked", "hotel+restaurant")


def test_the_goal_comes_before_gold_intents() -> None:
    record = dialogue((gold("book_hotel", FULL), did("search", FULL)), goal={"hotel": Goal(requestable=("PHONE",))})
    assert marks(task_completion, record)[0].why == "hotel: phone not given"


def test_without_goal_the_gold_intents_say_what_is_to_be_booked() -> None:
    assert completed(dialogue((gold("book_hotel", FULL), did("search", FULL)))) == 0.0


def test_nothing_to_book_and_nothing_to_tell_is_undefined() -> None:
    assert completed(dialogue((gold("find_hotel"), did("search")))) is None
    assert (
        completed(dialogue((gold("find_hotel"), did("search")), goal={"hotel": Goal(booking={"invalid": False})}))
        is None
    )


def test_a_required_slot_must_still_be_there_at_the_end() -> None:
    lost = (gold("", FULL), did("inform", NAMELESS))
    (mark,) = marks(task_completion, dialogue((gold("book_hotel", FULL), did("book", FULL)), lost))
    assert (mark.value, mark.why) == (0.0, "hotel lacks name at the end")


@pytest.mark.parametrize("nothing", ["", "none", "not mentioned"])
def test_a_required_slot_that_holds_nothing_is_missing(nothing: str) -> None:
    assert completed(dialogue((gold("book_hotel", FULL), did("book", {**FULL, "hotel-name": nothing})))) == 0.0


@pytest.mark.parametrize(
    "answer",
    [
        ({"acts": {"Hotel-Inform": (("phone", "01223 351241"),)}}, ""),
        ({"acts": {}}, "their number is 01223 351241"),
        ({"acts": {}}, "their number is [hotel_phone]"),
    ],
)
def test_information_is_given_by_an_act_or_by_the_reply(answer: tuple[dict[str, Any], str]) -> None:
    goal = {"hotel": Goal(requestable=("PHONE",))}
    predicted, reply = answer
    assert completed(dialogue((gold("find_hotel"), {"state": {}, **predicted}, reply), goal=goal)) == 1.0


def test_information_that_is_only_asked_for_is_not_given() -> None:
    goal = {"hotel": Goal(requestable=("PHONE",))}
    predicted = {"state": {}, "acts": {"Hotel-Request": (("phone", "?"),)}}
    assert completed(dialogue((gold("find_hotel"), predicted, "which phone?"), goal=goal)) == 0.0


def test_information_of_another_domain_is_not_given() -> None:
    goal = {"hotel": Goal(requestable=("PHONE",))}
    predicted = {"state": {}, "acts": {"Restaurant-Inform": (("phone", "01223 351241"),)}}
    assert completed(dialogue((gold("find_hotel"), predicted), goal=goal)) == 0.0


def test_without_goal_the_requested_slots_of_gold_are_to_be_told() -> None:
    asks = gold("find_hotel", requested=("hotel-phone",))
    assert completed(dialogue((asks, did("inform")))) == 0.0
    assert completed(dialogue((asks, did("inform"), "01223 351241"))) == 1.0


def test_a_dialogue_without_any_prediction_is_undefined() -> None:
    assert completed(dialogue((gold("book_hotel", FULL), None))) is None


def test_the_ceiling_is_what_the_gold_dialogue_reaches() -> None:
    books = gold("book_hotel", FULL, acts=acts("Booking-Book"))
    talks = gold("book_hotel", FULL, acts=acts("Hotel-Inform"))
    assert [mark.value for mark in marks(task_completion_ceiling, dialogue((books, None)))] == [1.0]
    assert [mark.value for mark in marks(task_completion_ceiling, dialogue((talks, None)))] == [0.0]


def test_without_gold_acts_there_is_no_ceiling() -> None:
    assert marks(task_completion_ceiling, dialogue((gold("book_hotel", FULL), did("book", FULL)))) == []


def test_the_ceiling_needs_no_prediction_and_has_no_direction() -> None:
    card = task_completion_ceiling.card
    assert (card.predicts, card.better) == ((), "neither")
