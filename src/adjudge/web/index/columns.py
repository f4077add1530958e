"""Columns: a number for each conversation, kept in pieces in SQLite.

A column of a million numbers is read in a few milliseconds, and a single number without reading the others.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from math import inf, isinf, isnan, nan
from typing import Any

import numpy as np

# How a column of a metric says that there is no value: scores themselves are always finite.
UNDEFINED = nan
SKIPPED = inf

Numbers = np.ndarray[Any, Any]

SCHEMA = """
CREATE TABLE IF NOT EXISTS fact (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS kind (name TEXT PRIMARY KEY, dtype TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS piece (name TEXT, start INTEGER, data BLOB NOT NULL, PRIMARY KEY (name, start));
CREATE TABLE IF NOT EXISTS word (name TEXT, code INTEGER, text TEXT NOT NULL, PRIMARY KEY (name, code));
CREATE TABLE IF NOT EXISTS conversation (place INTEGER PRIMARY KEY, "case" TEXT NOT NULL, opens TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS step (place INTEGER, file TEXT, start INTEGER, size INTEGER);
CREATE TABLE IF NOT EXISTS line (place INTEGER PRIMARY KEY, scores BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS made (place INTEGER PRIMARY KEY, record BLOB NOT NULL);
CREATE INDEX IF NOT EXISTS by_case ON conversation ("case");
CREATE INDEX IF NOT EXISTS by_place ON step (place);
"""


def write_piece(
    connection: sqlite3.Connection, name: str, start: int, numbers: Sequence[float] | np.ndarray[Any, Any], dtype: str
) -> None:
    """Add numbers to a column, the first of which belongs to the conversation at `start`."""
    connection.execute("INSERT OR REPLACE INTO kind VALUES (?, ?)", (name, dtype))
    data = np.asarray(numbers, dtype=dtype).tobytes()
    connection.execute("INSERT OR REPLACE INTO piece VALUES (?, ?, ?)", (name, start, data))


def read_column(connection: sqlite3.Connection, name: str, count: int) -> Numbers:
    """All numbers of a column; conversations that have none get what stands for none."""
    dtype = _dtype(connection, name) or "f8"
    numbers = np.full(count, UNDEFINED) if dtype == "f8" else np.zeros(count, dtype)
    for start, data in connection.execute("SELECT start, data FROM piece WHERE name = ?", (name,)):
        piece = np.frombuffer(data, dtype=dtype)[: max(count - start, 0)]
        numbers[start : start + len(piece)] = piece
    return numbers


def read_numbers(connection: sqlite3.Connection, name: str, places: Sequence[int]) -> list[float]:
    """The numbers of a column at some places, each read by itself."""
    dtype = np.dtype(_dtype(connection, name) or "f8")
    numbers = []
    for place in places:
        row = connection.execute(
            "SELECT substr(data, (? - start) * ? + 1, ?) FROM piece WHERE name = ? AND start <= ? "
            "ORDER BY start DESC LIMIT 1",
            (place, dtype.itemsize, dtype.itemsize, name, place),
        ).fetchone()
        whole = row is not None and len(row[0]) == dtype.itemsize
        numbers.append(np.frombuffer(row[0], dtype=dtype)[0].item() if whole else UNDEFINED)
    return numbers


def is_value(number: float) -> bool:
    """Whether a number of a metric's column is a value, and neither undefined nor skipped.

    >>> is_value(0.0), is_value(UNDEFINED), is_value(SKIPPED)
    (True, False, False)
    """
    return not (isnan(number) or isinf(number))


def _dtype(connection: sqlite3.Connection, name: str) -> str:
    row = connection.execute("SELECT dtype FROM kind WHERE name = ?", (name,)).fetchone()
    return row[0] if row else ""
