"""Files that bytes are appended to, so that a crash loses at most what is being written."""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import IO

from adjudge.read.line_ends import count_line_ends
from adjudge.run.whole_file import whole_file


class AppendFile:
    """A file that is appended to, and can be cut back to an earlier size."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file = path.open("ab", 0)
        self._locked = False

    @property
    def size(self) -> int:
        """The number of bytes."""
        return os.fstat(self._file.fileno()).st_size

    def append(self, content: bytes) -> None:
        """Add bytes at the end."""
        write_all(self._file, content)

    def cut_back(self, size: int) -> None:
        """Remove what follows the first bytes."""
        if size < self.size:
            self._file.truncate(size)
        self._file.seek(size)

    def replace(self, lines: Iterable[bytes]) -> None:
        """Put other lines in the place of all there are; a lock is taken again."""
        with whole_file(self.path) as file:
            file.writelines(lines)
        self._file.close()
        self._file = self.path.open("ab", 0)
        if self._locked:
            self.lock()

    def sync(self) -> None:
        """Wait until the file is on the disk."""
        os.fsync(self._file.fileno())

    def lock(self) -> bool:
        """Lock the file for this process; False where another process holds it."""
        self._locked = lock(self._file)
        return self._locked

    def close(self) -> None:
        """Close the file."""
        self._file.close()


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
    """The number of lines of a file that end in a line break."""
    with path.open("rb") as file:
        return count_line_ends(file)


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
