"""Where trips come from: our own records, tables of dialogues, plans of TravelPlanner and TripCraft."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import msgspec
from msgspec import structs

from adjudge.convert.chat import row_object
from adjudge.core.errors import BadInput, Warnings
from adjudge.core.shard import Shard
from adjudge.core.suite import Options, Refuse
from adjudge.read.arms import arm_at, arms_of
from adjudge.read.decode import decode, lenient_row
from adjudge.read.files import rows
from adjudge.read.shards import can_be_split, first_line, shard_rows
from adjudge.read.source import contents
from adjudge.read.spreadsheet import is_spreadsheet, sheet_columns
from adjudge.read.tables import is_table
from adjudge.suites.trip.data import Trip
from adjudge.suites.trip.read.catalogues import Catalogues
from adjudge.suites.trip.read.chats import chat_columns, gather_chats, is_message
from adjudge.suites.trip.read.dialogue_csv import trip_of
from adjudge.suites.trip.read.formats import complete_trip, reader_of
from adjudge.suites.trip.read.mojibake import may_hold_mojibake, repair_all
from adjudge.suites.trip.read.plans import Plans
from adjudge.suites.trip.read.sheets import DECODER, MARK, TableFormat, sheets
from adjudge.suites.trip.read.survey import TripSurvey
from adjudge.tools.storage import input_path

# As much of a file tells whether it is a table, in bytes.
HEAD = 4096
MOJIBAKE = "mojibake"
SHOWN = 30


Row = tuple[str, bytes]


class TripSource:
    """The trips of the files, each with the catalogue that belongs to it."""

    def __init__(self, files: list[Path], options: Options) -> None:
        self.warnings = Warnings()
        self.options = options
        self._given = files
        self._arms = arms_of(files, options)
        self._format = TableFormat(options.get("delimiter"), options.get("encoding") or "utf-8")
        self._tables = {path for path in files if _is_table(path)}
        given, plan = options.get("catalogue"), options.get("plan")
        self._catalogues = Catalogues(input_path(given) if given else None, self.warnings)
        self._plans = Plans(input_path(plan) if plan else None, self.warnings)

    @property
    def files(self) -> list[Path]:
        """Every file that is read."""
        return [*self._given, *filter(None, (self._catalogues.path, self._plans.path))]

    def rows(self, warnings: Warnings, refuse: Refuse | None = None) -> Iterator[tuple[str, bytes]]:
        """The undecoded trips in order, each with its place."""
        for path in self._given:
            yield from self._rows_of(path, rows(path, warnings, refuse=refuse), warnings, refuse)

    def shardable_files(self) -> dict[Path, bool]:
        """The files; tables and messages of chats are not split, because a trip goes on from row to row."""
        return {path: path not in self._tables and self._is_split(path) for path in self._given}

    def shard_rows(self, shard: Shard, warnings: Warnings, refuse: Refuse | None = None) -> Iterator[tuple[str, bytes]]:
        """The undecoded trips of a shard."""
        path = input_path(shard.file)
        return self._rows_of(path, shard_rows(shard, warnings, refuse, path), warnings, refuse)

    def _rows_of(
        self, path: Path, json_rows: Iterator[Row], warnings: Warnings, refuse: Refuse | None
    ) -> Iterator[Row]:
        """The trips of a table, or of rows of JSON."""
        if path not in self._tables:
            return gather_chats(json_rows)
        form = structs.replace(self._format, columns=_chat_columns(path, self._format))
        return sheets(path, form, warnings, refuse)

    def _is_split(self, path: Path) -> bool:
        first = first_line(path)
        return bool(first) and can_be_split(path) and not is_message(row_object(first))

    def records(self, where: str, row: bytes, warnings: Warnings) -> list[Trip]:
        """The trip of one row."""
        trip = self._with_catalogue(where, self._with_plan(self._read(where, row, warnings), warnings), warnings)
        if may_hold_mojibake(row):
            trip = self._legible(where, row, trip, warnings)
        return [complete_trip(where, trip, arm_at(where, self._arms), warnings)]

    def survey(self) -> TripSurvey:
        """An empty survey of these records."""
        return TripSurvey()

    def _read(self, where: str, row: bytes, warnings: Warnings) -> Trip:
        lenient = bool(self.options.get("lenient"))
        if row.startswith(MARK):
            return trip_of(where, decode(where, row, DECODER), warnings, lenient=lenient)
        row = lenient_row(where, row, warnings) if lenient else row
        return reader_of(where, row)(where, row, warnings)

    def _with_plan(self, trip: Trip, warnings: Warnings) -> Trip:
        """The trip with its plan from the file of plans, if it has no plan of its own."""
        reading = None if trip.plan else self._plans.of((trip.id, trip.case), warnings)
        return structs.replace(trip, plan=reading.plan, plan_fault=reading.fault) if reading else trip

    def _with_catalogue(self, where: str, trip: Trip, warnings: Warnings) -> Trip:
        """The trip with its catalogue from the file of catalogues, if it has none of its own."""
        if self._catalogues.path is None or trip.catalogue:
            return trip
        ids = (trip.id, trip.case, trip.id.removeprefix("travelplanner-"))
        catalogue = self._catalogues.of(where, ids, warnings)
        return structs.replace(trip, catalogue=catalogue.entries, legs=trip.legs or catalogue.legs)

    def _legible(self, where: str, row: bytes, trip: Trip, warnings: Warnings) -> Trip:
        """The trip, with garbled texts repaired if the user asked for it; a warning names each garbled text."""
        changes: list[tuple[str, str]] = []
        better = repair_all(msgspec.to_builtins(trip), changes)
        repairs = bool(self.options.get("fix-mojibake"))
        for garbled, meant in changes:
            what = f"{_first_difference(garbled, meant)!r} looks garbled (UTF-8 read as cp1252)"
            done = (
                f"read as {_first_difference(meant, garbled)!r}"
                if repairs
                else "kept as it is; --fix-mojibake repairs it"
            )
            # Only the first one is shown, so the row is only searched for that one.
            at = where if warnings.counts.get(MOJIBAKE) else _place_of(garbled, where, row)
            warnings.add(MOJIBAKE, f"{at}: {what}: {done}")
        return msgspec.convert(better, Trip) if repairs and changes else trip


def _place_of(text: str, where: str, row: bytes) -> str:
    """The place of the row with a text in one of its cells, as it is or escaped by JSON or Python."""
    if not row.startswith(MARK):
        return where
    forms = {text, json.dumps(text)[1:-1], json.dumps(text, ensure_ascii=False)[1:-1], ascii(text)[1:-1]}
    lines = decode(where, row, DECODER).lines
    held = (line for line in lines if any(form in cell for cell in line.cells.values() for form in forms))
    line = next(held, lines[0])
    return f"{where.rpartition(':')[0]}:{line.number}"


def _first_difference(text: str, other: str) -> str:
    """The part of a text where it first differs from another."""
    place = next((place for place, pair in enumerate(zip(text, other, strict=False)) if pair[0] != pair[1]), 0)
    return text[max(0, place - SHOWN // 2) : place + SHOWN // 2]


def _chat_columns(path: Path, form: TableFormat) -> dict[str, str]:
    """The columns of a table of messages by our names; empty for a dialogue table."""
    if is_spreadsheet(path):
        return chat_columns("\t".join(sheet_columns(path)), "\t")
    parts = contents(path, Warnings())
    _, reader = next(parts)
    head = reader.peek(HEAD)[:HEAD].decode(form.encoding, "replace").lstrip("\ufeff\r\n")
    lines = head.splitlines()
    tabs = path.name.lower().removesuffix(".gz").endswith(".tsv")
    delimiter = (form.delimiter or "").replace(r"\t", "\t") or ("\t" if tabs else ",")
    return chat_columns(lines[0], delimiter) if lines and len(delimiter) == 1 else {}


def _is_table(path: Path) -> bool:
    """Whether a file holds tables of dialogues, by how it begins; raises BadInput if it also holds other files."""
    if is_spreadsheet(path):
        return True
    kinds = {name: _begins_table(Path(name), reader.peek(HEAD)[:HEAD]) for name, reader in contents(path, Warnings())}
    if len(set(kinds.values())) > 1:
        table, other = (next(name for name, kind in kinds.items() if kind is wanted) for wanted in (True, False))
        raise BadInput(f"{path}: {table!r} is a table, {other!r} is not; expected files of one kind; split the archive")
    return True in kinds.values()


def _begins_table(path: Path, head: bytes) -> bool:
    start = head.lstrip()
    if start.startswith((b"{", b"[")):
        return False
    return is_table(path) or b"speaker" in start.split(b"\n")[0].lower()
