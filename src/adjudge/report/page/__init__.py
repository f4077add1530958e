"""A run or a comparison as a page: one file with everything in it, for a screen of any size and for paper."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from adjudge.compare.comparison import Comparison
    from adjudge.compare.flips import Flip
    from adjudge.report.contrasts import Pair
    from adjudge.run import Run


def run_page(run: Run) -> bytes:
    """The report of a run as HTML."""
    from adjudge.report.page.frame import render
    from adjudge.report.page.report import report

    return render("report.html", page=report(run))


def comparison_page(comparison: Comparison, flips: dict[Pair, list[Flip]], runs: list[Run]) -> bytes:
    """A comparison of runs as HTML."""
    from adjudge.report.page.compared import compared
    from adjudge.report.page.frame import render

    return render("compare.html", page=compared(comparison, flips, runs))
