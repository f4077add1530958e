"""Tables of messages: CSV, TSV, XLSX or rows of JSON, one message a row.

Shape: a header, or rows of JSON with the same names: a speaker (speaker, sender, author, from, name, role ...) and a
text (text, message, content ...); where given: the conversation (conversation_id, thread_id, chat_id ...), the time,
the addressee, the kind of turn, the goal and the arm.
Also an object with such rows in a list (`{conversation_id, messages: [{sender, message}]}`).
Quirks: names of columns are compared without case, spaces and underscores; without a column of conversations the whole
table is one; a row without text is an empty turn; messages keep the order of the table.
Version: none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any

from adjudge.convert.executors import kind_of_name
from adjudge.convert.fields import ReadingNotes, json_text
from adjudge.convert.format import FileRow, Format, PlacedConversation, place_id
from adjudge.convert.openai_chat import MESSAGES
from adjudge.convert.times import time_of
from adjudge.convert.transcript import ConversationBuilder, with_time
from adjudge.core.errors import BadRecord
from adjudge.core.record import Participant, ParticipantKind, TurnKind

# The names that columns go by, each compared without case, spaces and underscores.
COLUMNS = {
    "speaker": (
        "speaker",
        "sender",
        "author",
        "from",
        "member",
        "participant",
        "username",
        "agent",
        "source",
        "name",
        "user",
        "role",
    ),
    "text": ("text", "message", "content", "utterance", "body", "msg"),
    "thread": (
        "conversationid",
        "conversation",
        "dialogueid",
        "threadid",
        "chatid",
        "sessionid",
        "groupid",
        "meetingid",
    ),
    "time": ("time", "timestamp", "datetime", "date", "sentat", "createdat", "ts"),
    "to": ("to", "recipient", "addressee", "receiver"),
    "kind": ("kind", "turnkind"),
    "role": ("role", "speakerrole"),
    "goal": ("goal", "task"),
    "arm": ("arm", "condition", "model"),
}
ROLES: dict[str, ParticipantKind] = {
    "user": "human",
    "human": "human",
    "customer": "human",
    "tool": "tool",
    "function": "tool",
}
# Where an object keeps the list of its messages.
LISTS = (*MESSAGES, "turns")
# Fields of the object around such a list that are about all its messages, by our names and as columns of a row.
AROUND = {"thread": "conversationid", "goal": "goal", "arm": "arm"}
KINDS: tuple[TurnKind, ...] = ("speech", "call", "result", "thought")
SURE = ("speaker", "sender", "author", "from", "participant", "username", "agent", "user")
# Of a name, only letters and digits count.
PLAIN = re.compile(r"[\W_]+")


def columns_of(names: Any) -> dict[str, str]:
    """The columns of a table by our names; empty where it is no table of messages.

    >>> columns_of(["Conversation ID", "Sender", "Message", "Mood"])
    {'speaker': 'Sender', 'text': 'Message', 'thread': 'Conversation ID'}
    """
    plain = {PLAIN.sub("", name).lower(): name for name in names}
    chosen = {
        ours: plain[alias]
        for ours, aliases in COLUMNS.items()
        if (alias := next((alias for alias in aliases if alias in plain), ""))
    }
    return chosen if {"speaker", "text"} <= chosen.keys() else {}


def recognise(value: Any) -> bool:
    """Whether a row is a message, or has a list of messages."""
    return _is_message(value) or bool(_listed_messages(value))


def _is_message(value: Any) -> bool:
    """Whether the cells of a row are those of a message; of JSON, only names that can be nothing else tell it."""
    if not isinstance(value, dict):
        return False
    columns = columns_of(value)
    is_cells = all(isinstance(cell, str) for cell in value.values())
    return bool(columns) and (is_cells or PLAIN.sub("", columns["speaker"]).lower() in SURE)


def read(rows: Iterator[FileRow], notes: ReadingNotes) -> Iterator[PlacedConversation]:
    """The conversations of a table, in the order in which they begin."""
    threads = _TableThreads()
    for row in chain.from_iterable(_message_rows(row, notes) for row in rows):
        columns = columns_of(row.value)
        row = FileRow(row.where, {name: "" if cell is None else json_text(cell) for name, cell in row.value.items()})
        cells = {ours: row.value[name].strip() for ours, name in columns.items()}
        for name in sorted(row.value.keys() - set(columns.values())):
            if row.value[name].strip():
                notes.unread(row.where, f"the column {name!r}")
        file = row.where.rpartition(":")[0]
        name = cells.get("thread") or f"{file}:"
        arm = cells["arm"] if is_arm(columns.get("arm", "")) else ""
        thread = threads.setdefault(threads.key(name, arm), _Thread(row.where, notes))
        thread.add(row, {**cells, "text": row.value[columns["text"]]})
    for (name, _), thread in threads.items():
        id = place_id(thread.transcript.where).rpartition("-")[0] if name.endswith(":") else name
        try:
            yield PlacedConversation(
                thread.transcript.where, thread.transcript.conversation(id, goal=thread.goal, arm=thread.arm)
            )
        except BadRecord as fault:
            notes.complain(fault.complaint)


def _listed_messages(value: Any) -> list[dict[str, Any]]:
    """The messages that a row has in a list; none where it has no such list, or anything else is in it."""
    lists = [value[name] for name in LISTS if isinstance(value.get(name), list)] if isinstance(value, dict) else []
    return lists[0] if lists and all(map(_is_message, lists[0])) else []


def _message_rows(row: FileRow, notes: ReadingNotes) -> list[FileRow]:
    """A row for each message; those of a list get the conversation, the goal and the arm of the row around them."""
    if not (listed := _listed_messages(row.value)):
        return [row]
    around = {name: value for name, value in row.value.items() if value and value is not listed}
    plain = {PLAIN.sub("", name).lower(): name for name in around}
    aliases = {**COLUMNS, "thread": (*COLUMNS["thread"], "id")}
    names = {ours: next((plain[alias] for alias in aliases[ours] if alias in plain), "") for ours in AROUND}
    for name in sorted(around.keys() - set(names.values())):
        notes.unread(row.where, f"the field {name!r} around a list of messages")
    shared = {AROUND[ours]: around[name] for ours, name in names.items() if name}
    return [FileRow(row.where, {AROUND["thread"]: place_id(row.where), **shared, **message}) for message in listed]


def is_arm(column: str) -> bool:
    """Whether a column names the system under test; that of models may differ from message to message.

    >>> is_arm("Arm"), is_arm("model")
    (True, False)
    """
    return PLAIN.sub("", column).lower() in ("arm", "condition")


class _TableThreads(dict[tuple[str, str], "_Thread"]):
    """The conversations of a table by their names and arms: the same conversation by two arms is two."""

    def __init__(self) -> None:
        super().__init__()
        self._latest: dict[str, tuple[str, str]] = {}

    def key(self, name: str, arm: str) -> tuple[str, str]:
        """Where a row belongs; one without an arm goes on with the last conversation of its name."""
        unnamed = (name, "")
        if not arm:
            return self._latest.setdefault(name, unnamed)
        is_unnamed = unnamed in self and self[unnamed].arm in ("", arm)
        self._latest[name] = unnamed if is_unnamed else (name, arm)
        return self._latest[name]


class _Thread:
    """One conversation of a table while it is read."""

    def __init__(self, where: str, notes: ReadingNotes) -> None:
        self.transcript = ConversationBuilder(where, notes)
        self.notes = notes
        self.goal = self.arm = ""

    def add(self, row: FileRow, cells: Mapping[str, str]) -> None:
        """Add the message of a row."""
        transcript, speaker = self.transcript, cells["speaker"]
        if not speaker:
            self.notes.remark(row.where, "a row without a speaker, taken as 'unknown'")
            speaker = "unknown"
        self.goal, self.arm = self.goal or cells.get("goal", ""), self.arm or cells.get("arm", "")
        role = cells.get("role", "")
        known = transcript.participants.get(speaker)
        kind = known.kind if known else ROLES.get(role.lower(), kind_of_name(speaker))
        transcript.participants.setdefault(speaker, Participant(speaker, role if role != speaker else "", kind))
        to = tuple(name.strip() for name in cells.get("to", "").split(";") if name.strip())
        turn = transcript.say(speaker, cells["text"], to=to, kind=self.kind(row, cells.get("kind", "")))
        time = time_of(cells.get("time"), row.where, self.notes)
        transcript.add(with_time([turn], time), len(transcript.turns))

    def kind(self, row: FileRow, given: str) -> TurnKind:
        """The kind of a turn; speech where the table says nothing that is known."""
        for kind in KINDS:
            if given.lower() == kind:
                return kind
        if given:
            self.notes.unread(row.where, f"a turn of the kind {given!r}")
        return "speech"


FORMAT = Format(
    name="table",
    title="tables of messages (CSV, TSV, XLSX, JSON rows)",
    kept="speakers, addressees, kinds, times, goal and arm where there are columns for them",
    recognises=recognise,
    read=read,
    content=("table", "json"),
)
