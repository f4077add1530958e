"""Chats in the records of a suite: messages in any dialect of `message` as participants and turns."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from adjudge.convert.fields import ReadingNotes
from adjudge.convert.message import message_turns
from adjudge.convert.transcript import ConversationBuilder
from adjudge.core.errors import Warnings
from adjudge.core.record import Participant, Turn
from adjudge.read.files import raise_complaint
from adjudge.read.grouping import RowGroup, RowGrouping

OBJECT = msgspec.json.Decoder(dict[str, Any])
Message = Mapping[str, Any]


class ChatTurns(Struct, frozen=True):
    """Who takes part in a chat, and its turns; the role of a participant is user, assistant, tool or another word."""

    participants: tuple[Participant, ...]
    turns: tuple[Turn, ...]


def read_messages(where: str, messages: Sequence[Any], warnings: Warnings) -> ChatTurns:
    """The turns of a list of messages; raises BadRecord for what is no message.

    The id of a turn is the place of its message, from 0, with a number behind it if the message has several turns.
    Instructions and empty messages are left out, with a warning.
    """
    builder = ConversationBuilder(where, ReadingNotes("chat", warnings, raise_complaint))
    for place, message in enumerate(messages):
        turns = message_turns(builder, message, place)
        if not any(turn.text or turn.call for turn in turns):
            _remark_left_out(f"{where}: messages[{place}]", is_instruction=not turns, warnings=warnings)
        else:
            builder.add(turns, place)
    speakers = {turn.speaker for turn in builder.turns}
    participants = tuple(party for party in builder.participants.values() if party.id in speakers)
    return ChatTurns(participants, tuple(builder.turns))


def gather_messages(
    rows: Iterable[tuple[str, bytes]],
    is_message: Callable[[Message], bool],
    chat_of: Callable[[Message], str] = lambda message: "",
) -> Iterator[tuple[str, bytes]]:
    """The rows of files; in a file of messages that stand alone, the messages of each chat become one row.

    The first row of a file decides whether it is one of messages. `chat_of` names the chat of a message; empty if a
    file holds one chat.
    """
    chats = RowGrouping[bytes](Warnings(), None)
    file, chatting = "", False
    for where, row in rows:
        if file != (file := where.rpartition(":")[0]):
            chatting = is_message(row_object(row))
        if chatting:
            yield from map(_chat_row, chats.take(where, (chat_of(row_object(row)),), row))
        else:
            yield from map(_chat_row, chats.finish())
            yield where, row
    yield from map(_chat_row, chats.finish())


def _chat_row(chat: RowGroup[bytes]) -> tuple[str, bytes]:
    """The messages of one chat as a row."""
    (id,) = chat.key
    named = b'"dialogue_id":%s,' % msgspec.json.encode(id) if id else b""
    return chat.where, b'{%s"messages":[%s]}' % (named, b",".join(chat.rows))


def row_object(row: bytes) -> Message:
    """The object of a row; empty if it cannot be read, which is reported where the row is decoded."""
    try:
        return OBJECT.decode(row)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return {}


def _remark_left_out(at: str, *, is_instruction: bool, warnings: Warnings) -> None:
    if is_instruction:
        warnings.add("instructions", f"{at}: instructions are not part of the conversation; left out")
    else:
        warnings.add("empty message", f"{at}: no text, call or result; left out")
