"""Tallies of all scores of a run, taken in by chunks in one pass."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import compress
from typing import NamedTuple, Protocol, TypeVar

from msgspec import Struct

from adjudge.core.mark import Score, ScoreRow, Skipped
from adjudge.core.tally import OWN_CASE, Tally
from adjudge.run.chunk import Chunk, ScoreColumns, unfold
from adjudge.run.chunking import chunks_of, group_chunks_of

L = TypeVar("L", bound=Hashable)

# By metric, arm and group; the group is empty for all marks.
Tallies = dict[tuple[str, str, str], Tally]


@dataclass(frozen=True)
class NumberedChunk:
    """Some records of a run in columns, with the number of each one's case (or of its case and trial)."""

    chunk: Chunk
    numbers: list[int]

    @cached_property
    def arms(self) -> list[tuple[str, NumberedChunk]]:
        """The records of each arm."""
        return list(self.split(unfold(self.chunk.arm, len(self.numbers))))

    def facet_values(self, facet: str) -> list[str | None]:
        """The value of a facet for each record; None for a record that does not have it."""
        return unfold(self.chunk.facets[facet], len(self.numbers))

    def values(self, metric: str) -> list[float | None]:
        """The value of each record by a metric; None where it has none."""
        columns = self.chunk.scores.get(metric)
        return unfold(columns.value if columns else None, len(self.numbers))

    def split(self, labels: Sequence[L | None]) -> Iterator[tuple[L, NumberedChunk]]:
        """The records of each label, labels in the order in which they come; records without a label are left out."""
        rows: dict[L, list[int]] = {}
        for row, label in enumerate(labels):
            if label is not None:
                rows.setdefault(label, []).append(row)
        for label, chosen in rows.items():
            yield label, self._select(chosen)

    def _select(self, rows: Sequence[int]) -> NumberedChunk:
        if len(rows) == len(self.numbers):
            # Another object, because `arms` would refer to its own chunk, which would then stay in memory for a while.
            return NumberedChunk(self.chunk, self.numbers)
        return NumberedChunk(self.chunk.select(rows), [self.numbers[row] for row in rows])


class SplitScores(NamedTuple):
    """The scores of a metric on some records: those with a value, and the numbers of the others with their reasons.

    `marks` and `bases` are those of each value.
    """

    numbers: list[int]
    values: list[float]
    weights: list[float]
    marks: list[int]
    bases: Iterable[str]
    missed: list[int]
    skipped: list[Skipped | None]

    @classmethod
    def of(cls, columns: ScoreColumns, numbers: list[int]) -> SplitScores:
        """The scores of records with these numbers."""
        count = len(numbers)
        if columns.value is None:
            return cls([], [], [], [], (), numbers, unfold(columns.skipped, count))
        values, marks = unfold(columns.value, count), unfold(columns.n, count)
        weights, bases = columns.weights(marks), unfold(columns.basis, count)
        if None not in values:
            return cls(numbers, values, weights, marks, bases, [], [])
        valued, missing = [value is not None for value in values], [value is None for value in values]
        present = (list(compress(column, valued)) for column in (numbers, values, weights, marks, bases))
        absent = (list(compress(column, missing)) for column in (numbers, unfold(columns.skipped, count)))
        return cls(*present, *absent)


class Accumulator(Protocol):
    """Something that is made from all scores of a run, in one pass over them."""

    def take(self, part: NumberedChunk) -> None:
        """Take in the scores of some records."""


class ScoreTallies:
    """Tallies by metric and arm."""

    def __init__(self) -> None:
        self.tallies: Tallies = {}

    def take(self, part: NumberedChunk) -> None:
        """Take in the scores of some records."""
        for arm, of_arm in part.arms:
            _tally_chunk(self.tallies, of_arm, arm, "")


class GroupTallies:
    """Tallies by metric, arm and group, of the marks that name a group."""

    def __init__(self) -> None:
        self.tallies: Tallies = {}

    def take(self, part: NumberedChunk) -> None:
        """Take in the groups of marks of some records."""
        for arm, of_arm in part.arms:
            for name, columns in of_arm.chunk.scores.items():
                for group, sums in columns.groups.items():
                    cases = [of_arm.numbers[row] for row in sums.row]
                    tally = _tally_of(self.tallies, (name, arm, group))
                    tally.extend(cases, sums.means(), sums.weights(), sum(sums.n))


class FacetTallies:
    """For each facet of the records, tallies by metric, arm and the facet's value."""

    def __init__(self) -> None:
        self.facets: dict[str, Tallies] = {}

    def take(self, part: NumberedChunk) -> None:
        """Take in the scores of some records under each of their facets."""
        arms = unfold(part.chunk.arm, len(part.numbers))
        for facet in part.chunk.facets:
            values = part.facet_values(facet)
            labels = [None if value is None else (arm, value) for arm, value in zip(arms, values, strict=True)]
            for (arm, value), alike in part.split(labels):
                _tally_chunk(self.facets.setdefault(facet, {}), alike, arm, value)


class _Panel(Struct):
    """What several judges or samples said by one metric on one arm."""

    values: int = 0
    n: int = 0
    equal: int = 0
    spreads: list[float] = []


class VoiceTallies:
    """The sums of each judge or sample of several, by metric and arm, with the failures of each and their accord."""

    def __init__(self) -> None:
        self.sums: dict[tuple[str, str, str], list[float]] = {}
        self.counts: Counter[tuple[str, str, str]] = Counter()
        self.failures: dict[tuple[str, str, str], Counter[str]] = {}
        self.panels: dict[tuple[str, str], _Panel] = {}

    def take(self, part: NumberedChunk) -> None:
        """Take in what each judge or sample said about some records."""
        for arm, of_arm in part.arms:
            for name, columns in of_arm.chunk.scores.items():
                self._take_columns(name, arm, columns)

    def _take_columns(self, name: str, arm: str, columns: ScoreColumns) -> None:
        for voices in columns.voices.values():
            for label, sums in voices.items():
                self.sums.setdefault((name, arm, label), []).append(sums.total)
                self.counts[name, arm, label] += sums.n
        for missing in columns.missing.values():
            for label, why in missing.items():
                self.failures.setdefault((name, arm, label), Counter())[why.status] += 1
        for accord in columns.accord.values():
            panel = self.panels.setdefault((name, arm), _Panel())
            panel.n += accord.n
            panel.equal += accord.equal
            panel.spreads.append(accord.spread)


class UnlabelledItems:
    """The number of items without a label by people, or without a usable answer of a model, by metric."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()

    def take(self, part: NumberedChunk) -> None:
        """Take in the items of some records that have no label."""
        for name, columns in part.chunk.scores.items():
            if columns.unlabelled:
                self.counts[name] += sum(unfold(columns.unlabelled, len(part.numbers)))


class CaseNumbers:
    """The numbers of cases, in the order in which they come; a conversation without a case has one of its own."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def of(self, case: str) -> int:
        """The number of a case."""
        return self._numbers.setdefault(case, len(self._numbers)) if case else OWN_CASE


def accumulate(chunks: Iterable[Chunk], accumulators: Iterable[Accumulator]) -> None:
    """Give every chunk to all accumulators."""
    numbers, every = CaseNumbers(), list(accumulators)
    for chunk in chunks:
        part = NumberedChunk(chunk, list(map(numbers.of, chunk.case)))
        for accumulator in every:
            accumulator.take(part)


def tally_misses(tally: Tally, skipped: Iterable[Skipped | None]) -> None:
    """Take in conversations without a value, each with the reason why it was skipped, or None."""
    for why, count in Counter(skipped).items():
        tally.miss(why, count)


def tally_bases(tally: Tally, bases: Iterable[str]) -> None:
    """Take in what values rest on."""
    for basis, count in Counter(bases).items():
        tally.rest_on(basis, count)


def tally(rows: Iterable[ScoreRow]) -> Tallies:
    """Tallies by metric and arm."""
    made = ScoreTallies()
    accumulate(chunks_of(rows, {}), [made])
    return made.tallies


def tally_groups(rows: Iterable[ScoreRow]) -> Tallies:
    """Tallies by metric, arm and group, of the marks that name a group."""
    made = GroupTallies()
    accumulate(group_chunks_of(rows), [made])
    return made.tallies


def tally_values(tallies: dict[str, Tally], scores: Mapping[str, Score], case: int) -> None:
    """Take the scores of a record into the tallies of its arm by metric, without what is summed over their marks."""
    for name, score in scores.items():
        tally = tallies.get(name)
        if tally is None:
            tally = tallies[name] = Tally()
        _tally_value(tally, score, case)


def _tally_of(tallies: Tallies, key: tuple[str, str, str]) -> Tally:
    tally = tallies.get(key)
    if tally is None:
        tally = tallies[key] = Tally()
    return tally


def _tally_chunk(tallies: Tallies, part: NumberedChunk, arm: str, group: str) -> None:
    """Take in all scores of some records of one arm."""
    for name, columns in part.chunk.scores.items():
        _tally_columns(_tally_of(tallies, (name, arm, group)), columns, part.numbers)


def _tally_columns(tally: Tally, columns: ScoreColumns, numbers: list[int]) -> None:
    """Take in the scores of a metric on some records, with the number of each one's case."""
    for missing in columns.missing.values():
        tally.note(missing.values())
    split = SplitScores.of(columns, numbers)
    tally_misses(tally, split.skipped)
    tally.extend(split.numbers, split.values, split.weights, sum(split.marks))
    tally_bases(tally, split.bases)
    for moments in columns.moments.values():
        tally.sort(moments)


def _tally_value(tally: Tally, score: Score, case: int) -> None:
    if score.missing:
        tally.note(score.missing.values())
    if score.value is None:
        tally.miss(score.skipped)
        return
    tally.count(case, score.value, score.weight, score.n)
    if score.basis:
        tally.rest_on(score.basis)
