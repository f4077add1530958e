"""Records under a data use agreement are recognised in every suite, and ordinary records are not."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.core.credentials import may_be_protected, protection_of, protection_of_name
from adjudge.core.errors import Warnings
from adjudge.engines.job import Job
from adjudge.score import Plan, find_suite
from own_suites import OWN_SUITES

NUMBERS = [
    *("10000032-DS-21", "10000032-RR-14", "22595853.0", "0022595853", "22595853", "022595853", "28651902.txt"),
    *("patient_28651902", "hadm_28651902", "10000032_29079034", "mimic_iv_28651902_note", "visit-28651902"),
    *("p10000032", "s50414267", "2.2595853e+07", "2.2595853E7", "mimic-12345", "visit 22595853 (first)"),
    *("19911231-DS-5", "patient_20240115", "mimic-iv-7"),
]
ORDINARY = [
    *("MUL0012.json", "PMUL4462.json", "SNG01856.json", "WOZ20000.json", "1_00000", "s01", "case-17", "12345"),
    *("+441223351880", "01223351880", "01223 351880", "07700900123", "(555) 010-1234", "0800123456", "555-0199"),
    *("20240131", "visit-20240115", "31012024", "12312024", "2024-01-31", "20240131_153000", "1731820000"),
    *("12345678-9abc-4def-8123-456789abcdef", "d41d8cd98f00b204e9800998ecf8427e", "W1234567", "credit_card_7815826"),
    *("run-8_case-12345", "stayed-home-12", "patient_77", "1234567", "123456789"),
]


@pytest.mark.parametrize("id", NUMBERS)
def test_a_number_of_mimic_is_recognised(id: str) -> None:
    assert protection_of_name(id)
    assert may_be_protected(json.dumps({"id": id}).encode())


@given(st.text("0135678 a-", max_size=30))
def test_every_row_with_eight_digits_of_an_admission_is_looked_at(text: str) -> None:
    # Eight digits that end a number, unless a digit other than 0 stands before them.
    number = re.search(r"(?<![1-9])[1235]\d{7}(?!\d)", text)
    assert may_be_protected(json.dumps({"id": text}).encode()) == (number is not None)


@pytest.mark.parametrize("id", ORDINARY)
def test_an_ordinary_id_is_none(id: str) -> None:
    assert protection_of_name(id) == ""


@pytest.mark.parametrize(
    "text",
    [
        *(
            "MIMIC-IV",
            "taken from MIMIC-III (v1.4)",
            "mimic_iv",
            "MIMIC IV",
            "mimiciii",
            "Mimic-IV-Note",
            "MIMIC\u2011IV",
        ),
        *("derived from MIMIC", "eICU-CRD", "PhysioNet", "i2b2 2010", "n2c2", "MIMIC-CXR"),
    ],
)
def test_the_name_of_a_data_set_is_recognised_in_any_field(text: str) -> None:
    for raw in ({"note": text}, {"meta": [{"remark": text}]}, {text: 1}, text):
        assert protection_of(raw)
        assert may_be_protected(json.dumps(raw, ensure_ascii=False).encode())


@pytest.mark.parametrize(
    "text",
    [
        *(
            "migraine can mimic a stroke",
            "A STROKE CAN MIMIC A MIGRAINE",
            "a mimic artist",
            "mimicry",
            "mimic 4 things",
        ),
        *("Call 22595853 for a taxi", "my number is 01223 351880", "on 20240131", "the ICU", "a long stay"),
    ],
)
def test_ordinary_text_is_not(text: str) -> None:
    assert protection_of({"note": text, "turns": [{"text": text}]}) == ""


@pytest.mark.parametrize(
    "raw",
    [
        *({"hadm_id": 7}, {"HADM-ID": "20001"}, {"meta": {"subjectId": 7}}, {"turns": [{"stay_id": 1}]}),
        *(
            {"source": "mimic"},
            {"Data Source": ["Mimic 4"]},
            {"patient_id": 10000032},
            {"metadata": {"visit": "22595853.0"}},
        ),
        {"note_id": "10000032-DS-21"},
        {"metadata": {"visit": "icustay-12345"}},
        {"source": "I2B2 2010"},
    ],
)
def test_identifiers_and_sources_are_recognised(raw: Any) -> None:
    assert protection_of(raw)
    assert may_be_protected(json.dumps(raw).encode())


@pytest.mark.parametrize(
    "raw",
    [
        {"hadm_id": None},
        {"stay_id": ""},
        {"source": "by hand"},
        {"item_id": "1234567890"},
        {"turns": [{"id": "22595853"}]},
    ],
)
def test_empty_identifiers_and_other_numbers_are_not(raw: Any) -> None:
    assert protection_of(raw) == ""


def read_first(suite: str, folder: Path, name: str = "records.jsonl", **changes: Any) -> tuple[Any, list[str]]:
    """The first record of a suite's sample, changed and read as a run reads it, with the warnings."""
    raw = {**json.loads(find_suite(suite).sample.read_text("utf-8").splitlines()[0]), **changes}
    (folder / name).write_text(json.dumps(raw) + "\n", "utf-8")
    job, warnings = Job.open(Plan(suite=suite, files=(str(folder / name),))), Warnings()
    ((where, row),) = job.source.rows(warnings)
    (record, *_) = job.source.records(where, row, warnings)
    return record, warnings.lines()


@pytest.mark.parametrize("suite", OWN_SUITES)
def test_the_rule_holds_in_every_suite(suite: str, tmp_path: Path) -> None:
    ordinary, _ = read_first(suite, tmp_path)
    assert not ordinary.credentialed
    for id in ("10000032-DS-21", "22595853.0", "0022595853"):
        assert read_first(suite, tmp_path, id=id)[0].credentialed
        record, warnings = read_first(suite, tmp_path, case=id)
        assert record.credentialed
        assert any(f"{id}: taken as credentialed because of" in line for line in warnings)
    assert read_first(suite, tmp_path, facets={"origin": "MIMIC-IV"})[0].credentialed
    assert read_first(suite, tmp_path, "mimic.jsonl")[0].credentialed


@pytest.mark.parametrize("suite", OWN_SUITES)
def test_samples_are_not_credentialed(suite: str) -> None:
    job, warnings = Job.open(Plan(suite=suite, files=(str(find_suite(suite).sample),))), Warnings()
    records = [
        record for where, row in job.source.rows(warnings) for record in job.source.records(where, row, warnings)
    ]
    assert not any(record.credentialed for record in records)
