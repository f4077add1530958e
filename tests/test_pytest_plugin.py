"""The pytest plug-in as users meet it: real runs of pytest on test files of their own."""

from __future__ import annotations

import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

import adjudge as aj

GATES = """
def test_completion(adjudge):
    adjudge.gate("task_completion >= 0.7")

def test_more(adjudge):
    assert adjudge.run.arms == ["five-agents", "one-agent"]
    adjudge.gate("task_completion >= 0.8", "joint_goal_accuracy >= 0.1")
"""

TRIALS = """
import pytest

numbers = iter(range(100))

@pytest.mark.adjudge(trials=5, at_least=4)
def test_mostly_right():
    assert next(numbers) != 2

@pytest.mark.adjudge(trials=5, at_least=4)
def test_often_wrong():
    assert next(numbers) % 2, "the agent did not search"

@pytest.mark.adjudge(trials=3)
async def test_async():
    pass

@pytest.mark.adjudge(trials=2)
def test_skips():
    pytest.skip("no server")
"""


class Result:
    """What a run of pytest printed, and its exit code."""

    def __init__(self, done: subprocess.CompletedProcess[str]) -> None:
        self.code, self.output = done.returncode, done.stdout + done.stderr

    def summary(self) -> str:
        return self.output.partition("= adjudge =")[2]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    metrics = ["joint_goal_accuracy", "task_completion"]
    return aj.demo("service", folder=tmp_path_factory.mktemp("plugin") / "run", only=metrics).folder


def pytest_on(folder: Path, source: str, *options: object) -> Result:
    """Run pytest on a test file, without other plug-ins, which take longer to load than the tests take."""
    (folder / "test_mine.py").write_text(source, "utf-8")
    without = [part for name in ("cacheprovider", "hypothesispytest", "anyio") for part in ("-p", f"no:{name}")]
    command = [sys.executable, "-m", "pytest", *without, "-W", "error", *map(str, options)]
    return Result(subprocess.run(command, cwd=folder, capture_output=True, text=True))


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, *(pytest.param(count, marks=pytest.mark.trial) for count in (0, 2))])
def test_a_gate_fails_with_the_worst_conversations(tmp_path: Path, run: Path, workers: int) -> None:
    result = pytest_on(tmp_path, GATES, "--adjudge-run", run, "-n", workers, "--junitxml", "junit.xml")
    assert result.code == 1
    assert "fail: task_completion >= 0.8, one-agent: the value 0.75 is below 0.8" in result.output
    assert "0.000  s02: booked restaurant without booktime" in result.output
    assert "Traceback" not in result.output
    assert "test_mine.py::test_completion: pass: task_completion >= 0.7, five-agents" in result.summary()
    assert "test_mine.py::test_more: fail: task_completion >= 0.8, one-agent" in result.summary()
    properties = ElementTree.parse(tmp_path / "junit.xml").iter("property")
    lines = [item.attrib["value"] for item in properties if item.attrib["name"] == "adjudge_gate"]
    assert len(lines) == 6
    assert any(line.startswith("fail: task_completion >= 0.8, one-agent") for line in lines)


@pytest.mark.slow
def test_trials_pass_by_their_number_and_say_their_rate(tmp_path: Path) -> None:
    # One worker of xdist, so that all tests count with the same numbers.
    result = pytest_on(tmp_path, TRIALS, "-n", 1, "--strict-markers", "--junitxml", "junit.xml")
    assert result.code == 1
    assert "1 failed, 2 passed, 1 skipped" in result.output
    right, wrong = "4 of 5 trials passed (0.80, 95 % interval 0.38 to 0.96)", "3 of 5 trials passed"
    assert f"test_mine.py::test_mostly_right: {right}" in result.summary()
    assert f"test_mine.py::test_often_wrong: {wrong}" in result.summary()
    assert "test_mine.py::test_async: 3 of 3 trials passed (1.00, 95 % interval 0.44 to 1.00)" in result.summary()
    assert f"{wrong} (0.60, 95 % interval 0.23 to 0.88); expected at least 4" in result.output
    assert "2 x AssertionError: the agent did not search" in result.output
    values = [item.attrib["value"] for item in ElementTree.parse(tmp_path / "junit.xml").iter("property")]
    assert right in values


@pytest.mark.slow
def test_records_made_in_the_test_are_scored_once(tmp_path: Path, run: Path) -> None:
    source = f"""
import json, pathlib, pytest

RECORDS = [json.loads(line) for line in pathlib.Path({str(run / "records.jsonl")!r}).read_text("utf-8").splitlines()]
runs = []

@pytest.mark.parametrize("time", [1, 2])
def test_score(adjudge, time):
    runs.append(adjudge.score("service", RECORDS, only="task_completion"))
    adjudge.gate("task_completion >= 0.7", run=runs[-1])
    assert all(run is runs[0] for run in runs)

def test_no_run(adjudge):
    adjudge.gate("task_completion >= 0.7")
"""
    result = pytest_on(tmp_path, source)
    assert "2 passed" in result.output
    assert "no run is named; name one with --adjudge-run RUN, or score records in the test" in result.output


@pytest.mark.slow
def test_the_tests_that_pages_show_pass(tmp_path: Path) -> None:
    docs = Path(__file__).parent.parent / "docs" / "guides"
    page = "\n".join((docs / name).read_text("utf-8") for name in ("ci.md", "scenarios.md"))
    for name, source in re.findall(r"^```python\n# (test_\w+\.py)\n(.*?)^```$", page, re.DOTALL | re.MULTILINE):
        (tmp_path / name).write_text(source, "utf-8")
    run = aj.demo("service", folder=tmp_path / "runs" / "new", only=["task_completion", "policy_violation"])
    result = pytest_on(tmp_path, "", "--adjudge-run", run.folder)
    assert result.code == 0, result.output
    assert "4 passed" in result.output


@pytest.mark.slow
def test_a_wrong_marker_or_rule_says_what_was_expected(tmp_path: Path, run: Path) -> None:
    source = """
import pytest

@pytest.mark.adjudge(trials=2, at_least=3)
def test_marker():
    pass

@pytest.mark.adjudge(5)
def test_position():
    pass

def test_rule(adjudge):
    adjudge.gate("task_completon >= 0.7")
"""
    result = pytest_on(tmp_path, source, "--adjudge-run", run)
    assert "@pytest.mark.adjudge(trials=2, at_least=3): expected trials=N, at_least=M with 1 <= M <= N" in result.output
    assert "@pytest.mark.adjudge(5): expected trials=N" in result.output
    assert "did you mean 'task_completion'?" in result.output


def test_the_plug_in_costs_nothing_where_it_is_not_used(tmp_path: Path) -> None:
    source = """
import sys

def test_nothing_is_imported():
    assert "adjudge.pytest_plugin" in sys.modules
    new = {name for name in sys.modules if name.startswith("adjudge.")}
    assert new == {"adjudge.pytest_plugin", "adjudge.core", "adjudge.core.version"}
    assert not {"numpy", "msgspec", "scipy", "rich"} & set(sys.modules)
"""
    result = pytest_on(tmp_path, source, "-p", "no:hypothesispytest", "-p", "no:xdist")
    assert result.code == 0, result.output
    assert "adjudge =" not in result.output
