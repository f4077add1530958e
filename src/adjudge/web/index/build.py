"""The index of a run being written, in pieces of some thousand conversations."""

from __future__ import annotations

import sqlite3
import zlib
from array import array
from collections import Counter
from itertools import islice
from typing import Any

import msgspec
from msgspec import Struct

from adjudge.core.card import Card
from adjudge.core.mark import Skipped
from adjudge.core.tally import Moments
from adjudge.report.page.verdict import is_wrong
from adjudge.web.index.columns import SKIPPED, UNDEFINED, write_piece
from adjudge.web.index.lines import IndexRow, IndexScore, RecordFacts

# So many conversations make a piece: some 20 MB for forty metrics while they are gathered.
PIECE = 16_384
# What joins several names to one word of a dictionary; no name holds it.
JOINT = "\x1f"
# The kinds of numbers in columns, as arrays in memory name them.
_TYPES = {"f8": "d", "i8": "q", "i4": "i"}


class LineSpan(Struct, frozen=True, gc=False):
    """Where a line stands in its file."""

    start: int
    size: int


class Misses(Struct):
    """Why scores of a metric and an arm are missing, what the others rest on, and the marks by group."""

    undefined: int = 0
    skipped: int = 0
    errors: int = 0
    reasons: dict[str, int] = {}
    statuses: dict[str, int] = {}
    bases: dict[str, int] = {}
    groups: dict[str, Moments] = {}


class Builder:
    """Takes in conversations, one after the other, and writes the pieces of their columns."""

    def __init__(self, connection: sqlite3.Connection, cards: dict[str, Card]) -> None:
        self.connection, self.cards = connection, cards
        self.start = self.count = _count(connection)
        self.words = _read_words(connection)
        self.misses = read_misses(connection)
        self._written = {name: len(codes) for name, codes in self.words.items()}
        self._numbers: dict[str, array[Any]] = {}
        self._dtypes: dict[str, str] = {}
        self._rows: list[tuple[int, str, str]] = []
        self._lines: list[tuple[int, bytes]] = []

    def add(self, row: IndexRow, facts: RecordFacts, record: LineSpan, score: LineSpan) -> None:
        """Take in one conversation."""
        self._rows.append((self.count, row.case, facts.opens))
        for name, number in (("record_at", record.start), ("score_at", score.start)):
            self._put(name, number, "i8")
        for name, number in (
            ("record_size", record.size),
            ("score_size", score.size),
            ("trial", row.trial),
            ("turns", facts.turns),
        ):
            self._put(name, number, "i4")
        wrong = 0
        groups: set[str] = set()
        for metric, score_of in row.scores.items():
            self._put_score(metric, row.arm, score_of)
            card = self.cards.get(metric)
            groups.update(mark.group for mark in score_of.marks if mark.group)
            if card is not None and not card.variant:
                wrong += sum(is_wrong(mark.value, card) for mark in score_of.marks)
        self._put("wrong", wrong, "i4")
        self._put_words(row, facts, sorted(groups))
        self.count += 1
        if self.count - self.start >= PIECE:
            self.flush()

    def keep_scores(self, line: bytes) -> None:
        """Keep the scores of the conversation that is taken in next, which cannot be read from a file by themselves."""
        self._lines.append((self.count, zlib.compress(line, 1)))

    def flush(self) -> None:
        """Write what was taken in since the last piece."""
        size = self.count - self.start
        for name, numbers in self._numbers.items():
            self._pad(name, size)
            write_piece(self.connection, name, self.start, numbers, self._dtypes[name])
        self.connection.executemany("INSERT OR REPLACE INTO conversation VALUES (?, ?, ?)", self._rows)
        self.connection.executemany("INSERT OR REPLACE INTO line VALUES (?, ?)", self._lines)
        for name, codes in self.words.items():
            new = islice(codes.items(), self._written.get(name, 0), None)
            self.connection.executemany(
                "INSERT OR IGNORE INTO word VALUES (?, ?, ?)", [(name, code, text) for text, code in new]
            )
            self._written[name] = len(codes)
        misses = msgspec.json.encode([[*key, value] for key, value in self.misses.items()]).decode()
        self.connection.executemany(
            "INSERT OR REPLACE INTO fact VALUES (?, ?)", [("misses", misses), ("count", str(self.count))]
        )
        self.start, self._numbers, self._rows, self._lines = self.count, {}, [], []

    def _put_words(self, row: IndexRow, facts: RecordFacts, groups: list[str]) -> None:
        texts = {"arm": row.arm, "end": facts.end, "who": JOINT.join(facts.people), "group": JOINT.join(groups)}
        texts |= {f"facet:{name}": value for name, value in row.facets.items()}
        for name, text in texts.items():
            self._put(name, self._code(name, text), "i4")

    def _code(self, name: str, text: str) -> int:
        """The number of a text in the dictionary of its column; 0 is the empty text."""
        codes = self.words.setdefault(name, {"": 0})
        return codes.setdefault(text, len(codes))

    def _put_score(self, metric: str, arm: str, score: IndexScore) -> None:
        value = score.value
        self._put(f"value:{metric}", SKIPPED if score.skipped else UNDEFINED if value is None else value, "f8")
        self._put(f"weight:{metric}", score.weight, "f8")
        self._put(f"n:{metric}", score.n, "i4")
        misses = self.misses.setdefault((metric, arm), Misses())
        if value is None:
            _miss(misses, score.skipped)
        elif score.basis:
            misses.bases[score.basis] = misses.bases.get(score.basis, 0) + 1
        for skipped in score.missing.values():
            misses.statuses[skipped.status] = misses.statuses.get(skipped.status, 0) + 1
        card = self.cards.get(metric)
        if card is not None and card.pool == "groups":
            for mark in score.marks:
                misses.groups.setdefault(mark.group, Moments()).merge(Moments(1, mark.value))

    def _put(self, name: str, number: float, dtype: str) -> None:
        """Add a number to a column; conversations before it that have none get what stands for none."""
        numbers = self._numbers.get(name)
        if numbers is None:
            numbers = self._numbers[name] = array(_TYPES[dtype])
            self._dtypes[name] = dtype
        if len(numbers) < self.count - self.start:
            self._pad(name, self.count - self.start)
        numbers.append(number)

    def _pad(self, name: str, size: int) -> None:
        numbers = self._numbers[name]
        none = UNDEFINED if self._dtypes[name] == "f8" else 0
        numbers.extend([none] * (size - len(numbers)))


def _miss(misses: Misses, skipped: Skipped | None) -> None:
    if skipped is None:
        misses.undefined += 1
        return
    if skipped.status == "error":
        misses.errors += 1
    else:
        misses.skipped += 1
    reasons, statuses = Counter(misses.reasons), Counter(misses.statuses)
    reasons[skipped.why] += 1
    statuses[skipped.status] += 1
    misses.reasons, misses.statuses = dict(reasons), dict(statuses)


def read_fact(connection: sqlite3.Connection, name: str, default: str = "") -> str:
    """A fact about the whole index."""
    row = connection.execute("SELECT value FROM fact WHERE name = ?", (name,)).fetchone()
    return row[0] if row else default


def _count(connection: sqlite3.Connection) -> int:
    return int(read_fact(connection, "count", "0"))


def _read_words(connection: sqlite3.Connection) -> dict[str, dict[str, int]]:
    words: dict[str, dict[str, int]] = {}
    for name, code, text in connection.execute("SELECT name, code, text FROM word ORDER BY code"):
        words.setdefault(name, {})[text] = code
    return words


def read_misses(connection: sqlite3.Connection) -> dict[tuple[str, str], Misses]:
    """Why scores are missing, by metric and arm."""
    entries: list[Any] = msgspec.json.decode(read_fact(connection, "misses", "[]"))
    return {(metric, arm): msgspec.convert(value, Misses) for metric, arm, value in entries}
