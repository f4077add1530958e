"""Where the index of a run is kept, and when it is written anew or continued."""

from __future__ import annotations

import hashlib
import os
import shutil
import sqlite3
import threading
from contextlib import closing
from pathlib import Path

import msgspec

from adjudge.aggregate import Row, table
from adjudge.core.card import Card
from adjudge.run import RECORDS, SCORES, Run, read_manifest
from adjudge.run.names import COLUMNS, MANIFEST, PARTS, TABLES
from adjudge.run.parquet import part_paths
from adjudge.run.played import ENDS, TRACES, TURNS
from adjudge.web.index.build import read_fact
from adjudge.web.index.cases import number_cases
from adjudge.web.index.columns import SCHEMA
from adjudge.web.index.reader import Index
from adjudge.web.index.scan import (
    Progress,
    part_stamps,
    scan_parquet,
    scan_played,
    scan_scored,
    scan_steps,
)
from adjudge.web.index.tables import short_counts, table_rows

NAME = "view.sqlite"
# Goes up when the index of earlier versions cannot be read any more.
VERSION = "2"
# JSON takes about so many times the bytes of Parquet.
PARQUET_RATIO = 10
_FILES = (SCORES, RECORDS, COLUMNS, TABLES, TURNS, TRACES, ENDS)

_locks: dict[Path, threading.Lock] = {}
_guard = threading.Lock()


def open_index(folder: Path, cards: dict[str, Card], is_scored: bool = True) -> Index:
    """The index of a run as its files are now; the caller closes it."""
    with _lock_of(folder):
        for path in _paths(folder):
            try:
                return _open(path, folder, cards, is_scored)
            except (sqlite3.OperationalError, PermissionError, OSError):
                continue  # The folder cannot be written: the index goes to the cache.
    return _in_memory(folder, cards, is_scored)


def is_ready(folder: Path, cards: dict[str, Card], is_scored: bool = True) -> bool:
    """Whether the index of a run is there and as its files are."""
    stamp = f"{file_stamp(folder)}; {is_scored}"
    for path in _paths(folder):
        try:
            with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as connection:
                if _is_current(connection, stamp, cards):
                    return True
        except sqlite3.Error:
            continue
    return False


def cache_folder() -> Path:
    """The folder for what this user's adjudge keeps beside its runs."""
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "adjudge"


def file_stamp(folder: Path) -> str:
    """The sizes and times of a run's files: what is the same as long as they are."""
    parts = []
    for name in _FILES:
        try:
            status = (folder / name).stat()
        except OSError:
            continue
        parts.append(f"{name} {status.st_size} {status.st_mtime_ns} {status.st_ino}")
    return "; ".join([*parts, *part_stamps(folder)])


def scores_size(folder: Path) -> int:
    """The bytes of a run's scores as lines of JSON, estimated for those stored as Parquet."""
    if (folder / SCORES).is_file():
        return (folder / SCORES).stat().st_size
    return PARQUET_RATIO * sum(path.stat().st_size for path in part_paths(folder / PARTS))


def _paths(folder: Path) -> tuple[Path, Path]:
    """Where the index of a run may be: in its folder, or in the cache."""
    return folder / NAME, cache_folder() / "view" / f"{_digest(str(folder.resolve()))}.sqlite"


def _open(path: Path, folder: Path, cards: dict[str, Card], is_scored: bool) -> Index:
    stamp = f"{file_stamp(folder)}; {is_scored}"
    if path.is_file():
        connection = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True, check_same_thread=False)
        try:
            if _is_current(connection, stamp, cards):
                return Index(connection)
        except sqlite3.DatabaseError:
            pass  # Not an index, or a damaged one.
        connection.close()
    _write(path, folder, cards, stamp)
    return Index(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True, check_same_thread=False))


def _is_current(connection: sqlite3.Connection, stamp: str, cards: dict[str, Card]) -> bool:
    return all(
        read_fact(connection, name) == value
        for name, value in (("version", VERSION), ("stamp", stamp), ("cards", _cards_digest(cards)))
    )


def _write(path: Path, folder: Path, cards: dict[str, Card], stamp: str) -> None:
    """Continue the index where the run's files only grew, else write it anew beside the old one and replace that."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.{os.getpid()}.{threading.get_ident()}")
    try:
        descriptor = os.open(part, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            if _can_continue(path, folder, cards):
                with path.open("rb") as old:
                    shutil.copyfileobj(old, file)
        with closing(sqlite3.connect(part)) as connection:
            fill_index(connection, folder, cards, stamp)
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)


def _rows(index: Index, folder: Path, cards: dict[str, Card]) -> list[Row]:
    """The rows of the table; those of a run that does not keep all records come from its columns or tables."""
    if (folder / MANIFEST).is_file() and read_manifest(folder).keep != "all":
        return table(Run(folder))
    return table_rows(index, cards, index.words("arm"))


def fill_index(connection: sqlite3.Connection, folder: Path, cards: dict[str, Card], stamp: str) -> None:
    """Read into an index what it does not have yet."""
    connection.executescript("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;" + SCHEMA)
    before = read_fact(connection, "progress")
    progress = msgspec.json.decode(before, type=Progress) if before else Progress()
    if _is_parquet(folder):
        progress = scan_parquet(connection, folder, cards, progress)
    elif stamp.endswith("True"):
        progress = scan_scored(connection, folder, cards, progress)
    else:
        progress = scan_played(connection, folder)
    if (folder / TURNS).is_file():
        scan_steps(connection, folder)
    number_cases(connection)
    index = Index(connection)
    facts = {
        "rows": msgspec.json.encode(_rows(index, folder, cards)).decode(),
        "short": msgspec.json.encode(short_counts(index, cards)).decode(),
        "version": VERSION,
        "stamp": stamp,
        "cards": _cards_digest(cards),
        "progress": msgspec.json.encode(progress).decode(),
        "damage": progress.damage,
    }
    connection.executemany("INSERT OR REPLACE INTO fact VALUES (?, ?)", facts.items())
    connection.commit()


def _can_continue(path: Path, folder: Path, cards: dict[str, Card]) -> bool:
    """Whether the files begin with what is in the index already."""
    try:
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as connection:
            known = read_fact(connection, "version") == VERSION and read_fact(connection, "cards") == _cards_digest(
                cards
            )
            progress = msgspec.json.decode(read_fact(connection, "progress"), type=Progress)
    except (sqlite3.Error, msgspec.MsgspecError, OSError):
        return False
    if progress.parts:
        stamps = part_stamps(folder)
        return known and len(stamps) > len(progress.parts) and stamps[: len(progress.parts)] == progress.parts
    last = bytes.fromhex(progress.last)
    sizes = [(folder / name).stat().st_size if (folder / name).is_file() else 0 for name in (RECORDS, SCORES)]
    if not known or not last or sizes[0] < progress.records or sizes[1] <= progress.scores:
        return False
    with (folder / SCORES).open("rb") as file:
        file.seek(progress.scores - len(last))
        return file.read(len(last)) == last


def _is_parquet(folder: Path) -> bool:
    return (folder / MANIFEST).is_file() and read_manifest(folder).store == "parquet"


def _in_memory(folder: Path, cards: dict[str, Card], is_scored: bool) -> Index:
    """An index that is not kept, where nothing can be written."""
    connection = sqlite3.connect(":memory:", check_same_thread=False)
    fill_index(connection, folder, cards, f"{file_stamp(folder)}; {is_scored}")
    return Index(connection)


def _cards_digest(cards: dict[str, Card]) -> str:
    return _digest(repr([(card.name, card.version, card.better, card.scale) for card in cards.values()]))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:24]


def _lock_of(folder: Path) -> threading.Lock:
    with _guard:
        return _locks.setdefault(folder, threading.Lock())
