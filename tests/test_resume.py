"""A run that was ended goes on where it stopped, and comes out as if nothing had happened."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from small_service import Desk, hotel, lines, train, user

DIALOGUES = 1200


@pytest.fixture
def desk(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Desk:
    monkeypatch.setenv("COLUMNS", "200")
    return Desk(tmp_path, capsys)


@pytest.fixture(scope="module")
def big(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with many dialogues of many turns, their predictions, and the run that nobody disturbed."""
    folder = tmp_path_factory.mktemp("big")
    dialogues, mine = [], {}
    for number in range(DIALOGUES):
        turns: list[dict[str, Any]] = []
        for place in range(0, 20, 2):
            state = {"hotel-area": ["north"], "hotel-stars": [str(place)]}
            turns += [
                user(str(place), "More stars.", "find_hotel", state),
                {**hotel()["turns"][1], "turn_id": str(place + 1)},
            ]
        dialogues.append({"dialogue_id": f"BIG{number:05}.json", "services": ["hotel"], "turns": turns})
        mine[f"big{number:05}"] = [
            {"response": "Yes.", "state": {"hotel": {"area": "north", "stars": str(place * (number % 3))}}}
            for place in range(0, 20, 2)
        ]
    (folder / "gold.jsonl").write_text(lines(*dialogues))
    (folder / "mine.json").write_text(json.dumps(mine))
    subprocess.run(command(folder, folder / "whole"), check=True)
    return folder


def command(folder: Path, run: Path, *more: str) -> list[str]:
    arguments = ["score", "service", str(folder / "gold.jsonl"), "--predictions", str(folder / "mine.json")]
    return [sys.executable, "-m", "adjudge.cli.main", *arguments, "-o", str(run), "-q", *more]


def size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


def started(folder: Path, run: Path, until: int, *more: str) -> subprocess.Popen[bytes]:
    """A scoring process whose scores have come to so many bytes."""
    process = subprocess.Popen(
        command(folder, run, *more), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True
    )
    deadline = time.monotonic() + 60
    while size(run / "scores.jsonl") < until:
        if process.poll() is not None or time.monotonic() > deadline:
            process.kill()
            pytest.fail(f"could not be disturbed in the middle: {process.communicate()[1].decode()}")
        time.sleep(0.001)
    return process


def ended(process: subprocess.Popen[bytes], by: signal.Signals) -> tuple[int, str]:
    """The exit code and what was said; the signal goes to the workers too, as Ctrl-C in a terminal does."""
    os.killpg(process.pid, by)
    _, said = process.communicate(timeout=60)
    return process.returncode, said.decode()


def same_run(one: Path, other: Path) -> bool:
    return all((one / name).read_bytes() == (other / name).read_bytes() for name in ("scores.jsonl", "records.jsonl"))


def table(run: Path) -> Any:
    target = run.parent / f"{run.name}.json"
    arguments = ["report", str(run), "-o", str(target), "-q"]
    subprocess.run([sys.executable, "-m", "adjudge.cli.main", *arguments], check=True)
    return json.loads(target.read_text())["rows"]


def test_killed_at_several_points_a_run_comes_out_the_same(big: Path) -> None:
    run = big / "killed"
    whole = size(big / "whole" / "scores.jsonl")
    for share in (0.02, 0.3, 0.6):
        code, _ = ended(started(big, run, int(whole * share)), signal.SIGKILL)
        assert code == -signal.SIGKILL
        assert json.loads((run / "run.json").read_text())["status"] == "running"
    assert size(run / "scores.jsonl") < whole
    subprocess.run(command(big, run), check=True)
    assert same_run(run, big / "whole")
    cases = [json.loads(line)["case"] for line in (run / "scores.jsonl").read_text().splitlines()]
    assert len(set(cases)) == len(cases) == DIALOGUES
    assert table(run) == table(big / "whole")
    assert not list(run.glob(".*"))


def test_two_processes_score_the_same_as_one(big: Path) -> None:
    run = big / "together"
    subprocess.run(command(big, run, "--jobs", "2"), check=True)
    assert same_run(run, big / "whole")


def test_run_of_several_processes_that_was_killed_is_finished_by_one(big: Path) -> None:
    run = big / "mixed"
    ended(started(big, run, 1, "--jobs", "2"), signal.SIGKILL)
    subprocess.run(command(big, run), check=True)
    assert same_run(run, big / "whole")


def test_workers_end_when_the_run_is_killed(big: Path) -> None:
    process = started(big, big / "orphans", 1, "--jobs", "2")
    process.kill()
    process.wait()
    try:
        assert gone(process.pid, seconds=3)
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


def gone(group: int, seconds: float) -> bool:
    """Whether all processes of a group end in time."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.05)
    return False


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_interrupted_run_exits_130_and_goes_on(big: Path, jobs: str) -> None:
    run = big / f"interrupted{jobs}"
    code, said = ended(started(big, run, 1, "--jobs", jobs), signal.SIGINT)
    assert code == 130
    assert said == "adjudge score: interrupted; the same command goes on from there\n"
    assert 0 < size(run / "scores.jsonl") < size(big / "whole" / "scores.jsonl")
    subprocess.run(command(big, run), check=True)
    assert same_run(run, big / "whole")


@pytest.mark.parametrize("name", ["scores.jsonl", "records.jsonl"])
@pytest.mark.parametrize("status", ["running", "complete"])
def test_half_a_line_is_repaired(desk: Desk, name: str, status: str) -> None:
    desk.score(desk.gold)
    shutil.copytree(desk.run, desk.folder / "whole")
    path = desk.run / name
    path.write_bytes(path.read_bytes()[:-30])
    manifest = desk.run / "run.json"
    manifest.write_text(manifest.read_text().replace('"complete"', f'"{status}"'))
    assert desk.score(desk.gold).code == 0
    assert same_run(desk.run, desk.folder / "whole")
    assert desk.manifest()["status"] == "complete"


def test_record_whose_scores_were_not_written_is_not_kept_twice(desk: Desk) -> None:
    desk.score(desk.gold)
    shutil.copytree(desk.run, desk.folder / "whole")
    first = (desk.run / "scores.jsonl").read_text().splitlines(keepends=True)[0]
    (desk.run / "scores.jsonl").write_text(first)
    assert desk.score(desk.gold).code == 0
    assert same_run(desk.run, desk.folder / "whole")


def test_killed_before_anything_was_written_a_run_starts(desk: Desk) -> None:
    desk.run.mkdir()
    (desk.run / "scores.jsonl").touch()
    (desk.run / ".run.json.1.part").write_text("{")
    assert desk.score(desk.gold).code == 0
    assert sorted(path.name for path in desk.run.iterdir()) == ["records.jsonl", "run.json", "scores.jsonl"]


def test_complete_run_is_not_scored_again_and_prints_the_same(desk: Desk) -> None:
    first = desk.score(desk.gold, "--predictions", desk.mine)
    before = {name: (desk.run / name).stat().st_mtime_ns for name in ("scores.jsonl", "records.jsonl")}
    manifest = desk.manifest()
    assert desk.score(desk.gold, "--predictions", desk.mine) == first
    assert {name: (desk.run / name).stat().st_mtime_ns for name in before} == before
    assert desk.manifest() == manifest


def test_several_arms_go_on_in_the_same_order(desk: Desk) -> None:
    other = desk.write("other.json", desk.mine.read_bytes())
    arguments = (desk.gold, "--predictions", desk.mine, "--predictions", other)
    desk.score(*arguments)
    shutil.copytree(desk.run, desk.folder / "whole")
    for name in ("scores.jsonl", "records.jsonl"):
        path = desk.run / name
        path.write_text("".join(path.read_text().splitlines(keepends=True)[:3]))
    assert desk.score(*arguments).code == 0
    assert same_run(desk.run, desk.folder / "whole")
    assert [(row["case"], row["arm"]) for row in desk.rows()] == [
        (case, arm) for case in ("TST0001.json", "TST0002.json") for arm in ("mine", "other")
    ]


def test_line_that_was_changed_is_refused_with_its_number(desk: Desk) -> None:
    desk.score(desk.write("gold.jsonl", lines(hotel(), train())))
    text = (desk.run / "scores.jsonl").read_text().splitlines(keepends=True)
    (desk.run / "scores.jsonl").write_text(text[0] + "{broken}\n")
    message = desk.refused(desk.gold)
    assert f"{desk.run / 'scores.jsonl'}:2: " in message
    assert "--fresh" in message
    assert desk.score(desk.gold, "--fresh").code == 0
