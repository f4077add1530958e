"""`adjudge gate`: does a run keep to rules? Exit code 1 if not."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from adjudge.cli.console import console_for
from adjudge.cli.main import EXIT_GATE
from adjudge.cli.options import parser

if TYPE_CHECKING:
    from adjudge.gate.check import Terms
    from adjudge.gate.settings import Settings
    from adjudge.gate.verdicts import Gate
    from adjudge.report.terminal import Out
    from adjudge.run import Run

EPILOG = """\
rules:
  inform >= 0.8               the value; also <=, > and <
  lower(inform) >= 0.75       the lower bound of the 95 % interval; also upper(...)
  every(inform) >= 1          every conversation
  inform not worse by 0.02    than the baseline: the interval of the difference ends before the margin
  inform better               than the baseline, significantly

Rules can also stand in adjudge.toml: [gate] rules = ["inform >= 0.8"], coverage = 0.95, against = "runs/base".
Those of the command line are added to them; --coverage and --against take the place of the file's.

example:
  adjudge gate runs/new --rule "inform >= 0.8" --rule "inform not worse by 0.02" --against runs/old -o junit.xml"""

STYLES = {"pass": "green", "fail": "red", "error": "yellow"}


def run(arguments: list[str]) -> int:
    """Check a run against rules, print the verdicts and write them; 1 if a rule did not pass."""
    given = _parser().parse_args(arguments)

    from adjudge.gate.check import check
    from adjudge.gate.rules import parse_all
    from adjudge.gate.settings import load
    from adjudge.report.target import ending
    from adjudge.run import Run

    targets = [Path(target) for target in given.output or ()]
    for target in targets:
        ending(target, FORMATS)
    settings, opened = load(Path(given.config) if given.config else None), Run(Path(given.run))
    rules = parse_all([*settings.rules, *(given.rule or ())], opened.manifest.cards)
    gate = check(opened, rules, _terms(given, settings))
    for target in targets:
        _write(gate, opened, target)
    _tell(gate, opened, given.quiet)
    if not given.quiet:
        for target in targets:
            print(f"wrote {target}")
    return 0 if gate.passed else EXIT_GATE


def _parser() -> argparse.ArgumentParser:
    options = parser("gate", "Check a run against rules; exit code 1 if one does not pass.", EPILOG)
    options.add_argument("run", metavar="RUN", help="a run folder")
    options.add_argument("--rule", action="append", metavar="RULE", help="what must hold; repeatable")
    options.add_argument("--against", metavar="RUN[:ARM]", help="the baseline of `not worse by` and `better`")
    options.add_argument(
        "--coverage",
        type=_share,
        metavar="SHARE",
        help="the share of conversations that must be scored for a rule to pass (default: 1)",
    )
    options.add_argument("--arm", action="append", metavar="ARM", help="only this arm (else all); repeatable")
    options.add_argument("--force", action="store_true", help="compare runs that were measured differently, marked so")
    options.add_argument("--config", metavar="FILE", help="settings (default: adjudge.toml here, if there is one)")
    options.add_argument("-o", "--output", action="append", metavar="FILE", help="write .xml (JUnit), .json or .md")
    options.add_argument("-q", "--quiet", action="store_true", help="print no table; the exit code says how it went")
    return options


def _terms(given: argparse.Namespace, settings: Settings) -> Terms:
    from adjudge.gate.baseline import open_baseline
    from adjudge.gate.check import Terms

    against = given.against if given.against is not None else settings.against
    coverage = given.coverage if given.coverage is not None else settings.coverage
    return Terms(
        coverage=1.0 if coverage is None else coverage,
        arms=tuple(given.arm or ()),
        baseline=None if against is None else open_baseline(against),
        force=given.force,
    )


def _share(text: str) -> float:
    try:
        share = float(text)
    except ValueError:
        share = -1.0
    if not 0 <= share <= 1:
        raise argparse.ArgumentTypeError(f"found {text!r}; expected a number from 0 to 1")
    return share


def _write(gate: Gate, opened: Run, target: Path) -> None:
    from adjudge.report import target as place
    from adjudge.run import write_whole

    place.guard(opened, target)
    content = FORMATS[place.ending(target, FORMATS)](gate)
    with place.complaints(target):
        write_whole(target, content)


def _tell(gate: Gate, opened: Run, quiet: bool) -> None:
    """Print the verdicts, and tell GitHub where it listens."""
    from adjudge.report.github import error_commands, gate_markdown, no_commands
    from adjudge.report.terminal import Out

    on_github = os.environ.get("GITHUB_ACTIONS") == "true"
    out = Out(console_for(False), [])
    if not quiet:
        with no_commands(out.line) if on_github else nullcontext():
            _show(gate, out)
    for command in error_commands(gate) if on_github else ():
        out.line(command)
    if summary := os.environ.get("GITHUB_STEP_SUMMARY"):
        _append(Path(summary), f"\n{gate_markdown(gate)}", opened)


def _append(target: Path, text: str, opened: Run) -> None:
    from adjudge.report import target as place

    place.guard(opened, target)
    with place.complaints(target), target.open("a", encoding="utf-8", newline="\n") as file:
        file.write(text)


def _show(gate: Gate, out: Out) -> None:
    from adjudge.gate.words import case_line
    from adjudge.report.github import sentence

    for warning in gate.warnings:
        out.line(f"warning: {warning}", "yellow")
    _table(gate, out)
    for one in gate.verdicts:
        if one.outcome != "pass":
            out.title(sentence(one))
            for case in one.cases:
                out.line(f"  {case_line(case)}")
    out.console.print()
    out.line(gate.headline(), f"bold {STYLES[gate.outcome]}")


def _table(gate: Gate, out: Out) -> None:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    from adjudge.report.github import cells, whom
    from adjudge.report.plain import plain

    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0))
    for header in ("", "rule", "arm"):
        table.add_column(header)
    for header in ("value", "95 % interval", "n", "coverage"):
        table.add_column(header, justify="right", no_wrap=header == "value")
    for one in gate.verdicts:
        told = [Text(out.known(plain(text))) for text in (one.text, whom(one), *cells(one))]
        table.add_row(Text(one.outcome, STYLES[one.outcome]), *told)
    out.console.print(table, crop=False)


def _xml(gate: Gate) -> bytes:
    from adjudge.report.junit import junit

    return junit(gate)


def _json(gate: Gate) -> bytes:
    import msgspec

    return msgspec.json.format(msgspec.json.encode(gate, order="deterministic"), indent=2) + b"\n"


def _markdown(gate: Gate) -> bytes:
    from adjudge.report.github import gate_markdown

    return gate_markdown(gate).encode()


FORMATS: dict[str, Callable[[Gate], bytes]] = {".xml": _xml, ".json": _json, ".md": _markdown}
