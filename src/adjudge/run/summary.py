"""What tables are made from: the scores of a record without their marks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import fsum

from msgspec import Struct

from adjudge.core.card import Card
from adjudge.core.mark import Mark, Score, ScoreRow, Skipped
from adjudge.core.record import Key
from adjudge.core.tally import Moments, group_moments


class GroupSums(Struct, frozen=True, gc=False):
    """The marks of one group in a score: their number, and the sums of their weights and of their weighted values."""

    n: int
    weight: float
    total: float


class VoiceSums(Struct, frozen=True, gc=False):
    """The values that one judge or sample of several gave in a score: their number and their sum."""

    n: int
    total: float


class Accord(Struct, frozen=True, gc=False):
    """How far judges agree in a score: the marks that two or more valued, those with equal values, and all spreads."""

    n: int
    equal: int
    spread: float


class ScoreSummary(Struct, frozen=True, gc=False):
    """A score without its marks.

    What is summed over marks is left out where a run is read for its values alone: `groups` by group of marks,
    `moments` by group for metrics that are pooled over groups, `voices` by judge or sample, and their `accord`.
    """

    value: float | None = None
    n: int = 0
    weight: float = 0.0
    skipped: Skipped | None = None
    missing: dict[str, Skipped] = {}
    basis: str = ""
    unlabelled: int = 0
    groups: dict[str, GroupSums] = {}
    moments: dict[str, Moments] = {}
    voices: dict[str, VoiceSums] = {}
    accord: Accord | None = None


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


def summarise_row(row: ScoreRow, cards: Mapping[str, Card]) -> SummaryRow:
    """The scores of a record without their marks, with all that is summed over them."""
    scores = {name: summarise_score(score, cards.get(name)) for name, score in row.scores.items()}
    return SummaryRow(row.case, row.arm, scores, row.trial, row.facets, row.given)


def summarise_score(score: Score, card: Card | None) -> ScoreSummary:
    """A score without its marks, with all that is summed over them."""
    marks = score.marks
    if not marks and not score.draws:
        return ScoreSummary(
            score.value, score.n, score.weight, score.skipped, score.missing, score.basis, score.unlabelled
        )
    return ScoreSummary(
        score.value,
        score.n,
        score.weight,
        score.skipped,
        score.missing,
        score.basis,
        score.unlabelled,
        group_sums(marks),
        group_moments(marks) if card is not None and card.pool == "groups" else {},
        {label: _voice_sums(values) for label, values in score.draws.items()},
        _accord(score) if score.draws else None,
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


def _voice_sums(values: Iterable[float | None]) -> VoiceSums:
    given = [value for value in values if value is not None]
    return VoiceSums(len(given), fsum(given))


def _accord(score: Score) -> Accord:
    shared = [sum(value is not None for value in values) > 1 for values in zip(*score.draws.values(), strict=True)]
    spreads = [mark.spread for mark, several in zip(score.marks, shared, strict=False) if several]
    return Accord(len(spreads), sum(spread == 0 for spread in spreads), fsum(spreads))
