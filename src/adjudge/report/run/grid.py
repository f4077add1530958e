"""Rows laid out for a terminal: a row for each metric and a column for each arm."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from adjudge.report.console import Out, new_table, table_width
from adjudge.report.run.best import BEST, best_arms
from adjudge.report.run.summary import rows_by_metric
from adjudge.report.run.words import arm_label, count_words, interval_text, value_text
from adjudge.report.text import one_line
from adjudge.report.words import ARROWS

if TYPE_CHECKING:
    from rich.table import Table
    from rich.text import Text

    from adjudge.aggregate import Row

# How value, interval and reading stand in the cell of an arm: beside each other, or below each other.
Layout = Literal["line", "stack"]
# The most columns for the name of an arm or a metric where there is little room, and the least.
_ROOM = 26
_LEAST = 16
_STYLES = {"error": "red", "skipped": "dim", "undefined": "dim"}


class Grid:
    """Rows in titled blocks as a table of metrics by arms."""

    def __init__(self, blocks: dict[str, list[Row]], out: Out, style: str = "") -> None:
        self.blocks = blocks
        self.out = out
        self.style = style
        rows = [row for block in blocks.values() for row in block]
        self.arms = {row.arm: arm_label(row) for row in rows}
        self.value_width = max((len(value_text(row)) for row in rows if row.value is not None), default=0)

    def tables(self, layout: Layout) -> list[Table]:
        """The tables that show all arms: one where they fit, else several with some of the arms each."""
        whole = self.table(list(self.arms), layout)
        if layout == "line" or self.out.fits(whole):
            return [whole]
        tables, rest = [], list(self.arms)
        while rest:
            some = self._fitting_arms(rest, layout)
            tables.append(self._fitting_table(some, layout))
            rest = rest[len(some) :]
        return tables

    def table(self, arms: Sequence[str], layout: Layout, room: int = 0) -> Table:
        """A table of some arms; `room` is the most columns for a name, 0 for any length."""
        table = self._empty_table(arms, room or (_ROOM if layout == "stack" else 0))
        for title, rows in self.blocks.items():
            if title and table.row_count:
                table.add_row()
            if title:
                table.add_row(self._name(title, room), style="bold")
            for metric_rows in rows_by_metric(rows).values():
                table.add_row(*self._cells(metric_rows, arms, layout, room, "  " if title else ""))
        return table

    def _empty_table(self, arms: Sequence[str], room: int) -> Table:
        table = new_table(self.style)
        table.add_column("metric", overflow="fold")
        for arm in arms:
            table.add_column(self._name(self.arms[arm], room), no_wrap=True)
        table.add_column("n", no_wrap=True)
        return table

    def _fitting_arms(self, arms: list[str], layout: Layout) -> list[str]:
        """The first arms that fit together; at least one."""
        number = len(arms)
        while number > 1 and not self.out.fits(self.table(arms[:number], layout)):
            number -= 1
        return arms[:number]

    def _fitting_table(self, arms: list[str], layout: Layout) -> Table:
        """A table of arms with names broken as far as needed."""
        room = max(map(len, [*self.arms.values(), *(row.metric for rows in self.blocks.values() for row in rows)]))
        table = self.table(arms, layout)
        while not self.out.fits(table) and room > _LEAST:
            room = max(_LEAST, room - max(1, table_width(table, self.out.console) - self.out.console.width))
            table = self.table(arms, layout, room)
        # On a very narrow console lines that run over are better than figures cut off.
        table.width = None if self.out.fits(table) else table_width(table, self.out.console)
        return table

    def _cells(self, rows: list[Row], arms: Sequence[str], layout: Layout, room: int, indent: str) -> list[Text]:
        """The cells of a metric: its name and direction, its value in each arm, and what the values are means of."""
        by_arm, best = {row.arm: row for row in rows}, best_arms(rows)
        name = self._name(f"{rows[0].metric} {ARROWS[rows[0].better]}".rstrip(), room, indent)
        values = [self._value(by_arm.get(arm), arm in best, layout) for arm in arms]
        return [name, *values, self._counts([row for row in rows if row.arm in arms], layout)]

    def _value(self, row: Row | None, is_best: bool, layout: Layout) -> Text:
        from rich.text import Text

        if row is None:
            return Text("")
        value = value_text(row)
        # A blank where others have the sign of the best keeps intervals below each other.
        sign = BEST if is_best else " " * (len(self.arms) > 1 and row.value is not None)
        parts = [value.rjust(self.value_width) + sign, interval_text(row), one_line(row.band)]
        cell = Text(self.out.encodable(_join(parts, layout)))
        cell.stylize("bold" if is_best else _STYLES.get(value, ""), 0, self.value_width)
        return cell

    def _counts(self, rows: list[Row], layout: Layout) -> Text:
        from rich.text import Text

        text = _join(count_words(rows), "stack") if layout == "stack" else ", ".join(count_words(rows))
        failed = any(row.errors for row in rows)
        return Text(self.out.encodable(one_line_each(text)), "red" if failed else "")

    def _name(self, text: str, room: int, indent: str = "") -> Text:
        from rich.text import Text

        return Text(self.out.encodable(_break_name(indent + one_line(text), room)))


def one_line_each(text: str) -> str:
    """The text with each of its lines made safe to show."""
    return "\n".join(map(one_line, text.split("\n")))


def _join(parts: list[str], layout: Layout) -> str:
    return ("\n" if layout == "stack" else "  ").join(filter(None, parts))


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
