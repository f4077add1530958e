"""A calibration in the terminal: the answer first, then what it rests on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adjudge.report.calibration import words
from adjudge.report.console import Out

if TYPE_CHECKING:
    from rich.console import Console

    from adjudge.calibrate.calibration import CalibrationResult


def print_calibration(calibrated: CalibrationResult, console: Console) -> None:
    """Print a calibration."""
    out = Out(console)
    for calibration in calibrated.calibrations:
        out.line(words.calibration_answer(calibration), "bold")
    for remark in words.remarks(calibrated):
        out.line(remark, "yellow")
    for calibration in calibrated.calibrations:
        out.title(words.calibration_title(calibration))
        out.line(words.counts_line(calibration))
        for part in words.calibration_parts(calibration):
            _print_part(out, part)
    out.block("Labels without a match", words.unmatched_lines(calibrated))
    out.console.print()
    for line in words.HOW_TO_READ:
        out.line(line, "dim")


def _print_part(out: Out, part: words.CalibrationPart) -> None:
    out.title(part.title)
    if part.table.rows:
        out.table(out.new_table(part.table))
    for note in part.notes:
        out.line(note, "dim")
