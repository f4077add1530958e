"""A run folder opened for reading."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from copy import copy
from pathlib import Path
from typing import TypeVar

import msgspec
from msgspec import Struct, structs

from adjudge.core.errors import BadInput
from adjudge.core.mark import ScoreRow
from adjudge.core.record import Key
from adjudge.read.line_ends import count_line_ends
from adjudge.run.chunk import Chunk, rows_of
from adjudge.run.chunking import READ_ROWS, chunks_of, value_chunks_of
from adjudge.run.columns import read_chunks
from adjudge.run.keep import Keep
from adjudge.run.lines import decode_line, open_file, read_lines, whole_lines
from adjudge.run.manifest import Manifest
from adjudge.run.names import COLUMNS, MANIFEST, PARTS, PLAY, RECORDS, SCORES
from adjudge.run.parquet import count_rows, read_parquet_rows, read_parquet_summaries
from adjudge.run.summary import SummaryRow

Line = TypeVar("Line", ScoreRow, SummaryRow)

_rows = msgspec.json.Decoder(ScoreRow)
_summaries = msgspec.json.Decoder(SummaryRow)


class Run:
    """A run folder opened for reading; a finished run whose files lack lines is refused.

    `retired` names the metrics of the run that its suite no longer has. The caller, who knows the suite, sets it.
    `keep` says of which records the run has marks.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.retired: tuple[str, ...] = ()
        self._metrics: frozenset[str] | None = None
        self.manifest = read_manifest(folder)
        self.keep = Keep.parse(self.manifest.keep)
        _check_files(folder, self.manifest)

    def with_metrics(self, names: Collection[str]) -> Run:
        """The run as if it had been scored with these metrics only."""
        narrowed = copy(self)
        cards = {name: card for name, card in self.manifest.cards.items() if name in names}
        narrowed.manifest = structs.replace(self.manifest, cards=cards)
        narrowed.retired = tuple(name for name in self.retired if name in names)
        narrowed._metrics = frozenset(names)
        return narrowed

    def rows(self) -> Iterator[ScoreRow]:
        """The scores, with their marks, of each record whose marks are kept; raises BadInput where none are."""
        if self.keep.kind == "tallies":
            raise self._lacks("no marks")
        if self.manifest.store == "parquet":
            return read_parquet_rows(self.folder / PARTS, self.manifest.cards)
        return map(self._narrow, read_lines(self.folder / SCORES, _rows))

    def rows_of(self, keys: Collection[Key]) -> Iterator[tuple[int, ScoreRow]]:
        """The scores with their marks of some records as far as they are kept, each with its place among the lines."""
        if self.manifest.store == "parquet":
            yield from ((place, row) for place, row in enumerate(self.rows()) if row.key in keys)
            return
        path = self.folder / SCORES
        for number, line in enumerate(whole_lines(path) if keys else (), 1):
            if decode_line(path, number, line, _keys).key in keys:
                yield number - 1, self._narrow(decode_line(path, number, line, _rows))

    def summaries(self) -> Iterator[SummaryRow]:
        """The values of each record, without marks."""
        if self.keep.kind != "all":
            return self._rows_in_columns()
        if self.manifest.store == "parquet":
            return read_parquet_summaries(self.folder / PARTS, self.manifest.cards)
        return map(self._narrow, read_lines(self.folder / SCORES, _summaries))

    def chunks(self) -> Iterator[Chunk]:
        """The values of each record in columns, without what is summed over marks, unless the run keeps it so."""
        return self._chunks_in_columns() if self.keep.kind != "all" else value_chunks_of(self.summaries())

    def full_chunks(self) -> Iterator[Chunk]:
        """The values of each record in columns, with all that is summed over marks."""
        return (
            self._chunks_in_columns()
            if self.keep.kind != "all"
            else chunks_of(self.rows(), self.manifest.cards, READ_ROWS)
        )

    def records(self) -> Iterator[bytes]:
        """The records that are kept as JSON, in the order of the scores."""
        with open_file(self.folder / RECORDS) as file:
            yield from file

    def _rows_in_columns(self) -> Iterator[SummaryRow]:
        for chunk in self._chunks_in_columns():
            yield from rows_of(chunk)

    def _chunks_in_columns(self) -> Iterator[Chunk]:
        path, expected, count = self.folder / COLUMNS, self.manifest.counts.get("records"), 0
        if not path.is_file():
            raise self._lacks("not the values of conversations")
        for chunk in map(self._narrow_chunk, read_chunks(path)):
            count += len(chunk.case)
            yield chunk
        if expected is not None and count != expected:
            raise BadInput(
                f"{path}: {count:,} of {expected:,} records; the file was changed; run the same `adjudge score` "
                "command again to score what is missing"
            )

    def check_whole(self, purpose: str) -> None:
        """Raise BadInput for a run that does not keep all records, which something needs."""
        if self.keep.kind != "all":
            raise BadInput(
                f"{self.folder}: {purpose} needs every record with its marks, and this run was scored with --keep "
                f"{self.keep}; score the data again with --keep all"
            )

    def _lacks(self, what: str) -> BadInput:
        return BadInput(
            f"{self.folder}: keeps tallies only, {what}; score the data again with --keep worst or --keep all"
        )

    def _narrow(self, row: Line) -> Line:
        if self._metrics is None:
            return row
        return structs.replace(row, scores={name: row.scores[name] for name in row.scores if name in self._metrics})

    def _narrow_chunk(self, chunk: Chunk) -> Chunk:
        if self._metrics is None:
            return chunk
        names = self._metrics
        return structs.replace(chunk, scores={name: part for name, part in chunk.scores.items() if name in names})


def read_manifest(folder: Path) -> Manifest:
    """The manifest of a run, finished or not."""
    path = folder / MANIFEST
    if not path.is_file() and (folder / PLAY).is_file():
        raise BadInput(f"{folder}: was played, but is not scored yet; score it with `adjudge score {folder}`")
    if not path.is_file():
        raise BadInput(f"{folder}: no {MANIFEST} there; expected a run folder made by `adjudge score ... -o {folder}`")
    try:
        return msgspec.json.decode(path.read_bytes(), type=Manifest)
    except msgspec.MsgspecError as error:
        raise BadInput(f"{path}: not a run manifest ({error}); score the run again") from error


class _KeyLine(Struct):
    """What identifies a line of scores."""

    case: str
    arm: str
    trial: int = 0

    @property
    def key(self) -> Key:
        """The conversation that was scored."""
        return Key(self.case, self.arm, self.trial)


_keys = msgspec.json.Decoder(_KeyLine)


def _check_files(folder: Path, manifest: Manifest) -> None:
    """Raise BadInput where a file has not a line for each record that the manifest counts.

    A run that was killed has not counted its records yet: it may be read as far as it goes.
    """
    counts = manifest.counts
    expected = counts.get("kept", counts.get("records"))
    scores = PARTS if manifest.store == "parquet" else SCORES
    for name in (scores, RECORDS) if expected is not None else ():
        lines = count_rows(folder / name) if name == PARTS else _count_lines(folder / name)
        if lines != expected:
            raise BadInput(
                f"{folder / name}: {lines:,} of {expected:,} lines; expected one for each record of the run; the file "
                "was changed; run the same `adjudge score` command again to score what is missing"
            )


def _count_lines(path: Path) -> int:
    with open_file(path) as file:
        return count_line_ends(file)
