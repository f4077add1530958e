"""The run folders below a folder: each with a name, an id for addresses, and what is wrong with it."""

from __future__ import annotations

import hashlib
import os
import re
import time
from collections.abc import Iterator
from pathlib import Path
from threading import Lock

import msgspec
from msgspec import Struct

from adjudge.core.errors import BadInput
from adjudge.run import MANIFEST, RECORDS, SCORES, Manifest, read_manifest
from adjudge.run.names import COLUMNS, PARTS, PLAY, TABLES
from adjudge.run.parquet import check_pyarrow, part_paths
from adjudge.run.played import ENDS, TRACES, TURNS, Played, PlayManifest
from adjudge.run.version import newer_version

# Files by which a folder is recognised as a run, complete or not.
SIGNS = (MANIFEST, PLAY, SCORES, RECORDS)
# The list of folders is reused for this many seconds, and folders are searched to this depth.
FRESH = 1.0
DEEPEST = 6


class RunEntry(Struct, frozen=True):
    """A run folder: `manifest` is None where it is not scored or cannot be read, `play` where it was not played.

    `problem` says why the run cannot be shown, `warning` what to know before reading it.
    """

    id: str
    name: str
    folder: Path
    manifest: Manifest | None = None
    play: PlayManifest | None = None
    problem: str = ""
    warning: str = ""

    @property
    def suite(self) -> str:
        """The suite, empty where it is not known."""
        described = self.manifest or self.play
        return described.suite if described else ""

    @property
    def status(self) -> str:
        """How far the run has come: playing, running, stopped, complete, played or unreadable."""
        if self.problem:
            return "unreadable"
        if self.manifest is not None:
            return self.manifest.status
        return "playing" if self.play is not None and self.play.status == "running" else "played"

    @property
    def arms(self) -> list[str]:
        """The names of the arms."""
        if self.manifest is not None:
            return list(self.manifest.coverage.arms)
        return list(self.play.arms) if self.play is not None else []

    @property
    def started(self) -> str:
        """When the run was started, as its manifest says it."""
        described = self.manifest or self.play
        return described.started if described else ""

    @property
    def cost(self) -> float | None:
        """What asking models took in US dollars, in playing and judging; None where it is unknown."""
        usages = [
            *(self.manifest.usage.values() if self.manifest else ()),
            *(self.play.usage.values() if self.play else ()),
        ]
        costs = [usage.cost for usage in usages if usage.calls]
        return None if None in costs else sum(cost for cost in costs if cost)


class Catalogue:
    """All run folders below a root; addresses name them by id only."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._entries: list[RunEntry] = []
        self._read_at = -FRESH
        self._lock = Lock()

    def entries(self) -> list[RunEntry]:
        """All runs, the newest first."""
        with self._lock:
            if time.monotonic() - self._read_at >= FRESH:
                runs = [self._entry(folder) for folder in run_folders(self.root)]
                self._entries = sorted(runs, key=lambda entry: (entry.started, entry.name), reverse=True)
                self._read_at = time.monotonic()
            return self._entries

    def find(self, run_id: str) -> RunEntry | None:
        """The run of an id; None where there is none."""
        return next((entry for entry in self.entries() if entry.id == run_id), None)

    def _entry(self, folder: Path) -> RunEntry:
        name = folder.relative_to(self.root).as_posix() if folder != self.root else folder.resolve().name
        run_id = make_id(name)
        if outside := _outside(folder, self.root):
            return RunEntry(run_id, name, folder, problem=outside)
        try:
            return _read_entry(run_id, name, folder)
        except (BadInput, OSError, RecursionError) as error:
            return RunEntry(run_id, name, folder, problem=str(error))


def run_folders(root: Path) -> Iterator[Path]:
    """The folders at or below a root that hold a run or what is left of one; links are not followed."""
    for path, folders, files in os.walk(root, followlinks=False):
        folder = Path(path)
        deep = len(folder.relative_to(root).parts)
        folders[:] = sorted(name for name in folders if not name.startswith(".")) if deep < DEEPEST else []
        if any(name in files for name in SIGNS):
            yield folder


def make_id(name: str) -> str:
    """The id of a run in addresses: what can be read of its name, and a digest that tells it from others.

    >>> make_id("runs/démo 1")
    'runs-d-mo-1-2c6ec4'
    """
    plain = re.sub(r"[^A-Za-z0-9]+", "-", name)[:40].strip("-").lower()
    digest = hashlib.sha256(name.encode("utf-8", "surrogateescape")).hexdigest()[:6]
    return f"{plain}-{digest}" if plain else digest


def _read_entry(run_id: str, name: str, folder: Path) -> RunEntry:
    play = Played(folder).manifest if (folder / PLAY).is_file() else None
    if not (folder / MANIFEST).is_file():
        if play is not None:
            return RunEntry(run_id, name, folder, play=play)
        there = next(sign for sign in SIGNS if (folder / sign).exists())
        raise BadInput(f"{folder / MANIFEST}: not there, though the folder has {there}; score the run again")
    manifest = _read_manifest(folder)
    if manifest.store == "parquet":
        check_pyarrow()
    scores = PARTS if manifest.store == "parquet" else SCORES
    missing = [file for file in (RECORDS, scores) if not (folder / file).exists()]
    if missing:
        raise BadInput(f"{folder / missing[0]}: not there; the run folder is incomplete, score it again")
    return RunEntry(run_id, name, folder, manifest, play, warning=newer_version(manifest.adjudge))


def _read_manifest(folder: Path) -> Manifest:
    """The manifest; raises BadInput, which says so where it cannot be read because a newer version wrote it."""
    try:
        return read_manifest(folder)
    except BadInput as error:
        try:
            version = msgspec.json.decode((folder / MANIFEST).read_bytes(), type=dict).get("adjudge")
        except msgspec.MsgspecError:
            raise error from None
        newer = newer_version(version) if isinstance(version, str) else ""
        raise BadInput(f"{folder / MANIFEST}: {newer}" if newer else str(error)) from None


def _outside(folder: Path, root: Path) -> str:
    """What to say of a run of which a file is a link to somewhere outside the root; empty for any other."""
    inside = root.resolve()
    files = [folder / name for name in (MANIFEST, PLAY, RECORDS, SCORES, PARTS, COLUMNS, TABLES, TURNS, TRACES, ENDS)]
    for path in [*files, *part_paths(folder / PARTS)]:
        if path.is_symlink() and not path.resolve().is_relative_to(inside):
            return f"{path}: a link to a file outside {root}; only files below it are shown"
    return ""
