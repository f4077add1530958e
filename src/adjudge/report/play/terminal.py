"""The tables of a played run on the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adjudge.report.console import Out
from adjudge.report.play.summary import PlaySummary
from adjudge.report.play.tables import agents_table, ends_table, worth_remarks, worth_table
from adjudge.report.play.words import play_line

if TYPE_CHECKING:
    from rich.console import Console


def print_play(summary: PlaySummary, console: Console) -> None:
    """Print how the conversations of each arm ended, and what its agents took."""
    out = Out(console)
    out.line(play_line(summary))
    out.table(out.new_table(ends_table(summary.ends)))
    if summary.agents:
        out.title("Work of the agents")
        out.table(out.new_table(agents_table(summary.agents)))


def print_worths(summary: PlaySummary, console: Console) -> None:
    """Print the worth of each part that some arm was played without; nothing if there is none."""
    out, table = Out(console), worth_table(summary)
    if table.rows:
        out.title("Effect of each part")
        out.table(out.new_table(table))
    for remark in worth_remarks(summary):
        out.line(remark, "yellow")
