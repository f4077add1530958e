"""A run in the terminal: coverage first, then values with everything that belongs to them.

By default a run fits one screen: the primary family of its suite, and what cannot be scored. `verbose` has the rest.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import zip_longest
from typing import TYPE_CHECKING

from msgspec import structs

from adjudge.core.errors import SHOWN
from adjudge.report.console import Out
from adjudge.report.run.best import BEST
from adjudge.report.run.grid import Grid, Layout
from adjudge.report.run.words import (
    CANARIES,
    absent_lines,
    coverage_line,
    is_complete,
    judging_lines,
    warning_lines,
)
from adjudge.report.words import VARIANTS, arm_name, count, enumerate_names, figure, retired_line

if TYPE_CHECKING:
    from rich.console import Console

    from adjudge.aggregate import Row
    from adjudge.core.coverage import Coverage
    from adjudge.report.run.summary import Gap, RunSummary
    from adjudge.report.run.worst import Worst

# Without `verbose`: the most rows of a table, lines about gaps, names in a line, and worst conversations.
BRIEF_ROWS = 15
BRIEF_LINES = 4
BRIEF_NAMES = 3
BRIEF_WORST = 3


def print_summary(summary: RunSummary, console: Console, verbose: bool = False) -> None:
    """Print the report of a run, coverage first."""
    Out(console).line(f"{summary.suite}: {summary.run}", "bold")
    print_coverage(summary.coverage, console, summary.status)
    Out(console).lines(absent_lines(summary.absent), "dim")
    print_tables(summary, console, verbose)


def print_coverage(coverage: Coverage, console: Console, status: str = "complete") -> None:
    """Print how much of what was expected is there, and the remarks made when it was read."""
    out = Out(console)
    for arms, remarks in _arms_by_coverage(coverage).items():
        covered = coverage.arms[arms[0]]
        out.line(coverage_line(", ".join(map(arm_name, arms)), covered), "green" if is_complete(covered) else "yellow")
        for remark in remarks:
            out.line(f"  {remark}", "yellow")
    print_warnings(warning_lines(status, coverage), console)


def print_warnings(warnings: Iterable[str], console: Console) -> None:
    """Print warnings, a line each."""
    for warning in warnings:
        Out(console).line(f"warning: {warning}", "yellow")


def _arms_by_coverage(coverage: Coverage) -> dict[tuple[str, ...], list[str]]:
    """Arms that cover the same, with the same remarks, together."""
    groups: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for arm, covered in coverage.arms.items():
        groups.setdefault((coverage_line("", covered), tuple(covered.remarks)), []).append(arm)
    return {tuple(arms): list(remarks) for (_, remarks), arms in groups.items()}


def print_tables(summary: RunSummary, console: Console, verbose: bool = False) -> None:
    """Print the numbers of a run."""
    if verbose:
        _print_everything(summary, console)
    else:
        _print_primary(summary, console)


def _print_primary(summary: RunSummary, console: Console) -> None:
    """Print the primary family, in short what cannot be scored, and what was left out."""
    shown = _brief_rows(summary)
    out = RunTables(console, shown)
    _print_settings(summary, out)
    _print_results(shown if out.layout == "line" else [structs.replace(row, band="") for row in shown], out)
    _print_gaps_briefly(summary, out)
    out.lines(filter(None, [_judging_total(summary), retired_line(summary.retired)]))
    out.lines([line for line in judging_lines(summary) if _is_failure(line)], "red")
    out.lines(filter(None, [_rest_line(summary, shown)]), "dim")


def _print_everything(summary: RunSummary, console: Console) -> None:
    out = RunTables(console, summary.rows)
    _print_settings(summary, out)
    _print_results(summary.headline(), out)
    variants = summary.variants()
    if any(row.value is not None for row in variants):
        out.title(VARIANTS)
        out.rows({"": _with_result(variants)}, "dim")
    _print_gaps(summary, out)
    out.block("Basis of the values", summary.bases())
    _print_judging(summary, out)
    parts = {part: [row for row in rows if row.value is not None] for part, rows in summary.by_part().items()}
    if any(parts.values()):
        out.title("By part of the system")
        out.rows({part: [structs.replace(row, band="") for row in rows] for part, rows in parts.items() if rows})
    if line := retired_line(summary.retired):
        out.console.print()
        out.line(line, "yellow")


def print_breakdown(summary: RunSummary, console: Console, by: str, rows: list[Row]) -> None:
    """Print rows by their group, which is a group of marks or the value of a facet."""
    groups = summary.headline_groups([row for row in rows if row.value is not None])
    if groups:
        out = RunTables(console, summary.rows)
        out.title(f"By {by}")
        out.rows(groups)


def print_worst(summary: RunSummary, console: Console, verbose: bool = False) -> None:
    """Print the worst conversations that say why: of each arm and metric, or a few of the primary family."""
    if verbose:
        _print_conversations(summary.worst_with_reason(), console)
        return
    family = summary.primary_names()
    worst = [
        item for (_, metric), items in summary.worst_of_each_metric().items() if metric in family for item in items
    ]
    Out(console).block("Worst conversations", map(_worst_line, worst[:BRIEF_WORST]))


class RunTables(Out):
    """A console for the tables of a run, all in one layout: the one in which the largest fits."""

    def __init__(self, console: Console, rows: list[Row]) -> None:
        super().__init__(console)
        fits = self.fits(Grid({"": rows}, self).tables("line")[0])
        self.layout: Layout = "line" if fits else "stack"

    def rows(self, rows: dict[str, list[Row]], style: str = "") -> None:
        """Print rows in blocks, each under its title."""
        for place, table in enumerate(Grid(rows, self, style).tables(self.layout)):
            if place:
                self.console.print()
            self.table(table)


def _print_conversations(explained: dict[tuple[str, str], list[Worst]], console: Console) -> None:
    """Print conversations with what went wrong in them, by arm and metric."""
    out = Out(console)
    for (arm, metric), conversations in explained.items():
        out.title(f"{metric}: worst of {arm_name(arm)}")
        for worst in conversations:
            out.line(f"  {figure(worst.value)}  {_where_and_why(worst)}")


def _worst_line(worst: Worst) -> str:
    return f"{worst.metric} {figure(worst.value)} of {arm_name(worst.arm)} in {_where_and_why(worst)}"


def _where_and_why(worst: Worst) -> str:
    where = f", turn {worst.turn}" if worst.turn else ""
    return f"{worst.name}{where}: {': '.join(filter(None, (worst.at, worst.why)))}"


def _print_settings(summary: RunSummary, out: Out) -> None:
    """Print what all numbers below were measured under."""
    settings = ", ".join(f"{name} {value}" for name, value in {**summary.settings, **summary.tools}.items())
    out.line(f"adjudge {summary.adjudge}{', ' if settings else ''}{settings}", "dim")


def _print_results(rows: list[Row], out: RunTables) -> None:
    if not rows:
        out.line("no scores")
        return
    out.console.print()
    out.rows({"": _with_result(rows)})
    if len({row.arm for row in rows}) > 1:
        out.line(f"{BEST} best; ↑ higher, ↓ lower is better; values with 95 % intervals", "dim")


def _brief_rows(summary: RunSummary) -> list[Row]:
    """The primary family; every metric where those with a value are few, the primary family first."""
    rows, family = [*summary.headline(), *summary.variants()], summary.primary_names()
    if len({row.metric for row in rows}) <= BRIEF_ROWS:
        return rows
    valued = {row.metric for row in rows if row.value is not None}
    shown = valued | family if len(valued) <= BRIEF_ROWS else family
    return [row for row in rows if row.metric in shown]


def _rest_line(summary: RunSummary, shown: list[Row]) -> str:
    """What `verbose` has beside the rows shown."""
    names = {row.metric for row in shown}
    more = len({row.metric for row in summary.rows if row.value is not None} - names)
    metrics = f"{count(more, 'more metric')}, " if more else ""
    parts = "parts of the system, " if summary.parts else ""
    return f"--verbose shows the rest: {metrics}{parts}every reason" if shown else ""


def _with_result(rows: list[Row]) -> list[Row]:
    """The rows with a value or an error; the others are listed with their reason below the table."""
    return [row for row in rows if row.value is not None or row.errors] or rows


def _print_gaps(summary: RunSummary, out: Out) -> None:
    lines = summary.gap_lines()
    if lines:
        out.console.print()
    for gap, line in zip_longest(summary.gaps[:SHOWN], lines):
        out.line(line, "" if gap is None else "dim" if gap.kind == "skipped" else "red")


def _print_gaps_briefly(summary: RunSummary, out: Out) -> None:
    """Print the most important reasons for missing scores, each with a few of its metrics."""
    gaps = [gap for gap in summary.gaps if gap.kind != "undefined"]
    lines = [_short_gap(gap, summary.arms) for gap in gaps[:BRIEF_LINES]]
    rest = len(gaps) - BRIEF_LINES
    out.lines(lines + ([f"... and {count(rest, 'more reason')}"] if rest > 0 else []), "dim")


def _short_gap(gap: Gap, arms: list[str]) -> str:
    names = enumerate_names(gap.metrics, BRIEF_NAMES)
    return structs.replace(gap, metrics=(names,)).line(arms)


def _judging_total(summary: RunSummary) -> str:
    """What the judge cost in all; empty where nobody was asked."""
    lines = [line for line in judging_lines(summary) if line.startswith(("all metrics:", "judged by"))]
    single = [line for line in judging_lines(summary) if " calls" in line and not line.startswith(CANARIES)]
    return "; ".join(lines or single[:1])


def _is_failure(line: str) -> bool:
    return "failed:" in line


def _print_judging(summary: RunSummary, out: Out) -> None:
    lines = judging_lines(summary)
    if lines:
        out.title("Judging")
    for line in lines:
        out.line(line, "red" if _is_failure(line) else "")
