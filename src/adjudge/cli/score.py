"""`adjudge score`: score files into a run folder."""

from __future__ import annotations

import argparse
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from adjudge.cli.console import console_for
from adjudge.cli.judging import add_judging, toolbox_of
from adjudge.cli.main import EXIT_INCOMPLETE
from adjudge.cli.options import (
    add_engine,
    add_keeping,
    add_metric_files,
    add_metrics,
    add_reading,
    add_verbose,
    engine_of,
    parse_share,
    parser,
    plan_of,
)
from adjudge.core.errors import BadInput
from adjudge.core.garbage import no_garbage_collection

if TYPE_CHECKING:
    from adjudge.core.suite import Suite
    from adjudge.report.run.summary import RunSummary

EPILOG = """\
example:
  adjudge score {example}

Run the same command again to continue a run that was stopped.{more}"""
MORE = " `adjudge score SUITE --help` shows the options of a suite."


def run(arguments: list[str]) -> int:
    """Score files, or a played run, and print the tables."""
    from adjudge.run.played import is_played

    if arguments and is_played(Path(arguments[0])):
        from adjudge.cli.played import score_run

        given = _played_parser().parse_args(arguments)
        return score_run(Path(given.run), given)
    suite = named_suite(arguments)
    given = _parser(suite).parse_args(arguments)
    assert suite is not None
    return score(suite, given)


def named_suite(arguments: list[str]) -> Suite | None:
    """The suite that the first argument names; None where there is none, or help is asked before any."""
    if not arguments or (arguments[0].startswith("-") and {"-h", "--help"} & set(arguments)):
        return None
    if arguments[0].startswith("-"):
        raise BadInput(f"found {arguments[0]!r} first; expected the suite, then files and options (adjudge list)")
    from adjudge.score import find_suite

    return find_suite(arguments[0])


def _parser(suite: Suite | None) -> argparse.ArgumentParser:
    example = f"{suite.name} {suite.example}" if suite else "patient visits.jsonl -o runs/mine"
    options = parser(
        "score",
        "Score files with the metrics of a suite, and write a run folder.",
        EPILOG.format(example=example, more="" if suite else MORE),
    )
    options.add_argument("suite", metavar="SUITE", help=suite.name if suite else "`adjudge list` shows the suites")
    add_reading(options, suite)
    options.add_argument("-o", "--output", required=True, metavar="RUN", help="the run folder")
    _add_scoring(options)
    return options


def _played_parser() -> argparse.ArgumentParser:
    options = parser(
        "score", "Score the conversations of a played run in its folder; earlier scores are replaced where they differ."
    )
    options.add_argument("run", metavar="RUN", help="the folder of a played run")
    _add_scoring(options)
    return options


def _add_scoring(options: argparse.ArgumentParser) -> None:
    add_metrics(options, "score only these metrics (default: all)")
    add_metric_files(options)
    add_engine(options)
    options.add_argument(
        "--require-coverage",
        type=parse_share,
        default=0.0,
        metavar="SHARE",
        help="exit with code 3 if an arm covers a smaller share of the turns",
    )
    add_keeping(options)
    add_judging(options)
    options.add_argument("--fresh", action="store_true", help="start over, even if the folder holds another run")
    add_verbose(options)
    options.add_argument("-q", "--quiet", action="store_true", help="print nothing but errors")


@no_garbage_collection()
def score(suite: Suite, given: argparse.Namespace) -> int:
    """Survey, say what is covered, score, and print the tables."""
    from adjudge.api.progress import progress_for
    from adjudge.api.scoring import Scoring, run_folder
    from adjudge.report.run.terminal import print_coverage, print_tables, print_warnings

    console, folder, toolbox = console_for(given.quiet), run_folder(given.output), toolbox_of(given)
    with progress_for(given.quiet) as progress:
        scoring = Scoring.open(plan_of(suite, given), toolbox, progress, engine_of(given))
    coverage = scoring.inventory.coverage
    print_coverage(coverage, console)
    print_warnings(scoring.remarks(), console)
    if given.estimate:
        print("\n".join(scoring.estimate()))
        return 0
    print_warnings(scoring.size_remarks(), console)
    with progress_for(given.quiet) as progress:
        done = scoring.run(folder, fresh=given.fresh or given.refresh, progress=progress)
    print_warnings([line for line in done.summary.coverage.warnings if line not in coverage.warnings], console)
    print_tables(done.summary, console, given.verbose)
    if not given.quiet:
        console.print(
            f"\nscored into {done.folder}; read on with: adjudge report {shlex.quote(str(done.folder))}",
            markup=False,
            soft_wrap=True,
        )
    return exit_code(done.summary, given.require_coverage)


def exit_code(summary: RunSummary, required: float) -> int:
    """The exit code of a finished run, with a line for whatever is missing."""
    from adjudge.api.completeness import missing_parts

    missing = missing_parts(summary, required)
    for part in missing:
        print(f"adjudge score: incomplete: {part}", file=sys.stderr)
    return EXIT_INCOMPLETE if missing else 0
