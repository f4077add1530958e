"""The SQLite file of a cache: opened, checked, and its errors told in messages about the file."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic, sleep
from typing import TypeVar

from adjudge.core.errors import BadInput
from adjudge.tools import claims

T = TypeVar("T")

# Seconds that SQLite itself waits for a lock, and that we wait before we try again.
_BUSY_TIMEOUT = 5.0
_PAUSE = 0.01
_APPLICATION = int.from_bytes(b"adjc", "big")
_FORMAT = 1
_SCHEMA = f"""
BEGIN IMMEDIATE;
CREATE TABLE IF NOT EXISTS answers (key TEXT PRIMARY KEY, value BLOB NOT NULL);
{claims.SCHEMA}
PRAGMA application_id = {_APPLICATION};
PRAGMA user_version = {_FORMAT};
COMMIT;
"""
# Files of earlier versions have no tables for claims.
_TABLES = 3

_ELSEWHERE = "move it away or name another file with --cache"


def sync_log(path: Path) -> None:
    """Wait until what was committed is on the disk.

    SQLite would wait with the file locked, and claims of this and other processes would wait as well.
    """
    with suppress(FileNotFoundError):
        log = os.open(f"{path}-wal", os.O_RDWR)
        try:
            os.fsync(log)
        finally:
            os.close(log)


def create_file(path: Path) -> None:
    """Create the file for its owner only; SQLite would create it with the usual permissions."""
    path.parent.mkdir(parents=True, exist_ok=True)
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))


def connect(path: Path, patience: float) -> sqlite3.Connection:
    """A connection to the file, with the tables that a cache has; raises BadInput for a file of another program."""
    connection = sqlite3.connect(path, timeout=_BUSY_TIMEOUT, isolation_level=None, check_same_thread=False)
    try:
        retry_while_locked(lambda: _prepare(connection, path), patience)
    except BaseException:
        connection.close()
        raise
    return connection


def _prepare(connection: sqlite3.Connection, path: Path) -> None:
    # Another process may be creating the tables, in one transaction with the application id: so tables are read first.
    tables, application, version = (
        int(connection.execute(query).fetchone()[0])
        for query in ("SELECT count(*) FROM sqlite_master", "PRAGMA application_id", "PRAGMA user_version")
    )
    if application != _APPLICATION and (application or tables):
        raise BadInput(f"{path}: is a database of another program; {_ELSEWHERE}")
    if version > _FORMAT:
        raise BadInput(f"{path}: was written by a newer adjudge (format {version}, known: {_FORMAT}); {_ELSEWHERE}")
    mode = connection.execute("PRAGMA journal_mode = WAL").fetchone()[0]
    # Some file systems do not support the log; SQLite then has another way, and waits for the disk itself.
    connection.execute(f"PRAGMA synchronous = {'NORMAL' if mode == 'wal' else 'FULL'}")
    if application != _APPLICATION or tables < _TABLES:
        _create(connection)


def _create(connection: sqlite3.Connection) -> None:
    try:
        connection.executescript(_SCHEMA)
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")


def retry_while_locked(action: Callable[[], T], patience: float) -> T:
    """The result of an action, tried again while another process keeps the file locked."""
    deadline = monotonic() + patience
    while True:
        try:
            return action()
        except sqlite3.OperationalError as error:
            if not is_busy(error) or monotonic() > deadline:
                raise
            sleep(_PAUSE)  # Some locks are refused at once, without SQLite's own waiting.


def is_busy(error: sqlite3.Error) -> bool:
    """Whether another process keeps the file locked."""
    # The low byte is the primary code, the rest says which kind of busy.
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


@contextmanager
def complaints(path: Path) -> Iterator[None]:
    """Turn the errors of SQLite and of the system into messages about the file."""
    try:
        yield
    except sqlite3.Error as error:
        raise BadInput(_complaint(path, error)) from error
    except OSError as error:
        raise BadInput(f"{path}: cannot be opened for writing ({error.strerror}); {_ELSEWHERE}") from error


def _complaint(path: Path, error: sqlite3.Error) -> str:
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if is_busy(error):
        return lock_complaint(path, "it could not be read")
    if code in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT):
        return f"{path}: is damaged, or is not a cache of answers ({error}); it was not changed; {_ELSEWHERE}"
    if code in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR):
        return f"{path}: cannot be written ({error}); free some space and run the same command again"
    return f"{path}: cannot be used ({error}); {_ELSEWHERE}"


def lock_complaint(path: Path, what: str) -> str:
    """The message about a file that another process keeps locked; `what` is what could not be done."""
    return f"{path}: another process keeps it locked, {what}; end that process or name another file with --cache"
