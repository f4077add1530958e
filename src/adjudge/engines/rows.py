"""The records of shards that have been surveyed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct

from adjudge.core.errors import Complaint, Warnings
from adjudge.core.record import Record
from adjudge.core.shard import Shard
from adjudge.engines.job import Job


class SurveyedShard(Struct, frozen=True):
    """A shard that has been surveyed: the rows that are not scored, and digests of the keys of its records.

    `credentialed` counts the records that are.
    """

    shard: Shard
    excluded: frozenset[int]
    keys: bytes
    credentialed: int = 0


def records_in(job: Job, surveyed: SurveyedShard) -> Iterator[Record]:
    """The records of a shard that are to be scored, in order."""
    read = job.source.records if surveyed.credentialed else job.source.unmarked_records
    for number, (where, row) in enumerate(job.source.shard_rows(surveyed.shard, Warnings(), ignore)):
        if number not in surveyed.excluded:
            yield from read(where, row, Warnings())


def unsplit_files(shards: Iterable[SurveyedShard], largest: int) -> list[str]:
    """The files of more than so many bytes that a single process has to read."""
    return [each.shard.file for each in shards if each.shard.stop is None and each.shard.size > largest]


def ignore(complaint: Complaint) -> None:
    """Refused rows are reported by the survey."""
