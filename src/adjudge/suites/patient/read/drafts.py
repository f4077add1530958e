"""What a file says about a consultation, in the file's own words: before names, words and roles are ours."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePath
from typing import Any

from msgspec import Struct

from adjudge.core.record import Participant

ENDINGS = (".gz", ".zip", ".txt", ".text", ".md", ".log", ".json", ".jsonl", ".ndjson")


class Utterance(Struct, frozen=True, gc=False):
    """One turn: who spoke by the file's word for them, what was said, and where that stands.

    `id` is the turn's own, empty where it has none; `number` one that several turns may share (a question and its
    answer); `start` the second it begins at.
    """

    speaker: str
    text: str
    where: str
    field: str = ""
    id: str = ""
    number: int | None = None
    start: float | None = None


class Trait(Struct, frozen=True):
    """One line of a persona: what it is about, the word for it, and where that stands."""

    name: str
    value: Any
    where: str
    field: str = ""


class Draft(Struct, frozen=True, kw_only=True):
    """A consultation as its file has it; empty: not said there."""

    id: str = ""
    case: str = ""
    arm: str = ""
    trial: int = 0
    participants: tuple[Participant, ...] = ()
    facets: dict[str, str] = {}
    credentialed: bool = False
    profile: Mapping[str, Any] = {}
    persona: tuple[Trait, ...] = ()
    utterances: tuple[Utterance, ...] = ()
    note: str = ""


def file_of(where: str) -> str:
    """The file or member of an archive in which a place is."""
    return where.rpartition(":")[0]


def line_of(where: str) -> str:
    """The number of the line that a place is at."""
    return where.rpartition(":")[2]


def stem(file: str) -> str:
    """The name of a file without the endings that say how it is written.

    >>> stem("runs/patient_28651902.txt"), stem("visits.v2.jsonl.gz")
    ('patient_28651902', 'visits.v2')
    """
    name = PurePath(file).name
    while (ending := PurePath(name).suffix.lower()) in ENDINGS and ending:
        name = name[: -len(ending)]
    return name
