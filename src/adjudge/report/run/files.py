"""The report of a run as files: the ending names the format."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TypeVar

import msgspec

from adjudge.aggregate import Row
from adjudge.core.card import Card
from adjudge.report.csvfile import Cell, write_csv
from adjudge.report.latex import latex_document, latex_table
from adjudge.report.markdown import bullets, escape, markdown_document, markdown_table, section
from adjudge.report.play.files import play_lines, play_worths
from adjudge.report.run.figure import run_figure
from adjudge.report.run.page import run_page
from adjudge.report.run.summary import RunSummary
from adjudge.report.run.words import (
    absent_lines,
    arm_label,
    coverage_line,
    failed_canaries,
    interval_text,
    judging_lines,
    sample_size_text,
    value_text,
    warning_lines,
)
from adjudge.report.run.worst import Worst
from adjudge.report.table import Column, tabulate
from adjudge.report.target import format_of, write_target
from adjudge.report.words import ARROWS, DIRECTIONS, INTERVAL, arm_name, count, figure, retired_line
from adjudge.run import InputFile, Run

T = TypeVar("T")


ROW_COLUMNS = [
    Column[Row]("metric", lambda row: row.metric),
    Column[Row]("better", lambda row: ARROWS[row.better]),
    Column("arm", arm_label),
    Column("value", value_text, "right"),
    Column(INTERVAL, interval_text, "right"),
    Column("n", sample_size_text, "right"),
]
GROUP_COLUMN = Column[Row]("group", lambda row: row.group)
COUNT_COLUMNS = [
    Column[Row]("undefined", lambda row: str(row.undefined), "right"),
    Column[Row]("skipped", lambda row: str(row.skipped), "right"),
    Column[Row]("errors", lambda row: str(row.errors), "right"),
]
READING = Column[Row]("reading", lambda row: row.band)
WORST_COLUMNS = [
    Column[Worst]("arm", lambda worst: arm_name(worst.arm)),
    Column[Worst]("metric", lambda worst: worst.metric),
    Column[Worst]("conversation", lambda worst: worst.name),
    Column[Worst]("value", lambda worst: figure(worst.value), "right"),
    Column[Worst]("turn", lambda worst: worst.turn),
    Column[Worst]("what", lambda worst: worst.at),
    Column[Worst]("why", lambda worst: worst.why),
]
INPUT_COLUMNS = [
    Column[InputFile]("file", lambda file: file.path),
    Column[InputFile]("SHA-256", lambda file: file.sha256),
]


def write_run(run: Run, target: Path) -> None:
    """Write the report of a run, in the format that the target's ending names."""
    content = FORMATS[format_of(target, FORMATS)](run)
    write_target(target, content, [run])


def run_json(summary: RunSummary) -> bytes:
    """The summary as one JSON object, indented; the same run gives the same bytes."""
    return msgspec.json.format(msgspec.json.encode(summary, order="deterministic"), indent=2) + b"\n"


def run_csv(summary: RunSummary) -> bytes:
    """One line per metric and arm, then one per metric, arm and group; the columns are the fields of a row."""
    rows = (msgspec.structs.astuple(row) for row in (*summary.rows, *summary.groups))
    return write_csv(Row.__struct_fields__, ([_csv_cell(value) for value in row] for row in rows))


def run_markdown(summary: RunSummary) -> bytes:
    """The report as Markdown: tables, what was skipped, and the evidence."""
    return markdown_document(
        [
            _head(summary),
            section("Coverage", _coverage(summary)),
            section("Play", play_lines(summary.play)),
            section("Results", _results(summary.headline())),
            section("Variants", _results(summary.variants())),
            section("Effect of each part", play_worths(summary.play)),
            section("Skipped and failed", bullets(summary.gap_lines())),
            section("Basis of the values", bullets(summary.bases())),
            section("Judging", bullets(judging_lines(summary))),
            section("By part of the system", _blocks(summary.by_part())),
            section("By group", _blocks(summary.headline_groups())),
            section("Worst conversations", _table(WORST_COLUMNS, summary.worst)),
            section("Inputs", _table(INPUT_COLUMNS, summary.inputs)),
            section("Settings", _settings({**summary.settings, **summary.tools})),
            section("Metrics", [_entry(card) for card in summary.cards.values()]),
            section("Retired metrics", bullets(filter(None, [retired_line(summary.retired)]))),
        ]
    )


def run_latex(summary: RunSummary) -> bytes:
    """The results as a LaTeX document: a table of the metrics, and one of the variants."""
    tables = {"results": summary.headline(), "variants": summary.variants()}
    return latex_document(
        latex_table(tabulate(ROW_COLUMNS, rows), f"{summary.suite}, {summary.run}: {title}")
        for title, rows in tables.items()
    )


def _csv_cell(value: Cell | dict[str, int]) -> Cell:
    if isinstance(value, dict):
        return msgspec.json.encode(value).decode() if value else ""
    return value


def _head(summary: RunSummary) -> list[str]:
    return [
        f"# {escape(summary.suite)}: {escape(summary.run)}",
        "",
        f"{count(len(summary.arms), 'arm')}, {count(len(summary.inputs), 'input file')}, "
        f"adjudge {escape(summary.adjudge)}. Each value has its {INTERVAL}; n is the number of items it is the mean "
        "of; undefined, skipped and errors count conversations.",
    ]


def _coverage(summary: RunSummary) -> list[str]:
    warnings = [*failed_canaries(summary.canaries), *warning_lines(summary.status, summary.coverage)]
    warnings += absent_lines(summary.absent)
    lines = [f"- **Warning:** {escape(text)}" for text in warnings]
    for arm, coverage in summary.coverage.arms.items():
        lines.append(f"- Arm {escape(coverage_line(arm, coverage))}")
        lines += [f"    - Remark: {escape(remark)}" for remark in coverage.remarks]
    return lines


def _results(rows: list[Row]) -> list[str]:
    reading = [READING] if any(row.band for row in rows) else []
    return _table([*ROW_COLUMNS, *COUNT_COLUMNS, *reading], rows)


def _blocks(blocks: dict[str, list[Row]]) -> list[str]:
    lines: list[str] = []
    for title, rows in blocks.items():
        lines += ["", f"### {escape(title)}", "", *_table(ROW_COLUMNS, rows)]
    return lines[1:]


def _table(columns: Sequence[Column[T]], items: Iterable[T]) -> list[str]:
    return markdown_table(tabulate(columns, items))


def _settings(settings: Mapping[str, str]) -> list[str]:
    return [f"- Setting {escape(name)}: {escape(value)}" for name, value in settings.items()]


def _entry(card: Card) -> str:
    symbol = f" ({escape(card.symbol)})" if card.symbol else ""
    return f"- **{escape(card.name)}**{symbol}: {escape(card.question)} {DIRECTIONS[card.better]}"


def _of_summary(make: Callable[[RunSummary], bytes]) -> Callable[[Run], bytes]:
    return lambda run: make(RunSummary.of(run))


FORMATS: dict[str, Callable[[Run], bytes]] = {
    ".html": run_page,
    ".json": _of_summary(run_json),
    ".md": _of_summary(run_markdown),
    ".tex": _of_summary(run_latex),
    ".csv": _of_summary(run_csv),
    ".pdf": _of_summary(partial(run_figure, file_format="pdf")),
    ".svg": _of_summary(partial(run_figure, file_format="svg")),
    ".png": _of_summary(partial(run_figure, file_format="png")),
}
