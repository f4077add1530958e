"""The lines of a run's files, decoded as far as the index needs them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec
from msgspec import Struct

from adjudge.core.mark import Skipped
from adjudge.report.page.facts import objects

# The number of characters of a conversation's first words that lists show.
OPENING = 160


class IndexMark(Struct, frozen=True, gc=False):
    """A mark: its value, its turn, its weight, and the part of the data that it belongs to."""

    value: float
    turn: str = ""
    group: str = ""
    weight: float = 1.0


class IndexScore(Struct, frozen=True, gc=False):
    """A score: its value and marks, or why it could not be given."""

    value: float | None = None
    n: int = 0
    weight: float = 0.0
    skipped: Skipped | None = None
    marks: tuple[IndexMark, ...] = ()
    missing: dict[str, Skipped] = {}
    basis: str = ""


class IndexRow(Struct, frozen=True, gc=False):
    """A line of `scores.jsonl`."""

    case: str
    arm: str
    scores: dict[str, IndexScore] = {}
    trial: int = 0
    facets: dict[str, str] = {}


class RecordFacts(Struct, frozen=True):
    """What lists show of a record: its first words, who takes part, how many turns it has, and how it ended."""

    opens: str = ""
    people: tuple[str, ...] = ()
    turns: int = 0
    end: str = ""


SCORES: msgspec.json.Decoder[IndexRow] = msgspec.json.Decoder(IndexRow)
RECORD: msgspec.json.Decoder[dict[str, Any]] = msgspec.json.Decoder(dict[str, Any])


def record_facts(record: dict[str, Any]) -> RecordFacts:
    """What lists show of a record of any suite."""
    turns = objects(record.get("turns"))
    speakers = (str(turn.get("speaker") or "") for turn in turns)
    people = dict.fromkeys(
        filter(None, [*_names(record.get("participants")), *_names(record.get("members")), *speakers])
    )
    return RecordFacts(_opening(record, turns)[:OPENING], tuple(people), len(turns), _end(record))


def _names(people: Any) -> Iterable[str]:
    return (str(person.get("id") or "") for person in objects(people))


def _opening(record: dict[str, Any], turns: list[dict[str, Any]]) -> str:
    for turn in turns:
        if text := str(turn.get("text") or "").strip():
            return text
    scenario = record.get("scenario")
    described = scenario.get("description") or scenario.get("name") if isinstance(scenario, dict) else ""
    return str(described or record.get("goal") or "")


def _end(record: dict[str, Any]) -> str:
    """How the record says that it ended; empty where it does not say it."""
    outcome, facets = record.get("outcome"), record.get("facets")
    if isinstance(outcome, dict) and isinstance(outcome.get("reached"), bool):
        return "goal reached" if outcome["reached"] else "goal not reached"
    end = facets.get("end") if isinstance(facets, dict) else ""
    return end if isinstance(end, str) else ""
