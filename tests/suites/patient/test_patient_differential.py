"""Whether the doctor names the right diagnosis."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from msgspec import structs
from patient_visits import visit

from adjudge.core.errors import Warnings
from adjudge.suites.patient.metrics.differential import diagnosis_top1, diagnosis_top5
from adjudge.suites.patient.read.source import PatientSource
from adjudge.suites.patient.rules.naming import is_same_diagnosis


def marks(metric: object, diagnoses: tuple[str, ...] | None, true: str = "Acute myocardial infarction") -> list[float]:
    record = structs.replace(visit(("How are you?", "Bad."), profile={"diagnosis": true}), diagnoses=diagnoses)
    return [mark.value for mark in metric(record)]  # type: ignore[operator]


def test_the_worked_example() -> None:
    named = ("Angina", "Heart attack", "Reflux", "Asthma", "Anxiety", "Gout")
    assert marks(diagnosis_top1, named) == [0.0]
    assert marks(diagnosis_top5, named) == [1.0]
    assert marks(diagnosis_top5, named, true="Gout") == [0.0]
    assert marks(diagnosis_top1, named, true="unstable angina; heart failure") == [1.0]


def test_who_names_nothing_is_wrong_and_who_was_not_asked_is_not_judged() -> None:
    assert marks(diagnosis_top1, ()) == [0.0]
    assert marks(diagnosis_top1, None) == []
    assert marks(diagnosis_top1, ("Gout",), true="unknown") == []


@pytest.mark.parametrize(
    ("named", "true"),
    [
        ("Acute appendicitis", "appendicitis"),
        ("haemorrhoids", "Hemorrhoids"),
        ("Piles", "Hemorrhoids"),
        ("Progressive multifocal encephalopathy", "Progressive multifocal encephalopathy (PML)"),
        ("Kidney stones", "Nephrolithiasis"),
        ("COVID-19", "covid"),
    ],
)
def test_other_names_of_the_same_illness_count(named: str, true: str) -> None:
    assert is_same_diagnosis(named, true)
    assert is_same_diagnosis(true, named)


@pytest.mark.parametrize(
    ("named", "true"),
    [
        ("Sprain", "Ankle fracture"),
        ("Vasovagal syncope", "Situational syncope"),
        ("Viral pharyngitis", "Streptococcal pharyngitis"),
        ("", "Gout"),
        ("?", "Gout"),
        ("acute", "chronic"),
    ],
)
def test_other_illnesses_do_not(named: str, true: str) -> None:
    assert not is_same_diagnosis(named, true)


def test_diagnoses_are_read_from_records(tmp_path: Path) -> None:
    path = tmp_path / "visits.jsonl"
    row = {"id": "v", "profile": {"diagnosis": "Gout"}, "diagnoses": ["Gout", "Sprain"]}
    path.write_text(json.dumps(row), encoding="utf-8")
    source = PatientSource([path], {})
    [record] = [record for where, raw in source.rows(Warnings()) for record in source.records(where, raw, Warnings())]
    assert record.diagnoses == ("Gout", "Sprain")
