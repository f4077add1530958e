"""What a reader of a format is: how it is recognised, and how its rows become conversations."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import PurePath
from typing import Any, Literal, NamedTuple

from msgspec import Struct

from adjudge.convert.fields import ReadingNotes
from adjudge.core.conversation import Conversation
from adjudge.core.errors import BadRecord

Content = Literal["json", "table", "text"]


class FileRow(NamedTuple):
    """A row of a file: its place, and its value: decoded JSON, the cells of a table by column, or a whole text."""

    where: str
    value: Any


class PlacedConversation(NamedTuple):
    """A conversation and the place where it begins."""

    where: str
    conversation: Conversation


class Format(Struct, frozen=True):
    """One format: its name for `--format`, what it is, what is kept of it, and its reader.

    `recognises` is asked about the value of a row, and `continues` about that of a row that follows one of this format.
    `read` gets the consecutive rows of a file that are of this format. `content` says what files it is looked for in.
    `kept` says for the table of docs/reference/formats.md what becomes of the format beside names and texts.
    """

    name: str
    title: str
    kept: str
    recognises: Callable[[Any], bool]
    read: Callable[[Iterator[FileRow], ReadingNotes], Iterator[PlacedConversation]]
    continues: Callable[[Any], bool] | None = None
    content: tuple[Content, ...] = ("json",)
    aliases: tuple[str, ...] = ()


def by_row(
    convert: Callable[[FileRow, ReadingNotes], Iterable[Conversation]],
) -> Callable[[Iterator[FileRow], ReadingNotes], Iterator[PlacedConversation]]:
    """A reader that makes the conversations of each row by itself; a row that is refused leaves the others alone."""

    def read(rows: Iterator[FileRow], notes: ReadingNotes) -> Iterator[PlacedConversation]:
        for row in rows:
            try:
                conversations = list(convert(row, notes))
            except BadRecord as fault:
                notes.complain(fault.complaint)
                continue
            yield from (PlacedConversation(row.where, conversation) for conversation in conversations)

    return read


def place_id(where: str) -> str:
    """The id of a conversation that has none: the file's name without endings, and the line.

    >>> place_id("logs/chats.jsonl.gz:12"), place_id("logs.zip/a.json:1")
    ('chats-12', 'a-1')
    """
    file, _, line = where.rpartition(":")
    return f"{file_stem(file)}-{line}"


def numbered_id(where: str, number: int) -> str:
    """The id of the conversation of this number in the file of a place.

    >>> numbered_id("logs/chats.jsonl.gz:12", 3)
    'chats-3'
    """
    return f"{file_stem(where.rpartition(':')[0])}-{number}"


def file_stem(name: str) -> str:
    """The name of a file without its folder and its endings.

    >>> file_stem("logs/gpt-4.1_airline.json.gz")
    'gpt-4.1_airline'
    """
    path = PurePath(name)
    if path.suffix.lower() == ".gz":
        path = path.with_suffix("")
    return path.stem
