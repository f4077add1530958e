"""What tables are made from: the scores of a record without their marks."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from adjudge.core.mark import Mark, Score, ScoreRow, Skipped
from adjudge.core.record import Key


class GroupSums(Struct, frozen=True, gc=False):
    """The marks of one group in a score: their number, and the sums of their weights and of their weighted values."""

    n: int
    weight: float
    total: float


class ScoreSummary(Struct, frozen=True, gc=False):
    """A score without its marks.

    `groups` are the sums of each group of marks; they are left out where a run is read for its values alone.
    """

    value: float | None = None
    n: int = 0
    weight: float = 0.0
    skipped: Skipped | None = None
    missing: dict[str, Skipped] = {}
    basis: str = ""
    unlabelled: int = 0
    groups: dict[str, GroupSums] = {}


class SummaryRow(Struct, frozen=True, gc=False):
    """The scores of a record without their marks: much faster to read."""

    case: str
    arm: str
    scores: dict[str, ScoreSummary]
    trial: int = 0
    facets: dict[str, str] = {}
    given: dict[str, str] = {}

    @property
    def key(self) -> Key:
        """The conversation that was scored."""
        return Key(self.case, self.arm, self.trial)


def summarise_row(row: ScoreRow) -> SummaryRow:
    """The scores of a record without their marks, with the sums of each group."""
    scores = {name: summarise_score(score) for name, score in row.scores.items()}
    return SummaryRow(row.case, row.arm, scores, row.trial, row.facets, row.given)


def summarise_score(score: Score) -> ScoreSummary:
    """A score without its marks, with the sums of each group."""
    return ScoreSummary(
        score.value,
        score.n,
        score.weight,
        score.skipped,
        score.missing,
        score.basis,
        score.unlabelled,
        group_sums(score.marks) if score.marks else {},
    )


def group_sums(marks: Iterable[Mark]) -> dict[str, GroupSums]:
    """The sums of the marks of each group; marks without a group are left out."""
    numbers: dict[str, int] = {}
    weights: dict[str, float] = {}
    totals: dict[str, float] = {}
    for mark in marks:
        group, weight = mark.group, mark.weight
        if not group or not weight:
            continue
        if group in numbers:
            numbers[group] += 1
            weights[group] += weight
            totals[group] += mark.value * weight
        else:
            numbers[group], weights[group], totals[group] = 1, weight, mark.value * weight
    return {group: GroupSums(n, weights[group], totals[group]) for group, n in numbers.items()}
