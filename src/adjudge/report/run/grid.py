"""Rows laid out for a terminal: arms beside their metric where there is room, below it where not."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from adjudge.report.console import Out, new_table, table_width
from adjudge.report.run.words import arm_label, interval_text, unit_text, value_text
from adjudge.report.text import one_line
from adjudge.report.words import ARROWS, INTERVAL

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from adjudge.aggregate import Row

# Short headers for narrow tables.
_SHORT = {"undefined": "undef", "skipped": "skip", "errors": "err"}
# The least room for names in a narrow table.
_LEAST = 16
_STYLES = {"error": "red", "skipped": "dim", "undefined": "dim"}


class Grid:
    """Rows in titled blocks, with the counts that stand beside every value."""

    def __init__(self, blocks: dict[str, list[Row]], counts: tuple[str, ...], out: Out) -> None:
        self.blocks = blocks
        self.out = out
        failed = any(row.errors for rows in blocks.values() for row in rows)
        self.counts = (*counts, "errors") if failed else counts
        self.arms = {row.arm for rows in blocks.values() for row in rows}
        self.banded = any(row.band for rows in blocks.values() for row in rows)

    def wide(self, style: str) -> Table:
        """A table with a column for the arm."""
        table = _table(style, "metric", "arm")
        _add_number_columns(table, INTERVAL, self.counts)
        table.add_column("better", justify="center", no_wrap=True)
        if self.banded:
            table.add_column("reading", no_wrap=True)
        for title, rows in self.blocks.items():
            indent = self._title(table, title, 0)
            for row, new in _with_firsts(rows):
                name = self._label(row.metric if new else "", 0, indent)
                figures = self._figures(row, unit_text(row))
                table.add_row(
                    name,
                    self.out.text(arm_label(row)),
                    *figures,
                    self.out.text(ARROWS[row.better]),
                    *self._reading(row),
                )
        return table

    def narrow(self, style: str) -> Table:
        """A table with the arms below their metric, names broken where they do not fit."""
        console, table = self.out.console, self._stacked_table(style, 0)
        excess = table_width(table, console) - console.width
        if excess <= 0:
            return table
        table = self._stacked_table(style, max(_first_width(table, console) - excess, _LEAST))
        # On a very narrow console lines that run over are better than figures cut off.
        table.width = max(table_width(table, console), console.width)
        return table

    def _stacked_table(self, style: str, room: int) -> Table:
        several = len(self.arms) > 1
        table = _table(style, "metric, arm" if several else "metric")
        _add_number_columns(table, INTERVAL.replace("% ", "%\n"), tuple(_SHORT[name] for name in self.counts))
        for title, rows in self.blocks.items():
            indent = self._title(table, title, room)
            for row, new in _with_firsts(rows):
                label = self._label(f"{row.metric} {ARROWS[row.better]}".rstrip(), room, indent)
                if several and new:
                    table.add_row(label)
                if several:
                    label = self._label(arm_label(row), room, f"{indent}  ")
                table.add_row(
                    label,
                    *self._figures(
                        row, unit_text(row).replace("conversations", "conv.").replace("conversation", "conv.")
                    ),
                )
                if row.band:
                    table.add_row(self._label(row.band, room, f"{indent}    "), style="dim")
        return table

    def _title(self, table: Table, title: str, room: int) -> str:
        """Add the title of a block; how far what follows is indented."""
        if not title:
            return ""
        if table.row_count:
            table.add_row()
        table.add_row(self._label(title, room), style="bold")
        return "  "

    def _figures(self, row: Row, unit: str) -> list[Text]:
        there = row.value is not None
        return [
            self.out.text(value_text(row), "" if there else _STYLES[value_text(row)]),
            self.out.text(interval_text(row)),
            self.out.text(str(row.n) if there else ""),
            self.out.text(unit if there else ""),
            *(self._count(name, getattr(row, name)) for name in self.counts),
        ]

    def _reading(self, row: Row) -> list[Text]:
        return [self.out.text(row.band)] if self.banded else []

    def _count(self, name: str, number: int) -> Text:
        return self.out.text(str(number), "red" if name == "errors" and number else "")

    def _label(self, text: str, room: int, indent: str = "") -> Text:
        from rich.text import Text

        return Text(self.out.encodable(_break_name(indent + one_line(text), room)))


def _with_firsts(rows: list[Row]) -> Iterator[tuple[Row, bool]]:
    """Each row, and whether it is the first of its metric."""
    metric = None
    for row in rows:
        yield row, row.metric != metric
        metric = row.metric


def _table(style: str, *labels: str) -> Table:
    table = new_table(style)
    for label in labels:
        table.add_column(label, overflow="fold", vertical="bottom")
    return table


def _add_number_columns(table: Table, interval: str, counts: tuple[str, ...]) -> None:
    for header in ("value", interval, "n"):
        table.add_column(header, justify="right", vertical="bottom", no_wrap=True)
    table.add_column("", vertical="bottom", no_wrap=True)
    for header in counts:
        table.add_column(header, justify="right", vertical="bottom", no_wrap=True)


def _first_width(table: Table, console: Console) -> int:
    unbounded = console.options.update(width=10_000)
    return max(console.measure(cell, options=unbounded).maximum for cell in table.columns[0].cells)


def _break_name(text: str, room: int) -> str:
    """The name in lines of at most a length, broken behind the marks that join words; 0: as it is."""
    if not room or len(text) <= room:
        return text
    indent = " " * (len(text) - len(text.lstrip(" ")) + 2)
    lines = [""]
    longest = max(room - len(indent) - 1, 1)
    # joint_goal/accuracy gives joint_, goal/ and accuracy; a part longer than a line is cut.
    for part in re.findall(rf"[^_/.\-]{{1,{longest}}}[_/.\-]?|[_/.\-]", text):
        if lines[-1].strip() and len(lines[-1]) + len(part) > room:
            lines.append(indent)
        lines[-1] += part
    return "\n".join(lines)
