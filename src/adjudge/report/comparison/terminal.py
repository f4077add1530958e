"""A comparison in the terminal: the answer first, then a table for each pair of arms."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adjudge.report.comparison import words
from adjudge.report.console import Out, new_table
from adjudge.report.words import ARROWS, INTERVAL, arm_name, figure, p_value

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from adjudge.compare.comparison import Comparison
    from adjudge.compare.contrast import Contrast
    from adjudge.run import Run

ANSWERS = 30
STYLES = {"better": "green", "worse": "red"}


def print_comparison(
    comparison: Comparison, flips: words.Flips, runs: list[Run], console: Console, unpaired: bool = False
) -> None:
    """Print a comparison; `unpaired` adds Welch's t and Cohen's d."""
    out = Out(console)
    blocks = words.contrasts_by_pair(comparison)
    _print_answers(comparison, runs, out)
    tables = {pair: _table(out, contrasts) for pair, contrasts in blocks.items()}
    fits = all(map(out.fits, tables.values()))
    for pair, contrasts in blocks.items():
        out.title(words.pair_title(pair) if len(blocks) <= ANSWERS else words.pair_answer(pair, contrasts))
        if fits:
            out.table(tables[pair])
        else:
            _print_lines(out, contrasts)
        if unpaired:
            _print_unpaired(out, contrasts)
        changed = f"What changed most, from {arm_name(pair[2])} to {arm_name(pair[1])}"
        out.block(changed, map(words.flip_line, flips.get(pair, [])))
    out.block("Ranking of all arms (1 is best)", map(words.ranking_line, comparison.rankings))
    out.block("Several trials per case", map(words.repeated_line, comparison.repeated))
    out.block("Not compared", words.left_out_lines(comparison.left_out))


def _print_answers(comparison: Comparison, runs: list[Run], out: Out) -> None:
    blocks = words.contrasts_by_pair(comparison)
    for warning in words.comparison_warnings(comparison, runs):
        out.line(f"warning: {warning}", "yellow")
    for pair, contrasts in list(blocks.items())[:ANSWERS]:
        out.line(words.pair_answer(pair, contrasts), "bold")
    if len(blocks) > ANSWERS:
        out.line(f"... and {len(blocks) - ANSWERS} more, each above its table")
    out.line(words.method_line(comparison), "dim")


def _print_lines(out: Out, contrasts: list[Contrast]) -> None:
    for contrast in contrasts:
        out.line(words.contrast_line(contrast), STYLES.get(contrast.verdict, ""))


def _table(out: Out, contrasts: list[Contrast]) -> Table:
    table = new_table()
    a, b = contrasts[0].a.arm, contrasts[0].b.arm
    table.add_column("metric", no_wrap=True)
    for header in (a, b, "difference", INTERVAL, "in percent", "corrected p"):
        table.add_column(out.text(header), justify="right", no_wrap=True)
    table.add_column("effect", no_wrap=True)
    table.add_column("cases", justify="right", no_wrap=True)
    table.add_column("verdict", no_wrap=True)
    for contrast in contrasts:
        cells = (
            f"{contrast.metric} {ARROWS[contrast.better]}",
            figure(contrast.a.value),
            figure(contrast.b.value),
            words.difference_text(contrast),
            words.difference_interval(contrast),
            words.percent_text(contrast),
            p_value(contrast.p_corrected),
            words.effect_text(contrast),
            words.cases_text(contrast),
        )
        verdict = out.text(words.verdict_text(contrast), STYLES.get(contrast.verdict, ""))
        table.add_row(*map(out.text, cells), verdict)
    return table


def _print_unpaired(out: Out, contrasts: list[Contrast]) -> None:
    out.title("Unpaired, as if no cases were shared (Welch's t, Cohen's d)")
    table = new_table()
    for header in ("metric", "difference", "in percent", "t", "p", "d"):
        table.add_column(header, no_wrap=True, justify="left" if header == "metric" else "right")
    for contrast in contrasts:
        table.add_row(*map(out.text, (contrast.metric, *words.unpaired_texts(contrast))))
    out.table(table)
