"""CSV tables: each row by the names of its columns, with the line it starts at.

Rows are told apart here and not by the `csv` module, whose limit on the size of a cell belongs to the whole process
and which gives neither the line where a broken row starts nor the cell that broke it. What is accepted is what
`csv.reader(strict=True)` accepts.
"""

from __future__ import annotations

import codecs
import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from msgspec import Struct

from adjudge.core.errors import BadInput, BadRecord, Complaint, Warnings, did_you_mean
from adjudge.read.files import Refuse
from adjudge.read.malformed import near
from adjudge.read.source import BLOCK, LIMITS, Limits, contents

__all__ = ["codec_of", "fits", "is_table", "table_rows"]

TABLE = re.compile(r"\.(csv|(?P<tab>tsv))(\.(gz|zip))?\Z", re.IGNORECASE)
DELIMITERS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "pipes"}

# The rest of a quoted cell with its closing quote; possessive, so linear on any input.
CLOSING = re.compile(r'[^"]*+(?:""[^"]*+)*+"')
UNFIT = re.compile(r"[\x00\ud800-\udfff]")

AROUND = 10
HEADER_SHOWN = 80
NAME_SHOWN = 40
NAMES_SHOWN = 12


def is_table(path: Path) -> bool:
    """Whether a file is a CSV or TSV table by its name, plain or in gzip or zip.

    >>> [is_table(Path(name)) for name in ("a.csv", "B.CSV.GZ", "c.tsv", "d.csv.zip", "csv.jsonl")]
    [True, True, True, True, False]
    """
    return TABLE.search(path.name) is not None


def table_rows(
    path: Path,
    warnings: Warnings,
    *,
    required: Sequence[str] = (),
    delimiter: str | None = None,
    encoding: str = "utf-8",
    limits: Limits = LIMITS,
    refuse: Refuse | None = None,
) -> Iterator[tuple[str, dict[str, str]]]:
    r"""Every row of a table as a dict by column name, with the place it starts at.

    The file is plain, in gzip, or in a zip whose members are read in name order, each with its own header. It is
    streamed: memory is bounded by the longest row, which may have `limits.line_bytes`. What spoils one row goes to
    `refuse` and reading goes on after it; without `refuse` it raises BadRecord. What spoils the file raises
    BadInput. A delimiter of None is a tab for `.tsv` and else a comma; `\t` in two characters is a tab as well.
    """
    codec, marks = codec_of(encoding), Marks.of(_delimiter(path, delimiter))
    for name, reader in contents(path, warnings, limits):
        yield from _records(Table(name, reader, marks, codec, limits), required, refuse or _raise)


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
        return cls(delimiter, re.compile(cell), re.compile(rf'(?:\A|{mark})"'))

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


class Row(Struct, frozen=True):
    """The text of a row without its line end, its first line, its last, and why it was not kept, if it was not."""

    start: int
    end: int
    text: str
    fault: str = ""


class Table:
    """A table while it is read; `line` is the number of lines read so far."""

    def __init__(self, name: str, reader: io.BufferedReader, marks: Marks, encoding: str, limits: Limits) -> None:
        self.name = name
        self.reader = reader
        self.marks = marks
        self.encoding = encoding
        self.limit = limits.line_bytes
        self.line = 0

    def at(self, line: int) -> str:
        """The place of a line in words."""
        return f"{self.name}:{line}"

    def rows(self) -> Iterator[Row]:
        """The rows in order, without blank lines."""
        while row := self._row():
            if row.fault or row.text:
                yield row

    def _row(self) -> Row | None:
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
            line = self._decoded(raw)
            text.write(line)
            opened = self.marks.leaves_open(line, opened)
            if not opened:
                break
            if size > self.limit:
                return self._too_long(start, size, b"\n", opened)
        whole = text.getvalue().removesuffix("\n").removesuffix("\r")
        return Row(start, self.line, whole) if size else None

    def _too_long(self, start: int, size: int, piece: bytes, opened: bool) -> Row:
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
            fault = f"a quote in this row is never closed and takes {_lines(start, self.line)} to the end; close it"
        return Row(start, self.line, "", fault)

    def _decoded(self, raw: bytes) -> str:
        try:
            return raw.decode(self.encoding)
        except UnicodeDecodeError as fault:
            if text := _halved(raw, fault):
                return text
            raise BadInput(f"{self.at(self.line)}: {_not_encoded(raw, fault.start, self.encoding)}") from None


def _records(table: Table, required: Sequence[str], refuse: Refuse) -> Iterator[tuple[str, dict[str, str]]]:
    rows = table.rows()
    columns = _columns(table, rows, required)
    for row in rows:
        if len(columns) > 1 and _is_blank(row, table.marks):
            continue
        cells = table.marks.split(row.text)
        fault = _fault(row, cells, table.marks) or _arity(cells, columns)
        if not fault:
            yield table.at(row.start), dict(zip(columns, cells.values, strict=True))
            continue
        broken = cells.broken is not None and len(cells.values) < len(columns)
        refuse(Complaint(table.at(row.start), fault, columns[len(cells.values)] if broken else ""))


def _columns(table: Table, rows: Iterator[Row], required: Sequence[str]) -> list[str]:
    """The names in the header; raises BadInput."""
    header = next((row for row in rows if not _is_blank(row, table.marks)), None)
    if header is None:
        raise BadInput(f"{table.name}: empty; expected a header line and rows; check that what wrote the file finished")
    cells = table.marks.split(header.text)
    names = cells.values
    fault = (
        _fault(header, cells, table.marks)
        or _other_delimiter(header.text, names, required, table.marks.delimiter)
        or _missing(names, required)
        or _repeated(names)
    )
    if fault:
        raise BadInput(f"{table.at(header.start)}: {fault}")
    return names


def _fault(row: Row, cells: Cells, marks: Marks) -> str:
    """Why a row cannot be read, empty if it can."""
    if row.fault:
        return row.fault
    if ("\0" in row.text or not row.text.isascii()) and (unfit := UNFIT.search(row.text)):
        return _unfit(row.text, unfit.start())
    return "" if cells.broken is None else _broken(row, cells.broken, marks)


def _unfit(text: str, place: int) -> str:
    around = text[max(0, place - AROUND) : place + AROUND].encode("utf-8", "surrogatepass").decode("utf-8", "replace")
    if text[place] == "\0":
        return f"a NUL byte, near {around!r}; expected text; the file may be damaged: write it again"
    return f"half a character, near {around!r}; expected whole characters; the file may be cut: write it again"


def _broken(row: Row, place: int, marks: Marks) -> str:
    text = row.text
    if not text.startswith('"', place):
        return (
            f"a carriage return outside quotes, near {text[place : place + 2 * AROUND]!r}; "
            "expected lines that end in LF or CRLF; convert the line ends or quote the cell"
        )
    closing = CLOSING.match(text, place + 1)
    if closing is None:
        return (
            f"a quote opens this cell and is never closed: it takes {_lines(row.start, row.end)} to the end; "
            "expected a closing quote; close it"
        )
    end = closing.end()
    line = row.start + text.count("\n", 0, end)
    return (
        f"the quote that opens this cell is closed on line {line} before {text[end : end + 2 * AROUND]!r}; expected "
        f"{marks.delimiter!r} or the end of the row after it; close the quote where the cell ends, and write "
        'a quote inside a cell as ""'
    )


def _arity(cells: Cells, columns: list[str]) -> str:
    if len(cells.values) == len(columns):
        return ""
    count = len(cells.values)
    return (
        f"found {count} {'cell' if count == 1 else 'cells'}; expected {len(columns)}: {_quoted(columns)}; "
        "quote a cell that holds a delimiter or a line break"
    )


def _is_blank(row: Row, marks: Marks) -> bool:
    return row.text.isspace() and marks.delimiter not in row.text


def _other_delimiter(header: str, names: list[str], required: Sequence[str], delimiter: str) -> str:
    """What to say of a header that looks separated by something else, empty if it does not."""
    known = len({*required} & {*names})
    if len(names) > 1 and known == len({*required}):
        return ""
    for other, word in DELIMITERS.items():
        found = Marks.of(other).split(header).values
        if len(found) > len(names) and (len(names) == 1 or len({*required} & {*found}) > known):
            return (
                f"the header {_short(header, HEADER_SHOWN)} looks separated by {word}; "
                f"expected {delimiter!r} between cells; give --delimiter {other!r}"
            )
    return ""


def _missing(names: list[str], required: Sequence[str]) -> str:
    missing = [name for name in required if name not in names]
    if not missing:
        return ""
    wanted = ", ".join(f"{name!r}{_meant(name, names)}" for name in missing)
    return f"no column {wanted}; found {_quoted(names)}; name the columns so in the header"


def _meant(name: str, names: list[str]) -> str:
    same = [found for found in names if found.strip().casefold() == name.casefold()]
    hint = f"did you mean {same[0]!r}?" if same else did_you_mean(name, names).removeprefix("; ")
    return f" ({hint})" if hint else ""


def _repeated(names: list[str]) -> str:
    first: dict[str, int] = {}
    for number, name in enumerate(names, 1):
        if first.setdefault(name, number) < number:
            return (
                f"columns {first[name]} and {number} are both called {_short(name, NAME_SHOWN)}; "
                "expected each name once; rename one"
            )
    return ""


def _halved(raw: bytes, fault: UnicodeDecodeError) -> str:
    """The text where only half characters are wrong, which spoil their row and not the file; else empty."""
    if fault.encoding != "utf-8":
        return ""
    # A file cut inside a character ends so; each of its bytes becomes half a surrogate pair.
    errors = "surrogateescape" if fault.reason == "unexpected end of data" else "surrogatepass"
    try:
        return raw.decode("utf-8", errors)
    except UnicodeDecodeError:
        return ""


def _not_encoded(raw: bytes, byte: int, encoding: str) -> str:
    expected = encoding.upper() if encoding.startswith("utf") else encoding
    found = (
        f"byte 0x{raw[byte]:02x} at byte {byte} of the line is not {expected}, near {near(raw, byte)}; "
        f"expected {expected}; "
    )
    if fits(raw, "utf-8"):
        return found + "probably UTF-8: give --encoding utf-8"
    if fits(raw, "cp1252"):
        character = raw[byte : byte + 1].decode("cp1252")
        return found + f"probably cp1252 (there it is {character!r}): give --encoding cp1252"
    return found + "name the file's encoding with --encoding, or convert it to UTF-8"


def fits(raw: bytes, encoding: str) -> bool:
    """Whether bytes are text in an encoding."""
    try:
        raw.decode(encoding)
    except UnicodeDecodeError:
        return False
    return True


def _delimiter(path: Path, given: str | None) -> str:
    if given is None:
        named = TABLE.search(path.name)
        return "\t" if named and named["tab"] else ","
    delimiter = "\t" if given == r"\t" else given
    if len(delimiter) != 1 or delimiter in '"\r\n\0':
        raise BadInput(f"--delimiter {given!r}: expected one character, such as ',', ';' or '\\t'")
    return delimiter


def codec_of(encoding: str) -> str:
    """The encoding by its usual name; raises BadInput unless lines can be told apart in it before it is decoded."""
    try:
        codec = codecs.lookup(encoding).name
        keeps_ascii = b'a,"\n'.decode(codec) == 'a,"\n'
    except (LookupError, ValueError):
        keeps_ascii = False
    if not keeps_ascii:
        raise BadInput(
            f"--encoding {encoding!r}: not a text encoding that keeps ASCII; expected one such as utf-8 or cp1252; "
            "convert the file to UTF-8"
        )
    return codec


def _raise(complaint: Complaint) -> None:
    raise BadRecord(complaint)


def _lines(start: int, end: int) -> str:
    return f"line {start}" if start == end else f"lines {start} to {end}"


def _quoted(names: Sequence[str]) -> str:
    shown = ", ".join(_short(name, NAME_SHOWN) for name in names[:NAMES_SHOWN])
    rest = len(names) - NAMES_SHOWN
    return f"{shown} and {rest} more" if rest > 0 else shown


def _short(text: str, size: int) -> str:
    return repr(text if len(text) <= size else f"{text[:size]}...")
