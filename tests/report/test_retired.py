"""Metrics that the suite of a run no longer has: every verb still opens the run, and says so."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from example_run import CARDS, ROWS, card, make_run, manifest

from adjudge.api.runs import load
from adjudge.cli.main import main
from adjudge.core.mark import Mark, Score, ScoreRow
from adjudge.report.words import RETIRED

OLD = "agent_politeness"
SENTENCE = f"{RETIRED}: {OLD}"
LABELS = (
    f"case,arm,metric,label\nMUL0000.json,ubar,{OLD},yes\nMUL0001.json,ubar,{OLD},no\nMUL0002.json,ubar,{OLD},yes\n"
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A run of the service suite with metrics it has and one that it does not have."""
    cards = {name: CARDS[name] for name in ("joint_goal_accuracy", "hallucination")}
    cards[OLD] = card(OLD, pool="conversations", unit="conversation")
    rows = [
        ScoreRow(
            row.case,
            row.arm,
            {name: row.scores[name] for name in ("joint_goal_accuracy", "hallucination")}
            | {OLD: Score.of([Mark(float(place % 3 > 0))])},
        )
        for place, row in enumerate(ROWS)
    ]
    return make_run(tmp_path / "run", rows, manifest(cards=cards)).folder


def printed(capsys: pytest.CaptureFixture[str]) -> str:
    return " ".join(capsys.readouterr().out.split())


def test_a_report_shows_a_retired_metric_and_says_so(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", str(folder)]) == 0
    out = printed(capsys)

    assert SENTENCE in out
    assert out.count(OLD) > 1


@pytest.mark.parametrize("ending", ["md", "html", "json", "csv"])
def test_every_file_of_a_report_has_it(folder: Path, tmp_path: Path, ending: str) -> None:
    target = tmp_path / f"report.{ending}"

    assert main(["report", str(folder), "-q", "-o", str(target)]) == 0
    text = target.read_text("utf-8").replace("\\", "")
    assert OLD in text
    assert ending == "csv" or "retired" in text


def test_the_json_report_lists_retired_metrics(folder: Path, tmp_path: Path) -> None:
    assert main(["report", str(folder), "-q", "-o", str(tmp_path / "report.json")]) == 0

    assert json.loads((tmp_path / "report.json").read_bytes())["retired"] == [OLD]


def test_a_comparison_warns_of_a_retired_metric(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["compare", str(folder)]) == 0
    assert f"warning: {SENTENCE}" in printed(capsys)
    for ending in ("md", "html"):
        assert main(["compare", str(folder), "-q", "-o", str(tmp_path / f"c.{ending}")]) == 0
        assert RETIRED in (tmp_path / f"c.{ending}").read_text("utf-8")


def test_a_gate_warns_of_a_rule_about_a_retired_metric(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options = [str(folder), "--coverage", "0"]
    assert main(["gate", *options, "--rule", f"{OLD} >= 0.1"]) == 0
    assert f"warning: {SENTENCE}" in printed(capsys)
    assert main(["gate", *options, "--rule", "joint_goal_accuracy >= 0.1"]) == 0
    assert RETIRED not in printed(capsys)


def test_a_calibration_remarks_a_retired_metric(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "labels.csv").write_text(LABELS)

    assert main(["calibrate", str(folder), "--labels", str(tmp_path / "labels.csv")]) == 0
    assert SENTENCE in printed(capsys)


def test_an_export_has_the_marks_of_a_retired_metric(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["export", str(folder), "-o", str(tmp_path / "marks.csv")]) == 0

    assert SENTENCE in printed(capsys)
    assert OLD in (tmp_path / "marks.csv").read_text("utf-8")


def test_the_users_own_metrics_are_not_retired(tmp_path: Path) -> None:
    places = {"files": [], "metric_files": ["mine.py"]}
    run = make_run(tmp_path / "run", ROWS, manifest(cards=CARDS | {OLD: card(OLD)}, places=places))

    assert load(str(run.folder)).retired == ()


def test_without_its_suite_a_run_opens_and_nothing_is_retired(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run", ROWS, manifest(suite="gone"))

    assert load(str(run.folder)).retired == ()
