"""The page of a run: everything it shows, gathered once; the template only sets it."""

from __future__ import annotations

from msgspec import Struct

from adjudge.core.record import Key
from adjudge.report.page.frame import render
from adjudge.report.play import tables as play_tables
from adjudge.report.play import words as play_words
from adjudge.report.run import words
from adjudge.report.run.answer import RunAnswer, run_answer
from adjudge.report.run.best import BEST
from adjudge.report.run.breakdowns import Breakdown, breakdowns, shade
from adjudge.report.run.conversations import WorstConversation, read_worst_conversations
from adjudge.report.run.glance import Glance, glance
from adjudge.report.run.members import MemberTable, member_tables
from adjudge.report.run.quadrants import QuadrantPictures, quadrant_pictures
from adjudge.report.run.results import MetricEntry, SystemPart, result_parts, variant_entries
from adjudge.report.run.spread import read_spread
from adjudge.report.run.summary import RunSummary
from adjudge.report.words import retired_line
from adjudge.run import Run


class RunPage(Struct, frozen=True, kw_only=True):
    """The sections of the page; `places` numbers metrics and conversations, for links within the page."""

    summary: RunSummary
    answer: RunAnswer
    warnings: list[str]
    glance: Glance
    parts: list[SystemPart]
    variants: list[MetricEntry]
    judging: list[str]
    breakdowns: list[Breakdown]
    members: list[MemberTable]
    quadrants: list[QuadrantPictures]
    conversations: list[WorstConversation]
    methods: dict[str, list[str]]
    metrics: dict[str, int]
    places: dict[Key, int]

    def place(self, case: str, arm: str, trial: int) -> int | None:
        """The number of a conversation that is shown whole; None for any other."""
        return self.places.get(Key(case, arm, trial))

    def has_breakdown(self, metric: str) -> bool:
        """Whether a metric is among the breakdowns."""
        return any(pivot.card.name == metric for breakdown in self.breakdowns for pivot in breakdown.pivots)

    def retired_line(self) -> str:
        """Which metrics the run's suite no longer has."""
        return retired_line(self.summary.retired)


def run_page(run: Run) -> bytes:
    """The report of a run as HTML."""
    return render(
        "run/page.html",
        page=gather_run_page(run),
        run_words=words,
        shade=shade,
        best_sign=BEST,
        play_words=play_words,
        play_tables=play_tables,
    )


def gather_run_page(run: Run) -> RunPage:
    """Read a run for its page."""
    summary, spread = RunSummary.of(run), read_spread(run)
    conversations = read_worst_conversations(run, summary.worst)
    return RunPage(
        summary=summary,
        answer=run_answer(summary),
        warnings=[
            *words.failed_canaries(summary.canaries),
            *words.warning_lines(summary.status, summary.coverage),
        ],
        glance=glance(summary),
        parts=result_parts(summary, spread.values) if summary.rows else [],
        variants=variant_entries(summary, spread.values),
        judging=words.judging_lines(summary),
        breakdowns=breakdowns(run, summary, spread),
        members=member_tables(run, summary),
        quadrants=quadrant_pictures(run, summary),
        conversations=conversations,
        methods=words.interval_methods(summary.rows),
        metrics={name: place for place, name in enumerate(summary.cards)},
        places={conversation.key: place for place, conversation in enumerate(conversations)},
    )
