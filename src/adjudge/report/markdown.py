"""The report of a run as Markdown: tables, what was skipped, and the evidence."""

from __future__ import annotations

import re
from collections.abc import Iterable

from adjudge.aggregate import Row
from adjudge.core.card import Card
from adjudge.report.plain import plain
from adjudge.report.summary import Summary
from adjudge.report.words import (
    ARROWS,
    DIRECTIONS,
    amount,
    arm_label,
    arm_name,
    count,
    coverage_line,
    figure,
    interval_of,
    judging_lines,
    value_of,
    warnings_of,
)
from adjudge.report.worst import Worst

_HEADER = ["metric", "better", "arm", "value", "95 % interval", "n"]
_COUNTS = ["undefined", "skipped", "errors"]

_SPECIAL = re.compile(r"([\\`*_{}\[\]|~#$])")
# A word joiner is not seen, and keeps addresses and names from becoming links where they are shown.
_JOINER = "&#8288;"
_LINKED = re.compile(r"(:)(?=//)|(www)(?=\.)|(@)", re.IGNORECASE)


def markdown(summary: Summary) -> str:
    """The report as Markdown."""
    sections = [
        _head(summary),
        section("Coverage", _coverage(summary)),
        section("Results", _table(summary.headline())),
        section("Variants", _table(summary.variants())),
        section("Skipped and failed", _gaps(summary)),
        section("What values rest on", [f"- {escaped(line)}" for line in summary.bases()]),
        section("Judging", [f"- {escaped(line)}" for line in _judging(summary)]),
        section("By part of the system", _blocks(summary.by_part())),
        section("By group", _blocks(summary.headline_groups())),
        section("Worst conversations", _worst(summary.worst)),
        section(
            "Inputs",
            grid(["file", "SHA-256"], ([escaped(f.path), escaped(f.sha256)] for f in summary.inputs)),
        ),
        section("Settings", _settings(summary)),
        section("Metrics", [_entry(card) for card in summary.cards.values()]),
    ]
    return "\n\n".join("\n".join(lines) for lines in sections if lines) + "\n"


def _judging(summary: Summary) -> list[str]:
    return judging_lines(summary)


def escaped(text: str) -> str:
    r"""Text from data as Markdown that shows it and does nothing else.

    >>> print(escaped("a | b <i> [x](y)"))
    a \| b &lt;i&gt; \[x\](y)
    """
    safe = plain(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return _LINKED.sub(lambda found: found.group() + _JOINER, _SPECIAL.sub(r"\\\1", safe))


def _head(summary: Summary) -> list[str]:
    return [
        f"# {escaped(summary.suite)}: {escaped(summary.run)}",
        "",
        f"{count(len(summary.arms), 'arm')}, {count(len(summary.inputs), 'input file')}, "
        f"adjudge {escaped(summary.adjudge)}. Values stand with their 95 % interval; n says what they are "
        "the mean of; undefined, skipped and errors count conversations.",
    ]


def section(title: str, lines: list[str]) -> list[str]:
    """Lines under a heading; nothing where there are none."""
    return [f"## {title}", "", *lines] if lines else []


def _coverage(summary: Summary) -> list[str]:
    lines = [f"- **Warning:** {escaped(text)}" for text in warnings_of(summary.status, summary.coverage)]
    for arm, coverage in summary.coverage.arms.items():
        lines.append(f"- Arm {escaped(coverage_line(arm, coverage))}")
        lines += [f"    - Remark: {escaped(remark)}" for remark in coverage.remarks]
    return lines


def _table(rows: list[Row]) -> list[str]:
    if not any(row.band for row in rows):
        return grid([*_HEADER, *_COUNTS], ([*_cells(row), *_counts(row)] for row in rows))
    return grid([*_HEADER, *_COUNTS, "reading"], ([*_cells(row), *_counts(row), row.band] for row in rows))


def _blocks(blocks: dict[str, list[Row]]) -> list[str]:
    lines: list[str] = []
    for title, rows in blocks.items():
        lines += ["", f"### {escaped(title)}", "", *grid(_HEADER, map(_cells, rows))]
    return lines[1:]


def _cells(row: Row) -> list[str]:
    return [
        escaped(row.metric),
        ARROWS[row.better],
        escaped(arm_label(row)),
        value_of(row),
        interval_of(row),
        escaped(amount(row)),
    ]


def _counts(row: Row) -> list[str]:
    return [str(row.undefined), str(row.skipped), str(row.errors)]


def grid(header: list[str], rows: Iterable[list[str]]) -> list[str]:
    """The lines of a table; nothing where it has no rows."""
    lines = [_line(row) for row in rows]
    return [_line(header), _line(["---"] * len(header)), *lines] if lines else []


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _gaps(summary: Summary) -> list[str]:
    shown, rest = summary.shown_gaps()
    return [f"- {escaped(line)}" for line in shown] + ([f"- {rest}"] if rest else [])


def _worst(found: list[Worst]) -> list[str]:
    header = ["arm", "metric", "conversation", "value", "turn", "what", "why"]
    return grid(header, map(_worst_cells, found))


def _worst_cells(found: Worst) -> list[str]:
    texts = (found.turn, found.at, found.why)
    return [
        escaped(arm_name(found.arm)),
        escaped(found.metric),
        escaped(found.name),
        figure(found.value),
        *map(escaped, texts),
    ]


def _settings(summary: Summary) -> list[str]:
    known = {**summary.settings, **summary.tools}
    return [f"- Setting {escaped(name)}: {escaped(value)}" for name, value in known.items()]


def _entry(card: Card) -> str:
    symbol = f" ({escaped(card.symbol)})" if card.symbol else ""
    return f"- **{escaped(card.name)}**{symbol}: {escaped(card.question)} {DIRECTIONS[card.better]}"
