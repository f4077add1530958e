"""A comparison in the terminal: the answer first, then a table for each pair of arms."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adjudge.report import contrasts as words
from adjudge.report.grid import width
from adjudge.report.terminal import Out
from adjudge.report.words import ARROWS, arm_name

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from adjudge.compare.comparison import Comparison
    from adjudge.compare.contrast import Contrast
    from adjudge.compare.flips import Flip

ANSWERS = 30
STYLES = {"better": "green", "worse": "red"}


def print_comparison(
    comparison: Comparison, flips: dict[words.Pair, list[Flip]], console: Console, unpaired: bool = False
) -> None:
    """Print a comparison; `unpaired` adds Welch's t and Cohen's d."""
    out = Out(console, [])
    blocks = words.by_pair(comparison)
    for mark in comparison.marked:
        out.line(f"warning: compared nevertheless: {mark}", "yellow")
    for pair, found in list(blocks.items())[:ANSWERS]:
        out.line(words.answer(pair, found), "bold")
    if len(blocks) > ANSWERS:
        out.line(f"... and {len(blocks) - ANSWERS} more, each above its table")
    out.line(words.method(comparison), "dim")
    tables = {pair: _table(out, found) for pair, found in blocks.items()}
    fits = all(width(table, console) <= console.width for table in tables.values())
    for pair, found in blocks.items():
        out.title(words.title(pair) if len(blocks) <= ANSWERS else words.answer(pair, found))
        if fits:
            console.print(tables[pair])
        else:
            _contrast_lines(out, found)
        if unpaired:
            _unpaired(out, found)
        _flips(out, pair, flips.get(pair, []))
    _lines(out, "Ranking of all arms (1 is best)", [words.ranking_line(one) for one in comparison.rankings])
    _lines(out, "Several trials a case", [words.repeated_line(one) for one in comparison.repeated])
    _lines(out, "Not compared", words.left_out_lines(comparison.left_out))


def _contrast_lines(out: Out, found: list[Contrast]) -> None:
    for one in found:
        out.line(words.line(one), STYLES.get(one.verdict, ""))


def _table(out: Out, found: list[Contrast]) -> Table:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0))
    for header in (
        "metric",
        found[0].a.arm,
        found[0].b.arm,
        "difference",
        "95 % interval",
        "in percent",
        "corrected p",
    ):
        side = "left" if header == "metric" else "right"
        table.add_column(Text(out.known(header)), justify=side, no_wrap=True)  # type: ignore[arg-type]
    table.add_column("effect", no_wrap=True)
    table.add_column("cases", justify="right", no_wrap=True)
    table.add_column("verdict", no_wrap=True)
    for one in found:
        table.add_row(
            out.known(f"{one.metric} {ARROWS[one.better]}"),
            words.value(one.a),
            words.value(one.b),
            words.difference(one),
            words.interval(one),
            out.known(words.percent(one)),
            out.known(words.p_value(one.p_corrected)),
            out.known(words.effect(one)),
            words.cases(one),
            Text(words.verdict(one), STYLES.get(one.verdict, "")),
        )
    return table


def _unpaired(out: Out, found: list[Contrast]) -> None:
    from rich import box
    from rich.table import Table

    out.title("As if the cases were not shared (Welch, Cohen's d)")
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0))
    for header in ("metric", "difference", "in percent", "t", "p", "d"):
        table.add_column(header, no_wrap=True, justify="left" if header == "metric" else "right")
    for one in found:
        cells = (words.difference(one), words.relative(one), *words.welch(one))
        table.add_row(one.metric, *map(out.known, cells))
    out.console.print(table, crop=False)


def _flips(out: Out, pair: words.Pair, found: list[Flip]) -> None:
    if not found:
        return
    out.title(f"What changed most, from {arm_name(pair[2])} to {arm_name(pair[1])}")
    for one in found:
        out.line(words.flip_line(one))


def _lines(out: Out, title: str, lines: list[str]) -> None:
    if lines:
        out.title(title)
    for line in lines:
        out.line(line)
