"""The survey of one shard, as the process that reads it reports it."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Collection, Sequence
from hashlib import blake2b
from typing import Any

from msgspec import Struct, field

from adjudge.core.errors import BadRecord, Complaint, Warnings
from adjudge.core.record import Key, Record
from adjudge.core.suite import MergeableSurvey, Survey
from adjudge.engines.job import Job
from adjudge.engines.shards import PlannedShard
from adjudge.read.decode import refuse_duplicate_keys

# The records of up to this many rows and bytes stay in memory between the two passes. Larger files are read twice.
KEPT_ROWS = 16_384
KEPT_BYTES = 36 << 20
# The number of bytes of a digest.
DIGEST = 8


def _numbers() -> array[int]:
    return array("L")


class ShardSurvey(Struct):
    """What was counted in a shard.

    `numbers` are the rows that give records, counted from the start of the shard, and `firsts` the first record of
    each; `keys` are the digests of the keys of all records. `seen_rows` counts all rows, `bad_rows` are those that were
    refused.
    `counts` is what the suite's survey counted; a survey that cannot be merged is `survey` itself, which is None in
    what another process sends. `kept` are the records by row, None where they are too many to keep.
    """

    rows: int = 0
    seen_rows: int = 0
    bytes_read: int = 0
    records: int = 0
    credentialed: int = 0
    cases: set[str] = field(default_factory=set)
    numbers: array[int] = field(default_factory=_numbers)
    firsts: array[int] = field(default_factory=_numbers)
    keys: bytearray = field(default_factory=bytearray)
    bad_rows: set[int] = field(default_factory=set)
    complaints: list[Complaint] = field(default_factory=list)
    warnings: Warnings = field(default_factory=Warnings)
    counts: Any = None
    survey: Survey | None = None
    kept: list[Sequence[Record]] | None = None

    def row_keys(self) -> bytes:
        """The digest of the key of the first record of each row that gives records."""
        if len(self.numbers) == self.records:
            return bytes(self.keys)
        return b"".join(self.keys[DIGEST * first : DIGEST * (first + 1)] for first in self.firsts)


def digest(key: Key) -> bytes:
    """A digest of a key that is the same in every process."""
    return blake2b(f"{key.case}\0{key.arm}\0{key.trial}".encode("utf-8", "surrogatepass"), digest_size=DIGEST).digest()


def survey_shard(
    job: Job,
    planned: PlannedShard,
    excluded: Collection[int] = (),
    keep: bool = False,
    progress: Callable[[int], None] | None = None,
) -> ShardSurvey:
    """Read a shard but for the excluded rows; `keep` keeps the records as long as they are few."""
    reading = _ShardReading(job, planned, keep)
    rows = job.source.shard_rows(planned.shard, reading.result.warnings, reading.result.complaints.append)
    for number, (where, row) in enumerate(rows):
        reading.result.seen_rows += 1
        if number in excluded:
            continue
        reading.add_row(number, where, row)
        if progress is not None:
            progress(reading.result.rows)
    return reading.finish()


class _ShardReading:
    """Reads the rows of a shard one after the other."""

    def __init__(self, job: Job, planned: PlannedShard, keep: bool) -> None:
        self.source = job.source
        self.survey = job.source.survey()
        self.left_to_check = planned.checked
        self.result = ShardSurvey(kept=[] if keep else None)

    def add_row(self, number: int, where: str, row: bytes) -> None:
        """Read a row: count its records, or its complaint."""
        result = self.result
        try:
            records = self.read_row(where, row)
        except BadRecord as error:
            result.complaints.append(error.complaint)
            result.bad_rows.add(number)
            return
        result.rows += 1
        if records:
            result.numbers.append(number)
            result.firsts.append(result.records)
        else:
            self.survey.add_unscored(where, row)
        self.count(records)
        self.keep(records)

    def read_row(self, where: str, row: bytes) -> Sequence[Record]:
        """The records of one row; raises BadRecord."""
        self.result.bytes_read += len(row)
        if self.result.bytes_read <= self.left_to_check:
            refuse_duplicate_keys(where, row)
        return list(self.source.records(where, row, self.result.warnings))

    def count(self, records: Sequence[Record]) -> None:
        """Count the records of a row."""
        result = self.result
        for record in records:
            self.survey.add(record)
            result.cases.add(record.case)
            result.keys += digest(record.key)
            result.credentialed += record.credentialed
        result.records += len(records)

    def keep(self, records: Sequence[Record]) -> None:
        """Keep the records of a row as long as they are few."""
        kept = self.result.kept
        if kept is not None:
            kept.append(records)
            if len(kept) > KEPT_ROWS or self.result.bytes_read > KEPT_BYTES:
                self.result.kept = None

    def finish(self) -> ShardSurvey:
        """The result, with what the suite's survey has counted."""
        if isinstance(self.survey, MergeableSurvey):
            self.result.counts = self.survey.counts
        else:
            self.result.survey = self.survey
        return self.result
