"""A comparison in the terminal: the answer first, then a table for each pair of arms."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adjudge.report.comparison import words
from adjudge.report.comparison.tables import TONES, UNPAIRED, contrast_table, unpaired_table
from adjudge.report.console import TONE_STYLES, Out
from adjudge.report.words import arm_name

if TYPE_CHECKING:
    from rich.console import Console

    from adjudge.report.comparison.words import ComparisonReport

# With more pairs of arms than these, each answer stands above its table only.
ANSWERS = 30


def print_comparison(report: ComparisonReport, console: Console) -> None:
    """Print a comparison."""
    out = Out(console)
    comparison, pairs = report.comparison, report.pairs
    _print_answers(report, out)
    # Without the uncorrected p more tables fit.
    tables = {pair: out.new_table(contrast_table(contrasts).without("p")) for pair, contrasts in pairs.items()}
    fits = all(map(out.fits, tables.values()))
    for pair, contrasts in pairs.items():
        out.title(words.pair_title(pair) if len(pairs) <= ANSWERS else words.pair_answer(pair, contrasts))
        if fits:
            out.table(tables[pair])
        else:
            for contrast in contrasts:
                out.line(words.contrast_line(contrast), TONE_STYLES[TONES.get(contrast.verdict, "")])
        changed = f"What changed most, from {arm_name(pair[2])} to {arm_name(pair[1])}"
        out.block(changed, map(words.flip_line, report.flips.get(pair, [])))
    out.block("Ranking of all arms (1 is best)", map(words.ranking_line, comparison.rankings))
    out.block("Several trials per case", map(words.repeated_line, comparison.repeated))
    out.block("Not compared", words.left_out_lines(comparison.left_out))


def print_unpaired(report: ComparisonReport, console: Console) -> None:
    """Print a table for each pair of arms in which cases count as unrelated."""
    out = Out(console)
    for pair, contrasts in report.pairs.items():
        out.title(f"{words.pair_title(pair)}: {UNPAIRED[0].lower()}{UNPAIRED[1:]}")
        out.table(out.new_table(unpaired_table(contrasts)))


def _print_answers(report: ComparisonReport, out: Out) -> None:
    for warning in report.warnings:
        out.line(f"warning: {warning}", "yellow")
    for pair, contrasts in list(report.pairs.items())[:ANSWERS]:
        out.line(words.pair_answer(pair, contrasts), "bold")
    if len(report.pairs) > ANSWERS:
        out.line(f"... and {len(report.pairs) - ANSWERS} more, each above its table")
    for line in words.method_lines(report.comparison):
        out.line(line, "dim")
