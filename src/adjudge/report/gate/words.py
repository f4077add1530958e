"""The words in which a gate is reported, the same in every format."""

from __future__ import annotations

from msgspec import structs

from adjudge.gate.verdicts import Gate, Outcome, RuleVerdict
from adjudge.report.table import Column, TextTable, Tone, tabulate
from adjudge.report.words import INTERVAL, NONE, arm_name, bounds, count, figure, retired_line
from adjudge.run import Run

TONES: dict[Outcome, Tone] = {"pass": "good", "fail": "bad", "error": "unsure"}


def warn_of_retired(gate: Gate, run: Run) -> Gate:
    """The gate with a warning where its rules are about metrics that the run's suite no longer has."""
    metrics = dict.fromkeys(verdict.rule.metric for verdict in gate.verdicts if verdict.rule.metric in run.retired)
    warnings = [*gate.warnings, *filter(None, [retired_line(metrics)])]
    return structs.replace(gate, warnings=warnings)


def verdict_table(gate: Gate) -> TextTable:
    """A row for each rule and arm."""
    columns = [
        Column[RuleVerdict]("", lambda verdict: verdict.outcome, tone=lambda verdict: TONES[verdict.outcome]),
        Column[RuleVerdict]("rule", lambda verdict: verdict.text),
        Column[RuleVerdict]("arm", _arms),
        Column("value", value_text, "right"),
        Column(INTERVAL, interval_text, "right"),
        Column("n", sample_size_text, "right"),
        Column("coverage", coverage_text, "right"),
    ]
    return tabulate(columns, gate.verdicts)


def value_text(verdict: RuleVerdict) -> str:
    """The value, or the difference with its sign."""
    if verdict.value is None:
        return NONE
    return f"{verdict.value:+.3f}" if verdict.rule.compares else figure(verdict.value)


def interval_text(verdict: RuleVerdict) -> str:
    """The bounds of the value or the difference."""
    return NONE if verdict.value is None else bounds(verdict.low, verdict.high)


def sample_size_text(verdict: RuleVerdict) -> str:
    """How many of what the value is the mean of."""
    return NONE if verdict.value is None else count(verdict.n, verdict.unit)


def coverage_text(verdict: RuleVerdict) -> str:
    """The coverage, rounded down, so that 1.000 means that nothing is missing."""
    # The tolerance keeps 0.9299999999 from being shown as 0.929.
    return f"{int(verdict.coverage * 1000 + 1e-9) / 1000:.3f}"


def heading(verdict: RuleVerdict) -> str:
    """The outcome of a rule for an arm."""
    return f"{verdict.outcome}: {verdict.text}, {arm_name(verdict.arm)}"


def sentence(verdict: RuleVerdict) -> str:
    """The verdict in one sentence."""
    return f"{heading(verdict)}: {verdict.why}"


def _arms(verdict: RuleVerdict) -> str:
    """The arm, and the baseline it is compared with."""
    against = f" against {verdict.baseline}" if verdict.baseline else ""
    return f"{arm_name(verdict.arm)}{against}"
