"""The sections of a played run in a Markdown report."""

from __future__ import annotations

from adjudge.report.markdown import bullets, escape, markdown_table
from adjudge.report.play.summary import PlaySummary
from adjudge.report.play.tables import agents_table, ends_table, worth_remarks, worth_table
from adjudge.report.play.words import play_line


def play_lines(summary: PlaySummary | None) -> list[str]:
    """How conversations ended and what agents took; nothing for a run that was not played here."""
    if summary is None:
        return []
    agents = ["", *markdown_table(agents_table(summary.agents))] if summary.agents else []
    return [escape(play_line(summary)), "", *markdown_table(ends_table(summary.ends)), *agents]


def play_worths(summary: PlaySummary | None) -> list[str]:
    """What parts are worth; nothing where no part was left out."""
    return [] if summary is None else [*markdown_table(worth_table(summary)), *bullets(worth_remarks(summary))]
