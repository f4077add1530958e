"""`adjudge report`: show a run or write it to files."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from adjudge.cli.console import console_for
from adjudge.cli.options import add_metrics, add_verbose, metric_names, parser
from adjudge.cli.output import add_output, output_files, write_files

if TYPE_CHECKING:
    from adjudge.run import Run


def run(arguments: list[str]) -> int:
    """Print a run's tables, or write them in the formats asked for."""
    options = parser(
        "report",
        "Print the tables of a run, or write them to files. The ending of a file sets its format: .html, .md, .tex,\n"
        ".csv, .json, or .pdf, .svg, .png for a figure.",
    )
    options.add_argument("run", metavar="RUN", help="a run folder")
    options.add_argument(
        "--by",
        action="append",
        default=[],
        metavar="FACET",
        help="also print tables by a facet of the records, or by `group` of marks (files always have them); repeatable",
    )
    add_metrics(options, "report only these metrics (default: all)")
    options.add_argument("--by-group", action="append_const", dest="by", const="group", help="the same as --by group")
    add_verbose(options)
    add_output(options, "this file instead of printing")
    given = options.parse_args(arguments)

    from adjudge.api.runs import load
    from adjudge.core.selection import chosen_metrics
    from adjudge.report.run.files import FORMATS, write_run

    files, opened = output_files(given, FORMATS), load(given.run)
    names = metric_names(given)
    opened = opened.with_metrics(chosen_metrics(names, opened.manifest.cards)) if names else opened
    write_files(files, partial(write_run, opened), given.quiet)
    if not files:
        _print_report(opened, given.by, given.verbose)
    return 0


def _print_report(opened: Run, by: list[str], verbose: bool) -> None:
    from adjudge.report.play.terminal import print_play, print_worths
    from adjudge.report.run.facets import choose_rows
    from adjudge.report.run.summary import read_run
    from adjudge.report.run.terminal import print_breakdown, print_summary, print_worst

    console, reading = console_for(False), read_run(opened)
    summary, tables = reading.summary, {way: choose_rows(reading.tables, way) for way in by}
    print_summary(summary, console, verbose)
    if summary.play is not None:
        print_worths(summary.play, console)
        console.print()
        print_play(summary.play, console)
    for way, rows in tables.items():
        print_breakdown(summary, console, way, rows)
    print_worst(summary, console, verbose)
