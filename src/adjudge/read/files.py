"""From a path to raw rows: JSONL line by line, or the elements of one JSON document."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePath

import msgspec

from adjudge.core.errors import BadInput, BadRecord, Complaint, Warnings
from adjudge.read.malformed import describe_malformed
from adjudge.read.source import BLOCK, LIMITS, ReadLimits, contents

__all__ = ["LIMITS", "FilePart", "ReadLimits", "document", "documents", "part_rows", "rows"]

Row = tuple[str, bytes]
Refuse = Callable[[Complaint], None]

SHOWN = 40
# What stands between two elements of a list: " ,\n  ".
GAP = re.compile(rb"[\s,]*")
# White space as JSON has it.
SPACE = re.compile(r"[ \t\r\n]*")
LIST = msgspec.json.Decoder(list[msgspec.Raw])
ANY = msgspec.json.Decoder(msgspec.Raw)


@dataclass(frozen=True)
class FilePart:
    """A file or a member of an archive while it is read; `first_line` is the number of the first line of `reader`."""

    name: str
    reader: io.BufferedReader
    limits: ReadLimits
    refuse: Refuse
    first_line: int = 1

    def at(self, line: int) -> str:
        """The place of a line in words."""
        return f"{self.name}:{line}"


def rows(path: Path, warnings: Warnings, limits: ReadLimits = LIMITS, refuse: Refuse | None = None) -> Iterator[Row]:
    """Every record of a file, undecoded, with the place it starts at.

    The file is JSONL or one JSON document (a list of records or a single one), plain, in gzip, or in a zip
    whose members are read in name order; or Parquet or Arrow, with a record in each row. JSONL is streamed: memory
    is bounded by the longest line; so is a table, by its largest row group. What spoils one record goes to `refuse`
    and reading goes on; without `refuse` it raises BadRecord. What spoils the file raises BadInput.
    """
    for name, reader in contents(path, warnings, limits):
        yield from part_rows(FilePart(name, reader, limits, refuse or raise_complaint))


def document(path: Path, warnings: Warnings, limits: ReadLimits = LIMITS) -> Row:
    """The name and whole content of a file with one document: plain, gzip, or a zip with one member."""
    only: Row | None = None
    for name, reader in contents(path, warnings, limits):
        if only:
            raise BadInput(f"{path}: holds {only[0]!r}, {name!r} and perhaps more; expected one file; split it")
        only = name, _content(FilePart(name, reader, limits, raise_complaint))
    if not only:
        raise BadInput(f"{path}: no rows; expected one document; check that the program that wrote it finished")
    return only


def documents(path: Path, warnings: Warnings, limits: ReadLimits = LIMITS, prefix: str = "") -> Iterator[Row]:
    """The name and whole content of each member of a zip, or of the single file, whose name has the prefix."""
    for name, reader in contents(path, warnings, limits):
        if PurePath(name).name.startswith(prefix):
            yield name, _content(FilePart(name, reader, limits, raise_complaint))


def raise_complaint(complaint: Complaint) -> None:
    """Refuse a record by raising BadRecord, where nobody collects complaints."""
    raise BadRecord(complaint)


def _content(part: FilePart) -> bytes:
    data = bytes(_rest(part, bytearray()))
    if not data or data.isspace():
        raise _empty(part)
    return data


def part_rows(part: FilePart) -> Iterator[Row]:
    """The records of a part, within the limit on the bytes of one, which is the same on a line and in a list."""
    return _within_limit(part, _rows(part))


def line_rows(part: FilePart, number: int) -> Iterator[Row]:
    """The records of lines from the middle of a file; the first of them has this number."""
    return _within_limit(part, _lines(part, number, part.reader.readline(part.limits.line_bytes + 1), 0))


def first_json_line(part: FilePart) -> bytes:
    """The first line of a part that holds a JSON object on each line; empty for any other content."""
    line = part.reader.readline(part.limits.line_bytes + 1)
    return line.rstrip() if line.startswith(b"{") and line.endswith(b"\n") and _is_value(line) else b""


def _within_limit(part: FilePart, given: Iterator[Row]) -> Iterator[Row]:
    limit = part.limits.line_bytes
    for where, raw in given:
        if len(raw) > limit:
            size = f"{len(raw):,} bytes in one record"
            part.refuse(Complaint(where, f"{size}; expected at most {limit:,}; shorten or split the record"))
        else:
            yield where, raw


def _rows(part: FilePart) -> Iterator[Row]:
    number = part.first_line + _skip_blank(part).count(b"\n")
    first = part.reader.readline(part.limits.line_bytes + 1)
    if not first:
        raise _empty(part)
    if _cut(part, first):
        # A list on one line is read as a document, whose limit is another; anything else is a long line.
        whole_list = first.startswith(b"[")
        yield from _document(part, number, bytearray(first)) if whole_list else _lines(part, number, first, 0)
        return
    gap = _skip_blank(part)
    if _is_document(first, part.reader.peek(1)[:1]):
        yield from _document(part, number, bytearray(first) + gap)
    else:
        yield from _lines(part, number, first, gap.count(b"\n"))


def _is_document(first: bytes, following: bytes) -> bool:
    """Whether a file is one document, by its first line and the first byte of the next."""
    if not following:
        return not first.startswith(b"{")
    if _is_value(first):
        return False
    # A broken first record is followed by another one; a document's first line never is, unless a list opens.
    return first.startswith(b"[") or following != b"{"


def _is_value(line: bytes) -> bool:
    try:
        ANY.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return False
    return True


def _lines(part: FilePart, number: int, line: bytes, gap: int) -> Iterator[Row]:
    """The rows of a JSONL file whose first line has been read, with the blank lines that follow it."""
    name, readline, limit = part.name, part.reader.readline, part.limits.line_bytes
    while line:
        if len(line) > limit and _cut(part, line):
            part.refuse(_too_long(part, number, len(line) + _skip_line(part.reader)))
        elif raw := line.rstrip():
            yield f"{name}:{number}", raw
        number += 1 + gap
        gap = 0
        line = readline(limit + 1)


def _cut(part: FilePart, line: bytes) -> bool:
    return len(line) > part.limits.line_bytes and not line.endswith(b"\n")


def _skip_line(reader: io.BufferedReader) -> int:
    """Read to the end of the line; how many bytes that were."""
    skipped = 0
    while piece := reader.readline(BLOCK):
        skipped += len(piece)
        if piece.endswith(b"\n"):
            break
    return skipped


def _skip_blank(part: FilePart) -> bytes:
    """Read past white space and give it back."""
    blank = bytearray()
    while ahead := part.reader.peek(1):
        blank += part.reader.read(len(ahead) - len(ahead.lstrip()))
        if not ahead.isspace():
            break
        if len(blank) > part.limits.line_bytes:
            raise BadInput(f"{part.name}: {len(blank):,} bytes of white space; expected records; strip the file")
    return bytes(blank)


def _document(part: FilePart, number: int, data: bytearray) -> Iterator[Row]:
    _rest(part, data)
    if data.startswith(b"["):
        yield from _elements(part, number, data)
    elif data.startswith(b"{"):
        yield part.at(number), bytes(data.rstrip())
    else:
        start = bytes(data[:SHOWN]).split(b"\n")[0].decode("utf-8", "replace").rstrip()
        raise BadInput(
            f"{part.at(number)}: starts {start!r}; expected JSON: a record {{...}} on each line, or one list "
            "[...] of records; convert the file"
        )


def _rest(part: FilePart, data: bytearray) -> bytearray:
    """Append what is left of the stream."""
    limit = part.limits.document_bytes
    while len(data) <= limit:
        piece = part.reader.read(BLOCK)
        if not piece:
            return data
        data += piece
    raise BadInput(
        f"{part.name}: one JSON document of more than {limit:,} bytes; expected at most that; "
        "write one record a line (JSONL), which is streamed"
    )


def _elements(part: FilePart, number: int, data: bytearray) -> Iterator[Row]:
    try:
        elements = LIST.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        yield from _salvage_elements(part, number, data)
        return
    start, end = 0, 1
    for raw in elements:
        element = bytes(raw)
        before, start = start, _match_end(GAP, data, end)
        number += data.count(b"\n", before, start)
        yield part.at(number), element
        end = start + len(element)


def _salvage_elements(part: FilePart, number: int, data: bytearray) -> Iterator[Row]:
    """The elements of a list with faults: all that can be told apart, and the fault where that ends."""
    # Latin-1 keeps one character a byte, and the structure of JSON is ASCII.
    text = data.decode("latin-1")
    scan = json.JSONDecoder(strict=False).raw_decode
    place, start = 0, _after_space(text, 1)
    while text[start : start + 1] != "]":
        number += text.count("\n", place, start)
        place = start
        try:
            _, end = scan(text, start)
        except (ValueError, RecursionError):
            part.refuse(_broken_element(part, number, bytes(data[start:])))
            return
        yield part.at(number), bytes(data[start:end])
        start = _after_space(text, end)
        if text[start : start + 1] == ",":
            start = _after_space(text, start + 1)
        elif text[start : start + 1] != "]":
            part.refuse(_missing_separator(part, number, text[start : start + SHOWN]))
            return
    if after := text[start + 1 : start + 1 + SHOWN].strip():
        part.refuse(Complaint(part.at(number), f"{after!r} after the end of the list; expected nothing"))


def _after_space(text: str, place: int) -> int:
    match = SPACE.match(text, place)
    return match.end() if match else place


def _match_end(pattern: re.Pattern[bytes], data: bytearray, place: int) -> int:
    match = pattern.match(data, place)
    return match.end() if match else place


def _broken_element(part: FilePart, number: int, raw: bytes) -> Complaint:
    return Complaint(part.at(number), f"{describe_malformed(raw)}; the list cannot be read from here on")


def _missing_separator(part: FilePart, number: int, text: str) -> Complaint:
    actual = f"found {text!r}" if text else "the file ends (truncated)"
    return Complaint(part.at(number), f"expected ',' or ']' after this element, {actual}; the list ends here")


def _too_long(part: FilePart, number: int, size: int) -> Complaint:
    limit = part.limits.line_bytes
    return Complaint(
        part.at(number),
        f"{size:,} bytes in one line; expected at most {limit:,}; shorten or split the record",
    )


def _empty(part: FilePart) -> BadInput:
    return BadInput(
        f"{part.name}: empty; expected JSON or JSONL records; check that the program that wrote it finished"
    )
