"""A doctor and a simulated patient with a profile and a persona."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from adjudge.core.play import Limits
from adjudge.core.suite import Option, Options
from adjudge.core.system import Generator, Role, Setup
from adjudge.play.protocols import alternate
from adjudge.suites.patient.data import DOCTOR, PATIENT
from adjudge.systems.patient.cases import SAMPLE, read_cases, vary_persona
from adjudge.systems.patient.data import DoctorFacts, PatientCase, PatientFacts
from adjudge.systems.patient.generator import People, generate
from adjudge.systems.patient.lies import DEFAULT, parse_count
from adjudge.systems.patient.played import participants, record, view

HERE = Path(__file__).parent


def _tools(options: Options) -> Mapping[str, object]:
    return {"lies": parse_count(options.get("lies") or str(DEFAULT))}


setup = Setup(
    suite="patient",
    package=__name__,
    case=PatientCase,
    roles=(
        Role(
            DOCTOR, default="questions", shared_draws=True, facts=DoctorFacts, hidden=("profile", "persona", "hidden")
        ),
        Role(PATIENT, "simulated", tested=True, shared_draws=True, facts=PatientFacts, hidden=("hidden",)),
    ),
    open=read_cases,
    participants=participants,
    view=view,
    protocol=alternate(DOCTOR, PATIENT),
    record=record,
    sample=SAMPLE,
    arms=("scripted", "liar"),
    tools=_tools,
    options=(
        Option(
            "persona",
            "play every case with these values of a trait (personality, language, recall, confusion), such as "
            "recall=low,high; with several traits, with every combination",
            metavar="TRAIT=VALUE,...",
            repeat=True,
        ),
        Option("lies", f"how many items the arm liar lies about (default: {DEFAULT})", metavar="N"),
        Option("aliases", 'other names of profile items (TOML: smoking = "tobacco")', is_path=True),
    ),
    prompts=HERE / "prompts",
    limits=Limits(turns=61),
    generator=Generator(People, generate),
    variants=vary_persona,
)
