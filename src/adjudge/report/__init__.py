"""From a run folder to what people read: terminal tables, Markdown, CSV and JSON."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from adjudge.compare.comparison import Comparison
    from adjudge.compare.flips import Flip
    from adjudge.report.contrasts import Pair
    from adjudge.report.summary import Summary
    from adjudge.run import Run


def write(run: Run, target: Path) -> None:
    """Write the report of a run, in the format that the target's ending names."""
    from adjudge.report import target as place
    from adjudge.report.summary import Summary
    from adjudge.run import write_whole

    form = FORMATS[place.ending(target, FORMATS)]
    place.guard(run, target)
    content = form(Summary.of(run))
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
    content = form(comparison, flips)
    with place.complaints(target):
        write_whole(target, content)


def _json(summary: Summary) -> bytes:
    from adjudge.report.jsonfile import json_summary

    return json_summary(summary)


def _markdown(summary: Summary) -> bytes:
    from adjudge.report.markdown import markdown

    return markdown(summary).encode()


def _csv(summary: Summary) -> bytes:
    from adjudge.report.csvfile import csv_table

    return csv_table(summary).encode()


FORMATS: dict[str, Callable[[Summary], bytes]] = {".json": _json, ".md": _markdown, ".csv": _csv}
