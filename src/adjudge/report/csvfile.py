"""Tables as CSV that is safe to open in a spreadsheet."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable

# A spreadsheet reads a cell that starts with one of these as a formula, such as "=1+1"; some also do after blanks.
_FORMULA_STARTS = frozenset("=+-@＝＋－＠")
# Invisible characters that str.lstrip() does not remove: NUL, zero-width space, byte order mark.
_BLANK = "\x00\u200b\ufeff"
_BREAKS = ("\t", "\r", "\n")

Cell = str | int | float | None


def write_csv(header: Iterable[str], rows: Iterable[Iterable[Cell]]) -> bytes:
    """A table as CSV: text quoted and inert, numbers as numbers."""
    file = io.StringIO()
    writer = csv.writer(file, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\n")
    writer.writerow(header)
    writer.writerows([protect_cell(cell) for cell in row] for row in rows)
    return file.getvalue().encode()


def protect_cell(value: Cell) -> Cell:
    """The cell, inert where it is text; numbers stay numbers."""
    return inert(value) if isinstance(value, str) else value


def inert(text: str) -> str:
    """The text with an apostrophe before it if a spreadsheet would read it as a formula.

    >>> inert("=1+1"), inert("1+1")
    ("'=1+1", '1+1')
    """
    start = text.lstrip().lstrip(_BLANK).lstrip()[:1]
    return f"'{text}" if start in _FORMULA_STARTS or text.startswith(_BREAKS) else text
