"""How large a run will be."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

# From so many bytes on, `--keep worst` is suggested.
LARGE = 2_000_000_000
# Bytes of a run for each byte read: 297 MB of 116 MB of dialogues with all offline metrics of the service suite.
GROWTH = 2.6
# JSON of conversations shrinks to about an eighth in gzip.
_COMPRESSED = {".gz": 8, ".zip": 8, ".parquet": 8}


def expected_bytes(files: Iterable[Path]) -> int:
    """About how many bytes a run takes that keeps everything."""
    return int(GROWTH * sum(file.stat().st_size * _COMPRESSED.get(file.suffix, 1) for file in files))


def size_remark(expected: int) -> list[str]:
    """What to say of a run of so many bytes; nothing where it is not large.

    >>> size_remark(84_000_000_000)
    ['the run will take about 84 GB; --keep worst keeps all values, but marks only of the worst conversations']
    >>> size_remark(1_000_000)
    []
    """
    if expected < LARGE:
        return []
    size = f"{expected / 1e9:,.0f} GB"
    return [f"the run will take about {size}; --keep worst keeps all values, but marks only of the worst conversations"]
