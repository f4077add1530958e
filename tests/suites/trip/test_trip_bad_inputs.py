"""What is wrong with trips is said with its place; what can be judged nevertheless is kept; nothing in a cell runs."""

from __future__ import annotations

import json
import pickle
import zipfile
from pathlib import Path
from typing import Any

import pytest
from test_trip_read import DAYS, PLAN, dialogue, lines, read, say, write

from adjudge.cli.main import main
from adjudge.core.errors import BadInput
from adjudge.suites.trip.data import OptionCount
from adjudge.suites.trip.read.cells import LITERAL_CHARS, UnreadableCell, parse_cell

HEADER = "speaker,intent,utterance\n"


def refusal(*paths: Path, **options: Any) -> str:
    """Why files cannot be read."""
    with pytest.raises(BadInput) as fault:
        read(*paths, **options)
    return str(fault.value)


def text(path: Path, content: str | bytes) -> Path:
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def write_plan(tmp_path: Path, plan: str) -> Path:
    """A dialogue with this in the cell of its plan."""
    return write(tmp_path / "a_C2.csv", [say("ann", "user_provide_event", "Jazz"), say("system", "x", plan=plan)])


# Tables


def test_a_byte_order_mark_before_the_header_is_left_out(tmp_path: Path) -> None:
    path = text(tmp_path / "a_C2.csv", b"\xef\xbb\xbf" + HEADER.encode() + b"ann,user_provide_event,Jazz\n")
    seen = read(path)
    assert seen.trip.turns[0].speaker == "ann"
    assert "starts with a byte order mark, which was left out" in seen.warnings


def test_line_ends_of_any_system_are_read(tmp_path: Path) -> None:
    path = text(tmp_path / "a_C2.csv", HEADER.replace("\n", "\r\n") + "ann,user_provide_event,Jazz\r\n")
    assert read(path).trip.turns[0].text == "Jazz"


def test_a_field_of_any_length_is_read(tmp_path: Path) -> None:
    long = "x" * 200_000
    seen = read(write(tmp_path / "a_C2.csv", [say("ann", "user_provide_event", long)]))
    assert seen.trip.turns[0].text == long


def test_semicolons_name_the_header_and_the_option(tmp_path: Path) -> None:
    path = write(tmp_path / "a_C2.csv", [say("ann", "user_provide_event", "Jazz")], delimiter=";")
    message = refusal(path)
    assert "a_C2.csv:1: the header 'speaker;intent;utterance' looks separated by semicolons" in message
    assert "give --delimiter ';'" in message
    assert read(path, delimiter=";").trip.turns[0].text == "Jazz"


def test_a_missing_column_is_named_with_the_header_that_was_found(tmp_path: Path) -> None:
    message = refusal(text(tmp_path / "a_C2.csv", "speaker,intents,utterance\nann,x,y\n"))
    assert (
        "a_C2.csv:1: no column 'intent' (did you mean 'intents'?); found 'speaker', 'intents', 'utterance'" in message
    )


def test_an_unclosed_quote_is_refused_with_the_line_it_starts_at(tmp_path: Path) -> None:
    path = text(tmp_path / "a_C2.csv", HEADER + 'ann,user_provide_event,Jazz\nbob,user_provide_event,"Opera\nann,x,y\n')
    message = refusal(path)
    assert "a_C2.csv:3: utterance: a quote opens this cell and is never closed: it takes lines 3 to 4" in message


def test_a_refused_row_takes_its_dialogue_with_it_and_no_other(tmp_path: Path) -> None:
    rows = [
        "d1,ann,user_provide_event,Jazz",
        "d1,ann,one cell,too,many",
        "d1,ann,user_provide_event,Folk",
        "d2,ann,x,y",
    ]
    path = text(tmp_path / "a_C2.csv", "dialogue_id," + HEADER + "\n".join(rows) + "\n")
    assert "a_C2.csv:3: found 5 cells; expected 4" in refusal(path)
    seen = read(path, skip_bad=True)
    assert [trip.id for trip in seen.trips] == ["d2"]
    assert seen.coverage.refused == 1
    assert "a_C2.csv:3: the dialogue of this row is left out with it" in seen.warnings


def test_a_refused_row_between_two_dialogues_takes_both(tmp_path: Path) -> None:
    rows = ["d1,ann,x,y", "too,few", "d2,ann,x,y", "d3,ann,x,y"]
    path = text(tmp_path / "a_C2.csv", "dialogue_id," + HEADER + "\n".join(rows) + "\n")
    assert [trip.id for trip in read(path, skip_bad=True).trips] == ["d3"]


def test_a_refused_row_spoils_no_dialogue_of_another_table(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as archive:
        archive.writestr("a_C2.csv", HEADER + "ann,user_provide_event,Jazz\n")
        archive.writestr("b_C2.csv", HEADER + "too,few\n")
    assert [trip.case for trip in read(tmp_path / "all.zip", skip_bad=True).trips] == ["a"]


def test_rows_of_one_dialogue_that_stand_apart_are_refused(tmp_path: Path) -> None:
    rows = ["d1,ann,x,y", "d2,ann,x,y", "d1,ann,x,z"]
    message = refusal(text(tmp_path / "a_C2.csv", "dialogue_id," + HEADER + "\n".join(rows) + "\n"))
    assert "a_C2.csv:4: rows of 'd1' already occur above" in message


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "empty; expected"),
        (HEADER, "no row below the header; expected a row for each turn"),
        (HEADER + ",user_provide_event,Jazz\n", "a_C2.csv:2: speaker: empty; expected 'system' or the id of a member"),
        ((HEADER + "ann,x,it’s\n").encode("cp1252"), "probably cp1252"),
        ((HEADER + "ann,x,y\n").encode("utf-16"), "encoded in UTF-16"),
        (HEADER.encode() + b"ann,x,\xed\xa0\x80\n", "a_C2.csv:2: half a character"),
    ],
    ids=["empty", "header alone", "no speaker", "cp1252", "UTF-16", "surrogate"],
)
def test_a_table_that_cannot_be_read_says_why(tmp_path: Path, content: str | bytes, message: str) -> None:
    assert message in refusal(text(tmp_path / "a_C2.csv", content))


def test_the_encoding_of_a_table_can_be_named(tmp_path: Path) -> None:
    path = text(tmp_path / "a_C2.csv", (HEADER + "ann,user_provide_event,it’s\n").encode("cp1252"))
    assert read(path, encoding="cp1252").trip.turns[0].text == "it’s"


def test_cells_that_a_spreadsheet_would_run_stay_text(tmp_path: Path) -> None:
    formulas = ['=HYPERLINK("http://x")', "+1", "@SUM(A1)", "<script>alert(1)</script>", "![x](http://x)"]
    rows = [say("ann", "user_provide_event", formula, constraint_state=formula) for formula in formulas]
    assert [turn.text for turn in read(write(tmp_path / "a_C2.csv", rows)).trip.turns] == formulas


def test_the_same_table_twice_counts_once_and_another_of_its_name_is_refused(tmp_path: Path) -> None:
    first = write(tmp_path / "a" / "x_C2.csv", dialogue())
    same = write(tmp_path / "b" / "x_C2.csv", dialogue())
    other = write(tmp_path / "c" / "x_C2.csv", dialogue()[1:])
    seen = read(first, same)
    assert len(seen.trips) == 1
    assert "left out" in seen.warnings
    assert "the same case is at" in refusal(first, other)


def test_an_archive_of_tables_and_records_is_refused(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as archive:
        archive.writestr("a_C2.csv", HEADER + "ann,x,y\n")
        archive.writestr("b.jsonl", '{"id": "b"}\n')
    message = refusal(tmp_path / "all.zip")
    assert "a_C2.csv' is a table" in message
    assert "b.jsonl' is not" in message


# Plans and catalogues in cells


def test_a_plan_cut_by_a_spreadsheet_leaves_the_dialogue_and_says_why(tmp_path: Path) -> None:
    cut = json.dumps({**PLAN, "raw_output": "x" * 40_000}, separators=(",", ":"))[:32_767]
    seen = read(write_plan(tmp_path, cut))
    assert seen.trip.plan is None
    assert seen.trip.plan_fault.endswith(
        'a_C2.csv:3: plan: not JSON (starts \'{"raw_output":"xxxxxxxxxxxxxxx\'); '
        "cut at 32,767 characters, the limit of a spreadsheet cell?"
    )
    assert len(seen.trip.turns) == 2
    assert seen.trip.plan_fault in seen.warnings
    assert seen.trip.plan_fault in seen.remarks
    assert "a plan" not in seen.coverage.arms["C2"].fields


def test_dialogue_metrics_are_scored_without_the_plan(tmp_path: Path) -> None:
    path = write_plan(tmp_path, '{"days": [{"day": 1')
    assert main(["score", "trip", str(path), "-o", str(tmp_path / "run"), "-q"]) == 0
    scores = json.loads((tmp_path / "run" / "scores.jsonl").read_text())["scores"]
    assert scores["total_turns"]["value"] == 2
    assert "value" not in scores["coherence"]


@pytest.mark.parametrize(
    ("plan", "fault"),
    [
        ("Day 1: go to Lund", "not JSON (starts 'Day 1: go to Lund'); expected the planner's JSON or an empty cell"),
        ('{"days": [{"day": 1', 'not JSON (starts \'{"days": [{"day": 1\'); ends in the middle of an object'),
        ('"just a text"', "found 'just a text'; expected the planner's JSON, with days"),
        ("42", "found '42'; expected the planner's JSON, with days"),
        ('{"days": ["Lund"]}', "days[0]: found 'Lund'; expected an object with meals and places"),
        ('{"hotel_name": "x"}', "found only 'hotel_name'; expected a list of days"),
        ('Here: {"days": [{"lunch": "A"}, {"lunch"', "not JSON (starts 'Here: {"),
        ('One: {"days": [{"lunch": "A"}]} Two: {"days": [{"lunch": "B"}]}', "not JSON (starts 'One: {"),
        ("Here: " + '["[' * 100_000, "nested 100,000 levels deep; expected at most 100"),
        ("Here: " + "[a" * 90 + " " * 100_000, "not JSON (starts 'Here: [a"),
        ("{'days': [" + "[" * 200 + "]" * 200 + "]}", "nested 202 levels deep; expected at most 100"),
    ],
)
def test_a_plan_that_cannot_be_read_says_what_it_is(tmp_path: Path, plan: str, fault: str) -> None:
    seen = read(write_plan(tmp_path, plan))
    assert seen.trip.plan is None
    assert f"a_C2.csv:3: plan: {fault}" in seen.trip.plan_fault


def test_a_plan_of_text_alone_has_no_days(tmp_path: Path) -> None:
    seen = read(write_plan(tmp_path, '{"raw_output": "Sorry, no plan."}'))
    assert seen.trip.plan is not None
    assert (seen.trip.plan.raw, seen.trip.days) == ("Sorry, no plan.", ())
    assert "the planner's text without days" in seen.warnings


@pytest.mark.parametrize("plan", ["{}", "[]", '{"days": []}'])
def test_an_empty_plan_is_none_and_no_place_of_it_is_judged(tmp_path: Path, plan: str) -> None:
    path = write_plan(tmp_path, plan)
    assert main(["score", "trip", str(path), "-o", str(tmp_path / "run"), "-q"]) == 0
    scores = json.loads((tmp_path / "run" / "scores.jsonl").read_text())["scores"]
    assert [name for name in ("grounding", "coherence") if "value" in scores[name]] == []


def test_a_travelplanner_plan_that_cannot_be_read_keeps_its_row(tmp_path: Path) -> None:
    seen = read(lines(tmp_path / "tp.jsonl", {"idx": 1, "query": "", "plan": "Day 1: Lund"}, {"idx": 2, "plan": DAYS}))
    first, second = seen.trips
    assert "tp.jsonl:1: plan: not JSON (starts 'Day 1: Lund')" in first.plan_fault
    assert second.days


def test_a_catalogue_cell_that_cannot_be_read_is_named_and_the_others_kept(tmp_path: Path) -> None:
    row = say("ann", "user_provide_event", ref_info_events="[{'name'", ref_info_restaurants=[{"name": "Blue Door"}])
    seen = read(write(tmp_path / "a_C2.csv", [row]))
    assert [entry.name for entry in seen.trip.catalogue] == ["Blue Door"]
    assert "a_C2.csv:2: ref_info_events: not JSON (starts \"[{'name'\")" in seen.warnings
    assert "left out of the catalogue" in seen.warnings


@pytest.mark.parametrize(
    ("column", "cell", "message"),
    [
        ("ref_info_restaurants", "[]", ""),
        ("ref_info_restaurants", '["a text"]', "no record with a name in it"),
        ("ref_info_weather", '[{"name": "rain"}]', "names no kind of place"),
    ],
)
def test_an_empty_catalogue_is_remarked(tmp_path: Path, column: str, cell: str, message: str) -> None:
    seen = read(write(tmp_path / "a_C2.csv", [say("ann", "user_provide_event", **{column: cell})]))
    assert seen.trip.catalogue == ()
    assert "1 of 1 with an empty catalogue" in seen.remarks
    assert message in seen.warnings


def test_a_file_without_a_catalogue_in_it_is_refused(tmp_path: Path) -> None:
    plans = lines(tmp_path / "tp.jsonl", {"idx": 1, "query": "", "plan": DAYS})
    message = refusal(plans, catalogue=str(lines(tmp_path / "c.json", {"places": []})))
    assert "c.json: no catalogue in it; expected reference information by title" in message
    message = refusal(plans, catalogue=str(lines(tmp_path / "c.jsonl", {"kind": "hotel", "name": "x"})))
    assert "c.jsonl:1: kind: expected one of 'restaurant', 'lodging', 'attraction', 'event', found 'hotel'" in message


# Literals


def test_code_in_a_cell_never_runs(tmp_path: Path) -> None:
    trace = tmp_path / "trace"
    code = f"__import__('os').system('touch {trace}')"
    cells = dict(zip(("plan", "constraint_state", "ref_info_events"), SHAPES, strict=True))
    row = say("system", "sys_present_plan", code, **{name: shape.format(code=code) for name, shape in cells.items()})
    seen = read(write(tmp_path / "a_C2.csv", [row]))
    assert not trace.exists()
    assert seen.trip.plan is None
    assert seen.trip.turns[0].text == code
    for column in cells:
        assert f"a_C2.csv:2: {column}: not JSON" in seen.warnings


SHAPES = ("{code}", "{{'members': {code}}}", "[{{'name': {code}}}]")


@pytest.mark.parametrize(
    "cell",
    [
        "[x for x in ()]",
        "[open('x')]",
        "[1 .__class__]",
        "[lambda: 1]",
        "(" + "-" * 100_000 + "1)",
        "[1" + "+1" * 100_000 + "]",
        "[" + "9" * 10_000 + "]",
        "[b'x']",
        "['\\ud83d']",
        "[...]",
    ],
    ids=["comprehension", "call", "attribute", "lambda", "signs", "sum", "huge number", "bytes", "half", "ellipsis"],
)
def test_a_literal_that_is_no_data_is_refused(cell: str) -> None:
    with pytest.raises(UnreadableCell, match="not JSON"):
        parse_cell(cell)


def test_a_literal_beyond_the_limits_is_refused() -> None:
    with pytest.raises(UnreadableCell, match=r"too long for a Python literal \(2,000,004 characters"):
        parse_cell("['" + "x" * LITERAL_CHARS + "']")
    with pytest.raises(UnreadableCell, match="nested 150 levels deep"):
        parse_cell("(" * 150 + ")" * 150)
    assert parse_cell("['" + "[" * 150 + "']").value == ["[" * 150]


def test_half_a_character_in_a_cell_is_refused_or_replaced(tmp_path: Path) -> None:
    path = write(tmp_path / "a_C2.csv", [say("ann", "user_provide_event", metadata='{"group_type": "\\ud83d x"}')])
    message = refusal(path)
    assert "a_C2.csv:2: metadata: lone surrogate \\ud83d" in message
    assert "--lenient replaces it" in message
    seen = read(path, lenient=True)
    assert seen.trip.group_type == "\ufffd x"
    assert "a lone surrogate was replaced by U+FFFD" in seen.warnings


# Facts that cannot be


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        ({"multi_user": "maybe"}, "a_C2.csv:2: multi_user: found 'maybe'; expected true or false"),
        ({"member_count": "four"}, "a_C2.csv:2: member_count: found 'four'; expected a whole number"),
        ({"member_count": "-1"}, "a_C2.csv:2: member_count: found '-1'; expected a whole number"),
        ({"metadata": {"member_count": "nan"}}, "member_count: found 'nan'; expected a whole number from 1 to 10,000"),
        ({"metadata": {"member_count": "inf"}}, "member_count: found 'inf'; expected a whole number from 1 to 10,000"),
        ({"metadata": {"member_count": 10**9}}, "member_count: found 1000000000; expected a whole number from 1 to"),
        ({"member_count": "0"}, "member_count: found '0'; expected a whole number from 1 to 10,000"),
        ({"metadata": {"trial": "inf"}}, "trial: found 'inf'; expected a whole number"),
        ({"metadata": {"members": ["ann", {"id": "ann"}]}}, "members[1].id: 'ann' is also the id of member 1"),
        ({"metadata": {"condition": "C9"}}, "condition: found 'C9'; expected one of C1, C2, C3, C4, C5"),
    ],
)
def test_a_fact_that_cannot_be_is_refused(tmp_path: Path, cells: dict[str, Any], message: str) -> None:
    assert message in refusal(write(tmp_path / "a_C2.csv", dialogue(**cells)))


@pytest.mark.parametrize("number", ["nan", "inf", "-inf", "many"])
def test_counts_of_a_vote_that_are_no_numbers_are_unknown(tmp_path: Path, number: str) -> None:
    detail = {"option": "x", "total_score": number, "strong_rejections": number, "member_scores": {"ann": number}}
    cell = {"vote_summary": {"option_details": [detail]}}
    path = write(tmp_path / "a_C3.csv", [say("system", "sys_synthesize_event", metadata=cell)])
    vote = read(path).trip.turns[0].vote
    assert vote is not None
    assert vote.option_details == (OptionCount("x"),)


def test_turn_ids_must_differ(tmp_path: Path) -> None:
    rows = [say("ann", "user_provide_event", turn_id="1"), say("ann", "user_provide_cuisine", turn_id="1")]
    expected = "turns[1].id: '1' is also the id of turn 1; expected each once"
    assert expected in refusal(write(tmp_path / "a_C2.csv", rows))
    turns = [{"id": "1", "speaker": "ann"}, {"id": "1", "speaker": "bob"}]
    assert f"own.jsonl:1: {expected}" in refusal(lines(tmp_path / "own.jsonl", {"id": "x", "turns": turns}))


def test_flags_that_do_not_fit_together_are_remarked(tmp_path: Path) -> None:
    seen = read(write(tmp_path / "a.csv", dialogue(multi_user="False", enable_feedback="True")))
    assert seen.trip.condition == "C1"
    assert "multi_user is false but enable_feedback is true: taken as C1" in seen.warnings


# Our own records and other JSON


@pytest.mark.parametrize(
    ("record", "message"),
    [
        (
            {"id": "x", "condition": "c3"},
            "condition: found 'c3'; expected one of C1, C2, C3, C4, C5; did you mean 'C3'?",
        ),
        ({"id": "x", "condition": "C6"}, "condition: found 'C6'; expected one of C1, C2, C3, C4, C5\n"),
        ({"id": "x", "condition": 3}, "condition: expected"),
        ({"id": ""}, "id: empty; expected a name of the dialogue"),
        ({"id": "x", "plann": {}}, "plann: unknown field; did you mean 'plan'?"),
        ({"id": "x", "plan": {"days": [{"number": "one"}]}}, "plan.days[0].number: expected a whole number"),
        (
            {"dialogue": []},
            "found 'dialogue'; expected a trip, with an id (adjudge schema trip), a chat (messages), or a plan of",
        ),
        ({"idx": 1, "query": 5, "plan": []}, "query: expected a string, an object or null, found 5"),
        ({"id": "x", "member_count": 10**9}, "member_count: expected a whole number <= 10000, found 1000000000"),
        ({"id": "x", "member_count": 0}, "member_count: expected a whole number >= 1, found 0"),
        ({"id": "x", "request": {"budget": -5}}, "request.budget: expected a number >= 0.0, found -5"),
        ({"id": "x", "request": {"people": 0}}, "request.people: expected a whole number >= 1, found 0"),
        (
            {"id": "x", "catalogue": [{"kind": "lodging", "name": "y", "price": -3.0}]},
            "catalogue[0].price: expected a number >= 0.0, found -3.0",
        ),
        (
            {"id": "x", "catalogue": [{"kind": "lodging", "name": "y", "occupancy": -1}]},
            "catalogue[0].occupancy: expected a whole number >= 0, found -1",
        ),
        (
            {"id": "x", "plan": {"days": [{"number": 1, "lunch": {"name": "y", "cost": -1}}]}},
            "plan.days[0].lunch.cost: expected a number >= 0.0, found -1",
        ),
        ({"id": "x", "members": [{"id": "a"}, {"id": " "}]}, "members[1].id: empty; expected a name of the member"),
        (
            {"id": "x", "members": [{"id": "a"}, {"id": "a"}]},
            "members[1].id: 'a' is also the id of member 1; expected each once",
        ),
    ],
)
def test_a_record_that_is_none_is_refused(tmp_path: Path, record: dict[str, Any], message: str) -> None:
    assert f"own.jsonl:1: {message}" in refusal(lines(tmp_path / "own.jsonl", record))


def test_a_type_of_group_that_is_not_known_is_kept_with_a_warning(tmp_path: Path) -> None:
    seen = read(lines(tmp_path / "own.jsonl", {"id": "x", "group_type": "familly"}))
    assert seen.trip.facets == {"group_type": "familly"}
    assert "'familly' is not known; did you mean 'family'?; known are family, elder_young, spouses" in seen.warnings


def test_a_record_with_a_lone_surrogate_or_cut_is_refused(tmp_path: Path) -> None:
    message = refusal(text(tmp_path / "own.jsonl", '{"id": "a"}\n{"id": "\\ud83d b"}\n{"id": "c", "arm": "x'))
    assert "own.jsonl:2: lone surrogate \\ud83d" in message
    assert "own.jsonl:3: ends in the middle of a string (truncated" in message


def test_records_that_are_nested_too_deeply_are_refused(tmp_path: Path) -> None:
    path = text(tmp_path / "tp.jsonl", '{"idx": 1, "query": "", "plan": ' + "[" * 500 + "]" * 500 + "}\n")
    assert "tp.jsonl:1: nested 501 levels deep; expected at most 100" in refusal(path)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.pkl", pickle.dumps([1]), "a pickle or array file, which can run code when loaded"),
        ("a.jsonl", pickle.dumps([1]), "a pickle or array file, which can run code when loaded"),
        ("a.yaml", b"a: !!python/object/apply:os.system [x]", "YAML; expected JSON or JSONL"),
        ("a.txt", b"Day 1: go to Lund", "starts 'Day 1: go to Lund'; expected JSON"),
    ],
)
def test_files_of_other_kinds_are_refused(tmp_path: Path, name: str, content: bytes, message: str) -> None:
    assert message in refusal(text(tmp_path / name, content))


def test_a_file_that_is_not_there_is_said(tmp_path: Path) -> None:
    assert "no such file" in refusal(tmp_path / "none.csv")


def test_names_of_arms_must_fit_the_files(tmp_path: Path) -> None:
    message = refusal(write(tmp_path / "a_C2.csv", dialogue()), arm=["x", "y"])
    assert "--arm: found 2 names for 1 files; expected one for all or one for each" in message


def test_what_is_refused_leaves_nothing_behind(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = text(tmp_path / "a_C2.csv", HEADER + ",x,y\n")
    assert main(["score", "trip", str(path), "-o", str(tmp_path / "run")]) == 2
    assert not (tmp_path / "run").exists()
    assert "speaker: empty" in capsys.readouterr().err
