"""The lines of files in a run folder, decoded."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import IO, TypeVar

import msgspec

from adjudge.core.errors import BadInput

T = TypeVar("T")


def open_file(path: Path) -> IO[bytes]:
    """A file of a run folder; raises BadInput where it is missing."""
    try:
        return path.open("rb")
    except OSError as error:
        raise BadInput(f"{path}: {error.strerror}; the run folder is incomplete, score it again") from error


def read_lines(path: Path, decoder: msgspec.json.Decoder[T]) -> Iterator[T]:
    """The decoded lines of a file of the run; a last line without its end is left out."""
    for number, line in enumerate(whole_lines(path), 1):
        yield decode_line(path, number, line, decoder)


def whole_lines(path: Path) -> Iterator[bytes]:
    """The lines of a file; a last line without its end, as a killed run leaves it, is left out."""
    with open_file(path) as file:
        for line in file:
            if line.endswith(b"\n"):
                yield line


def decode_line(path: Path, number: int, line: bytes, decoder: msgspec.json.Decoder[T]) -> T:
    """A decoded line; raises BadInput with its place where it is not what was written."""
    try:
        return decoder.decode(line)
    except msgspec.MsgspecError as error:
        raise BadInput(f"{path}:{number}: {error}; the file was changed; score the run again with --fresh") from error
