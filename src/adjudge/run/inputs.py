"""What a manifest says about its inputs and its time."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from adjudge.read.opening import content_hash
from adjudge.run.manifest import InputFile


def input_file(path: Path) -> InputFile:
    """A file that was read, with a hash of its content."""
    return InputFile(str(path), path.stat().st_size, content_hash(path))


def time_stamp() -> str:
    """The time of day in UTC, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")
