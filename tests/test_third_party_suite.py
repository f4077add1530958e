"""A stranger's package adds a suite, and a stranger's file adds a metric, without touching adjudge."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from contextlib import chdir, redirect_stdout
from io import StringIO
from pathlib import Path

import pytest

from adjudge.cli.main import main

ROOT = Path(__file__).parent.parent
TINY = ROOT / "docs" / "examples" / "tiny_suite"


def run(folder: Path, *arguments: str, path: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run `adjudge` in a folder as a process of its own, with a folder of packages beside the installed ones."""
    paths = [str(path)] if path else []
    # Sources that the tests themselves were told to use come after the folder.
    paths += filter(None, [os.environ.get("PYTHONPATH", "")])
    environment = {
        **os.environ,
        "COLUMNS": "120",
        "PYTHONPATH": os.pathsep.join(paths),
        "PYTHONIOENCODING": "utf-8",
    }
    command = [sys.executable, "-W", "error", "-m", "adjudge.cli.main", *arguments]
    return subprocess.run(command, capture_output=True, encoding="utf-8", cwd=folder, env=environment)


def run_here(folder: Path, *arguments: str) -> str:
    """What a command prints that needs nothing of a stranger's package; it runs in this process."""
    with chdir(folder), redirect_stdout(StringIO()) as printed_here:
        assert main(list(arguments)) == 0
    return printed_here.getvalue()


def printed(done: subprocess.CompletedProcess[str]) -> str:
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """The folder that installing the example leaves: the package, and the entry points of its pyproject.toml."""
    site = tmp_path / "site"
    shutil.copytree(TINY / "tiny_suite", site / "tiny_suite")
    project = tomllib.loads((TINY / "pyproject.toml").read_text("utf-8"))["project"]
    info = site / f"tiny_suite-{project['version']}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n", "utf-8"
    )
    lines = [
        line
        for group, entries in project["entry-points"].items()
        for line in (f"[{group}]", *(f"{name} = {value}" for name, value in entries.items()))
    ]
    (info / "entry_points.txt").write_text("\n".join(lines) + "\n", "utf-8")
    return site


def test_an_installed_suite_is_listed_beside_our_own(site: Path, tmp_path: Path) -> None:
    listed = printed(run(tmp_path, "list", path=site))

    assert "service: " in listed
    assert "tiny: Quiz questions with one right answer" in listed
    assert "right_answer" in printed(run(tmp_path, "list", "tiny", path=site))


def test_an_installed_suite_is_scored_and_reported(site: Path, tmp_path: Path) -> None:
    sample = str(site / "tiny_suite" / "sample" / "sample.jsonl")

    scored = printed(run(tmp_path, "score", "tiny", sample, "-o", "runs/quiz", path=site))
    printed(run(tmp_path, "report", "runs/quiz", "-o", "summary.json", path=site))

    assert "quick: 3 of 4 conversations" in scored
    rows = json.loads((tmp_path / "summary.json").read_text("utf-8"))["rows"]
    assert {row["arm"]: row["value"] for row in rows} == {"quick": 0.5, "careful": 0.75}


def test_a_run_is_readable_without_the_suite_that_made_it(site: Path, tmp_path: Path) -> None:
    sample = str(site / "tiny_suite" / "sample" / "sample.jsonl")
    printed(run(tmp_path, "score", "tiny", sample, "-o", "runs/quiz", "-q", path=site))

    broken = tmp_path / "broken"
    broken.mkdir()
    (broken / "tiny_suite.py").write_text("raise ImportError('removed')\n")

    reported = printed(run(tmp_path, "report", "runs/quiz", path=broken))

    assert "q2: said 'Bergen', right is 'Oslo'" in reported


def test_an_installed_suite_scores_in_several_processes(site: Path, tmp_path: Path) -> None:
    sample = str(site / "tiny_suite" / "sample" / "sample.jsonl")

    printed(run(tmp_path, "score", "tiny", sample, "-o", "runs/quiz", "--jobs", "2", path=site))

    assert len((tmp_path / "runs" / "quiz" / "scores.jsonl").read_text("utf-8").splitlines()) == 8


def test_a_bad_record_of_an_installed_suite_is_refused_with_its_place(site: Path, tmp_path: Path) -> None:
    (tmp_path / "bad.jsonl").write_text('{"id": "q1", "arm": "quick", "question": "?", "right": 8}\n', "utf-8")

    done = run(tmp_path, "score", "tiny", "bad.jsonl", "-o", "runs/bad", path=site)

    assert done.returncode == 2
    assert "bad.jsonl:1: right: " in done.stderr


@pytest.fixture
def my_metrics(tmp_path: Path) -> Path:
    """The file that docs/guides/own-metric.md shows."""
    page = (ROOT / "docs" / "guides" / "own-metric.md").read_text("utf-8")
    shown = re.search(r"^```python\n(# my_metrics\.py\n.*?)^```$", page, re.DOTALL | re.MULTILINE)
    assert shown
    path = tmp_path / "my_metrics.py"
    path.write_text(shown.group(1), "utf-8")
    return path


def test_metrics_of_a_file_are_scored_beside_the_suite(my_metrics: Path, tmp_path: Path) -> None:
    sample = str(ROOT / "src" / "adjudge" / "suites" / "service" / "sample" / "sample.jsonl")

    scored = run_here(tmp_path, "score", "service", sample, "--metrics-file", "my_metrics.py", "-o", "runs/mine")

    cards = json.loads((tmp_path / "runs" / "mine" / "run.json").read_text("utf-8"))["cards"]
    assert {"joint_goal_accuracy", "reply_length", "area_accuracy", "politeness"} <= cards.keys()
    assert re.search(r"^reply_length +14\.065 ", scored, re.MULTILINE)


def test_a_metric_that_takes_a_judge_is_skipped_without_one(my_metrics: Path, tmp_path: Path) -> None:
    sample = str(ROOT / "src" / "adjudge" / "suites" / "service" / "sample" / "sample.jsonl")
    chosen = ("--metrics-file", "my_metrics.py", "--only", "politeness")

    run_here(tmp_path, "score", "service", sample, *chosen, "-o", "runs/mine")

    first = json.loads((tmp_path / "runs" / "mine" / "scores.jsonl").read_text("utf-8").splitlines()[0])
    assert first["scores"]["politeness"]["skipped"]["status"] == "no_tool"


def test_a_metric_of_a_file_is_described(my_metrics: Path, tmp_path: Path) -> None:
    described = run_here(tmp_path, "describe", "area_accuracy", "--metrics-file", "my_metrics.py")

    assert "Is the area that the user wants tracked?" in described
