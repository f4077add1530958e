"""What a profile says about a patient, in the patient's own mouth."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from adjudge.suites.patient.lexicon.phrases import breaks, either
from adjudge.systems.patient.first_person import FirstPerson, Rewrite, in_first_person
from adjudge.systems.patient.tables import read_table

CASES = Path(__file__).parents[4] / "shared/data/patient/agentclinic_MIT/agentclinic_medqa.jsonl.gz"


@pytest.mark.parametrize("rewrite", read_table("first_person", FirstPerson).rewrites, ids=lambda each: each.example)
def test_every_expression_has_an_example_that_needs_it(rewrite: Rewrite) -> None:
    assert in_first_person(rewrite.example, "female") == rewrite.spoken


@pytest.mark.parametrize(
    ("gender", "text", "spoken"),
    [
        ("Male", "His wife says that she found him asleep.", "My wife says that she found me asleep."),
        ("female", "Her husband says that he found her at home.", "My husband says that he found me at home."),
        ("", "She hurt her foot, and he hurt his hand.", "I hurt my foot, and I hurt my hand."),
        ("Male", "The pain woke him at night.", "The pain woke me at night."),
        ("Male", "Penicillin", "Penicillin"),
        ("Male", "HIV test in 2019", "HIV test in 2019"),
    ],
)
def test_only_the_pronouns_of_the_patient_change(gender: str, text: str, spoken: str) -> None:
    assert in_first_person(text, gender) == spoken


@pytest.mark.skipif(not CASES.exists(), reason="no data beside the repository")
def test_no_history_of_agentclinic_speaks_of_the_patient_any_more() -> None:
    third_person = either(next(each.patterns for each in breaks() if each.name == "speaks of itself as the patient"))
    rows = gzip.decompress(CASES.read_bytes()).splitlines()
    cases = [json.loads(row)["OSCE_Examination"]["Patient_Actor"] for row in rows]
    histories = [in_first_person(case["History"]).lower() for case in cases]
    assert len(histories) == 107
    assert [text for text in histories if third_person.search(text) or "the patient " in text] == []
