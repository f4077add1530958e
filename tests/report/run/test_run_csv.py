from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from example_run import FORMULA, ROWS, make_run, manifest

from adjudge.aggregate import Row
from adjudge.core.mark import ScoreRow
from adjudge.report.csvfile import inert
from adjudge.report.run.files import run_csv
from adjudge.report.run.summary import RunSummary


def lines(summary: RunSummary) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(run_csv(summary).decode())))


def test_every_field_of_a_row_is_a_column(summary: RunSummary) -> None:
    assert list(lines(summary)[0]) == list(Row.__struct_fields__)


def test_there_is_a_line_per_row_and_per_group_row(summary: RunSummary) -> None:
    found = lines(summary)

    assert len(found) == len(summary.rows) + len(summary.groups)
    assert {line["group"] for line in found} == {"", "hotel", "train", "taxi"}


def test_numbers_stay_numbers_and_text_is_quoted(summary: RunSummary) -> None:
    assert '"joint_goal_accuracy","ubar",0.625,' in run_csv(summary).decode()


def test_what_has_no_value_is_an_empty_cell(summary: RunSummary) -> None:
    (line,) = [one for one in lines(summary) if (one["metric"], one["arm"]) == ("intent_accuracy", "ubar")]

    assert (line["value"], line["low"], line["skipped"]) == ("", "", "6")
    assert json.loads(line["reasons"]) == {"never predicts intents": 6}


@pytest.mark.parametrize("start", [*"=+-@\t\r\n＝＋－＠", " =", "\ufeff="])
def test_a_formula_is_made_text(start: str) -> None:
    assert inert(f"{start}cmd()") == f"'{start}cmd()"


@pytest.mark.parametrize("text", ["", "ubar", "a=b", "1-2", "'=x"])
def test_other_text_is_left_alone(text: str) -> None:
    assert inert(text) == text


def test_an_arm_named_like_a_formula_is_made_text(tmp_path: Path) -> None:
    rows = [ScoreRow(row.case, FORMULA, row.scores) for row in ROWS if row.arm == "ubar"]
    summary = RunSummary.of(make_run(tmp_path / "run", rows, manifest()))

    assert {line["arm"] for line in lines(summary)} == {f"'{FORMULA}"}
