"""Plans in a file of their own: one for all trips, or one for each by its id."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from adjudge.core.errors import BadInput, Warnings
from adjudge.read.decode import check_depth, decode
from adjudge.read.files import document
from adjudge.suites.trip.read.facts import first
from adjudge.suites.trip.read.itinerary import DAY_LISTS, PlanReading, is_plan, read_plan

IDS = ("id", "idx", "case", "dialogue_id", "conversation_id", "chat_id")
OBJECT = msgspec.json.Decoder(dict[str, Any])
ANY = msgspec.json.Decoder(Any)


class Plans:
    """The plans of a file by id, before they are read; a plan for all trips has no id."""

    def __init__(self, path: Path | None, warnings: Warnings) -> None:
        self.path = path
        self.by_id: dict[str, tuple[str, Any]] = {}
        for where, row in _documents(path, warnings) if path else ():
            for id, plan in _plans_in(row):
                self.by_id[id] = (where, plan)
        if path and not self.by_id:
            raise BadInput(f"{path}: no plan in it; expected days, rows with id and plan, or plans by id")

    def of(self, ids: tuple[str, ...], warnings: Warnings) -> PlanReading | None:
        """The plan of a trip: by the first of its ids in the file, else the plan for all; None if there is neither."""
        known = next((self.by_id[id] for id in (*ids, "") if id in self.by_id), None)
        return read_plan(*known, warnings) if known else None


def _documents(path: Path, warnings: Warnings) -> list[tuple[str, Any]]:
    """The rows of JSONL, or the whole document as one."""
    name, data = document(path, warnings)
    check_depth(name, data)
    try:
        return [(name, ANY.decode(data))]
    except msgspec.DecodeError:
        lines = ((number, line) for number, line in enumerate(data.splitlines(), 1) if line.strip())
        return [(f"{name}:{number}", decode(f"{name}:{number}", line, OBJECT)) for number, line in lines]


def _plans_in(content: Any) -> list[tuple[str, Any]]:
    """The plans of a document, each with its id; a plan for all trips has none."""
    if isinstance(content, list) and any(isinstance(row, dict) and first(row, *DAY_LISTS) for row in content):
        return [pair for row in content for pair in _plans_in(row)]
    if not isinstance(content, dict) or is_plan(content):
        id = first(content, *IDS) if isinstance(content, dict) else None
        return [("" if id is None else str(id), content)]
    return [(str(id), plan) for id, plan in content.items() if isinstance(plan, dict | list | str)]
