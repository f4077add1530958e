"""The shards of a job's input, in the order of its rows."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from adjudge.core.shard import Shard
from adjudge.engines.protected import ProtectedSource
from adjudge.read.shards import size_of, split_file, whole_file_shard

# The size of a shard in bytes. Half a second of work: sending a task costs little beside it, all cores are busy to the
# end, and what a killed process loses is soon done again.
SHARD_BYTES = 8 << 20
# Smaller inputs have smaller shards, at least this large, so that each worker has a few of them.
SMALL_SHARD, SHARDS_EACH = 256 << 10, 4
# The search for repeated keys decodes each row a second time, so it stops after the first 32 MiB.
KEYS_CHECKED = 32 << 20
# The shard of an input that only one process can survey.
EVERYTHING = Shard("", unit="rows")


class PlannedShard(Struct, frozen=True):
    """A shard, and the number of bytes of its rows in which repeated keys are searched for."""

    shard: Shard
    checked: int = 0


def shard_size(source: ProtectedSource, workers: int) -> int:
    """The size of shards in bytes for a number of workers."""
    total = sum(size_of(path) for path in source.shardable_files())
    return min(SHARD_BYTES, max(SMALL_SHARD, total // (SHARDS_EACH * workers)))


def plan_shards(source: ProtectedSource, size: int) -> Iterator[PlannedShard]:
    """The shards of a source, of about `size` bytes; a single one if its records depend on each other.

    The rows in which repeated keys are searched for are the same for any size.
    """
    files = source.shardable_files()
    if not files:
        yield PlannedShard(EVERYTHING, KEYS_CHECKED)
        return
    left = KEYS_CHECKED
    for path, is_split in files.items():
        if is_split:
            for shard in split_file(path, size, max(0, left)):
                yield PlannedShard(shard, shard.size if shard.offset < left else 0)
        else:
            yield PlannedShard(whole_file_shard(path), max(0, left))
        left -= size_of(path)


def split_rows(rows: int, batch: int) -> Iterator[Shard]:
    """The shards of an input that only one process can survey, for scoring: ranges of its rows."""
    for start in range(0, rows, batch):
        yield Shard("", start, min(start + batch, rows), unit="rows")
