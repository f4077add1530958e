"""The values of some records in columns, which are much faster to take in than a record at a time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeVar

from msgspec import Struct

from adjudge.core.mark import Skipped
from adjudge.core.record import Key
from adjudge.core.tally import Moments
from adjudge.run.summary import ScoreSummary, SummaryRow

T = TypeVar("T")


class VoiceSums(Struct, frozen=True, gc=False):
    """The values that one judge or sample of several gave in a score: their number and their sum."""

    n: int
    total: float


class Accord(Struct, frozen=True, gc=False):
    """How far judges agree in a score: the marks that two or more valued, those with equal values, and all spreads."""

    n: int
    equal: int
    spread: float


class GroupColumns(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The sums of one group of marks, for the rows that have such marks; `weight` is left out where it is `n`."""

    row: list[int]
    n: list[int]
    total: list[float]
    weight: list[float] | None = None

    def weights(self) -> list[float]:
        """The weight of each row."""
        return list(map(float, self.n)) if self.weight is None else self.weight

    def means(self) -> list[float]:
        """The weighted mean of each row."""
        return [total / weight for total, weight in zip(self.total, self.weights(), strict=True)]

    def omit_equal_weights(self) -> GroupColumns:
        """The same without weights that are numbers of marks."""
        return GroupColumns(self.row, self.n, self.total) if self.weight == self.n else self

    def select(self, places: Mapping[int, int]) -> GroupColumns:
        """The rows that have a new place."""
        chosen = [position for position, row in enumerate(self.row) if row in places]
        return GroupColumns(
            [places[self.row[position]] for position in chosen],
            _pick(self.n, chosen),
            _pick(self.total, chosen),
            _pick(self.weight, chosen),
        )


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

    def weights(self, numbers: list[int]) -> list[float]:
        """The weight of each record, given the number of its marks."""
        return list(map(float, numbers)) if self.weight is None else self.weight

    def select(self, rows: Sequence[int]) -> ScoreColumns:
        """The scores of some rows, in their order."""
        places = {row: place for place, row in enumerate(rows)}
        groups = {group: columns.select(places) for group, columns in self.groups.items()}
        return ScoreColumns(
            _pick(self.value, rows),
            _pick(self.n, rows),
            _pick(self.weight, rows),
            _pick(self.skipped, rows),
            _pick(self.basis, rows),
            _pick(self.unlabelled, rows),
            {group: columns for group, columns in groups.items() if columns.row},
            _pick_rare(self.missing, places),
            _pick_rare(self.moments, places),
            _pick_rare(self.voices, places),
            _pick_rare(self.accord, places),
        )


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

    @property
    def is_whole(self) -> bool:
        """Whether every column has a cell for each record."""
        count = len(self.case)
        columns: list[object] = [self.arm, self.trial, *self.facets.values(), *self.given.values()]
        for scores in self.scores.values():
            columns += [scores.value, scores.n, scores.weight, scores.skipped, scores.basis, scores.unlabelled]
            for group in scores.groups.values():
                weights = group.n if group.weight is None else group.weight
                if not len(group.row) == len(group.n) == len(group.total) == len(weights):
                    return False
                if group.row and not 0 <= min(group.row) <= max(group.row) < count:
                    return False
        return all(len(column) == count for column in columns if isinstance(column, list))

    def given_parts(self) -> list[dict[str, str]]:
        """The fingerprints of what each record was given."""
        return _dicts(self.given, len(self.case))

    def select(self, rows: Sequence[int]) -> Chunk:
        """Some of the records, in their order."""
        return Chunk(
            _pick(self.case, rows),
            _pick(self.arm, rows),
            {name: columns.select(rows) for name, columns in self.scores.items()},
            _pick(self.trial, rows),
            {name: _pick(column, rows) for name, column in self.facets.items()},
            {name: _pick(column, rows) for name, column in self.given.items()},
        )


def rows_of(chunk: Chunk) -> Iterator[SummaryRow]:
    """The records of a whole chunk."""
    count = len(chunk.case)
    columns = [_summaries(columns, count) for columns in chunk.scores.values()]
    scores = zip(*columns, strict=True) if columns else [()] * count
    names = list(chunk.scores)
    arms, trials = unfold(chunk.arm, count), unfold(chunk.trial, count)
    facets, given = _dicts(chunk.facets, count), chunk.given_parts()
    for case, arm, trial, facet, part, row in zip(chunk.case, arms, trials, facets, given, scores, strict=True):
        yield SummaryRow(case, arm, dict(zip(names, row, strict=True)), trial, facet, part)


def keys_of(chunk: Chunk) -> list[Key]:
    """The keys of the records of a chunk."""
    count = len(chunk.case)
    arms, trials = unfold(chunk.arm, count), unfold(chunk.trial, count)
    return [Key(*parts) for parts in zip(chunk.case, arms, trials, strict=True)]


def unfold(column: Any, count: int) -> list[Any]:
    """The cells of a column of so many records."""
    return column if isinstance(column, list) else [column] * count


def _summaries(columns: ScoreColumns, count: int) -> list[ScoreSummary]:
    numbers = unfold(columns.n, count)
    cells = (
        unfold(columns.value, count),
        numbers,
        columns.weights(numbers),
        unfold(columns.skipped, count),
        _spread(columns.missing, count, {}),
        unfold(columns.basis, count),
        unfold(columns.unlabelled, count),
    )
    return [ScoreSummary(*cell) for cell in zip(*cells, strict=True)]


def _dicts(columns: dict[str, list[str | None] | str], count: int) -> list[dict[str, str]]:
    cells: list[dict[str, str]] = [{} for _ in range(count)]
    for name, column in columns.items():
        for cell, value in zip(cells, unfold(column, count), strict=True):
            if value is not None:
                cell[name] = value
    return cells


def _spread(column: Mapping[int, object], count: int, default: object) -> list[Any]:
    return [column.get(row, default) for row in range(count)] if column else [default] * count


def _pick(column: Any, rows: Sequence[int]) -> Any:
    """The cells of some rows."""
    return [column[row] for row in rows] if isinstance(column, list) else column


def _pick_rare(cells: Mapping[int, T], places: Mapping[int, int]) -> dict[int, T]:
    """What few records have, by their new places."""
    return {places[row]: cell for row, cell in cells.items() if row in places}
