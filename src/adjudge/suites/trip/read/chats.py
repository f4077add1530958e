"""Group chats without intents: tables of messages, and chat messages as OpenAI's API has them.

A chat becomes a sheet, as a dialogue table does: a row for each message, and what is said of the whole chat in the
first row. Everything else is read as in dialogue tables.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec

from adjudge.core.errors import Warnings, bad_record
from adjudge.read.chat import ASSISTANTS, INSTRUCTIONS, TOOLS
from adjudge.suites.trip.data import Trip
from adjudge.suites.trip.read.conditions import stem_of
from adjudge.suites.trip.read.dialogue_csv import trip_of
from adjudge.suites.trip.read.facts import NOTHING, first, text_of
from adjudge.suites.trip.read.sheets import Line, Sheet
from adjudge.suites.trip.rules.dialogue import SYSTEM

MESSAGES = ("messages", "conversation", "chat", "transcript")
# What the columns of a chat are called, and our names for them.
COLUMNS = {
    "speaker": ("speaker", "sender", "author", "from", "member", "participant", "username", "user", "name"),
    "utterance": ("utterance", "message", "text", "content", "body"),
    "time": ("time", "timestamp", "datetime", "date", "sent_at", "created_at"),
    "dialogue_id": ("dialogue_id", "conversation_id", "chat_id", "thread_id", "group_id"),
}
# "Ann: I'd like Thai food" in a message whose sender has no name.
NAME_BEFORE = re.compile(r"\s*(?P<name>[A-Z][\w.'-]{0,30}(?: [A-Z][\w.'-]{0,30})?):\s+(?P<text>\S.*)", re.DOTALL)
USER = "user"
OBJECT = msgspec.json.Decoder(dict[str, Any])


def chat_columns(header: str, delimiter: str) -> dict[str, str]:
    """The columns of a table of messages by our names; empty if its header is that of a dialogue with intents.

    >>> chat_columns("time,sender,Message", ",")
    {'sender': 'speaker', 'Message': 'utterance', 'time': 'time'}
    """
    names = {name.strip().lower(): name for name in next(csv.reader([header], delimiter=delimiter), [])}
    if any(name.startswith("intent") for name in names):
        return {}
    columns = {
        names[alias]: ours
        for ours, aliases in COLUMNS.items()
        if (alias := next((alias for alias in aliases if alias in names), ""))
    }
    return columns if {"speaker", "utterance"} <= set(columns.values()) else {}


def gather_chats(given: Iterable[tuple[str, bytes]]) -> Iterator[tuple[str, bytes]]:
    """The rows of files; messages that stand alone in a file, one after the other, are gathered into one row."""
    key, chatting = ("", ""), False
    messages: list[tuple[str, bytes]] = []
    for where, row in given:
        file = where.rpartition(":")[0]
        if file != key[0]:
            chatting = _is_message(row)
        if not chatting:
            key = (file, "")
            yield where, row
            continue
        if (file, _chat_id(row)) != key:
            yield from _chat(messages, key[1])
            messages, key = [], (file, _chat_id(row))
        messages.append((where, row))
    yield from _chat(messages, key[1])


def _chat(messages: list[tuple[str, bytes]], id: str) -> Iterator[tuple[str, bytes]]:
    if messages:
        listed = b",".join(row for _, row in messages)
        yield messages[0][0], b'{"dialogue_id":%s,"messages":[%s]}' % (msgspec.json.encode(id), listed)


def _chat_id(row: bytes) -> str:
    """The chat that a message names; empty if it names none, or cannot be read, which is reported later."""
    try:
        return text_of(first(OBJECT.decode(row), *COLUMNS["dialogue_id"]))
    except msgspec.DecodeError:
        return ""


def _is_message(row: bytes) -> bool:
    """Whether a row is one message of a chat: somebody says something, and there is no id of a record."""
    try:
        keys = OBJECT.decode(row).keys()
    except msgspec.DecodeError:
        return False
    sent = keys & {"role", *COLUMNS["speaker"]}
    return bool(sent and keys & {*COLUMNS["utterance"], "tool_calls"}) and keys.isdisjoint(
        ("turns", "plan", "messages")
    )


def read_chat(where: str, chat: Mapping[str, Any], warnings: Warnings) -> Trip:
    """The trip of a chat: its messages, and beside them whatever a dialogue table may say of the whole dialogue."""
    key = next(key for key in MESSAGES if isinstance(chat.get(key), list))
    file, _, number = where.rpartition(":")
    rows = list(_message_rows(where, chat[key], warnings))
    if not rows:
        raise bad_record(where, "no message that somebody of the group or the assistant sent", key)
    about = {name: _cell(value) for name, value in chat.items() if name != key and value not in NOTHING}
    if "ref" in about:
        about["reference_information"] = about.pop("ref")
    name = text_of(first(chat, "id", "dialogue_id", "conversation_id", "chat_id"))
    about["dialogue_id"] = name or (stem_of(file) if number == "1" else f"{stem_of(file)}-{number}")
    rows[0] = {**about, **rows[0]}
    return trip_of(where, Sheet(tuple(Line(int(number), row) for row in rows)), warnings, lenient=False)


def _cell(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _message_rows(where: str, messages: list[Any], warnings: Warnings) -> Iterator[dict[str, str]]:
    """The rows of messages; instructions to the model are left out with a remark."""
    for place, message in enumerate(messages):
        at = f"{where}: messages[{place}]"
        if not isinstance(message, dict):
            raise bad_record(where, f"found {str(message)[:30]!r}; expected an object", f"messages[{place}]")
        role = text_of(message.get("role")).lower()
        if role in INSTRUCTIONS:
            warnings.add("instructions", f"{at}: instructions to the model ({role}); left out")
        elif role in TOOLS:
            yield {"speaker": SYSTEM, "utterance": _message_text(at, message, warnings), "kind": "result"}
        else:
            yield from _speech_rows(at, message, role, warnings)


def _speech_rows(at: str, message: Mapping[str, Any], role: str, warnings: Warnings) -> Iterator[dict[str, str]]:
    """The rows of a message: what is said, and the calls of tools in it."""
    text = _message_text(at, message, warnings)
    time = {"time": text_of(when)} if (when := first(message, *COLUMNS["time"])) else {}
    if text:
        speaker, words = _sender(message, role, text)
        yield {"speaker": speaker, "utterance": words, **time}
    for call in message.get("tool_calls") or ():
        function = call.get("function", call) if isinstance(call, dict) else {}
        name = text_of(function.get("name"))
        yield {"speaker": SYSTEM, "utterance": f"{name} {text_of(function.get('arguments'))}".strip(), "kind": "call"}


def _sender(message: Mapping[str, Any], role: str, text: str) -> tuple[str, str]:
    """Who sent a message, and what it says without the name before it."""
    name = text_of(first(message, *COLUMNS["speaker"]))
    if role in ASSISTANTS:
        return SYSTEM, text
    if not name and (named := NAME_BEFORE.fullmatch(text)):
        return named["name"], named["text"]
    return name or role or USER, text


def _message_text(at: str, message: Mapping[str, Any], warnings: Warnings) -> str:
    """The text of a message, whose content may have several parts; parts that are no text are left out."""
    content = first(message, *COLUMNS["utterance"])
    if not isinstance(content, list):
        return text_of(content)
    texts = [text_of(part.get("text")) if isinstance(part, dict) else text_of(part) for part in content]
    if other := sum(not text for text in texts):
        warnings.add("parts", f"{at}: {other} parts that are no text; left out")
    return "\n".join(filter(None, texts))
