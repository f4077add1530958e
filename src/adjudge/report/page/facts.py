"""What a record holds beside its turns, of whatever suite: each fact as a line or a small table."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from msgspec import Struct

from adjudge.report.text import Passage, passage, short_name
from adjudge.report.words import NONE

# The longest fact and the longest cell that are shown whole, in characters.
LONGEST_LINE = 600
LONGEST_CELL = 160
# More columns do not fit beside each other on a wide screen; more rows nobody reads.
COLUMNS = 9
ROWS = 40
# Values within values within values are shown, what is deeper is not.
DEPTH = 3


class Fact(Struct, frozen=True):
    """A fact with its name: as text, or as a table whose first column names its rows; `omitted` counts rows."""

    name: str
    text: Passage | None = None
    header: list[str] = []
    rows: list[list[str]] = []
    omitted: int = 0


def record_facts(record: dict[str, Any], except_for: Collection[str] = ()) -> list[Fact]:
    """The facts of a record or a turn, except for those shown elsewhere; empty ones are left out."""
    return [fact for key, value in record.items() if key not in except_for for fact in _facts(key, value)]


def objects(value: Any) -> list[dict[str, Any]]:
    """The objects of a list; none where the value is no such list."""
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def line(value: Any, depth: int = DEPTH) -> str:
    """A value in a line.

    >>> line({"a": [1, 2.5], "b": {"c": True}})
    'a: 1, 2.5; b: c: yes'
    """
    if isinstance(value, dict | list) and not depth:
        return "…"
    if isinstance(value, dict):
        return "; ".join(f"{key}: {line(part, depth - 1)}" for key, part in value.items())
    if isinstance(value, list):
        return ", ".join(line(part, depth - 1) for part in value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    return NONE if value is None else f"{value:g}" if isinstance(value, float) else str(value)


def _facts(key: str, value: Any) -> Iterator[Fact]:
    """A fact, or, where it holds tables of its own, each of the facts in it under both names."""
    if value in (None, "", [], {}):
        return
    if isinstance(value, dict) and any(_rows(part) for part in value.values()) and not _rows(value):
        for name, part in value.items():
            yield _fact(f"{key}: {name}", part)
    else:
        yield _fact(key, value)


def _fact(key: str, value: Any) -> Fact:
    title = short_name(key)
    if rows := _rows(value):
        return _table(title, rows)
    return _pairs(title, value) if isinstance(value, dict) else Fact(title, passage(line(value), LONGEST_LINE))


def _rows(value: Any) -> list[tuple[str, dict[str, Any]]]:
    """The rows with their names of a value that is a table; none of one that is not."""
    rows = list(value.items()) if isinstance(value, dict) else []
    if isinstance(value, list):
        rows = [(str(number), row) for number, row in enumerate(value, 1)]
    return rows if all(isinstance(row, dict) for _, row in rows) else []


def _pairs(title: str, value: dict[str, Any]) -> Fact:
    rows = [[short_name(key), _cell(part)] for key, part in value.items()]
    return Fact(title, rows=rows[:ROWS], omitted=max(len(rows) - ROWS, 0))


def _table(title: str, value: list[tuple[str, dict[str, Any]]]) -> Fact:
    keys = list(dict.fromkeys(key for _, row in value for key in row))
    if len(keys) > COLUMNS:
        return _pairs(title, dict(value))
    rows = [[short_name(head), *(_cell(row[key]) if key in row else "" for key in keys)] for head, row in value[:ROWS]]
    return Fact(title, header=["", *map(short_name, keys)], rows=rows, omitted=max(len(value) - ROWS, 0))


def _cell(value: Any) -> str:
    beginning = passage(line(value), LONGEST_CELL)
    return f"{beginning.text}…" if beginning.omitted else beginning.text
