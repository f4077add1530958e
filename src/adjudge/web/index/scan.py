"""The files of a run read into its index: line by line, up to the last whole line."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct, structs

from adjudge.core.card import Card
from adjudge.core.errors import BadInput
from adjudge.run import RECORDS, SCORES
from adjudge.run.names import PARTS
from adjudge.run.parquet import part_paths, read_parquet_rows
from adjudge.run.played import ENDS, TRACES, TURNS, EndLine, Played
from adjudge.web.index import lines
from adjudge.web.index.build import Builder, LineSpan
from adjudge.web.index.lines import IndexRow, RecordFacts, record_facts


class Progress(Struct):
    """How far the files were read: bytes of each, the last line of scores, and what is wrong with the next one.

    `parts` are the stamps of the parts of a run that is stored as Parquet, as far as they were read.
    """

    records: int = 0
    scores: int = 0
    last: str = ""
    damage: str = ""
    parts: list[str] = []


class _Keyed(Struct, frozen=True, gc=False):
    """A line of a played run, as far as it says which turn it is about."""

    case: str
    arm: str
    trial: int = 0


Place = tuple[str, str, int]


def scan_scored(connection: sqlite3.Connection, folder: Path, cards: dict[str, Card], progress: Progress) -> Progress:
    """Add the records that have a score to the index, from where it ends so far."""
    builder = Builder(connection, cards)
    ends = read_ends(folder)
    pairs = zip(_lines(folder / RECORDS, progress.records), _lines(folder / SCORES, progress.scores), strict=False)
    reached, last = structs.replace(progress, damage=""), b""
    for (record_at, record), (score_at, score) in pairs:
        try:
            row, facts = _decode(record, score, ends)
        except (msgspec.MsgspecError, RecursionError) as error:
            reached.damage = _damage(SCORES, builder.count, error)
            break
        builder.add(row, facts, LineSpan(record_at, len(record)), LineSpan(score_at, len(score)))
        reached.records, reached.scores = record_at + len(record), score_at + len(score)
        last = score
    reached.last = last[-200:].hex() if last else progress.last
    builder.flush()
    return reached


def scan_parquet(connection: sqlite3.Connection, folder: Path, cards: dict[str, Card], progress: Progress) -> Progress:
    """Do the same for a run whose scores are stored as Parquet.

    A part can only be read as a whole, which takes too long for one conversation, so the index keeps the scores.
    """
    builder, ends = Builder(connection, cards), read_ends(folder)
    reached = structs.replace(progress, damage="", parts=part_stamps(folder))
    rows = read_parquet_rows(folder / PARTS, cards, skip=builder.count)
    try:
        for (record_at, record), scored in zip(_lines(folder / RECORDS, progress.records), rows, strict=False):
            score = msgspec.json.encode(scored)
            row, facts = _decode(record, score, ends)
            builder.keep_scores(score)
            builder.add(row, facts, LineSpan(record_at, len(record)), LineSpan(0, len(score)))
            reached.records = record_at + len(record)
    except (msgspec.MsgspecError, RecursionError) as error:
        reached.damage = _damage(RECORDS, builder.count, error)
    except BadInput as error:
        reached.damage = str(error)
    builder.flush()
    return reached


def part_stamps(folder: Path) -> list[str]:
    """The parts of a run that is stored as Parquet, each with its size and time; none of any other run."""
    statuses = [(path.name, path.stat()) for path in part_paths(folder / PARTS)]
    return [f"{name} {status.st_size} {status.st_mtime_ns}" for name, status in statuses]


def _decode(record: bytes, score: bytes, ends: dict[Place, str]) -> tuple[IndexRow, RecordFacts]:
    row, facts = lines.SCORES.decode(score), record_facts(lines.RECORD.decode(record))
    end = ends.get((row.case, row.arm, row.trial), "")
    return row, structs.replace(facts, end=end) if end else facts


def _damage(file: str, before: int, error: Exception) -> str:
    return f"{file}: line {before + 1} cannot be read ({error}); what comes after it is not shown"


def scan_played(connection: sqlite3.Connection, folder: Path) -> Progress:
    """Index the finished conversations of a play that is not scored; their records are made of the turns."""
    builder, ends = Builder(connection, {}), read_ends(folder)
    turns: dict[Place, list[dict[str, Any]]] = {}
    for _, line in _lines(folder / TURNS, 0):
        turn = lines.RECORD.decode(line)
        place = (str(turn.get("case")), str(turn.get("arm")), int(turn.get("trial", 0)))
        turns.setdefault(place, []).append(_record_turn(turn))
    for place in ends:
        case, arm, trial = place
        record = {"id": case, "case": case, "arm": arm, "trial": trial, "turns": turns.get(place, [])}
        content = msgspec.json.encode(record)
        connection.execute("INSERT OR REPLACE INTO made VALUES (?, ?)", (builder.count, content))
        facts = structs.replace(record_facts(record), end=ends[place])
        builder.add(IndexRow(case, arm, trial=trial), facts, LineSpan(0, 0), LineSpan(0, 0))
    builder.flush()
    return Progress()


def scan_steps(connection: sqlite3.Connection, folder: Path) -> None:
    """Keep where the turns and traces of each conversation of a play stand in their files."""
    connection.execute("DELETE FROM step")
    places = _places(connection)
    decoder = msgspec.json.Decoder(_Keyed)
    for name in (TURNS, TRACES):
        rows = []
        for start, line in _lines(folder / name, 0):
            keyed = decoder.decode(line)
            place = places.get((keyed.case, keyed.arm, keyed.trial))
            if place is not None and (name == TRACES or b'"decisions"' in line):
                rows.append((place, name, start, len(line)))
        connection.executemany("INSERT INTO step VALUES (?, ?, ?, ?)", rows)


def read_ends(folder: Path) -> dict[Place, str]:
    """How each finished conversation of a play ended, in words."""
    if not (folder / ENDS).is_file():
        return {}
    decoder = msgspec.json.Decoder(EndLine)
    ends: dict[Place, str] = {}
    for _, line in _lines(folder / ENDS, 0):
        end = decoder.decode(line)
        ends[end.case, end.arm, end.trial] = _end_words(end)
    return ends


def play_status(folder: Path) -> Played:
    """The manifest of a play; raises BadInput where it cannot be read."""
    return Played(folder)


def _end_words(line: EndLine) -> str:
    end = line.end
    if end.reason == "participant":
        return f"{end.by} {end.why}".strip() if end.by else end.why or "participant"
    return {"turns": "limit of turns", "time": "limit of time", "budget": "limit of cost"}.get(end.reason, end.reason)


def _record_turn(turn: dict[str, Any]) -> dict[str, Any]:
    kept = {"id": str(turn.get("turn")), "speaker": turn.get("speaker"), "text": turn.get("text", "")}
    facts = turn.get("facts")
    return kept | facts if isinstance(facts, dict) else kept


def _places(connection: sqlite3.Connection) -> dict[Place, int]:
    from adjudge.web.index.reader import Index

    index = Index(connection)
    arms, trials = index.words("arm"), index.column("trial")
    codes = index.column("arm")
    cases = connection.execute('SELECT place, "case" FROM conversation ORDER BY place')
    return {(case, arms[codes[place]], int(trials[place])): place for place, case in cases}


def _lines(path: Path, start: int) -> Iterator[tuple[int, bytes]]:
    """The whole lines of a file from a byte on, each with where it begins; none of a file that is not there."""
    try:
        file = path.open("rb")
    except OSError:
        return
    with file:
        file.seek(start)
        for line in file:
            if not line.endswith(b"\n"):
                return
            yield start, line
            start += len(line)
