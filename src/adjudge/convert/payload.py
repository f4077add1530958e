"""What goes into a model or comes out of it, as tracing tools log it: the messages in any of the usual envelopes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from adjudge.convert.fields import json_text, parse_loosely
from adjudge.convert.items import is_item
from adjudge.convert.message import unwrap

ROLES = ("system", "developer", "user", "assistant", "tool", "human", "ai", "function", "model")
# "system: You are helpful." at the beginning of a line: AutoGen's messages as text
ROLE_LINE = re.compile(r"^(system|user|assistant|tool): ", re.MULTILINE)
# The keys under which an envelope may hold messages, the first that is there counts.
LISTS = ("messages", "contents", "input", "input_messages", "new_message", "prompt", "history", "chat_history")
REPLIES = ("choices", "generations", "output", "message", "content", "candidates", "text", "answer", "result", "raw")
# How many envelopes may lie around the messages.
DEPTH = 8


def messages_of(value: Any, role: str) -> list[Any]:
    """The messages of a payload; what is no message becomes one of the role."""
    return list(_messages(parse_loosely(value), role, 0))


def _messages(value: Any, role: str, depth: int) -> Iterator[Any]:
    value = parse_loosely(value)
    if value in (None, "", [], {}) or depth > DEPTH:
        return
    if isinstance(value, str):
        yield from _text_messages(value, role)
    elif isinstance(value, list):
        for item in value:
            if _is_definition(item):
                continue
            yield from _messages(item, role, depth + 1)
    elif isinstance(value, dict):
        yield from _object_messages(value, role, depth)
    else:
        yield {"role": role, "content": json_text(value)}


def _object_messages(value: dict[str, Any], role: str, depth: int) -> Iterator[Any]:
    message = unwrap(value)
    if is_message(message):
        yield message
        return
    if "parts" in value and isinstance(value["parts"], list):
        yield {"role": value.get("role") or role, "parts": value["parts"]}
        return
    config = value.get("config")
    for holder in (value, config if isinstance(config, dict) else {}):
        for key in ("system", "system_instruction", "systemInstruction", "instructions"):
            if holder.get(key):
                yield {"role": "system", "content": _plain(holder[key])}
    keys = LISTS if role == "user" else (*REPLIES, *LISTS)
    for key in keys:
        if value.get(key):
            yield from _messages(value[key], role, depth + 1)
            return
    yield {"role": role, "content": json_text(value)}


def is_message(value: Any) -> bool:
    """Whether a value is a message with a role, or an item of a response."""
    if not isinstance(value, dict):
        return False
    role = value.get("role") or value.get("type")
    named = isinstance(role, str) and (role.lower() in ROLES or role.lower().endswith(("message", "messagechunk")))
    return is_item(value) or (
        named and not value.keys().isdisjoint(("content", "parts", "tool_calls", "contents", "function_call"))
    )


def _is_definition(item: Any) -> bool:
    """Whether an item is the definition of a tool, which Langfuse lists among the messages."""
    content = item.get("content") if isinstance(item, dict) and item.get("role") == "tool" else None
    return isinstance(content, dict) and content.get("type") == "function" and "function" in content


def _plain(value: Any) -> Any:
    value = parse_loosely(value)
    return value.get("parts") or value.get("text") or json_text(value) if isinstance(value, dict) else value


def _text_messages(text: str, role: str) -> Iterator[Any]:
    """One message, or several where every part of the text begins with a role."""
    starts = list(ROLE_LINE.finditer(text))
    if role != "user" or not starts or starts[0].start() != 0:
        yield {"role": role, "content": text}
        return
    ends = [match.start() for match in starts[1:]] + [len(text)]
    for match, end in zip(starts, ends, strict=True):
        yield {"role": match[1], "content": text[match.end() : end].rstrip("\n")}
