"""The tables of a run as CSV, safe to open in a spreadsheet."""

from __future__ import annotations

import csv
import io

import msgspec

from adjudge.aggregate import Row
from adjudge.report.summary import Summary

# A spreadsheet takes a cell that starts with one of these for a formula, some also behind blanks.
_FORMULA = frozenset("=+-@＝＋－＠")
_BLANK = "\x00\u200b\ufeff"
_BREAKS = ("\t", "\r", "\n")

Cell = str | int | float | None


def csv_table(summary: Summary) -> str:
    """One line per metric and arm, then one per metric, arm and group; the fields are those of a row."""
    file = io.StringIO()
    writer = csv.writer(file, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\n")
    writer.writerow(Row.__struct_fields__)
    for row in (*summary.rows, *summary.groups):
        writer.writerow([_cell(value) for value in msgspec.structs.astuple(row)])
    return file.getvalue()


def inert(text: str) -> str:
    """The text with an apostrophe before it where a spreadsheet would take it for a formula.

    >>> inert("=1+1"), inert("1+1")
    ("'=1+1", '1+1')
    """
    start = text.lstrip().lstrip(_BLANK).lstrip()[:1]
    return f"'{text}" if start in _FORMULA or text.startswith(_BREAKS) else text


def protected(value: Cell) -> Cell:
    """The cell, inert where it is text; numbers stay numbers."""
    return inert(value) if isinstance(value, str) else value


def _cell(value: Cell | dict[str, int]) -> Cell:
    if isinstance(value, dict):
        return msgspec.json.encode(value).decode() if value else ""
    return protected(value)
