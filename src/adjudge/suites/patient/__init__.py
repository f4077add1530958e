"""Simulated patients: true to the record, true to the persona, and what they leave out."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from adjudge.core.suite import Missing, Option, Options, Suite
from adjudge.suites.patient.data import Consultation
from adjudge.suites.patient.read.source import PatientSource
from adjudge.suites.patient.rules.canaries import canaries
from adjudge.suites.patient.rules.ratings import DUAL, SIMPLE
from adjudge.tools.rubrics import Rubrics

HERE = Path(__file__).parent


def _tools(options: Options) -> Mapping[str, object]:
    rubrics, simple, diagnosis = options.get("rubrics"), options.get("simple"), options.get("with-diagnosis")
    one_score = Missing("--simple gives one score for each item in place of two")
    return {
        "rubrics": Rubrics(HERE / "rubrics", Path(rubrics) if rubrics else None),
        "dual": one_score if simple else DUAL,
        "simple": SIMPLE if simple else Missing("items get two scores, extraction and role-play; --simple gives one"),
        "with_diagnosis": _diagnosis_rater(bool(diagnosis)) if not simple else one_score,
    }


def _diagnosis_rater(asked: bool) -> object:
    return (
        DUAL if asked else Missing("--with-diagnosis rates the diagnosis too, with two more questions a conversation")
    )


suite = Suite(
    name="patient",
    title="Simulated patients: factual, in their role, and realistic in what they leave out",
    record=Consultation,
    package=__name__,
    open=PatientSource,
    tools=_tools,
    sample=HERE / "sample" / "sample.jsonl",
    options=(
        Option("simple", "one consistency score for each profile item, whatever the persona", flag=True),
        Option("with-diagnosis", "also rate the diagnosis, as the source does, in separate metrics", flag=True),
        Option("profiles", "profiles by the id of the conversation (JSON, JSONL or a table)", is_path=True),
        Option("aliases", 'other names of profile items (TOML: smoking = "tobacco")', is_path=True),
        Option("arm", "the arm of all files, or one for each file", metavar="NAME", repeat=True),
        Option("patient", "the speaker or role that is the patient, such as assistant", metavar="ROLE"),
        Option("encoding", "the encoding of text transcripts (default: utf-8)", metavar="NAME"),
        Option(
            "credentialed",
            "which records count as under a data use agreement: those that look so, or all",
            choices=("auto", "all"),
            default="auto",
        ),
    ),
    settings=("aliases", "simple"),
    canaries=canaries,
    example="visits.jsonl --profiles profiles.jsonl --judge openai:gpt-4.1-mini -o runs/mine",
)
