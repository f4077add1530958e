"""What an agent says as chat messages: one of the assistant, or all messages of its turn with the tools it used."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from adjudge.core.play import Decision, Said
from adjudge.core.record import Call

ROLES = ("assistant", "tool")


def said_of_messages(result: object) -> Said[Any] | None:
    """What the messages say, with a decision for each call of a tool; None for what are no messages.

    >>> call = {"id": "1", "function": {"name": "search", "arguments": '{"town": "Ely"}'}}
    >>> turn = [
    ...     {"role": "assistant", "tool_calls": [call]},
    ...     {"role": "tool", "tool_call_id": "1", "content": "2 hotels"},
    ...     {"role": "assistant", "content": "There are two."},
    ... ]
    >>> spoken = said_of_messages(turn)
    >>> spoken.text, spoken.decisions[0].call.arguments, spoken.decisions[0].text
    ('There are two.', {'town': 'Ely'}, '2 hotels')
    """
    messages = [result] if isinstance(result, Mapping) else result
    if not isinstance(messages, Sequence) or isinstance(messages, str | bytes) or not messages:
        return None
    if not all(isinstance(message, Mapping) and message.get("role") in ROLES for message in messages):
        return None
    results = {str(message.get("tool_call_id")): _text(message) for message in messages if message["role"] == "tool"}
    calls = [
        call
        for message in messages
        for entry in message.get("tool_calls") or ()
        if isinstance(entry, Mapping) and (call := _call(entry)) is not None
    ]
    texts = [_text(message) for message in messages if message["role"] == "assistant"]
    decisions = tuple(Decision(call.name, results.get(call.id, ""), call=call) for call in calls)
    return Said("\n".join(filter(None, texts)), decisions=decisions)


def _call(entry: Mapping[str, Any]) -> Call | None:
    """A call in the shape of OpenAI, its arguments as values where they are JSON."""
    function = entry.get("function", entry)
    if not isinstance(function, Mapping) or not isinstance(function.get("name"), str):
        return None
    arguments = function.get("arguments") or {}
    if isinstance(arguments, str):
        try:
            decoded = msgspec.json.decode(arguments)
        except msgspec.DecodeError:
            decoded = arguments
        arguments = decoded if isinstance(decoded, dict) else arguments
    return Call(function["name"], arguments, id=str(entry.get("id") or ""))


def _text(message: Mapping[str, Any]) -> str:
    """The text of a message, or of its parts."""
    content = message.get("content") or ""
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, Sequence) else ()
    return "\n".join(str(part.get("text", "")) for part in parts if isinstance(part, Mapping))
