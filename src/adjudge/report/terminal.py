"""The tables of a run in the terminal: coverage first, then numbers with all that belongs to them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adjudge.report.grid import Grid, width
from adjudge.report.plain import plain
from adjudge.report.words import (
    ARROWS,
    arm_name,
    complete,
    coverage_line,
    figure,
    interval_of,
    judging_lines,
    value_of,
    warnings_of,
)

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from adjudge.aggregate import Row
    from adjudge.core.coverage import Coverage
    from adjudge.report.summary import Summary

COUNTS = ("undefined", "skipped")


def print_coverage(coverage: Coverage, console: Console, status: str = "complete") -> None:
    """Print how much of what was expected is there, and what was remarked when it was read."""
    out = Out(console, [])
    for arm, seen in coverage.arms.items():
        out.line(coverage_line(arm, seen), "green" if complete(seen) else "yellow")
        for remark in seen.remarks:
            out.line(f"  {remark}", "yellow")
    for warning in warnings_of(status, coverage):
        out.line(f"warning: {warning}", "yellow")


def print_summary(summary: Summary, console: Console) -> None:
    """Print what a run says, coverage first."""
    Out(console, summary.rows).line(f"{summary.suite}: {summary.run}", "bold")
    print_coverage(summary.coverage, console, summary.status)
    print_tables(summary, console)


def print_tables(summary: Summary, console: Console) -> None:
    """Print the numbers of a run."""
    out = Out(console, summary.rows)
    _settings(summary, out)
    _tables(summary, out)
    _gaps(summary, out)
    _bases(summary, out)
    if judging := judging_lines(summary):
        out.title("Judging")
        for line in judging:
            out.line(line, "red" if "failed:" in line else "")
    _parts(summary, out)


def print_breakdown(summary: Summary, console: Console, by: str, rows: list[Row]) -> None:
    """Print rows by their group, which is a group of marks or the value of a facet."""
    out = Out(console, summary.rows)
    valued = [row for row in rows if row.value is not None]
    out.blocks(f"By {by}", summary.headline_groups(valued))


def print_worst(summary: Summary, console: Console, each: int = 3) -> None:
    """Print the conversations to look at first that say why: so many for each arm and metric; 0: one a metric."""
    out = Out(console, summary.rows)
    for (arm, metric), found in (summary.explained(each) if each else summary.explained_once()).items():
        out.title(f"{metric}: worst of {arm_name(arm)}")
        for one in found:
            where = f", turn {one.turn}" if one.turn else ""
            out.line(f"  {figure(one.value)}  {one.name}{where}: {': '.join(filter(None, (one.at, one.why)))}")


class Out:
    """A console on which text from data is printed as text, in characters that it has."""

    def __init__(self, console: Console, rows: list[Row]) -> None:
        self.console = console
        # One layout for all tables of a run: the one in which the largest fits.
        self.wide = Grid({"": rows}, COUNTS, self.known).fits(console)

    def line(self, text: str, style: str = "") -> None:
        """Print one line, however long, so that what it says to type can be copied whole."""
        from rich.text import Text

        self.console.print(Text(self.known(plain(text)), style), soft_wrap=True)

    def title(self, text: str) -> None:
        """Print a heading after an empty line."""
        self.console.print()
        self.line(text, "bold")

    def table(self, rows: dict[str, list[Row]], counts: tuple[str, ...], style: str = "") -> None:
        """Print rows in blocks, each under its title."""
        grid = Grid(rows, counts, self.known)
        table = grid.wide(style) if self.wide else grid.narrow(style, self.console)
        self.console.print(table, crop=False)

    def blocks(self, title: str, rows: dict[str, list[Row]]) -> None:
        """Print a table of blocks, or nothing where there are none."""
        if rows:
            self.title(title)
            self.table(rows, ())

    def known(self, text: str) -> str:
        """The text with what the console's encoding does not know replaced."""
        encoding = self.console.encoding
        if encoding.startswith("utf"):
            return text
        simple = text.replace("↑", "^").replace("↓", "v").replace("–", "-")
        return simple.encode(encoding, "replace").decode(encoding)


def _settings(summary: Summary, out: Out) -> None:
    """What all numbers below were measured under."""
    settings = ", ".join(f"{name} {value}" for name, value in {**summary.settings, **summary.tools}.items())
    out.line(f"adjudge {summary.adjudge}{', ' if settings else ''}{settings}", "dim")


def _tables(summary: Summary, out: Out) -> None:
    if not summary.rows:
        out.line("no scores")
        return
    if headline := summary.headline():
        out.console.print()
        out.table({"": _scored(headline)}, COUNTS)
    variants = summary.variants()
    if any(row.value is not None for row in variants):
        out.title("Variants: literal readings kept beside the ruled ones")
        out.table({"": _scored(variants)}, COUNTS, "dim")


def _scored(rows: list[Row]) -> list[Row]:
    """The rows with a value or an error; the others are listed with their reason below."""
    return [row for row in rows if row.value is not None or row.errors] or rows


def _bases(summary: Summary, out: Out) -> None:
    if lines := summary.bases():
        out.title("What values rest on")
    for line in lines:
        out.line(line)


def _parts(summary: Summary, out: Out) -> None:
    """A line for each part and metric, with the value of every arm, and its interval where there is room for all."""
    parts = {
        part: known
        for part, rows in summary.by_part().items()
        if (known := [row for row in rows if row.value is not None])
    }
    if not parts:
        return
    table = _part_table(summary, parts, out, intervals=True)
    whole = width(table, out.console) <= out.console.width
    out.title("By part of the system" if whole else "By part of the system (intervals above)")
    out.console.print(table if whole else _part_table(summary, parts, out, intervals=False), crop=False)


def _part_table(summary: Summary, parts: dict[str, list[Row]], out: Out, intervals: bool) -> Table:
    from rich.table import Table

    arms = list(dict.fromkeys(row.arm for rows in parts.values() for row in rows))
    table = Table(box=None, pad_edge=False)
    table.add_column("part")
    table.add_column("metric", no_wrap=True)
    for arm in arms:
        table.add_column(out.known(plain(arm_name(arm))), justify="right")
    for part, rows in parts.items():
        values = {
            (row.metric, row.arm): f"{value_of(row)} ({interval_of(row)})" if intervals else value_of(row)
            for row in rows
        }
        for place, metric in enumerate(dict.fromkeys(metric for metric, _ in values)):
            cells = [out.known(values.get((metric, arm), "")) for arm in arms]
            table.add_row("" if place else part, f"{metric} {out.known(ARROWS[summary.cards[metric].better])}", *cells)
    return table


def _gaps(summary: Summary, out: Out) -> None:
    shown, rest = summary.shown_gaps()
    if shown:
        out.console.print()
    for gap, line in zip(summary.gaps, shown, strict=False):
        out.line(line, "dim" if gap.kind == "skipped" else "red")
    if rest:
        out.line(rest)
