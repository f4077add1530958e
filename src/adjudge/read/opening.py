"""Opening the files that users name, and saying why one cannot be opened."""

from __future__ import annotations

import difflib
import hashlib
import io
import shlex
import stat
from pathlib import Path
from typing import Protocol, runtime_checkable

from adjudge.core.errors import BadInput

NAMES_SHOWN = 5
SPECIAL = {
    stat.S_ISFIFO: "a pipe",
    stat.S_ISCHR: "a device",
    stat.S_ISBLK: "a device",
    stat.S_ISSOCK: "a socket",
}


def open_file(path: Path) -> io.BufferedReader:
    """The file opened for reading, or BadInput that says why it cannot be."""
    try:
        refuse_special(path)
        return path.open("rb")
    except OSError as fault:
        raise BadInput(why_not_opened(path, fault)) from None


@runtime_checkable
class HashedPath(Protocol):
    """A path that may know the hash of its content from when it was read."""

    def content_hash(self) -> str | None:
        """The SHA-256 of the content; None where it is not known."""


def content_hash(path: Path) -> str:
    """The SHA-256 of the content of a file, which is read unless the path knows it."""
    if isinstance(path, HashedPath) and (known := path.content_hash()):
        return known
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def refuse_special(path: Path) -> None:
    """Raise BadInput for a pipe, a device or a socket: they cannot be read twice, and may never end."""
    mode = path.stat().st_mode
    for is_kind, kind in SPECIAL.items():
        if is_kind(mode):
            raise BadInput(f"{path}: {kind}; expected a file, because it is read twice; save its content in a file")


def why_not_opened(path: Path, fault: OSError) -> str:
    """Why a file could not be opened and what to do."""
    if isinstance(fault, FileNotFoundError):
        return f"{path}: no such file; expected a file with records; {_close_names(path)}"
    if isinstance(fault, IsADirectoryError):
        return f"{path}: a folder; expected a file; {_names_inside(path)}"
    if isinstance(fault, PermissionError):
        return f"{path}: not readable; expected a file you may read; try chmod u+r {shlex.quote(str(path))}"
    return f"{path}: cannot be opened ({reason_of(fault)}); expected a readable file; check the path"


def _close_names(path: Path) -> str:
    folder = path.parent
    if folder == path:
        return "check the path"
    if not folder.is_dir():
        return f"the folder {str(folder)!r} does not exist either"
    close = difflib.get_close_matches(path.name, _names(folder), n=3)
    return f"did you mean {_quote_names(close)}?" if close else "check the path"


def _names_inside(folder: Path) -> str:
    names = _names(folder)
    return f"give one of its files, such as {_quote_names(names[:NAMES_SHOWN])}" if names else "it has no files"


def _names(folder: Path) -> list[str]:
    try:
        return sorted(entry.name for entry in folder.iterdir() if entry.is_file())
    except OSError:
        return []


def _quote_names(names: list[str]) -> str:
    return ", ".join(repr(name) for name in names)


def reason_of(fault: BaseException) -> str:
    """What went wrong, in the words of the system."""
    return (getattr(fault, "strerror", None) or str(fault) or type(fault).__name__).rstrip(".")
