"""One metric on one arm, case by case, and the numbers of the cases and trials that columns refer to."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from operator import mul
from typing import NamedTuple

import msgspec
import numpy as np
from msgspec import Struct, field

from adjudge.aggregate import NumberedChunk, SplitScores, tally_bases, tally_misses
from adjudge.core.tally import Tally
from adjudge.run.chunk import Chunk, ScoreColumns, unfold
from adjudge.stats.cases import Arm
from adjudge.stats.variance import ROUNDING, Floats, Ints

Place = tuple[str, int]
Sums = tuple[float, float]
# Bytes of a digest of what a record was given.
_DIGEST = 16


class Places:
    """Cases and trials by number, in the order in which they come; trials of one case share the number of the case."""

    def __init__(self) -> None:
        self.names: list[Place] = []
        self._numbers: dict[Place, int] = {}
        self._cases: dict[str, int] = {}
        self._case_of = array("i")

    def number(self, case: str, trial: int) -> int:
        """The number of a case and trial."""
        place = (case, trial)
        number = self._numbers.get(place)
        if number is None:
            number = self._numbers[place] = len(self.names)
            self.names.append(place)
            self._case_of.append(self._cases.setdefault(case, len(self._cases)))
        return number

    def number_records(self, chunk: Chunk) -> NumberedChunk:
        """Some records, each with the number of its case and trial."""
        return NumberedChunk(chunk, list(map(self.number, chunk.case, unfold(chunk.trial, len(chunk.case)))))

    def cases(self, numbers: Ints) -> Ints:
        """The number of the case of each place."""
        return np.array(self._case_of, dtype=np.intp)[numbers]

    def positions(self, numbers: Ints) -> Ints:
        """For every place its position among the given ones, or -1."""
        positions = np.full(len(self.names), -1, dtype=np.intp)
        positions[numbers] = np.arange(len(numbers))
        return positions


class PlacedSums(NamedTuple):
    """The numbers of places, and for each the total and the weight."""

    places: Ints
    totals: Floats
    weights: Floats

    def take(self, which: Ints | np.ndarray[tuple[int], np.dtype[np.bool_]]) -> PlacedSums:
        """Some of them."""
        return PlacedSums(self.places[which], self.totals[which], self.weights[which])


class Column(Struct):
    """One metric on one arm: the total and the weight of each case and trial, and the counts of missing values.

    The sums are in a tally, whose case numbers are those of `places`. `missed` are the places without a value. `bases`
    counts values by their basis; `versions` are the versions of the metric's card.
    """

    places: Places = field(default_factory=Places)
    versions: set[int] = field(default_factory=set)
    tally: Tally = field(default_factory=Tally)
    missed: array[int] = field(default_factory=lambda: array("i"))

    def add(self, places: list[int], scores: ScoreColumns, over_marks: bool) -> None:
        """Take in the scores of some cases and trials."""
        split = SplitScores.of(scores, places)
        self.missed.fromlist(split.missed)
        tally_misses(self.tally, split.skipped)
        weights = split.weights if over_marks else [1.0] * len(split.values)
        # A gain of 5e-17 is what rounding leaves of none.
        values = [0.0 if abs(value) <= ROUNDING else value for value in split.values]
        self.tally.extend(split.numbers, list(map(mul, values, weights)), weights, 0)
        tally_bases(self.tally, split.bases)

    @property
    def valued(self) -> int:
        """The number of conversations with a value."""
        return self.tally.conversations

    @property
    def undefined(self) -> int:
        """The number of conversations in which the metric is undefined."""
        return self.tally.undefined

    @property
    def skipped(self) -> int:
        """The number of conversations whose score could not be given."""
        return self.tally.skipped

    @property
    def errors(self) -> int:
        """The number of conversations in which the metric failed."""
        return self.tally.errors

    @property
    def bases(self) -> dict[str, int]:
        """The number of values by their basis."""
        return self.tally.bases

    @property
    def conversations(self) -> int:
        """The number of conversations, with a value or not."""
        return self.valued + self.undefined + self.skipped + self.errors

    @property
    def case_count(self) -> int:
        """The number of cases, with a value or not."""
        places = np.concatenate([self.placed_sums().places, np.array(self.missed, dtype=np.intp)])
        return len(np.unique(self.places.cases(places)))

    def has_repeated_cases(self) -> bool:
        """Whether a case has values of several trials."""
        return len(np.unique(self.places.cases(self.placed_sums().places))) < self.valued

    @property
    def sums(self) -> dict[Place, Sums]:
        """The total and the weight by case and trial."""
        names, placed = self.places.names, self.placed_sums()
        totals = zip(placed.totals.tolist(), placed.weights.tolist(), strict=True)
        return dict(zip((names[place] for place in placed.places.tolist()), totals, strict=True))

    def value(self, place: Place) -> float:
        """The value of a case and trial that has one."""
        placed = self.placed_sums()
        (position,) = np.flatnonzero(placed.places == self.places.number(*place))
        return float(placed.totals[position] / placed.weights[position])

    def unpaired_sums(self) -> Arm:
        """The sums of the cases over their trials, in the order in which they come."""
        return Arm(*sums_by_case(self.places, self.placed_sums()))

    def placed_sums(self) -> PlacedSums:
        """The total and the weight by the number of the place, in the order in which they came."""
        columns = self.tally.columns()
        places = np.frombuffer(columns.cases, dtype=np.intc).astype(np.intp)
        return PlacedSums(places, np.frombuffer(columns.values), np.frombuffer(columns.weights))


class GivenParts:
    """What an arm was given in each case and trial, as digests of the fingerprints in the run."""

    def __init__(self) -> None:
        self.places = array("i")
        self.digests = bytearray()
        self.is_empty = True

    def add(self, places: list[int], given: Sequence[dict[str, str]]) -> None:
        """Take in the fingerprints of some records."""
        self.places.fromlist(places)
        for parts in given:
            self.digests += blake2b(msgspec.json.encode(parts), digest_size=_DIGEST).digest()
        if any(given):
            self.is_empty = False

    def digest_rows(self) -> np.ndarray[tuple[int, int], np.dtype[np.uint8]]:
        """The digests, one in each row."""
        return np.frombuffer(bytes(self.digests), dtype=np.uint8).reshape(-1, _DIGEST)


def shared_sums(first: Column, second: Column) -> tuple[PlacedSums, PlacedSums]:
    """The sums of two columns of one sheet in the places that both have, in the order of the first."""
    ours, theirs = first.placed_sums(), second.placed_sums()
    positions = first.places.positions(theirs.places)[ours.places]
    return ours.take(positions >= 0), theirs.take(positions[positions >= 0])


def sums_by_case(places: Places, sums: PlacedSums) -> Iterator[Floats]:
    """The totals and the weights of cases over their trials, cases in the order in which they come."""
    _, first, inverse = np.unique(places.cases(sums.places), return_index=True, return_inverse=True)
    rank = np.empty(len(first), dtype=np.intp)
    rank[np.argsort(first)] = np.arange(len(first))
    for column in (sums.totals, sums.weights):
        yield np.bincount(rank[inverse], weights=column, minlength=len(first)).astype(float)
