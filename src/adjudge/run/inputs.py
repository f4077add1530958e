"""What a manifest says about its inputs and its time."""

from __future__ import annotations

import hashlib
import os
from datetime import UTC, datetime
from pathlib import Path

from adjudge.run.manifest import InputFile


def input_file(path: Path) -> InputFile:
    """A file that was read, with a hash of its content."""
    with path.open("rb") as file:
        return InputFile(str(path), os.fstat(file.fileno()).st_size, hashlib.file_digest(file, "sha256").hexdigest())


def time_stamp() -> str:
    """The time of day in UTC, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")
