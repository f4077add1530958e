"""The tables of a run in the terminal: coverage first, then numbers with all that belongs to them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adjudge.report.grid import Grid
from adjudge.report.plain import plain
from adjudge.report.words import arm_name, complete, coverage_line, figure, warnings_of

if TYPE_CHECKING:
    from rich.console import Console

    from adjudge.aggregate import Row
    from adjudge.report.summary import Summary

COUNTS = ("undefined", "skipped")


def print_summary(summary: Summary, console: Console, by_group: bool = False) -> None:
    """Print what a run says; `by_group` adds the tables by group of marks."""
    out = Out(console, summary.rows)
    _head(summary, out)
    _coverage(summary, out)
    _tables(summary, out)
    _gaps(summary, out)
    out.blocks("By part of the system", summary.by_part())
    if by_group:
        out.blocks("By group", summary.headline_groups())


def print_worst(summary: Summary, console: Console) -> None:
    """Print the conversations to look at first, with the reasons."""
    out = Out(console, summary.rows)
    place = ("", "")
    for found in summary.worst:
        if place != (found.arm, found.metric):
            place = (found.arm, found.metric)
            out.title(f"{found.metric}: worst of {arm_name(found.arm)}")
        where = f", turn {found.turn}" if found.turn else ""
        why = ": ".join(part for part in (found.at, found.why) if part)
        out.line(f"  {figure(found.value)}  {found.name}{where}{': ' if why else ''}{why}")


class Out:
    """A console on which text from data is printed as text, in characters that it has."""

    def __init__(self, console: Console, rows: list[Row]) -> None:
        self.console = console
        # One layout for all tables of a run: the one in which the largest fits.
        self.wide = Grid({"": rows}, COUNTS, self.known).fits(console)

    def line(self, text: str, style: str = "") -> None:
        """Print one line; blanks at its start are kept, also where it goes on below."""
        from rich.padding import Padding
        from rich.text import Text

        said = text.lstrip(" ")
        indent = len(text) - len(said)
        self.console.print(Padding(Text(self.known(plain(said)), style), (0, 0, 0, indent), expand=False))

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


def _head(summary: Summary, out: Out) -> None:
    out.line(f"{summary.suite}: {summary.run}", "bold")
    settings = ", ".join(f"{name} {value}" for name, value in {**summary.settings, **summary.tools}.items())
    out.line(f"adjudge {summary.adjudge}{', ' if settings else ''}{settings}", "dim")


def _coverage(summary: Summary, out: Out) -> None:
    for arm, coverage in summary.coverage.arms.items():
        out.line(coverage_line(arm, coverage), "green" if complete(coverage) else "yellow")
        for remark in coverage.remarks:
            out.line(f"  {remark}", "yellow")
    for warning in warnings_of(summary.status, summary.coverage):
        out.line(f"warning: {warning}", "yellow")


def _tables(summary: Summary, out: Out) -> None:
    if not summary.rows:
        out.line("no scores")
        return
    if headline := summary.headline():
        out.console.print()
        out.table({"": headline}, COUNTS)
    if variants := summary.variants():
        out.title("Variants: literal readings kept beside the ruled ones")
        out.table({"": variants}, COUNTS, "dim")


def _gaps(summary: Summary, out: Out) -> None:
    shown, rest = summary.shown_gaps()
    if shown:
        out.console.print()
    for gap, line in zip(summary.gaps, shown, strict=False):
        out.line(line, "dim" if gap.kind == "skipped" else "red")
    if rest:
        out.line(rest)
