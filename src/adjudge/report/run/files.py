"""The report of a run as files: the ending names the format."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

import msgspec

from adjudge.aggregate import Row
from adjudge.core.card import Card
from adjudge.report.csvfile import Cell, write_csv
from adjudge.report.markdown import bullets, escape, markdown_document, markdown_table, section
from adjudge.report.run.figure import run_figure
from adjudge.report.run.page import run_page
from adjudge.report.run.summary import RunSummary
from adjudge.report.run.words import (
    arm_label,
    coverage_line,
    interval_text,
    judging_lines,
    sample_size_text,
    value_text,
    warning_lines,
)
from adjudge.report.run.worst import Worst
from adjudge.report.target import format_of, write_target
from adjudge.report.words import ARROWS, DIRECTIONS, INTERVAL, arm_name, count, figure, retired_line
from adjudge.run import Run

_HEADER = ["metric", "better", "arm", "value", INTERVAL, "n"]
_COUNTS = ["undefined", "skipped", "errors"]


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
    inputs = ([escape(file.path), escape(file.sha256)] for file in summary.inputs)
    return markdown_document(
        [
            _head(summary),
            section("Coverage", _coverage(summary)),
            section("Results", _results(summary.headline())),
            section("Variants", _results(summary.variants())),
            section("Skipped and failed", bullets(summary.gap_lines())),
            section("What values rest on", bullets(summary.bases())),
            section("Judging", bullets(judging_lines(summary))),
            section("By part of the system", _blocks(summary.by_part())),
            section("By group", _blocks(summary.headline_groups())),
            section("Worst conversations", _worst(summary.worst)),
            section("Inputs", markdown_table(["file", "SHA-256"], inputs)),
            section("Settings", _settings({**summary.settings, **summary.tools})),
            section("Metrics", [_entry(card) for card in summary.cards.values()]),
            section("Retired metrics", bullets(filter(None, [retired_line(summary.retired)]))),
        ]
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
    lines = [f"- **Warning:** {escape(text)}" for text in warning_lines(summary.status, summary.coverage)]
    for arm, coverage in summary.coverage.arms.items():
        lines.append(f"- Arm {escape(coverage_line(arm, coverage))}")
        lines += [f"    - Remark: {escape(remark)}" for remark in coverage.remarks]
    return lines


def _results(rows: list[Row]) -> list[str]:
    if not any(row.band for row in rows):
        return markdown_table([*_HEADER, *_COUNTS], ([*_cells(row), *_counts(row)] for row in rows))
    return markdown_table([*_HEADER, *_COUNTS, "reading"], ([*_cells(row), *_counts(row), row.band] for row in rows))


def _blocks(blocks: dict[str, list[Row]]) -> list[str]:
    lines: list[str] = []
    for title, rows in blocks.items():
        lines += ["", f"### {escape(title)}", "", *markdown_table(_HEADER, map(_cells, rows))]
    return lines[1:]


def _cells(row: Row) -> list[str]:
    return [
        escape(row.metric),
        ARROWS[row.better],
        escape(arm_label(row)),
        value_text(row),
        interval_text(row),
        escape(sample_size_text(row)),
    ]


def _counts(row: Row) -> list[str]:
    return [str(row.undefined), str(row.skipped), str(row.errors)]


def _worst(conversations: list[Worst]) -> list[str]:
    header = ["arm", "metric", "conversation", "value", "turn", "what", "why"]
    return markdown_table(header, map(_worst_cells, conversations))


def _worst_cells(worst: Worst) -> list[str]:
    names = map(escape, (arm_name(worst.arm), worst.metric, worst.name))
    return [*names, figure(worst.value), *map(escape, (worst.turn, worst.at, worst.why))]


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
    ".csv": _of_summary(run_csv),
    ".pdf": _of_summary(partial(run_figure, file_format="pdf")),
    ".svg": _of_summary(partial(run_figure, file_format="svg")),
    ".png": _of_summary(partial(run_figure, file_format="png")),
}
