"""Scores of records as chunks, with all that is summed over their marks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby, islice
from math import fsum
from typing import Any, TypeVar

from msgspec import structs

from adjudge.core.card import Card
from adjudge.core.mark import Score, ScoreRow
from adjudge.core.tally import group_moments
from adjudge.run.chunk import Accord, Chunk, GroupColumns, ScoreColumns, VoiceSums
from adjudge.run.summary import ScoreSummary, SummaryRow

R = TypeVar("R", ScoreRow, SummaryRow)
T = TypeVar("T")

# Records in a chunk. Chunks of 128 are a third larger.
ROWS = 512
# Lines that are read before they are taken in together. With 512, marks take 50 MB and are fetched from memory twice.
READ_ROWS = 128


def chunks_of(rows: Iterable[ScoreRow], cards: Mapping[str, Card], most: int = ROWS) -> Iterator[Chunk]:
    """Scores as chunks, with all that is summed over their marks; records of a chunk have the same metrics."""
    for part in _alike(rows, most):
        yield _chunk(part, {name: _summed_columns(scores, cards.get(name)) for name, scores in _by_metric(part)})


def value_chunks_of(rows: Iterable[SummaryRow]) -> Iterator[Chunk]:
    """Values as chunks; records of a chunk have the same metrics."""
    for part in _alike(rows, READ_ROWS):
        yield _chunk(part, {name: _value_columns(scores) for name, scores in _by_metric(part)})


def group_chunks_of(rows: Iterable[ScoreRow]) -> Iterator[Chunk]:
    """The sums of each group of marks as chunks, without the values of records."""
    for part in _alike(rows, READ_ROWS):
        scores = {name: ScoreColumns(groups=_group_columns(scores)) for name, scores in _by_metric(part)}
        yield Chunk([row.case for row in part], _fold([row.arm for row in part]), scores)


def _alike(rows: Iterable[R], most: int) -> Iterator[list[R]]:
    """Lists of at most so many records in a row that have the same metrics."""
    left = iter(rows)
    while together := list(islice(left, most)):
        for _, part in groupby(together, key=lambda row: list(row.scores)):
            yield list(part)


def _by_metric(rows: Sequence[ScoreRow] | Sequence[SummaryRow]) -> Iterator[tuple[str, list[Any]]]:
    """The scores of each metric."""
    return ((name, [row.scores[name] for row in rows]) for name in rows[0].scores)


def _chunk(rows: Sequence[ScoreRow] | Sequence[SummaryRow], scores: dict[str, ScoreColumns]) -> Chunk:
    return Chunk(
        [row.case for row in rows],
        _fold([row.arm for row in rows]),
        scores,
        _fold([row.trial for row in rows]),
        _by_name([row.facets for row in rows]),
        _by_name([row.given for row in rows]),
    )


def _value_columns(scores: Sequence[Score] | Sequence[ScoreSummary]) -> ScoreColumns:
    first = scores[0]
    if first.value is None and not first.missing and scores.count(first) == len(scores):
        # Of most runs half the metrics are skipped everywhere, for one reason.
        return ScoreColumns(skipped=first.skipped, unlabelled=first.unlabelled)
    numbers, weights = [score.n for score in scores], [score.weight for score in scores]
    return ScoreColumns(
        _fold([score.value for score in scores]),
        _fold(numbers),
        None if weights == numbers else weights,
        _fold([score.skipped for score in scores]),
        _fold([score.basis for score in scores]),
        _fold([score.unlabelled for score in scores]),
        missing=_rare([score.missing for score in scores]),
    )


def _summed_columns(scores: Sequence[Score], card: Card | None) -> ScoreColumns:
    """The columns of values, with all that is summed over marks."""
    columns = _value_columns(scores)
    if not any(score.marks or score.draws for score in scores):
        return columns
    moments = {}
    if card is not None and card.pool == "groups":
        moments = _rare([group_moments(score.marks) for score in scores])
    drawn = {row: score for row, score in enumerate(scores) if score.draws}
    return structs.replace(
        columns,
        groups=_group_columns(scores),
        moments=moments,
        voices={row: {label: _voice_sums(given) for label, given in it.draws.items()} for row, it in drawn.items()},
        accord={row: _accord(score) for row, score in drawn.items()},
    )


def _group_columns(scores: Sequence[Score]) -> dict[str, GroupColumns]:
    """The sums of each group of marks; marks without a group are left out."""
    groups: dict[str, GroupColumns] = {}
    for row, score in enumerate(scores):
        for mark in score.marks:
            group, weight = mark.group, mark.weight
            if not group or not weight:
                continue
            columns = groups.get(group)
            if columns is None:
                columns = groups[group] = GroupColumns([], [], [], [])
            _add_mark(columns, row, mark.value * weight, weight)
    return {group: columns.omit_equal_weights() for group, columns in groups.items()}


def _add_mark(columns: GroupColumns, row: int, total: float, weight: float) -> None:
    """Add a mark of a row that is the last one or comes next."""
    assert columns.weight is not None
    if columns.row and columns.row[-1] == row:
        columns.n[-1] += 1
        columns.total[-1] += total
        columns.weight[-1] += weight
    else:
        columns.row.append(row)
        columns.n.append(1)
        columns.total.append(total)
        columns.weight.append(weight)


def _voice_sums(values: Iterable[float | None]) -> VoiceSums:
    given = [value for value in values if value is not None]
    return VoiceSums(len(given), fsum(given))


def _accord(score: Score) -> Accord:
    shared = [sum(value is not None for value in values) > 1 for values in zip(*score.draws.values(), strict=True)]
    spreads = [mark.spread for mark, several in zip(score.marks, shared, strict=False) if several]
    return Accord(len(spreads), sum(spread == 0 for spread in spreads), fsum(spreads))


def _by_name(cells: Sequence[dict[str, str]]) -> dict[str, list[str | None] | str]:
    names = dict.fromkeys(name for cell in cells for name in cell)
    return {name: _fold([cell.get(name) for cell in cells]) for name in names}


def _rare(cells: Sequence[T | None]) -> dict[int, T]:
    """What few records have, by the number of their row."""
    return {row: cell for row, cell in enumerate(cells) if cell} if any(cells) else {}


def _fold(values: list[T]) -> Any:
    """The value alone where all are equal, else the values."""
    return values[0] if values.count(values[0]) == len(values) else values
