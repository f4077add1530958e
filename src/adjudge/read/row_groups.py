"""Parts of a Parquet or Arrow file that can be read by themselves: its row groups or record batches."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from adjudge.read.columnar import ColumnarFile, is_columnar
from adjudge.read.files import LIMITS, FilePart, ReadLimits, Refuse, Row, part_rows, raise_complaint
from adjudge.read.opening import open_file
from adjudge.read.source import Meter, columnar_content


def row_groups(path: Path, limits: ReadLimits = LIMITS) -> list[int]:
    """The number of rows of each row group; none for a file that is neither Parquet nor Arrow.

    An Arrow stream cannot be read from the middle, so it is one group.
    """
    with open_file(path) as file:
        return ColumnarFile(file, path, limits.depth).group_rows() if is_columnar(file.peek(4)) else []


def row_group_rows(
    path: Path, groups: Sequence[int], limits: ReadLimits = LIMITS, refuse: Refuse | None = None
) -> Iterator[Row]:
    """Every record of consecutive row groups, undecoded, with the same places as in the whole file."""
    before = sum(row_groups(path, limits)[: groups[0]]) if groups else 0
    with open_file(path) as file:
        reader = columnar_content(ColumnarFile(file, path, limits.depth), Meter(path.stat().st_size, limits), groups)
        if reader.peek(1):
            yield from part_rows(FilePart(str(path), reader, limits, refuse or raise_complaint, before + 1))
