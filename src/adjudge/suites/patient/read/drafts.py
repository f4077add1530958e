"""Consultations in the words of their file, before names and roles are translated to those of the suite."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePath
from typing import Any

from msgspec import Struct

from adjudge.core.record import Participant
from adjudge.suites.patient.lexicon.fields import SEPARATOR, is_recorded

# File endings that name a format and are not part of an id.
ENDINGS = (".gz", ".zip", ".txt", ".text", ".md", ".log", ".json", ".jsonl", ".ndjson", ".csv", ".tsv", ".xlsx")


class DraftTurn(Struct, frozen=True, gc=False):
    """One turn: the speaker in the file's words, the text, and its place in the file.

    `id` is the turn's own id, or empty. `number` may be shared by several turns, such as a question and its answer.
    `start` is the second at which the turn begins.
    """

    speaker: str
    text: str
    where: str
    field: str = ""
    id: str = ""
    number: int | None = None
    start: float | None = None


class Trait(Struct, frozen=True):
    """One trait of a persona: its name, its value, and its place in the file."""

    name: str
    value: Any
    where: str
    field: str = ""


class ConsultationDraft(Struct, frozen=True, kw_only=True):
    """A consultation as its file has it; a field is empty if the file does not give it."""

    id: str = ""
    case: str = ""
    arm: str = ""
    trial: int = 0
    participants: tuple[Participant, ...] = ()
    facets: dict[str, str] = {}
    credentialed: bool = False
    profile: Mapping[str, Any] = {}
    persona: tuple[Trait, ...] = ()
    utterances: tuple[DraftTurn, ...] = ()
    note: str = ""
    diagnoses: tuple[str, ...] | None = None


def file_of(where: str) -> str:
    """The file, or the member of an archive, that a place such as "visits.jsonl:3" is in."""
    return where.rpartition(":")[0]


def line_of(where: str) -> str:
    """The line number of a place such as "visits.jsonl:3"."""
    return where.rpartition(":")[2]


def stem(file: str) -> str:
    """The name of a file without its folder and without the endings of formats.

    >>> stem("runs/patient_28651902.txt"), stem("visits.v2.jsonl.gz")
    ('patient_28651902', 'visits.v2')
    """
    name = PurePath(file).name
    while (ending := PurePath(name).suffix.lower()) in ENDINGS and ending:
        name = name[: -len(ending)]
    return name


def as_text(value: Any) -> str:
    """A value of JSON as text: lists are joined, objects become `key: value`.

    >>> as_text(["nuts", {"drug": "penicillin", "since": None}, 3.0])
    'nuts; drug: penicillin; 3'
    """
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, Mapping):
        value = [f"{key}: {text}" for key, part in value.items() if is_recorded(text := as_text(part))]
    if isinstance(value, list | tuple):
        return SEPARATOR.join(text for part in value if is_recorded(text := as_text(part)))
    return str(value).strip()
