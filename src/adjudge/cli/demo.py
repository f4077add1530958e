"""`adjudge demo`: score the sample that comes with a suite."""

from __future__ import annotations

from pathlib import Path

from adjudge.cli.console import console_for
from adjudge.cli.options import add_verbose, parser


def run(arguments: list[str]) -> int:
    """Score the sample, print the tables, and write a report."""
    options = parser(
        "demo", "Score the sample that comes with a suite, print the tables and write a report. Needs no network."
    )
    options.add_argument("suite", nargs="?", default="service", metavar="SUITE", help="the suite (default: service)")
    options.add_argument("-o", "--output", metavar="RUN", help="the run folder (default: runs/demo)")
    options.add_argument("--fresh", action="store_true", help="start over, even if the folder holds another run")
    add_verbose(options)
    given = options.parse_args(arguments)
    return demo(given.suite, Path(given.output or "runs/demo"), given.fresh, given.verbose)


def demo(name: str, folder: Path, fresh: bool = False, verbose: bool = False) -> int:
    """Score a suite's sample into a folder."""
    from adjudge.engines.local import Job, execute
    from adjudge.report.run.files import write_run
    from adjudge.report.run.summary import RunSummary
    from adjudge.report.run.terminal import print_summary, print_worst
    from adjudge.score import Plan, find_suite
    from adjudge.tools.settings import LABELS, ToolSettings
    from adjudge.tools.toolbox import Toolbox

    suite = find_suite(name)
    plan = Plan(suite=name, files=(str(suite.sample),))
    # Where people have labelled the sample, they are its judge: nothing is sent anywhere.
    judge = (f"{LABELS}{suite.sample_labels}",) if suite.sample_labels else ()
    done = execute(Job.open(plan, Toolbox(ToolSettings(judge=judge), {})), folder, fresh=fresh)
    report = folder / "report.html"
    write_run(done, report)
    console = console_for(False)
    summary = RunSummary.of(done)
    print_summary(summary, console, verbose)
    print_worst(summary, console, verbose)
    console.print(f"\nthe run is in {folder}, its report in {report}", markup=False)
    return 0
