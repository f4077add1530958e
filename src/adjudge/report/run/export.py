"""The long table of a run for other tools: one line per mark, or one per score."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import IO, Any

import msgspec
from msgspec import Struct

from adjudge.core.errors import BadInput
from adjudge.core.install import install_command
from adjudge.core.mark import ScoreRow
from adjudge.report.csvfile import protect_cell
from adjudge.report.target import bad_input_on_failure, format_of, refuse_run_files
from adjudge.run import Run, ScoreSummary, SummaryRow, whole_file

# The number of lines that are held in memory while a Parquet file is written; they become one row group.
BATCH = 20_000


class MarkLine(Struct, frozen=True, gc=False):
    """One mark, with the record and metric it belongs to."""

    case: str
    arm: str
    trial: int
    metric: str
    value: float
    weight: float
    turn: str
    at: str
    group: str
    why: str


class ScoreLine(Struct, frozen=True, gc=False):
    """One metric on one conversation.

    `status` is "scored", "undefined", or the status of a score that could not be given, with the reason
    in `why`; `value` is None where it is not "scored".
    """

    case: str
    arm: str
    trial: int
    metric: str
    value: float | None
    n: int
    weight: float
    status: str
    why: str


ExportLine = MarkLine | ScoreLine


def export(run: Run, target: Path, level: str = "marks") -> int:
    """Write the long table of marks or conversations in the format of the ending; the number of lines.

    Lines are streamed: memory does not grow with the run.
    """
    check_level(level)
    write_format = FORMATS[format_of(target, FORMATS)]
    refuse_run_files(run, target)
    kind, lines = LEVELS[level]
    if write_format is _write_parquet:
        _pyarrow()
    with bad_input_on_failure(target), whole_file(target) as file:
        return write_format(file, kind, lines(run))


def check_level(level: str) -> None:
    """Raise BadInput for a level that there is not."""
    if level not in LEVELS:
        raise BadInput(f"no level {level!r}; expected {' or '.join(LEVELS)}")


def mark_lines(run: Run) -> Iterator[MarkLine]:
    """A line for every mark of a run."""
    for row in run.rows():
        yield from _lines_of_marks(row)


def score_lines(run: Run) -> Iterator[ScoreLine]:
    """A line for every score of a run."""
    for row in run.summaries():
        yield from _lines_of_scores(row)


def _lines_of_marks(row: ScoreRow) -> Iterator[MarkLine]:
    for metric, score in row.scores.items():
        for mark in score.marks:
            yield MarkLine(
                row.case,
                row.arm,
                row.trial,
                metric,
                mark.value,
                mark.weight,
                mark.turn,
                mark.at,
                mark.group,
                mark.why,
            )


def _lines_of_scores(row: SummaryRow) -> Iterator[ScoreLine]:
    for metric, score in row.scores.items():
        why = score.skipped.why if score.skipped else ""
        yield ScoreLine(row.case, row.arm, row.trial, metric, score.value, score.n, score.weight, _status(score), why)


def _status(score: ScoreSummary) -> str:
    if score.skipped:
        return score.skipped.status
    return "undefined" if score.value is None else "scored"


def _write_csv(file: IO[bytes], kind: type[ExportLine], lines: Iterable[ExportLine]) -> int:
    text = io.TextIOWrapper(file, encoding="utf-8", newline="")
    writer = csv.writer(text, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\n")
    writer.writerow(kind.__struct_fields__)
    number = 0
    for line in lines:
        writer.writerow([protect_cell(value) for value in msgspec.structs.astuple(line)])
        number += 1
    text.detach()
    return number


def _write_jsonl(file: IO[bytes], kind: type[ExportLine], lines: Iterable[ExportLine]) -> int:
    encoder = msgspec.json.Encoder()
    number = 0
    for line in lines:
        file.write(encoder.encode(line) + b"\n")
        number += 1
    return number


def _write_parquet(file: IO[bytes], kind: type[ExportLine], lines: Iterable[ExportLine]) -> int:
    pa = _pyarrow()
    from pyarrow import parquet

    types = {"str": pa.string(), "int": pa.int64(), "float": pa.float64(), "float | None": pa.float64()}
    schema = pa.schema([(name, types[word]) for name, word in kind.__annotations__.items()])
    number = 0
    rest = iter(lines)
    with parquet.ParquetWriter(file, schema) as writer:
        while batch := list(islice(rest, BATCH)):
            columns = zip(*map(msgspec.structs.astuple, batch), strict=True)
            writer.write_table(pa.table(list(map(list, columns)), schema=schema))
            number += len(batch)
    return number


def _pyarrow() -> Any:
    try:
        import pyarrow
    except ImportError as error:
        raise BadInput(f"a .parquet file needs pyarrow: {install_command('parquet')}") from error
    return pyarrow


Form = Callable[[IO[bytes], type[ExportLine], Iterable[ExportLine]], int]

FORMATS: dict[str, Form] = {".csv": _write_csv, ".jsonl": _write_jsonl, ".parquet": _write_parquet}

LEVELS: dict[str, tuple[type[ExportLine], Callable[[Run], Iterator[ExportLine]]]] = {
    "marks": (MarkLine, mark_lines),
    "conversations": (ScoreLine, score_lines),
}
