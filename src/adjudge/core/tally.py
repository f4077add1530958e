"""Tallies: what is kept of scores. They can be merged, and every dataset value and interval is computed from them."""

from __future__ import annotations

import zlib
from array import array
from collections.abc import Iterable, Mapping
from itertools import accumulate, chain
from math import fsum
from operator import mul, sub
from typing import NamedTuple

from msgspec import Struct, field

from adjudge.core.mark import Mark, Score, Skipped


class Moments(Struct, gc=False):
    """Number, sum and sum of squared deviations (`m2`) of the values seen, merged by Chan's update.

    Sums of 0 and 1 are exact, so any split over workers gives the same mean to the last digit.

    Chan, Golub & LeVeque (1983), The American Statistician 37, 242-247.

    >>> from adjudge import Moments
    >>> both = Moments(2, 1.0)
    >>> both.merge(Moments(2, 2.0))
    >>> both.n, both.mean
    (4, 0.75)
    """

    n: int = 0
    total: float = 0.0
    m2: float = 0.0

    def merge(self, other: Moments) -> None:
        """Take in all values another has seen."""
        if self.n and other.n:
            delta = other.n * self.total - self.n * other.total
            self.m2 += delta * delta / (self.n * other.n * (self.n + other.n))
        self.m2 += other.m2
        self.n += other.n
        self.total += other.total

    @property
    def mean(self) -> float:
        """The mean; ask only where `n` is not 0."""
        return self.total / self.n

    @property
    def variance(self) -> float:
        """The sample variance; 0.0 for fewer than two values."""
        # Rounding leaves a tiny m2 for equal values. Deviations below 1e-12 of the mean do not count as spread.
        if self.n < 2 or self.m2 <= 1e-24 * self.total * self.total / self.n:
            return 0.0
        return self.m2 / (self.n - 1)


def group_moments(marks: Iterable[Mark]) -> dict[str, Moments]:
    """The moments of the marks of each group; marks without a group are left out."""
    groups: dict[str, Moments] = {}
    for mark in marks:
        if mark.group:
            groups.setdefault(mark.group, Moments()).merge(Moments(1, mark.value))
    return groups


# The case number of a conversation that shares its case with no other conversation.
OWN_CASE = -1


def _doubles() -> array[float]:
    return array("d")


def _integers(numbers: Iterable[int] | bytes = ()) -> array[int]:
    return array("i", numbers)


# The number of conversations that are compressed at a time: a tally of millions takes about two bytes for each.
BLOCK = 1024


class TallyColumns(NamedTuple):
    """The case number, the value and the weight of each conversation with a value."""

    cases: array[int]
    values: array[float]
    weights: array[float]

    @property
    def mean_over_marks(self) -> float:
        """The mean over marks by their weights; ask only where there are marks."""
        # Exact sums, so that any order and any split over workers gives the same mean to the last digit.
        return fsum(map(mul, self.values, self.weights)) / fsum(self.weights)

    @property
    def mean_over_conversations(self) -> float:
        """The mean over conversations; ask only where there are marks."""
        return fsum(self.values) / len(self.values)


class Tally(Struct, gc=False):
    """One metric on one arm: its conversations with a value, and what could not be valued.

    `cases`, `values` and `weights` have an entry for each of the last conversations with a value, `packed` has the
    others compressed, and `columns` gives all. `marks` counts the marks of all of them. Intervals depend on the length
    of each case, so a fixed number of sums is not enough. The caller numbers the cases, in the same way in all tallies
    that are merged. `bases` counts conversations by the basis of their values;
    `groups` holds the moments of the marks of each group, for metrics that are pooled over groups.

    >>> from adjudge import Tally
    >>> tally = Tally()
    >>> tally.count(0, 0.5, 2.0, 2)
    >>> tally.mean_over_marks
    0.5
    """

    marks: int = 0
    cases: array[int] = field(default_factory=_integers)
    values: array[float] = field(default_factory=_doubles)
    weights: array[float] = field(default_factory=_doubles)
    undefined: int = 0
    skipped: int = 0
    errors: int = 0
    reasons: dict[str, int] = {}
    statuses: dict[str, int] = {}
    bases: dict[str, int] = {}
    groups: dict[str, Moments] = {}
    packed: list[tuple[bytes, bytes, bytes]] = []
    packed_conversations: int = 0

    @property
    def conversations(self) -> int:
        """The number of conversations with a value."""
        return self.packed_conversations + len(self.values)

    @property
    def mean_over_marks(self) -> float:
        """The mean over marks by their weights; ask only where there are marks."""
        return self.columns().mean_over_marks

    @property
    def mean_over_conversations(self) -> float:
        """The mean over conversations; ask only where there are marks."""
        return self.columns().mean_over_conversations

    def columns(self) -> TallyColumns:
        """All conversations with a value, in the order they came."""
        whole = TallyColumns(_integers(), _doubles(), _doubles())
        for cases, values, weights in self.packed:
            whole.cases.extend(accumulate(_integers(zlib.decompress(cases))))
            whole.values.frombytes(zlib.decompress(values))
            whole.weights.frombytes(zlib.decompress(weights))
        whole.cases.extend(self.cases)
        whole.values.extend(self.values)
        whole.weights.extend(self.weights)
        return whole

    def add(self, score: Score, case: int = OWN_CASE) -> None:
        """Take in the score of one conversation."""
        if score.value is not None:
            self.count(case, score.value, score.weight, score.n)
            self.rest_on(score.basis)
            self.sort(group_moments(score.marks))
        else:
            self.miss(score.skipped)

    def count(self, case: int, value: float, weight: float, marks: int) -> None:
        """Take in the value of one conversation, with the weight and the number of its marks."""
        self.marks += marks
        self.cases.append(case)
        self.values.append(value)
        self.weights.append(weight)
        if len(self.values) >= BLOCK:
            self._pack()

    def extend(self, cases: list[int], values: list[float], weights: list[float], marks: int) -> None:
        """Take in the values of several conversations, with their weights and the number of all their marks."""
        self.marks += marks
        self.cases.fromlist(cases)
        self.values.fromlist(values)
        self.weights.fromlist(weights)
        if len(self.values) >= BLOCK:
            self._pack()

    def _pack(self) -> None:
        """Compress the last conversations."""
        # Cases mostly follow each other, so their differences take next to no bytes.
        steps = _integers(map(sub, self.cases, chain((0,), self.cases)))
        cases, values, weights = (zlib.compress(column.tobytes(), 1) for column in (steps, self.values, self.weights))
        self.packed_conversations += len(self.values)
        self.packed.append((cases, values, weights))
        self.cases, self.values, self.weights = _integers(), _doubles(), _doubles()

    def rest_on(self, basis: str, conversations: int = 1) -> None:
        """Take in what the value of one conversation, or of several, rests on."""
        if basis:
            self.bases[basis] = self.bases.get(basis, 0) + conversations

    def sort(self, moments: Mapping[str, Moments]) -> None:
        """Take in the moments of the marks of one conversation by group."""
        for group, part in moments.items():
            self.groups.setdefault(group, Moments()).merge(part)

    def miss(self, skipped: Skipped | None, conversations: int = 1) -> None:
        """Take in a conversation without a value, or several: undefined, or skipped for a reason."""
        if skipped is None:
            self.undefined += conversations
            return
        if skipped.status == "error":
            self.errors += conversations
        else:
            self.skipped += conversations
        self.reasons[skipped.why] = self.reasons.get(skipped.why, 0) + conversations
        self.statuses[skipped.status] = self.statuses.get(skipped.status, 0) + conversations

    def note(self, missing: Iterable[Skipped]) -> None:
        """Count the judges of a panel that gave no answer, though others did."""
        for skipped in missing:
            self.statuses[skipped.status] = self.statuses.get(skipped.status, 0) + 1

    def merge(self, other: Tally) -> None:
        """Take in everything another has counted."""
        self.marks += other.marks
        columns = other.columns()
        self.cases += columns.cases
        self.values += columns.values
        self.weights += columns.weights
        if len(self.values) >= BLOCK:
            self._pack()
        self.undefined += other.undefined
        self.skipped += other.skipped
        self.errors += other.errors
        for why, count in other.reasons.items():
            self.reasons[why] = self.reasons.get(why, 0) + count
        for status, count in other.statuses.items():
            self.statuses[status] = self.statuses.get(status, 0) + count
        for basis, count in other.bases.items():
            self.bases[basis] = self.bases.get(basis, 0) + count
        self.sort(other.groups)
