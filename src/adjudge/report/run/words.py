"""The words in which a run is reported, the same in every format."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from adjudge.aggregate import Row, Voice
from adjudge.core.coverage import ArmCoverage, Coverage
from adjudge.core.usage import Usage
from adjudge.report.words import NONE, arm_name, count, figure, method_words, plural
from adjudge.run.keep import Keep

if TYPE_CHECKING:
    from adjudge.report.run.summary import RunSummary

# The name under which a run counts the calls for canaries, which belong to no metric.
CANARIES = "canaries"
# Counts of so many arms are listed one by one; of more arms, the lowest and the highest are shown.
LISTED = 3
_COUNTS = ("undefined", "skipped", "errors")


def absent_parts(keep: Keep) -> list[str]:
    """What a run that does not keep all records lacks, and how to get it, a sentence each."""
    if keep.kind == "all":
        return []
    if keep.kind == "worst":
        return [
            f"marks and records: those of the {keep.most} worst conversations of each metric and arm only; tables of "
            "members and the marks of other conversations need --keep all"
        ]
    return [
        "marks, records and the values of conversations: the run keeps tallies only; the worst conversations, "
        "distributions and comparisons with pairs need --keep worst, all else --keep all"
    ]


def absent_lines(absent: Iterable[str]) -> list[str]:
    """What is not in a run that does not keep all records, a line each."""
    return [f"not kept: {part}" for part in absent]


def value_text(row: Row) -> str:
    """The value, or the word for why there is none."""
    if row.value is not None:
        return figure(row.value)
    if row.errors:
        return "error"
    return "skipped" if row.skipped else "undefined"


def interval_text(row: Row) -> str:
    """The bounds of the interval; a dash where a value has none, nothing where there is no value."""
    if row.value is None:
        return ""
    if row.low is None or row.high is None:
        return NONE
    between = NONE if row.low >= 0 else " to "
    return f"{figure(row.low)}{between}{figure(row.high)}"


def unit_text(row: Row) -> str:
    """What `n` counts, in the number that goes with it."""
    unit = row.unit if row.pool == "marks" else "conversation"
    return unit if row.n == 1 else plural(unit)


def sample_size_text(row: Row) -> str:
    """How many of what the value is the mean of; nothing where there is no value."""
    return "" if row.value is None else f"{row.n} {unit_text(row)}"


def count_words(rows: list[Row]) -> list[str]:
    """How many of what the values of a metric are means of, and how many conversations have no value and why.

    Counts that differ between arms are listed in the order of the arms: `92/90 turns`.
    """
    valued = [row for row in rows if row.value is not None]
    words = [f"{_numbers([row.n for row in valued])} {_unit(valued)}"] if valued else []
    return words + [
        f"{_numbers([getattr(row, name) for row in rows])} {name}"
        for name in _COUNTS
        if any(getattr(row, name) for row in rows)
    ]


def arm_label(row: Row) -> str:
    """The arm's name, with the share of what was expected that it covers where that is not all."""
    if row.coverage is None or row.coverage >= 1:
        return arm_name(row.arm)
    return f"{arm_name(row.arm)} ({percent(row.coverage)} %)"


def coverage_line(arm: str, coverage: ArmCoverage) -> str:
    """How much of what was expected an arm covers."""
    parts = [_count_of(coverage.conversations, coverage.expected, "conversation")]
    if coverage.turns or coverage.turns_expected:
        parts.append(_count_of(coverage.turns, coverage.turns_expected, "turn"))
    share = f" ({percent(coverage.turns / coverage.turns_expected)} %)" if coverage.turns_expected else ""
    return f"{arm_name(arm)}: {', '.join(parts)}{share}"


def percent(share: float) -> str:
    """A share in percent, rounded down, so that 100.0 means that none is missing; a very small one with a digit.

    >>> percent(1.0), percent(0.99999), percent(0.0005)
    ('100.0', '99.9', '0.05')
    """
    tenths = int(share * 1000)
    return f"{tenths // 10}.{tenths % 10}" if tenths or not share else f"{share * 100:.1g}"


def is_complete(coverage: ArmCoverage) -> bool:
    """Whether nothing expected is missing."""
    return coverage.turns >= coverage.turns_expected and coverage.conversations >= coverage.expected


def warning_lines(status: str, coverage: Coverage) -> list[str]:
    """What has to be known before any number of the run is read."""
    unfinished = ["the run is not finished; run the same `adjudge score` command again to continue it"]
    refused = [f"{count(coverage.refused, 'record')} refused and not scored"]
    return (
        (unfinished if status != "complete" else []) + (refused if coverage.refused else []) + list(coverage.warnings)
    )


def failed_canaries(canaries: Mapping[str, str]) -> list[str]:
    """A warning if the judge failed questions with a known answer.

    >>> failed_canaries({"good reply": "passed", "bad reply": "failed: expected overall 1 or 2, found overall 4"})
    ['the judge failed 1 of 2 questions with a known answer (bad reply): read its scores with care']
    """
    failed = [name for name, outcome in canaries.items() if outcome != "passed"]
    of_all = f"{len(failed)} of {count(len(canaries), 'question')} with a known answer"
    return [f"the judge failed {of_all} ({', '.join(failed)}): read its scores with care"] if failed else []


def judging_lines(summary: RunSummary) -> list[str]:
    """The cost of the judge, its answers to the canaries, and the agreement of several judges; a sentence each."""
    by_metric = {name: usage for name, usage in summary.usage.items() if name != CANARIES}
    lines = [usage_line(name, usage, summary.records * (name in by_metric)) for name, usage in summary.usage.items()]
    if len(by_metric) > 1:
        lines.append(usage_line("all metrics", sum(by_metric.values(), Usage()), summary.records))
    lines += [f"canary, {name}: {outcome}" for name, outcome in summary.canaries.items()]
    lines += [f"judged by {summary.tools['judge']}"] if summary.judged_by_labels else []
    missing = "a label" if summary.judged_by_labels else "a usable answer"
    lines += [f"{name}: {count(number, 'item')} without {missing}" for name, number in summary.unlabelled.items()]
    return lines + [_voice_line(voice) for voice in summary.voices]


def usage_line(name: str, usage: Usage, conversations: int = 0) -> str:
    """The calls, tokens and cost of the judge, with the calls for each conversation.

    >>> usage_line("all", Usage(calls=9, input_tokens=900, output_tokens=80, cost=None), 2)
    'all: 9 calls (4.5 a conversation), 900 tokens in, 80 out, price unknown'
    """
    each = f" ({usage.calls / conversations:.1f} a conversation)" if conversations else ""
    price = "price unknown" if usage.cost is None else f"{usage.cost:.4f} USD"
    tokens = f"{usage.input_tokens} tokens in, {usage.output_tokens} out"
    return f"{name}: {count(usage.calls, 'call')}{each}, {tokens}, {price}"


def interval_methods(rows: Iterable[Row]) -> dict[str, list[str]]:
    """For each way an interval was computed, in words, the metrics it was computed for."""
    metrics: dict[str, dict[str, None]] = {}
    for row in rows:
        if row.method:
            metrics.setdefault(method_words(row.method), {})[row.metric] = None
    return {method: list(names) for method, names in metrics.items()}


def _numbers(numbers: list[int]) -> str:
    """The numbers of the arms: one if they are equal, each if they are few, else the lowest and the highest.

    >>> _numbers([92, 92]), _numbers([92, 90]), _numbers([5, 4, 3, 9])
    ('92', '92/90', '3–9')
    """
    if len(set(numbers)) == 1:
        return str(numbers[0])
    if len(numbers) <= LISTED:
        return "/".join(map(str, numbers))
    return f"{min(numbers)}–{max(numbers)}"


def _unit(rows: list[Row]) -> str:
    """What the counts count, shortened where it is the conversation."""
    return (
        unit_text(max(rows, key=lambda row: row.n)).replace("conversations", "conv.").replace("conversation", "conv.")
    )


def _voice_line(voice: Voice) -> str:
    value = "no value" if voice.value is None else figure(voice.value)
    failures = "".join(f", no answer {times} times ({status})" for status, times in voice.failures.items())
    agreement = (
        "no two answers to compare"
        if voice.agreement is None or voice.spread is None
        else f"all agree on {voice.agreement:.1%} of marks, mean spread {figure(voice.spread)}"
    )
    whose = f"{voice.metric} of {arm_name(voice.arm)} by {voice.voice}"
    return f"{whose}: {value} over {count(voice.marks, 'mark')}{failures}; {agreement}"


def _count_of(number: int, expected: int, noun: str) -> str:
    if not expected:
        return count(number, noun)
    return f"{number} of {count(expected, noun)}"
