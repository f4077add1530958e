"""AutoGen and AG2: results of teams (`source`), chat histories of the older versions (`name`), and saved states.

Shapes: 0.4 and later: `{messages: [...], stop_reason}` (`TaskResult`), or its messages as a list; a message has
`source`, `type`, `content`, `models_usage`. 0.2 and AG2: `{chat_history: [{content, role, name}], summary, cost}`
(`ChatResult`), `{agent: [messages]}`. States: `agent_states.*.message_thread`.
Quirks: a request of calls and its results are lists in `content`; a `ToolCallSummaryMessage` repeats the results; a
`HandoffMessage` names its `target`; `UserInputRequestedEvent` is empty. In 0.2 roles are relative to the agent whose
history it is, and names may be missing: then the first speaker is the user. An agent that ran code answers
`exitcode: 0 (...)`.
Version: autogen-agentchat 0.4 to 0.7; pyautogen 0.2 and AG2. Console prints are refused: save the result as JSON.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from adjudge.convert.executors import executor_turn, is_execution, kind_of_name
from adjudge.convert.fields import ObjectFields, ReadingNotes, json_text, number_of
from adjudge.convert.format import FileRow, Format, PlacedConversation, place_id
from adjudge.convert.message import message_turns
from adjudge.convert.times import time_of, usage_of
from adjudge.convert.transcript import ConversationBuilder, with_time, with_usage
from adjudge.core.conversation import Conversation, Outcome
from adjudge.core.errors import BadRecord, bad_record
from adjudge.core.record import CallStatus, Turn
from adjudge.core.usage import Usage

PASSED_OVER = (
    "id",
    "metadata",
    "type",
    "request_id",
    "query_text",
    "context",
    "tool_calls",
    "results",
    "retry_attempt",
    "full_message_id",
    "thread_id",
)
RESULTS = ("ToolCallExecutionEvent", "FunctionExecutionResultMessage")
NAMELESS = ("FunctionExecutionResultMessage", "SystemMessage")
SUMMARY = "ToolCallSummaryMessage"
# A row with one of these is a list of chat messages, and not the histories of agents by name.
MESSAGES = ("messages", "conversation", "conversations", "dialogue", "chat", "transcript", "history", "chat_history")
SILENT = ("UserInputRequestedEvent", "ModelClientStreamingChunkEvent", "SelectSpeakerEvent")


def recognise(value: Any) -> bool:
    """Whether a row is a result, a chat history, a state, or a message with a source."""
    if not isinstance(value, dict):
        return False
    if is_sourced(value):
        return True
    return any(bool(messages) for messages in _lists(value))


def is_sourced(value: Any) -> bool:
    """Whether a value is a message of AutoGen 0.4."""
    if not isinstance(value, dict) or not isinstance(value.get("type"), str):
        return False
    return isinstance(value.get("source"), str) or ("role" not in value and value["type"] in NAMELESS)


def read(rows: Iterator[FileRow], notes: ReadingNotes) -> Iterator[PlacedConversation]:
    """The conversation of each row; messages that stand alone are one conversation."""
    alone: list[FileRow] = []
    for row in rows:
        if is_sourced(row.value):
            alone.append(row)
            continue
        try:
            histories = list(_lists(row.value))
            for number, messages in enumerate(histories):
                id = place_id(row.where) + (f".{number}" if len(histories) > 1 else "")
                yield PlacedConversation(row.where, _conversation(row.where, id, row.value, messages, notes))
        except BadRecord as fault:
            notes.complain(fault.complaint)
    if alone:
        where, messages = alone[0].where, [row.value for row in alone]
        try:
            yield PlacedConversation(where, _conversation(where, place_id(where), {}, messages, notes))
        except BadRecord as fault:
            notes.complain(fault.complaint)


def _lists(value: Mapping[str, Any]) -> Iterator[list[Any]]:
    """The lists of messages in a row."""
    messages = value.get("messages")
    if isinstance(messages, list) and any(is_sourced(message) for message in messages):
        yield messages
    if isinstance(value.get("chat_history"), list):
        yield value["chat_history"]
    states = value.get("agent_states")
    for state in states.values() if isinstance(states, dict) else ():
        inner = state.get("agent_state", state) if isinstance(state, dict) else {}
        thread = inner.get("message_thread") if isinstance(inner, dict) else None
        if isinstance(thread, list) and thread:
            yield thread
    if value and value.keys().isdisjoint(MESSAGES) and all(_is_history(history) for history in value.values()):
        yield from value.values()


def _is_history(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(item, dict) and "role" in item for item in value)


def _conversation(
    where: str, id: str, value: Mapping[str, Any], messages: list[Any], notes: ReadingNotes
) -> Conversation:
    transcript = ConversationBuilder(where, notes)
    fields = ObjectFields(dict(value), "a result", where, notes)
    fields.leave("messages", "chat_history", "agent_states", "type", "version", "human_input", "_class", "_cell")
    fields.leave("chat_id", "team_id", *(key for key in value if _is_history(value[key])))
    relative = not any(is_sourced(message) or "name" in message for message in messages if isinstance(message, dict))
    first_role = str(messages[0].get("role", "")) if messages and isinstance(messages[0], dict) else ""
    for place, message in enumerate(messages):
        if is_sourced(message):
            transcript.add(_sourced_turns(transcript, message), place)
        else:
            transcript.add(_named_turns(transcript, message, place, first_role if relative else ""), place)
    stop, summary = fields.text("stop_reason"), _text(transcript, fields.take("summary"))
    usage = _total(fields.mapping("cost"))
    goal = fields.text("task", "question")
    fields.close()
    ending = "; ".join(filter(None, (stop, f"summary: {summary}" if summary else "")))
    return transcript.conversation(id, goal=goal, outcome=Outcome(text=ending) if ending else None, usage=usage)


def _sourced_turns(transcript: ConversationBuilder, message: dict[str, Any]) -> list[Turn]:
    """The turns of a message of 0.4."""
    fields = ObjectFields(message, "a message", transcript.where, transcript.notes)
    fields.leave(*PASSED_OVER)
    source, kind, content = fields.text("source"), message["type"], fields.take("content", "thought")
    usage = usage_of(fields.take("models_usage"), transcript.where, transcript.notes)
    time = time_of(fields.take("created_at"), transcript.where, transcript.notes)
    target = fields.text("target")
    if kind == "SystemMessage":
        transcript.instruct(json_text(content or ""))
        return []
    turns = with_usage(_turns_of(transcript, source, kind, content, target), usage)
    fields.close()
    return list(with_time(turns, time))


def _turns_of(transcript: ConversationBuilder, source: str, kind: str, content: Any, target: str) -> list[Turn]:
    source = source or "unknown"
    speaker = transcript.participant(source, kind_of_name(source), "user" if kind_of_name(source) == "human" else "")
    if (kind in SILENT and not content) or (kind == SUMMARY and _repeats_results(transcript, content)):
        transcript.notes.remark(transcript.where, f"a {kind} repeats other messages, or is empty: left out")
        return []
    if isinstance(content, list) and kind in RESULTS:
        return [_result(transcript, item) for item in content]
    if isinstance(content, list) and content and all(isinstance(item, dict) and "name" in item for item in content):
        return [transcript.call(speaker, str(item["name"]), item.get("arguments"), _id(item)) for item in content]
    text = _text(transcript, content)
    if is_execution(text):
        return [executor_turn(transcript, source, text)]
    to = (transcript.participant(target, kind_of_name(target)),) if target else ()
    return [transcript.say(speaker, text, to=to, kind="thought" if kind == "ThoughtEvent" else "speech")]


def _repeats_results(transcript: ConversationBuilder, summary: Any) -> bool:
    """Whether a summary says the same as the results just before it."""
    results: list[str] = []
    for turn in reversed(transcript.turns):
        if turn.kind != "result":
            break
        results.insert(0, turn.text.strip())
    return bool(results) and isinstance(summary, str) and summary.strip() == "\n".join(results)


def _text(transcript: ConversationBuilder, content: Any) -> str:
    """The text of a content: text, parts of which some are images, or an object of a structured message."""
    if not isinstance(content, list):
        return "" if content is None else json_text(content)
    texts = []
    for part in content:
        if isinstance(part, dict) and isinstance(part.get("text"), str):
            part = part["text"]
        if not isinstance(part, str):
            transcript.notes.unread(transcript.where, "a part of a message that is not text, shown as [image]")
        texts.append(part if isinstance(part, str) else "[image]")
    return "\n".join(texts)


def _result(transcript: ConversationBuilder, item: Any) -> Turn:
    if not isinstance(item, dict):
        raise bad_record(transcript.where, f"expected the result of a call, found {item!r:.60}")
    error = item.get("is_error")
    status: CallStatus | None = None if error is None else "error" if error else "ok"
    return transcript.result(json_text(item.get("content", "")), str(item.get("name") or ""), _id(item), status)


def _id(item: Mapping[str, Any]) -> str:
    return str(item.get("call_id") or item.get("id") or "")


def _named_turns(transcript: ConversationBuilder, message: Any, place: int, first_role: str) -> list[Turn]:
    """The turns of a message of 0.2: by its name, or by its role relative to the first speaker."""
    if not isinstance(message, dict) or not isinstance(message.get("role"), str):
        raise bad_record(transcript.where, f"expected a message with a role, found {message!r:.60}", f"[{place}]")
    content, name = message.get("content"), message.get("name")
    if isinstance(content, str) and is_execution(content):
        return [executor_turn(transcript, name if isinstance(name, str) else "executor", content)]
    if isinstance(name, str) and message["role"] in ("user", "assistant"):
        role = "user" if kind_of_name(name) == "human" else "assistant"
        return message_turns(transcript, {**message, "role": role}, place)
    if first_role and message["role"] in ("user", "assistant"):
        transcript.notes.remark(transcript.where, "messages without names: the first speaker is taken as the user")
        role = "user" if message["role"] == first_role else "assistant"
        return message_turns(transcript, {**message, "role": role}, place)
    return message_turns(transcript, message, place)


def _total(cost: Mapping[str, Any]) -> Usage | None:
    """What a chat of 0.2 took: the sum over its models."""
    spent = cost.get("usage_including_cached_inference") or cost.get("usage_excluding_cached_inference")
    if not isinstance(spent, dict):
        return None
    models = [value for value in spent.values() if isinstance(value, dict)]
    tokens_in = sum(int(number_of(model.get("prompt_tokens")) or 0) for model in models)
    tokens_out = sum(int(number_of(model.get("completion_tokens")) or 0) for model in models)
    return Usage(len(models), tokens_in, tokens_out, number_of(spent.get("total_cost")))


FORMAT = Format(
    name="autogen",
    title="AutoGen and AG2",
    kept="sources, hand-overs, calls and results with ids, thoughts, tokens, times, cost, the reason of the end",
    recognises=recognise,
    read=read,
)
