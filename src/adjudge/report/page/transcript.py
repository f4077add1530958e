"""Conversations as pages show them: which ones, their turns, and the notes on what was judged in a turn.

A page of a run shows conversations of one arm each, a comparison those of two arms side by side; both choose them so
that they show as much as can be, and group what was judged of the same place.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from itertools import chain, zip_longest
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from adjudge.core.errors import BadInput
from adjudge.report.text import LONGEST_PASSAGE, Passage, passage
from adjudge.run import RECORDS, Run

T = TypeVar("T")
K = TypeVar("K", bound=Hashable)
Record = dict[str, Any]

# How much of the conversations a page shows, so that it opens fast with any run.
CONVERSATIONS = 24
LETTERS = 24_000
TURNS = 80
NOTES = 8
LONGEST_REASON = 400

# The fields of a record and of a turn that have their own place on the page.
RECORD_FIELDS = ("id", "case", "arm", "trial", "turns")
TURN_FIELDS = ("id", "speaker", "text")


class Note(Struct, frozen=True):
    """What was judged at one place and why, with the values of each metric that judged it.

    `turn` is empty where the note stands in its turn.
    """

    turn: str
    at: str
    why: Passage
    values: list[tuple[str, str]]


class Notes(Struct, frozen=True):
    """The notes of one turn or of a whole conversation, and how many more there were."""

    shown: list[Note]
    more: int = 0


class NotedMark(Struct, frozen=True):
    """A mark to be noted: its metric, its value in words, its place and its reason."""

    metric: str
    value: str
    turn: str
    at: str
    why: str


class ShownTurn(Struct, frozen=True):
    """A turn as it is shown; `role` is empty where it only repeats the speaker."""

    turn: str
    speaker: str
    role: str
    text: Passage


def take_in_turns(groups: Iterable[Iterable[K]], most: int = CONVERSATIONS) -> list[K]:
    """Conversations taken from each group in turns until there are enough."""
    return [key for turn in zip_longest(*groups) for key in turn if key is not None][:most]


def covering_rounds(candidates: dict[K, set[T]]) -> Iterator[list[K]]:
    """Keys in rounds: each round shows once everything that the keys left can show, the key that adds most first."""
    left = {key: shows for key, shows in candidates.items() if shows}
    while left:
        unseen = set(chain.from_iterable(left.values()))
        keys: list[K] = []
        while unseen:
            key = max(left, key=lambda key: len(left[key] & unseen))
            unseen -= left.pop(key)
            keys.append(key)
        yield keys


def read_records(run: Run, wanted: dict[int, T]) -> Iterator[tuple[T, Record]]:
    """The records at some places of a run, each with what is wanted there."""
    for place, line in enumerate(run.records()):
        if place not in wanted:
            continue
        try:
            yield wanted[place], msgspec.json.decode(line, type=Record)
        except msgspec.MsgspecError as error:
            raise BadInput(
                f"{run.folder / RECORDS}:{place + 1}: {error}; the file was changed; score the run again with --fresh"
            ) from error


def objects(record: Record, name: str) -> list[Record]:
    """The objects of a list in a record; none where it is no such list."""
    values = record.get(name)
    return [value for value in values if isinstance(value, dict)] if isinstance(values, list) else []


def speaker_roles(record: Record) -> dict[str, str]:
    """The roles of those who speak in a record."""
    return {str(person.get("id", "")): str(person.get("role", "")) for person in objects(record, "participants")}


def utterance(turn: Record, roles: dict[str, str], room: int) -> ShownTurn:
    """A turn, its text cut where it is longer than the room that is left."""
    text, name, speaker = (str(turn.get(key) or "") for key in ("text", "id", "speaker"))
    role = roles.get(speaker, "")
    return ShownTurn(name, speaker, "" if role == speaker else role, passage(text, min(LONGEST_PASSAGE, room)))


def group_notes(marks: Iterable[NotedMark]) -> Notes:
    """Marks as notes: those of the same place and reason together, those with a reason first."""
    places: dict[tuple[str, str, str], list[tuple[str, str]]] = {}
    for noted in marks:
        places.setdefault((noted.turn, noted.at, noted.why), []).append((noted.metric, noted.value))
    notes = [Note(turn, at, passage(why, LONGEST_REASON), values) for (turn, at, why), values in places.items()]
    ordered = sorted(notes, key=lambda note: not note.why.text)
    return Notes(ordered[:NOTES], max(len(ordered) - NOTES, 0))
