"""All that the page of a run shows, gathered once; the template only sets it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from adjudge.core.card import Card
from adjudge.core.record import Key
from adjudge.report.page.answer import Answer, answer, leading
from adjudge.report.page.breakdowns import Breakdown, breakdowns
from adjudge.report.page.intervals import intervals
from adjudge.report.page.members import Fates, fates
from adjudge.report.page.method import interval_methods
from adjudge.report.page.results import Entry, Part, parts, variants
from adjudge.report.page.spread import spread
from adjudge.report.page.transcripts import Case, cases
from adjudge.report.summary import Summary
from adjudge.report.words import judging_lines, warnings_of
from adjudge.run import Run

if TYPE_CHECKING:
    from markupsafe import Markup


class Lead(Struct, frozen=True):
    """One of the few metrics that stand first."""

    card: Card
    plot: Markup


class Report(Struct, frozen=True, kw_only=True):
    """The sections of the page; `places` numbers metrics and conversations, for links within the page."""

    summary: Summary
    answer: Answer
    warnings: list[str]
    leads: list[Lead]
    parts: list[Part]
    variants: list[Entry]
    judging: list[str]
    breakdowns: list[Breakdown]
    members: list[Fates]
    cases: list[Case]
    methods: dict[str, list[str]]
    metrics: dict[str, int]
    places: dict[Key, int]

    def place(self, case: str, arm: str, trial: int) -> int | None:
        """The number of a conversation that is shown whole; None for any other."""
        return self.places.get(Key(case, arm, trial))

    def broken_down(self, metric: str) -> bool:
        """Whether a metric is found among the breakdowns."""
        return any(pivot.card.name == metric for one in self.breakdowns for pivot in one.pivots)


def report(run: Run) -> Report:
    """Read a run for its page."""
    summary, found = Summary.of(run), spread(run)
    shown = cases(run, summary.worst)
    return Report(
        summary=summary,
        answer=answer(summary),
        warnings=warnings_of(summary.status, summary.coverage),
        leads=[_lead(summary, card) for card in leading(summary)],
        parts=parts(summary, found.values) if summary.rows else [],
        variants=variants(summary, found.values),
        judging=judging_lines(summary),
        breakdowns=breakdowns(run, summary, found),
        members=fates(run, summary),
        cases=shown,
        methods=interval_methods(summary.rows),
        metrics={name: place for place, name in enumerate(summary.cards)},
        places={case.key: place for place, case in enumerate(shown)},
    )


def _lead(summary: Summary, card: Card) -> Lead:
    rows = [row for row in summary.rows if row.metric == card.name]
    return Lead(card, intervals(card, rows))
