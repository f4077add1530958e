"""The service system in play: what participants know, the record, recorded users, and the command."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from adjudge.core.errors import Unanswered
from adjudge.core.play import End, PlayedConversation, PlayedTurn, Said
from adjudge.suites.service.data import Annotation, Goal, ServiceDialogue
from adjudge.suites.service.metrics.inform import success
from adjudge.suites.service.rules.database import Venues
from adjudge.systems.service import setup
from adjudge.systems.service.bookings import BookingDesk
from adjudge.systems.service.cases import SAMPLE_DB
from adjudge.systems.service.customer.wishes import DomainWish
from adjudge.systems.service.data import RecordedTurn, ServiceCase, UserFacts
from workspace import Workspace

SECRET = "zanzibar"
USER, SYSTEM = setup.participants(ServiceCase(id="c"))
DIALOGUE = {
    "dialogue_id": "d1",
    "services": ["hotel"],
    "turns": [
        {"turn_id": "0", "speaker": "USER", "utterance": "I want a hotel in the west.", "frames": []},
        {"turn_id": "1", "speaker": "SYSTEM", "utterance": "How about Rowan Lodge?"},
        {"turn_id": "2", "speaker": "USER", "utterance": "Yes, what is the phone number?", "frames": []},
        {"turn_id": "3", "speaker": "SYSTEM", "utterance": "It is 01632 960053."},
    ],
    "goal": {"hotel": {"info": {"area": "west"}, "reqt": ["phone"]}},
}


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_the_system_knows_nothing_of_the_case() -> None:
    case = ServiceCase(
        id="c1",
        goal={"hotel": Goal({"area": SECRET})},
        wishes={"hotel": DomainWish({"area": SECRET})},
        services=(SECRET,),
        recorded=(RecordedTurn(SECRET, Annotation(state={"hotel-area": SECRET}), SECRET),),
    )
    facts = UserFacts(Annotation(state={"hotel-area": SECRET}), reply=SECRET)
    turns = (PlayedTurn(0, "user", Said("Hello.", facts=facts, notes=SECRET)),)

    assert SECRET not in msgspec.json.encode(setup.view(case, SYSTEM, turns)).decode()
    assert setup.view(case, USER, turns).facts is case
    assert {field for field in case.__struct_fields__ if SECRET in repr(getattr(case, field))} == set(
        setup.role("system").hidden
    )


def test_the_system_hears_recorded_replies_in_place_of_its_own() -> None:
    turns = (
        PlayedTurn(0, "user", Said("Hi.", facts=UserFacts(heard=""))),
        PlayedTurn(1, "system", Said("My own reply.")),
        PlayedTurn(2, "user", Said("Yes.", facts=UserFacts(heard="The recorded reply."))),
    )
    heard = setup.view(ServiceCase(id="c"), SYSTEM, turns).turns

    assert [turn.text for turn in heard] == ["Hi.", "The recorded reply.", "Yes."]


def test_what_a_simulated_user_has_said_is_gold_of_the_simulator() -> None:
    gold, predicted = Annotation(state={"hotel-area": "west"}), Annotation(state={}, action="search")
    turns = (
        PlayedTurn(0, "user", Said("Hi.", facts=UserFacts(gold))),
        PlayedTurn(1, "system", Said("Yes?", facts=predicted)),
        PlayedTurn(2, "user", Said("Bye.", ends="said goodbye", facts=UserFacts(gold))),
    )
    played = PlayedConversation("c/rules/0", ServiceCase(id="c"), "rules", 0, (USER, SYSTEM), turns, End("participant"))
    record = setup.record(played)

    assert record.facets == {"gold": "simulator"}
    assert [(turn.speaker, turn.gold, turn.predicted) for turn in record.turns] == [
        ("user", gold, Annotation(state={})),
        ("system", None, Annotation(action="search")),
        ("user", gold, None),
    ]


def test_the_sample_is_played_and_scored_offline(desk: Workspace) -> None:
    done = desk.adjudge("play", "service", "-o", desk.run, "--limit", 12)
    success = [(line["arm"], line["scores"]["success"]["value"]) for line in lines(desk.run / "scores.jsonl")]

    assert done.code == 0, done.err
    assert sum(value for arm, value in success if arm == "rules") == 12
    assert sum(value for arm, value in success if arm == "rules-memory") < 6


def test_a_recorded_dialogue_is_replayed_turn_by_turn(desk: Workspace) -> None:
    cases = desk.write("dialogues.jsonl", (DIALOGUE,))
    done = desk.adjudge(
        "play", "service", cases, "--db", SAMPLE_DB, "--arm", "rules", "--user", "recorded", "-o", desk.run
    )
    (record,) = lines(desk.run / "records.jsonl")

    assert done.code == 0, done.err
    assert [turn["text"] for turn in record["turns"]][::2] == [
        "I want a hotel in the west.",
        "Yes, what is the phone number?",
    ]
    assert record["turns"][1]["reference"] == "How about Rowan Lodge?"
    assert record["turns"][2]["predicted"]["state"] == {"hotel-area": "west", "hotel-name": "rowan lodge"}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--availability", "2"), "--availability: found '2'; expected a number from 0 to 1"),
        (("--arm", "rules-memry"), "rules has no part 'memry'; did you mean 'memory'?"),
        (("--arm", "rules-triage"), "rules cannot do without its part 'triage'"),
        (("--user", "recorded"), "case 'w01' has no recorded turns"),
    ],
)
def test_what_cannot_be_played_is_refused(desk: Workspace, arguments: tuple[str, ...], message: str) -> None:
    done = desk.adjudge("play", "service", "-o", desk.run, *arguments)

    assert done.code == 2
    assert message in done.err


def test_cases_of_ones_own_need_a_database(desk: Workspace) -> None:
    done = desk.adjudge("play", "service", desk.write("dialogues.jsonl", (DIALOGUE,)), "-o", desk.run)

    assert done.code == 2
    assert "no database was named" in done.err


def test_a_case_without_a_goal_is_refused(desk: Workspace) -> None:
    cases = desk.write("dialogues.jsonl", ({**DIALOGUE, "goal": {}},))
    done = desk.adjudge("play", "service", cases, "--db", SAMPLE_DB, "-o", desk.run)

    assert done.code == 2
    assert "case 'd1' has no goal" in done.err


@pytest.mark.parametrize(
    ("goal", "message"),
    [
        ({"bus": {"info": {"day": "monday"}}}, "unknown domain 'bus'; expected one of restaurant, hotel"),
        ({"hotel": {"info": {"colour": "blue"}}}, "hotel: slot 'colour' in info; expected one of type, area"),
        ({"hotel": {"info": {}, "reqt": ["age"]}}, "hotel: request 'age' in reqt; expected one of phone, address"),
    ],
)
def test_a_goal_the_user_has_no_words_for_is_refused(desk: Workspace, goal: dict[str, Any], message: str) -> None:
    cases = desk.write("dialogues.jsonl", ({**DIALOGUE, "goal": goal},))
    done = desk.adjudge("play", "service", cases, "--db", SAMPLE_DB, "-o", desk.run)

    assert done.code == 2
    assert f"dialogues.jsonl:1: goal: unknown {message.removeprefix('unknown ')}" in done.err


def test_all_broken_goals_are_named_with_their_places(desk: Workspace) -> None:
    broken = {**DIALOGUE, "goal": {"hotel": {"info": {}, "reqt": 3}}}
    cases = desk.write("dialogues.jsonl", (broken, DIALOGUE, {**broken, "dialogue_id": "d3"}))
    done = desk.adjudge("play", "service", cases, "--db", SAMPLE_DB, "-o", desk.run)

    assert done.code == 2
    assert "dialogues.jsonl:1: goal" in done.err
    assert "dialogues.jsonl:3: goal" in done.err
    assert "dialogues.jsonl:2" not in done.err


def test_a_missing_file_is_named_before_a_database_is_asked_for(desk: Workspace) -> None:
    done = desk.adjudge("play", "service", "absent.jsonl", "-o", desk.run)

    assert done.code == 2
    assert "absent.jsonl: no such file" in done.err


BOOKING = ServiceCase(id="c1", goal={"hotel": Goal({"name": "rowan lodge"}, ("REFERENCE",))})


def booked_in(reply: str, tools: frozenset[str] = frozenset({"desk"})) -> ServiceDialogue:
    """The record of a case with a booking in which the system gives one reply."""
    turns = (PlayedTurn(0, "user", Said("Book it.")), PlayedTurn(1, "system", Said(reply)))
    return setup.record(  # type: ignore[return-value]
        PlayedConversation("c1/a/0", BOOKING, "a", 0, (USER, SYSTEM), turns, End("participant", "user"), tools=tools)
    )


def test_a_booking_counts_if_the_desk_gave_its_reference_number() -> None:
    given = BookingDesk().reference("c1", "hotel", {"venue": "3", "day": "friday"})
    others = [
        BookingDesk().reference("c2", "hotel", {"venue": "3"}),
        BookingDesk().reference("c1", "train", {"venue": "3"}),
    ]

    assert booked_in(f"Booked. Your reference is {given}.").turns[-1].booked == ("hotel",)
    for invented in ("AB12CD34", given[:-1] + "X", *others):
        assert booked_in(f"Booked. Your reference is {invented}.").turns[-1].booked == ()


def test_success_counts_bookings_of_the_desk_only() -> None:
    db = Venues.load(SAMPLE_DB)
    given = BookingDesk().reference("c1", "hotel", {"venue": "3"})
    replies = {f"Rowan Lodge is booked, reference {given}.": 1.0, "Rowan Lodge is booked, reference AB12CD34.": 0.0}
    for reply, value in replies.items():
        assert [mark.value for mark in success.function(booked_in(reply), db)] == [value]


def test_success_is_skipped_for_a_system_that_cannot_book() -> None:
    dialogue = booked_in("Rowan Lodge is booked, reference AB12CD34.", tools=frozenset({"own"}))
    with pytest.raises(Unanswered, match="no access to the booking desk"):
        list(success.function(dialogue, Venues.load(SAMPLE_DB)))


def test_an_own_system_does_not_succeed_by_claiming_bookings(desk: Workspace) -> None:
    desk.write("agent.py", "def reply(messages): return 'Rowan Lodge is booked. Your reference is AB12CD34.'")

    done = desk.adjudge("play", "service", "--arm", "mine=py:agent.py:reply", "--metrics", "success", "-o", desk.run)

    assert done.code == 0, done.err
    scores = [line["scores"]["success"] for line in lines(desk.run / "scores.jsonl")]
    assert {score["skipped"]["status"] for score in scores if "skipped" in score} == {"no_tool"}
    assert not any(mark["value"] for score in scores for mark in score.get("marks", ()))
