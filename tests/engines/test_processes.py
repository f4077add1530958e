"""Processes that end while they work: the task is tried again, and one that ends every process is named."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from adjudge.cli.main import main
from adjudge.engines.processes import Processes
from adjudge.engines.workers import LostTask, Task
from failing_tasks import double, end_each_time, end_once, fail

# A metric that ends its process at one case while a file is there; the file is removed first if it says so.
METRICS = """
import os
from pathlib import Path
from adjudge import Mark, metric

@metric("Length", formula="turns", unit="conversation", better="neither", scale=(0.0, None), source="a test")
def length(dialogue):
    \"\"\"How many turns are there?\"\"\"
    marker = Path("poison")
    if dialogue.id == "d13" and marker.exists():
        if marker.read_text() == "once":
            marker.unlink()
        os._exit(7)
    yield Mark(float(len(dialogue.turns)))
"""
DIALOGUES = 40


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("adjudge.engines.shards.SHARD_BYTES", 500)
    (tmp_path / "own.py").write_text(METRICS, "utf-8")
    lines = [
        json.dumps({"id": f"d{number}", "arm": "mine", "turns": [{"id": "0", "speaker": "user", "text": "Hello."}]})
        for number in range(DIALOGUES)
    ]
    (tmp_path / "talks.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
    return tmp_path


def score(run: str, *more: str) -> int:
    return main(
        ["score", "service", "talks.jsonl", "--metrics-file", "own.py", "--only", "length", "-o", run, "-q", *more]
    )


def scored_cases(run: str) -> list[str]:
    return [json.loads(line)["case"] for line in Path(run, "scores.jsonl").read_text("utf-8").splitlines()]


def test_results_come_in_the_order_of_the_tasks() -> None:
    workers = Processes(2)
    assert list(workers.results(Task(double, (number,)) for number in range(20))) == [2 * n for n in range(20)]
    workers.close()


def test_a_task_that_ends_its_process_is_tried_three_times(tmp_path: Path) -> None:
    workers = Processes(2)
    tasks = [Task(double, (1,)), Task(end_once, (str(tmp_path / "mark"),)), Task(end_each_time, (str(tmp_path),))]
    first, second, third, fourth = workers.results([*tasks, Task(double, (4,))])
    assert (first, second, fourth) == (2, "done", 8)
    assert third == LostTask("ended with exit code 9")
    assert len(list(tmp_path.glob("try*"))) == 3
    workers.close()


def test_an_error_in_a_task_is_raised_here() -> None:
    workers = Processes(1)
    with pytest.raises(RuntimeError, match="ZeroDivisionError"):
        list(workers.results([Task(fail, ())]))
    workers.close()


def test_a_record_that_ends_its_process_once_is_scored(folder: Path) -> None:
    assert score("alone", "--jobs", "1") == 0
    Path("poison").write_text("once")
    assert score("together", "--jobs", "2") == 0
    assert Path("together/scores.jsonl").read_bytes() == Path("alone/scores.jsonl").read_bytes()


def test_a_record_that_ends_every_process_costs_its_shard_and_is_named(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("poison").write_text("always")
    assert score("run", "--jobs", "2") == 3
    shard = [case for case in scored_cases("run") if case in ("d12", "d14")]
    error = capsys.readouterr().err
    assert "incomplete: talks.jsonl, bytes " in error
    assert "ended with exit code 7" in error
    assert "d13" not in scored_cases("run")
    assert DIALOGUES - 10 < len(scored_cases("run")) < DIALOGUES
    assert len(shard) < 2
    assert json.loads(Path("run/run.json").read_text("utf-8"))["status"] == "stopped"
    Path("poison").unlink()
    assert score("run", "--jobs", "2") == 0
    assert sorted(scored_cases("run")) == sorted(f"d{number}" for number in range(DIALOGUES))
    assert sorted(path.name for path in Path("run").iterdir()) == ["records.jsonl", "run.json", "scores.jsonl"]
