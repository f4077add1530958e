"""LangChain and LangGraph messages: thread states, lists of messages, and serialised messages.

Shapes: a thread state `{values: {messages: [...]}, metadata, created_at}`; `{messages: [...]}`; a list of messages; a
list of states (a history, of which the longest is read). A message has `type` (human, ai, tool, system), `content`
(text or parts), `name`, `tool_calls: [{name, args, id}]`, `usage_metadata`; a tool message has `tool_call_id` and
`status`. Serialised forms: `{lc, type: "constructor", id: [..., "AIMessage"], kwargs}` and `{type, data: {...}}`.
Quirks: no time for a message; thoughts are under `additional_kwargs.reasoning_content`; empty AI messages occur and
stay as empty turns; system messages in the middle of a thread count as instructions.
Version: langchain-core 0.2 to 1.x.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from adjudge.convert.fields import ObjectFields, ReadingNotes
from adjudge.convert.format import FileRow, Format, PlacedConversation, place_id
from adjudge.convert.message import add_messages, unwrap
from adjudge.convert.transcript import ConversationBuilder
from adjudge.core.conversation import Conversation
from adjudge.core.errors import BadRecord

TYPES = frozenset(
    (
        *("human", "ai", "system", "tool", "function", "AIMessageChunk", "HumanMessage", "AIMessage", "ToolMessage"),
        *("SystemMessage", "HumanMessageChunk", "remove", "chat"),
    )
)
STATE = (
    "next",
    "tasks",
    "config",
    "interrupts",
    "checkpoint",
    "parent_checkpoint",
    "checkpoint_id",
    "parent_config",
    "parent_checkpoint_id",
)


def recognise(value: Any) -> bool:
    """Whether a row is a message of LangChain, or holds a list of them."""
    return is_message(value) or bool(_messages(value))


def is_message(value: Any) -> bool:
    """Whether a value is a message of LangChain, serialised or not."""
    if not isinstance(value, dict) or ("role" in value and not value.get("lc")):
        return False
    if value.get("lc"):
        name = value.get("id")
        return isinstance(value.get("kwargs"), dict) and isinstance(name, list) and "Message" in str(name[-1:])
    inner = unwrap(value)
    return str(value.get("type")) in TYPES and isinstance(inner, dict) and "content" in inner


def read(rows: Iterator[FileRow], notes: ReadingNotes) -> Iterator[PlacedConversation]:
    """The conversation of each row; messages that stand alone are one, and so are the states of one thread."""
    alone: list[FileRow] = []
    threads: dict[str, PlacedConversation] = {}
    for row in rows:
        if is_message(row.value):
            alone.append(row)
            continue
        try:
            conversation = _conversation(row.where, row.value, notes)
        except BadRecord as fault:
            notes.complain(fault.complaint)
            continue
        known = threads.get(conversation.id)
        if known is None or len(known.conversation.turns) < len(conversation.turns):
            threads[conversation.id] = PlacedConversation(row.where, conversation)
        if known is not None:
            notes.remark(row.where, "several states of one thread: the longest is read")
    yield from threads.values()
    if alone:
        try:
            messages = [row.value for row in alone]
            yield PlacedConversation(alone[0].where, _conversation(alone[0].where, {"messages": messages}, notes))
        except BadRecord as fault:
            notes.complain(fault.complaint)


def _messages(value: Any) -> list[Any]:
    """The messages of a thread; none where there are none."""
    if not isinstance(value, dict):
        return []
    values = value.get("values")
    holder = values if isinstance(values, dict) else value
    messages = holder.get("messages")
    return messages if isinstance(messages, list) and any(is_message(message) for message in messages) else []


def _conversation(where: str, value: dict[str, Any], notes: ReadingNotes) -> Conversation:
    fields = ObjectFields(value, "a thread", where, notes)
    fields.leave("messages", *STATE, "created_at", "updated_at", "status", "values")
    channels = ObjectFields(value.get("values"), "a thread's values", where, notes)
    channels.leave("messages")
    channels.close()
    transcript = ConversationBuilder(where, notes)
    messages = [message for message in _messages(value) if not _is_removal(message)]
    metadata = fields.object("metadata")
    add_messages(transcript, messages)
    id = fields.text("thread_id") or metadata.text("thread_id") or place_id(where)
    arm = metadata.text("model_name")
    fields.close()
    return transcript.conversation(id, arm=arm)


def _is_removal(message: Any) -> bool:
    return isinstance(message, dict) and message.get("type") == "remove"


FORMAT = Format(
    name="langgraph",
    title="LangChain and LangGraph messages",
    kept="names, calls and results with ids and status, thoughts, tokens, the thread's id and model, system prompts",
    recognises=recognise,
    read=read,
)
