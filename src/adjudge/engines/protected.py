"""Records under a data use agreement, recognised by one rule in the files of every suite."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from msgspec import structs

from adjudge.core.credentials import protection_of_place, protection_of_row
from adjudge.core.errors import Warnings
from adjudge.core.record import Record
from adjudge.core.shard import Shard
from adjudge.core.suite import MergeableSurvey, Refuse, ShardedSource, Source, Survey


class ProtectedSource:
    """A suite's source that marks records as credentialed where any field of their row looks so.

    Any source has shards: one that cannot be read in parts has a single one, which names no file.
    """

    def __init__(self, source: Source) -> None:
        self._source = source
        self._numbered: Iterator[tuple[int, tuple[str, bytes]]] | None = None
        self._next = 0

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

    def unmarked_records(self, where: str, row: bytes, warnings: Warnings) -> Sequence[Record]:
        """The records of one row of which none looks credentialed, as an earlier look has shown; raises BadRecord."""
        return self._source.records(where, row, warnings)

    def shardable_files(self) -> Mapping[Path, bool]:
        """The files that processes can read by themselves, and whether each may be split; empty if none can."""
        source = self._source
        if not isinstance(source, ShardedSource) or not isinstance(source.survey(), MergeableSurvey):
            return {}
        return source.shardable_files()

    def shard_rows(self, shard: Shard, warnings: Warnings, refuse: Refuse | None = None) -> Iterator[tuple[str, bytes]]:
        """The undecoded rows of a shard, with the places that `rows` gives them."""
        if not shard.file:
            return self._range_of_rows(shard, warnings, refuse)
        assert isinstance(self._source, ShardedSource)
        return self._source.shard_rows(shard, warnings, refuse)

    def survey(self) -> Survey:
        """An empty survey of these records."""
        return self._source.survey()

    def _range_of_rows(self, shard: Shard, warnings: Warnings, refuse: Refuse | None) -> Iterator[tuple[str, bytes]]:
        """The rows of a range; reading goes on from the range before, if that was the last one that was read."""
        if self._numbered is None or shard.start == 0 or shard.start < self._next:
            self._numbered, self._next = enumerate(self._source.rows(warnings, refuse)), 0
        for number, placed in self._numbered:
            self._next = number + 1
            if number >= shard.start:
                yield placed
            if self._next == shard.stop:
                return

    def _mark(self, record: Record, why: str, warnings: Warnings) -> Record:
        if record.credentialed or not why:
            return record
        warnings.add("credentialed", f"{record.case or record.id}: taken as credentialed because of {why}")
        return structs.replace(record, credentialed=True)
