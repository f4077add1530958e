"""The index of a run being written, in pieces of some thousand conversations."""

from __future__ import annotations

import sqlite3
import zlib
from array import array
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

# The number of conversations in a piece: some 20 MB for forty metrics while they are gathered.
PIECE = 16_384
# Joins several names to one word of a dictionary; no name contains it.
JOINT = "\x1f"
# The kinds of numbers in columns, as arrays in memory name them.
_TYPES = {"f8": "d", "i8": "q", "i4": "i"}
# The columns in which every conversation has a number.
_PLAIN = {
    "record_at": "i8",
    "score_at": "i8",
    "record_size": "i4",
    "score_size": "i4",
    "trial": "i4",
    "turns": "i4",
    "wrong": "i4",
}


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


class _ScoreColumns:
    """The scores of one metric since the last piece."""

    def __init__(self) -> None:
        self.values, self.weights, self.counts = array("d"), array("d"), array("i")

    def add_score(self, place: int, score: IndexScore) -> None:
        """Add the score of the conversation at a place in the piece."""
        if len(self.values) < place:
            self.pad(place)
        value = score.value
        self.values.append(SKIPPED if score.skipped else UNDEFINED if value is None else value)
        self.weights.append(score.weight)
        self.counts.append(score.n)

    def pad(self, size: int) -> None:
        """Give the conversations up to a size that have no score what stands for none."""
        missing = size - len(self.values)
        self.values.extend([UNDEFINED] * missing)
        self.weights.extend([UNDEFINED] * missing)
        self.counts.extend([0] * missing)


class Builder:
    """Takes in conversations, one after the other, and writes the pieces of their columns."""

    def __init__(self, connection: sqlite3.Connection, cards: dict[str, Card]) -> None:
        self.connection, self.cards = connection, cards
        self.start = self.count = _count(connection)
        self.words = _read_words(connection)
        self.misses = read_misses(connection)
        self._written = {name: len(codes) for name, codes in self.words.items()}
        self._best = {name: _best_value(card) for name, card in cards.items()}
        self._begin_piece()

    def _begin_piece(self) -> None:
        self.start = self.count
        self._plain = {name: array(_TYPES[dtype]) for name, dtype in _PLAIN.items()}
        self._codes: dict[str, array[int]] = {}
        self._scores: dict[str, _ScoreColumns] = {}
        self._rows: list[tuple[int, str, str]] = []
        self._lines: list[tuple[int, bytes]] = []

    def add(self, row: IndexRow, facts: RecordFacts, record: LineSpan, score: LineSpan) -> None:
        """Take in one conversation."""
        wrong = 0
        groups: set[str] = set()
        for metric, score_of in row.scores.items():
            self._put_score(metric, row.arm, score_of)
            wrong += self._count_wrong(metric, score_of)
            for mark in score_of.marks:
                if mark.group:
                    groups.add(mark.group)
        numbers = (record.start, score.start, record.size, score.size, row.trial, facts.turns, wrong)
        for column, number in zip(self._plain.values(), numbers, strict=True):
            column.append(number)
        self._put_words(row, facts, sorted(groups))
        self._rows.append((self.count, row.case, facts.opens))
        self.count += 1
        if self.count - self.start >= PIECE:
            self.flush()

    def keep_scores(self, line: bytes) -> None:
        """Keep the scores of the conversation that is taken in next, which cannot be read from a file by themselves."""
        self._lines.append((self.count, zlib.compress(line, 1)))

    def flush(self) -> None:
        """Write what was taken in since the last piece."""
        if self.count > self.start:
            self._write_columns(self.count - self.start)
        self.connection.executemany("INSERT OR REPLACE INTO conversation VALUES (?, ?, ?)", self._rows)
        self.connection.executemany("INSERT OR REPLACE INTO line VALUES (?, ?)", self._lines)
        for name, words in self.words.items():
            new = islice(words.items(), self._written.get(name, 0), None)
            self.connection.executemany(
                "INSERT OR IGNORE INTO word VALUES (?, ?, ?)", [(name, code, text) for text, code in new]
            )
            self._written[name] = len(words)
        misses = msgspec.json.encode([[*key, value] for key, value in self.misses.items()]).decode()
        self.connection.executemany(
            "INSERT OR REPLACE INTO fact VALUES (?, ?)", [("misses", misses), ("count", str(self.count))]
        )
        self._begin_piece()

    def _write_columns(self, size: int) -> None:
        for name, numbers in self._plain.items():
            write_piece(self.connection, name, self.start, numbers, _PLAIN[name])
        for name, codes in self._codes.items():
            codes.extend([0] * (size - len(codes)))
            write_piece(self.connection, name, self.start, codes, "i4")
        for metric, scores in self._scores.items():
            scores.pad(size)
            write_piece(self.connection, f"value:{metric}", self.start, scores.values, "f8")
            write_piece(self.connection, f"weight:{metric}", self.start, scores.weights, "f8")
            write_piece(self.connection, f"n:{metric}", self.start, scores.counts, "i4")

    def _put_words(self, row: IndexRow, facts: RecordFacts, groups: list[str]) -> None:
        texts = {"arm": row.arm, "end": facts.end, "who": JOINT.join(facts.people), "group": JOINT.join(groups)}
        texts |= {f"facet:{name}": value for name, value in row.facets.items()}
        place = self.count - self.start
        for name, text in texts.items():
            codes = self._codes.get(name)
            if codes is None:
                codes = self._codes[name] = array("i")
            if len(codes) < place:
                codes.extend([0] * (place - len(codes)))
            codes.append(self._code(name, text))

    def _code(self, name: str, text: str) -> int:
        """The number of a text in the dictionary of its column; 0 is the empty text."""
        codes = self.words.get(name)
        if codes is None:
            codes = self.words[name] = {"": 0}
        return codes.setdefault(text, len(codes))

    def _put_score(self, metric: str, arm: str, score: IndexScore) -> None:
        columns = self._scores.get(metric)
        if columns is None:
            columns = self._scores[metric] = _ScoreColumns()
        columns.add_score(self.count - self.start, score)
        misses = self.misses.get((metric, arm))
        if misses is None:
            misses = self.misses[metric, arm] = Misses()
        if score.value is None:
            _miss(misses, score.skipped)
        elif score.basis:
            misses.bases[score.basis] = misses.bases.get(score.basis, 0) + 1
        for skipped in score.missing.values():
            misses.statuses[skipped.status] = misses.statuses.get(skipped.status, 0) + 1
        card = self.cards.get(metric)
        if card is not None and card.pool == "groups":
            for mark in score.marks:
                misses.groups.setdefault(mark.group, Moments()).merge(Moments(1, mark.value))

    def _count_wrong(self, metric: str, score: IndexScore) -> int:
        """How many marks of a metric are wrong; none of a variant, which would count them twice."""
        card = self.cards.get(metric)
        if card is None or card.variant:
            return 0
        # Most marks have the best value, so the verdict is asked of the others only.
        best = self._best[metric]
        return sum([is_wrong(mark.value, card) for mark in score.marks if mark.value != best])


def _best_value(card: Card) -> float | None:
    """The value of a metric that is right; None where no direction is better, or its end of the scale is open."""
    low, high = card.scale
    return {"higher": high, "lower": low}.get(card.better)


def _miss(misses: Misses, skipped: Skipped | None) -> None:
    if skipped is None:
        misses.undefined += 1
        return
    if skipped.status == "error":
        misses.errors += 1
    else:
        misses.skipped += 1
    misses.reasons[skipped.why] = misses.reasons.get(skipped.why, 0) + 1
    misses.statuses[skipped.status] = misses.statuses.get(skipped.status, 0) + 1


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
