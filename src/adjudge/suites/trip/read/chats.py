"""Group chats without intents: tables of messages, and chat messages in the dialects of model interfaces.

A chat becomes the same rows as a dialogue table: one for each message, with facts about the whole chat in the first.
Everything else is read as in dialogue tables.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from adjudge.convert.chat import gather_messages, read_messages
from adjudge.convert.chat_table import columns_of
from adjudge.convert.roles import TYPES as ROLES
from adjudge.core.errors import Warnings, bad_record
from adjudge.core.record import Call, Turn
from adjudge.suites.trip.data import Trip
from adjudge.suites.trip.read.conditions import stem_of
from adjudge.suites.trip.read.dialogue_csv import trip_of
from adjudge.suites.trip.read.facts import NOTHING, first, text_of
from adjudge.suites.trip.read.sheets import DialogueSheet, SheetRow
from adjudge.suites.trip.rules.dialogue import SYSTEM

MESSAGES = ("messages", "conversation", "chat", "transcript")
# The columns of a table of messages, and what they are called in dialogue tables.
OURS = {"speaker": "speaker", "text": "utterance", "time": "time", "thread": "dialogue_id"}
# "Ann: I'd like Thai food" in a message whose sender has no name.
NAME_BEFORE = re.compile(r"\s*(?P<name>[A-Z][\w.'-]{0,30}(?: [A-Z][\w.'-]{0,30})?):\s+(?P<text>\S.*)", re.DOTALL)
# The sender of a message that names nobody.
USER = "user"


def chat_columns(header: str, delimiter: str) -> dict[str, str]:
    """The columns of a table of messages by our names; empty if its header is that of a dialogue with intents.

    >>> chat_columns("time,sender,Message", ",")
    {'sender': 'speaker', 'Message': 'utterance', 'time': 'time'}
    """
    names = [name.strip() for name in next(csv.reader([header], delimiter=delimiter), [])]
    if any(name.lower().startswith("intent") for name in names):
        return {}
    return {name: OURS[key] for key, name in columns_of(names).items() if key in OURS}


def gather_chats(rows: Iterable[tuple[str, bytes]]) -> Iterator[tuple[str, bytes]]:
    """The rows of files; messages that stand alone in a file are gathered into one row for each chat."""
    return gather_messages(rows, is_message, _chat_id)


def is_message(row: Mapping[str, Any]) -> bool:
    """Whether a row is one message of a chat: somebody says or calls something, and it is no record."""
    is_sent = bool(columns_of(row)) or row.keys() >= {"role", "tool_calls"}
    return is_sent and row.keys().isdisjoint(("turns", "plan", "messages"))


def _chat_id(message: Mapping[str, Any]) -> str:
    """The chat that a message names; empty if it names none."""
    column = columns_of(message).get("thread")
    return text_of(message[column]) if column else ""


def read_chat(where: str, chat: Mapping[str, Any], warnings: Warnings) -> Trip:
    """The trip of a chat: its messages, and the same facts about the dialogue as in a dialogue table."""
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
    return trip_of(where, DialogueSheet(tuple(SheetRow(int(number), row) for row in rows)), warnings, lenient=False)


def _cell(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _message_rows(where: str, messages: list[Any], warnings: Warnings) -> Iterator[dict[str, str]]:
    """The rows of messages, as a dialogue table has them."""
    chat = read_messages(where, [_as_message(message) for message in messages], warnings)
    roles = {participant.id: participant.role for participant in chat.participants}
    for turn in chat.turns:
        message = messages[int(turn.id.partition(".")[0])]
        yield {**_turn_row(turn, roles[turn.speaker]), **_time_cell(message)}


def _as_message(message: Any) -> Any:
    """A message with its role, name and content under the names of OpenAI's API; a role of another word is a name."""
    if not isinstance(message, dict):
        return message
    columns = columns_of(message)
    role = text_of(message.get("role"))
    name = text_of(message[columns["speaker"]]) if columns else ""
    named = {} if name.lower() in ROLES else {"name": name or role}
    content = {"content": message[columns["text"]]} if columns else {}
    rest = {key: value for key, value in message.items() if key not in columns.values()}
    return {**rest, "role": role if role.lower() in ROLES else USER, **named, **content}


def _turn_row(turn: Turn, role: str) -> dict[str, str]:
    """What was said, or a call or result of a tool, which are the assistant's."""
    if turn.call and turn.kind == "call":
        return {"speaker": SYSTEM, "utterance": _call_text(turn.call), "kind": turn.kind}
    if turn.kind != "speech" or role == "assistant":
        return {"speaker": SYSTEM, "utterance": turn.text, "kind": turn.kind}
    if turn.speaker == USER and (named := NAME_BEFORE.fullmatch(turn.text)):
        return {"speaker": named["name"], "utterance": named["text"]}
    return {"speaker": turn.speaker, "utterance": turn.text}


def _call_text(call: Call) -> str:
    return f"{call.name} {_cell(call.arguments)}".strip()


def _time_cell(message: Mapping[str, Any]) -> dict[str, str]:
    """The cell of a message's time, if it has one."""
    column = columns_of(message).get("time")
    time = text_of(message[column]) if column else ""
    return {"time": time} if time else {}
