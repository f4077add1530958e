from __future__ import annotations

import csv
import json
import sys
from pathlib import Path

import pytest
from example_run import FORMULA, GOALS, HOSTILE, ROWS
from pyarrow import parquet

from adjudge.core.errors import BadInput
from adjudge.report.run import export as exporting
from adjudge.report.run.export import export
from adjudge.run import SCORES, Run

MARKS = sum(score.n for row in ROWS for score in row.scores.values())
FIELDS = ["case", "arm", "trial", "metric", "value", "weight", "turn", "at", "group", "why"]


def test_jsonl_has_a_line_for_every_mark_as_it_is(run: Run, tmp_path: Path) -> None:
    number = export(run, tmp_path / "marks.jsonl")

    lines = [json.loads(line) for line in (tmp_path / "marks.jsonl").read_text().splitlines()]
    assert number == len(lines) == MARKS
    assert list(lines[0]) == FIELDS
    goals = [line["value"] for line in lines if (line["metric"], line["arm"]) == ("joint_goal_accuracy", "ubar")]
    assert goals == [value for conversation in GOALS["ubar"] for value in conversation]
    assert HOSTILE in {line["why"] for line in lines}


def test_csv_has_a_line_for_every_mark_and_no_formula(run: Run, tmp_path: Path) -> None:
    number = export(run, tmp_path / "marks.csv")

    with (tmp_path / "marks.csv").open(newline="") as file:
        lines = list(csv.DictReader(file))
    assert number == len(lines) == MARKS
    assert {line["why"] for line in lines} == {"", HOSTILE, f"'{FORMULA}"}


def test_parquet_keeps_types_and_text(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exporting, "BATCH", 7)

    number = export(run, tmp_path / "marks.parquet")

    table = parquet.read_table(tmp_path / "marks.parquet")
    assert number == table.num_rows == MARKS
    assert table.column_names == FIELDS
    assert FORMULA in table.column("why").to_pylist()
    assert [str(table.schema.field(name).type) for name in ("trial", "value", "why")] == [
        "int64",
        "double",
        "string",
    ]


@pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet"])
def test_conversations_have_a_line_per_score(run: Run, tmp_path: Path, ending: str) -> None:
    assert export(run, tmp_path / f"scores.{ending}", "conversations") == len(ROWS) * len(ROWS[0].scores)


def test_a_score_without_value_says_why(run: Run, tmp_path: Path) -> None:
    export(run, tmp_path / "scores.parquet", "conversations")

    lines = parquet.read_table(tmp_path / "scores.parquet").to_pylist()
    said = {(line["status"], line["value"] is None, line["why"]) for line in lines if line["arm"] == "ubar"}
    assert said == {
        ("scored", False, ""),
        ("undefined", True, ""),
        ("no_prediction", True, "never predicts intents"),
    }


@pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet"])
def test_a_run_that_breaks_off_leaves_the_old_file(run: Run, tmp_path: Path, ending: str) -> None:
    target = tmp_path / "out" / f"marks.{ending}"
    target.parent.mkdir()
    target.write_text("old")
    with (run.folder / SCORES).open("a") as file:
        file.write("{broken\n")

    with pytest.raises(BadInput, match=r"scores\.jsonl:13"):
        export(run, target)

    assert target.read_text() == "old"
    assert list(target.parent.iterdir()) == [target]


def test_without_pyarrow_parquet_says_how_to_get_it(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)

    with pytest.raises(BadInput, match=r"needs pyarrow: .*pip install .*\[parquet\]'"):
        export(run, tmp_path / "marks.parquet")


def test_unknown_levels_and_endings_are_answered_with_those_known(run: Run, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="'turns'; expected marks or conversations"):
        export(run, tmp_path / "a.csv", "turns")
    with pytest.raises(BadInput, match=r"\.csv, \.jsonl or \.parquet"):
        export(run, tmp_path / "a.xlsx")


def test_the_scores_of_the_run_are_never_written_over(run: Run) -> None:
    with pytest.raises(BadInput, match="belongs to the run itself"):
        export(run, run.folder / SCORES)

    assert len(list(run.rows())) == len(ROWS)


def test_a_run_without_scores_gives_an_empty_table(run: Run, tmp_path: Path) -> None:
    (run.folder / SCORES).write_bytes(b"")

    assert export(run, tmp_path / "a.parquet") == 0
    assert parquet.read_table(tmp_path / "a.parquet").column_names == FIELDS
