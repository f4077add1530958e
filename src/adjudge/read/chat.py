"""Chat messages as OpenAI's API has them, turned into participants and turns.

The shapes are those of the chat completions API: `content` is text, a list of parts, or null; an assistant may call
tools (`tool_calls`, formerly `function_call`) or refuse (`refusal`); a tool answers with its `tool_call_id`.
Instructions (the roles system and developer) are not part of the conversation. What is not read is said in a warning.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec
from msgspec import Struct, structs

from adjudge.core.errors import Warnings, bad_record
from adjudge.core.record import Call, Participant, ParticipantKind, Turn

INSTRUCTIONS = ("system", "developer")
ASSISTANTS = ("assistant", "model", "ai", "bot")
TOOLS = ("tool", "function")
KINDS: dict[str, ParticipantKind] = {"user": "human", "human": "human"}
# The parts of a content that hold text, with the key of the text.
TEXTS = {"text": "text", "input_text": "text", "output_text": "text", "refusal": "refusal"}
OBJECT = msgspec.json.Decoder(dict[str, Any])
THOUGHTS = ("reasoning_content", "reasoning")


class Chat(Struct, frozen=True):
    """A conversation; the role of a participant is that of its messages: user, assistant or tool."""

    participants: tuple[Participant, ...]
    turns: tuple[Turn, ...]


def read_messages(where: str, messages: Sequence[Any], warnings: Warnings) -> Chat:
    """The conversation of a list of messages; raises BadRecord for what is no message.

    Each text is a turn of its sender, under the sender's `name` if it has one. A call is a turn of the caller, and a
    result a turn of the tool, so that the output of a tool is never taken for a reply.
    """
    reader = _Reader(where, warnings)
    turns = [turn for place, message in enumerate(messages) for turn in reader.turns(place, message)]
    return Chat(tuple(reader.participants.values()), tuple(turns))


def gather_messages(rows: Iterable[tuple[str, bytes]]) -> Iterator[tuple[str, bytes]]:
    """The rows of files; where a file holds the messages of one conversation, they are gathered into one row."""
    gathered: dict[str, list[bytes]] = {}
    file, chatting = "", False
    for where, raw in rows:
        if file != (file := where.rpartition(":")[0]):
            chatting = _is_message(raw)
        if chatting:
            gathered.setdefault(f"{file}:1", []).append(raw)
        else:
            yield where, raw
    for where, messages in gathered.items():
        yield where, b'{"messages":[%s]}' % b",".join(messages)


def _is_message(raw: bytes) -> bool:
    """Whether a row is a message that stands alone, and not a conversation."""
    if b'"role"' not in raw:
        return False
    try:
        message = OBJECT.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return False
    return "role" in message and message.keys().isdisjoint(("id", "dialogue_id", "turns", "messages"))


class _Reader:
    """Reads messages in order, and keeps the participants and the tools that were called."""

    def __init__(self, where: str, warnings: Warnings) -> None:
        self.where = where
        self.warnings = warnings
        self.participants: dict[str, Participant] = {}
        self.called: dict[str, str] = {}

    def turns(self, place: int, message: Any) -> Iterator[Turn]:
        """The turns of a message: what it thinks, says and calls."""
        role = message.get("role") if isinstance(message, dict) else None
        if not isinstance(role, str) or not role.strip():
            raise bad_record(self.where, f"expected an object with a role, found {message!r:.60}", f"messages[{place}]")
        role = role.strip().lower()
        if role in INSTRUCTIONS:
            self.warn("instructions", "instructions (system, developer) are no part of the conversation: left out")
            return
        turns = list(self.results(message) if role in TOOLS else self.statements(role, message))
        if not turns:
            self.warn("empty message", f"messages[{place}]: a message without text, calls or results: left out")
        for number, turn in enumerate(turns):
            yield structs.replace(turn, id=f"{place}.{number}" if number else str(place))

    def statements(self, role: str, message: dict[str, Any]) -> Iterator[Turn]:
        """What a user or an assistant thinks, says and calls; the ids are given later."""
        if role not in KINDS and role not in ASSISTANTS:
            self.warn("role", f"the role {role!r} is none of user, assistant, tool, system: taken as another agent")
        speaker = self.participant(str(message.get("name") or role), "assistant" if role in ASSISTANTS else role)
        for key in THOUGHTS:
            if isinstance(message.get(key), str) and message[key].strip():
                yield Turn("", speaker, message[key], kind="thought")
        texts = [self.text(message.get("content")), self.text(message.get("refusal"))]
        if any(texts):
            yield Turn("", speaker, "\n".join(filter(None, texts)))
        for call in (*_objects(message.get("tool_calls")), *_objects(message.get("function_call"))):
            function = call.get("function") or call.get("custom") or call
            name = str(function.get("name") or "tool")
            self.called[str(call.get("id"))] = name
            yield Turn("", speaker, kind="call", call=Call(name, _arguments(function)))

    def results(self, message: dict[str, Any]) -> Iterator[Turn]:
        """What a tool answered, under the name of the tool."""
        name = str(message.get("name") or self.called.get(str(message.get("tool_call_id"))) or "tool")
        yield Turn(
            "", self.participant(name, "tool"), self.text(message.get("content")), kind="result", call=Call(name)
        )

    def participant(self, name: str, role: str) -> str:
        """The id of a participant, who is listed when it first speaks."""
        kind: ParticipantKind = "tool" if role == "tool" else KINDS.get(role, "agent")
        self.participants.setdefault(name, Participant(name, role, kind))
        return name

    def text(self, content: Any) -> str:
        """The text of a content; a part that is no text is named in brackets."""
        if isinstance(content, str):
            return content
        return "\n".join(self.part_text(part) for part in _objects(content))

    def part_text(self, part: dict[str, Any]) -> str:
        """The text of a part of a content."""
        kind = str(part.get("type") or "text")
        if kind in TEXTS and isinstance(part.get(TEXTS[kind]), str):
            return str(part[TEXTS[kind]])
        self.warn("part", f"a part of the kind {kind!r} is no text: shown as [{kind}]")
        return f"[{kind}]"

    def warn(self, kind: str, what: str) -> None:
        """Warn of what is not read."""
        self.warnings.add(f"chat {kind}", f"{self.where}: {what}")


def _objects(value: Any) -> list[dict[str, Any]]:
    """The objects of a list, or of a single object; text among parts is a part."""
    values = value if isinstance(value, list) else [value]
    parts = [{"type": "text", "text": item} if isinstance(item, str) else item for item in values]
    return [item for item in parts if isinstance(item, dict)]


def _arguments(function: dict[str, Any]) -> dict[str, Any] | str:
    """The arguments of a call: an object where they are one or the JSON of one, else text."""
    given = function.get("arguments", function.get("input", ""))
    if isinstance(given, dict):
        return given
    try:
        values = json.loads(given)
    except (TypeError, ValueError, RecursionError):
        return str(given)
    return values if isinstance(values, dict) else str(given)
