"""What was planted in the sample of the patient suite is found at its turn, for its reason, and nowhere else."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct
from patient_visits import sample_verdicts

from adjudge.cli.main import main
from adjudge.suites.patient import HERE

FAULTS: list[dict[str, str]] = json.loads((HERE / "sample" / "faults.json").read_text("utf-8"))
FOUND_BY_CHECKS = [fault for fault in FAULTS if fault["by"] == "check"]
LEFT_TO_THE_JUDGE = [fault for fault in FAULTS if fault["by"] == "judge"]
# The metrics that find each kind of fault, and the value by which they say so.
FINDS: Mapping[str, Mapping[str, float]] = {
    "contradiction": {"number_contradiction": 1.0},
    "diagnosis_revealed": {"diagnosis_revealed": 1.0},
    "disposition_revealed": {"diagnosis_revealed": 1.0},
    "role_break": {"role_break": 1.0},
    "too_long": {"sentence_limit": 0.0, "word_limit": 0.0},
    "repeated_reply": {"repeated_reply": 1.0},
    "unexpected_precision": {"unexpected_precision": 1.0},
    "confusion_stays": {"confusion_fades": 0.0},
    "implausible": {"impossible_value": 1.0},
    "injection": {"injection_suspected": 1.0},
}
DETERMINISTIC: Mapping[str, float] = {
    "number_contradiction": 1.0,
    "role_break": 1.0,
    "injection_suspected": 1.0,
    "diagnosis_revealed": 1.0,
    "repeated_reply": 1.0,
    "sentence_limit": 0.0,
    "word_limit": 0.0,
    "unexpected_precision": 1.0,
    "impossible_value": 1.0,
    "confusion_fades": 0.0,
}
# One mark for a whole visit says nothing about a turn.
OF_THE_VISIT = "confusion_fades"


class Alarm(Struct, frozen=True):
    """One mark of the sample: which metric, where, and its value."""

    case: str
    arm: str
    turn: str
    metric: str
    value: float
    why: str


@pytest.fixture(scope="module")
def marks(tmp_path_factory: pytest.TempPathFactory) -> list[Alarm]:
    run: Path = tmp_path_factory.mktemp("sample") / "run"
    assert main(["score", "patient", str(HERE / "sample" / "sample.jsonl"), "-o", str(run), "-q"]) == 0
    rows: list[dict[str, Any]] = [json.loads(line) for line in (run / "scores.jsonl").read_text("utf-8").splitlines()]
    return [alarm for row in rows for alarm in _marks(row)]


def _marks(row: dict[str, Any]) -> Iterator[Alarm]:
    for metric, score in row["scores"].items():
        for mark in score.get("marks", ()):
            place = row["case"], row["arm"], mark.get("turn", "")
            yield Alarm(*place, metric, mark["value"], mark.get("why", ""))


def alarms(marks: list[Alarm], metrics: Mapping[str, float]) -> list[Alarm]:
    return [item for item in marks if metrics.get(item.metric) == item.value]


def labelled(case: str, arm: str, turn: str) -> set[str]:
    """The items that the labels call contradicted at a turn."""
    rows = [row for row in sample_verdicts() if (row["case"], row["arm"], row["turn"]) == (case, arm, turn)]
    return {item for row in rows if row["label"] == "contradict" for item in row["item"].split(";")}


@pytest.mark.parametrize(
    "fault", FOUND_BY_CHECKS, ids=lambda fault: "-".join(fault[key] for key in ("case", "arm", "turn", "fault"))
)
def test_a_planted_fault_is_found_at_its_turn(fault: dict[str, str], marks: list[Alarm]) -> None:
    results = alarms(marks, FINDS[fault["fault"]])
    visit = [item for item in results if (item.case, item.arm) == (fault["case"], fault["arm"])]
    assert [item for item in visit if item.turn == fault["turn"] or item.metric == OF_THE_VISIT], fault["why"]


def test_the_labels_hold_every_contradiction_that_is_left_to_the_judge() -> None:
    contradictions = [fault for fault in LEFT_TO_THE_JUDGE if fault["fault"] == "contradiction"]
    assert contradictions
    assert all(labelled(fault["case"], fault["arm"], fault["turn"]) for fault in contradictions)


def test_only_contradictions_are_left_to_the_judge() -> None:
    assert {fault["fault"] for fault in LEFT_TO_THE_JUDGE} == {"contradiction", "self_contradiction"}


@pytest.mark.parametrize(("case", "turn"), [("p01", "6"), ("p02", "4"), ("p04", "6"), ("p10", "10")])
def test_a_number_against_the_profile_is_found_by_the_check_of_numbers(
    case: str, turn: str, marks: list[Alarm]
) -> None:
    results = alarms(marks, {"number_contradiction": 1.0})
    assert (case, "careless", turn) in {(item.case, item.arm, item.turn) for item in results}


def test_the_careful_arm_raises_no_alarm_of_a_deterministic_check(marks: list[Alarm]) -> None:
    assert [item for item in alarms(marks, DETERMINISTIC) if item.arm == "careful"] == []


@pytest.mark.parametrize("metric", DETERMINISTIC)
def test_the_careful_arm_gives_each_check_something_to_judge(metric: str, marks: list[Alarm]) -> None:
    asked = {item.metric for item in marks if item.arm == "careful"}
    assert metric in asked


def test_in_the_careless_arm_a_deterministic_check_raises_only_what_was_planted(marks: list[Alarm]) -> None:
    planted = {(fault["case"], fault["turn"]) for fault in FAULTS if fault["arm"] == "careless"}
    raised = [item for item in alarms(marks, DETERMINISTIC) if item.arm == "careless" and item.metric != OF_THE_VISIT]
    assert [item for item in raised if (item.case, item.turn) not in planted] == []
