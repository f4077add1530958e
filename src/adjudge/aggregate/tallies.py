"""Tallies of all scores of a run, taken in row by row in one pass."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Protocol

from msgspec import Struct

from adjudge.core.mark import Score, ScoreRow
from adjudge.core.tally import OWN_CASE, Tally
from adjudge.run import ScoreSummary, SummaryRow
from adjudge.run.summary import group_sums

# By metric, arm and group; the group is empty for all marks.
Tallies = dict[tuple[str, str, str], Tally]


class Accumulator(Protocol):
    """Something that is made from all scores of a run, in one pass over them."""

    def take(self, row: SummaryRow, case: int) -> None:
        """Take in the scores of a record, with the number of its case."""


class ScoreTallies:
    """Tallies by metric and arm."""

    def __init__(self) -> None:
        self.tallies: Tallies = {}

    def take(self, row: SummaryRow, case: int) -> None:
        """Take in the scores of a record."""
        for name, score in row.scores.items():
            tally_score(self.tallies, (name, row.arm, ""), score, case)


class GroupTallies:
    """Tallies by metric, arm and group, of the marks that name a group."""

    def __init__(self) -> None:
        self.tallies: Tallies = {}

    def take(self, row: SummaryRow, case: int) -> None:
        """Take in the groups of marks of a record."""
        tallies = self.tallies
        for name, score in row.scores.items():
            for group, sums in score.groups.items():
                key = (name, row.arm, group)
                tally = tallies.get(key)
                if tally is None:
                    tally = tallies[key] = Tally()
                tally.count(case, sums.total / sums.weight, sums.weight, sums.n)


class FacetTallies:
    """For each facet of the records, tallies by metric, arm and the facet's value."""

    def __init__(self) -> None:
        self.facets: dict[str, Tallies] = {}

    def take(self, row: SummaryRow, case: int) -> None:
        """Take in the scores of a record under each of its facets."""
        for facet, value in row.facets.items():
            tallies = self.facets.setdefault(facet, {})
            for name, score in row.scores.items():
                tally_score(tallies, (name, row.arm, value), score, case)


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

    def take(self, row: SummaryRow, case: int) -> None:
        """Take in what each judge or sample said about a record."""
        for name, score in row.scores.items():
            for label, sums in score.voices.items():
                self.sums.setdefault((name, row.arm, label), []).append(sums.total)
                self.counts[name, row.arm, label] += sums.n
            for label, why in score.missing.items():
                self.failures.setdefault((name, row.arm, label), Counter())[why.status] += 1
            if score.accord is not None:
                panel = self.panels.setdefault((name, row.arm), _Panel())
                panel.n += score.accord.n
                panel.equal += score.accord.equal
                panel.spreads.append(score.accord.spread)


class UnlabelledItems:
    """The number of items without a label by people, or without a usable answer of a model, by metric."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()

    def take(self, row: SummaryRow, case: int) -> None:
        """Take in the items of a record that have no label."""
        for name, score in row.scores.items():
            if score.unlabelled:
                self.counts[name] += score.unlabelled


class CaseNumbers:
    """The numbers of cases, in the order in which they come; a conversation without a case has one of its own."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def of(self, case: str) -> int:
        """The number of a case."""
        return self._numbers.setdefault(case, len(self._numbers)) if case else OWN_CASE


def accumulate(rows: Iterable[SummaryRow], accumulators: Iterable[Accumulator]) -> None:
    """Give every row to all accumulators."""
    numbers, every = CaseNumbers(), list(accumulators)
    for row in rows:
        case = numbers.of(row.case)
        for accumulator in every:
            accumulator.take(row, case)


def tally(rows: Iterable[SummaryRow]) -> Tallies:
    """Tallies by metric and arm."""
    made = ScoreTallies()
    accumulate(rows, [made])
    return made.tallies


def tally_groups(rows: Iterable[ScoreRow]) -> Tallies:
    """Tallies by metric, arm and group, of the marks that name a group."""
    made, numbers = GroupTallies(), CaseNumbers()
    for row in rows:
        scores = {name: ScoreSummary(groups=group_sums(score.marks)) for name, score in row.scores.items()}
        made.take(SummaryRow(row.case, row.arm, scores), numbers.of(row.case))
    return made.tallies


def tally_score(tallies: Tallies, key: tuple[str, str, str], score: ScoreSummary, case: int) -> None:
    """Take a score into the tally of a metric, an arm and a group."""
    tally = tallies.get(key)
    if tally is None:
        tally = tallies[key] = Tally()
    _tally_value(tally, score, case)
    if score.moments:
        tally.sort(score.moments)


def tally_values(tallies: dict[str, Tally], scores: Mapping[str, Score], case: int) -> None:
    """Take the scores of a record into the tallies of its arm by metric, without what is summed over their marks."""
    for name, score in scores.items():
        tally = tallies.get(name)
        if tally is None:
            tally = tallies[name] = Tally()
        _tally_value(tally, score, case)


def _tally_value(tally: Tally, score: Score | ScoreSummary, case: int) -> None:
    if score.missing:
        tally.note(score.missing.values())
    if score.value is None:
        tally.miss(score.skipped)
        return
    tally.count(case, score.value, score.weight, score.n)
    if score.basis:
        tally.rest_on(score.basis)
