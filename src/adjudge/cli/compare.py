"""`adjudge compare`: which arm is better, by how much, and how sure that is."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from adjudge.cli.console import console_for
from adjudge.cli.options import parser
from adjudge.cli.runs import open_run

if TYPE_CHECKING:
    from adjudge.compare.comparison import Wanted
    from adjudge.compare.flips import Flip

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

    from adjudge.compare.comparison import compare_groups
    from adjudge.compare.flips import flips
    from adjudge.compare.parts import sheets_by
    from adjudge.compare.sheet import Sheet
    from adjudge.report.comparison.files import write_comparison
    from adjudge.report.comparison.terminal import print_comparison
    from adjudge.report.comparison.words import contrasts_by_pair

    runs = [open_run(folder) for folder in given.runs]
    whole = Sheet(runs, given.force)
    sheets = sheets_by(runs, given.by, given.force) if given.by else {"": whole}
    comparison = compare_groups(sheets, _request(given), given.by or "")
    changed: dict[tuple[str, str, str], list[Flip]] = {}
    shown = given.flips if given.flips is not None else (FLIPS if given.output else 0)
    if not given.by and shown:
        for pair, contrasts in contrasts_by_pair(comparison).items():
            metrics = [contrast.metric for contrast in contrasts]
            changed[pair] = flips(whole, metrics, (pair[1], pair[2]), shown)
    for target in given.output or ():
        write_comparison(comparison, changed, runs, Path(target))
        if not given.quiet:
            print(f"wrote {target}")
    if not given.output:
        print_comparison(comparison, changed, runs, console_for(given.quiet), given.unpaired)
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
    options.add_argument("--metrics", action="append", metavar="NAME[,NAME]", help="compare only these metrics")
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
    _add_output(options)
    return options


def _add_output(options: argparse.ArgumentParser) -> None:
    """Add what is shown and where it is written."""
    options.add_argument("--unpaired", action="store_true", help="also show Welch's t test, Cohen's d and percentages")
    options.add_argument(
        "--flips",
        type=_flips,
        metavar="N",
        help=f"show the N cases that changed most, for each metric and direction (default in files: {FLIPS})",
    )
    options.add_argument(
        "--force", action="store_true", help="compare runs that were measured differently, with a warning"
    )
    options.add_argument(
        "-o",
        "--output",
        action="append",
        metavar="FILE",
        help="write .html, .md, .csv, .json, or a figure as .pdf, .svg, .png; repeatable",
    )
    options.add_argument("-q", "--quiet", action="store_true", help="do not print the names of written files")


def _request(given: argparse.Namespace) -> Wanted:
    from adjudge.compare.comparison import Wanted

    return Wanted(
        metrics=_names(given.metrics),
        arms=_names(given.arms),
        baseline=given.baseline,
        correction=given.correction,
        margins=dict(given.margin or ()),
        bootstrap=given.bootstrap,
    )


def _names(given: list[str] | None) -> tuple[str, ...]:
    return tuple(name.strip() for names in given or () for name in names.split(","))


def _flips(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"found {text!r}; expected a whole number")
    return int(text)


def _margin(text: str) -> tuple[str, float]:
    metric, _, number = text.rpartition("=")
    try:
        margin = float(number)
    except ValueError:
        margin = -1.0
    if not 0 < margin < float("inf"):
        raise argparse.ArgumentTypeError(f"found {text!r}; expected a number above 0, or METRIC=number")
    return metric, margin
