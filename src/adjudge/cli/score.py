"""`adjudge score`: score files into a run folder."""

from __future__ import annotations

import argparse
import os
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from adjudge.cli.console import console_for, progress_for
from adjudge.cli.judging import add_judging, estimate, toolbox_of
from adjudge.cli.main import EXIT_INCOMPLETE
from adjudge.cli.options import (
    add_metric_files,
    add_metrics,
    add_reading,
    add_verbose,
    parse_share,
    parse_whole_number,
    parser,
    plan_of,
)
from adjudge.core.errors import BadInput

if TYPE_CHECKING:
    from adjudge.core.coverage import Coverage
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
    options.add_argument(
        "--jobs",
        "-j",
        type=parse_whole_number,
        default=1,
        metavar="N",
        help="number of processes (default: 1; 0: one for each core)",
    )
    options.add_argument(
        "--require-coverage",
        type=parse_share,
        default=0.0,
        metavar="SHARE",
        help="exit with code 3 if an arm covers a smaller share of the turns",
    )
    add_judging(options)
    options.add_argument("--fresh", action="store_true", help="start over, even if the folder holds another run")
    add_verbose(options)
    options.add_argument("-q", "--quiet", action="store_true", help="print nothing but errors")


def score(suite: Suite, given: argparse.Namespace) -> int:
    """Survey, say what is covered, score, and print the tables."""
    from adjudge.engines.local import Job, execute, survey

    console, folder, toolbox = console_for(given.quiet), _folder(given.output), toolbox_of(given)
    job = Job.open(plan_of(suite, given), toolbox)
    with progress_for(given.quiet) as progress:
        inventory = survey(job, progress)
    from adjudge.report.run.terminal import print_coverage

    print_coverage(inventory.coverage, console)
    if given.estimate:
        print("\n".join(estimate(job, inventory, toolbox)))
        return 0
    with progress_for(given.quiet) as progress:
        done = execute(
            job,
            folder,
            jobs=given.jobs or os.cpu_count() or 1,
            fresh=given.fresh or given.refresh,
            inventory=inventory,
            progress=progress,
        )
    from adjudge.report.run.summary import RunSummary
    from adjudge.report.run.terminal import print_tables, print_warnings

    summary = RunSummary.brief(done)
    print_warnings([line for line in summary.coverage.warnings if line not in inventory.coverage.warnings], console)
    print_tables(summary, console, given.verbose)
    if not given.quiet:
        console.print(
            f"\nscored into {done.folder}; read on with: adjudge report {shlex.quote(str(done.folder))}",
            markup=False,
            soft_wrap=True,
        )
    return exit_code(summary, given.require_coverage)


def _folder(given: str) -> Path:
    """The run folder, if it can be one."""
    if not given or os.path.isfile(given):
        raise BadInput(f"-o {given!r}: {'is a file' if given else 'names nothing'}; expected a folder for the run")
    return Path(given)


def exit_code(summary: RunSummary, required: float) -> int:
    """The exit code of a finished run, with a line for whatever is missing."""
    failed = sorted({row.metric for row in summary.rows if row.errors})
    if failed:
        print(f"adjudge score: incomplete: errors in {', '.join(failed)}", file=sys.stderr)
    if asked := _missing_answers(summary):
        print(f"adjudge score: incomplete: {asked}", file=sys.stderr)
    short = _short(summary.coverage, required)
    if short:
        print(f"adjudge score: incomplete: coverage below {required:g}: {', '.join(short)}", file=sys.stderr)
    return EXIT_INCOMPLETE if failed or asked or short else 0


def _missing_answers(summary: RunSummary) -> str:
    """Which questions were not answered; empty where all were."""
    if summary.status == "stopped":
        return "stopped at the limit of --max-cost or --max-calls; raise it and run the same command again to continue"
    # Asking again would help none of these.
    known = ("no_tool", "no_prediction", "no_label", "not_english", "error")
    counts: dict[str, int] = {}
    for row in summary.rows:
        for status, count in row.statuses.items():
            if status not in known:
                counts[status] = counts.get(status, 0) + count
    parts = [
        f"{count} score{'s'[: count != 1]} without an answer ({status})" for status, count in sorted(counts.items())
    ]
    if not summary.judged_by_labels and (gaps := sum(summary.unlabelled.values())):
        parts.append(f"{gaps} item{'s'[: gaps != 1]} without a usable answer")
    missing = ", ".join(parts)
    return f"{missing}; run again with --fresh to ask for these; existing answers are kept" if missing else ""


def _short(coverage: Coverage, required: float) -> list[str]:
    return [f"{arm} {seen.share:.3f}" for arm, seen in coverage.arms.items() if seen.share < required]
