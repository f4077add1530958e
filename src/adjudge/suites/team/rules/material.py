"""Conversations as a judge sees them: JSON with numbered turns, without outcome and annotations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from adjudge.core.conversation import Conversation
from adjudge.core.errors import Unanswered
from adjudge.core.record import Turn


def answer_of(name: str, fields: Mapping[str, Any]) -> Any:
    """A type with exactly these fields in this order; an answer that does not fit it is asked for again."""
    return msgspec.defstruct(name, list(fields.items()), frozen=True, forbid_unknown_fields=True, module=__name__)


def material(conversation: Conversation, end: int | None = None, **more: object) -> str:
    """The goal and the turns up to a place (None: all), with whatever else is asked about."""
    shown = {"goal": conversation.goal or None, **more, "turns": transcript(conversation.turns[:end])}
    return msgspec.json.encode(shown).decode()


def transcript(turns: Sequence[Turn]) -> list[dict[str, object]]:
    """Turns with their numbers from 1."""
    return [{"turn": number, **_fields_of(turn)} for number, turn in enumerate(turns, 1)]


def turn_at(conversation: Conversation, number: int) -> Turn | None:
    """The turn that a judge names by its number; None for 0, which names none; raises Unanswered for another number."""
    if number == 0:
        return None
    if not 0 < number <= len(conversation.turns):
        raise Unanswered("parse_error", f"the judge names turn {number}; there are {len(conversation.turns)}")
    return conversation.turns[number - 1]


def _fields_of(turn: Turn) -> dict[str, object]:
    call = turn.call
    parts: dict[str, object] = {
        "speaker": turn.speaker,
        "to": turn.to,
        "kind": turn.kind if turn.kind != "speech" else "",
        "tool": call.name if call else "",
        "arguments": call.arguments if call and turn.kind == "call" else "",
        "status": (call.status or "") if call else "",
        "text": turn.text,
    }
    return {name: value for name, value in parts.items() if value or name == "text"}
