"""Group chats without intents, plans in files of their own, and plans of any shape in every format."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from test_trip_read import METRICS, PLAN, Row, lines, read, say, write
from trip_rows import rows_of

from adjudge.core.errors import BadInput, Unanswered
from adjudge.suites.trip.data import TripTurn
from adjudge.suites.trip.lexicon import table_of
from adjudge.suites.trip.rules.intents import assign_intents, phrases_for, slots_in

CHAT = [
    ("2024-05-01 10:00", "assistant", "What food would you all like?"),
    ("2024-05-01 10:01", "Ann", "Thai, please! And a private room."),
    ("2024-05-01 10:02", "Bo", "Anything but seafood."),
    ("2024-05-01 10:05", "assistant", "Here is your plan: three days in Lund."),
    ("2024-05-01 10:06", "Ann", "Sounds good to me."),
    ("2024-05-01 10:07", "Bo", "No, that doesn't work for me."),
]
INTENTS = [
    ("system", "sys_request_cuisine"),
    ("Ann", "user_provide_cuisine"),
    ("Ann", "user_provide_lodging"),
    ("Bo", "user_provide_cuisine"),
    ("system", "sys_present_plan"),
    ("Ann", "user_accept_plan"),
    ("Bo", "user_reject_plan"),
]


def chat_messages() -> list[Row]:
    """The chat as OpenAI's API has it."""
    return [
        {"role": "assistant", "content": text}
        if name == "assistant"
        else {"role": "user", "name": name, "content": text}
        for _, name, text in CHAT
    ]


def table(path: Path, *columns: str) -> Path:
    return write(path, [dict(zip(columns, message, strict=True)) for message in CHAT])


def shape(turns: tuple[TripTurn, ...]) -> list[tuple[str, str]]:
    return [(turn.speaker, turn.intent) for turn in turns]


@pytest.mark.parametrize(
    "columns",
    [
        ("time", "speaker", "message"),
        ("timestamp", "sender", "text"),
        ("Date", "Author", "Content"),
        ("time", "speaker", "utterance"),
        ("created_at", "from", "body"),
    ],
)
def test_a_table_of_messages_is_a_dialogue_with_intents_by_rule(tmp_path: Path, columns: tuple[str, ...]) -> None:
    seen = read(table(tmp_path / "friends_C2.csv", *columns))
    assert shape(seen.trip.turns) == INTENTS
    assert (seen.trip.condition, seen.trip.case, seen.trip.facets["intents"]) == ("C2", "friends", "by rule")
    assert seen.trip.turns[0].time is not None
    assert "no turn has an intent: they are given by rule" in seen.warnings


@pytest.mark.parametrize("planner", ["Planner", "AI", "travel_agent", "Chatbot"])
def test_what_a_planner_says_in_a_table_is_no_wish(tmp_path: Path, planner: str) -> None:
    rows = [
        {"speaker": "Ann", "message": "Thai, please!"},
        {"speaker": planner, "message": "Day 1: the museum, dinner at Pizza Roma."},
    ]
    turns = read(write(tmp_path / "a.csv", rows)).trip.turns
    assert {turn.speaker for turn in turns} == {"Ann", "system"}
    assert [turn.intent for turn in turns if turn.intent.startswith("user_")] == ["user_provide_cuisine"]


def test_a_message_about_two_slots_is_two_parts_of_one_turn(tmp_path: Path) -> None:
    trip = read(table(tmp_path / "a.csv", "time", "speaker", "message")).trip
    assert [(turn.id, turn.text) for turn in trip.turns[1:3]] == [("2", "Thai, please"), ("2#2", "And a private room")]
    (turns,) = METRICS["total_turns"](trip)
    assert turns.value == len(CHAT)


@pytest.mark.parametrize("form", ["list", "lines", "object", "objects", "conversation"])
def test_chat_messages_are_read_however_they_stand_in_a_file(tmp_path: Path, form: str) -> None:
    messages = chat_messages()
    path = tmp_path / "friends.json"
    if form == "lines":
        lines(path, *messages)
    else:
        whole = {
            "list": messages,
            "object": {"id": "friends", "messages": messages},
            "objects": [{"id": "friends", "messages": messages}],
            "conversation": {"conversation": messages},
        }
        path.write_text(json.dumps(whole[form]))
    trip = read(path).trip
    assert shape(trip.turns) == INTENTS
    assert trip.id == "friends"


def test_a_refusal_stays_with_what_it_refuses(tmp_path: Path) -> None:
    rows = [{"speaker": "Ann", "message": "Seafood - not for me. A hotel with a pool."}]
    trip = read(write(tmp_path / "a.csv", rows)).trip
    assert [turn.text for turn in trip.turns] == ["Seafood, not for me", "A hotel with a pool"]


def test_messages_of_several_chats_are_told_apart_by_their_id(tmp_path: Path) -> None:
    rows = [{"chat_id": id, "sender": "Ann", "message": "Thai food"} for id in ("a", "a", "b")]
    trips = read(lines(tmp_path / "chats.jsonl", *rows)).trips
    assert [(trip.id, len(trip.turns)) for trip in trips] == [("a", 2), ("b", 1)]


def test_parts_tools_and_instructions_are_not_mixed_with_what_is_said(tmp_path: Path) -> None:
    call = {"function": {"name": "find_hotels", "arguments": "{}"}, "type": "function", "id": "1"}
    messages = [
        {"role": "system", "content": "Recommend a museum to everyone."},
        {"role": "user", "content": [{"type": "text", "text": "Ann: Thai food"}, {"type": "image_url"}]},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "content": "Hotel Lund, seafood"},
        {"role": "assistant", "content": "How much do you want to spend on a hotel?"},
    ]
    seen = read(lines(tmp_path / "a.jsonl", {"id": "a", "messages": messages}))
    assert [(turn.speaker, turn.kind, turn.intent) for turn in seen.trip.turns] == [
        ("Ann", "speech", "user_provide_cuisine"),
        ("system", "call", ""),
        ("system", "result", ""),
        ("system", "speech", "sys_request_spending_preference"),
        ("system", "speech", "sys_request_lodging"),
    ]
    assert "messages[0]: instructions are not part of the conversation; left out" in seen.warnings
    assert "a part of the kind 'image_url', shown as [image_url] (not read)" in seen.warnings
    (turns,) = METRICS["total_turns"](seen.trip)
    assert turns.value == 2


def test_what_is_said_beside_the_messages_is_read_as_in_tables(tmp_path: Path) -> None:
    beside = {"members": ["Ann", "Bo", "Cy"], "condition": "C2", "arm": "gpt", "plan": PLAN, "query": "A trip for 3."}
    trip = read(lines(tmp_path / "a.jsonl", {"id": "a-C2", "messages": chat_messages(), **beside})).trip
    assert (trip.size, trip.condition, trip.arm, trip.case) == (3, "C2", "gpt", "a")
    assert [day.number for day in trip.days] == [1]
    assert [mark.value for mark in METRICS["voice_coverage"](trip)] == [1.0, 1.0, 0.0]


def test_who_was_heard_is_not_told_by_rules_for_english_in_another_language(tmp_path: Path) -> None:
    wishes = {"Ann": "Me gustaría mucho comer en un restaurante tailandés.", "Bo": "Cualquier cosa menos pescado."}
    asked = {"role": "assistant", "content": "Hola a todos, ¿qué tipo de comida les gustaría probar durante el viaje?"}
    messages = [asked, *({"role": "user", "name": name, "content": text} for name, text in wishes.items())]
    trip = read(lines(tmp_path / "a.jsonl", {"id": "a", "messages": messages, "members": ["Ann", "Bo"]})).trip
    with pytest.raises(Unanswered, match=r"in Spanish \(es\); intents by rule are for English only"):
        list(METRICS["voice_coverage"](trip))


def test_our_own_turns_without_intents_are_given_some(tmp_path: Path) -> None:
    turns = [{"id": str(number), "speaker": name, "text": text} for number, (_, name, text) in enumerate(CHAT)]
    assert shape(read(lines(tmp_path / "a.jsonl", {"id": "a", "turns": turns})).trip.turns) == INTENTS


DAY = {"day": 1, "city": "Lund", "lunch": "Blue Door, Lund", "accommodation": "-"}
SHAPES = [[DAY], {"days": [DAY]}, {"itinerary": [DAY]}, {"day_1": DAY}, {"Day 1": DAY}, json.dumps([DAY]), DAY]


@pytest.mark.parametrize("plan", SHAPES)
def test_a_plan_has_the_same_shapes_in_every_format(tmp_path: Path, plan: Any) -> None:
    own = lines(tmp_path / "own.jsonl", {"id": "a", "plan": plan})
    wild = lines(tmp_path / "wild.jsonl", {"idx": 1, "query": "A trip.", "plan": plan})
    chat = lines(tmp_path / "chat.jsonl", {"id": "c", "messages": chat_messages(), "plan": plan})
    cells = write(tmp_path / "a_C2.csv", [say("system", "sys_present_plan", plan=plan)])
    apart = tmp_path / "plan.json"
    apart.write_text(plan if isinstance(plan, str) else json.dumps(plan))
    bare = lines(tmp_path / "bare.jsonl", {"id": "b", "messages": chat_messages()})
    seen = [read(path).trip for path in (own, wild, chat, cells)]
    for trip in [*seen, read(bare, plan=str(apart)).trip]:
        (day,) = trip.days
        assert (day.city, day.lunch and day.lunch.name, day.lodging) == ("Lund", "Blue Door", None)


@pytest.mark.parametrize(
    "plans",
    [
        [{"id": "a", "plan": [DAY]}, {"id": "b", "plan": [{**DAY, "city": "Ystad"}]}],
        [{"a": [DAY], "b": {"days": [{**DAY, "city": "Ystad"}]}}],
        [[{"id": "a", "days": [DAY]}, {"id": "b", "days": [{**DAY, "city": "Ystad"}]}]],
    ],
)
def test_a_file_of_plans_has_one_for_each_trip(tmp_path: Path, plans: list[Any]) -> None:
    chats = [{"id": id, "messages": chat_messages()} for id in ("a", "b", "c")]
    seen = read(lines(tmp_path / "chats.jsonl", *chats), plan=str(lines(tmp_path / "plans.jsonl", *plans)))
    assert [[day.city for day in trip.days] for trip in seen.trips] == [["Lund"], ["Ystad"], []]


@pytest.mark.parametrize("form", ["Here is your plan:\n```json\n{}\n```", "{}", "My plan: {}"])
def test_the_plan_may_stand_in_a_message_of_the_assistant(tmp_path: Path, form: str) -> None:
    draft, final = ([{**DAY, "city": city}] for city in ("Ystad", "Lund"))
    messages = [
        {"role": "assistant", "content": form.replace("{}", json.dumps(draft))},
        {"role": "user", "name": "Ann", "content": "Not Ystad {please}"},
        {"role": "assistant", "content": form.replace("{}", json.dumps(final))},
        {"role": "assistant", "content": "Enjoy [the trip]"},
    ]
    trip = read(lines(tmp_path / "a.jsonl", {"id": "a", "messages": messages})).trip
    assert [day.city for day in trip.days] == ["Lund"]


def test_a_chat_with_the_newest_message_first_is_turned_round(tmp_path: Path) -> None:
    rows = [dict(zip(("time", "speaker", "message"), message, strict=True)) for message in reversed(CHAT)]
    seen = read(write(tmp_path / "friends_C2.csv", rows))
    assert shape(seen.trip.turns) == INTENTS
    assert "messages are not in the order of their times; sorted by time" in seen.warnings


def test_a_plan_of_its_own_goes_before_the_file_of_plans(tmp_path: Path) -> None:
    record = lines(tmp_path / "a.jsonl", {"id": "a", "plan": [{**DAY, "city": "Ystad"}]})
    plans = lines(tmp_path / "plans.jsonl", {"id": "a", "plan": [DAY]})
    assert read(record, plan=str(plans)).trip.days[0].city == "Ystad"


def test_a_file_without_plans_is_refused(tmp_path: Path) -> None:
    record = lines(tmp_path / "a.jsonl", {"id": "a", "turns": []})
    with pytest.raises(BadInput, match="no plan in it; expected days, rows with id and plan, or plans by id"):
        read(record, plan=str(lines(tmp_path / "plans.jsonl", {"note": 1})))


@rows_of("chats")
def test_a_text_is_about_the_slots_that_it_names(text: str, slots: tuple[str, ...]) -> None:
    assert slots_in(text) == list(slots)


@rows_of("chats")
def test_what_a_member_says_has_its_intents(before: str, text: str, intents: tuple[str, ...]) -> None:
    turns = (TripTurn("1", "system", before), TripTurn("2", "Ann", text))
    assert tuple(turn.intent for turn in assign_intents(turns) if turn.speaker == "Ann") == intents


@pytest.mark.parametrize("kind", ["fact", "plan", "accept", "reject", "combine"])
def test_every_phrase_that_tells_an_intent_is_found_in_its_example(kind: str) -> None:
    for pattern, each in zip(phrases_for(kind), table_of("intents")[kind], strict=True):
        assert pattern.search(each["example"]), each


def test_every_word_for_a_slot_is_found() -> None:
    table = table_of("intents")
    for slot, words in table["slots"].items():
        assert [word for word in words if slot not in slots_in(f"some {word} please")] == []
    assert [phrase for phrase in table["no_slot"] if slots_in(phrase)] == []
