"""A table of text from data: its columns are defined once, and terminal, Markdown and page show the same columns."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Generic, Literal, TypeVar

from msgspec import Struct

Align = Literal["left", "right"]
# What a cell calls for: praise, attention, doubt, or nothing.
Tone = Literal["good", "bad", "unsure", ""]
T = TypeVar("T")


def _no_tone(_: object) -> Tone:
    return ""


class Column(Struct, Generic[T], frozen=True):
    """A column: its header, and the text and tone of its cell in the row of an item."""

    header: str
    text: Callable[[T], str]
    align: Align = "left"
    tone: Callable[[T], Tone] = _no_tone


class Cell(Struct, frozen=True):
    """The text of a cell, and what it calls for."""

    text: str
    tone: Tone = ""


class TextTable(Struct, frozen=True):
    """The headers, the alignment of each column, and the rows."""

    header: list[str]
    aligns: list[Align]
    rows: list[list[Cell]]

    def without(self, *headers: str) -> TextTable:
        """The table without some columns."""
        left = [place for place, name in enumerate(self.header) if name not in headers]
        return TextTable(
            [self.header[place] for place in left],
            [self.aligns[place] for place in left],
            [[row[place] for place in left] for row in self.rows],
        )

    def beside(self, other: TextTable) -> TextTable:
        """This table with the columns of another one, which has the same rows, to its right."""
        rows = [[*row, *more] for row, more in zip(self.rows, other.rows, strict=True)]
        return TextTable([*self.header, *other.header], [*self.aligns, *other.aligns], rows)


def tabulate(columns: Sequence[Column[T]], items: Iterable[T]) -> TextTable:
    """A row for each item."""
    return TextTable(
        [column.header for column in columns],
        [column.align for column in columns],
        [[Cell(column.text(item), column.tone(item)) for column in columns] for item in items],
    )
