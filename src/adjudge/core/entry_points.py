"""What installed packages register for us: suites and systems."""

from __future__ import annotations

import importlib.metadata
import os
import sys
from collections.abc import Iterator
from functools import lru_cache
from importlib.metadata import EntryPoint

# A folder of the import path: its name, and what changes when a package is installed there or removed.
_State = tuple[str, int, int]


def entry_points(group: str) -> tuple[EntryPoint, ...]:
    """The entry points of a group, read again after a package was installed or removed.

    To read them takes about 0.1 ms for each package that is installed, whatever it registers, and a command asks
    several times.
    """
    return _read(group, tuple(_states()))


@lru_cache(maxsize=8)
def _read(group: str, states: tuple[_State, ...]) -> tuple[EntryPoint, ...]:
    return tuple(importlib.metadata.entry_points(group=group))


def _states() -> Iterator[_State]:
    for folder in sys.path:
        # An empty name is the current folder, which may become another one.
        path = folder or os.getcwd()
        try:
            state = os.stat(path)
        except OSError:
            yield path, 0, 0
        else:
            yield path, state.st_ino, state.st_mtime_ns
