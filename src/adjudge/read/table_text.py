"""The text of a CSV table: rows over several lines, and the cells of a row.

Rows are told apart here and not by the `csv` module, whose limit on the size of a cell belongs to the whole process
and which gives neither the line where a broken row starts nor the cell that broke it. What is accepted is what
`csv.reader(strict=True)` accepts.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from dataclasses import dataclass

from msgspec import Struct

from adjudge.core.errors import BadInput
from adjudge.read.encodings import decode_with_halves, describe_undecodable
from adjudge.read.source import BLOCK, ReadLimits

# The rest of a quoted cell with its closing quote; possessive, so linear on any input.
CLOSING = re.compile(r'[^"]*+(?:""[^"]*+)*+"')


class Cells(Struct, frozen=True):
    """The cells of a row; `broken` is where the first one starts that cannot be read, None if all can."""

    values: list[str]
    broken: int | None = None


@dataclass(frozen=True)
class Marks:
    """What separates cells: the delimiter, the pattern of a cell, and that of the start of a quoted one."""

    delimiter: str
    cell: re.Pattern[str]
    opening: re.Pattern[str]

    @classmethod
    def of(cls, delimiter: str) -> Marks:
        """The patterns for a delimiter."""
        mark = re.escape(delimiter)
        # As in the csv module, a quote further inside an unquoted cell is a character like any other.
        plain = rf'(?:[^{mark}"\r\n][^{mark}\r\n]*+)?+'
        cell = rf'(?:"(?P<quoted>[^"]*+(?:""[^"]*+)*+)"|(?P<plain>{plain}))(?P<end>{mark}|\Z)'
        opening = re.compile(rf'(?:\A|{mark})"')
        return cls(delimiter, re.compile(cell), opening)

    def split(self, text: str) -> Cells:
        """The cells of a row up to the first that is broken.

        >>> Marks.of(",").split('a,"b ""c"", d",')
        Cells(values=['a', 'b "c", d', ''], broken=None)
        """
        if '"' not in text and "\r" not in text:
            return Cells(text.split(self.delimiter))
        values: list[str] = []
        place = 0
        while match := self.cell.match(text, place):
            quoted = match["quoted"]
            values.append(match["plain"] if quoted is None else quoted.replace('""', '"'))
            if not match["end"]:
                return Cells(values)
            place = match.end()
        return Cells(values, place)

    def leaves_open(self, line: str, opened: bool) -> bool:
        """Whether a line ends inside a quoted cell; `opened` is whether it starts in one."""
        if '"' not in line:
            return opened
        place = 0
        while True:
            if not opened:
                opening = self.opening.search(line, place)
                if opening is None:
                    return False
                place = opening.end()
            closing = CLOSING.match(line, place)
            if closing is None:
                return True
            place, opened = closing.end(), False


class TextRow(Struct, frozen=True):
    """The text of a row without its line end, its first line, its last, and why it was not kept, if it was not."""

    start: int
    end: int
    text: str
    fault: str = ""


class DelimitedTable:
    """A table while it is read; `line` is the number of lines read so far."""

    def __init__(self, name: str, reader: io.BufferedReader, marks: Marks, encoding: str, limits: ReadLimits) -> None:
        self.name = name
        self.reader = reader
        self.marks = marks
        self.encoding = encoding
        self.limit = limits.line_bytes
        self.line = 0

    def at(self, line: int) -> str:
        """The place of a line in words."""
        return f"{self.name}:{line}"

    def rows(self) -> Iterator[TextRow]:
        """The rows in order, without blank lines."""
        while row := self._row():
            if row.fault or row.text:
                yield row

    def _row(self) -> TextRow | None:
        """The next row; None at the end of the file."""
        start, size = self.line + 1, 0
        # Not a list of lines: an unclosed quote can take millions of short ones.
        text = io.StringIO()
        opened = False
        while raw := self.reader.readline(self.limit - size + 1):
            self.line += 1
            size += len(raw)
            if size > self.limit and not raw.endswith(b"\n"):
                return self._too_long(start, size, raw, opened)
            line = self._decode(raw)
            text.write(line)
            opened = self.marks.leaves_open(line, opened)
            if not opened:
                break
            if size > self.limit:
                return self._too_long(start, size, b"\n", opened)
        whole = text.getvalue().removesuffix("\n").removesuffix("\r")
        return TextRow(start, self.line, whole) if size else None

    def _too_long(self, start: int, size: int, piece: bytes, opened: bool) -> TextRow:
        """Read past a row without keeping it; `piece` is what was read of it last, `opened` before that."""
        while True:
            # What is skipped is judged by its number of quotes alone, which is even in a whole cell.
            opened ^= piece.count(b'"') % 2 == 1
            ended = piece.endswith(b"\n")
            if (ended and not opened) or not (piece := self.reader.readline(BLOCK)):
                break
            self.line += ended
            size += len(piece)
        fault = f"{size:,} bytes in one row; expected at most {self.limit:,}; shorten or split the row"
        if opened:
            fault = f"a quote in this row is never closed and takes {line_range(start, self.line)} to the end; close it"
        return TextRow(start, self.line, "", fault)

    def _decode(self, raw: bytes) -> str:
        try:
            return raw.decode(self.encoding)
        except UnicodeDecodeError as fault:
            if text := decode_with_halves(raw, fault):
                return text
            raise BadInput(f"{self.at(self.line)}: {describe_undecodable(raw, fault.start, self.encoding)}") from None


def line_range(start: int, end: int) -> str:
    """Lines in words: `line 3` or `lines 3 to 7`."""
    return f"line {start}" if start == end else f"lines {start} to {end}"
