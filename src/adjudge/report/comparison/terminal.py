"""A comparison in the terminal: the answer first, then a table for each pair of arms."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adjudge.report.comparison import headline, words
from adjudge.report.comparison.headline import headline_table
from adjudge.report.comparison.tables import UNPAIRED, terminal_table, unpaired_table
from adjudge.report.console import Out, table_width
from adjudge.report.table import TextTable
from adjudge.report.words import arm_name

if TYPE_CHECKING:
    from rich.console import Console

    from adjudge.report.comparison.words import ComparisonReport

# With more pairs of arms than these, each answer stands above its table only.
ANSWERS = 30
# Tables that take more lines than these are printed only if everything is asked for; each has four beside its rows.
SCREEN = 40
TABLE_LINES = 4
BRIEF_LINES = 4
BRIEF_NAMES = 3
# Columns that give way, one after the other, where a table does not fit; files have them all.
GIVING_WAY = ("in percent", "effect", "cases")
# The least room for the verdict, which wraps.
VERDICT = 24


def print_comparison(report: ComparisonReport, console: Console, verbose: bool = False) -> None:
    """Print a comparison: on one screen, or all of it."""
    out = Out(console)
    comparison, pairs = report.comparison, report.pairs
    _print_answers(report, out)
    lines = sum(len(contrasts) + TABLE_LINES for contrasts in pairs.values())
    if verbose or lines <= SCREEN or report.flips:
        _print_pairs(report, out)
    else:
        out.line(f"--verbose shows the {len(pairs)} tables, -o comparison.html a page with pictures", "dim")
    out.block("Ranking of all arms (1 is best)", map(words.ranking_line, comparison.rankings) if verbose else ())
    out.block("Several trials per case", map(words.repeated_line, comparison.repeated))
    left_out = words.left_out_lines(comparison.left_out, 0 if verbose else BRIEF_NAMES)
    rest = [] if verbose or len(left_out) <= BRIEF_LINES else [f"... and {len(left_out) - BRIEF_LINES} more reasons"]
    out.block("Not compared", [*left_out[: len(left_out) if verbose else BRIEF_LINES], *rest])


def _print_pairs(report: ComparisonReport, out: Out) -> None:
    pairs = report.pairs
    tables = {pair: terminal_table(contrasts) for pair, contrasts in pairs.items()}
    dropped = _columns_to_drop(list(tables.values()), out)
    has_room = all(_has_room(table.without(*dropped), out) for table in tables.values())
    for pair, contrasts in pairs.items():
        out.title(words.pair_title(pair) if len(pairs) <= ANSWERS else words.pair_answer(pair, contrasts))
        if has_room:
            out.table(out.new_table(tables[pair].without(*dropped), wraps_last=True))
        else:
            out.lines(map(words.contrast_line, contrasts))
        changed = f"What changed most, from {arm_name(pair[2])} to {arm_name(pair[1])}"
        out.block(changed, map(words.flip_line, report.flips.get(pair, [])))


def _columns_to_drop(tables: list[TextTable], out: Out) -> tuple[str, ...]:
    """The fewest columns without which all tables fit; where none do, all that give way, and verdicts wrap."""
    for number in range(len(GIVING_WAY)):
        dropped = GIVING_WAY[:number]
        if all(out.fits(out.new_table(table.without(*dropped))) for table in tables):
            return dropped
    dropped = GIVING_WAY[:-1]
    return dropped if all(_has_room(table.without(*dropped), out) for table in tables) else GIVING_WAY


def _has_room(table: TextTable, out: Out) -> bool:
    """Whether a table fits, if need be with verdicts that wrap."""
    if out.fits(out.new_table(table)):
        return True
    return table_width(out.new_table(table.without("verdict")), out.console) + VERDICT <= out.console.width


def print_headline(report: ComparisonReport, console: Console) -> None:
    """Print the headline table of each pair of arms, and what is not compared in it."""
    out = Out(console)
    for warning in report.warnings:
        out.line(f"warning: {warning}", "yellow")
    for pair in report.pairs:
        out.title(words.pair_title(pair))
        table = headline_table(pair, report.comparison)
        choices = [headline.GIVING_WAY[:number] for number in range(len(headline.GIVING_WAY) + 1)]
        dropped = next((each for each in choices if out.fits(out.new_table(table.without(*each)))), choices[-1])
        out.table(out.new_table(table.without(*dropped)))
    apart = [item for item in report.comparison.left_out if item.a_value is not None]
    out.block("Not compared", words.left_out_lines(apart))
    for line in (*words.method_lines(report.comparison), headline.EXPLANATION):
        out.line(line, "dim")


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
