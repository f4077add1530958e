"""Microsoft Agent Framework: messages with `author_name` and `contents`, of Python and of .NET.

Shapes: a list of messages; `{messages: [...]}` of a response (`AgentResponse`, with `usage_details`); a saved session
or thread, with the messages under `messages` somewhere inside. A message is `{role, contents, author_name, message_id}`
in Python and `{role, contents, authorName, messageId}` in .NET, where the kind of a content is under `$type`.
Contents: text, text_reasoning, function_call (`call_id`, `name`, `arguments`), function_result (`call_id`, `result`,
`exception`), usage, error, data, uri.
Quirks: in older versions the role is an object `{type: "role", value: "assistant"}`; the counts of tokens are a
content; results are messages of the role tool without a name.
Version: agent-framework 1.x (Python), Microsoft.Agents.AI (.NET).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from adjudge.convert.fields import ObjectFields, ReadingNotes
from adjudge.convert.format import FileRow, Format, PlacedConversation, place_id
from adjudge.convert.message import message_turns
from adjudge.convert.times import time_of, usage_of
from adjudge.convert.transcript import ConversationBuilder, with_time, with_usage
from adjudge.core.conversation import Conversation
from adjudge.core.errors import BadRecord, bad_record
from adjudge.core.record import Turn

# How deep the messages of a saved session may lie.
DEPTH = 6


def recognise(value: Any) -> bool:
    """Whether a row is a message with contents, or holds a list of them."""
    return is_message(value) or bool(_messages(value))


def is_message(value: Any) -> bool:
    """Whether a value is a message of the framework: contents, and a role or an author."""
    return isinstance(value, dict) and isinstance(value.get("contents"), list) and "role" in value


def read(rows: Iterator[FileRow], notes: ReadingNotes) -> Iterator[PlacedConversation]:
    """The conversation of each row; messages that stand alone are one conversation."""
    alone: list[FileRow] = []
    for row in rows:
        if is_message(row.value):
            alone.append(row)
        else:
            yield from _placed_conversation(row.where, row.value, _messages(row.value), notes)
    if alone:
        yield from _placed_conversation(alone[0].where, {}, [row.value for row in alone], notes)


def _placed_conversation(
    where: str, value: Any, messages: list[Any], notes: ReadingNotes
) -> Iterator[PlacedConversation]:
    try:
        yield PlacedConversation(where, _conversation(where, value, messages, notes))
    except BadRecord as fault:
        notes.complain(fault.complaint)


def _conversation(where: str, value: dict[str, Any], messages: list[Any], notes: ReadingNotes) -> Conversation:
    transcript = ConversationBuilder(where, notes)
    for place, message in enumerate(messages):
        if not isinstance(message, dict):
            raise bad_record(where, f"expected a message with contents, found {message!r:.60}", f"messages[{place}]")
        transcript.add(_turns(transcript, message, place), place)
    fields = ObjectFields(value, "a response", where, notes)
    usage = usage_of(fields.take("usage_details", "usage"), where, notes)
    id = fields.text("conversation_id", "service_thread_id", "session_id", "id") or place_id(where)
    said_by_turn = any(turn.usage for turn in transcript.turns)
    return transcript.conversation(id, usage=None if said_by_turn else usage)


def _turns(transcript: ConversationBuilder, message: dict[str, Any], place: int) -> list[Turn]:
    """The turns of a message, with the tokens that one of its contents may state."""
    where, notes = transcript.where, transcript.notes
    contents = [part for part in message.get("contents") or [] if part is not None]
    counts = [part for part in contents if isinstance(part, dict) and _kind(part) == "usage"]
    rest = {**message, "contents": [part for part in contents if part not in counts]}
    time = time_of(rest.pop("createdAt", None), where, notes)
    if counts and not rest["contents"]:
        return []
    turns = message_turns(transcript, rest, place)
    details = counts[0].get("usage_details") or counts[0].get("details") if counts else None
    return list(with_time(with_usage(turns, usage_of(_snake(details), where, notes)), time))


def _kind(part: dict[str, Any]) -> Any:
    return part.get("type") or part.get("$type")


def _snake(details: Any) -> Any:
    """Counts of tokens under the names of Python, also where .NET wrote them."""
    if not isinstance(details, dict):
        return details
    names = {"inputTokenCount": "input_token_count", "outputTokenCount": "output_token_count"}
    return {names.get(key, key): value for key, value in details.items()}


def _messages(value: Any, depth: int = 0) -> list[Any]:
    """The messages of a response or a saved session, wherever they lie; none where there are none."""
    if not isinstance(value, dict) or depth > DEPTH:
        return []
    messages = value.get("messages")
    if isinstance(messages, list) and any(is_message(message) for message in messages):
        return messages
    return next((inner for item in value.values() if (inner := _messages(item, depth + 1))), [])


FORMAT = Format(
    name="agent-framework",
    title="Microsoft Agent Framework",
    kept="author names, calls and results with ids, thoughts, tokens, times",
    recognises=recognise,
    read=read,
)
