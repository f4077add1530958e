"""Tables of dialogues: a row for each turn, the rows of one dialogue together."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
from msgspec import Struct, structs

from adjudge.core.errors import BadInput, BadRecord, Complaint, Warnings
from adjudge.core.suite import Refuse
from adjudge.read.tables import table_rows
from adjudge.suites.trip.read.catalogues import is_reference_column

REQUIRED = ("speaker", "intent", "utterance")
OPTIONAL = ("constraint_state", "plan")
DIALOGUE_KEYS = ("dialogue_id", "conversation_id", "scenario_id", "condition", "trial")

# What table libraries write into a cell without a value; in the text of a turn it may be what was said.
BLANK = frozenset({"", "nan", "none", "null"})

# What a row of a table of dialogues begins with when it is handed on.
MARK = b'{"table":"dialogue",'


class Line(Struct, frozen=True, array_like=True):
    """One row of a table: the line it starts at and its cells that are not empty."""

    number: int
    cells: dict[str, str]


class Sheet(Struct, frozen=True, tag_field="table", tag="dialogue"):
    """The rows of one dialogue."""

    lines: tuple[Line, ...]


class Format(Struct, frozen=True):
    """How tables are written; `columns` are our names of those that a table of messages calls otherwise."""

    delimiter: str | None = None
    encoding: str = "utf-8"
    columns: dict[str, str] = {}

    @property
    def required(self) -> tuple[str, ...]:
        """The columns that a table must have."""
        return tuple(name for name, ours in self.columns.items() if ours in REQUIRED) or REQUIRED


DECODER = msgspec.json.Decoder(Sheet)
ENCODE = msgspec.json.Encoder().encode

Names = tuple[str, ...]


def sheets(path: Path, form: Format, warnings: Warnings, refuse: Refuse | None) -> Iterator[tuple[str, bytes]]:
    """The dialogues of a table, encoded, each with the place of its first row.

    A row that is refused spoils its dialogue, and where it stands between two, both.
    """
    gathered = _Gatherer(warnings, refuse)
    for where, row in table_rows(
        path, warnings, required=form.required, delimiter=form.delimiter, encoding=form.encoding, refuse=gathered.refuse
    ):
        file, _, line = where.rpartition(":")
        cells = {form.columns.get(name, name): cell for name, cell in row.items()}
        yield from gathered.take(
            file, Line(int(line), {name: cell for name, cell in cells.items() if _is_filled(name, cell)})
        )
        if not form.columns:
            gathered.remark_columns(file, cells)
    yield from gathered.whole()
    if not gathered.files and not gathered.refused:
        raise BadInput(f"{path}: no row below the header; expected a row for each turn")


class _Gatherer:
    """The dialogue whose rows are being read."""

    def __init__(self, warnings: Warnings, refuse: Refuse | None) -> None:
        self.warnings = warnings
        self.files: dict[str, set[Names]] = {}
        self.refused = 0
        self._refuse = refuse
        self._file = ""
        self._dialogue_names: Names = ()
        self._lines: list[Line] = []
        self._spoiled = self._gap = ""

    def refuse(self, complaint: Complaint) -> None:
        """A row that cannot be read."""
        if self._refuse is None:
            raise BadRecord(complaint)
        self._refuse(complaint)
        self.refused += 1
        self._gap = complaint.where
        if self._gap.rpartition(":")[0] == self._file:
            self._spoiled = self._gap

    def take(self, file: str, line: Line) -> Iterator[tuple[str, bytes]]:
        """Add a row; the dialogue before it where the row begins another."""
        names = _dialogue_names(line, self._dialogue_names if file == self._file else ())
        if file != self._file or names != self._dialogue_names:
            in_gap = self._gap.rpartition(":")[0] == file
            yield from self.whole()
            self._begin(file, names, line)
            self._spoiled = self._gap if in_gap else ""
        self._gap = ""
        self._lines.append(line)

    def whole(self) -> Iterator[tuple[str, bytes]]:
        """The dialogue that has been read, unless a row of it was refused."""
        lines, self._lines = self._lines, []
        if self._spoiled and lines:
            self.warnings.add("spoiled", f"{self._spoiled}: the dialogue of this row is left out with it")
        elif lines:
            yield f"{self._file}:{lines[0].number}", _encode(lines)

    def remark_columns(self, file: str, cells: dict[str, str]) -> None:
        """Say once for each file what its table does not have."""
        if len(self.files[file]) > 1 or len(self._lines) > 1:
            return
        missing = [name for name in OPTIONAL if name not in cells]
        missing += [] if any(map(is_reference_column, cells)) else ["ref_info_..."]
        if missing:
            self.warnings.add("columns", f"{file}: no column {', '.join(missing)}: what they would hold is not known")

    def _begin(self, file: str, names: Names, line: Line) -> None:
        seen = self.files.setdefault(file, set())
        if names in seen:
            shown = ", ".join(name for name in names if name)
            raise BadInput(
                f"{file}:{line.number}: rows of {shown!r} stand further up already, with another dialogue between; "
                "expected the rows of one dialogue together; sort the table by dialogue"
            )
        seen.add(names)
        self._file, self._dialogue_names = file, names


def _is_filled(column: str, cell: str) -> bool:
    """Whether a cell holds anything."""
    return bool(cell.strip()) and (column in REQUIRED or cell.strip().lower() not in BLANK)


def _dialogue_names(line: Line, before: Names) -> Names:
    """What tells the dialogue of a row; an empty cell stands for the same as above."""
    above = before or ("",) * len(DIALOGUE_KEYS)
    return tuple(line.cells.get(name, "").strip() or old for name, old in zip(DIALOGUE_KEYS, above, strict=True))


def _encode(lines: list[Line]) -> bytes:
    """The rows for handing on: of plans only the last, of what is repeated in every row only the first."""
    last_plan = next((line.number for line in reversed(lines) if "plan" in line.cells), 0)
    seen: set[tuple[str, str]] = set()
    kept: list[Line] = []
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
    return ENCODE(Sheet(tuple(kept)))
