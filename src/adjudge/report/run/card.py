"""A run at a glance, as a notebook shows it: the head of its page, and the table of the primary family."""

from __future__ import annotations

from adjudge.report.page.frame import render
from adjudge.report.run import words
from adjudge.report.run.answer import run_answer
from adjudge.report.run.best import BEST
from adjudge.report.run.glance import glance
from adjudge.report.run.summary import RunSummary


def run_card(summary: RunSummary) -> bytes:
    """The first screen of a run's page as HTML."""
    return render(
        "run/card.html",
        summary=summary,
        answer=run_answer(summary),
        warnings=[*words.failed_canaries(summary.canaries), *words.warning_lines(summary.status, summary.coverage)],
        glance=glance(summary),
        run_words=words,
        best_sign=BEST,
    )
