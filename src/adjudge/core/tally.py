"""Tallies: sums over scores that merge, from which every dataset value and interval is computed."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence

from msgspec import Struct, field

from adjudge.core.mark import Mark, Score, Skipped


class Moments(Struct, gc=False):
    """Number, sum and sum of squared deviations of the values seen, merged by Chan's update.

    Sums of 0 and 1 are exact, so any split over workers gives the same mean to the last digit.
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
        # What is left of equal numbers after rounding is no spread.
        if self.n < 2 or self.m2 <= 1e-24 * self.total * self.total / self.n:
            return 0.0
        return self.m2 / (self.n - 1)


class Ratio(Struct, gc=False):
    """Sums of weighted values and of weights, one pair a conversation: a mean over marks or over conversations."""

    n: int = 0
    total: float = 0.0
    weight: float = 0.0

    @classmethod
    def of(cls, totals: Sequence[float], weights: Sequence[float]) -> Ratio:
        """The sums of many conversations at once."""
        return cls(len(totals), sum(totals), sum(weights))

    def merge(self, other: Ratio) -> None:
        """Take in all conversations another has seen."""
        self.n += other.n
        self.total += other.total
        self.weight += other.weight

    @property
    def mean(self) -> float:
        """The weighted mean; ask only where `n` is not 0."""
        return self.total / self.weight


def _doubles() -> array[float]:
    return array("d")


class Tally(Struct, gc=False):
    """One metric on one arm: over marks, over conversations, and what could not be valued.

    `cases`, `values` and `weights` are those of the conversations with a value, from which intervals are computed:
    these depend on how long each case is, so no sums of fixed size will do. An empty case stands for a case of its own.
    `bases` counts conversations by what their values rest on; `groups` holds the marks of each group, for metrics that
    are pooled over groups.
    """

    marks: int = 0
    over_marks: Ratio = field(default_factory=Ratio)
    over_conversations: Ratio = field(default_factory=Ratio)
    cases: list[str] = []
    values: array[float] = field(default_factory=_doubles)
    weights: array[float] = field(default_factory=_doubles)
    undefined: int = 0
    skipped: int = 0
    errors: int = 0
    reasons: dict[str, int] = {}
    statuses: dict[str, int] = {}
    bases: dict[str, int] = {}
    groups: dict[str, Moments] = {}

    def add(self, score: Score, case: str = "") -> None:
        """Take in the score of one conversation."""
        if score.value is not None:
            self.count_all([case], [score.value], [score.weight], [score.n])
            self.rest_on(score.basis)
            self.sort(score.marks)
        else:
            self.miss(score.skipped)

    def rest_on(self, basis: str) -> None:
        """Take in what the value of one conversation rests on."""
        if basis:
            self.bases[basis] = self.bases.get(basis, 0) + 1

    def sort(self, marks: Iterable[Mark]) -> None:
        """Take in the marks of one conversation by group."""
        for mark in marks:
            if mark.group:
                self.groups.setdefault(mark.group, Moments()).merge(Moments(1, mark.value))

    def miss(self, skipped: Skipped | None) -> None:
        """Take in a conversation without a value: undefined, or skipped for a reason."""
        if skipped is None:
            self.undefined += 1
            return
        if skipped.status == "error":
            self.errors += 1
        else:
            self.skipped += 1
        self.reasons[skipped.why] = self.reasons.get(skipped.why, 0) + 1
        self.statuses[skipped.status] = self.statuses.get(skipped.status, 0) + 1

    def note(self, missing: Iterable[Skipped]) -> None:
        """Count the judges of a panel that gave no answer, though others did."""
        for skipped in missing:
            self.statuses[skipped.status] = self.statuses.get(skipped.status, 0) + 1

    def count_all(
        self, cases: Sequence[str], values: Sequence[float], weights: Sequence[float], marks: Sequence[int]
    ) -> None:
        """Take in the values of many conversations, with their cases and the weights and numbers of their marks."""
        self.marks += sum(marks)
        self.over_conversations.merge(Ratio(len(values), sum(values), float(len(values))))
        self.over_marks.merge(Ratio.of([v * w for v, w in zip(values, weights, strict=True)], weights))
        self.cases += cases
        self.values.extend(values)
        self.weights.extend(weights)

    def merge(self, other: Tally) -> None:
        """Take in everything another has counted."""
        self.marks += other.marks
        self.over_marks.merge(other.over_marks)
        self.over_conversations.merge(other.over_conversations)
        self.cases += other.cases
        self.values += other.values
        self.weights += other.weights
        self.undefined += other.undefined
        self.skipped += other.skipped
        self.errors += other.errors
        for why, count in other.reasons.items():
            self.reasons[why] = self.reasons.get(why, 0) + count
        for status, count in other.statuses.items():
            self.statuses[status] = self.statuses.get(status, 0) + count
        for basis, count in other.bases.items():
            self.bases[basis] = self.bases.get(basis, 0) + count
        for group, moments in other.groups.items():
            self.groups.setdefault(group, Moments()).merge(moments)
