"""The power of a comparison as files: the ending names the format."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec
from msgspec import Struct

from adjudge.report.csvfile import write_csv
from adjudge.report.latex import latex_document, latex_paragraph, latex_table
from adjudge.report.markdown import bullets, escape, markdown_document, markdown_table, section
from adjudge.report.table import TextTable
from adjudge.report.target import format_of, write_target
from adjudge.run import Run


class PowerRow(Struct, frozen=True, kw_only=True):
    """One metric: cases and sd of the paired differences, or of each arm, and what they can show.

    None: it cannot be computed, or (`cases_needed`) no difference was asked about.
    """

    metric: str
    cases: list[int]
    sd: list[float]
    smallest_difference: float | None
    difference: float | None = None
    cases_needed: int | None = None


class PowerReport(Struct, frozen=True, kw_only=True):
    """What `adjudge power` says: the arms, how it was computed, a row for each metric, and what was left out."""

    title: str
    notes: list[str]
    rows: list[PowerRow]
    left_out: list[str]
    table: TextTable


def write_power(report: PowerReport, run: Run, target: Path) -> None:
    """Write the report in the format that the target's ending names."""
    write_target(target, FORMATS[format_of(target, FORMATS)](report), [run])


def power_json(report: PowerReport) -> bytes:
    """The report as JSON, with numbers instead of the table's text."""
    content = {"title": report.title, "notes": report.notes, "rows": report.rows, "left_out": report.left_out}
    return msgspec.json.format(msgspec.json.encode(content)) + b"\n"


def power_csv(report: PowerReport) -> bytes:
    """One line per metric; of two arms without shared cases, both numbers in one cell."""
    lines = (
        [
            row.metric,
            " and ".join(map(str, row.cases)),
            " and ".join(map(str, row.sd)),
            row.smallest_difference,
            row.difference,
            row.cases_needed,
        ]
        for row in report.rows
    )
    return write_csv(PowerRow.__struct_fields__, lines)


def power_markdown(report: PowerReport) -> bytes:
    """The report as Markdown."""
    return markdown_document(
        [
            [f"# {escape(report.title)}", "", *map(escape, report.notes)],
            markdown_table(report.table),
            section("Left out", bullets(report.left_out)),
        ]
    )


def power_latex(report: PowerReport) -> bytes:
    """The report as a LaTeX document."""
    left_out = [f"left out: {line}" for line in report.left_out]
    return latex_document([latex_table(report.table, report.title), *map(latex_paragraph, [*report.notes, *left_out])])


FORMATS: dict[str, Callable[[PowerReport], bytes]] = {
    ".json": power_json,
    ".md": power_markdown,
    ".csv": power_csv,
    ".tex": power_latex,
}
