"""Our own conversations, as `adjudge convert` writes them: one `Conversation` as JSON on each line.

Shape: `{id, case, arm, trial, participants: [{id, role, kind}], turns: [{id, speaker, text, to, kind, call, usage,
time}], goal, outcome, tools, faults, usage, instructions}`; only `id` and `turns` are needed, and of turns the speaker.
Unknown fields are refused. `adjudge schema team` prints the JSON Schema.
Version: that of this adjudge.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from adjudge.convert.fields import ReadingNotes
from adjudge.convert.format import FileRow, Format, by_row
from adjudge.core.conversation import Conversation
from adjudge.core.errors import BadRecord, bad_record
from adjudge.read.mismatch import mismatch


def recognise(value: Any) -> bool:
    """Whether a row is a conversation of our own: it has turns, and the first has a speaker and an id."""
    if not isinstance(value, dict) or "id" not in value or not isinstance(value.get("turns"), list):
        return False
    first = value["turns"][0] if value["turns"] else {}
    return isinstance(first, dict) and (not first or "speaker" in first)


def read(row: FileRow, notes: ReadingNotes) -> Iterator[Conversation]:
    """The conversation of a row; raises BadRecord."""
    turns = [
        {"id": str(place), **turn} if isinstance(turn, dict) else turn for place, turn in enumerate(row.value["turns"])
    ]
    value = {**row.value, "turns": turns}
    try:
        conversation = msgspec.convert(value, Conversation)
    except msgspec.ValidationError as fault:
        raise BadRecord(mismatch(row.where, msgspec.json.encode(value), Conversation, str(fault))) from None
    repeated = _first_repeated([turn.id for turn in conversation.turns])
    if repeated:
        raise bad_record(row.where, f"two turns have the id {repeated!r}; expected each id once", "turns")
    yield conversation


def _first_repeated(ids: list[str]) -> str:
    seen: set[str] = set()
    for id in ids:
        if id in seen:
            return id
        seen.add(id)
    return ""


FORMAT = Format(
    name="adjudge",
    title="conversations of adjudge (`adjudge convert`)",
    kept="everything",
    recognises=recognise,
    read=by_row(read),
)
