"""The words and figures that all reports share, so that no two say the same thing differently."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from adjudge.aggregate import Row, Voice
from adjudge.core.card import Better
from adjudge.core.coverage import ArmCoverage, Coverage
from adjudge.core.usage import Usage

if TYPE_CHECKING:
    from adjudge.report.summary import Summary

CANARIES = "canaries"
ARROWS: dict[Better, str] = {"higher": "↑", "lower": "↓", "neither": ""}
DIRECTIONS: dict[Better, str] = {
    "higher": "Higher is better.",
    "lower": "Lower is better.",
    "neither": "Neither direction is better.",
}
NONE = "–"


def figure(value: float) -> str:
    """A value with three decimals.

    >>> figure(-0.0001)
    '0.000'
    """
    text = f"{value:.3f}"
    return "0.000" if text == "-0.000" else text


def usage_line(name: str, usage: Usage, conversations: int = 0) -> str:
    """What asking cost, in words, and how many calls that were for each conversation.

    >>> usage_line("all", Usage(calls=9, input_tokens=900, output_tokens=80, cost=None), 2)
    'all: 9 calls (4.5 a conversation), 900 tokens in, 80 out, price unknown'
    """
    each = f" ({usage.calls / conversations:.1f} a conversation)" if conversations else ""
    price = "price unknown" if usage.cost is None else f"{usage.cost:.4f} USD"
    tokens = f"{usage.input_tokens} tokens in, {usage.output_tokens} out"
    return f"{name}: {count(usage.calls, 'call')}{each}, {tokens}, {price}"


def judging_lines(summary: Summary) -> list[str]:
    """What asking cost, how the judge met the canaries, and how far several judges agree; a sentence each."""
    canaries, voices = summary.canaries, summary.voices
    asked = {name: one for name, one in summary.usage.items() if name != CANARIES}
    lines = [usage_line(name, one, summary.records * (name in asked)) for name, one in summary.usage.items()]
    if len(asked) > 1:
        lines.append(usage_line("all metrics", sum(asked.values(), Usage()), summary.records))
    lines += [f"canary, {name}: {outcome}" for name, outcome in canaries.items()]
    return lines + [_voice_line(one) for one in voices]


def _voice_line(one: Voice) -> str:
    said = "nothing" if one.value is None else figure(one.value)
    failed = "".join(f", {times} times no answer ({status})" for status, times in one.failures.items())
    accord = (
        "never two answers to compare"
        if one.agreement is None or one.spread is None
        else f"all agree on {one.agreement:.1%} of marks, mean spread {figure(one.spread)}"
    )
    return (
        f"{one.metric} of {arm_name(one.arm)} by {one.voice}: {said} over {count(one.marks, 'mark')}{failed}; {accord}"
    )


def value_of(row: Row) -> str:
    """The value, or the word for why there is none."""
    if row.value is not None:
        return figure(row.value)
    if row.errors:
        return "error"
    return "skipped" if row.skipped else "undefined"


def interval_of(row: Row) -> str:
    """The bounds of the interval; a dash where a value has none, nothing where there is no value."""
    if row.value is None:
        return ""
    if row.low is None or row.high is None:
        return NONE
    between = NONE if row.low >= 0 else " to "
    return f"{figure(row.low)}{between}{figure(row.high)}"


def unit_of(row: Row) -> str:
    """What `n` counts, in the number that goes with it."""
    unit = row.unit if row.pool == "marks" else "conversation"
    return unit if row.n == 1 else plural(unit)


def amount(row: Row) -> str:
    """How many of what the value is the mean of; nothing where there is no value."""
    return "" if row.value is None else f"{row.n} {unit_of(row)}"


def plural(noun: str) -> str:
    """The noun for several.

    >>> plural("turn"), plural("reply"), plural("domain switch"), plural("slot of a turn")
    ('turns', 'replies', 'domain switches', 'slots of a turn')
    """
    head, *rest = re.split(r" (?=(?:of|with|in|at|per|that) )", noun, maxsplit=1)
    if re.search(r"[^aeiou]y$", head):
        head = head[:-1] + "ies"
    else:
        head += "es" if re.search(r"(s|x|z|ch|sh)$", head) else "s"
    return " ".join([head, *rest])


def count(number: int, noun: str) -> str:
    """A number with its noun."""
    return f"{number} {noun if number == 1 else plural(noun)}"


def arm_name(arm: str) -> str:
    """The arm's name, or what stands for one without."""
    return arm or "(unnamed)"


def arm_label(row: Row) -> str:
    """The arm's name, with how much of what was expected it brought where that is not all."""
    if row.coverage is None or row.coverage >= 1:
        return arm_name(row.arm)
    return f"{arm_name(row.arm)} ({_percent(row.coverage)} %)"


def coverage_line(arm: str, coverage: ArmCoverage) -> str:
    """What an arm brought of what was expected."""
    parts = [_of(coverage.conversations, coverage.expected, "conversation")]
    if coverage.turns or coverage.turns_expected:
        parts.append(_of(coverage.turns, coverage.turns_expected, "turn"))
    share = f" ({percent(coverage)} %)" if coverage.turns_expected else ""
    return f"{arm_name(arm)}: {', '.join(parts)}{share}"


def percent(coverage: ArmCoverage) -> str:
    """The share of turns in percent, rounded down: 100.0 means that none is missing."""
    return _percent(coverage.turns / coverage.turns_expected)


def _percent(share: float) -> str:
    """A share in percent, rounded down; a very small one with the digits it takes to see it.

    >>> _percent(1.0), _percent(0.99999), _percent(0.0005)
    ('100.0', '99.9', '0.05')
    """
    tenths = int(share * 1000)
    return f"{tenths // 10}.{tenths % 10}" if tenths or not share else f"{share * 100:.1g}"


def complete(coverage: ArmCoverage) -> bool:
    """Whether nothing expected is missing."""
    return coverage.turns >= coverage.turns_expected and coverage.conversations >= coverage.expected


def warnings_of(status: str, coverage: Coverage) -> list[str]:
    """What has to be known before any number of the run is read."""
    unfinished = ["the run is not finished: run the same `adjudge score` again, it goes on"]
    refused = [f"{count(coverage.refused, 'record')} refused and not scored"]
    return (
        (unfinished if status != "complete" else []) + (refused if coverage.refused else []) + list(coverage.warnings)
    )


def _of(number: int, expected: int, noun: str) -> str:
    if not expected:
        return count(number, noun)
    return f"{number} of {count(expected, noun)}"
