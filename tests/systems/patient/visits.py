"""What the tests of the patient system share: one question to a patient, and visits that are played in a folder."""

from __future__ import annotations

from pathlib import Path
from random import Random

import msgspec

from adjudge.core.errors import Warnings
from adjudge.core.play import Said, Utterance, View
from adjudge.play.engine import play
from adjudge.play.models import Models
from adjudge.play.plan import PlayPlan
from adjudge.play.prepare import prepare
from adjudge.run.played import TurnLine
from adjudge.suites.patient.data import Consultation, Persona
from adjudge.suites.patient.read.source import PatientSource
from adjudge.systems.patient.data import PatientBrief
from adjudge.systems.patient.memory import PatientMemory
from adjudge.systems.patient.scripted import PARTS, reply
from adjudge.tools.settings import ToolSettings

PROFILE = {
    "age": "45",
    "gender": "Female",
    "chief_complaint": "Headache",
    "present_illness_positive": "The patient reports that the pain began on Monday; Worse in the morning; She vomited",
    "present_illness_negative": "fever; cough",
    "pain": "6",
    "medical_history": "Hypertension since 2014; Knee operation in 2019",
    "medication": "Lisinopril 10 mg once daily",
    "allergies": "None",
    "family_medical_history": "Father: stroke",
    "alcohol": "Three beers a day",
    "occupation": "Baker",
    "children": "2 children",
    "shoe_size": "42",
}
PLAIN = Persona("plain", "C", "high", "normal")


def ask(
    question: str,
    persona: Persona = PLAIN,
    memory: PatientMemory | None = None,
    parts: frozenset[str] = frozenset(PARTS),
    profile: dict[str, str] = PROFILE,
    seed: int = 1,
) -> Said[PatientMemory]:
    """What the patient by rule answers to one question."""
    view: View[PatientMemory] = View(
        "patient", PatientBrief(profile, persona), (Utterance(0, "doctor", question),), memory
    )
    return reply(view, parts, Random(seed))


def play_visits(folder: Path, arm: str, *personas: str, n: int, lies: int = 3) -> list[Consultation]:
    """Generated visits of one arm, played by rule on both sides."""
    plan = PlayPlan(
        suite="patient", generate=f"n={n}", arms=(arm,), options={"persona": list(personas), "lies": str(lies)}
    )
    play(prepare(plan, Models(ToolSettings(), {})), folder)
    source = PatientSource([folder / "conversations.jsonl"], {})
    return [source.records(where, row, Warnings())[0] for where, row in source.rows(Warnings())]


def turn_lines(folder: Path) -> list[TurnLine]:
    """The committed turns of a play."""
    decoder = msgspec.json.Decoder(TurnLine)
    return [decoder.decode(line) for line in (folder / "turns.jsonl").read_bytes().splitlines()]
