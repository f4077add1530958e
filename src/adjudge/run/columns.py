"""The values of many records in columns: JSON in gzip, a member for each chunk of records."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import msgspec
from msgspec import Struct

from adjudge.core.errors import BadInput
from adjudge.core.mark import Skipped
from adjudge.core.record import Key
from adjudge.core.tally import Moments
from adjudge.run.summary import Accord, GroupSums, ScoreSummary, SummaryRow, VoiceSums

T = TypeVar("T")

# The window of zlib with the header of gzip.
_GZIP = 31
# Level 1 takes a third of the time of level 6 and makes a tenth more bytes.
_LEVEL = 1
_READ = 1 << 20


class GroupColumns(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The sums of one group of marks, for the rows that have such marks; `weight` is left out where it is `n`."""

    row: list[int]
    n: list[int]
    total: list[float]
    weight: list[float] | None = None


class ScoreColumns(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The scores of one metric. A column whose values are all equal is that value alone.

    `weight` is left out where it is `n`. What few records have is by the number of their row in the chunk.
    """

    value: list[float | None] | float | None = None
    n: list[int] | int = 0
    weight: list[float] | None = None
    skipped: list[Skipped | None] | Skipped | None = None
    basis: list[str] | str = ""
    unlabelled: list[int] | int = 0
    groups: dict[str, GroupColumns] = {}
    missing: dict[int, dict[str, Skipped]] = {}
    moments: dict[int, dict[str, Moments]] = {}
    voices: dict[int, dict[str, VoiceSums]] = {}
    accord: dict[int, Accord] = {}


class Chunk(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Some records of a run, in columns. A column whose values are all equal is that value alone.

    `facets` and `given` are columns by name, null for a record that has none of that name.
    """

    case: list[str]
    arm: list[str] | str
    scores: dict[str, ScoreColumns]
    trial: list[int] | int = 0
    facets: dict[str, list[str | None] | str] = {}
    given: dict[str, list[str | None] | str] = {}


class Member(NamedTuple):
    """A chunk in its file: where it ends, and its JSON."""

    end: int
    content: bytes


_decoder = msgspec.json.Decoder(Chunk)


def encode_rows(rows: Iterable[SummaryRow]) -> bytes:
    """Records as chunks; records that have the same metrics in a row are one chunk."""
    chunks = (_chunk(list(part)) for _, part in groupby(rows, key=lambda row: list(row.scores)))
    return b"".join(_compress(msgspec.json.encode(chunk) + b"\n") for chunk in chunks)


def read_chunks(path: Path) -> Iterator[Chunk]:
    """The whole chunks of a file; a last one that was cut off is left out. Raises BadInput for a file that changed."""
    for number, member in enumerate(read_members(path), 1):
        try:
            yield _decoder.decode(member.content)
        except msgspec.MsgspecError as error:
            raise _damage(path, f"chunk {number}: {error}") from error


def read_rows(path: Path, narrow: Callable[[Chunk], Chunk]) -> Iterator[list[SummaryRow]]:
    """The records of each chunk of a file, of which only a part may be wanted; raises BadInput for a changed file."""
    for number, chunk in enumerate(read_chunks(path), 1):
        try:
            yield list(rows_of(narrow(chunk)))
        except (ValueError, IndexError) as error:
            raise _damage(path, f"chunk {number}: columns of different lengths") from error


def rows_of(chunk: Chunk) -> Iterator[SummaryRow]:
    """The records of a chunk; raises ValueError or IndexError where its columns do not have a cell for each."""
    count = len(chunk.case)
    columns = [_summaries(columns, count) for columns in chunk.scores.values()]
    scores = zip(*columns, strict=True) if columns else [()] * count
    names = list(chunk.scores)
    arms, trials = _unfold(chunk.arm, count), _unfold(chunk.trial, count)
    facets, given = _dicts(chunk.facets, count), _dicts(chunk.given, count)
    for case, arm, trial, facet, part, row in zip(chunk.case, arms, trials, facets, given, scores, strict=True):
        yield SummaryRow(case, arm, dict(zip(names, row, strict=True)), trial, facet, part)


def keys_of(chunk: Chunk) -> list[Key]:
    """The keys of the records of a chunk."""
    count = len(chunk.case)
    arms, trials = _unfold(chunk.arm, count), _unfold(chunk.trial, count)
    return [Key(*parts) for parts in zip(chunk.case, arms, trials, strict=True)]


def read_members(path: Path) -> Iterator[Member]:
    """The whole members of a file of chunks; raises BadInput where it is not in gzip."""
    end = 0
    with path.open("rb") as file:
        pieces: list[bytes] = []
        stream = zlib.decompressobj(_GZIP)
        while piece := file.read(_READ):
            while piece:
                size = len(piece)
                try:
                    pieces.append(stream.decompress(piece))
                except zlib.error as error:
                    raise _damage(path, f"byte {end}: {error}") from error
                piece = stream.unused_data
                end += size - len(piece)
                if stream.eof:
                    yield Member(end, b"".join(pieces))
                    pieces, stream = [], zlib.decompressobj(_GZIP)


def _damage(path: Path, what: str) -> BadInput:
    return BadInput(f"{path}: {what}; the file was changed; score the run again with --fresh")


def _compress(content: bytes) -> bytes:
    # No time stamp, so that the same run gives the same bytes.
    stream = zlib.compressobj(_LEVEL, wbits=_GZIP)
    return stream.compress(content) + stream.flush()


def _chunk(rows: Sequence[SummaryRow]) -> Chunk:
    return Chunk(
        [row.case for row in rows],
        _fold([row.arm for row in rows]),
        {name: _columns([row.scores[name] for row in rows]) for name in rows[0].scores},
        _fold([row.trial for row in rows]),
        _by_name([row.facets for row in rows]),
        _by_name([row.given for row in rows]),
    )


def _columns(scores: Sequence[ScoreSummary]) -> ScoreColumns:
    numbers, weights = [score.n for score in scores], [score.weight for score in scores]
    return ScoreColumns(
        _fold([score.value for score in scores]),
        _fold(numbers),
        None if weights == numbers else weights,
        _fold([score.skipped for score in scores]),
        _fold([score.basis for score in scores]),
        _fold([score.unlabelled for score in scores]),
        _group_columns(scores),
        _rare_values([score.missing for score in scores]),
        _rare_values([score.moments for score in scores]),
        _rare_values([score.voices for score in scores]),
        _rare_values([score.accord for score in scores]),
    )


def _group_columns(scores: Sequence[ScoreSummary]) -> dict[str, GroupColumns]:
    parts: dict[str, list[tuple[int, GroupSums]]] = {}
    for row, score in enumerate(scores):
        for group, sums in score.groups.items():
            parts.setdefault(group, []).append((row, sums))
    columns = {}
    for group, entries in parts.items():
        numbers, weights = [sums.n for _, sums in entries], [sums.weight for _, sums in entries]
        columns[group] = GroupColumns(
            [row for row, _ in entries],
            numbers,
            [sums.total for _, sums in entries],
            None if weights == numbers else weights,
        )
    return columns


def _summaries(columns: ScoreColumns, count: int) -> list[ScoreSummary]:
    numbers = _unfold(columns.n, count)
    weights = list(map(float, numbers)) if columns.weight is None else columns.weight
    cells = (
        _unfold(columns.value, count),
        numbers,
        weights,
        _unfold(columns.skipped, count),
        _spread(columns.missing, count, {}),
        _unfold(columns.basis, count),
        _unfold(columns.unlabelled, count),
        _group_sums(columns.groups, count),
        _spread(columns.moments, count, {}),
        _spread(columns.voices, count, {}),
        _spread(columns.accord, count, None),
    )
    return [ScoreSummary(*cell) for cell in zip(*cells, strict=True)]


def _group_sums(groups: dict[str, GroupColumns], count: int) -> list[dict[str, GroupSums]]:
    if not groups:
        return [{}] * count
    sums: list[dict[str, GroupSums]] = [{} for _ in range(count)]
    for group, columns in groups.items():
        weights = map(float, columns.n) if columns.weight is None else columns.weight
        for row, n, weight, total in zip(columns.row, columns.n, weights, columns.total, strict=True):
            sums[row][group] = GroupSums(n, weight, total)
    return sums


def _by_name(cells: Sequence[dict[str, str]]) -> dict[str, list[str | None] | str]:
    names = dict.fromkeys(name for cell in cells for name in cell)
    return {name: _fold([cell.get(name) for cell in cells]) for name in names}


def _dicts(columns: dict[str, list[str | None] | str], count: int) -> list[dict[str, str]]:
    cells: list[dict[str, str]] = [{} for _ in range(count)]
    for name, column in columns.items():
        for cell, value in zip(cells, _unfold(column, count), strict=True):
            if value is not None:
                cell[name] = value
    return cells


def _rare_values(cells: Sequence[T | None]) -> dict[int, T]:
    """The values that few records have, by the number of their row."""
    return {row: cell for row, cell in enumerate(cells) if cell} if any(cells) else {}


def _spread(column: Mapping[int, object], count: int, default: object) -> list[Any]:
    return [column.get(row, default) for row in range(count)] if column else [default] * count


def _fold(values: list[T]) -> Any:
    """The value alone where all are equal, else the values."""
    return values[0] if values.count(values[0]) == len(values) else values


def _unfold(column: Any, count: int) -> list[Any]:
    return column if isinstance(column, list) else [column] * count
