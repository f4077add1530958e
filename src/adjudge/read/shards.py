"""Splitting files into ranges of lines that processes read by themselves, with the same places as in one reading."""

from __future__ import annotations

import io
import itertools
from collections.abc import Iterator
from pathlib import Path

from adjudge.core.errors import BadInput, Warnings
from adjudge.core.shard import Shard
from adjudge.read.columnar import is_columnar
from adjudge.read.files import FilePart, Refuse, Row, first_json_line, line_rows, part_rows, raise_complaint, rows
from adjudge.read.line_ends import count_line_ends
from adjudge.read.opening import open_file
from adjudge.read.row_groups import row_group_rows, row_groups
from adjudge.read.source import BLOCK, GZIP, LIMITS, ZIP, content_of_range, contents


def first_line(path: Path) -> bytes:
    """The first record of a file of JSON lines, plain or in gzip; empty for any other file."""
    if _magic(path).startswith(ZIP):
        return b""
    for name, reader in contents(path, Warnings()):
        return first_json_line(FilePart(name, reader, LIMITS, raise_complaint))
    return b""


def can_be_split(path: Path) -> bool:
    """Whether a file is not packed, so that it can be read from any line or row group."""
    return not _magic(path).startswith((GZIP, *ZIP))


def split_file(path: Path, size: int, cut: int = 0) -> Iterator[Shard]:
    """The shards of a file that can be split: ranges of about so many bytes.

    No range reaches over the first line or row group at or after `cut`, whatever the size.
    """
    return split_row_groups(path, size, cut) if is_columnar(_magic(path)) else split_lines(path, size, cut)


def split_row_groups(path: Path, size: int, cut: int = 0) -> Iterator[Shard]:
    """The shards of a Parquet or Arrow file; the bytes of a row group are taken as its share of the rows."""
    groups, total = row_groups(path), size_of(path)
    bytes_each = total / max(1, sum(groups))
    rows_before = [0, *itertools.accumulate(groups)]
    start = 0
    for stop in range(1, len(groups) + 1):
        first, last = (round(rows_before[place] * bytes_each) for place in (start, stop))
        if last - first >= size or first < cut <= last or stop == len(groups):
            yield Shard(str(path), start, stop, rows_before[start] + 1, first, total, "row groups")
            start = stop


def split_lines(path: Path, size: int, cut: int = 0) -> Iterator[Shard]:
    """The shards of a plain file of JSON lines: ranges of about so many bytes, from line start to line start.

    No range reaches over the first line start at or after `cut`, whatever the size.
    """
    with open_file(path) as file:
        total, start, line = path.stat().st_size, 0, 1
        while start < total:
            wanted = cut if start < cut < start + size else start + size
            stop = _line_start(file, wanted, total)
            yield Shard(str(path), start, stop, line, start, total)
            file.seek(start)
            line += count_line_ends(file, stop - start)
            start = stop


def whole_file_shard(path: Path) -> Shard:
    """The shard that is a whole file."""
    return Shard(str(path), size=size_of(path))


def check_size(shard: Shard, path: Path | None = None) -> None:
    """Raise BadInput where a process that reads a shard does not see its file, or not the one that was split.

    Here and in `shard_rows`, `path` is that of the file, if it is not on this machine.
    """
    path = path or Path(shard.file)
    if not path.exists():
        raise BadInput(
            f"{shard.file}: no such file here; expected it under the same path as where the command runs; put it "
            "on storage that all machines share, or name it by its address in object storage (s3://...)"
        )
    size = size_of(path)
    if size != shard.size:
        raise BadInput(f"{shard.file}: found {size:,} bytes; expected {shard.size:,}, as when the run began")


def size_of(path: Path) -> int:
    """The size of a file in bytes; raises BadInput where it cannot be opened."""
    with open_file(path):
        return path.stat().st_size


def shard_rows(
    shard: Shard, warnings: Warnings, refuse: Refuse | None = None, path: Path | None = None
) -> Iterator[Row]:
    """The records of a shard, undecoded, each with the place it has in the whole file."""
    path = path or Path(shard.file)
    if shard.stop is None:
        yield from rows(path, warnings, refuse=refuse)
        return
    if shard.unit == "row groups":
        yield from row_group_rows(path, range(shard.start, shard.stop), refuse=refuse)
        return
    with open_file(path) as file:
        file.seek(shard.start)
        piece: io.BufferedReader = io.BufferedReader(_Piece(file, shard.stop - shard.start), BLOCK)
        if shard.start == 0:
            name, reader = content_of_range(piece, shard.file, warnings)
            yield from part_rows(FilePart(name, reader, LIMITS, refuse or raise_complaint))
        else:
            yield from line_rows(FilePart(shard.file, piece, LIMITS, refuse or raise_complaint), shard.line)


class _Piece(io.RawIOBase):
    """The next bytes of a file, as if the file ended after them."""

    def __init__(self, file: io.BufferedReader, length: int) -> None:
        self.file = file
        self.left = length

    def readable(self) -> bool:
        """Always."""
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        """Fill the buffer as far as the piece reaches."""
        view = memoryview(buffer).cast("B")[: self.left]
        count = self.file.readinto(view) if view else 0
        self.left -= count
        return count


def _magic(path: Path) -> bytes:
    with open_file(path) as file:
        return file.peek(4)[:4]


def _line_start(file: io.BufferedReader, wanted: int, total: int) -> int:
    """The first line start at or after a place; the end of the file where there is none."""
    if wanted >= total:
        return total
    file.seek(wanted - 1)
    while (piece := file.readline(BLOCK)) and not piece.endswith(b"\n"):
        pass
    return file.tell()
