"""Tables, CSV or spreadsheets: each row by the names of its columns, with the line it starts at."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from adjudge.core.errors import BadInput, Complaint, Warnings
from adjudge.read.columns import header_fault, quote_columns, quote_short
from adjudge.read.encodings import codec_of
from adjudge.read.files import Refuse, raise_complaint
from adjudge.read.source import LIMITS, ReadLimits, contents
from adjudge.read.spreadsheet import is_spreadsheet, sheet_rows
from adjudge.read.table_text import CLOSING, Cells, DelimitedTable, Marks, TextRow, line_range

# visits.csv, visits.TSV.gz
TABLE = re.compile(r"\.(csv|(?P<tab>tsv))(\.(gz|zip))?\Z", re.IGNORECASE)
DELIMITERS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "pipes"}

# NUL, or half of a surrogate pair.
UNFIT = re.compile(r"[\x00\ud800-\udfff]")

AROUND = 10
HEADER_SHOWN = 80


def is_table(path: Path) -> bool:
    """Whether a file is a table by its name: CSV or TSV, plain or in gzip or zip, or a spreadsheet.

    >>> [is_table(Path(name)) for name in ("a.csv", "B.CSV.GZ", "c.tsv", "d.csv.zip", "e.xlsx", "csv.jsonl")]
    [True, True, True, True, True, False]
    """
    return TABLE.search(path.name) is not None or is_spreadsheet(path)


def table_rows(
    path: Path,
    warnings: Warnings,
    *,
    required: Sequence[str] = (),
    delimiter: str | None = None,
    encoding: str = "utf-8",
    limits: ReadLimits = LIMITS,
    refuse: Refuse | None = None,
) -> Iterator[tuple[str, dict[str, str]]]:
    r"""Every row of a table as a dict by column name, with the place it starts at.

    The file is a spreadsheet (.xlsx) or CSV: plain, in gzip, or in a zip whose members are read in name order, each
    with its own header. It is streamed: memory is bounded by the longest row, which may have `limits.line_bytes`. What
    spoils one row goes to `refuse` and reading goes on after it; without `refuse` it raises BadRecord. What spoils the
    file raises BadInput. A delimiter of None is a tab for `.tsv` and else a comma; `\t` in two characters is one, too.
    """
    if is_spreadsheet(path):
        yield from sheet_rows(path, required, limits, refuse or raise_complaint)
        return
    codec, marks = codec_of(encoding), Marks.of(_delimiter(path, delimiter))
    for name, reader in contents(path, warnings, limits):
        yield from _records(DelimitedTable(name, reader, marks, codec, limits), required, refuse or raise_complaint)


def _records(table: DelimitedTable, required: Sequence[str], refuse: Refuse) -> Iterator[tuple[str, dict[str, str]]]:
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


def _columns(table: DelimitedTable, rows: Iterator[TextRow], required: Sequence[str]) -> list[str]:
    """The names in the header; raises BadInput."""
    header = next((row for row in rows if not _is_blank(row, table.marks)), None)
    if header is None:
        raise BadInput(
            f"{table.name}: empty; expected a header line and rows; check that the program that wrote it finished"
        )
    cells = table.marks.split(header.text)
    names = cells.values
    fault = (
        _fault(header, cells, table.marks)
        or _other_delimiter(header.text, names, required, table.marks.delimiter)
        or header_fault(names, required)
    )
    if fault:
        raise BadInput(f"{table.at(header.start)}: {fault}")
    return names


def _fault(row: TextRow, cells: Cells, marks: Marks) -> str:
    """Why a row cannot be read, empty if it can."""
    if row.fault:
        return row.fault
    if ("\0" in row.text or not row.text.isascii()) and (unfit := UNFIT.search(row.text)):
        return _unfit(row.text, unfit.start())
    return "" if cells.broken is None else _broken_cell(row, cells.broken, marks)


def _unfit(text: str, place: int) -> str:
    around = text[max(0, place - AROUND) : place + AROUND].encode("utf-8", "surrogatepass").decode("utf-8", "replace")
    if text[place] == "\0":
        return f"a NUL byte, near {around!r}; expected text; the file may be damaged: write it again"
    return f"half a character, near {around!r}; expected whole characters; the file may be cut: write it again"


def _broken_cell(row: TextRow, place: int, marks: Marks) -> str:
    text = row.text
    if not text.startswith('"', place):
        return (
            f"a carriage return outside quotes, near {text[place : place + 2 * AROUND]!r}; "
            "expected lines that end in LF or CRLF; convert the line ends or quote the cell"
        )
    closing = CLOSING.match(text, place + 1)
    if closing is None:
        return (
            f"a quote opens this cell and is never closed: it takes {line_range(row.start, row.end)} to the end; "
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
        f"found {count} {'cell' if count == 1 else 'cells'}; expected {len(columns)}: {quote_columns(columns)}; "
        "quote a cell that holds a delimiter or a line break"
    )


def _is_blank(row: TextRow, marks: Marks) -> bool:
    return row.text.isspace() and marks.delimiter not in row.text


def _other_delimiter(header: str, names: list[str], required: Sequence[str], delimiter: str) -> str:
    """What to say of a header that looks separated by something else, empty if it does not."""
    known = len({*required} & {*names})
    if len(names) > 1 and known == len({*required}):
        return ""
    for other, word in DELIMITERS.items():
        cells = Marks.of(other).split(header).values
        if len(cells) > len(names) and (len(names) == 1 or len({*required} & {*cells}) > known):
            return (
                f"the header {quote_short(header, HEADER_SHOWN)} looks separated by {word}; "
                f"expected {delimiter!r} between cells; give --delimiter {other!r}"
            )
    return ""


def _delimiter(path: Path, given: str | None) -> str:
    if given is None:
        named = TABLE.search(path.name)
        return "\t" if named and named["tab"] else ","
    delimiter = "\t" if given == r"\t" else given
    if len(delimiter) != 1 or delimiter in '"\r\n\0':
        raise BadInput(f"--delimiter {given!r}: expected one character, such as ',', ';' or '\\t'")
    return delimiter
