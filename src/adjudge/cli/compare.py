"""`adjudge compare`: which arm is better, by how much, and how sure that is."""

from __future__ import annotations

import argparse
from functools import partial
from typing import TYPE_CHECKING

from adjudge.cli.console import console_for
from adjudge.cli.options import add_metrics, add_verbose, metric_names, parse_whole_number, parser, split_names
from adjudge.cli.output import add_output, output_files, write_files

if TYPE_CHECKING:
    from adjudge.compare.comparison import ComparisonRequest

# The changed cases of each metric that files list, unless `--flips` gives another number.
FLIPS = 10

EPILOG = """\
examples:
  adjudge compare runs/demo
  adjudge compare runs/mine runs/theirs --baseline theirs --metrics inform,success
  adjudge compare runs/trips --by condition -o compare.md -o compare.json

Cases are paired where both arms have them. Verdicts: better, worse, tied (within the margin), and inconclusive
(with the sample size that a difference of this size needs, where it can be computed)."""


def run(arguments: list[str]) -> int:
    """Compare the arms of runs, and print or write the comparison."""
    given = _parser().parse_args(arguments)

    from msgspec import structs

    from adjudge.api.comparing import compare_runs
    from adjudge.api.runs import loaded_runs
    from adjudge.report.comparison.files import FORMATS, write_comparison
    from adjudge.report.comparison.terminal import print_comparison, print_headline, print_unpaired

    files, runs = output_files(given, FORMATS), loaded_runs(given.runs)
    shown = given.flips if given.flips is not None else FLIPS * bool(files)
    compared = compare_runs(runs, _request(given), by=given.by or "", shown=shown, force=given.force)
    report = structs.replace(compared, headline=given.headline)
    write_files(files, partial(write_comparison, report), given.quiet)
    if not files:
        console = console_for(given.quiet)
        show = print_headline if given.headline else partial(print_comparison, verbose=given.verbose)
        show(report, console)
        if given.unpaired:
            print_unpaired(report, console)
    return 0


def _parser() -> argparse.ArgumentParser:
    options = parser(
        "compare", "Compare the arms of one or more runs: differences, intervals, corrected tests and verdicts.", EPILOG
    )
    options.add_argument("runs", nargs="+", metavar="RUN", help="a run folder")
    options.add_argument(
        "--baseline", default="", metavar="ARM", help="compare every arm with this one (default: compare all pairs)"
    )
    options.add_argument("--arms", action="append", metavar="ARM[,ARM]", help="compare only these arms")
    add_metrics(options, "compare these metrics (default: the primary family of the suite)")
    options.add_argument(
        "--by", metavar="FACET", help="compare within each value of a facet, or within each `group` of marks"
    )
    options.add_argument(
        "--correction",
        choices=("holm", "bh", "none"),
        default="holm",
        help="correction for multiple tests: Holm (default), Benjamini-Hochberg, or none",
    )
    options.add_argument(
        "--margin",
        action="append",
        type=_margin,
        metavar="[METRIC=]X",
        help="differences below X count as tied (default: a twentieth of a bounded scale)",
    )
    options.add_argument(
        "--bootstrap",
        action="store_true",
        help="use a seeded paired bootstrap for intervals (their coverage is lower in small samples)",
    )
    _add_shown(options)
    return options


def _add_shown(options: argparse.ArgumentParser) -> None:
    """Add what is shown and where it is written."""
    options.add_argument(
        "--headline",
        action="store_true",
        help="one table for each pair: values, percent, the paired test, Welch's t and Cohen's d",
    )
    options.add_argument("--unpaired", action="store_true", help="also show Welch's t test, Cohen's d and percentages")
    options.add_argument(
        "--flips",
        type=parse_whole_number,
        metavar="N",
        help=f"show the N cases that changed most, for each metric and direction (default in files: {FLIPS})",
    )
    options.add_argument(
        "--force", action="store_true", help="compare runs that were measured differently, with a warning"
    )
    add_verbose(options, "print every table and ranking, whatever their number")
    add_output(options, ".html, .md, .tex, .csv, .json, or a figure as .pdf, .svg, .png")


def _request(given: argparse.Namespace) -> ComparisonRequest:
    from adjudge.compare.comparison import ComparisonRequest

    return ComparisonRequest(
        metrics=metric_names(given),
        arms=split_names(given.arms),
        baseline=given.baseline,
        correction=given.correction,
        margins=dict(given.margin or ()),
        bootstrap=given.bootstrap,
    )


def _margin(text: str) -> tuple[str, float]:
    metric, _, number = text.rpartition("=")
    try:
        margin = float(number)
    except ValueError:
        margin = -1.0
    if not 0 < margin < float("inf"):
        raise argparse.ArgumentTypeError(f"found {text!r}; expected a number above 0, or METRIC=number")
    return metric, margin
