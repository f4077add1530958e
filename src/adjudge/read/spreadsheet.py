"""Spreadsheets (.xlsx): each row of each sheet by the names of its columns, as text."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import dropwhile
from pathlib import Path
from typing import Any

from adjudge.core.errors import BadInput, Complaint
from adjudge.core.install import install_command
from adjudge.core.suite import Refuse
from adjudge.read.columns import header_fault, quote_columns
from adjudge.read.opening import open_file, reason_of
from adjudge.read.source import DAMAGE, LIMITS, Meter, ReadLimits

Cells = list[str]


def is_spreadsheet(path: Path) -> bool:
    """Whether a file is a spreadsheet by its name.

    >>> is_spreadsheet(Path("visits.XLSX")), is_spreadsheet(Path("visits.csv"))
    (True, False)
    """
    return path.suffix.lower() == ".xlsx"


def sheet_rows(
    path: Path, required: Sequence[str], limits: ReadLimits, refuse: Refuse
) -> Iterator[tuple[str, dict[str, str]]]:
    """Every row of every sheet that is not empty, with its place, such as `visits.xlsx/Sheet1:2`.

    The first row of a sheet that is not empty is its header. Formulas count as the values that were saved with them.
    """
    _check_size(path, limits)
    book = _open_book(path)
    empty = True
    for sheet in book.worksheets:
        for place, row in _records(f"{path}/{sheet.title}", sheet, required, refuse):
            empty = False
            yield place, row
    if empty:
        raise BadInput(f"{path}: empty; expected a sheet with a header and rows; check that it was saved")


def sheet_columns(path: Path, limits: ReadLimits = LIMITS) -> list[str]:
    """The names of the columns of the first sheet that is not empty."""
    _check_size(path, limits)
    for sheet in _open_book(path).worksheets:
        for row in sheet.iter_rows(values_only=True):
            if names := _texts(row):
                return names
    return []


def _records(name: str, sheet: Any, required: Sequence[str], refuse: Refuse) -> Iterator[tuple[str, dict[str, str]]]:
    rows = ((number, _texts(row)) for number, row in enumerate(sheet.iter_rows(values_only=True), 1))
    filled = ((number, cells) for number, cells in rows if cells)
    start, columns = next(filled, (1, []))
    if columns and (fault := header_fault(columns, required)):
        raise BadInput(f"{name}:{start}: {fault}")
    for number, cells in filled:
        if len(cells) > len(columns):
            fault = f"found {len(cells)} cells; expected {len(columns)}: {quote_columns(columns)}; name every column"
            refuse(Complaint(f"{name}:{number}", fault))
        else:
            yield f"{name}:{number}", dict(zip(columns, cells + [""] * (len(columns) - len(cells)), strict=True))


def _texts(row: Sequence[Any]) -> Cells:
    """The cells of a row as text, without the empty ones at its end."""
    texts = [_text(value) for value in row]
    return list(dropwhile(lambda text: not text, reversed(texts)))[::-1]


def _text(value: Any) -> str:
    """The value of a cell as a CSV file would have it: 7 and not 7.0, 2026-01-31 and not a day at midnight."""
    if value is None:
        return ""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, datetime) and value.time().isoformat() == "00:00:00":
        return value.date().isoformat()
    return value.isoformat(" ") if isinstance(value, datetime) else str(value)


def _check_size(path: Path, limits: ReadLimits) -> None:
    """Raise BadInput for what is no spreadsheet, or would be too large when unpacked."""
    try:
        with open_file(path) as file, zipfile.ZipFile(file) as archive:
            Meter(path.stat().st_size, limits).add(str(path), sum(info.file_size for info in archive.infolist()))
    except DAMAGE as fault:
        raise BadInput(f"{path}: {reason_of(fault)}; expected a spreadsheet (.xlsx); save it again") from None


def _open_book(path: Path) -> Any:
    try:
        from openpyxl import load_workbook
    except ImportError:
        raise BadInput(f"{path}: reading .xlsx needs openpyxl: {install_command('xlsx')}; or save it as CSV") from None
    try:
        return load_workbook(path, read_only=True, data_only=True)
    except Exception as fault:  # The library raises whatever its parsers raise.
        raise BadInput(f"{path}: {reason_of(fault)}; expected a spreadsheet (.xlsx); save it again") from None
