"""`adjudge gate`: does a run keep to rules? Exit code 1 if not."""

from __future__ import annotations

import argparse
import os
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from adjudge.cli.console import console_for
from adjudge.cli.main import EXIT_GATE
from adjudge.cli.options import add_metrics, metric_names, parse_share, parser
from adjudge.cli.output import output_files, write_files

if TYPE_CHECKING:
    from adjudge.api.gates import GateRequest
    from adjudge.gate.verdicts import Gate
    from adjudge.run import Run

EPILOG = """\
rules:
  inform >= 0.8               the value; also <=, > and <
  lower(inform) >= 0.75       the lower bound of the 95 % interval; also upper(...)
  every(inform) >= 1          every conversation
  inform not worse by 0.02    the interval of the difference from the baseline excludes a loss of 0.02
  inform better               significantly better than the baseline

adjudge.toml can also have rules: [gate] rules = ["inform >= 0.8"], coverage = 0.95, against = "runs/base".
Rules of the command line are added to those of the file; --coverage and --against replace the values of the file.

example:
  adjudge gate runs/new --rule "inform >= 0.8" --rule "inform not worse by 0.02" --against runs/old -o junit.xml"""


def run(arguments: list[str]) -> int:
    """Check a run against rules, print the verdicts and write them; 1 if a rule did not pass."""
    given = _parser().parse_args(arguments)

    from adjudge.api.gates import check_gate
    from adjudge.api.runs import load
    from adjudge.report.gate.files import FORMATS, write_gate

    files, opened = output_files(given, FORMATS), load(given.run)
    gate = check_gate(opened, _request(given)).gate
    _print_verdicts(gate, opened, given.quiet)
    write_files(files, partial(write_gate, gate, opened), given.quiet)
    return 0 if gate.passed else EXIT_GATE


def _parser() -> argparse.ArgumentParser:
    options = parser("gate", "Check a run against rules. The exit code is 1 if a rule fails.", EPILOG)
    options.add_argument("run", metavar="RUN", help="a run folder")
    options.add_argument("--rule", action="append", metavar="RULE", help="a rule (see below); repeatable")
    add_metrics(options, "check only the rules about these metrics (default: all rules)")
    options.add_argument("--against", metavar="RUN[:ARM]", help="the baseline for `not worse by` and `better`")
    options.add_argument(
        "--coverage",
        type=parse_share,
        metavar="SHARE",
        help="the share of conversations that must be scored for a rule to pass (default: 1)",
    )
    options.add_argument("--arm", action="append", metavar="ARM", help="check only this arm (default: all); repeatable")
    options.add_argument(
        "--force", action="store_true", help="compare runs that were measured differently, with a warning"
    )
    options.add_argument(
        "--config", metavar="FILE", help="settings (default: adjudge.toml in this folder, if there is one)"
    )
    options.add_argument(
        "-o",
        "--output",
        action="append",
        default=[],
        metavar="FILE",
        help="write .xml (JUnit), .json or .md; repeatable",
    )
    options.add_argument(
        "-q", "--quiet", action="store_true", help="print no table; only the exit code tells the result"
    )
    return options


def _request(given: argparse.Namespace) -> GateRequest:
    from adjudge.api.gates import GateRequest

    return GateRequest(
        rules=tuple(given.rule or ()),
        metrics=metric_names(given),
        against=given.against,
        coverage=given.coverage,
        arms=tuple(given.arm or ()),
        force=given.force,
        config=given.config,
    )


def _print_verdicts(gate: Gate, opened: Run, quiet: bool) -> None:
    """Print the verdicts; on GitHub, also annotations and the summary of the step."""
    from adjudge.report.console import Out
    from adjudge.report.gate.files import append_markdown
    from adjudge.report.gate.github import error_commands, without_commands
    from adjudge.report.gate.terminal import print_gate

    on_github = os.environ.get("GITHUB_ACTIONS") == "true"
    out = Out(console_for(False))
    if not quiet:
        with without_commands(out.line) if on_github else nullcontext():
            print_gate(gate, out)
    for command in error_commands(gate) if on_github else ():
        out.line(command)
    if summary := os.environ.get("GITHUB_STEP_SUMMARY"):
        append_markdown(gate, opened, Path(summary))
