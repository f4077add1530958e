"""A run folder whose files were changed is not reported on, and a later version is named."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from adjudge.cli.main import main
from small_service import Desk

FINISHED = ["scores.jsonl", "records.jsonl"]


@pytest.fixture
def desk(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Desk:
    desk = Desk(tmp_path, capsys)
    assert desk.score(desk.gold, "--predictions", desk.mine).code == 0
    return desk


def commands(desk: Desk) -> list[list[object]]:
    """Every verb that reads a run."""
    return [
        ["report", desk.run],
        ["report", desk.run, "-o", desk.folder / "x.html"],
        ["compare", desk.run],
        ["calibrate", desk.run, "--labels", desk.folder / "labels.csv", "--metric", "slot_f1"],
        ["export", desk.run, "-o", desk.folder / "marks.csv"],
        ["gate", desk.run, "--rule", "slot_f1 >= 0"],
        ["power", desk.run],
    ]


@pytest.mark.parametrize("name", FINISHED)
def test_a_shortened_file_is_refused_by_every_verb(desk: Desk, name: str) -> None:
    path = desk.run / name
    path.write_text(path.read_text().splitlines(keepends=True)[0])
    for command in commands(desk):
        done = desk.adjudge(*command)
        assert (done.code, done.out) == (2, "")
        assert f"{path}: 1 of 2 lines; expected one for each record of the run" in done.err
    assert not (desk.folder / "x.html").exists()
    assert not (desk.folder / "marks.csv").exists()


@pytest.mark.parametrize("name", FINISHED)
def test_the_same_command_scores_what_a_shortened_run_lacks(desk: Desk, name: str) -> None:
    path = desk.run / name
    before = path.read_text()
    path.write_text(before.splitlines(keepends=True)[0])
    assert desk.score(desk.gold, "--predictions", desk.mine).code == 0
    assert path.read_text() == before
    assert desk.adjudge("report", desk.run).code == 0


def test_a_run_of_a_newer_version_is_announced(desk: Desk) -> None:
    manifest = desk.manifest()
    (desk.run / "run.json").write_text(json.dumps({**manifest, "adjudge": "99.1.0"}))
    done = desk.adjudge("report", desk.run, "-o", desk.folder / "report.md")
    assert done.code == 0
    assert "written by adjudge 99.1.0" in done.err
    assert "written by adjudge 99.1.0" in (desk.folder / "report.md").read_text()


def test_the_demo_leaves_a_run_of_the_user_alone(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    desk.run = Path("runs/demo")
    assert desk.score(desk.gold).code == 0
    before = {path: path.read_bytes() for path in desk.run.iterdir()}
    assert main(["demo", "service"]) == 2
    assert "runs/demo: holds a different run" in capsys.readouterr().err
    assert {path: path.read_bytes() for path in desk.run.iterdir()} == before
    assert main(["demo", "service", "--fresh"]) == 0
    assert main(["demo", "service"]) == 0


def test_the_demos_of_two_suites_stand_beside_each_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for suite in ("service", "team", "service", "team"):
        assert main(["demo", suite]) == 0
    assert {path.name for path in Path("runs").iterdir()} == {"demo", "demo-team"}
    assert json.loads(Path("runs/demo/run.json").read_text())["suite"] == "service"
