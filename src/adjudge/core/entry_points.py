"""What installed packages register for us: suites and systems."""

from __future__ import annotations

import os
import sys
from functools import lru_cache
from importlib import metadata
from importlib.metadata import EntryPoint

# What packages register, by the name of the package.
_Registered = dict[str, tuple[EntryPoint, ...]]


def entry_points(group: str) -> tuple[EntryPoint, ...]:
    """The entry points of a group; a folder of the import path is read again when a package came or went.

    To read them takes about 0.1 ms for each package that is installed, whatever it registers, and a command asks
    several times.
    """
    registered: _Registered = {}
    for folder in map(str, sys.path):
        # A package that several folders hold counts where it is found first, as in an import.
        registered = _in_folder(folder) | registered
    return tuple(entry for entries in registered.values() for entry in entries if entry.group == group)


def _in_folder(folder: str) -> _Registered:
    # An empty name is the current folder, which may become another one.
    path = folder or os.getcwd()
    try:
        state = os.stat(path)
    except OSError:
        return {}
    return _read_folder(path, state.st_ino, state.st_mtime_ns)


@lru_cache(maxsize=128)
def _read_folder(folder: str, inode: int, changed: int) -> _Registered:
    """What the packages in a folder register for us; inode and time tell one state of the folder from another."""
    registered: _Registered = {}
    for package in metadata.distributions(path=[folder]):
        own = tuple(entry for entry in package.entry_points if entry.group.startswith("adjudge."))
        if own:
            registered.setdefault(package.name, own)
    return registered
