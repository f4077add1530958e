"""Scores as Parquet: a folder of parts, each a table with a row for each record."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import accumulate, chain, islice, pairwise
from pathlib import Path
from typing import Any

import msgspec

from adjudge.core.errors import BadInput
from adjudge.core.install import install_command
from adjudge.core.mark import Mark, Score, ScoreRow, Skipped
from adjudge.core.record import Key
from adjudge.run.append import AppendFile, size_of_lines
from adjudge.run.batch import ScoredBatch
from adjudge.run.names import PARTS
from adjudge.run.summary import ScoreSummary, SummaryRow

# A part has so many records, or as many as make so many bytes of JSON: few files, and little memory.
PART_RECORDS = 4096
PART_BYTES = 64_000_000
# The number of records that are decoded at a time.
_READ = 512
_MARK = ("value", "at", "turn", "why", "group", "weight", "spread", "basis")
_VALUES = ("value", "n", "weight", "skipped", "missing", "basis", "unlabelled")

# Fields are left out of JSON where they are the very object that is the default.
_DEFAULTS = Mark(0.0)
_NO_WEIGHT = Score().weight

_rows = msgspec.json.Decoder(ScoreRow)


class ParquetStore:
    """A line of records for each record, and parts of scores.

    A part is written under another name and then renamed, so it is whole or not there. Records whose part is not
    written when the process ends are scored again.
    """

    def __init__(self, records: AppendFile, metrics: Collection[str]) -> None:
        self.records = records
        self.files: tuple[AppendFile, ...] = (records,)
        self.folder = records.path.with_name(PARTS)
        self.folder.mkdir(exist_ok=True)
        self._metrics = list(metrics)
        self._waiting: list[bytes] = []
        self._records = self._bytes = 0

    def resume(self) -> list[Key]:
        """Remove parts that are not whole, and cut the records back to those that have scores."""
        for unfinished in self.folder.glob(".*"):
            unfinished.unlink()
        done = [key for path in part_paths(self.folder) for key in _keys(path)]
        self.records.cut_back(size_of_lines(self.records.path, len(done)))
        return done

    def append(self, batch: ScoredBatch) -> None:
        """Add the lines of records, and a part once there are enough scores for one."""
        self.records.append(batch.records)
        self._waiting.append(batch.scores)
        self._records += len(batch.keys)
        self._bytes += len(batch.scores)
        if self._records >= PART_RECORDS or self._bytes >= PART_BYTES:
            self._write_part()

    def finish(self) -> dict[str, int]:
        """Write the last part."""
        if self._records:
            self._write_part()
        self.records.sync()
        return {}

    def _write_part(self) -> None:
        rows = [_rows.decode(line) for scores in self._waiting for line in scores.splitlines()]
        number = len(part_paths(self.folder))
        write_part(self.folder / f"{number:06}.parquet", rows, self._metrics)
        self._waiting, self._records, self._bytes = [], 0, 0


def check_pyarrow() -> None:
    """Raise BadInput where pyarrow is not installed."""
    try:
        import pyarrow  # noqa: F401 - only whether it is there
    except ImportError as error:
        raise BadInput(f"--store parquet needs pyarrow: {install_command('parquet')}") from error


def part_paths(folder: Path) -> list[Path]:
    """The parts of a run in their order."""
    return sorted(folder.glob("[0-9]*.parquet"))


def count_rows(folder: Path) -> int:
    """The number of records in all parts; raises BadInput for a part that is not whole."""
    return sum(_open(path).metadata.num_rows for path in part_paths(folder))


def read_parquet_rows(folder: Path, metrics: Collection[str], skip: int = 0) -> Iterator[ScoreRow]:
    """The scores of all records with their marks, but for the first ones that are skipped."""
    paths = part_paths(folder)
    while skip and paths and (size := _open(paths[0]).metadata.num_rows) <= skip:
        paths, skip = paths[1:], skip - size
    yield from islice(_read_rows(paths, metrics), skip, None)


def _read_rows(paths: Sequence[Path], metrics: Collection[str]) -> Iterator[ScoreRow]:
    for batch in _batches(paths, ["case", "arm", "trial", "facets", "given", *(f"scores.{name}" for name in metrics)]):
        scores = {name: _scores(_field(batch, name)) for name in metrics}
        for heads, row in zip(_heads(batch), _by_record(scores, batch.num_rows), strict=True):
            case, arm, trial, facets, given = heads
            yield ScoreRow(case, arm, row, trial, facets, given)


def read_parquet_summaries(folder: Path, metrics: Collection[str]) -> Iterator[SummaryRow]:
    """The values of all records, without reading their marks."""
    columns = [f"scores.{name}.{part}" for name in metrics for part in _VALUES]
    for batch in _batches(part_paths(folder), ["case", "arm", "trial", "facets", "given", *columns]):
        scores = {name: _summaries(_field(batch, name)) for name in metrics}
        for heads, row in zip(_heads(batch), _by_record(scores, batch.num_rows), strict=True):
            case, arm, trial, facets, given = heads
            yield SummaryRow(case, arm, row, trial, facets, given)


def write_part(path: Path, rows: Sequence[ScoreRow], metrics: Sequence[str]) -> None:
    """Write a part, which appears when it is complete."""
    from pyarrow import parquet

    temporary = path.with_name(f".{path.name}")
    try:
        with temporary.open("wb") as file:
            parquet.write_table(_table(rows, metrics), file, compression="zstd")
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def _table(rows: Sequence[ScoreRow], metrics: Sequence[str]) -> Any:
    import pyarrow as pa

    text_map = pa.map_(pa.string(), pa.string())
    scores = [_score_array([row.scores[name] for row in rows]) for name in metrics]
    return pa.table(
        {
            "case": pa.array([row.case for row in rows], pa.string()),
            "arm": pa.array([row.arm for row in rows], pa.string()),
            "trial": pa.array([row.trial for row in rows], pa.int64()),
            "facets": pa.array([list(row.facets.items()) for row in rows], text_map),
            "given": pa.array([list(row.given.items()) for row in rows], text_map),
            "scores": pa.StructArray.from_arrays(scores, list(metrics)) if scores else pa.nulls(len(rows)),
        }
    )


def _score_array(scores: Sequence[Score]) -> Any:
    """The scores of one metric as an array of structs."""
    import pyarrow as pa

    skipped = pa.struct([("status", pa.string()), ("why", pa.string())])
    draws, missing = pa.map_(pa.string(), pa.list_(pa.float64())), pa.map_(pa.string(), skipped)
    columns = {
        "value": pa.array([score.value for score in scores], pa.float64()),
        "n": pa.array([score.n for score in scores], pa.int64()),
        "weight": pa.array([score.weight for score in scores], pa.float64()),
        "skipped": pa.array([_plain(score.skipped) for score in scores], skipped),
        "marks": _mark_array([score.marks for score in scores]),
        "draws": pa.array([[(label, list(given)) for label, given in score.draws.items()] for score in scores], draws),
        "missing": pa.array(
            [[(label, _plain(why)) for label, why in score.missing.items()] for score in scores], missing
        ),
        "basis": pa.array([score.basis for score in scores], pa.string()),
        "unlabelled": pa.array([score.unlabelled for score in scores], pa.int64()),
    }
    return pa.StructArray.from_arrays(list(columns.values()), list(columns))


def _mark_array(marks: Sequence[Sequence[Mark]]) -> Any:
    import pyarrow as pa

    flat = list(chain.from_iterable(marks))
    numbers = {"value", "weight", "spread"}
    cells = [
        pa.array([getattr(mark, name) for mark in flat], pa.float64() if name in numbers else pa.string())
        for name in _MARK
    ]
    offsets = pa.array([0, *accumulate(map(len, marks))], pa.int32())
    return pa.ListArray.from_arrays(offsets, pa.StructArray.from_arrays(cells, list(_MARK)))


def _plain(skipped: Skipped | None) -> dict[str, str] | None:
    return None if skipped is None else {"status": skipped.status, "why": skipped.why}


def _open(path: Path) -> Any:
    check_pyarrow()
    import pyarrow as pa
    from pyarrow import parquet

    try:
        return parquet.ParquetFile(path)
    except (pa.ArrowException, OSError) as error:
        raise _damage(path, error) from error


def _keys(path: Path) -> list[Key]:
    table = _open(path).read(["case", "arm", "trial"])
    return [Key(*cells) for cells in zip(*(table[name].to_pylist() for name in ("case", "arm", "trial")), strict=True)]


def _batches(paths: Sequence[Path], columns: Sequence[str]) -> Iterator[Any]:
    import pyarrow as pa

    for path in paths:
        try:
            yield from _open(path).iter_batches(_READ, columns=list(columns))
        except (pa.ArrowException, OSError) as error:
            raise _damage(path, error) from error


def _damage(path: Path, error: Exception) -> BadInput:
    first_line = str(error).partition("\n")[0]
    return BadInput(f"{path}: {first_line}; the file was changed; score the run again with --fresh")


def _field(batch: Any, name: str) -> Any:
    return batch.column("scores").field(name)


def _heads(batch: Any) -> Iterable[tuple[str, str, int, dict[str, str], dict[str, str]]]:
    case, arm, trial = (batch.column(name).to_pylist() for name in ("case", "arm", "trial"))
    facets, given = (map(dict, batch.column(name).to_pylist()) for name in ("facets", "given"))
    return zip(case, arm, trial, facets, given, strict=True)


def _by_record(scores: dict[str, list[Any]], count: int) -> Iterable[dict[str, Any]]:
    names = list(scores)
    rows = zip(*scores.values(), strict=True) if names else [()] * count
    return (dict(zip(names, row, strict=True)) for row in rows)


def _values(array: Any) -> Iterator[list[Any]]:
    """The columns of a score that need no marks, in the order of `_VALUES`."""
    cells = {name: array.field(name).to_pylist() for name in _VALUES}
    cells["weight"] = [weight or _NO_WEIGHT for weight in cells["weight"]]
    cells["skipped"] = [None if skip is None else Skipped(**skip) for skip in cells["skipped"]]
    cells["missing"] = [{label: Skipped(**skip) for label, skip in missing} for missing in cells["missing"]]
    return iter(cells.values())


def _summaries(array: Any) -> list[ScoreSummary]:
    return [ScoreSummary(*cells) for cells in zip(*_values(array), strict=True)]


def _scores(array: Any) -> list[Score]:
    value, n, weight, skipped, missing, basis, unlabelled = _values(array)
    draws = [{label: tuple(given) for label, given in drawn} for drawn in array.field("draws").to_pylist()]
    cells = zip(value, n, weight, skipped, _marks(array.field("marks")), draws, missing, basis, unlabelled, strict=True)
    return [Score(*parts) for parts in cells]


def _marks(array: Any) -> Iterator[tuple[Mark, ...]]:
    flat = array.flatten()
    cells = [flat.field(name).to_pylist() for name in _MARK]
    for column, default in ((_MARK.index("weight"), _DEFAULTS.weight), (_MARK.index("spread"), _DEFAULTS.spread)):
        cells[column] = [default if value == default else value for value in cells[column]]
    marks = [Mark(*parts) for parts in zip(*cells, strict=True)]
    starts = array.offsets.to_pylist()
    return (tuple(marks[start - starts[0] : end - starts[0]]) for start, end in pairwise(starts))
