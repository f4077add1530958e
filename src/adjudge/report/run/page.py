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
from adjudge.report.run.conversations import ShownConversation, read_conversations
from adjudge.report.run.glance import Glance, glance
from adjudge.report.run.members import MemberMarks, MemberTable
from adjudge.report.run.quadrants import QuadrantPictures, QuadrantValues
from adjudge.report.run.results import MetricEntry, SystemPart, result_parts, variant_entries
from adjudge.report.run.summary import RunSummary, read_run
from adjudge.report.run.wishes import WishMarks, WishPictures
from adjudge.report.words import retired_line
from adjudge.run import Run


class RunPage(Struct, frozen=True, kw_only=True):
    """The sections of the page.

    `metrics` numbers metrics and `places` the conversations shown whole, for links within the page; `named` counts
    the conversations that the page names, of which there may be more.
    """

    summary: RunSummary
    answer: RunAnswer
    warnings: list[str]
    glance: Glance
    parts: list[SystemPart]
    variants: list[MetricEntry]
    judging: list[str]
    breakdowns: list[Breakdown]
    wishes: WishPictures | None
    members: list[MemberTable]
    quadrants: list[QuadrantPictures]
    conversations: list[ShownConversation]
    methods: dict[str, list[str]]
    metrics: dict[str, int]
    places: dict[Key, int]
    named: int

    def place(self, key: Key) -> int | None:
        """The number of a conversation that is shown whole; None for any other."""
        return self.places.get(key)

    def case_place(self, case: str) -> int | None:
        """The number of the first conversation of a case that is shown whole; None where there is none."""
        return min((place for key, place in self.places.items() if key.case == case), default=None)

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
    cards, whole = run.manifest.cards, run.keep.kind == "all"
    pairs, wish_marks, member_marks = QuadrantValues(cards), WishMarks(cards), MemberMarks(cards)
    # Members that are seen in the worst conversations alone would look worse than they are.
    reading = read_run(run, [pairs], [wish_marks, member_marks] if whole else [])
    summary = reading.summary
    parts = result_parts(summary, reading.values) if summary.rows else []
    wishes, members = wish_marks.pictures(), member_marks.tables(summary.arms)
    worst = [item for part in parts for entry in part.entries for item in entry.worst]
    named = [*_pictured_keys(wishes), *(row.key for table in members for row in table.rows)]
    conversations = read_conversations(run, worst, named)
    places = {conversation.key: place for place, conversation in enumerate(conversations)}
    return RunPage(
        summary=summary,
        answer=run_answer(summary),
        warnings=[
            *words.failed_canaries(summary.canaries),
            *words.warning_lines(summary.status, summary.coverage),
            *words.absent_lines(summary.absent),
        ],
        glance=glance(summary),
        parts=parts,
        variants=variant_entries(summary, reading.values),
        judging=words.judging_lines(summary),
        breakdowns=breakdowns(summary, reading.tables.facets),
        wishes=wishes,
        members=members,
        quadrants=pairs.pictures(),
        conversations=conversations,
        methods=words.interval_methods(summary.rows),
        metrics={name: place for place, name in enumerate(summary.cards)},
        places=places,
        named=len({*(item.key for item in worst), *named}),
    )


def _pictured_keys(wishes: WishPictures | None) -> list[Key]:
    return [arm.key for group in wishes.groups for arm in group.arms] if wishes else []
