"""A gate in the terminal: all rules, then those that did not pass with their worst conversations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adjudge.gate.words import case_line
from adjudge.report.console import TONE_STYLES
from adjudge.report.gate.words import TONES, sentence, verdict_table

if TYPE_CHECKING:
    from adjudge.gate.verdicts import Gate
    from adjudge.report.console import Out


def print_gate(gate: Gate, out: Out) -> None:
    """Print the verdicts of a gate."""
    for warning in gate.warnings:
        out.line(f"warning: {warning}", "yellow")
    out.table(out.new_table(verdict_table(gate)))
    for verdict in gate.verdicts:
        if verdict.outcome != "pass":
            out.title(sentence(verdict))
            for case in verdict.cases:
                out.line(f"  {case_line(case)}")
    out.console.print()
    out.line(gate.headline(), f"bold {TONE_STYLES[TONES[gate.outcome]]}")
