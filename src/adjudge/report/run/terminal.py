"""A run in the terminal: coverage first, then values with everything that belongs to them."""

from __future__ import annotations

from collections.abc import Callable
from itertools import zip_longest
from typing import TYPE_CHECKING

from adjudge.core.errors import SHOWN
from adjudge.report.console import Out
from adjudge.report.run.grid import Grid
from adjudge.report.run.words import (
    coverage_line,
    interval_text,
    is_complete,
    judging_lines,
    value_text,
    warning_lines,
)
from adjudge.report.words import ARROWS, VARIANTS, arm_name, figure, retired_line

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from adjudge.aggregate import Row
    from adjudge.core.coverage import Coverage
    from adjudge.report.run.summary import RunSummary
    from adjudge.report.run.worst import Worst

COUNTS = ("undefined", "skipped")


def print_summary(summary: RunSummary, console: Console) -> None:
    """Print the report of a run, coverage first."""
    Out(console).line(f"{summary.suite}: {summary.run}", "bold")
    print_coverage(summary.coverage, console, summary.status)
    print_tables(summary, console)


def print_coverage(coverage: Coverage, console: Console, status: str = "complete") -> None:
    """Print how much of what was expected is there, and the remarks made when it was read."""
    out = Out(console)
    for arm, covered in coverage.arms.items():
        out.line(coverage_line(arm, covered), "green" if is_complete(covered) else "yellow")
        for remark in covered.remarks:
            out.line(f"  {remark}", "yellow")
    for warning in warning_lines(status, coverage):
        out.line(f"warning: {warning}", "yellow")


def print_tables(summary: RunSummary, console: Console) -> None:
    """Print the numbers of a run."""
    out = RunTables(console, summary.rows)
    _print_settings(summary, out)
    _print_results(summary, out)
    _print_gaps(summary, out)
    out.block("What values rest on", summary.bases())
    _print_judging(summary, out)
    _print_parts(summary, out)
    if line := retired_line(summary.retired):
        out.console.print()
        out.line(line, "yellow")


def print_breakdown(summary: RunSummary, console: Console, by: str, rows: list[Row]) -> None:
    """Print rows by their group, which is a group of marks or the value of a facet."""
    groups = summary.headline_groups([row for row in rows if row.value is not None])
    if groups:
        out = RunTables(console, summary.rows)
        out.title(f"By {by}")
        out.rows(groups, ())


def print_worst(summary: RunSummary, console: Console) -> None:
    """Print the worst conversations of each arm and metric that say why."""
    _print_conversations(summary.worst_with_reason(), console)


def print_worst_of_each_metric(summary: RunSummary, console: Console) -> None:
    """Print the worst conversation of each metric that says why."""
    _print_conversations(summary.worst_of_each_metric(), console)


class RunTables(Out):
    """A console for the tables of a run, all in one layout: the one in which the largest fits."""

    def __init__(self, console: Console, rows: list[Row]) -> None:
        super().__init__(console)
        self.wide = self.fits(Grid({"": rows}, COUNTS, self).wide(""))

    def rows(self, rows: dict[str, list[Row]], counts: tuple[str, ...], style: str = "") -> None:
        """Print rows in blocks, each under its title."""
        grid = Grid(rows, counts, self)
        self.table(grid.wide(style) if self.wide else grid.narrow(style))


def _print_conversations(explained: dict[tuple[str, str], list[Worst]], console: Console) -> None:
    """Print conversations with what went wrong in them, by arm and metric."""
    out = Out(console)
    for (arm, metric), conversations in explained.items():
        out.title(f"{metric}: worst of {arm_name(arm)}")
        for worst in conversations:
            where = f", turn {worst.turn}" if worst.turn else ""
            what = ": ".join(filter(None, (worst.at, worst.why)))
            out.line(f"  {figure(worst.value)}  {worst.name}{where}: {what}")


def _print_settings(summary: RunSummary, out: Out) -> None:
    """Print what all numbers below were measured under."""
    settings = ", ".join(f"{name} {value}" for name, value in {**summary.settings, **summary.tools}.items())
    out.line(f"adjudge {summary.adjudge}{', ' if settings else ''}{settings}", "dim")


def _print_results(summary: RunSummary, out: RunTables) -> None:
    if not summary.rows:
        out.line("no scores")
        return
    if headline := summary.headline():
        out.console.print()
        out.rows({"": _with_result(headline)}, COUNTS)
    variants = summary.variants()
    if any(row.value is not None for row in variants):
        out.title(VARIANTS)
        out.rows({"": _with_result(variants)}, COUNTS, "dim")


def _with_result(rows: list[Row]) -> list[Row]:
    """The rows with a value or an error; the others are listed with their reason below the table."""
    return [row for row in rows if row.value is not None or row.errors] or rows


def _print_gaps(summary: RunSummary, out: Out) -> None:
    lines = summary.gap_lines()
    if lines:
        out.console.print()
    for gap, line in zip_longest(summary.gaps[:SHOWN], lines):
        out.line(line, "" if gap is None else "dim" if gap.kind == "skipped" else "red")


def _print_judging(summary: RunSummary, out: Out) -> None:
    lines = judging_lines(summary)
    if lines:
        out.title("Judging")
    for line in lines:
        out.line(line, "red" if "failed:" in line else "")


def _print_parts(summary: RunSummary, out: Out) -> None:
    """Print a line for each part and metric: the value of every arm, and its interval where there is room for all."""
    valued = {part: [row for row in rows if row.value is not None] for part, rows in summary.by_part().items()}
    parts = {part: rows for part, rows in valued.items() if rows}
    if not parts:
        return
    table = _part_table(parts, out, lambda row: f"{value_text(row)} ({interval_text(row)})")
    if out.fits(table):
        out.title("By part of the system")
    else:
        table = _part_table(parts, out, value_text)
        out.title("By part of the system (intervals above)")
    out.table(table)


def _part_table(parts: dict[str, list[Row]], out: Out, cell: Callable[[Row], str]) -> Table:
    from rich.table import Table

    arms = list(dict.fromkeys(row.arm for rows in parts.values() for row in rows))
    table = Table(box=None, pad_edge=False)
    table.add_column("part")
    table.add_column("metric", no_wrap=True)
    for arm in arms:
        table.add_column(out.text(arm_name(arm)), justify="right")
    for part, rows in parts.items():
        cells = {(row.metric, row.arm): cell(row) for row in rows}
        for place, (metric, better) in enumerate({row.metric: row.better for row in rows}.items()):
            values = [out.encodable(cells.get((metric, arm), "")) for arm in arms]
            table.add_row("" if place else part, f"{metric} {out.encodable(ARROWS[better])}", *values)
    return table
