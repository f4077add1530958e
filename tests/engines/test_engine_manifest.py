"""A run says the same of itself, whether the command line or a Python program made it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from adjudge.cli.main import main
from adjudge.engines.local import Job, execute
from adjudge.score import Plan, find_suite
from adjudge.tools.settings import ToolSettings
from adjudge.tools.toolbox import Toolbox
from own_suites import OWN_SUITES

TIMES = ("started", "finished", "seconds")


def manifest(run: Path) -> dict[str, Any]:
    """The manifest without what differs between any two runs."""
    read: dict[str, Any] = json.loads((run / "run.json").read_text("utf-8"))
    return {name: value for name, value in read.items() if name not in TIMES}


def scored_by_command(folder: Path, suite: str, *arguments: object) -> dict[str, Any]:
    run = folder / "command"
    sample = find_suite(suite).sample
    assert main(["score", suite, str(sample), *map(str, arguments), "-o", str(run), "-q"]) == 0
    return manifest(run)


def scored_by_program(folder: Path, plan: Plan, settings: ToolSettings | None = None) -> dict[str, Any]:
    run = folder / "program"
    execute(Job.open(plan, Toolbox(settings or ToolSettings(), {})), run)
    return manifest(run)


@pytest.mark.parametrize(
    "suite", ["service", *(pytest.param(name, marks=pytest.mark.trial) for name in OWN_SUITES if name != "service")]
)
def test_defaults_are_the_same(tmp_path: Path, suite: str) -> None:
    cards = [metric.card for metric in find_suite(suite).metrics()]
    # Embedding the whole sample takes long, and changes nothing about the plan.
    names = [card.name for card in cards if not {"judge", "embed", "nli"} & {*card.needs, *card.optional}]
    plan = Plan(suite=suite, files=(str(find_suite(suite).sample),), metrics=tuple(names))
    assert scored_by_program(tmp_path, plan) == scored_by_command(tmp_path, suite, "--only", ",".join(names))


def test_options_are_the_same(tmp_path: Path) -> None:
    plan = Plan(
        suite="service",
        files=(str(find_suite("service").sample),),
        options={"match": "fuzzy", "map": ("people=bookpeople",), "lenient": False, "policy": None},
        metrics=("joint_goal_accuracy", "slot_f1"),
    )
    arguments = ("--match", "fuzzy", "--map", "people=bookpeople", "--only", "joint_goal_accuracy,slot_f1")
    assert scored_by_program(tmp_path, plan) == scored_by_command(tmp_path, "service", *arguments)


def test_paths_are_the_same_as_text_and_as_path(tmp_path: Path) -> None:
    sample = find_suite("service").sample
    rubrics = next(sample.parents[1].rglob("rubrics"))
    plan = Plan(suite="service", files=(sample,), metrics=("joint_goal_accuracy",))  # type: ignore[arg-type]
    by_program = scored_by_program(tmp_path, plan, ToolSettings(rubrics=str(rubrics)))
    by_command = scored_by_command(tmp_path, "service", "--only", "joint_goal_accuracy", "--rubrics", rubrics)
    assert by_program == by_command
    assert by_program["places"]["rubrics"] == str(rubrics)
