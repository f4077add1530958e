"""Turns out of order, ids that fold into one, and bookings that belong to another dialogue."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from adjudge.core.errors import Warnings
from adjudge.engines.local import Job
from adjudge.engines.survey import survey
from adjudge.score import Plan
from adjudge.suites.service.read.order import turn_order
from small_service import Desk, hotel, lines, train

MULTIWOZ = Path(__file__).parents[4] / "shared" / "data" / "multiwoz"


@pytest.fixture
def desk(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Desk:
    monkeypatch.setenv("COLUMNS", "400")
    return Desk(tmp_path, capsys)


def with_order(*places: int) -> dict[str, Any]:
    dialogue = hotel()
    dialogue["turns"] = [dialogue["turns"][place] for place in places]
    return dialogue


def hub(dialogue: dict[str, Any]) -> dict[str, Any]:
    """The dialogue in the layout of Hugging Face."""
    turns = dialogue["turns"]
    frames = []
    for turn in turns:
        states = [frame["state"] for frame in turn["frames"]]
        values = [
            {"slots_values_name": list(state["slot_values"]), "slots_values_list": list(state["slot_values"].values())}
            for state in states
        ]
        frames.append(
            {
                "service": [frame["service"] for frame in turn["frames"]],
                "state": [
                    {"active_intent": state["active_intent"], "slots_values": value}
                    for state, value in zip(states, values, strict=True)
                ],
            }
        )
    columns = {
        "turn_id": [turn["turn_id"] for turn in turns],
        "speaker": [int(turn["speaker"] == "SYSTEM") for turn in turns],
        "utterance": [turn["utterance"] for turn in turns],
        "frames": frames,
    }
    return {"dialogue_id": dialogue["dialogue_id"], "services": ["hotel"], "turns": columns}


@pytest.mark.parametrize("layout", [lambda dialogue: dialogue, hub], ids=["official", "hub"])
def test_turns_out_of_order_are_put_in_order_with_a_warning(desk: Desk, layout: Any) -> None:
    gold = desk.write("gold.jsonl", lines(layout(with_order(2, 3, 0, 1)), layout(train())))
    done = desk.score(gold, "--predictions", desk.mine, "--metrics", "joint_goal_accuracy")
    assert done.code == 0
    assert f"{gold}:1: the turns are in another order than their ids; they were sorted by id" in done.out
    assert desk.scores("joint_goal_accuracy")["TST0001.json"]["value"] == 1.0


def test_own_turns_out_of_order_are_put_in_order(desk: Desk) -> None:
    turns = [
        {"id": "10", "speaker": "user", "text": "Two.", "gold": {"state": {"hotel-area": "north"}}},
        {"id": "9", "speaker": "system", "text": "How many?"},
        {"id": "8", "speaker": "user", "text": "A hotel.", "gold": {"state": {}}},
    ]
    desk.score(desk.write("own.jsonl", ({"id": "d", "arm": "a", "turns": turns},)))
    (record,) = desk.rows("records.jsonl")
    assert [turn["id"] for turn in record["turns"]] == ["8", "9", "10"]


@pytest.mark.parametrize(
    ("ids", "warning"),
    [
        (("0", "1", "4", "5"), "turn 4 follows turn 1; is a turn missing?"),
        (("6", "7"), "the first turn is turn 6; is a turn missing?"),
        (("0", "2", "4"), ""),
        (("1", "2", "3"), ""),
        (("0", "b", "7"), ""),
        (("a1", "b7"), ""),
        (("t0", "t1", "t4"), "turn 4 follows turn 1; is a turn missing?"),
        (("7",), "the first turn is turn 7; is a turn missing?"),
        ((), ""),
    ],
)
def test_a_gap_in_turn_ids_is_warned_about(ids: tuple[str, ...], warning: str) -> None:
    warnings = Warnings()
    assert turn_order("gold.jsonl:1", ids, warnings) is None
    assert warnings.lines() == ([f"gold.jsonl:1: {warning}"] if warning else [])


@pytest.mark.parametrize(
    ("ids", "order"),
    [
        (("2", "0", "1"), [1, 2, 0]),
        (("t10", "t9", "t8"), [2, 1, 0]),
        (("sng1-2", "sng1-1", "sng1-0"), [2, 1, 0]),
        (("a2", "b1"), None),
        (("2", "one"), None),
        (("٢", "١"), None),
        (("9" * 5000, "1"), None),
    ],
)
def test_numbers_at_the_end_of_ids_give_the_order(ids: tuple[str, ...], order: list[int] | None) -> None:
    assert turn_order("gold.jsonl:1", ids, Warnings()) == order


@pytest.mark.parametrize("other", ["tst0001", "TST0001", "Tst0001.JSON"])
def test_two_gold_ids_that_fold_into_one_are_refused(desk: Desk, other: str) -> None:
    gold = desk.write("gold.jsonl", lines(hotel(), {**hotel(), "dialogue_id": other}))
    message = desk.refused(gold, "--predictions", desk.mine)
    assert f"{gold}:2: dialogue_id: found {other!r} beside 'TST0001.json'" in message
    assert desk.score(gold, "--predictions", desk.mine, "--skip-bad", "--metrics", "joint_goal_accuracy").code == 0
    assert len(desk.rows()) == 1


def test_two_spellings_of_one_dialogue_in_a_file_of_goals_are_refused(desk: Desk) -> None:
    goals = desk.write("goals.json", {"tst0001": {}, "TST0001.json": {}})
    assert "found 'TST0001.json' beside 'tst0001'" in desk.refused(desk.gold, "--goals", goals)


@pytest.mark.parametrize(
    ("booked", "fault"),
    [
        ([[]], "1 entries for 2 replies; expected one for each reply"),
        ([[], [], []], "3 entries for 2 replies; expected one for each reply"),
        ([["hotel"], []], "hotel is booked before entry 1 and not in it; bookings accumulate"),
        ([[], ["train"]], "train in entry 1; the dialogue has hotel"),
    ],
)
def test_bookings_of_another_dialogue_are_refused(desk: Desk, booked: list[list[str]], fault: str) -> None:
    message = desk.refused(desk.gold, "--booked", desk.write("booked.json", {"tst0001": booked}))
    assert f"{desk.gold}:1: booked: --booked, 'TST0001.json': found {fault}" in message


def test_bookings_may_be_written_with_capitals(desk: Desk) -> None:
    assert desk.score(desk.gold, "--booked", desk.write("booked.json", {"TST0001.json": [[], ["Hotel"]]})).code == 0
    replies = [turn for turn in desk.rows("records.jsonl")[0]["turns"] if turn["speaker"] == "system"]
    assert [reply["gold"]["booked"] for reply in replies] == [[], ["hotel"]]


@pytest.mark.slow
@pytest.mark.skipif(not MULTIWOZ.is_dir(), reason=f"{MULTIWOZ} is not there")
@pytest.mark.parametrize("shift", [1, *(pytest.param(shift, marks=pytest.mark.trial) for shift in (0, -1))])
def test_a_shifted_list_of_bookings_is_remarked_on(tmp_path: Path, shift: int) -> None:
    booked = json.loads(gzip.decompress((MULTIWOZ / "booked_domains_dev_test.json.gz").read_bytes()))
    if shift > 0:
        booked = {id: [[], *entries[:-1]] for id, entries in booked.items()}
    if shift < 0:
        booked = {id: [*entries[1:], entries[-1]] for id, entries in booked.items()}
    (tmp_path / "booked.json").write_text(json.dumps(booked))
    options = {"db": str(MULTIWOZ / "db"), "booked": str(tmp_path / "booked.json")}
    plan = Plan(suite="service", files=(str(MULTIWOZ / "mwz21states_test.jsonl.gz"),), options=options)
    (arm,) = survey(Job.open(plan)).coverage.arms.values()
    remarks = [remark for remark in arm.remarks if "is the list shifted?" in remark]
    assert len(remarks) == abs(shift)
