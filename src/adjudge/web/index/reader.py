"""An index opened for reading."""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Sequence
from typing import Any

import msgspec
import numpy as np
from msgspec import Struct

from adjudge.aggregate import Row
from adjudge.web.index.build import JOINT, LineSpan, Misses, read_fact, read_misses
from adjudge.web.index.columns import read_column, read_numbers

# How the names of columns of metrics begin.
OF_METRICS = ("value:", "weight:", "n:")


class ListedConversation(Struct, frozen=True):
    """What lists show of a conversation."""

    place: int
    case: str
    arm: str
    trial: int
    opens: str
    turns: int
    end: str
    groups: tuple[str, ...]

    @property
    def name(self) -> str:
        """The case, with the trial where there are several."""
        return f"{self.case} #{self.trial}" if self.trial else self.case


class Index:
    """The columns and words of a run."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection
        self.count = int(read_fact(connection, "count", "0"))
        self._words: dict[str, list[str]] = {}
        self._columns: dict[str, np.ndarray[Any, Any]] = {}
        self._short: dict[str, dict[str, int]] | None = None

    def __enter__(self) -> Index:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file and let go of what was read from it.

        What a page was rendered from stays in reference cycles until Python looks for such, with 20 MB of columns of
        a million conversations.
        """
        self.connection.close()
        self._columns.clear()
        self._words.clear()

    @property
    def damage(self) -> str:
        """What is wrong with the first line that could not be read; empty where all could."""
        return read_fact(self.connection, "damage")

    @property
    def stamp(self) -> str:
        """What changes when the run's files do."""
        return read_fact(self.connection, "stamp")

    def column(self, name: str) -> np.ndarray[Any, Any]:
        """A number for each conversation; read once, but for columns of metrics, of which there are many."""
        if name in self._columns:
            return self._columns[name]
        column = read_column(self.connection, name, self.count)
        if not name.startswith(OF_METRICS):
            self._columns[name] = column
        return column

    def numbers(self, name: str, places: Sequence[int]) -> list[float]:
        """The numbers of some conversations."""
        if name in self._columns:
            return [self._columns[name][place].item() for place in places]
        return read_numbers(self.connection, name, places)

    def words(self, name: str) -> list[str]:
        """The words of a column, by their number; read once."""
        if name not in self._words:
            rows = self.connection.execute("SELECT text FROM word WHERE name = ? ORDER BY code", (name,))
            self._words[name] = [text for (text,) in rows]
        return self._words[name]

    def facets(self) -> list[str]:
        """The names of the facets."""
        rows = self.connection.execute("SELECT DISTINCT name FROM word WHERE name LIKE 'facet:%' ORDER BY name")
        return [name.removeprefix("facet:") for (name,) in rows]

    def rows(self, arms: list[str]) -> list[Row]:
        """The rows of the table of some arms, in their order."""
        rows = msgspec.json.decode(read_fact(self.connection, "rows", "[]"), type=list[Row])
        metrics = {name: place for place, name in enumerate(dict.fromkeys(row.metric for row in rows))}
        shown = [row for row in rows if row.arm in arms]
        return sorted(shown, key=lambda row: (metrics[row.metric], arms.index(row.arm)))

    def short(self, metric: str, arm: str) -> int:
        """How many conversations of an arm have a value of a metric that is short of the best one."""
        if self._short is None:
            self._short = msgspec.json.decode(read_fact(self.connection, "short", "{}"), type=dict[str, dict[str, int]])
        return self._short.get(metric, {}).get(arm, 0)

    def misses(self) -> dict[tuple[str, str], Misses]:
        """Why scores are missing, by metric and arm."""
        return read_misses(self.connection)

    def list_conversations(self, places: Sequence[int]) -> list[ListedConversation]:
        """What lists show of some conversations."""
        words = {name: self.words(name) for name in ("arm", "end", "group")}
        numbers = {name: self.numbers(name, places) for name in ("arm", "end", "group", "trial", "turns")}
        listed = []
        for number, place in enumerate(places):
            case, opens = self.connection.execute(
                'SELECT "case", opens FROM conversation WHERE place = ?', (place,)
            ).fetchone()
            text = {name: words[name][int(numbers[name][number])] if words[name] else "" for name in words}
            trial, turns = int(numbers["trial"][number]), int(numbers["turns"][number])
            groups = tuple(filter(None, text["group"].split(JOINT)))
            listed.append(ListedConversation(place, case, text["arm"], trial, opens, turns, text["end"], groups))
        return listed

    def places_of_case(self, case: str) -> list[int]:
        """The conversations of a case."""
        rows = self.connection.execute('SELECT place FROM conversation WHERE "case" = ? ORDER BY place', (case,))
        return [place for (place,) in rows]

    def span(self, place: int, file: str) -> LineSpan:
        """Where the record or the scores of a conversation stand in their file."""
        start, size = (int(self.numbers(f"{file}_{part}", [place])[0]) for part in ("at", "size"))
        return LineSpan(start, size)

    def kept_scores(self, place: int) -> bytes | None:
        """The line of scores of a conversation of a run that has no file of such lines; None of any other run."""
        row = self.connection.execute("SELECT scores FROM line WHERE place = ?", (place,)).fetchone()
        return zlib.decompress(row[0]) if row else None

    def made_record(self, place: int) -> bytes | None:
        """The record that was made of the turns of a play; None where the run has a file of records."""
        row = self.connection.execute("SELECT record FROM made WHERE place = ?", (place,)).fetchone()
        return row[0] if row else None

    def steps(self, place: int) -> list[tuple[str, LineSpan]]:
        """Where the turns and traces of a played conversation stand: the file, and the place in it."""
        rows = self.connection.execute("SELECT file, start, size FROM step WHERE place = ? ORDER BY rowid", (place,))
        return [(file, LineSpan(start, size)) for file, start, size in rows]
