"""Records under a data use agreement, recognised by one rule in the files of every suite."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec import structs

from adjudge.core.credentials import protection_of_place, protection_of_row
from adjudge.core.errors import Warnings
from adjudge.core.record import Record
from adjudge.core.suite import Refuse, Source, Survey


class ProtectedSource:
    """A suite's source that marks records as credentialed where any field of their row looks so."""

    def __init__(self, source: Source) -> None:
        self._source = source

    @property
    def files(self) -> list[Path]:
        """Every file that is read."""
        return self._source.files

    @property
    def warnings(self) -> Warnings:
        """The warnings of opening the source."""
        return self._source.warnings

    def rows(self, warnings: Warnings, refuse: Refuse | None = None) -> Iterator[tuple[str, bytes]]:
        """The undecoded rows in order, each with its place in the file; refused rows go to `refuse`."""
        return self._source.rows(warnings, refuse)

    def records(self, where: str, row: bytes, warnings: Warnings) -> Sequence[Record]:
        """The records of one row; raises BadRecord."""
        records = self._source.records(where, row, warnings)
        if all(record.credentialed for record in records):
            return records
        of_row = protection_of_row(row)
        return [
            self._mark(record, of_row or protection_of_place(where, record.id, record.case), warnings)
            for record in records
        ]

    def survey(self) -> Survey:
        """An empty survey of these records."""
        return self._source.survey()

    def _mark(self, record: Record, why: str, warnings: Warnings) -> Record:
        if record.credentialed or not why:
            return record
        warnings.add("credentialed", f"{record.case or record.id}: taken as credentialed because of {why}")
        return structs.replace(record, credentialed=True)
