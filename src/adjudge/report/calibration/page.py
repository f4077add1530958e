"""The page of a calibration."""

from __future__ import annotations

from adjudge.calibrate.calibration import CalibrationResult
from adjudge.report.calibration import words
from adjudge.report.page.frame import render


def calibration_page(calibrated: CalibrationResult) -> bytes:
    """A calibration as HTML."""
    return render("calibration/page.html", calibrated=calibrated, calibration_words=words)
