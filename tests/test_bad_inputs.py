"""What is wrong with an input is said with its place, and nothing half-written stays behind."""

from __future__ import annotations

import csv
import gzip
import json
import os
import pickle
import subprocess
import sys
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from adjudge.core.errors import Complaint, Warnings
from adjudge.read.files import ReadLimits, rows
from small_service import Desk, hotel, lines, predictions, train, user


@pytest.fixture
def desk(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Desk:
    monkeypatch.setenv("COLUMNS", "400")
    return Desk(tmp_path, capsys)


def own(**changes: Any) -> dict[str, Any]:
    """A dialogue in our own format with a gold and a predicted state."""
    said = {"intents": ["find_hotel"], "state": {"hotel-area": "north"}}
    turns = [
        {"id": "0", "speaker": "user", "text": "A hotel in the north.", "gold": said, "predicted": said},
        {"id": "1", "speaker": "system", "text": "Here is one."},
    ]
    return {"id": "d1", "arm": "mine", "turns": turns, **changes}


# Encodings and files as such.


def test_byte_order_mark_is_left_out_with_a_warning(desk: Desk) -> None:
    gold = desk.write("bom.jsonl", b"\xef\xbb\xbf" + desk.gold.read_bytes())
    done = desk.score(gold, "--predictions", desk.mine)
    assert done.code == 0
    assert "bom.jsonl: starts with a byte order mark" in done.out
    assert any("byte order mark" in warning for warning in desk.manifest()["coverage"]["warnings"])
    assert len(desk.rows()) == 2


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_utf_16_is_named_with_the_way_to_convert_it(desk: Desk, encoding: str) -> None:
    gold = desk.write("wide.jsonl", desk.gold.read_text().encode(encoding))
    message = desk.refused(gold)
    assert "wide.jsonl: encoded in UTF-16" in message
    assert "expected UTF-8" in message
    assert "iconv" in message


def test_cp1252_byte_is_named_with_its_line_and_probable_encoding(desk: Desk) -> None:
    gold = desk.write("old.jsonl", desk.gold.read_bytes().replace(b"When do", b"It\x92s when"))
    message = desk.refused(gold)
    assert "old.jsonl:2: byte 0x92" in message
    assert "cp1252" in message


def test_line_ends_of_windows_are_fine(desk: Desk) -> None:
    gold = desk.write("crlf.jsonl", desk.gold.read_bytes().replace(b"\n", b"\r\n"))
    assert desk.score(gold, "--predictions", desk.mine).code == 0
    assert len(desk.rows()) == 2


def test_truncated_last_line_is_refused_with_its_byte(desk: Desk) -> None:
    text = lines(hotel(), train())
    gold = desk.write("cut.jsonl", text[:-40])
    message = desk.refused(gold)
    assert "cut.jsonl:2: ends in the middle of" in message
    assert f"truncated at byte {len(text.splitlines()[1]) + 1 - 40}" in message
    assert "--skip-bad" in message


def test_truncated_last_line_is_counted_and_the_rest_scored_with_skip_bad(desk: Desk) -> None:
    gold = desk.write("cut.jsonl", lines(hotel(), train())[:-40])
    done = desk.score(gold, "--skip-bad")
    assert done.code == 0
    assert "1 record refused" in done.out
    assert desk.manifest()["coverage"]["refused"] == 1
    assert [row["case"] for row in desk.rows()] == ["TST0001.json"]


def test_empty_file_is_refused(desk: Desk) -> None:
    assert "none.jsonl: empty; expected JSON or JSONL" in desk.refused(desk.write("none.jsonl", ""))
    assert "none.json: empty" in desk.refused(desk.gold, "--predictions", desk.write("none.json", ""))


def test_folder_in_place_of_a_file_lists_what_is_in_it(desk: Desk) -> None:
    message = desk.refused(desk.gold, "--predictions", desk.folder)
    assert f"{desk.folder}: a folder; expected a file" in message
    assert "gold.jsonl" in message


def test_missing_file_says_which_one_may_be_meant(desk: Desk) -> None:
    assert "did you mean 'gold.jsonl'?" in desk.refused(desk.folder / "gould.jsonl")
    assert "did you mean 'mine.json'?" in desk.refused(desk.gold, "--predictions", desk.folder / "mines.json")


def test_yaml_is_refused_by_name(desk: Desk) -> None:
    message = desk.refused(desk.write("gold.yaml", "!!python/object/apply:os.system ['touch harmed']"))
    assert "gold.yaml: YAML; expected JSON or JSONL" in message


def test_yaml_under_another_name_is_no_json(desk: Desk) -> None:
    message = desk.refused(desk.write("gold.txt", "a: &a [x, x]\nb: *a\n"))
    assert "gold.txt:1: starts 'a: &a [x, x]'; expected JSON" in message


class Harmful:
    """Writes a file when it is unpickled."""

    def __init__(self, path: str) -> None:
        self.path = path

    def __reduce__(self) -> tuple[Any, ...]:
        return os.mkdir, (self.path,)


@pytest.mark.parametrize("name", ["gold.pkl", "gold.pickle", "gold.joblib", "gold.pkl.gz", "gold.jsonl"])
def test_pickle_is_refused_by_name_and_by_its_first_bytes(desk: Desk, name: str) -> None:
    content = pickle.dumps(Harmful(str(desk.folder / "harmed")))
    gold = desk.write(name, gzip.compress(content) if name.endswith(".gz") else content)
    assert f"{name}: a pickle or array file" in desk.refused(gold)
    assert f"{name}: a pickle or array file" in desk.refused(desk.gold, "--predictions", gold)
    assert not (desk.folder / "harmed").exists()


def test_line_beyond_the_limit_is_refused_and_the_rest_scored(desk: Desk) -> None:
    long = hotel()
    long["turns"][0]["utterance"] = "x" * (33 << 20)
    gold = desk.write("long.jsonl", lines(long, train()))
    message = desk.refused(gold)
    assert "long.jsonl:1: " in message
    assert "expected at most 33,554,432" in message
    assert desk.score(gold, "--skip-bad").code == 0
    assert [row["case"] for row in desk.rows()] == ["TST0002.json"]


def test_memory_is_bounded_by_the_limit_of_a_line(desk: Desk) -> None:
    path = desk.write("long.jsonl", '{"id": "' + "x" * 100_000_000 + '"}\n{"id": "b"}\n')
    refused: list[Complaint] = []
    tracemalloc.start()
    try:
        results = list(rows(path, Warnings(), ReadLimits(line_bytes=1 << 20), refused.append))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert [raw for _, raw in results] == [b'{"id": "b"}']
    assert len(refused) == 1
    assert peak < 16 << 20


def test_two_megabytes_of_text_are_scored(desk: Desk) -> None:
    long = hotel()
    long["turns"][0]["utterance"] = "word " * 400_000
    assert desk.score(desk.write("long.jsonl", lines(long, train())), "--predictions", desk.mine).code == 0
    assert desk.scores("joint_goal_accuracy")["TST0001.json"]["value"] == 1.0


@pytest.mark.parametrize("escape", ["\\ud83d", "\\udc3d"])
def test_lone_surrogate_is_refused_unless_lenient(desk: Desk, escape: str) -> None:
    gold = desk.write("half.jsonl", desk.gold.read_text().replace("When do", f"When {escape} do"))
    message = desk.refused(gold)
    assert f"half.jsonl:2: lone surrogate {escape} at byte" in message
    done = desk.score(gold, "--lenient")
    assert done.code == 0
    assert "half.jsonl:2: a lone surrogate was replaced by U+FFFD" in done.out
    assert "When \ufffd do" in desk.rows("records.jsonl")[1]["turns"][1]["text"]


def test_lone_surrogate_in_predictions_is_refused_unless_lenient(desk: Desk) -> None:
    mine = desk.write("half.json", desk.mine.read_text().replace("When?", "When\\ud83d?"))
    assert "half.json" in desk.refused(desk.gold, "--predictions", mine)
    done = desk.score(desk.gold, "--predictions", mine, "--lenient")
    assert done.code == 0
    assert "half.json: a lone surrogate was replaced by U+FFFD" in done.out


# Dialogues.


def test_same_dialogue_twice_is_used_once(desk: Desk) -> None:
    gold = desk.write("twice.jsonl", lines(hotel(), train(), hotel()))
    done = desk.score(gold)
    assert done.code == 0
    assert f"{gold}:3: repeats {gold}:1; left out" in done.out
    assert [row["case"] for row in desk.rows()] == ["TST0001.json", "TST0002.json"]


def test_two_dialogues_of_one_id_are_refused_with_both_lines(desk: Desk) -> None:
    other = hotel()
    other["turns"][0]["utterance"] = "Another wish."
    gold = desk.write("twice.jsonl", lines(hotel(), train(), other))
    message = desk.refused(gold)
    assert f"{gold}:3: " in message
    assert f"{gold}:1 " in message
    assert "--on-duplicate" in message


@pytest.mark.parametrize(("choice", "text"), [("first", "A hotel in the north, please."), ("last", "Another wish.")])
def test_on_duplicate_chooses_between_two_dialogues_of_one_id(desk: Desk, choice: str, text: str) -> None:
    other = hotel()
    other["turns"][0]["utterance"] = "Another wish."
    gold = desk.write("twice.jsonl", lines(hotel(), train(), other))
    assert desk.score(gold, "--on-duplicate", choice).code == 0
    texts = {record["id"]: record["turns"][0]["text"] for record in desk.rows("records.jsonl")}
    assert texts == {"TST0001.json": text, "TST0002.json": "A train to Ely."}


def test_last_of_three_dialogues_of_one_id_is_the_third(desk: Desk) -> None:
    second, third = hotel(), hotel()
    second["turns"][0]["utterance"] = "Second."
    third["turns"][0]["utterance"] = "Third."
    gold = desk.write("thrice.jsonl", lines(hotel(), second, third))
    assert desk.score(gold, "--on-duplicate", "last").code == 0
    assert [record["turns"][0]["text"] for record in desk.rows("records.jsonl")] == ["Third."]
    assert desk.manifest()["coverage"]["arms"]["thrice"]["conversations"] == 1


def test_skipping_one_element_of_a_list_on_one_line_keeps_the_others(desk: Desk) -> None:
    bad = train()
    del bad["turns"][0]["frames"]
    gold = desk.write("list.json", json.dumps([hotel(), bad]))
    assert desk.score(gold, "--skip-bad").code == 0
    assert [row["case"] for row in desk.rows()] == ["TST0001.json"]


def test_dialogue_without_turns_is_undefined(desk: Desk) -> None:
    gold = desk.write("empty.jsonl", lines(own(id="empty", turns=[]), own()))
    assert desk.score(gold).code == 0
    scores = desk.scores("joint_goal_accuracy")
    assert scores["empty"] == {}
    assert scores["d1"]["value"] == 1.0
    assert not [row for row in desk.rows() for score in row["scores"].values() if _status(score) == "error"]


def _status(score: dict[str, Any]) -> str:
    return str(score.get("skipped", {}).get("status", ""))


def test_turn_id_that_stands_twice_refuses_the_dialogue(desk: Desk) -> None:
    bad = hotel()
    bad["turns"][2]["turn_id"] = "0"
    gold = desk.write("turns.jsonl", lines(train(), bad))
    message = desk.refused(gold)
    assert "turns.jsonl:2: turns: turn '0' appears twice in dialogue 'TST0001.json'" in message
    assert desk.score(gold, "--skip-bad").code == 0
    assert [row["case"] for row in desk.rows()] == ["TST0002.json"]


def test_metrics_against_gold_are_undefined_without_gold(desk: Desk) -> None:
    turns = own()["turns"]
    del turns[0]["gold"]
    gold = desk.write("bare.jsonl", lines(own(turns=turns)))
    assert desk.score(gold).code == 0
    assert desk.scores("joint_goal_accuracy")["d1"] == {}
    assert desk.scores("intent_accuracy")["d1"] == {}
    assert _status(desk.scores("response_quality")["d1"]) == "no_tool"


def test_any_of_several_gold_values_is_right(desk: Desk) -> None:
    gold = hotel()
    for turn in gold["turns"][::2]:
        turn["frames"][0]["state"]["slot_values"]["hotel-area"] = ["east", "north"]
    assert desk.score(desk.write("alternatives.jsonl", lines(gold, train())), "--predictions", desk.mine).code == 0
    assert desk.scores("joint_goal_accuracy")["TST0001.json"]["value"] == 1.0


def test_number_in_a_state_is_taken_as_text_with_one_warning_a_slot(desk: Desk) -> None:
    mine = predictions()
    mine["tst0001"][1]["state"]["hotel"]["bookpeople"] = 2
    mine["tst0001"][0]["state"]["hotel"]["stars"] = 4.0
    mine["tst0001"][1]["state"]["hotel"]["stars"] = 4.0
    path = desk.write("numbers.json", json.dumps(mine, indent=1))
    done = desk.score(desk.gold, "--predictions", path)
    assert done.code == 0
    warnings = desk.manifest()["coverage"]["warnings"]
    assert [warning.partition("found")[2] for warning in warnings] == [
        " the number 4.0, taken as the text '4' (and 1 more like it)",
        " the number 2, taken as the text '2'",
    ]
    assert all("numbers.json:2: tst0001: " in warning for warning in warnings)
    assert desk.rows("records.jsonl")[0]["turns"][2]["predicted"]["state"]["hotel-bookpeople"] == "2"


def test_number_in_a_gold_state_is_taken_as_text(desk: Desk) -> None:
    gold = hotel()
    gold["turns"][2]["frames"][0]["state"]["slot_values"]["hotel-bookpeople"] = [2]
    done = desk.score(desk.write("numbers.jsonl", lines(gold, train())), "--predictions", desk.mine)
    assert done.code == 0
    assert "hotel-bookpeople: found the number 2" in done.out
    assert desk.scores("joint_goal_accuracy")["TST0001.json"]["value"] == 1.0


def test_intent_none_is_left_out_of_intent_metrics(desk: Desk) -> None:
    said = {"intents": [], "state": {"hotel-area": "north"}}
    wanted = {"intents": ["find_hotel"]}
    turns = [
        {"id": "0", "speaker": "user", "gold": {"intents": ["find_hotel"]}, "predicted": wanted},
        {"id": "1", "speaker": "system", "text": "Here."},
        {"id": "2", "speaker": "user", "gold": said, "predicted": wanted},
    ]
    assert desk.score(desk.write("none.jsonl", lines(own(turns=turns)))).code == 0
    score = desk.scores("intent_accuracy")["d1"]
    assert (score["value"], score["n"]) == (1.0, 1)


def test_official_intent_none_is_no_intent(desk: Desk) -> None:
    gold = hotel()
    gold["turns"][2]["frames"][0]["state"]["active_intent"] = "NONE"
    assert desk.score(desk.write("none.jsonl", lines(gold))).code == 0
    assert desk.rows("records.jsonl")[0]["turns"][2]["gold"]["intents"] == []


def test_user_turn_without_frames_is_refused_with_its_field(desk: Desk) -> None:
    bad = hotel()
    del bad["turns"][2]["frames"]
    gold = desk.write("frames.jsonl", lines(train(), bad))
    assert "frames.jsonl:2: turns[2].frames: missing; expected a list of frames" in desk.refused(gold)


def test_gold_state_that_is_a_string_is_refused_with_its_field(desk: Desk) -> None:
    bad = hotel()
    bad["turns"][0]["frames"][0]["state"] = "hotel-area=north"
    message = desk.refused(desk.write("text.jsonl", lines(train(), bad)))
    assert "text.jsonl:2: turns[0].frames[0].state: expected an object" in message
    assert "found 'hotel-area=north'" in message


def test_own_state_that_is_a_string_is_refused_with_its_field(desk: Desk) -> None:
    turns = own()["turns"]
    turns[0] = {**turns[0], "predicted": {"state": "hotel-area=north"}}
    message = desk.refused(desk.write("own.jsonl", lines(own(), own(id="d2", turns=turns))))
    assert "own.jsonl:2: turns[0].predicted.state: expected an object" in message


def test_unknown_field_of_our_own_format_says_which_one_may_be_meant(desk: Desk) -> None:
    turns = own()["turns"]
    turns[0]["predict"] = turns[0].pop("predicted")
    message = desk.refused(desk.write("own.jsonl", lines(own(turns=turns))))
    assert "own.jsonl:1: turns[0].predict" in message
    assert "predicted" in message


@pytest.mark.parametrize("goal", [{"hotel": {"info": ["north"]}}, {"hotel": {"reqt": "phone"}}, {"hotel": {"book": 3}}])
def test_malformed_goal_inside_a_dialogue_is_refused(desk: Desk, goal: dict[str, Any]) -> None:
    bad = {**hotel(), "goal": goal}
    assert "goal.jsonl:1: goal: " in desk.refused(desk.write("goal.jsonl", lines(bad)))


def test_all_bad_records_are_listed_up_to_twenty(desk: Desk) -> None:
    bad = [{**hotel(), "dialogue_id": f"B{number}"} for number in range(30)]
    for dialogue in bad:
        dialogue["turns"] = [{"turn_id": "0", "speaker": "USER", "utterance": "Hm."}]
    message = desk.refused(desk.write("bad.jsonl", lines(*bad)))
    assert "bad.jsonl:20: " in message
    assert "bad.jsonl:21: " not in message
    assert "... and 10 more" in message


def test_something_else_than_a_dialogue_says_what_was_expected(desk: Desk) -> None:
    message = desk.refused(desk.write("other.jsonl", '{"a": 1}\n{"b": 2}\n'))
    assert "other.jsonl:1: not a dialogue: found an object with 'a'" in message
    assert "other.jsonl:2: " in message
    assert "adjudge schema service" in message


# Predictions.


def test_predictions_in_place_of_dialogues_are_recognised(desk: Desk) -> None:
    message = desk.refused(desk.mine)
    assert "mine.json:1: not a dialogue" in message
    assert "give it with --predictions" in message


def test_predictions_that_are_a_list_are_refused(desk: Desk) -> None:
    message = desk.refused(desk.gold, "--predictions", desk.write("list.json", json.dumps([predictions()])))
    assert "list.json: expected an object" in message
    assert "found [" in message


def test_prediction_for_an_unknown_dialogue_is_refused_with_its_line(desk: Desk) -> None:
    mine = {**predictions(), "tst0009": [{"response": "Hm.", "state": {}}]}
    path = desk.write("more.json", json.dumps(mine, indent=1))
    line = path.read_text().splitlines().index(' "tst0009": [') + 1
    message = desk.refused(desk.gold, "--predictions", path)
    assert f"more.json:{line}: tst0009: no such dialogue in the gold files" in message
    done = desk.score(desk.gold, "--predictions", path, "--skip-bad")
    assert done.code == 0
    assert "1 record refused" in done.out
    assert desk.manifest()["coverage"]["refused"] == 1
    assert len(desk.rows()) == 2


@pytest.mark.parametrize("state", ["area=north", {"hotel": "north"}, [["hotel", "area"]]])
def test_predicted_state_of_another_shape_is_refused_with_its_field(desk: Desk, state: Any) -> None:
    mine = predictions()
    mine["tst0002"][0]["state"] = state
    path = desk.write("text.json", json.dumps(mine, indent=1))
    line = path.read_text().splitlines().index(' "tst0002": [') + 1
    message = desk.refused(desk.gold, "--predictions", path)
    assert f"text.json:{line}: tst0002: [0].state" in message
    assert "expected an object" in message


def test_bad_predictions_are_left_out_and_counted_with_skip_bad(desk: Desk) -> None:
    mine = predictions()
    mine["tst0002"][0]["state"] = "ely"
    done = desk.score(desk.gold, "--predictions", desk.write("text.json", json.dumps(mine)), "--skip-bad")
    assert done.code == 0
    assert "text: 1 of 2 conversations" in done.out
    assert desk.manifest()["coverage"]["refused"] == 1


@pytest.mark.parametrize("again", ["tst0002", "TST0002.json"])
@pytest.mark.parametrize("indent", [None, 1])
def test_dialogue_that_stands_twice_in_predictions_is_refused(desk: Desk, again: str, indent: int | None) -> None:
    text = json.dumps(predictions(), indent=indent)
    path = desk.write("twice.json", text[:-1] + f', "{again}": []}}')
    message = desk.refused(desk.gold, "--predictions", path)
    assert "twice.json:" in message
    assert "appears twice in the file" in message


def test_slot_names_that_never_meet_are_shown_with_the_mapping_that_repairs_them(desk: Desk) -> None:
    mine = predictions()
    hotel_state = mine["tst0001"][1]["state"]["hotel"]
    hotel_state["people"] = hotel_state.pop("bookpeople")
    path = desk.write("people.json", json.dumps(mine))
    done = desk.score(desk.gold, "--predictions", path)
    remarks = [line.strip() for line in done.out.partition("metric ")[0].splitlines()]
    assert [line for line in remarks if line.startswith("predicted but never in gold") and "hotel-people (" in line]
    assert [line for line in remarks if line.startswith("in gold but never predicted") and "hotel-bookpeople (" in line]
    assert "to map them: --map people=bookpeople" in remarks
    assert done.out.index("--map") < done.out.index("joint_goal_accuracy")
    assert desk.scores("joint_goal_accuracy")["TST0001.json"]["value"] == 0.5
    done = desk.score(desk.gold, "--predictions", path, "--map", "people=bookpeople", "--fresh")
    assert "never" not in done.out.partition("metric")[0]
    assert desk.scores("joint_goal_accuracy")["TST0001.json"]["value"] == 1.0


def test_coverage_of_one_dialogue_of_many_is_shown_and_can_be_required(desk: Desk) -> None:
    many = [{**hotel(), "dialogue_id": f"TST{number:04}.json"} for number in range(1, 1001)]
    gold = desk.write("many.jsonl", lines(*many))
    mine = desk.write("one.json", json.dumps({"tst0001": predictions()["tst0001"]}))
    done = desk.score(gold, "--predictions", mine)
    assert done.code == 0
    assert "one: 1 of 1000 conversations, 2 of 2000 turns (0.1 %)" in done.out
    done = desk.score(gold, "--predictions", mine, "--require-coverage", "1.0")
    assert done.code == 3
    assert "incomplete: coverage below 1: one 0.001" in done.err


def test_missing_dialogues_are_wrong_on_request(desk: Desk) -> None:
    mine = desk.write("one.json", json.dumps({"tst0001": predictions()["tst0001"]}))
    assert desk.score(desk.gold, "--predictions", mine, "--missing", "wrong").code == 0
    values = {case: score["value"] for case, score in desk.scores("joint_goal_accuracy").items()}
    assert values == {"TST0001.json": 1.0, "TST0002.json": 0.0}


def test_missing_turns_are_unscored_or_wrong(desk: Desk) -> None:
    mine = predictions()
    del mine["tst0001"][1]
    path = desk.write("short.json", json.dumps(mine))
    done = desk.score(desk.gold, "--predictions", path)
    assert "1 dialogue has fewer turns than gold: tst0001" in done.out
    assert desk.scores("joint_goal_accuracy")["TST0001.json"]["n"] == 1
    assert desk.score(desk.gold, "--predictions", path, "--missing", "wrong", "--fresh").code == 0
    score = desk.scores("joint_goal_accuracy")["TST0001.json"]
    assert (score["value"], score["n"]) == (0.5, 2)


def test_turns_beyond_gold_are_left_out_with_a_remark(desk: Desk) -> None:
    mine = predictions()
    mine["tst0002"] *= 3
    done = desk.score(desk.gold, "--predictions", desk.write("long.json", json.dumps(mine)))
    assert done.code == 0
    assert "1 dialogue has more turns than gold, the rest is left out: tst0002" in done.out
    assert desk.scores("joint_goal_accuracy")["TST0002.json"]["n"] == 1


def test_predictions_for_other_dialogues_only_score_nothing(desk: Desk) -> None:
    path = desk.write("other.json", json.dumps({"x1": [{"response": "Hm."}]}))
    message = desk.refused(desk.gold, "--predictions", path, "--skip-bad")
    assert "gold.jsonl: no record to score" in message
    assert "compare the ids" in message


# What is inert.


def test_formulas_in_cells_are_inert_in_csv(desk: Desk) -> None:
    mine = predictions()
    mine["tst0002"][0]["state"]["train"]["destination"] = "=cmd()|'/c calc'!A1"
    gold = hotel()
    gold["turns"][0] = user("0", "=1+1", "find_hotel", {"hotel-area": ["@sum(1)"]})
    desk.score(desk.write("f.jsonl", lines(gold, train())), "--predictions", desk.write("+1.json", json.dumps(mine)))
    table = desk.folder / "marks.csv"
    assert desk.adjudge("export", desk.run, "-o", table).code == 0
    with table.open(newline="") as file:
        cells = [cell for row in csv.reader(file) for cell in row]
    assert any("=cmd()" in cell for cell in cells)
    assert not [cell for cell in cells if cell.startswith(("=", "+", "@", "\t")) or cell[:2] == "-="]


def test_markup_in_texts_is_inert_in_reports(desk: Desk) -> None:
    mine = predictions()
    mine["tst0001"][0]["state"]["hotel"]["area"] = "<script>alert(1)</script> ![x](http://evil/p.png) [red]"
    assert desk.score(desk.gold, "--predictions", desk.write("m.json", json.dumps(mine))).code == 0
    report = desk.folder / "report.md"
    assert desk.adjudge("report", desk.run, "-o", report).code == 0
    text = report.read_text()
    assert "alert(1)" in text
    assert "<script" not in text
    assert "![x](http" not in text
    assert desk.adjudge("report", desk.run).code == 0


# Where a run is written.


def test_file_in_the_way_of_the_run_folder(desk: Desk) -> None:
    desk.run.write_text("mine")
    message = desk.refused(desk.gold)
    assert f"-o {str(desk.run)!r}: is a file; expected a folder for the run" in message
    desk.run = desk.run / "below"
    assert "cannot write the run (Not a directory)" in desk.refused(desk.gold)
    assert desk.run.parent.read_text() == "mine"


def test_run_folder_where_none_can_be_made(desk: Desk) -> None:
    desk.run = Path("/proc/adjudge/run")
    assert "/proc/adjudge/run: cannot write the run" in desk.refused(desk.gold)


def test_run_folder_whose_name_is_too_long(desk: Desk) -> None:
    desk.run = desk.folder / ("x" * 300)
    assert "cannot write the run (File name too long)" in desk.refused(desk.gold)


def test_folder_with_other_files_than_a_run_is_left_alone(desk: Desk) -> None:
    desk.run.mkdir()
    (desk.run / "records.jsonl").write_text("mine\n")
    for fresh in ([], ["--fresh"]):
        assert f"{desk.run}: has records.jsonl but no run.json" in desk.refused(desk.gold, *fresh)
    assert (desk.run / "records.jsonl").read_text() == "mine\n"


def test_folder_with_another_run_is_refused_with_what_differs(desk: Desk) -> None:
    assert desk.score(desk.gold, "--predictions", desk.mine).code == 0
    before = (desk.run / "scores.jsonl").read_bytes()
    message = desk.refused(desk.gold, "--predictions", desk.mine, "--match", "strict")
    assert f"{desk.run}: holds a different run (match was 'canonical', now 'strict')" in message
    assert "--fresh" in message
    desk.write("gold.jsonl", lines(hotel(), train(), {**train(), "dialogue_id": "TST0003.json"}))
    assert "the contents of the input files changed" in desk.refused(desk.gold, "--predictions", desk.mine)
    assert (desk.run / "scores.jsonl").read_bytes() == before
    assert desk.score(desk.gold, "--predictions", desk.mine, "--match", "strict", "--fresh").code == 0
    assert desk.manifest()["settings"]["match"] == "strict"
    assert len(desk.rows()) == 2


def test_manifest_that_is_damaged_is_refused(desk: Desk) -> None:
    assert desk.score(desk.gold).code == 0
    (desk.run / "run.json").write_text("{")
    assert "run.json: not a run manifest" in desk.refused(desk.gold)


def test_two_processes_do_not_write_one_run(desk: Desk) -> None:
    desk.score(desk.gold)
    holder = (
        "import fcntl, sys\n"
        "file = open(sys.argv[1], 'ab')\n"
        "fcntl.flock(file, fcntl.LOCK_EX)\n"
        "print('held', flush=True)\n"
        "sys.stdin.read()\n"
    )
    command = [sys.executable, "-c", holder, str(desk.run / "records.jsonl")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        other.stdout.readline()
        before = {path: path.read_bytes() for path in desk.run.iterdir()}
        for fresh in ([], ["--fresh"]):
            assert f"{desk.run}: another process is writing this run" in desk.refused(desk.gold, *fresh)
        assert {path: path.read_bytes() for path in desk.run.iterdir()} == before
        other.communicate()
    assert desk.score(desk.gold).code == 0


@pytest.fixture
def mounted(tmp_path: Path) -> Iterator[Any]:
    """Mounts a small file system below a folder of the test; skips where that is not allowed."""
    places: list[Path] = []

    def mount(options: str) -> Path:
        place = tmp_path / "mounted"
        place.mkdir(exist_ok=True)
        command = ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(place)]
        try:
            done = subprocess.run(command, capture_output=True, text=True, check=False)
        except FileNotFoundError:
            pytest.skip("there is no mount command here")
        if done.returncode:
            pytest.skip(f"mounting is not allowed here: {done.stderr.strip()}")
        places.append(place)
        return place

    yield mount
    for place in places:
        subprocess.run(["umount", str(place)], check=True)


def test_read_only_file_system(desk: Desk, mounted: Any) -> None:
    desk.run = mounted("ro,size=64k") / "run"
    assert f"{desk.run}: cannot write the run (Read-only file system)" in desk.refused(desk.gold)


def test_read_only_folder(desk: Desk) -> None:
    if os.geteuid() == 0:
        pytest.skip("root may write everywhere")
    closed = desk.folder / "closed"
    closed.mkdir(mode=0o500)
    desk.run = closed / "run"
    assert f"{desk.run}: cannot write the run (Permission denied)" in desk.refused(desk.gold)


def test_disk_too_small_for_the_manifest_leaves_nothing(desk: Desk, mounted: Any) -> None:
    desk.run = mounted("size=16k") / "run"
    message = desk.refused(desk.gold)
    assert f"{desk.run}: cannot write the run (No space left on device)" in message


def test_full_disk_leaves_whole_lines_and_the_run_goes_on_when_there_is_room(desk: Desk, mounted: Any) -> None:
    gold = desk.write(
        "many.jsonl", lines(*({**hotel(), "dialogue_id": f"TST{number:04}.json"} for number in range(400)))
    )
    place = mounted("size=384k")
    desk.run = place / "run"
    done = desk.score(gold)
    assert done.code == 2
    assert f"{desk.run}: No space left on device after" in done.err
    assert "run the same command again" in done.err
    assert desk.manifest()["status"] == "running"
    assert 0 < len(desk.rows()) == len(desk.rows("records.jsonl")) < 400
    assert not list(place.rglob("*.part"))
    subprocess.run(["mount", "-o", "remount,size=16m", str(place)], check=True)
    assert desk.score(gold).code == 0
    cases = [row["case"] for row in desk.rows()]
    assert cases == [f"TST{number:04}.json" for number in range(400)]
    assert cases == [record["id"] for record in desk.rows("records.jsonl")]


def test_full_disk_stops_several_processes_and_the_run_goes_on_when_there_is_room(desk: Desk, mounted: Any) -> None:
    gold = desk.write(
        "many.jsonl", lines(*({**hotel(), "dialogue_id": f"TST{number:04}.json"} for number in range(400)))
    )
    place = mounted("size=384k")
    desk.run = place / "run"
    done = desk.score(gold, "--jobs", "2")
    assert done.code == 2
    assert "No space left on device" in done.err
    assert "run the same command again" in done.err
    subprocess.run(["mount", "-o", "remount,size=16m", str(place)], check=True)
    assert desk.score(gold, "--jobs", "2").code == 0
    assert [row["case"] for row in desk.rows()] == [f"TST{number:04}.json" for number in range(400)]
    assert sorted(path.name for path in desk.run.iterdir()) == ["records.jsonl", "run.json", "scores.jsonl"]


def test_disk_too_small_for_the_first_record_leaves_nothing(desk: Desk, mounted: Any) -> None:
    long = hotel()
    long["turns"][0]["utterance"] = "word " * 200_000
    desk.run = mounted("size=256k") / "run"
    message = desk.refused(desk.write("long.jsonl", lines(long)))
    assert f"{desk.run}: No space left on device after 0 records" in message


# Names and options.


def test_unknown_verb(desk: Desk) -> None:
    done = desk.adjudge("scor")
    assert done.code == 2
    assert "no verb 'scor'; did you mean 'score'?" in done.err


def test_unknown_suite(desk: Desk) -> None:
    for verb in ("score", "validate"):
        done = desk.adjudge(verb, "servise", desk.gold, "-o", desk.run)
        assert done.code == 2
        assert "no suite 'servise'; did you mean 'service'?" in done.err
    assert "no suite 'servise'" in desk.adjudge("list", "servise").err
    assert "no suite 'servise'" in desk.adjudge("schema", "servise").err


def test_unknown_metric(desk: Desk) -> None:
    message = desk.refused(desk.gold, "--only", "joint_goal_acuracy")
    assert "no metric 'joint_goal_acuracy' in suite 'service'; did you mean 'joint_goal_accuracy'?" in message
    done = desk.adjudge("describe", "joint_goal")
    assert done.code == 2
    assert "did you mean 'joint_goal_accuracy'?" in done.err


def test_option_before_the_suite(desk: Desk) -> None:
    for verb in ("score", "validate"):
        done = desk.adjudge(verb, "--skip-bad", "service", desk.gold)
        assert done.code == 2
        assert "found '--skip-bad' first; expected the suite" in done.err


@pytest.mark.parametrize("given", ["people", "=bookpeople", "people=", "hotel-people=bookpeople"])
def test_malformed_map(desk: Desk, given: str) -> None:
    message = desk.refused(desk.gold, "--predictions", desk.mine, "--map", given)
    assert f"--map {given}: expected old=new" in message


@pytest.mark.parametrize(
    ("arguments", "found"),
    [
        (["--match", "exact"], "invalid choice: 'exact' (choose from"),
        (["--jobs", "-1"], "found '-1'; expected a whole number"),
        (["--require-coverage", "2"], "found '2'; expected a number from 0 to 1"),
        (["--require-coverage", "all"], "found 'all'; expected a number from 0 to 1"),
        (["--predict", "x.json"], "unrecognized arguments: --predict"),
    ],
)
def test_option_with_another_value_than_expected(desk: Desk, arguments: list[str], found: str) -> None:
    assert found in desk.refused(desk.gold, *arguments)


def test_names_of_arms_and_prediction_files_differ_in_number(desk: Desk) -> None:
    message = desk.refused(desk.gold, "--predictions", desk.mine, "--arm", "a", "--arm", "b")
    assert "--arm: found 2 names for 1 prediction files; expected one for each" in message


def test_two_prediction_files_of_one_name_need_arms(desk: Desk) -> None:
    (desk.folder / "other").mkdir()
    other = desk.write("other/mine.json", desk.mine.read_bytes())
    arguments = (desk.gold, "--predictions", desk.mine, "--predictions", other)
    assert "two prediction files for the arm 'mine'; name the arms with --arm" in desk.refused(*arguments)
    assert desk.score(*arguments, "--arm", "a", "--arm", "b").code == 0
    assert {row["arm"] for row in desk.rows()} == {"a", "b"}


@pytest.mark.parametrize("option", ["--goals", "--booked", "--policy", "--actions", "--db", "--metrics-file"])
def test_file_of_an_option_that_is_not_there(desk: Desk, option: str) -> None:
    missing = desk.folder / "nowhere.x"
    message = desk.refused(desk.gold, option, missing)
    assert f"{missing}: " in message
    assert "expected" in message


@pytest.mark.parametrize(
    ("option", "content", "found"),
    [
        ("--goals", '{"tst0001": {"hotel": {"informable": []}}}', "expected an object, found []"),
        ("--goals", "[]", "expected an object"),
        ("--goals", '{"tst0001": ', "truncated"),
        ("--booked", '{"tst0001": "hotel"}', "expected a list"),
        ("--policy", "book = 3", "Expected `object`"),
        ("--policy", "book = ", "Invalid value"),
        ("--actions", "[actions]\nbook = 'x'", "Expected `array`"),
    ],
)
def test_malformed_file_of_an_option(desk: Desk, option: str, content: str, found: str) -> None:
    path = desk.write("extra.file", content)
    message = desk.refused(desk.gold, option, path)
    assert f"{path}: " in message
    assert found in message


def test_database_that_is_no_json(desk: Desk) -> None:
    folder = desk.folder / "db"
    folder.mkdir()
    (folder / "hotel_db.json").write_text("[{")
    assert f"{folder / 'hotel_db.json'}: not JSON" in desk.refused(desk.gold, "--db", folder)


def test_report_of_something_else_than_a_run(desk: Desk) -> None:
    for verb in (["report", desk.folder], ["export", desk.folder, "-o", desk.folder / "x.csv"]):
        done = desk.adjudge(*verb)
        assert done.code == 2
        assert "no run.json there; expected a run folder" in done.err


def test_dialogue_acts_that_are_malformed(desk: Desk) -> None:
    path = desk.write("dialog_acts.json", '{"TST0001.json": {"1": {"dialog_act": []}}}')
    message = desk.refused(desk.gold)
    assert f"{path}: " in message
    assert "expected an object" in message


def test_control_characters_of_a_file_do_not_reach_the_terminal(desk: Desk) -> None:
    message = desk.refused(desk.write("esc.jsonl", '{"\\u001b[31mred": 1}\n{}\n'))
    assert "\x1b" not in message
