"""A comparison in the terminal: the answer first, then a table for each pair of arms."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adjudge.report import contrasts as words
from adjudge.report.terminal import Out
from adjudge.report.words import ARROWS

if TYPE_CHECKING:
    from rich.console import Console

    from adjudge.compare.comparison import Comparison
    from adjudge.compare.contrast import Contrast
    from adjudge.compare.flips import Flip

STYLES = {"better": "green", "worse": "red"}


def print_comparison(
    comparison: Comparison, flips: dict[words.Pair, list[Flip]], console: Console, unpaired: bool = False
) -> None:
    """Print a comparison; `unpaired` adds Welch's t and Cohen's d."""
    out = Out(console, [])
    blocks = words.by_pair(comparison)
    for mark in comparison.marked:
        out.line(f"warning: compared nevertheless: {mark}", "yellow")
    for pair, found in blocks.items():
        out.line(words.answer(pair, found), "bold")
    out.line(words.method(comparison), "dim")
    for pair, found in blocks.items():
        out.title(words.title(pair))
        _table(out, found)
        if unpaired:
            _unpaired(out, found)
        _flips(out, flips.get(pair, []))
    _lines(out, "Ranking of all arms (1 is best)", [words.ranking_line(one) for one in comparison.rankings])
    _lines(out, "Several trials a case", [words.repeated_line(one) for one in comparison.repeated])
    _lines(out, "Not compared", words.left_out_lines(comparison.left_out))


def _table(out: Out, found: list[Contrast]) -> None:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column("metric", no_wrap=True)
    for header in (found[0].a.arm, found[0].b.arm, "difference", "95 % interval", "p", "corrected"):
        table.add_column(Text(out.known(header)), justify="right", no_wrap=header in ("p", "corrected", "difference"))
    table.add_column("effect")
    table.add_column("cases", justify="right")
    table.add_column("verdict")
    for one in found:
        table.add_row(
            out.known(f"{one.metric} {ARROWS[one.better]}"),
            words.value(one.a),
            words.value(one.b),
            words.difference(one),
            words.interval(one),
            out.known(words.p_value(one.p)),
            out.known(words.p_value(one.p_corrected)),
            out.known(words.effect(one)),
            words.cases(one),
            Text(words.verdict(one), STYLES.get(one.verdict, "")),
        )
    out.console.print(table, crop=False)


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


def _flips(out: Out, found: list[Flip]) -> None:
    if not found:
        return
    out.title("What changed most")
    for one in found:
        out.line(words.flip_line(one))


def _lines(out: Out, title: str, lines: list[str]) -> None:
    if lines:
        out.title(title)
    for line in lines:
        out.line(line)
