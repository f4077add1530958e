"""The terminal: lines and tables of text from data, in characters that the console has."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from adjudge.report.table import TextTable, Tone
from adjudge.report.text import one_line

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

TONE_STYLES: dict[Tone, str] = {"good": "green", "bad": "red", "unsure": "yellow", "": ""}


class Out:
    """A console on which text from data is printed as text."""

    def __init__(self, console: Console) -> None:
        self.console = console

    def line(self, text: str, style: str = "") -> None:
        """Print one line, however long, so that a command in it can be copied whole."""
        self.console.print(self.text(text, style), soft_wrap=True)

    def title(self, text: str) -> None:
        """Print a heading after an empty line."""
        self.console.print()
        self.line(text, "bold")

    def block(self, title: str, lines: Iterable[str]) -> None:
        """Print lines under a heading; nothing where there are none."""
        for place, line in enumerate(lines):
            if not place:
                self.title(title)
            self.line(line)

    def lines(self, lines: Iterable[str], style: str = "") -> None:
        """Print each line."""
        for line in lines:
            self.line(line, style)

    def table(self, table: Table) -> None:
        """Print a table; on a narrow console long lines wrap, so that no figures are lost."""
        self.console.print(table, crop=False)

    def new_table(self, table: TextTable, wraps_last: bool = False) -> Table:
        """A table of text for this console; with `wraps_last` no column but the last wraps where room is short."""
        made = new_table()
        for place, (header, align) in enumerate(zip(table.header, table.aligns, strict=True)):
            fixed = place < len(table.header) - 1 if wraps_last else align == "right"
            made.add_column(self.text(header), justify=align, no_wrap=fixed)
        for row in table.rows:
            made.add_row(*(self.text(cell.text, TONE_STYLES[cell.tone]) for cell in row))
        return made

    def text(self, text: str, style: str = "") -> Text:
        """Text from data for a line or a cell."""
        from rich.text import Text

        return Text(self.encodable(one_line(text)), style)

    def encodable(self, text: str) -> str:
        """The text with replacements for characters that the console's encoding does not have."""
        encoding = self.console.encoding
        if encoding.startswith("utf"):
            return text
        simple = text.replace("↑", "^").replace("↓", "v").replace("–", "-")
        return simple.encode(encoding, "replace").decode(encoding)

    def fits(self, table: Table) -> bool:
        """Whether the console has room for a table."""
        return table_width(table, self.console) <= self.console.width


def new_table(style: str = "") -> Table:
    """An empty table with a line below its header and no other lines."""
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0), style=style)
    table.row_styles = [style]
    return table


def table_width(table: Table, console: Console) -> int:
    """The width of a table without a limit."""
    from rich.measure import Measurement

    unbounded = console.options.update(width=10_000)
    return Measurement.get(console, unbounded, table).maximum
