"""A run folder being written, so that a crash loses at most what is being written."""

from __future__ import annotations

import shutil
from pathlib import Path
from types import TracebackType

import msgspec
from msgspec import structs

from adjudge.core.errors import BadInput
from adjudge.core.record import Key
from adjudge.core.usage import Usage
from adjudge.run.append import AppendFile, paths_to_create, remove_created
from adjudge.run.batch import ScoredBatch
from adjudge.run.folder import read_manifest
from adjudge.run.manifest import Manifest
from adjudge.run.names import COLUMNS, MANIFEST, PARTS, RECORDS, SCORES, TABLES
from adjudge.run.stores import Store, store_of
from adjudge.run.whole_file import write_whole

# What a run may have in its folder beside its manifest, whichever way it is kept.
_CONTENTS = (RECORDS, SCORES, COLUMNS, TABLES, PARTS)


class RunWriter:
    """A run folder being written: opened anew or where an earlier attempt stopped.

    Each batch is appended in one write for each file, so a crash loses at most what is being written. When writing
    fails, all files are cut back to what was whole; a folder in which nothing was scored is removed again.
    """

    def __init__(self, folder: Path, manifest: Manifest, fresh: bool = False) -> None:
        self.folder = folder
        self.manifest = manifest
        self.done: set[Key] = set()
        self.spent: dict[str, Usage] = {}
        self._created: list[Path] = []
        self._records: AppendFile | None = None
        self._store: Store | None = None
        try:
            self._begin(fresh)
        except OSError as error:
            self._remove_created()
            raise BadInput(
                f"{folder}: cannot write the run ({error.strerror}); choose another folder with -o"
            ) from error
        except BaseException:
            self._remove_created()
            raise

    def __enter__(self) -> RunWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        # An interrupt may come after a line is written and before it is in `done`: a written line is kept.
        is_empty = not self.done and not any(file.size for file in self.store.files[1:])
        self._close()
        if kind is not None and is_empty:
            self._remove_created()

    @property
    def store(self) -> Store:
        """The files that batches are appended to."""
        assert self._store is not None
        return self._store

    def append(self, batch: ScoredBatch) -> None:
        """Add records and their scores."""
        sizes = [file.size for file in self.store.files]
        try:
            self.store.append(batch)
        except OSError as error:
            for file, size in zip(self.store.files, sizes, strict=True):
                file.cut_back(size)
            raise BadInput(
                f"{self.folder}: {error.strerror} after {len(self.done)} records; the files are intact: "
                "free some space and run the same command again to continue"
            ) from error
        self.done.update(batch.keys)

    def finish(self, manifest: Manifest) -> None:
        """Write the manifest of the run."""
        try:
            counts = self.store.finish()
            self.manifest = structs.replace(manifest, counts=manifest.counts | counts)
            self._save()
            if manifest.keep == "tallies" and manifest.status == "complete":
                (self.folder / COLUMNS).unlink(missing_ok=True)  # The tables are made from it.
        except OSError as error:
            raise BadInput(
                f"{self.folder}: {error.strerror}; free some space and run the same command again"
            ) from error

    def _begin(self, fresh: bool) -> None:
        self._created = paths_to_create(self.folder, (MANIFEST, *_CONTENTS))
        self.folder.mkdir(parents=True, exist_ok=True)
        self._records = records = AppendFile(self.folder / RECORDS)
        if not records.lock():
            self._created = []  # What is there belongs to the other process.
            raise BadInput(f"{self.folder}: another process is writing this run; wait for it or choose another -o")
        if fresh and (self.folder / MANIFEST).exists():
            self._clear(records)
        for unfinished in self.folder.glob(".*.part"):
            unfinished.unlink()
        earlier = self._earlier_manifest()
        self._store = store_of(records, self.manifest)
        if earlier is not None:
            self._resume(earlier)
        self._save()

    def _clear(self, records: AppendFile) -> None:
        """Remove an earlier run, whichever way it was kept."""
        records.cut_back(0)
        for name in (SCORES, COLUMNS, TABLES, MANIFEST):
            (self.folder / name).unlink(missing_ok=True)
        shutil.rmtree(self.folder / PARTS, ignore_errors=True)

    def _earlier_manifest(self) -> Manifest | None:
        """The manifest of an earlier attempt at the same run, None where there is none; raises BadInput for another."""
        if not (self.folder / MANIFEST).exists():
            for name in _CONTENTS:
                if _has_content(self.folder / name):
                    raise BadInput(f"{self.folder}: has {name} but no {MANIFEST}; choose another folder with -o")
            return None
        earlier = read_manifest(self.folder)
        if differences := earlier.differences(self.manifest):
            raise BadInput(
                f"{self.folder}: holds a different run ({'; '.join(differences)}); "
                "choose another folder with -o, or start over with --fresh"
            )
        return earlier

    def _resume(self, earlier: Manifest) -> None:
        """Go on from what an earlier attempt left."""
        self.spent = earlier.usage
        if earlier.status == "complete" and (self.folder / TABLES).is_file():
            self.manifest = earlier  # Nothing is left to go on from.
            return
        self.done = set(self.store.resume())
        if earlier.status == "complete" and earlier.counts.get("records") == len(self.done):
            self.manifest = earlier

    def _save(self) -> None:
        write_whole(self.folder / MANIFEST, msgspec.json.format(msgspec.json.encode(self.manifest), indent=1))

    def _close(self) -> None:
        for file in self._store.files if self._store else filter(None, [self._records]):
            file.close()

    def _remove_created(self) -> None:
        """Remove what was not there before."""
        self._close()
        remove_created(self._created)


def _has_content(path: Path) -> bool:
    return any(path.iterdir()) if path.is_dir() else path.is_file() and path.stat().st_size > 0
