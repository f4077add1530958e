"""The team sample: planted faults that the checks find, and nothing else."""

from __future__ import annotations

import json

import msgspec
import pytest

from adjudge.cli.main import main
from adjudge.core.conversation import Conversation
from adjudge.suites.team import suite

Fault = tuple[str, str, str, str]
RECORDS = [msgspec.json.decode(line, type=Conversation) for line in suite.sample.read_bytes().splitlines()]
CHECKS = [
    metric
    for metric in suite.metrics()
    if not metric.card.needs
    and metric.card.better == "lower"
    and metric.card.scale == (0.0, 1.0)
    and metric.card.compared
]


def planted() -> set[Fault]:
    faults = json.loads(suite.sample.with_name("faults.json").read_text("utf-8"))
    return {(fault["case"], fault["arm"], fault["turn"], fault["fault"]) for fault in faults}


def test_two_arms_have_the_same_six_cases() -> None:
    cases = {arm: sorted(each.case for each in RECORDS if each.arm == arm) for arm in ("careful", "hasty")}
    assert cases["careful"] == cases["hasty"] == ["t1", "t2", "t3", "t4", "t5", "t6"]


def test_the_checks_find_every_planted_fault_and_no_other() -> None:
    alarms = {
        (record.case, record.arm, mark.turn, metric.card.name)
        for record in RECORDS
        for metric in CHECKS
        for mark in metric(record)
        if mark.value
    }
    assert alarms == planted()


def test_every_check_has_a_planted_fault() -> None:
    assert {fault[3] for fault in planted()} == {metric.card.name for metric in CHECKS}


def test_the_demo_fits_one_screen(
    tmp_path: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    assert main(["demo", "team", "-o", str(tmp_path)]) == 0
    printed = capsys.readouterr().out
    assert len(printed.splitlines()) <= 40
    assert "goal_reached" in printed
