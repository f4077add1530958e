"""OpenAI chat messages: the chat completions API, fine-tuning files, and any list of messages.

Shapes: `{messages: [...], tools: [...]}` on each line or in a list; the messages of one conversation as a list or one a
line, those of several conversations with a `conversation_id`, `thread_id` or the like; `{messages}` of a request beside
the `choices` of its response. A message has `role`, `content` (text, parts or null), `name`, `tool_calls` (arguments
are JSON text), `refusal`; a tool answers with `tool_call_id`.
Quirks: an assistant that calls may lack `content`; ids of calls may repeat; `function_call` is the older form; lines
may be wrapped as `{file, body}`, `{request, response}` or `{custom_id, response: {body}}` (batches). A request and the
response on the next line are one conversation. Messages of the Assistants API (`thread.message`) come newest first.
ShareGPT's `{from, value}` is read, too. Where names show that roles are relative, as in group chats of AG2 whose
members all have the role user, names decide who is an agent.
Version: chat completions as of 2025.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from adjudge.convert.executors import by_name
from adjudge.convert.fields import ObjectFields, ReadingNotes, json_text, number_of
from adjudge.convert.format import FileRow, Format, PlacedConversation, place_id
from adjudge.convert.items import is_item
from adjudge.convert.message import add_messages
from adjudge.convert.times import usage_of
from adjudge.convert.transcript import ConversationBuilder
from adjudge.core.conversation import Conversation, Outcome
from adjudge.core.errors import BadRecord

MESSAGES = ("messages", "conversation", "conversations", "dialogue", "chat", "transcript", "history")
THREADS = ("conversation_id", "dialogue_id", "thread_id", "session_id", "chat_id")
IDS = ("id", *THREADS, "custom_id")
SHARED_ROLES = {"gpt": "assistant", "human": "user", "chatgpt": "assistant", "observation": "tool"}
PASSED_OVER = (
    *("model", "temperature", "top_p", "max_tokens", "max_completion_tokens", "stream", "stream_options", "n", "stop"),
    *(
        "seed",
        "user",
        "store",
        "object",
        "created",
        "parallel_tool_calls",
        "tool_choice",
        "response_format",
        "logprobs",
    ),
    *(
        "service_tier",
        "system_fingerprint",
        "presence_penalty",
        "frequency_penalty",
        "reasoning_effort",
        "modalities",
        "has_more",
        "first_id",
        "last_id",
        "metadata",
    ),
)


def recognise(value: Any) -> bool:
    """Whether a row is a message, or has a list of messages with roles."""
    if is_message(value):
        return True
    value = _unwrap(value)
    if not isinstance(value, dict):
        return False
    return (
        any(_has_roles(value.get(key)) for key in (*MESSAGES, "data"))
        or value.get("messages") == []
        or is_response(value)
    )


def is_message(value: Any) -> bool:
    """Whether a value is one message that stands alone."""
    if not isinstance(value, dict) or not isinstance(value.get("role"), str):
        return False
    return not value.keys().isdisjoint(("content", "tool_calls", "function_call", "refusal", "parts"))


def is_response(value: dict[str, Any]) -> bool:
    """Whether a value is a response with choices."""
    choices = value.get("choices")
    return isinstance(choices, list) and any(isinstance(item, dict) and "message" in item for item in choices)


def read(rows: Iterator[FileRow], notes: ReadingNotes) -> Iterator[PlacedConversation]:
    """The conversation of each row; messages that stand alone are one conversation, or one for each id they name."""
    alone: list[FileRow] = []
    request: FileRow | None = None
    for row in rows:
        if is_message(row.value) or is_item(row.value):
            alone.append(row)
            continue
        value = _unwrap(row.value)
        is_reply = is_response(value) and not any(value.get(key) for key in MESSAGES)
        if is_reply and request is not None:
            request = FileRow(request.where, {**value, **request.value, "choices": value["choices"]})
            value = {}
        if request is not None:
            yield from _place(request.where, _conversations(request.where, request.value, notes), notes)
        request = FileRow(row.where, value) if value else None
    if request is not None:
        yield from _place(request.where, _conversations(request.where, request.value, notes), notes)
    for id, messages in _by_thread(alone).items():
        chat = {"id": id, "messages": [row.value for row in messages]}
        yield from _place(messages[0].where, _conversations(messages[0].where, chat, notes), notes)


def _by_thread(messages: Iterable[FileRow]) -> dict[str, list[FileRow]]:
    """Messages that stand alone by the conversation they name, in the order in which conversations begin."""
    threads: dict[str, list[FileRow]] = {}
    for row in messages:
        name = next((name for name in THREADS if row.value.get(name)), "")
        rest = {key: value for key, value in row.value.items() if key != name}
        threads.setdefault(str(row.value.get(name, "")), []).append(FileRow(row.where, rest))
    return threads


def _place(where: str, conversations: Iterable[Conversation], notes: ReadingNotes) -> Iterator[PlacedConversation]:
    try:
        yield from [PlacedConversation(where, conversation) for conversation in conversations]
    except BadRecord as fault:
        notes.complain(fault.complaint)


def _conversations(where: str, value: dict[str, Any], notes: ReadingNotes) -> Iterator[Conversation]:
    fields = ObjectFields(value, "a chat", where, notes)
    fields.leave(*PASSED_OVER, "usage")
    transcript = ConversationBuilder(where, notes)
    messages = [_plain_message(message) for message in _in_order(fields.items(*MESSAGES, "data"))]
    replies = [reply for choice in fields.objects("choices") if (reply := choice.get("message")) is not None]
    for _ in replies[1:]:
        notes.unread(where, "another choice of a response")
    add_messages(transcript, [*by_name(messages), *replies[:1]])
    transcript.instruct(json_text(fields.take("system") or ""))
    id = fields.text(*IDS) or place_id(where)
    goal, arm, case = fields.text("goal", "task"), fields.text("arm"), fields.text("case")
    tools = tuple(filter(None, (_tool_name(tool) for tool in fields.objects("tools", "functions"))))
    outcome = _outcome(fields)
    fields.close()
    yield transcript.conversation(
        id,
        case=case,
        arm=arm,
        goal=goal,
        tools=tools,
        outcome=outcome,
        usage=usage_of(value.get("usage"), where, notes),
    )


def _plain_message(message: Any) -> Any:
    """A message with a role, also where it is written as ShareGPT does."""
    if isinstance(message, dict) and "role" not in message and isinstance(message.get("from"), str):
        rest = {key: value for key, value in message.items() if key not in ("from", "value")}
        return {"role": SHARED_ROLES.get(message["from"], message["from"]), "content": message.get("value"), **rest}
    return message


def _in_order(messages: Sequence[Any]) -> Sequence[Any]:
    """Messages from the oldest to the newest; the Assistants API lists the newest first."""
    is_thread = all(isinstance(item, dict) and item.get("object") == "thread.message" for item in messages)
    if messages and is_thread:
        return sorted(messages, key=lambda item: number_of(item.get("created_at")) or 0.0)
    return messages


def _outcome(fields: ObjectFields) -> Outcome | None:
    """The outcome that a row states beside its messages, as a reward or a success."""
    score, reached = fields.number("reward", "score"), fields.flag("success", "is_correct", "solved")
    if score is None and reached is None:
        return None
    return Outcome(reached, {} if score is None else {"score": score})


def _tool_name(tool: dict[str, Any]) -> str:
    inner = tool.get("function") if isinstance(tool.get("function"), dict) else tool
    name = inner.get("name") if isinstance(inner, dict) else None
    return name if isinstance(name, str) else ""


def _unwrap(value: Any) -> Any:
    """A row without the envelope in which a log of requests puts it; a list of messages gets one."""
    if isinstance(value, list) and _has_roles(value):
        return {"messages": value}
    if not isinstance(value, dict):
        return value
    request, response = value.get("request"), value.get("response")
    if isinstance(request, dict) and isinstance(request.get("messages"), list):
        choices = response.get("choices") if isinstance(response, dict) else None
        rest = {key: item for key, item in value.items() if key not in ("request", "response")}
        return {**request, **rest, "choices": choices or []}
    inner = response.get("body") if isinstance(response, dict) else None
    if isinstance(inner, dict) and "custom_id" in value:
        return {"id": value["custom_id"], **{key: item for key, item in inner.items() if key != "id"}}
    body = value.get("body")
    if isinstance(body, dict):
        return {"id": value.get("file") or value.get("custom_id"), **body}
    return value


def _has_roles(messages: Any) -> bool:
    return isinstance(messages, list) and any(
        isinstance(item, dict) and ("role" in item or {"from", "value"} <= item.keys()) for item in messages
    )


FORMAT = Format(
    name="openai",
    title="OpenAI chat messages",
    kept="names, calls and results with ids, refusals, thoughts, tokens, the tools offered, system prompts",
    recognises=recognise,
    read=read,
    continues=lambda value: is_message(value) or is_item(value),
)
