"""A run that was ended goes on where it stopped, and comes out as if nothing had happened."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from math import ceil
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest

from adjudge.cli.main import main
from adjudge.engines.scoring import AT_ONCE
from small_service import Desk, hotel, lines, train, user

DIALOGUES = 300
APPENDS = ceil(DIALOGUES / AT_ONCE)
# `adjudge`, which sends itself or its process group a signal after a number of appends to the run folder. A signal
# from outside would come at another point on every machine. Commands that a shell script starts with & inherit an
# ignored SIGINT, so tests that run in the background would never be interrupted: the usual handler is set again.
STOPPED = """
import os, signal, sys
from adjudge.cli.main import main
from adjudge.run import RunWriter

signal.signal(signal.SIGINT, signal.default_int_handler)
number, left, everybody = (int(argument) for argument in sys.argv[1:4])
append = RunWriter.append

def append_and_stop(writer, batch):
    global left
    append(writer, batch)
    left -= 1
    if not left:
        os.killpg(0, number) if everybody else os.kill(os.getpid(), number)

RunWriter.append = append_and_stop
sys.exit(main(sys.argv[4:]))
"""


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
    score(folder, folder / "whole")
    return folder


def arguments(folder: Path, run: Path, *more: str) -> list[str]:
    files = [str(folder / "gold.jsonl"), "--predictions", str(folder / "mine.json")]
    return ["score", "service", *files, "-o", str(run), "-q", *more]


def score(folder: Path, run: Path, *more: str) -> None:
    assert main(arguments(folder, run, *more)) == 0


def score_until(after: int, number: signal.Signals, given: list[str], everybody: bool = True) -> Stopped:
    """Score until the signal comes after a number of appends; workers get it too, as with Ctrl-C in a terminal."""
    command = [sys.executable, "-c", STOPPED, str(int(number)), str(after), str(int(everybody)), *given]
    # Not a pipe, which workers that outlive the process would keep open.
    with tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(command, stderr=errors, start_new_session=True)
        code = process.wait(timeout=300)
        errors.seek(0)
        return Stopped(process.pid, code, errors.read().decode())


class Stopped(NamedTuple):
    """A scoring process that has ended: its process group, exit code and error output."""

    group: int
    code: int
    message: str


def size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


def same_run(run: Path, other: Path) -> bool:
    return all((run / name).read_bytes() == (other / name).read_bytes() for name in ("scores.jsonl", "records.jsonl"))


def table(run: Path) -> Any:
    target = run.parent / f"{run.name}.json"
    assert main(["report", str(run), "-o", str(target), "-q"]) == 0
    return json.loads(target.read_text())["rows"]


def test_a_killed_run_comes_out_the_same(big: Path) -> None:
    run = big / "killed"
    assert_killed(big, run, after=1 + Random(13).randrange(APPENDS - 1))
    assert_finished(big, run)


@pytest.mark.trial
def test_killed_at_many_points_a_run_comes_out_the_same(big: Path) -> None:
    run = big / "killed_often"
    for after in (1, 1, 2, 3, 6, 3, 1):
        assert_killed(big, run, after)
    assert_finished(big, run)


@pytest.mark.trial
@pytest.mark.parametrize("after", [1, 2, APPENDS // 2, APPENDS - 1, APPENDS])
def test_killed_at_any_point_a_run_comes_out_the_same(big: Path, after: int) -> None:
    run = big / f"killed_{after}"
    assert_killed(big, run, after)
    assert_finished(big, run)


def assert_killed(folder: Path, run: Path, after: int) -> None:
    assert score_until(after, signal.SIGKILL, arguments(folder, run)).code == -signal.SIGKILL
    assert json.loads((run / "run.json").read_text())["status"] == "running"


def assert_finished(folder: Path, run: Path) -> None:
    """The same command finishes the run, with every dialogue once and the same table."""
    score(folder, run)
    assert same_run(run, folder / "whole")
    cases = [json.loads(line)["case"] for line in (run / "scores.jsonl").read_text().splitlines()]
    assert len(set(cases)) == len(cases) == DIALOGUES
    assert table(run) == table(folder / "whole")
    assert not list(run.glob(".*"))


def test_two_processes_score_the_same_as_one(big: Path) -> None:
    run = big / "together"
    score(big, run, "--jobs", "2")
    assert same_run(run, big / "whole")


def test_run_of_several_processes_that_was_killed_is_finished_by_one(big: Path) -> None:
    run = big / "mixed"
    score_until(1, signal.SIGKILL, arguments(big, run, "--jobs", "2"))
    score(big, run)
    assert same_run(run, big / "whole")


def test_workers_end_when_the_run_is_killed(big: Path) -> None:
    stopped = score_until(1, signal.SIGKILL, arguments(big, big / "orphans", "--jobs", "2"), everybody=False)
    try:
        assert wait_until_gone(stopped.group, seconds=120)
    finally:
        with suppress(ProcessLookupError):
            os.killpg(stopped.group, signal.SIGKILL)


def wait_until_gone(group: int, seconds: float) -> bool:
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
    stopped = score_until(1, signal.SIGINT, arguments(big, run, "--jobs", jobs))
    assert stopped.code == 130
    assert stopped.message == "adjudge score: interrupted; run the same command again to continue\n"
    assert 0 < size(run / "scores.jsonl") < size(big / "whole" / "scores.jsonl")
    score(big, run)
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
    given = (desk.gold, "--predictions", desk.mine, "--predictions", other)
    desk.score(*given)
    shutil.copytree(desk.run, desk.folder / "whole")
    for name in ("scores.jsonl", "records.jsonl"):
        path = desk.run / name
        path.write_text("".join(path.read_text().splitlines(keepends=True)[:3]))
    assert desk.score(*given).code == 0
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
