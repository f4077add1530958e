"""The parts of the system by rule, one turn at a time, on the database of the sample."""

from __future__ import annotations

from random import Random
from typing import Any

from adjudge.core.play import Said, Utterance, View
from adjudge.suites.service.rules.database import Venues
from adjudge.suites.service.rules.policy import DEFAULT_POLICY, Policy
from adjudge.systems.service.action import World, decide
from adjudge.systems.service.attempts import ReplyAttempt, turn_of
from adjudge.systems.service.bookings import BookingDesk
from adjudge.systems.service.cases import SAMPLE_DB
from adjudge.systems.service.catalogue import catalogue_of
from adjudge.systems.service.memory import DialogueMemory
from adjudge.systems.service.moves import Move
from adjudge.systems.service.rules import PARTS, answer
from adjudge.systems.service.supervisor import Review, review
from adjudge.systems.service.triage import TriagedTurn

DB = Venues.load(SAMPLE_DB)
POLICY = Policy.load(DEFAULT_POLICY)
WORLD = World(catalogue_of(DB), BookingDesk(), POLICY, True, "c1")
BOOKING = "Please book a table at Blue Heron for 4 people on Friday at 18:30."


def talk(*texts: str, without: str = "", desk: BookingDesk | None = None) -> list[Said[DialogueMemory]]:
    """The replies of the system to user turns."""
    parts = frozenset(PARTS) - set(without.split())
    turns: list[Utterance] = []
    replies: list[Said[DialogueMemory]] = []
    for text in texts:
        turns.append(Utterance(len(turns), "user", text))
        notes = replies[-1].notes if replies else None
        view: View[DialogueMemory] = View("system", {}, tuple(turns), notes, "c1", turn=len(turns))
        replies.append(answer(view, DB, POLICY, desk or BookingDesk(), parts, Random(1)))
        turns.append(Utterance(len(turns), "system", replies[-1].text))
    return replies


def acts(reply: Said[Any]) -> set[str]:
    return set(reply.facts.acts)


def test_a_booking_gets_a_reference_number() -> None:
    (reply,) = talk(BOOKING)

    assert acts(reply) == {"Booking-Book"}
    assert reply.notes is not None
    assert reply.notes.booked["restaurant"] in reply.text
    assert not POLICY.lacks("restaurant", reply.facts.state)


def test_what_a_booking_lacks_is_asked_for() -> None:
    _, reply = talk("Tell me about the restaurant Blue Heron.", "Book a table for 4 people, please.")

    assert acts(reply) == {"Restaurant-Request"}
    assert [slot for slot, _ in reply.facts.acts["Restaurant-Request"]] == ["bookday", "booktime"]


def test_without_policy_the_supervisor_still_stops_a_booking() -> None:
    _, reply = talk("Tell me about the restaurant Blue Heron.", "Book a table for 4 people, please.", without="policy")

    assert [decision.text for decision in reply.decisions if decision.part == "supervisor"] == [
        "a booking without bookday, booktime",
        "approved",
    ]
    assert acts(reply) == {"Restaurant-Request"}


def test_without_policy_and_supervisor_it_books_what_it_should_not() -> None:
    texts = ("Tell me about the restaurant Blue Heron.", "Book a table for 4 people, please.")
    _, reply = talk(*texts, without="policy supervisor")

    assert acts(reply) == {"Booking-Book"}
    assert POLICY.lacks("restaurant", reply.facts.state) == ["bookday", "booktime"]


def test_a_refusal_is_passed_on_and_another_venue_offered() -> None:
    refused, other = talk(BOOKING, "Is there another one?", desk=BookingDesk(0.0))

    assert acts(refused) == {"Booking-NoBook"}
    assert "no table free" in refused.text
    assert acts(other) == {"Restaurant-Recommend"}
    assert "Blue Heron" not in other.text


def test_availability_depends_on_case_venue_day_and_time_only() -> None:
    desk, booking = BookingDesk(0.5), {"venue": "r1", "day": "friday", "time": "18:00", "people": "2"}
    draws = [desk.is_free(f"c{number}", booking) for number in range(400)]

    assert 150 < sum(draws) < 250
    assert draws == [desk.is_free(f"c{number}", {**booking, "people": "7"}) for number in range(400)]
    assert draws != [desk.is_free(f"c{number}", {**booking, "time": "18:30"}) for number in range(400)]


def test_the_supervisor_sends_an_offer_back_that_fits_no_longer() -> None:
    _, reply = talk("I want a hotel with free wifi in the west.", "Sorry, it should be in the centre.")
    without = talk(
        "I want a hotel with free wifi in the west.", "Sorry, it should be in the centre.", without="supervisor"
    )

    parts = [(decision.part, decision.attempt) for decision in reply.decisions]
    assert parts == [("triage", 1), ("action", 1), ("supervisor", 1), ("action", 2), ("supervisor", 2)]
    assert "does not fit what the user wants" in reply.decisions[2].text
    assert "in the centre" in reply.text
    assert "in the centre" not in without[1].text


def test_the_supervisor_finds_another_row_named_and_a_fact_left_out() -> None:
    heard = TriagedTurn(("hotel",), requested=("phone",))
    row = catalogue_of(DB).row("hotel", "h01", {})
    move = Move("inform", "hotel", "h01", facts={"phone": row["phone"]})

    assert review(heard, move, f"The Larkspur Hotel has {row['phone']}.", WORLD).is_approved
    assert "another hotel" in review(heard, move, f"Call Rowan Lodge: {row['phone']}.", WORLD).reason
    assert review(heard, move, "It is the Larkspur Hotel.", WORLD).reason == "does not give phone"


def test_memory_commits_only_what_was_approved() -> None:
    memory = DialogueMemory({"hotel-area": "west"}, "hotel")
    heard = TriagedTurn(("hotel",), {"hotel-area": "east"})
    move = decide(heard, memory, WORLD)

    sent = turn_of(heard, [ReplyAttempt(move, "Here.", Review())], memory)
    refused = turn_of(heard, [ReplyAttempt(move, "Here.", Review("wrong"))], memory)

    assert sent.facts.state == {"hotel-area": "east"}
    assert refused.facts.state == {"hotel-area": "west"}
    assert refused.notes == memory
    assert refused.text.startswith("I am sorry")


def test_without_memory_every_turn_is_the_first() -> None:
    _, reply = talk("I want a hotel in the west.", "It should be cheap.", without="memory")

    assert reply.facts.state == {}


def test_trains_are_the_last_in_time_or_the_first_after_it() -> None:
    wish = {"train-departure": "wexcombe", "train-destination": "kingsfell", "train-day": "monday"}
    by = decide(TriagedTurn(("train",), {**wish, "train-arriveby": "14:00"}), DialogueMemory(), WORLD)
    after = decide(TriagedTurn(("train",), {**wish, "train-leaveat": "14:00"}), DialogueMemory(), WORLD)
    trains = [row for row in DB.rows["train"] if wish.items() <= {f"train-{k}": v for k, v in row.items()}.items()]

    in_time = [row["trainid"] for row in trains if row["arrive"] <= "14:00"]
    later = [row["trainid"] for row in trains if row["leave"] >= "14:00"]
    assert (by.id, after.id) == (in_time[-1], later[0])


def test_a_train_id_on_several_days_means_the_train_of_the_state() -> None:
    shared = {"trainid": "T1", "departure": "a", "destination": "b", "arrive": "10:00", "leave": "09:00", "price": "1"}
    venues = Venues({"train": [{**shared, "day": "monday", "price": "1"}, {**shared, "day": "friday", "price": "2"}]})

    assert catalogue_of(venues).row("train", "T1", {"train-day": "friday"})["price"] == "2"


def test_a_taxi_has_a_car_and_a_number() -> None:
    (reply,) = talk("I need a taxi from Rowan Lodge to Blue Heron, leaving at 17:30.")
    (car,) = [pair for pair in reply.facts.acts["Taxi-Inform"] if pair[0] == "car"]

    assert car[1] in reply.text
    assert reply.facts.state["taxi-destination"] == "blue heron"


def test_a_taxi_is_booked_once() -> None:
    booked, again = talk("I need a taxi from Rowan Lodge to Blue Heron, leaving at 17:30.", "What is the car type?")

    assert booked.notes is not None
    assert again.notes is not None
    assert booked.notes.booked == again.notes.booked
    assert [decision.text for decision in again.decisions if decision.part == "action"] == ["inform taxi"]
