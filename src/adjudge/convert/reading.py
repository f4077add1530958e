"""Reading files in any format: their content tells what they are, never their names."""

from __future__ import annotations

import zipfile
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct, structs

from adjudge.convert import archive
from adjudge.convert.fields import ReadingNotes, short
from adjudge.convert.format import Content, FileRow, Format, PlacedConversation, numbered_id, place_id
from adjudge.convert.refusals import refusal_of
from adjudge.convert.registry import FORMATS, detect_format, find_format
from adjudge.core.errors import BadInput, BadRecord, Complaint, Warnings
from adjudge.core.suite import Refuse
from adjudge.read.decode import check_depth, decode, lenient_row, refuse_duplicate_keys
from adjudge.read.encodings import codec_of, describe_undecodable
from adjudge.read.files import LIMITS, FilePart, part_rows
from adjudge.read.opening import open_file
from adjudge.read.source import ZIP, contents
from adjudge.read.spreadsheet import sheet_rows
from adjudge.read.tables import is_table, table_rows

ANY: msgspec.json.Decoder[Any] = msgspec.json.Decoder(Any)
# Keys of an object that a message shows.
KEYS_SHOWN = 8
# Errors that a reader may raise on a value of an unexpected type; the tests search for such files.
UNEXPECTED = (TypeError, KeyError, IndexError, AttributeError, ValueError, OverflowError, RecursionError)
CANNOT_BE_READ = "cannot be read in the format"
# A document of many conversations may be larger than a line may be.
DOCUMENTS = structs.replace(LIMITS, line_bytes=256 << 20)
# The keys of a page of a list as Langfuse and OpenAI answer it: `{data: [...], meta: {...}}`.
PAGE_KEYS = frozenset(("data", "meta", "object", "has_more", "first_id", "last_id"))
# The search for repeated keys decodes each row a second time, so it stops after the first 32 MiB.
KEYS_CHECKED = 32 << 20


class ReadingOptions(Struct, frozen=True):
    """How files are read: where remarks and refusals go, and what the user asked for."""

    warnings: Warnings
    refuse: Refuse
    format: str = ""
    lenient: bool = False
    delimiter: str | None = None
    encoding: str = "utf-8"

    def formats(self, content: Content) -> tuple[Format, ...]:
        """The formats of one kind of content that may be tried; raises BadInput where the named one is of another."""
        chosen = (find_format(self.format),) if self.format else FORMATS
        return tuple(format for format in chosen if content in format.content)


def read_conversations(path: Path, reading: ReadingOptions) -> Iterator[PlacedConversation]:
    """The conversations of a file in order, each with its place; the format is detected where none is named.

    Rows that cannot be read go to `refuse`, and what is not understood is counted in the warnings. Raises BadInput for
    a file of no known format.
    """
    for number, (where, conversation) in enumerate(_conversations(path, reading), 1):
        # A list may stand on one line, so the place does not tell its conversations apart, but their number does.
        if conversation.id == place_id(where):
            conversation = structs.replace(conversation, id=numbered_id(where, number))
        yield PlacedConversation(where, conversation)


def _conversations(path: Path, reading: ReadingOptions) -> Iterator[PlacedConversation]:
    names = _member_names(path)
    if archive.is_log(names):
        yield from archive.read(path, ReadingNotes("inspect", reading.warnings, reading.refuse))
    elif "xl/workbook.xml" in names:
        yield from _read_rows(_table_rows(sheet_rows(path, (), LIMITS, reading.refuse)), "table", reading, str(path))
    elif _begins_table(path, reading):
        rows = table_rows(
            path, reading.warnings, delimiter=reading.delimiter, encoding=reading.encoding, refuse=reading.refuse
        )
        yield from _read_rows(_table_rows(rows), "table", reading, str(path))
    else:
        for name, reader in contents(path, reading.warnings):
            head = reader.peek(1)[: 1 << 16]
            if _is_json(head):
                part = FilePart(name, reader, DOCUMENTS if _is_document(head) else LIMITS, reading.refuse)
                yield from _read_rows(_json_rows(part, reading), "json", reading, name)
            else:
                raw = reader.read(LIMITS.line_bytes + 1)
                yield from _read_rows(_text_rows(name, raw, codec_of(reading.encoding)), "text", reading, name)


def _read_rows(
    rows: Iterable[FileRow], content: Content, reading: ReadingOptions, name: str
) -> Iterator[PlacedConversation]:
    """The conversations of rows of one content; consecutive rows of a format are read together."""
    formats = reading.formats(content)
    if not formats:
        raise BadInput(f"{name}: holds {content}; expected a file in the format {reading.format!r}; leave --format out")
    for format, group in groupby(_match_formats(rows, formats, reading), key=lambda pair: pair[0]):
        try:
            yield from format.read(
                (row for _, row in group), ReadingNotes(format.name, reading.warnings, reading.refuse)
            )
        except UNEXPECTED as fault:
            raise BadInput(
                f"{name}: {CANNOT_BE_READ} {format.name!r} ({type(fault).__name__}: {fault}); expected the shapes that "
                "`adjudge convert` knows; check how the file was written, or name another --format"
            ) from fault


def _match_formats(
    rows: Iterable[FileRow], formats: tuple[Format, ...], reading: ReadingOptions
) -> Iterator[tuple[Format, FileRow]]:
    """Each row with its format; other rows are refused. A file without any row of a known format raises BadInput."""
    strangers: list[Complaint] = []
    known = False
    format: Format | None = None
    for row in rows:
        if not (format and format.continues and format.continues(row.value)):
            format = None if refusal_of(row.value) else detect_format(row.value, formats)
        if format is not None:
            for complaint in strangers:
                reading.refuse(complaint)
            strangers.clear()
            known = True
            yield format, row
        elif known:
            reading.refuse(Complaint(row.where, _describe_stranger(row.value, formats)))
        else:
            strangers.append(Complaint(row.where, _describe_stranger(row.value, formats)))
    if strangers:
        more = f" (and {len(strangers) - 1} more rows like it)" if len(strangers) > 1 else ""
        raise BadInput(f"{strangers[0]}{more}")


def _describe_stranger(value: Any, formats: Sequence[Format]) -> str:
    """Why a value is refused."""
    if reason := refusal_of(value):
        return reason
    if isinstance(value, str):
        return f"{short(value)}; expected JSON, a table, or a chat such as 'Ann: Hello' on each line"
    names = ", ".join(format.name for format in formats)
    keys = ", ".join(map(repr, list(value)[:KEYS_SHOWN])) if isinstance(value, dict) else ""
    shape = f"an object with {keys}" if keys else short(value)
    return f"{shape}; expected a conversation in one of these formats: {names}"


def _json_rows(part: FilePart, reading: ReadingOptions) -> Iterator[FileRow]:
    """The values of the rows of a JSON file; what is no JSON is refused."""
    checked = 0
    for where, raw in part_rows(part):
        try:
            raw = lenient_row(where, raw, reading.warnings) if reading.lenient else raw
            check_depth(where, raw)
            value = decode(where, raw, ANY)
            checked += len(raw)
            if checked <= KEYS_CHECKED:
                refuse_duplicate_keys(where, raw)
        except BadRecord as fault:
            reading.refuse(fault.complaint)
        else:
            for item in _items_of_page(value):
                yield FileRow(where, item)


def _items_of_page(value: Any) -> list[Any]:
    """The items of an answer of a web API that holds a page of a list; other values as they are.

    >>> _items_of_page({"data": [{"id": 1}, {"id": 2}], "meta": {"page": 1}}), _items_of_page({"id": 1})
    ([{'id': 1}, {'id': 2}], [{'id': 1}])
    """
    if isinstance(value, dict) and isinstance(value.get("data"), list) and value.keys() <= PAGE_KEYS:
        return list(value["data"])
    return [value]


def _table_rows(rows: Iterable[tuple[str, dict[str, str]]]) -> Iterator[FileRow]:
    return (FileRow(where, cells) for where, cells in rows)


def _text_rows(name: str, raw: bytes, encoding: str) -> Iterator[FileRow]:
    """The one row of a text file."""
    if len(raw) > LIMITS.line_bytes:
        raise BadInput(f"{name}: a text of more than {LIMITS.line_bytes:,} bytes; expected one chat; split it")
    if not raw.strip():
        raise BadInput(f"{name}: empty; expected conversations; check that the program that wrote it finished")
    try:
        yield FileRow(f"{name}:1", raw.decode(encoding))
    except UnicodeDecodeError as fault:
        line = raw[: fault.start].count(b"\n") + 1
        start = raw.rfind(b"\n", 0, fault.start) + 1
        text = raw[start : start + (1 << 16)]
        problem = describe_undecodable(text, min(fault.start - start, len(text) - 1), encoding)
        raise BadInput(f"{name}:{line}: {problem}") from None


def _member_names(path: Path) -> set[str]:
    """The names in a zip; none for another file, or one that is damaged."""
    with open_file(path) as file:
        if not file.peek(4).startswith(ZIP):
            return set()
        try:
            return set(zipfile.ZipFile(file).namelist())
        except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError):
            return set()


def _begins_table(path: Path, reading: ReadingOptions) -> bool:
    """Whether a file is a table of text: its name says so or a header of messages begins it, and it is no JSON."""
    from adjudge.convert.chat_table import columns_of

    for name, reader in contents(path, Warnings()):
        head = reader.peek(1)[: 1 << 12]
        if _is_json(head):
            return False
        if is_table(Path(name)):
            return True
        line = head.decode("utf-8", "replace").partition("\n")[0]
        return bool(columns_of([cell.strip(' "\r') for cell in line.split(",")]))
    return False


def _is_json(head: bytes) -> bool:
    """Whether a content begins like JSON records; a chat may begin with a square bracket, too.

    >>> _is_json(b' [{"id": 1}]'), _is_json(b"[12/05/23, 10:11] Ann: Hello"), _is_json(b"Ann: Hello")
    (True, False, False)
    """
    head = head.lstrip()
    return head.startswith(b"{") or (head.startswith(b"[") and head[1:].lstrip()[:1] in (b"{", b"[", b'"', b"]", b""))


def _is_document(head: bytes) -> bool:
    """Whether JSON is one document over several lines: its first line is no JSON by itself."""
    first, newline, _ = head.lstrip().partition(b"\n")
    if not newline:
        return False
    try:
        msgspec.json.decode(first)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return True
    return False
