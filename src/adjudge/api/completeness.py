"""What a finished run lacks: metrics with errors, questions without an answer, arms that cover too little."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from adjudge.core.coverage import Coverage
    from adjudge.report.run.summary import RunSummary

# Statuses of scores that asking again would not help.
SETTLED = ("no_tool", "no_prediction", "no_label", "not_english", "error")


def missing_parts(summary: RunSummary, required: float = 0.0) -> list[str]:
    """A sentence for each thing that is missing; `required` is the share that each arm has to cover."""
    failed = sorted({row.metric for row in summary.rows if row.errors})
    errors = f"errors in {', '.join(failed)}" if failed else ""
    short = _short_arms(summary.coverage, required)
    coverage = f"coverage below {required:g}: {', '.join(short)}" if short else ""
    return [part for part in (*summary.lost, errors, _missing_answers(summary), coverage) if part]


def _missing_answers(summary: RunSummary) -> str:
    """Which questions were not answered; empty where all were."""
    if summary.status == "stopped" and not summary.lost:
        return "stopped at the limit of --max-cost or --max-calls; raise it and run the same command again to continue"
    counts: dict[str, int] = {}
    for row in summary.rows:
        for status, count in row.statuses.items():
            if status not in SETTLED:
                counts[status] = counts.get(status, 0) + count
    parts = [
        f"{count} score{'s'[: count != 1]} without an answer ({status})" for status, count in sorted(counts.items())
    ]
    if not summary.judged_by_labels and (gaps := sum(summary.unlabelled.values())):
        parts.append(f"{gaps} item{'s'[: gaps != 1]} without a usable answer")
    missing = ", ".join(parts)
    return f"{missing}; run again with --fresh to ask for these; existing answers are kept" if missing else ""


def _short_arms(coverage: Coverage, required: float) -> list[str]:
    return [f"{arm} {seen.share:.3f}" for arm, seen in coverage.arms.items() if seen.share < required]
