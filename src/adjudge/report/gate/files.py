"""A gate as files: the ending names the format. The Markdown also serves as the summary of a step on GitHub."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec

from adjudge.gate.verdicts import Case, Gate, RuleVerdict
from adjudge.report.gate.junit import gate_junit
from adjudge.report.gate.words import arms, cells, heading
from adjudge.report.markdown import escape, markdown_document, markdown_table
from adjudge.report.target import bad_input_on_failure, format_of, refuse_run_files, write_target
from adjudge.report.words import INTERVAL, figure
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
    header = ["", "rule", "arm", "value", INTERVAL, "n", "coverage"]
    return markdown_document(
        [
            [f"## {escape(gate.run)}: {gate.headline()}", ""]
            + [f"- **Warning:** {escape(warning)}" for warning in gate.warnings]
            + ([""] if gate.warnings else [])
            + markdown_table(header, map(_verdict_cells, gate.verdicts)),
            *(_block(verdict) for verdict in gate.verdicts if verdict.outcome != "pass"),
        ]
    )


def _verdict_cells(verdict: RuleVerdict) -> list[str]:
    outcome = verdict.outcome if verdict.outcome == "pass" else f"**{verdict.outcome}**"
    return [outcome, *map(escape, (verdict.text, arms(verdict), *cells(verdict)))]


def _block(verdict: RuleVerdict) -> list[str]:
    header = ["conversation", "value", "turn", "what", "why"]
    lines = [f"### {escape(heading(verdict))}", "", escape(verdict.why)]
    return [*lines, "", *markdown_table(header, map(_case_cells, verdict.cases))] if verdict.cases else lines


def _case_cells(case: Case) -> list[str]:
    value = figure(case.value) if case.baseline is None else f"{figure(case.baseline)} to {figure(case.value)}"
    return [escape(case.name), value, *map(escape, (case.turn, case.at, case.why))]


FORMATS: dict[str, Callable[[Gate], bytes]] = {".xml": gate_junit, ".json": gate_json, ".md": gate_markdown}
