"""A gate as workflow commands, which GitHub shows as annotations."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from adjudge.gate.verdicts import Gate, RuleVerdict
from adjudge.gate.words import case_line
from adjudge.report.text import one_line
from adjudge.report.words import arm_name

# GitHub shows this many errors of a step and drops the rest silently.
MOST_ANNOTATIONS = 10

TITLES = {"fail": "Gate failed", "error": "Gate in error"}


def error_commands(gate: Gate) -> list[str]:
    """A workflow command for each rule that did not pass; the last that GitHub shows says how many more there are."""
    verdicts = [verdict for verdict in gate.verdicts if verdict.outcome != "pass"]
    if len(verdicts) <= MOST_ANNOTATIONS:
        return list(map(_annotation, verdicts))
    rest = f"and {len(verdicts) - MOST_ANNOTATIONS + 1} more rules that did not pass; the log has them all"
    return [*map(_annotation, verdicts[: MOST_ANNOTATIONS - 1]), _command("Gate", [rest])]


@contextmanager
def without_commands(print_line: Callable[[str], None]) -> Iterator[None]:
    """Stop GitHub from reading printed lines as commands, because they quote data."""
    token = secrets.token_hex(16)
    print_line(f"::stop-commands::{token}")
    try:
        yield
    finally:
        print_line(f"::{token}::")


def escape_data(text: str) -> str:
    r"""The text as the message of a workflow command.

    >>> escape_data("50 %\n::warning::")
    '50 %25%0A::warning::'
    """
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def escape_property(text: str) -> str:
    """The text as a property of a workflow command."""
    return escape_data(text).replace(":", "%3A").replace(",", "%2C")


def _annotation(verdict: RuleVerdict) -> str:
    lines = [f"{verdict.text}, {arm_name(verdict.arm)}: {verdict.why}", *map(case_line, verdict.cases)]
    return _command(TITLES[verdict.outcome], lines)


def _command(title: str, lines: list[str]) -> str:
    message = "\n".join(map(one_line, lines))
    return f"::error title={escape_property(title)}::{escape_data(message)}"
