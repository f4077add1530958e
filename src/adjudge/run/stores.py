"""The files that the records and scores of a run are appended to, for each way of keeping them."""

from __future__ import annotations

from collections.abc import Collection
from typing import Protocol

import msgspec
from msgspec import Struct

from adjudge.core.card import Card
from adjudge.core.record import Key
from adjudge.run.append import AppendFile, count_whole_lines, size_of_lines
from adjudge.run.batch import ScoredBatch
from adjudge.run.chunk import keys_of
from adjudge.run.columns import read_chunks, read_members
from adjudge.run.keep import Keep
from adjudge.run.lines import read_lines, whole_lines
from adjudge.run.manifest import Manifest
from adjudge.run.names import COLUMNS, SCORES
from adjudge.run.parquet import ParquetStore
from adjudge.run.summary import SummaryRow
from adjudge.run.worst import WorstSelection

_summaries = msgspec.json.Decoder(SummaryRow)


class Store(Protocol):
    """The files of a run that batches are appended to, the records first."""

    files: tuple[AppendFile, ...]

    def resume(self) -> list[Key]:
        """Cut the files back to what is whole, and give the keys of the records that are there."""

    def append(self, batch: ScoredBatch) -> None:
        """Add records and their scores; an OSError leaves the files to be cut back."""

    def finish(self) -> dict[str, int]:
        """Write what is left, and give what the manifest counts."""


def store_of(records: AppendFile, manifest: Manifest) -> Store:
    """The files of a run, opened beside that of its records."""
    if manifest.store == "parquet":
        return ParquetStore(records, manifest.cards)
    keep = Keep.parse(manifest.keep)
    return LineStore(records) if keep.kind == "all" else ColumnStore(records, keep, manifest.cards.values())


class LineStore:
    """A line of records and a line of scores for each record, in the same order."""

    def __init__(self, records: AppendFile) -> None:
        self.records = records
        self.scores = AppendFile(records.path.with_name(SCORES))
        self.files: tuple[AppendFile, ...] = (self.records, self.scores)

    def resume(self) -> list[Key]:
        """Cut both files back to the lines that both have whole."""
        scored = [row.key for row in read_lines(self.scores.path, _summaries)]
        intact = min(len(scored), count_whole_lines(self.records.path))
        for file in self.files:
            file.cut_back(size_of_lines(file.path, intact))
        return scored[:intact]

    def append(self, batch: ScoredBatch) -> None:
        """Add the lines of both files."""
        self.records.append(batch.records)
        self.scores.append(batch.scores)

    def finish(self) -> dict[str, int]:
        """Wait until both files are on the disk."""
        for file in self.files:
            file.sync()
        return {}


class ColumnStore:
    """The values of all records in columns, and the lines of the worst conversations.

    A record counts as scored when its chunk of columns is written. Its lines are written before that, so no chunk lacks
    them. Lines of conversations that others have displaced are removed when the run ends.
    """

    def __init__(self, records: AppendFile, keep: Keep, cards: Collection[Card]) -> None:
        self.records = records
        self.scores = AppendFile(records.path.with_name(SCORES))
        self.columns = AppendFile(records.path.with_name(COLUMNS))
        self.files: tuple[AppendFile, ...] = (self.records, self.scores, self.columns)
        self._keep = keep
        self._cards = list(cards)
        self._selection = self._empty_selection()

    def resume(self) -> list[Key]:
        """Cut the columns back to whole chunks, and both other files to the lines of records in these."""
        end = 0
        for member in read_members(self.columns.path):
            end = member.end
        self.columns.cut_back(end)
        done = [key for chunk in read_chunks(self.columns.path) for key in keys_of(chunk)]
        known = set(done)
        self._retain({key for key in self._line_keys() if key in known})
        for row in read_lines(self.scores.path, _summaries):
            self._selection.admit(row)
        return done

    def append(self, batch: ScoredBatch) -> None:
        """Add the lines of records that are among the worst so far, then the columns of all."""
        records, scores = batch.records.splitlines(keepends=True), batch.scores.splitlines(keepends=True)
        admitted = [self._selection.admit(_summaries.decode(line)) for line in scores]
        self.records.append(b"".join(line for line, kept in zip(records, admitted, strict=True) if kept))
        self.scores.append(b"".join(line for line, kept in zip(scores, admitted, strict=True) if kept))
        self.columns.append(batch.columns)

    def finish(self) -> dict[str, int]:
        """Remove the lines of conversations that are not among the worst, and count those that are."""
        selection = self._empty_selection()
        for row in read_lines(self.scores.path, _summaries):
            selection.admit(row)
        kept = selection.keys()
        self._retain(kept)
        for file in self.files:
            file.sync()
        return {"kept": len(kept), "column_bytes": self.columns.size}

    def _empty_selection(self) -> WorstSelection:
        return WorstSelection(self._cards if self._keep.kind == "worst" else (), self._keep.most)

    def _line_keys(self) -> set[Key]:
        """The keys of which both files have a line."""
        scored = {row.key for row in read_lines(self.scores.path, _summaries)}
        return scored & {record.key for record in read_lines(self.records.path, _records)}

    def _retain(self, keys: Collection[Key]) -> None:
        """Leave the lines of these records only."""
        for file, decoder in ((self.records, _records), (self.scores, _summaries)):
            file.replace(line for line in whole_lines(file.path) if decoder.decode(line).key in keys)


class _RecordKey(Struct):
    """What identifies a record in its line."""

    id: str
    case: str = ""
    arm: str = ""
    trial: int = 0

    @property
    def key(self) -> Key:
        """Case, arm and trial, the id standing for a case that is left out."""
        return Key(self.case or self.id, self.arm, self.trial)


_records = msgspec.json.Decoder(_RecordKey)
