"""Shards: the parts of the input that processes read, survey and score by themselves."""

from __future__ import annotations

from msgspec import Struct


class Shard(Struct, frozen=True, omit_defaults=True):
    """A range of a file, or a range of all rows if it names no file.

    `start` and `stop` count bytes from the start of one line to the start of another; in a file of row groups, they
    count row groups; without a file, they count rows. A `stop` of None means the end. `line` is the number of the first
    line or row, `offset` about as many bytes as stand before it, and `size` the size of the whole file in bytes: a
    process that finds another size has another file.

    >>> str(Shard("talks.jsonl", 0, 4096))
    'talks.jsonl, bytes 0 to 4,096'
    """

    file: str
    start: int = 0
    stop: int | None = None
    line: int = 1
    offset: int = 0
    size: int = 0
    unit: str = "bytes"

    def __str__(self) -> str:
        if self.stop is None:
            return self.file
        return f"{self.file or 'the input'}, {self.unit} {self.start:,} to {self.stop:,}"
