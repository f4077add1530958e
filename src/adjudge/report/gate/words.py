"""The words in which a gate is reported, the same in every format."""

from __future__ import annotations

from msgspec import structs

from adjudge.gate.verdicts import Gate, RuleVerdict
from adjudge.report.words import NONE, arm_name, bounds, count, figure, retired_line
from adjudge.run import Run


def warn_of_retired(gate: Gate, run: Run) -> Gate:
    """The gate with a warning where its rules are about metrics that the run's suite no longer has."""
    metrics = dict.fromkeys(verdict.rule.metric for verdict in gate.verdicts if verdict.rule.metric in run.retired)
    warnings = [*gate.warnings, *filter(None, [retired_line(metrics)])]
    return structs.replace(gate, warnings=warnings)


def cells(verdict: RuleVerdict) -> list[str]:
    """The value or the difference, its interval, of how many, and the coverage, rounded down."""
    coverage = f"{int(verdict.coverage * 1000 + 1e-9) / 1000:.3f}"
    if verdict.value is None:
        return [NONE, NONE, NONE, coverage]
    value = f"{verdict.value:+.3f}" if verdict.rule.compares else figure(verdict.value)
    return [value, bounds(verdict.low, verdict.high), count(verdict.n, verdict.unit), coverage]


def arms(verdict: RuleVerdict) -> str:
    """The arm, and the baseline it is compared with."""
    against = f" against {verdict.baseline}" if verdict.baseline else ""
    return f"{arm_name(verdict.arm)}{against}"


def heading(verdict: RuleVerdict) -> str:
    """The outcome of a rule for an arm."""
    return f"{verdict.outcome}: {verdict.text}, {arm_name(verdict.arm)}"


def sentence(verdict: RuleVerdict) -> str:
    """The verdict in one sentence."""
    return f"{heading(verdict)}: {verdict.why}"
