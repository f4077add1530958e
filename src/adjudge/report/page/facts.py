"""What a record says beside its turns, of whatever suite: each fact as a line or a small table."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from msgspec import Struct

from adjudge.report.page.legible import Passage, name, passage

LINE = 600
CELL = 160
COLUMNS = 9
ROWS = 40
DEEP = 3


class Fact(Struct, frozen=True):
    """A fact with its name: in words, or as a table whose first column names its rows; `omitted` counts rows."""

    name: str
    said: Passage | None = None
    header: list[str] = []
    rows: list[list[str]] = []
    omitted: int = 0


def facts(record: dict[str, Any], known: Collection[str] = ()) -> list[Fact]:
    """The facts of a record or a turn, but for those known from elsewhere; empty ones are left out."""
    return [fact for key, value in record.items() if key not in known for fact in _facts(key, value)]


def line(value: Any, deep: int = DEEP) -> str:
    """A value in a line.

    >>> line({"a": [1, 2.5], "b": {"c": True}})
    'a: 1, 2.5; b: c: yes'
    """
    if isinstance(value, dict | list) and not deep:
        return "…"
    if isinstance(value, dict):
        return "; ".join(f"{key}: {line(one, deep - 1)}" for key, one in value.items())
    if isinstance(value, list):
        return ", ".join(line(one, deep - 1) for one in value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "–" if value is None else f"{value:g}" if isinstance(value, float) else str(value)


def _facts(key: str, value: Any) -> Iterator[Fact]:
    """A fact, or, where it holds tables of its own, each of the facts in it under both names."""
    if value in (None, "", [], {}):
        return
    if isinstance(value, dict) and any(_rows(one) for one in value.values()) and not _rows(value):
        for part, one in value.items():
            yield _fact(f"{key}: {part}", one)
    else:
        yield _fact(key, value)


def _fact(key: str, value: Any) -> Fact:
    title = name(key)
    if rows := _rows(value):
        return _table(title, rows)
    return _pairs(title, value) if isinstance(value, dict) else Fact(title, passage(line(value), LINE))


def _rows(value: Any) -> list[tuple[str, dict[str, Any]]]:
    """The named rows of a value that is a table; none of one that is not."""
    named = list(value.items()) if isinstance(value, dict) else []
    if isinstance(value, list):
        named = [(str(place), one) for place, one in enumerate(value, 1)]
    return named if all(isinstance(one, dict) for _, one in named) else []


def _pairs(title: str, value: dict[str, Any]) -> Fact:
    rows = [[name(key), _cell(one)] for key, one in value.items()]
    return Fact(title, rows=rows[:ROWS], omitted=max(len(rows) - ROWS, 0))


def _table(title: str, value: list[tuple[str, dict[str, Any]]]) -> Fact:
    keys = list(dict.fromkeys(key for _, row in value for key in row))
    if len(keys) > COLUMNS:
        return _pairs(title, dict(value))
    rows = [[name(head), *(_cell(row[key]) if key in row else "" for key in keys)] for head, row in value[:ROWS]]
    return Fact(title, header=["", *map(name, keys)], rows=rows, omitted=max(len(value) - ROWS, 0))


def _cell(value: Any) -> str:
    cut = passage(line(value), CELL)
    return f"{cut.text}…" if cut.omitted else cut.text
