"""Rows of the same case, arm and trial: one of them is scored, never two."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from hashlib import blake2b
from typing import NamedTuple

from adjudge.core.errors import BadInput, BadRecord, Warnings
from adjudge.core.record import Key
from adjudge.core.shard import Shard
from adjudge.engines.job import Job
from adjudge.engines.rows import ignore


class RowContent(NamedTuple):
    """A row: its number in its shard, its place, the key of its first record, and a digest of its bytes."""

    number: int
    where: str
    key: Key
    content: bytes


def repeated_rows(numbers: Sequence[Sequence[int]], keys: Sequence[bytes]) -> dict[int, set[int]]:
    """The rows whose key may stand elsewhere too, by shard.

    `numbers` are the numbers of rows in each shard, and `keys` the digests of the keys of their first records.
    """
    import numpy as np

    digests = np.frombuffer(b"".join(keys), np.uint64)
    _, inverse, counts = np.unique(digests, return_inverse=True, return_counts=True)
    if len(counts) == len(digests):
        return {}
    shards = np.repeat(np.arange(len(keys)), [len(rows) for rows in numbers])
    rows = np.concatenate([np.asarray(rows, np.int64) for rows in numbers])
    repeated: dict[int, set[int]] = {}
    for place in np.flatnonzero(counts[inverse] > 1):
        repeated.setdefault(int(shards[place]), set()).add(int(rows[place]))
    return repeated


def rows_at(job: Job, shard: Shard, numbers: Collection[int]) -> list[RowContent]:
    """The rows of a shard that have these numbers."""
    return list(_rows_at(job, shard, numbers))


def _rows_at(job: Job, shard: Shard, numbers: Collection[int]) -> Iterator[RowContent]:
    for number, (where, row) in enumerate(job.source.shard_rows(shard, Warnings(), ignore)):
        if number in numbers:
            try:
                records = job.source.records(where, row, Warnings())
            except BadRecord:
                continue  # Refused with its reason when the shard is surveyed.
            yield RowContent(number, where, records[0].key, blake2b(row).digest())


def excluded_rows(
    shards: Mapping[int, Sequence[RowContent]], on_duplicate: str, warnings: Warnings
) -> dict[int, set[int]]:
    """The rows that are left out, by shard, by the plan's `on_duplicate`: error, first or last.

    Raises BadInput where it is unclear which row of a key is meant.
    """
    used: dict[Key, tuple[int, RowContent]] = {}
    excluded: dict[int, set[int]] = {}
    for shard, rows in sorted(shards.items()):
        for row in rows:
            earlier = used.setdefault(row.key, (shard, row))
            if earlier == (shard, row):
                continue
            left_out = _row_left_out(earlier, (shard, row), on_duplicate, warnings)
            excluded.setdefault(left_out[0], set()).add(left_out[1].number)
            if left_out is earlier:
                used[row.key] = (shard, row)
    return excluded


def _row_left_out(
    earlier: tuple[int, RowContent], later: tuple[int, RowContent], on_duplicate: str, warnings: Warnings
) -> tuple[int, RowContent]:
    """The one of two rows of the same key that is not scored."""
    first, second = earlier[1], later[1]
    if on_duplicate == "last":
        warnings.add("duplicate", f"{first.where}: repeated at {second.where}; the first one was left out")
        return earlier
    if first.content != second.content and on_duplicate != "first":
        raise BadInput(
            f"{second.where}: the same case is at {first.where} with different content; expected one of each; "
            "remove one, or choose with --on-duplicate first|last"
        )
    warnings.add("duplicate", f"{second.where}: repeats {first.where}; left out")
    return later
