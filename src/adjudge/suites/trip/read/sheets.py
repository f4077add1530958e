"""Tables of dialogues: a row for each turn, the rows of one dialogue together."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
from msgspec import Struct, structs

from adjudge.core.errors import BadInput, Warnings
from adjudge.core.suite import Refuse
from adjudge.read.grouping import Key, RowGroup, RowGrouping
from adjudge.read.tables import table_rows
from adjudge.suites.trip.read.catalogues import is_reference_column

REQUIRED = ("speaker", "intent", "utterance")
OPTIONAL = ("constraint_state", "plan")
DIALOGUE_KEYS = ("dialogue_id", "conversation_id", "scenario_id", "condition", "trial")

# What table libraries write into a cell without a value; in the text of a turn it may be what was said.
BLANK = frozenset({"", "nan", "none", "null"})

# The beginning of a row of a dialogue table when it is passed on.
MARK = b'{"table":"dialogue",'


class SheetRow(Struct, frozen=True, array_like=True):
    """One row of a table: the line it starts at and its cells that are not empty."""

    number: int
    cells: dict[str, str]


class DialogueSheet(Struct, frozen=True, tag_field="table", tag="dialogue"):
    """The rows of one dialogue."""

    lines: tuple[SheetRow, ...]


class TableFormat(Struct, frozen=True):
    """How tables are written; `columns` maps the columns of a table of messages to our names."""

    delimiter: str | None = None
    encoding: str = "utf-8"
    columns: dict[str, str] = {}

    @property
    def required_columns(self) -> tuple[str, ...]:
        """The columns that a table must have."""
        return tuple(name for name, ours in self.columns.items() if ours in REQUIRED) or REQUIRED


DECODER = msgspec.json.Decoder(DialogueSheet)
ENCODE = msgspec.json.Encoder().encode


def sheets(path: Path, form: TableFormat, warnings: Warnings, refuse: Refuse | None) -> Iterator[tuple[str, bytes]]:
    """The dialogues of a table, encoded, each with the place of its first row.

    A refused row spoils its dialogue. If it stands between two dialogues, it spoils both.
    """
    groups = RowGrouping[SheetRow](warnings, refuse)
    remarked: set[str] = set()
    for where, row in table_rows(
        path,
        warnings,
        required=form.required_columns,
        delimiter=form.delimiter,
        encoding=form.encoding,
        refuse=groups.refuse,
    ):
        file, _, line = where.rpartition(":")
        cells = {form.columns.get(name, name): cell for name, cell in row.items()}
        sheet_row = SheetRow(int(line), {name: cell for name, cell in cells.items() if _is_filled(name, cell)})
        key = _dialogue_names(sheet_row, groups.key_above(where))
        yield from map(_encode, groups.take(where, key, sheet_row))
        if not form.columns and file not in remarked:
            remarked.add(file)
            _remark_columns(file, cells, warnings)
    yield from map(_encode, groups.finish())
    if groups.is_empty:
        raise BadInput(f"{path}: no row below the header; expected a row for each turn")


def _remark_columns(file: str, cells: dict[str, str], warnings: Warnings) -> None:
    """Warn of the columns that a table of dialogues does not have."""
    missing = [name for name in OPTIONAL if name not in cells]
    missing += [] if any(map(is_reference_column, cells)) else ["ref_info_..."]
    if missing:
        warnings.add("columns", f"{file}: no column {', '.join(missing)}: what they would hold is not known")


def _is_filled(column: str, cell: str) -> bool:
    """Whether a cell holds anything."""
    return bool(cell.strip()) and (column in REQUIRED or cell.strip().lower() not in BLANK)


def _dialogue_names(line: SheetRow, before: Key) -> Key:
    """The cells that identify the dialogue of a row; an empty cell repeats the one above it."""
    above = before or ("",) * len(DIALOGUE_KEYS)
    return tuple(line.cells.get(name, "").strip() or old for name, old in zip(DIALOGUE_KEYS, above, strict=True))


def _encode(group: RowGroup[SheetRow]) -> tuple[str, bytes]:
    """A dialogue as a row of JSON, with only its last plan, and each repeated cell of reference information once."""
    lines = group.rows
    last_plan = next((line.number for line in reversed(lines) if "plan" in line.cells), 0)
    seen: set[tuple[str, str]] = set()
    kept: list[SheetRow] = []
    for line in lines:
        cells = dict(line.cells)
        if line.number != last_plan:
            cells.pop("plan", None)
        for name in [name for name in cells if is_reference_column(name)]:
            if (name, cells[name]) in seen:
                del cells[name]
            else:
                seen.add((name, cells[name]))
        kept.append(structs.replace(line, cells=cells))
    return group.where, ENCODE(DialogueSheet(tuple(kept)))
