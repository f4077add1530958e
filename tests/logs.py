"""Small logs that tests write, and what is read from them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from adjudge.core.conversation import Conversation
from adjudge.core.record import Turn
from mutation import Outcome, read_file


def read_log(folder: Path, content: Any, name: str = "log.json") -> Outcome:
    """What is read of a log: JSON for objects and lists, text as it is."""
    path = folder / name
    path.write_text(content if isinstance(content, str) else json.dumps(content), "utf-8")
    return read_file(path)


def only(outcome: Outcome) -> Conversation:
    """The one conversation of a log without complaints."""
    assert not outcome.complaints, outcome.complaints
    assert len(outcome.conversations) == 1, outcome.conversations
    return outcome.conversations[0]


def lines(conversation: Conversation) -> list[tuple[str, str, str]]:
    """Each turn as its kind, its speaker, and its text or the tool that it calls."""
    return [(turn.kind, turn.speaker, turn.text or call_name(turn)) for turn in conversation.turns]


def call_name(turn: Turn) -> str:
    return turn.call.name if turn.call else ""


def kinds(conversation: Conversation) -> dict[str, str]:
    """What each participant is."""
    return {participant.id: participant.kind for participant in conversation.participants}


def jsonl(*rows: Any) -> str:
    return "\n".join(json.dumps(row) for row in rows)
