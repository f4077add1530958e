"""From a run folder to what people read: terminal tables, pages, Markdown, CSV and JSON."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from adjudge.report.page import run_page

if TYPE_CHECKING:
    from pathlib import Path

    from adjudge.compare.comparison import Comparison
    from adjudge.compare.flips import Flip
    from adjudge.report.contrasts import Pair
    from adjudge.run import Run


def write(run: Run, target: Path) -> None:
    """Write the report of a run, in the format that the target's ending names."""
    from adjudge.report import target as place
    from adjudge.run import write_whole

    form = FORMATS[place.ending(target, FORMATS)]
    place.guard(run, target)
    content = form(run)
    with place.complaints(target):
        write_whole(target, content)


def write_comparison(comparison: Comparison, flips: dict[Pair, list[Flip]], runs: list[Run], target: Path) -> None:
    """Write a comparison, in the format that the target's ending names."""
    from adjudge.report import comparisons
    from adjudge.report import target as place
    from adjudge.run import write_whole

    form = comparisons.FORMATS[place.ending(target, comparisons.FORMATS)]
    for run in runs:
        place.guard(run, target)
    content = form(comparison, flips, runs)
    with place.complaints(target):
        write_whole(target, content)


def _json(run: Run) -> bytes:
    from adjudge.report.jsonfile import json_summary
    from adjudge.report.summary import Summary

    return json_summary(Summary.of(run))


def _markdown(run: Run) -> bytes:
    from adjudge.report.markdown import markdown
    from adjudge.report.summary import Summary

    return markdown(Summary.of(run)).encode()


def _csv(run: Run) -> bytes:
    from adjudge.report.csvfile import csv_table
    from adjudge.report.summary import Summary

    return csv_table(Summary.of(run)).encode()


FORMATS: dict[str, Callable[[Run], bytes]] = {".html": run_page, ".json": _json, ".md": _markdown, ".csv": _csv}
