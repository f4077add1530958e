"""Tallies: sums over scores that merge, from which every dataset value and interval is computed."""

from __future__ import annotations

from msgspec import Struct, field

from adjudge.core.mark import Score


class Moments(Struct, gc=False):
    """Number, sum and sum of squared deviations of the values seen (Youngs and Cramer, merged by Chan).

    Sums of 0 and 1 are exact, so any split over workers gives the same mean to the last digit.
    """

    n: int = 0
    total: float = 0.0
    m2: float = 0.0

    def add(self, value: float) -> None:
        """Take in one value."""
        self.n += 1
        self.total += value
        if self.n > 1:
            delta = self.n * value - self.total
            self.m2 += delta * delta / (self.n * (self.n - 1))

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
        return self.m2 / (self.n - 1) if self.n > 1 else 0.0


class Ratio(Struct, gc=False):
    """Sums and co-moments of (weighted sum, weight) pairs, one pair a conversation: the mean over all marks.

    Marks of one conversation are not independent, so the spread of their mean is taken between
    conversations: the residuals `sum - mean * weight` of the conversations.
    """

    n: int = 0
    total: float = 0.0
    weight: float = 0.0
    tt: float = 0.0
    ww: float = 0.0
    tw: float = 0.0

    def add(self, total: float, weight: float) -> None:
        """Take in one conversation's weighted sum of marks and sum of weights."""
        self.n += 1
        self.total += total
        self.weight += weight
        if self.n > 1:
            self._spread(self.n * total - self.total, self.n * weight - self.weight, self.n * (self.n - 1))

    def merge(self, other: Ratio) -> None:
        """Take in all conversations another has seen."""
        if self.n and other.n:
            dt = other.n * self.total - self.n * other.total
            dw = other.n * self.weight - self.n * other.weight
            self._spread(dt, dw, self.n * other.n * (self.n + other.n))
        self.tt += other.tt
        self.ww += other.ww
        self.tw += other.tw
        self.n += other.n
        self.total += other.total
        self.weight += other.weight

    def _spread(self, dt: float, dw: float, share: int) -> None:
        self.tt += dt * dt / share
        self.ww += dw * dw / share
        self.tw += dt * dw / share

    @property
    def mean(self) -> float:
        """The mean over all marks; ask only where `n` is not 0."""
        return self.total / self.weight

    @property
    def variance_of_mean(self) -> float:
        """The cluster-robust variance of the mean, with the G/(G-1) correction."""
        mean = self.mean
        spread = self.tt + mean * mean * self.ww
        residuals = spread - 2 * mean * self.tw
        # What is left of equal numbers after rounding is no spread.
        if residuals <= 1e-12 * spread:
            return 0.0
        return residuals * self.n / (self.n - 1) / (self.weight * self.weight)


class Tally(Struct, gc=False):
    """One metric on one arm: over marks, over conversations, and what could not be valued.

    `binary` holds while every conversation had one mark of 0 or 1 and weight 1.
    """

    marks: int = 0
    over_marks: Ratio = field(default_factory=Ratio)
    over_conversations: Moments = field(default_factory=Moments)
    binary: bool = True
    undefined: int = 0
    skipped: int = 0
    errors: int = 0
    reasons: dict[str, int] = {}

    def add(self, score: Score) -> None:
        """Take in the score of one conversation."""
        if score.value is not None:
            self.count(score.value, score.weight, score.n)
        elif score.skipped is None:
            self.undefined += 1
        else:
            if score.skipped.status == "error":
                self.errors += 1
            else:
                self.skipped += 1
            self.reasons[score.skipped.why] = self.reasons.get(score.skipped.why, 0) + 1

    def count(self, value: float, weight: float, marks: int) -> None:
        """Take in one conversation's value, with the weight and number of its marks."""
        self.marks += marks
        self.over_marks.add(value * weight, weight)
        self.over_conversations.add(value)
        if self.binary and (marks != 1 or weight != 1.0 or value not in (0.0, 1.0)):
            self.binary = False

    def merge(self, other: Tally) -> None:
        """Take in everything another has counted."""
        self.marks += other.marks
        self.over_marks.merge(other.over_marks)
        self.over_conversations.merge(other.over_conversations)
        self.binary = self.binary and other.binary
        self.undefined += other.undefined
        self.skipped += other.skipped
        self.errors += other.errors
        for why, count in other.reasons.items():
            self.reasons[why] = self.reasons.get(why, 0) + count
