"""`adjudge report`: show a run or write it to files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from adjudge.cli.console import console_for
from adjudge.cli.options import parser
from adjudge.cli.runs import open_run

if TYPE_CHECKING:
    from adjudge.run import Run


def run(arguments: list[str]) -> int:
    """Print a run's tables, or write them in the formats asked for."""
    options = parser(
        "report",
        "Print the tables of a run, or write them to files. The ending of a file sets its format: .html, .md, .csv,\n"
        ".json, or .pdf, .svg, .png for a figure.",
    )
    options.add_argument("run", metavar="RUN", help="a run folder")
    options.add_argument(
        "-o", "--output", action="append", metavar="FILE", help="write this file instead of printing; repeatable"
    )
    options.add_argument(
        "--by",
        action="append",
        default=[],
        metavar="FACET",
        help="also print a table by a facet of the records, or by `group` of marks; repeatable (files always have it)",
    )
    options.add_argument("--by-group", action="append_const", dest="by", const="group", help="the same as --by group")
    options.add_argument("-q", "--quiet", action="store_true", help="do not print the names of written files")
    given = options.parse_args(arguments)

    from adjudge.report.run.files import write_run

    opened = open_run(given.run)
    for target in given.output or ():
        write_run(opened, Path(target))
        if not given.quiet:
            print(f"wrote {target}")
    if not given.output:
        _show(opened, given.by)
    return 0


def _show(opened: Run, by: list[str]) -> None:
    from adjudge.report.run.facets import GROUP, facet_rows
    from adjudge.report.run.summary import RunSummary
    from adjudge.report.run.terminal import print_breakdown, print_summary, print_worst

    console, summary = console_for(False), RunSummary.of(opened)
    tables = {way: summary.groups if way == GROUP else facet_rows(opened, way) for way in by}
    print_summary(summary, console)
    for way, rows in tables.items():
        print_breakdown(summary, console, way, rows)
    print_worst(summary, console)
