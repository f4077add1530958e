"""Claims: which questions are on their way, so that processes that share a cache do not pay for the same one twice.

A claim belongs to a process and is valid while that process lives. Every process renews its lease in the table
`owners`. The claims of a process that ended without a word, or that was suspended for longer than the lease, are free.
"""

from __future__ import annotations

import asyncio
import os
import secrets
import sqlite3
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Literal

import msgspec

# Seconds after which a process that has not renewed its lease is taken for dead.
LEASE = 10.0
SCHEMA = """
CREATE TABLE IF NOT EXISTS claims (key TEXT PRIMARY KEY, owner TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS owners (owner TEXT PRIMARY KEY, renewed REAL NOT NULL);
"""
RELEASE = "DELETE FROM claims WHERE key = ?"
_RELEASE_OWN = "DELETE FROM claims WHERE key = ? AND owner = ?"
_LISTED = "key IN (SELECT value FROM json_each(?))"
_CLAIM = "INSERT INTO claims SELECT value, ? FROM json_each(?) WHERE true ON CONFLICT (key) DO NOTHING RETURNING key"
_OWN = f"SELECT key FROM claims WHERE owner = ? AND {_LISTED}"
_ANSWERED = f"SELECT key FROM answers WHERE {_LISTED}"
_RENEW = "INSERT INTO owners VALUES (?, ?) ON CONFLICT (owner) DO UPDATE SET renewed = excluded.renewed"

Connect = Callable[[], sqlite3.Connection]
# What became of a wish for a claim. "new": this process asks, and nobody has asked before. "own": this process may ask,
# but there may be an answer already. "taken": another process asks.
Outcome = Literal["new", "own", "taken"]


class _Request:
    """A wish for a claim, and the future of an event loop that waits for the outcome."""

    def __init__(self, key: str) -> None:
        self.key = key
        self.loop = asyncio.get_running_loop()
        self.outcome: asyncio.Future[Outcome] = self.loop.create_future()


class Claims:
    """The claims of this process on questions of one cache; `connect` opens the cache's file.

    A thread of its own takes and releases many claims in one transaction. `writing` is held meanwhile: SQLite lets two
    writers of one process sleep for milliseconds before they look again whether the file is free. Where the file cannot
    be written, every claim is granted: then the worst that happens is that a question is paid for twice.
    """

    def __init__(self, connect: Connect, lease: float = LEASE, writing: threading.Lock | None = None) -> None:
        self._writing = writing or threading.Lock()
        self.owner = f"{_process_space()} {os.getpid()} {secrets.token_hex(8)}"
        self._connect = connect
        self._lease = lease
        self._requests: list[_Request] = []
        self._releases: list[str] = []
        self._changed = threading.Condition()
        self._closed = False
        self._thread: threading.Thread | None = None

    async def acquire(self, key: str) -> Outcome:
        """Claim a question for this process, unless another process has."""
        request = _Request(key)
        with self._changed:
            if self._closed:
                return "own"
            self._start()
            if not self._requests:
                self._changed.notify_all()
            self._requests.append(request)
        return await request.outcome

    def release(self, key: str) -> None:
        """Let others ask the question; an answer that is put into the cache releases its question by itself."""
        with self._changed:
            self._releases.append(key)
            self._changed.notify_all()

    def close(self) -> None:
        """Release all claims."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
            thread = self._thread
        if thread is not None:
            thread.join()

    def _start(self) -> None:
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, name="adjudge-claims", daemon=True)
            self._thread.start()

    def _work(self) -> None:
        connection = self._open()
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._requests or self._releases or self._closed, self._lease / 5)
                requests, self._requests = self._requests, []
                releases, self._releases = self._releases, []
                closed = self._closed
            _answer(requests, self._transact(connection, releases, [request.key for request in requests]))
            if closed:
                break
        if connection is not None:
            self._leave(connection)

    def _open(self) -> sqlite3.Connection | None:
        try:
            return self._connect()
        except Exception:
            return None

    def _transact(
        self, connection: sqlite3.Connection | None, releases: Sequence[str], keys: Sequence[str]
    ) -> dict[str, Outcome]:
        """Renew the lease, release and take claims; what became of each key."""
        if connection is None:
            return dict.fromkeys(keys, "own")
        with self._writing:
            return self._transact_alone(connection, releases, keys)

    def _transact_alone(
        self, connection: sqlite3.Connection, releases: Sequence[str], keys: Sequence[str]
    ) -> dict[str, Outcome]:
        try:
            connection.execute("BEGIN IMMEDIATE")
            connection.execute(_RENEW, (self.owner, time.time()))
            connection.executemany(_RELEASE_OWN, ((key, self.owner) for key in releases))
            self._release_dead_owners(connection)
            outcomes = self._claim(connection, keys) if keys else {}
            connection.execute("COMMIT")
        except sqlite3.Error:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            return dict.fromkeys(keys, "own")
        return outcomes

    def _claim(self, connection: sqlite3.Connection, keys: Sequence[str]) -> dict[str, Outcome]:
        listed = msgspec.json.encode(keys).decode()
        new, own, answered = (
            {key for (key,) in connection.execute(query, values).fetchall()}
            for query, values in (
                (_CLAIM, (self.owner, listed)),
                (_OWN, (self.owner, listed)),
                (_ANSWERED, (listed,)),
            )
        )
        unanswered = new - answered
        return {key: "new" if key in unanswered else "own" if key in own else "taken" for key in keys}

    def _release_dead_owners(self, connection: sqlite3.Connection) -> None:
        """Release the claims of processes that have ended or have not renewed their lease."""
        now = time.time()
        for owner, renewed in connection.execute("SELECT owner, renewed FROM owners").fetchall():
            # A time far in the future comes from a clock that was set back since.
            if owner != self.owner and (abs(now - renewed) > self._lease or _is_gone(owner)):
                _forget(connection, owner)

    def _leave(self, connection: sqlite3.Connection) -> None:
        with suppress(sqlite3.Error):
            connection.execute("BEGIN IMMEDIATE")
            _forget(connection, self.owner)
            connection.execute("COMMIT")
        connection.close()


def _forget(connection: sqlite3.Connection, owner: str) -> None:
    connection.execute("DELETE FROM claims WHERE owner = ?", (owner,))
    connection.execute("DELETE FROM owners WHERE owner = ?", (owner,))


def _answer(requests: Sequence[_Request], outcomes: Mapping[str, Outcome]) -> None:
    """Tell each event loop the outcomes of its requests."""
    for loop in {request.loop for request in requests}:
        own = [request for request in requests if request.loop is loop]
        with suppress(RuntimeError):  # The loop has been closed: nobody waits any more.
            loop.call_soon_threadsafe(_set_outcomes, own, outcomes)


def _set_outcomes(requests: Sequence[_Request], outcomes: Mapping[str, Outcome]) -> None:
    for request in requests:
        if not request.outcome.done():
            request.outcome.set_result(outcomes[request.key])


@cache
def _process_space() -> str:
    """A name for the space in which process numbers mean the same; "-" where that cannot be told.

    On Linux it is the boot of the machine and the namespace: two containers have different processes of one number.
    """
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text("ascii").strip()
        return f"{boot}/{os.readlink('/proc/self/ns/pid')}"
    except OSError:
        return "-"


def _is_gone(owner: str) -> bool:
    """Whether the process of an owner has surely ended."""
    space, _, rest = owner.partition(" ")
    if space == "-" or space != _process_space():
        return False
    try:
        os.kill(int(rest.partition(" ")[0]), 0)
    except ProcessLookupError:
        return True
    except (OSError, ValueError):
        return False
    return False
