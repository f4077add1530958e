"""A run folder opened for reading."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from copy import copy
from pathlib import Path
from typing import IO, TypeVar

import msgspec
from msgspec import Struct, structs

from adjudge.core.errors import BadInput
from adjudge.core.mark import ScoreRow, Skipped
from adjudge.run.manifest import Manifest

MANIFEST = "run.json"
RECORDS = "records.jsonl"
SCORES = "scores.jsonl"
# The manifest of a play, whose conversations may be scored in the same folder.
PLAY = "play.json"

T = TypeVar("T")
Line = TypeVar("Line", ScoreRow, "SummaryRow")


class ScoreSummary(Struct, frozen=True, gc=False):
    """A score as it stands in a run folder, its marks left undecoded."""

    value: float | None = None
    n: int = 0
    weight: float = 0.0
    skipped: Skipped | None = None
    missing: dict[str, Skipped] = {}
    basis: str = ""


class SummaryRow(Struct, frozen=True, gc=False):
    """A line of `scores.jsonl` without the marks: much faster to read."""

    case: str
    arm: str
    scores: dict[str, ScoreSummary]
    trial: int = 0
    facets: dict[str, str] = {}
    given: dict[str, str] = {}


class Run:
    """A run folder opened for reading; a finished run whose files lack lines is refused.

    `retired` names the metrics of the run that its suite no longer has. The caller, who knows the suite, sets it.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.retired: tuple[str, ...] = ()
        self._metrics: frozenset[str] | None = None
        self.manifest = read_manifest(folder)
        _check_counts(folder, self.manifest)

    def with_metrics(self, names: Collection[str]) -> Run:
        """The run as if it had been scored with these metrics only."""
        narrowed = copy(self)
        cards = {name: card for name, card in self.manifest.cards.items() if name in names}
        narrowed.manifest = structs.replace(self.manifest, cards=cards)
        narrowed.retired = tuple(name for name in self.retired if name in names)
        narrowed._metrics = frozenset(names)
        return narrowed

    def rows(self) -> Iterator[ScoreRow]:
        """The scores of each record with their marks."""
        return map(self._narrow, read_lines(self.folder / SCORES, msgspec.json.Decoder(ScoreRow)))

    def summaries(self) -> Iterator[SummaryRow]:
        """The scores of each record without their marks."""
        return map(self._narrow, read_lines(self.folder / SCORES, msgspec.json.Decoder(SummaryRow)))

    def _narrow(self, row: Line) -> Line:
        if self._metrics is None:
            return row
        return structs.replace(row, scores={name: row.scores[name] for name in row.scores if name in self._metrics})

    def records(self) -> Iterator[bytes]:
        """The records as JSON, in the order of the scores."""
        with _open_file(self.folder / RECORDS) as file:
            yield from file


def read_manifest(folder: Path) -> Manifest:
    """The manifest of a run, finished or not."""
    path = folder / MANIFEST
    if not path.is_file() and (folder / PLAY).is_file():
        raise BadInput(f"{folder}: was played and not scored yet; score it with `adjudge score {folder}`")
    if not path.is_file():
        raise BadInput(f"{folder}: no {MANIFEST} there; expected a run folder made by `adjudge score ... -o {folder}`")
    try:
        return msgspec.json.decode(path.read_bytes(), type=Manifest)
    except msgspec.MsgspecError as error:
        raise BadInput(f"{path}: not a run manifest ({error}); score the run again") from error


def _check_counts(folder: Path, manifest: Manifest) -> None:
    """Raise BadInput where a file has not a line for each record that the manifest counts.

    A run that was killed has not counted its records yet: it may be read as far as it goes.
    """
    expected = manifest.counts.get("records")
    for name in (SCORES, RECORDS) if expected is not None else ():
        with _open_file(folder / name) as file:
            lines = sum(line.endswith(b"\n") for line in file)
        if lines != expected:
            raise BadInput(
                f"{folder / name}: {lines:,} of {expected:,} lines; expected one for each record of the run; the file "
                "was changed; run the same `adjudge score` command again to score what is missing"
            )


def _open_file(path: Path) -> IO[bytes]:
    try:
        return path.open("rb")
    except OSError as error:
        raise BadInput(f"{path}: {error.strerror}; the run folder is incomplete, score it again") from error


def read_lines(path: Path, decoder: msgspec.json.Decoder[T]) -> Iterator[T]:
    """The decoded lines of a file of the run; a last line without its end is left out."""
    with _open_file(path) as file:
        for number, line in enumerate(file, 1):
            if not line.endswith(b"\n"):
                return  # A run that was killed: the line being written is not there yet.
            try:
                yield decoder.decode(line)
            except msgspec.MsgspecError as error:
                raise BadInput(
                    f"{path}:{number}: {error}; the file was changed; score the run again with --fresh"
                ) from error
