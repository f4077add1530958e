"""Files that lines are appended to, so that a crash loses at most the line being written."""

from __future__ import annotations

from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import IO


def write_all(file: IO[bytes], content: bytes) -> None:
    """Write all bytes to an unbuffered file, which may take several writes."""
    view = memoryview(content)
    while view:
        view = view[file.write(view) :]


def lock(file: IO[bytes]) -> bool:
    """Lock the file for this process; False where another process holds it."""
    try:
        import fcntl
    except ImportError:  # Windows has no fcntl; there the folder is not guarded.
        return True
    try:
        fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def count_whole_lines(path: Path) -> int:
    """The number of lines that end in a line break."""
    with path.open("rb") as file:
        return sum(line.endswith(b"\n") for line in file)


def size_of_lines(path: Path, lines: int) -> int:
    """The number of bytes of the first lines."""
    with path.open("rb") as file:
        return sum(map(len, islice(file, lines)))


def paths_to_create(folder: Path, names: tuple[str, ...]) -> list[Path]:
    """The files and folders that do not exist before a run in this folder, innermost first."""
    files = [folder / name for name in names]
    return [path for path in (*files, folder, *folder.parents) if not path.exists()]


def remove_created(paths: list[Path]) -> None:
    """Remove files and folders that were not there before."""
    for path in paths:
        with suppress(OSError):  # Not there, or somebody else has put something in it.
            path.rmdir() if path.is_dir() else path.unlink()
