"""The samples of all suites with a long run in every free text, scored without tools."""

from __future__ import annotations

import json
from typing import Any

from adjudge.core.coverage import ArmCoverage, Coverage
from adjudge.core.errors import Warnings
from adjudge.core.mark import Score
from adjudge.engines.local import Job
from adjudge.read.table_text import Marks
from adjudge.report.run import grid
from adjudge.score import Plan, find_suite
from adjudge.suites.patient.read.transcript import read_transcript
from adjudge.suites.patient.rules import vitals
from adjudge.suites.service.rules.phrases import name_pattern
from adjudge.suites.trip.read import records
from adjudge.suites.trip.read.conditions import group_type_of
from adjudge.suites.trip.read.query import request_of
from adjudge.systems.patient import questions
from adjudge.systems.patient.first_person import in_first_person
from adjudge.systems.patient.questions import likely_causes
from adjudge.systems.patient.topics import find_topic, is_about, topics
from adjudge.tools import remarks
from own_suites import OWN_SUITES

RECORDS = 3
# Somebody who states an age, as few in the sample do.
AGED = [
    {"id": "1", "speaker": "doctor", "text": "How old are you?"},
    {"id": "2", "speaker": "patient", "text": "I am 45."},
]


def score_samples(run: str) -> None:
    """Score a few records of every suite with a run in each of their texts."""
    for name in OWN_SUITES:
        for record in sample_records(name):
            score_strained(name, record, run)


def read_texts() -> None:
    """Read texts of the formats that the samples do not use, and ask the rules what no sample asks them."""
    Marks.of(",").split('a,"b"')
    read_transcript("x.txt:1", "Doctor: How are you?\nPatient: Fine.\n", Warnings())
    request_of("A week in Bend for four from Ames, no flights, 3 cities, budget 900, private room, pets allowed.")
    request_of("Budget of $900 for two adults and 1 child from Ames to Bend.")
    group_type_of("family_01")
    records._list("a, b")
    remarks._is_named_after("gpt", "gpt")
    name_pattern("ask")
    grid._break_name("a_long_name", 5)
    for measure in vitals.measures():
        vitals._answer(measure)
        vitals._means_else(measure, "")
    score_strained("patient", {**sample_records("patient")[0], "turns": AGED}, "")
    _ask_patients()


def _ask_patients() -> None:
    """Let the doctor and the patient by rule use all their tables."""
    for gender in ("female", "male", ""):
        in_first_person("Patient denies fever.", gender)
    find_topic("nothing in particular")
    for topic in topics().values():
        is_about(topic, "nothing in particular")
    likely_causes("nothing in particular")
    questions._is_done("nothing in particular")


def sample_records(name: str, count: int = RECORDS) -> list[Any]:
    """The first records of a suite's sample."""
    lines = find_suite(name).sample.read_text("utf-8").splitlines()
    return [json.loads(line) for line in lines[:count]]


def score_strained(name: str, record: Any, run: str) -> list[dict[str, Score]]:
    """Read and score a record that has a run in the middle and at the end of every text."""
    job = Job.open(Plan(suite=name, files=(str(find_suite(name).sample),)))
    raw = json.dumps(_strain(record, run)).encode()
    several = list(job.source.records("strained.jsonl:1", raw, Warnings()))
    fields = [field for metric in job.metrics for field in metric.card.predicts]
    scorer = job.scorer(Coverage(arms={read.arm: ArmCoverage(fields=fields) for read in several}))
    return [scores for _, scores in scorer.score(several)]


def _strain(value: Any, run: str) -> Any:
    if isinstance(value, dict):
        return {key: _strain(item, run) for key, item in value.items()}
    if isinstance(value, list):
        return [_strain(item, run) for item in value]
    # Single words are ids, slots and the like.
    if isinstance(value, str) and " " in value:
        middle = value.index(" ", len(value) // 2) if " " in value[len(value) // 2 :] else len(value)
        return f"{value[:middle]}{run}{value[middle:]}{run}"
    return value
