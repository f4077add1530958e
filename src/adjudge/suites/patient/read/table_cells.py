"""The cells of a table by the names of its columns, whatever separates them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from adjudge.core.errors import Warnings
from adjudge.read.files import Refuse
from adjudge.read.source import contents
from adjudge.read.spreadsheet import is_spreadsheet
from adjudge.read.table_text import Marks
from adjudge.read.tables import DELIMITERS, table_rows

Cells = dict[str, str]

# The number of bytes in which the header of a table is looked for.
HEAD = 4096


def cells_of(
    path: Path, encoding: str, warnings: Warnings, refuse: Refuse | None = None
) -> Iterator[tuple[str, Cells]]:
    """Every row of a table by the names of its columns, without the spaces around cells, and with its place."""
    delimiter = _delimiter_of(path)
    for where, row in table_rows(path, warnings, delimiter=delimiter, encoding=encoding, refuse=refuse):
        yield where, {name.strip(): cell.strip() for name, cell in row.items()}


def header_of(head: str) -> list[str]:
    """The names of the columns if a text begins with a header; a line without a delimiter is none."""
    line = head.lstrip("\ufeff \r\n").split("\n")[0].rstrip("\r")
    names = Marks.of(_delimiter_in(line)).split(line).values
    return names if len(names) > 1 else []


def _delimiter_of(path: Path) -> str | None:
    """The delimiter of a CSV file; None for a spreadsheet, which has none."""
    if is_spreadsheet(path):
        return None
    _, reader = next(contents(path, Warnings()))
    return _delimiter_in(reader.peek(HEAD)[:HEAD].lstrip().split(b"\n")[0].decode("utf-8", "replace"))


def _delimiter_in(line: str) -> str:
    """The delimiter that stands most often in a line, outside quotes."""
    return max(DELIMITERS, key="".join(line.split('"')[::2]).count)
