"""A gate in the terminal: all rules, then those that did not pass with their worst conversations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adjudge.gate.words import case_line
from adjudge.report.console import Out, new_table
from adjudge.report.gate.words import arms, cells, sentence
from adjudge.report.words import INTERVAL

if TYPE_CHECKING:
    from adjudge.gate.verdicts import Gate

STYLES = {"pass": "green", "fail": "red", "error": "yellow"}


def print_gate(gate: Gate, out: Out) -> None:
    """Print the verdicts of a gate."""
    for warning in gate.warnings:
        out.line(f"warning: {warning}", "yellow")
    _print_table(gate, out)
    for verdict in gate.verdicts:
        if verdict.outcome != "pass":
            out.title(sentence(verdict))
            for case in verdict.cases:
                out.line(f"  {case_line(case)}")
    out.console.print()
    out.line(gate.headline(), f"bold {STYLES[gate.outcome]}")


def _print_table(gate: Gate, out: Out) -> None:
    table = new_table()
    for header in ("", "rule", "arm"):
        table.add_column(header)
    for header in ("value", INTERVAL, "n", "coverage"):
        table.add_column(header, justify="right", no_wrap=header == "value")
    for verdict in gate.verdicts:
        texts = (verdict.text, arms(verdict), *cells(verdict))
        table.add_row(out.text(verdict.outcome, STYLES[verdict.outcome]), *map(out.text, texts))
    out.table(table)
