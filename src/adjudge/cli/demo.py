"""`adjudge demo`: the whole loop on a sample, or the sample of one suite scored."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from adjudge.cli.console import console_for
from adjudge.cli.options import add_verbose, parser
from adjudge.cli.output import output_path

if TYPE_CHECKING:
    from rich.console import Console

SHOWN = ("joint_goal_accuracy", "policy_violation", "inform", "success", "user_keeps_goal")
COMPARED = SHOWN[:-1]


def run(arguments: list[str]) -> int:
    """Show the loop, or score the sample of a suite."""
    options = parser(
        "demo",
        "Without SUITE: play the customer-service sample with and without a part of the system, score it, compare\n"
        "both and write a page. With SUITE: score the sample of that suite, print the tables and write a page.\n"
        "Needs no network.",
    )
    options.add_argument("suite", nargs="?", metavar="SUITE", help="score the sample of this suite")
    options.add_argument(
        "-o",
        "--output",
        metavar="RUN",
        help="the run folder (default: runs/demo, or runs/demo-SUITE if that holds a run of another suite; without\n"
        "SUITE: runs/demo-play)",
    )
    options.add_argument("--fresh", action="store_true", help="start over, even if the folder holds another run")
    add_verbose(options)
    given = options.parse_args(arguments)
    named = output_path(given.output, "folder") if given.output else None
    if given.suite is None:
        return demo_play(named or Path("runs/demo-play"), given.fresh)
    folder = named or _folder_for(given.suite)
    return demo(given.suite, folder, given.fresh, given.verbose)


def _folder_for(suite: str) -> Path:
    """The folder for the demo of a suite, so that the demos of several suites stand beside each other."""
    from adjudge.run.folder import read_manifest

    folder = Path("runs/demo")
    if not (folder / "run.json").exists() or read_manifest(folder).suite == suite:
        return folder
    return folder.with_name(f"{folder.name}-{suite}")


def demo_play(folder: Path, fresh: bool = False) -> int:
    """Play the service sample, compare its two arms and write the page, each with the command that does it."""
    from adjudge.cli.play import run as play

    console, name = console_for(False), shlex.quote(str(folder))
    _print_command(console, f"adjudge play service --arm rules --arm rules-memory -o {name}")
    code = play(["service", "-o", str(folder), "-q", *(["--fresh"] if fresh else [])])
    if code:
        return code
    _print_played(folder, console)
    _compare_and_report(folder, name, console)
    console.print(
        "\nplayed by rule-based systems, without a model; next, compare them with a system of your own:\n"
        "  adjudge play service --arm rules --arm mine=py:my_agent.py:reply -o runs/mine",
        markup=False,
        soft_wrap=True,
    )
    _print_view(folder, console)
    return 0


def _print_view(folder: Path, console: Console) -> None:
    """Print the command that opens the runs in the browser."""
    command = f"adjudge view {shlex.quote(str(folder.parent))}"
    console.print(f"look at every conversation in the browser:\n  {command}", markup=False, soft_wrap=True)


def _print_command(console: Console, command: str) -> None:
    console.print(f"$ {command}", markup=False, soft_wrap=True, style="bold")


def _print_played(folder: Path, console: Console) -> None:
    from adjudge.report.play.terminal import print_play
    from adjudge.report.run.summary import RunSummary
    from adjudge.report.run.terminal import print_tables
    from adjudge.run import Run

    summary = RunSummary.brief(Run(folder).with_metrics(SHOWN))
    if summary.play is not None:
        print_play(summary.play, console)
    print_tables(summary, console)


def _compare_and_report(folder: Path, name: str, console: Console) -> None:
    from adjudge.cli.compare import run as compare
    from adjudge.report.run.files import write_run
    from adjudge.run import Run

    console.print()
    _print_command(console, f"adjudge compare {name} --metrics {','.join(COMPARED)}")
    compare([str(folder), "--metrics", ",".join(COMPARED)])
    console.print()
    page = folder / "report.html"
    _print_command(console, f"adjudge report {name} -o {shlex.quote(str(page))}")
    write_run(Run(folder), page)
    console.print(f"wrote {page}: every number with the turns behind it", markup=False, soft_wrap=True)


def demo(name: str, folder: Path, fresh: bool = False, verbose: bool = False) -> int:
    """Score a suite's sample into a folder."""
    from adjudge.api.scoring import demo as score_sample
    from adjudge.report.run.summary import RunSummary
    from adjudge.report.run.terminal import print_summary, print_worst

    done, report = score_sample(name, folder=folder, fresh=fresh), folder / "report.html"
    done.report(report)
    console = console_for(False)
    summary = RunSummary.of(done)
    print_summary(summary, console, verbose)
    print_worst(summary, console, verbose)
    console.print(f"\nthe run is in {folder}, its report in {report}", markup=False)
    _print_view(folder, console)
    return 0
