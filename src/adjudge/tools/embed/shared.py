"""Vectors that runs share: one file in the user's cache, of bounded size, which may be lost at any time."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar
from zlib import crc32

from adjudge.tools.embed.answerer import VectorStore

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Row = NDArray[np.float32]

T = TypeVar("T")

NAME = "vectors.sqlite"
# About 300,000 vectors of 384 numbers. Beyond it the oldest quarter is dropped.
MAX_BYTES = 512 << 20
# Seconds to wait for another process; embedding a portion of texts takes longer than writing one.
_PATIENCE = 10.0
# SQLite takes at most 32,766 parameters in one statement.
_CHUNK = 1000
_CHECK_BYTES = 4
_SCHEMA = """
CREATE TABLE IF NOT EXISTS vectors (number INTEGER PRIMARY KEY, key BLOB UNIQUE NOT NULL, vector BLOB NOT NULL)
"""
_DROP_OLDEST = """
DELETE FROM vectors WHERE number <= (
    SELECT number FROM vectors ORDER BY number LIMIT 1 OFFSET (SELECT count(*) / 4 FROM vectors)
)
"""
_USED_BYTES = """
SELECT (page_count - freelist_count) * page_size FROM pragma_page_count, pragma_freelist_count, pragma_page_size
"""


def cache_file() -> Path:
    """The file of the vectors in the user's cache folder."""
    base = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA") or Path.home() / ".cache"
    return Path(base) / "adjudge" / NAME


@contextmanager
def shared_vectors(own: VectorStore, model: str, place: str | None) -> Iterator[LayeredVectors]:
    """Vectors of a run with those that runs share behind them, in a file or, for None, in the user's cache."""
    shared = SharedVectors(Path(place).expanduser() if place else cache_file(), model)
    try:
        yield LayeredVectors(own, shared)
    finally:
        shared.close()


class SharedVectors:
    """Vectors by the hash of their model and text; neither texts nor their length can be read from the file.

    The file only saves time: a damaged one is replaced, and one that cannot be used is ignored. Several
    processes may use it at once. Each vector carries a checksum, so that none is ever another than the model gave.
    """

    def __init__(self, path: Path, model: str, max_bytes: int = MAX_BYTES) -> None:
        self.path = path
        self._model = model.encode()
        self._max_bytes = max_bytes
        self._connection = _connect(path)

    def get_many(self, texts: Sequence[str]) -> dict[str, Row]:
        """The vectors that are known, by text."""
        keys = {self._key(text): text for text in texts}
        vectors = {keys[key]: _unpack(key, value) for key, value in self._read(list(keys)).items()}
        return {text: vector for text, vector in vectors.items() if vector is not None}

    def put_many(self, vectors: Mapping[str, Row]) -> None:
        """Keep vectors by text, and drop the oldest ones where there are too many."""
        rows = [(key := self._key(text), _pack(key, vector)) for text, vector in vectors.items()]
        self._try(lambda connection: self._write(connection, rows), None)

    def close(self) -> None:
        """Close the file."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _read(self, keys: list[bytes]) -> dict[bytes, bytes]:
        known: dict[bytes, bytes] = {}
        for chunk in (keys[start : start + _CHUNK] for start in range(0, len(keys), _CHUNK)):
            query = f"SELECT key, vector FROM vectors WHERE key IN ({','.join('?' * len(chunk))})"
            known |= dict(self._try(lambda connection: connection.execute(query, chunk).fetchall(), []))  # noqa: B023
        return known

    def _write(self, connection: sqlite3.Connection, rows: list[tuple[bytes, bytes]]) -> None:
        with connection:
            connection.execute("BEGIN IMMEDIATE")
            connection.executemany("INSERT OR IGNORE INTO vectors (key, vector) VALUES (?, ?)", rows)
            if connection.execute(_USED_BYTES).fetchone()[0] > self._max_bytes:
                connection.execute(_DROP_OLDEST)

    def _try(self, action: Callable[[sqlite3.Connection], T], otherwise: T) -> T:
        """The result of an action; after a failure the file is made anew if it is damaged, else done without."""
        if self._connection is None:
            return otherwise
        try:
            return action(self._connection)
        except sqlite3.Error as fault:
            self.close()
            if _is_damage(fault):
                _remove(self.path)
                self._connection = _connect(self.path)
            return otherwise

    def _key(self, text: str) -> bytes:
        return sha256(self._model + b"\0" + text.encode("utf-8", "surrogatepass")).digest()


class LayeredVectors:
    """Vectors of the run, and behind them those that runs share; what is found behind is kept in the run, too."""

    def __init__(self, own: VectorStore, shared: VectorStore) -> None:
        self._own = own
        self._shared = shared

    def get_many(self, texts: Sequence[str]) -> dict[str, Row]:
        """The vectors that are known, by text."""
        own = dict(self._own.get_many(texts))
        shared = self._shared.get_many([text for text in texts if text not in own])
        self._own.put_many(shared)
        return {**own, **shared}

    def put_many(self, vectors: Mapping[str, Row]) -> None:
        """Keep vectors by text, for this run and for others."""
        self._own.put_many(vectors)
        self._shared.put_many(vectors)


def _connect(path: Path) -> sqlite3.Connection | None:
    """The file opened for its owner alone; None where it cannot be used."""
    try:
        return _open(path)
    except sqlite3.Error as fault:
        if not _is_damage(fault):
            return None
    except OSError:
        return None
    _remove(path)
    with suppress(sqlite3.Error, OSError):
        return _open(path)
    return None


def _open(path: Path) -> sqlite3.Connection:
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    path.chmod(0o600)
    connection = sqlite3.connect(path, timeout=_PATIENCE, isolation_level=None, check_same_thread=False)
    try:
        connection.execute(_SCHEMA)
        connection.execute("SELECT key, vector FROM vectors LIMIT 1").fetchall()
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def _remove(path: Path) -> None:
    for name in (path.name, f"{path.name}-journal"):
        with suppress(OSError):
            path.with_name(name).unlink()


def _is_damage(fault: sqlite3.Error) -> bool:
    # The low byte is the primary code. A table of other columns gives a general error.
    code = getattr(fault, "sqlite_errorcode", 0) & 0xFF
    return code in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_ERROR)


def _pack(key: bytes, vector: Row) -> bytes:
    data = vector.astype("<f4").tobytes()
    return data + _checksum(key, data)


def _checksum(key: bytes, data: bytes) -> bytes:
    return crc32(data, crc32(key)).to_bytes(_CHECK_BYTES, "little")


def _unpack(key: bytes, value: bytes) -> Row | None:
    """The vector of a value; None where its checksum is wrong."""
    import numpy as np

    data, check = value[:-_CHECK_BYTES], value[-_CHECK_BYTES:]
    if _checksum(key, data) != check:
        return None
    return np.frombuffer(data, "<f4").astype(np.float32)
