"""A gate as files: the ending names the format. The Markdown also serves as the summary of a step on GitHub."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec

from adjudge.gate.verdicts import CaseEvidence, Gate, RuleVerdict
from adjudge.report.gate.junit import gate_junit
from adjudge.report.gate.words import heading, verdict_table
from adjudge.report.markdown import escape, markdown_document, markdown_table
from adjudge.report.table import Column, tabulate
from adjudge.report.target import bad_input_on_failure, format_of, refuse_run_files, write_target
from adjudge.report.words import figure
from adjudge.run import Run


def write_gate(gate: Gate, run: Run, target: Path) -> None:
    """Write a gate, in the format that the target's ending names."""
    content = FORMATS[format_of(target, FORMATS)](gate)
    write_target(target, content, [run])


def append_markdown(gate: Gate, run: Run, target: Path) -> None:
    """Add the gate as Markdown to a file that others write to as well."""
    refuse_run_files(run, target)
    with bad_input_on_failure(target), target.open("ab") as file:
        file.write(b"\n" + gate_markdown(gate))


def gate_json(gate: Gate) -> bytes:
    """The gate as JSON; the same gate gives the same bytes."""
    return msgspec.json.format(msgspec.json.encode(gate, order="deterministic"), indent=2) + b"\n"


def gate_markdown(gate: Gate) -> bytes:
    """The gate as Markdown: all rules, then those that did not pass with their worst conversations."""
    warnings = [f"- **Warning:** {escape(warning)}" for warning in gate.warnings]
    return markdown_document(
        [
            [f"## {escape(gate.run)}: {gate.headline()}"],
            warnings,
            markdown_table(verdict_table(gate)),
            *(_block(verdict) for verdict in gate.verdicts if verdict.outcome != "pass"),
        ]
    )


def _block(verdict: RuleVerdict) -> list[str]:
    lines = [f"### {escape(heading(verdict))}", "", escape(verdict.why)]
    return [*lines, "", *markdown_table(tabulate(CASE_COLUMNS, verdict.cases))] if verdict.cases else lines


def _case_value(case: CaseEvidence) -> str:
    return figure(case.value) if case.baseline is None else f"{figure(case.baseline)} to {figure(case.value)}"


CASE_COLUMNS = [
    Column[CaseEvidence]("conversation", lambda case: case.name),
    Column("value", _case_value, "right"),
    Column[CaseEvidence]("turn", lambda case: case.turn),
    Column[CaseEvidence]("what", lambda case: case.at),
    Column[CaseEvidence]("why", lambda case: case.why),
]
FORMATS: dict[str, Callable[[Gate], bytes]] = {".xml": gate_junit, ".json": gate_json, ".md": gate_markdown}
