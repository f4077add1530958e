"""A run folder being written, so that a crash loses at most the line being written."""

from __future__ import annotations

import os
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType

import msgspec

from adjudge.core.errors import BadInput
from adjudge.core.record import Key
from adjudge.core.usage import Usage
from adjudge.run.append import count_whole_lines, lock, paths_to_create, remove_created, size_of_lines, write_all
from adjudge.run.folder import MANIFEST, RECORDS, SCORES, SummaryRow, read_lines, read_manifest
from adjudge.run.manifest import Manifest
from adjudge.run.whole_file import write_whole


class RunWriter:
    """A run folder being written: opened anew or where an earlier attempt stopped.

    Each record and its scores are appended in one write each, so a crash loses at most the line being
    written. When writing fails, both files are cut back to whole lines; a folder in which nothing was
    scored is removed again.
    """

    def __init__(self, folder: Path, manifest: Manifest, fresh: bool = False) -> None:
        self.folder = folder
        self.manifest = manifest
        self.done: set[Key] = set()
        self.spent: dict[str, Usage] = {}
        self._created: list[Path] = []
        self._files = ExitStack()
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
        self._files.close()
        # An interrupt may come after a line is written and before it is in `done`: a written line is kept.
        if kind is not None and not self.done and not (self.folder / SCORES).stat().st_size:
            self._remove_created()

    def append(self, keys: list[Key], records: bytes, scores: bytes) -> None:
        """Add records and their scores, as JSON lines in the same order."""
        sizes = self._records.tell(), self._scores.tell()
        try:
            write_all(self._records, records)
            write_all(self._scores, scores)
        except OSError as error:
            self._records.truncate(sizes[0])
            self._scores.truncate(sizes[1])
            raise BadInput(
                f"{self.folder}: {error.strerror} after {len(self.done)} records; the files are intact: "
                "free some space and run the same command again to go on from there"
            ) from error
        self.done.update(keys)

    def finish(self, manifest: Manifest) -> None:
        """Write the manifest of the complete run."""
        self.manifest = manifest
        try:
            for file in (self._records, self._scores):
                os.fsync(file.fileno())
            self._save()
        except OSError as error:
            raise BadInput(
                f"{self.folder}: {error.strerror}; free some space and run the same command again"
            ) from error

    def _begin(self, fresh: bool) -> None:
        self._created = paths_to_create(self.folder, (MANIFEST, RECORDS, SCORES))
        self.folder.mkdir(parents=True, exist_ok=True)
        self._scores = self._files.enter_context((self.folder / SCORES).open("ab", 0))
        if not lock(self._scores):
            self._created = []  # What is there belongs to the other process.
            raise BadInput(f"{self.folder}: another process is writing this run; wait for it or choose another -o")
        self._records = self._files.enter_context((self.folder / RECORDS).open("ab", 0))
        if fresh and (self.folder / MANIFEST).exists():
            self._cut_back(0)
            (self.folder / MANIFEST).unlink()
        for unfinished in self.folder.glob(f".{MANIFEST}.*.part"):
            unfinished.unlink()
        self._resume()
        self._save()

    def _resume(self) -> None:
        """Go on from what an earlier attempt left, if it was the same run."""
        if not (self.folder / MANIFEST).exists():
            for name in (SCORES, RECORDS):
                if (self.folder / name).stat().st_size:
                    raise BadInput(f"{self.folder}: has {name} but no {MANIFEST}; choose another folder with -o")
            return
        earlier = read_manifest(self.folder)
        if differences := earlier.differences(self.manifest):
            raise BadInput(
                f"{self.folder}: holds a different run ({'; '.join(differences)}); "
                "choose another folder with -o, or start over with --fresh"
            )
        self.spent = earlier.usage
        rows = read_lines(self.folder / SCORES, msgspec.json.Decoder(SummaryRow))
        scored = [Key(row.case, row.arm, row.trial) for row in rows]
        intact = min(len(scored), count_whole_lines(self.folder / RECORDS))
        self._cut_back(intact)
        self.done = set(scored[:intact])
        if earlier.status == "complete" and earlier.counts.get("records") == intact:
            self.manifest = earlier

    def _cut_back(self, lines: int) -> None:
        """Cut both files back to their first lines."""
        for file in (self._records, self._scores):
            size = size_of_lines(Path(file.name), lines)
            if size < os.fstat(file.fileno()).st_size:
                file.truncate(size)
            file.seek(size)

    def _save(self) -> None:
        write_whole(self.folder / MANIFEST, msgspec.json.format(msgspec.json.encode(self.manifest), indent=1))

    def _remove_created(self) -> None:
        """Remove what was not there before."""
        self._files.close()
        remove_created(self._created)
