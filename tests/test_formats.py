"""Dialogues are read alike from every layout they come in."""

from __future__ import annotations

import gzip
import json
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from adjudge.core.errors import BadInput, Warnings
from adjudge.suites.service.data import Goal, ServiceDialogue
from adjudge.suites.service.read.goals import goal_of
from adjudge.suites.service.read.source import ServiceSource
from small_service import hotel, lines, predictions, train

SHARED = Path(__file__).parents[2] / "shared" / "data"

ACTS = {
    "TST0001.json": {
        "1": {"dialog_act": {"Hotel-Request": [["bookpeople", "?"]]}, "span_info": []},
        "3": {"dialog_act": {"Booking-Book": [["none", "none"]]}, "span_info": []},
    }
}


def read(*files: Path, **options: Any) -> list[ServiceDialogue]:
    source = ServiceSource(list(files), options)
    return [record for where, row in source.rows(Warnings()) for record in source.records(where, row, Warnings())]


def states(dialogue: ServiceDialogue) -> list[Any]:
    return [turn.gold.state for turn in dialogue.turns if turn.speaker == "user" and turn.gold is not None]


def acts(dialogue: ServiceDialogue) -> list[Any]:
    return [turn.gold.acts for turn in dialogue.turns if turn.gold is not None and turn.gold.acts is not None]


def official() -> dict[str, Any]:
    """The hotel dialogue as the official files have it: its acts are in another file."""
    dialogue = hotel()
    for turn in dialogue["turns"]:
        turn.pop("dialog_act", None)
    return dialogue


def put(path: Path, content: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content))
    return path


def shared(name: str) -> Path:
    path = SHARED / name
    if not path.exists():
        pytest.skip(f"no {name} in the shared data")
    return path


def test_our_own_format_is_read_as_it_is_written(tmp_path: Path) -> None:
    path = tmp_path / "own.jsonl"
    path.write_text(lines(hotel(), train()))
    dialogues = read(path)
    again = tmp_path / "again.jsonl"
    again.write_bytes(b"".join(msgspec.json.encode(dialogue) + b"\n" for dialogue in dialogues))
    assert read(again) == dialogues


def test_official_dialogue_keeps_turns_intents_and_states(tmp_path: Path) -> None:
    (dialogue,) = read(put(tmp_path / "dialogues_001.json", [official()]))
    assert (dialogue.id, dialogue.arm, dialogue.services) == ("TST0001.json", "dialogues_001", ("hotel",))
    assert [(turn.id, turn.speaker) for turn in dialogue.turns] == [
        ("0", "user"),
        ("1", "system"),
        ("2", "user"),
        ("3", "system"),
    ]
    assert states(dialogue) == [{"hotel-area": "north"}, {"hotel-area": "north", "hotel-bookpeople": "2"}]
    assert [turn.gold.intents for turn in dialogue.turns[::2] if turn.gold] == [("find_hotel",), ("book_hotel",)]
    assert acts(dialogue) == []


def test_several_gold_values_stay_alternatives(tmp_path: Path) -> None:
    dialogue = official()
    dialogue["turns"][0]["frames"][0]["state"]["slot_values"]["hotel-area"] = ["north", "the north"]
    (result,) = read(put(tmp_path / "d.json", [dialogue]))
    assert states(result)[0] == {"hotel-area": ("north", "the north")}


@pytest.mark.parametrize("place", ["dev/dialog_acts.json", "dialog_acts.json"])
def test_acts_are_found_beside_the_dialogues_or_one_folder_up(tmp_path: Path, place: str) -> None:
    put(tmp_path / place, ACTS)
    (dialogue,) = read(put(tmp_path / "dev" / "dialogues_001.json", [official()]))
    assert acts(dialogue) == [{"Hotel-Request": (("bookpeople", "?"),)}, {"Booking-Book": (("none", "none"),)}]


def test_acts_may_be_given_as_a_file(tmp_path: Path) -> None:
    given = put(tmp_path / "elsewhere" / "dialog_acts.json", ACTS)
    gold = put(tmp_path / "dev" / "dialogues_001.json", [official()])
    assert len(acts(read(gold, given)[0])) == 2


def test_acts_and_dialogues_are_read_from_one_zip(tmp_path: Path) -> None:
    path = tmp_path / "data.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("data/dialog_acts.json", json.dumps(ACTS))
        archive.writestr("data/dev/dialogues_001.json", json.dumps([official()]))
        archive.writestr("data/dev/dialogues_002.json", json.dumps([train()]))
    dialogues = read(path)
    assert [dialogue.id for dialogue in dialogues] == ["TST0001.json", "TST0002.json"]
    assert len(acts(dialogues[0])) == 2


@pytest.mark.parametrize("pack", ["gz", "zip"])
def test_packed_files_give_the_same_dialogues(tmp_path: Path, pack: str) -> None:
    text = lines(hotel(), train())
    plain = tmp_path / "gold.jsonl"
    plain.write_text(text)
    packed = tmp_path / f"gold.jsonl.{pack}"
    if pack == "gz":
        packed.write_bytes(gzip.compress(text.encode()))
    else:
        with zipfile.ZipFile(packed, "w") as archive:
            archive.writestr("gold.jsonl", text)
    assert read(packed) == read(plain)


def test_packed_predictions_are_joined(tmp_path: Path) -> None:
    gold = tmp_path / "gold.jsonl"
    gold.write_text(lines(hotel(), train()))
    mine = tmp_path / "mine.json.gz"
    mine.write_bytes(gzip.compress(json.dumps(predictions()).encode()))
    records = read(gold, predictions=[str(mine)])
    assert [(record.id, record.arm) for record in records] == [("TST0001.json", "mine"), ("TST0002.json", "mine")]
    first = records[0].turns[0].predicted
    assert first is not None
    assert first.state == {"hotel-area": "north"}
    assert (records[0].turns[1].text, records[0].turns[1].reference) == ("How many?", "For how many people?")


def hub_frames(**services: dict[str, str]) -> dict[str, Any]:
    return {
        "service": list(services),
        "state": [
            {
                "active_intent": f"find_{service}",
                "requested_slots": [],
                "slots_values": {
                    "slots_values_name": [f"{service}-{slot}" for slot in state],
                    "slots_values_list": [[value] for value in state.values()],
                },
            }
            for service, state in services.items()
        ],
        "slots": [],
    }


def hub() -> dict[str, Any]:
    said = {
        "act_type": ["Hotel-Inform"],
        "act_slots": [{"slot_name": ["name", "stars"], "slot_value": ["larkspur", "4"]}],
    }
    silent: dict[str, Any] = {"dialog_act": {"act_type": [], "act_slots": []}}
    return {
        "dialogue_id": "TST0001.json",
        "services": ["hotel", "taxi"],
        "turns": {
            "turn_id": ["0", "1", "2"],
            "speaker": [0, 1, 0],
            "utterance": ["A hotel in the north.", "The Larkspur has 4 stars.", "And a taxi there."],
            "frames": [
                hub_frames(hotel={"area": "north"}),
                hub_frames(),
                hub_frames(taxi={"destination": "larkspur"}),
            ],
            "dialogue_acts": [silent, {"dialog_act": said}, silent],
        },
    }


def test_hugging_face_layout_carries_finished_domains_forward(tmp_path: Path) -> None:
    (dialogue,) = read(put(tmp_path / "hub.json", [hub()]))
    assert states(dialogue) == [
        {"hotel-area": "north"},
        {"hotel-area": "north", "taxi-destination": "larkspur"},
    ]
    assert acts(dialogue) == [{"Hotel-Inform": (("name", "larkspur"), ("stars", "4"))}]
    assert [turn.speaker for turn in dialogue.turns] == ["user", "system", "user"]


def test_hugging_face_lists_of_different_lengths_are_refused(tmp_path: Path) -> None:
    dialogue = hub()
    dialogue["turns"]["speaker"].pop()
    with pytest.raises(BadInput, match=r"hub.json:1: turns: parallel lists of different lengths \(2, 3\)"):
        read(put(tmp_path / "hub.json", [dialogue]))


def guided() -> dict[str, Any]:
    def frame(service: str, intent: str, **state: str) -> dict[str, Any]:
        values = {slot: [value] for slot, value in state.items()}
        return {
            "service": service,
            "slots": [],
            "actions": [],
            "state": {"active_intent": intent, "requested_slots": [], "slot_values": values},
        }

    offer = {"act": "OFFER", "slot": "event_name", "values": ["Derby"], "canonical_values": ["Derby"]}
    ask = {"act": "REQUEST", "slot": "city", "values": [], "canonical_values": []}
    return {
        "dialogue_id": "1_00001",
        "services": ["Events_1", "Hotels_2"],
        "turns": [
            {
                "speaker": "USER",
                "utterance": "A match.",
                "frames": [frame("Events_1", "FindEvents", event_name="Derby")],
            },
            {
                "speaker": "SYSTEM",
                "utterance": "The Derby? Which city?",
                "frames": [{"service": "Events_1", "slots": [], "actions": [offer, ask]}],
            },
            {"speaker": "USER", "utterance": "And a room.", "frames": [frame("Hotels_2", "SearchHouse", city="Ely")]},
        ],
    }


def test_schema_guided_slots_carry_their_service_and_others_keep_their_state(tmp_path: Path) -> None:
    (dialogue,) = read(put(tmp_path / "sgd.json", [guided()]))
    assert states(dialogue) == [
        {"events_1-eventname": "Derby"},
        {"events_1-eventname": "Derby", "hotels_2-city": "Ely"},
    ]
    assert [turn.gold.domains for turn in dialogue.turns[::2] if turn.gold] == [("Events_1",), ("Hotels_2",)]
    assert acts(dialogue) == [{"Events_1-OFFER": (("event_name", "Derby"),), "Events_1-REQUEST": (("city", "?"),)}]
    assert [turn.id for turn in dialogue.turns] == ["0", "1", "2"]


def test_schema_guided_predictions_meet_gold_under_the_same_names(tmp_path: Path) -> None:
    gold = put(tmp_path / "sgd.json", [guided()])
    said = [{"Events_1": {"event_name": "Derby"}}, {"Events_1": {"event_name": "Derby"}, "Hotels_2": {"city": "Ely"}}]
    mine = put(tmp_path / "mine.json", {"1_00001": [{"response": "", "state": state} for state in said]})
    (record,) = read(gold, predictions=[str(mine)])
    assert [turn.predicted.state for turn in record.turns if turn.speaker == "user"] == states(record)


def test_chat_messages_are_turns_without_annotation(tmp_path: Path) -> None:
    chat = {
        "id": "c1",
        "messages": [
            {"role": "system", "content": "Be kind."},
            {"role": "user", "content": "Hello."},
            {"role": "assistant", "content": None, "tool_calls": []},
            {"role": "assistant", "content": "Good day."},
        ],
    }
    path = tmp_path / "chat.jsonl"
    path.write_text(lines(chat, {"messages": chat["messages"]}))
    first, second = read(path)
    assert [(turn.speaker, turn.text) for turn in first.turns] == [
        ("user", "Hello."),
        ("assistant", "Good day."),
    ]
    assert (first.id, second.id) == ("c1", f"{path}:2")
    assert all(turn.gold is None for turn in first.turns)


def test_goal_leaves_out_what_is_no_domain() -> None:
    goal = goal_of(
        {
            "topic": {"taxi": False},
            "message": ["You are looking for a train"],
            "train": {"info": {"arriveBy": "19:45"}, "reqt": ["trainID", "price"], "book": {"people": 3.0}},
            "hotel": {},
        }
    )
    assert goal == {"train": Goal({"arrive": "19:45"}, ("TRAINID", "REFERENCE"), {"people": "3"})}


def test_shared_official_sample_has_21_dialogues_with_acts() -> None:
    dialogues = read(shared("multiwoz/mw22_official_format_sample.zip"))
    assert len(dialogues) == len({dialogue.id for dialogue in dialogues}) == 21
    assert all(acts(dialogue) for dialogue in dialogues)
    # SNG0186 asks for an address only, which fills no slot.
    assert [dialogue.id for dialogue in dialogues if not any(states(dialogue))] == ["SNG0186.json"]


@pytest.mark.parametrize("number", ["001", "010", "011"])
def test_shared_schema_guided_files_accumulate_their_states(number: str) -> None:
    dialogues = read(shared(f"sgd_CC-BY-SA-4.0/dialogues_{number}.json.gz"))
    assert dialogues
    for dialogue in dialogues:
        services = {service.lower() for service in dialogue.services}
        for before, after in zip(states(dialogue), states(dialogue)[1:], strict=False):
            assert {slot.partition("-")[0] for slot in after} <= services
            assert {slot.partition("-")[0] for slot in before} <= {slot.partition("-")[0] for slot in after}


def shared_states() -> Iterator[tuple[dict[str, Any], ServiceDialogue]]:
    for part in ("dev", "test"):
        path = shared(f"multiwoz/mwz21states_{part}.jsonl.gz")
        with gzip.open(path) as file:
            yield from zip(map(json.loads, file), read(path), strict=True)


def test_shared_states_and_goals_agree_with_what_others_derived() -> None:
    with gzip.open(shared("multiwoz/goals_dev_test.json.gz")) as file:
        expected = msgspec.json.decode(file.read(), type=dict[str, dict[str, Goal]])
    seen = 0
    for raw, dialogue in shared_states():
        assert len(dialogue.turns) == len(raw["turns"])
        assert _comparable(dialogue.goal) == _comparable(expected[dialogue.id.lower().removesuffix(".json")])
        seen += 1
    assert seen == len(expected) == 1999


def _comparable(goals: dict[str, Goal] | None) -> dict[str, Any]:
    return {domain: (goal.informable, set(goal.requestable), goal.booking) for domain, goal in (goals or {}).items()}
