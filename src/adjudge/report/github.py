"""A gate in words: as Markdown, which a step's summary on GitHub shows, and as annotations there."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from adjudge.gate.verdicts import Case, Gate, Verdict
from adjudge.gate.words import case_line
from adjudge.report.markdown import escaped, grid
from adjudge.report.plain import plain
from adjudge.report.words import NONE, arm_name, count, figure

# GitHub shows so many errors of a step and drops the rest without a word.
SHOWN = 10

TITLES = {"fail": "Gate failed", "error": "Gate in error"}


def cells(verdict: Verdict) -> list[str]:
    """What was found: the value or the difference, its interval, of how many, and the coverage, rounded down."""
    coverage = f"{int(verdict.coverage * 1000 + 1e-9) / 1000:.3f}"
    if verdict.value is None:
        return [NONE, NONE, NONE, coverage]
    value = f"{verdict.value:+.3f}" if verdict.rule.compares else figure(verdict.value)
    known = verdict.low is not None and verdict.high is not None
    interval = f"{figure(verdict.low or 0.0)} to {figure(verdict.high or 0.0)}" if known else NONE
    return [value, interval, count(verdict.n, verdict.unit), coverage]


def whom(verdict: Verdict) -> str:
    """The arm, and the baseline it is held against."""
    against = f" against {verdict.baseline}" if verdict.baseline else ""
    return f"{arm_name(verdict.arm)}{against}"


def sentence(verdict: Verdict) -> str:
    """The verdict in one sentence."""
    return f"{verdict.outcome}: {verdict.text}, {arm_name(verdict.arm)}: {verdict.why}"


def gate_markdown(gate: Gate) -> str:
    """The gate as Markdown: all rules, then those that did not pass with their worst conversations."""
    header = ["", "rule", "arm", "value", "95 % interval", "n", "coverage"]
    sections = [
        [f"## {escaped(gate.run)}: {gate.headline()}", ""]
        + [f"- **Warning:** {escaped(warning)}" for warning in gate.warnings]
        + ([""] if gate.warnings else [])
        + grid(header, map(_line, gate.verdicts)),
        *(_block(one) for one in gate.verdicts if one.outcome != "pass"),
    ]
    return "\n\n".join("\n".join(lines) for lines in sections) + "\n"


def _line(verdict: Verdict) -> list[str]:
    word = verdict.outcome if verdict.outcome == "pass" else f"**{verdict.outcome}**"
    told = [verdict.text, whom(verdict), *cells(verdict)]
    return [word, *map(escaped, told)]


def _block(verdict: Verdict) -> list[str]:
    header = ["conversation", "value", "turn", "what", "why"]
    lines = [f"### {escaped(f'{verdict.outcome}: {verdict.text}, {arm_name(verdict.arm)}')}", "", escaped(verdict.why)]
    return [*lines, "", *grid(header, map(_case, verdict.cases))] if verdict.cases else lines


def _case(one: Case) -> list[str]:
    value = figure(one.value) if one.baseline is None else f"{figure(one.baseline)} to {figure(one.value)}"
    return [escaped(one.name), value, *map(escaped, (one.turn, one.at, one.why))]


def error_commands(gate: Gate) -> list[str]:
    """A workflow command for each rule that did not pass; the last that GitHub shows says how many more there are."""
    found = [one for one in gate.verdicts if one.outcome != "pass"]
    if len(found) <= SHOWN:
        return list(map(_annotation, found))
    rest = f"and {len(found) - SHOWN + 1} more rules that did not pass; the log has them all"
    return [*map(_annotation, found[: SHOWN - 1]), _command("Gate", [rest])]


def _annotation(verdict: Verdict) -> str:
    lines = [f"{verdict.text}, {arm_name(verdict.arm)}: {verdict.why}", *map(case_line, verdict.cases)]
    return _command(TITLES[verdict.outcome], lines)


def _command(title: str, lines: list[str]) -> str:
    message = "\n".join(map(plain, lines))
    return f"::error title={escaped_property(title)}::{escaped_data(message)}"


def escaped_data(text: str) -> str:
    r"""The text as the message of a workflow command.

    >>> escaped_data("50 %\n::warning::")
    '50 %25%0A::warning::'
    """
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def escaped_property(text: str) -> str:
    """The text as a property of a workflow command."""
    return escaped_data(text).replace(":", "%3A").replace(",", "%2C")


@contextmanager
def no_commands(say: Callable[[str], None]) -> Iterator[None]:
    """Keep GitHub from taking what is printed meanwhile, which quotes data, for commands to it."""
    token = secrets.token_hex(16)
    say(f"::stop-commands::{token}")
    try:
        yield
    finally:
        say(f"::{token}::")
