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
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Literal

import msgspec

# Seconds after which a process that has not renewed its lease is taken for dead.
LEASE = 10.0
SCHEMA = """
CREATE TABLE IF NOT EXISTS claims (key TEXT PRIMARY KEY, owner TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS owners (owner TEXT PRIMARY KEY, renewed REAL NOT NULL);
"""
_LISTED = "key IN (SELECT value FROM json_each(?))"
RELEASE = f"DELETE FROM claims WHERE {_LISTED}"
_RELEASE_OWN = f"{RELEASE} AND owner = ?"
_CLAIM = "INSERT INTO claims SELECT value, ? FROM json_each(?) WHERE true ON CONFLICT (key) DO NOTHING RETURNING key"
_OWN = f"SELECT key FROM claims WHERE owner = ? AND {_LISTED}"
_ANSWERED = f"SELECT key FROM answers WHERE {_LISTED}"
_RENEW = "INSERT INTO owners VALUES (?, ?) ON CONFLICT (owner) DO UPDATE SET renewed = excluded.renewed"

Connect = Callable[[], sqlite3.Connection]
# The outcome of a request for a claim. "new": this process asks, and nobody has asked before. "own": this process may
# ask, but there may be an answer already. "taken": another process asks.
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

    Questions that are expected soon are claimed ahead of their turn together with others, so that a request does not
    wait for a transaction of its own.
    """

    def __init__(self, connect: Connect, lease: float = LEASE, writing: threading.Lock | None = None) -> None:
        self._writing = writing or threading.Lock()
        self.owner = f"{_process_space()} {os.getpid()} {secrets.token_hex(8)}"
        self._connect = connect
        self._lease = lease
        self._requests: list[_Request] = []
        # Questions that will be asked, in this order; those of them that are being claimed; those that are claimed.
        self._expected: dict[str, None] = {}
        self._claiming: set[str] = set()
        self._ahead: dict[str, Outcome] = {}
        self._most_ahead = 0
        # Requests for questions that are being claimed ahead.
        self._joined: list[_Request] = []
        self._releases: list[str] = []
        self._changed = threading.Condition()
        self._closed = False
        self._thread: threading.Thread | None = None

    def expect(self, keys: Sequence[str], most: int) -> None:
        """Announce questions that will be claimed; at most about `most` of them are claimed ahead of their turn."""
        with self._changed:
            self._expected.update(dict.fromkeys(keys))
            self._most_ahead = max(self._most_ahead, most)

    async def acquire(self, key: str) -> Outcome:
        """Claim a question for this process, unless another process has."""
        with self._changed:
            if self._closed:
                return "own"
            outcome = self._ahead.pop(key, None)
            if outcome is not None:
                if self._is_short():
                    self._changed.notify_all()
                return outcome
            request = self._request(key)
        return await request.outcome

    def release(self, key: str) -> None:
        """Let others ask the question; an answer that is put into the cache releases its question by itself."""
        with self._changed:
            self._claiming.discard(key)
            self._ahead.pop(key, None)
            self._releases.append(key)
            self._changed.notify_all()

    def withdraw(self, keys: Iterable[str]) -> None:
        """Let others ask those of the questions that were announced and have not been acquired."""
        with self._changed:
            for key in keys:
                self._expected.pop(key, None)
                if key in self._claiming or key in self._ahead:
                    self._claiming.discard(key)
                    self._ahead.pop(key, None)
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

    def _request(self, key: str) -> _Request:
        """A request that the thread will answer; its question is no longer only expected."""
        self._start()
        if not self._requests:
            self._changed.notify_all()
        request = _Request(key)
        if key in self._claiming:
            self._claiming.discard(key)
            self._joined.append(request)
        else:
            self._expected.pop(key, None)
            self._requests.append(request)
        return request

    def _is_short(self) -> bool:
        """Whether it is time to claim more questions ahead: half of them at once, so that transactions are few."""
        return bool(self._expected) and 2 * len(self._ahead) <= self._most_ahead

    def _take_expected(self) -> list[str]:
        """The questions to claim ahead now."""
        count = max(0, self._most_ahead - len(self._ahead)) if self._requests or self._is_short() else 0
        keys = list(islice(self._expected, count))
        for key in keys:
            del self._expected[key]
        self._claiming.update(keys)
        return keys

    def _start(self) -> None:
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, name="adjudge-claims", daemon=True)
            self._thread.start()

    def _work(self) -> None:
        connection = self._open()
        while True:
            with self._changed:
                self._changed.wait_for(self._has_work, self._lease / 5)
                expected = self._take_expected()
                requests, self._requests = self._requests, []
                releases, self._releases = self._releases, []
                closed = self._closed
            keys = [*(request.key for request in requests), *expected]
            outcomes = self._transact(connection, releases, keys)
            _answer([*requests, *self._keep_ahead(outcomes)], outcomes)
            if closed:
                break
        if connection is not None:
            self._leave(connection)

    def _has_work(self) -> bool:
        return bool(self._requests or self._releases or self._closed or self._is_short())

    def _keep_ahead(self, outcomes: Mapping[str, Outcome]) -> list[_Request]:
        """Keep the claims that nobody has requested yet; the requests for the others.

        What another process asks is looked at again when its turn comes.
        """
        with self._changed:
            self._ahead.update((key, outcomes[key]) for key in self._claiming if outcomes[key] != "taken")
            self._claiming.clear()
            joined, self._joined = self._joined, []
        return joined

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
            if releases:
                connection.execute(_RELEASE_OWN, (list_keys(releases), self.owner))
            self._release_dead_owners(connection)
            outcomes = self._claim(connection, keys) if keys else {}
            connection.execute("COMMIT")
        except sqlite3.Error:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            return dict.fromkeys(keys, "own")
        return outcomes

    def _claim(self, connection: sqlite3.Connection, keys: Sequence[str]) -> dict[str, Outcome]:
        listed = list_keys(keys)
        new = _keys(connection, _CLAIM, (self.owner, listed))
        own = new if len(new) == len(keys) else _keys(connection, _OWN, (self.owner, listed))
        unanswered = new - _keys(connection, _ANSWERED, (listed,))
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


def list_keys(keys: Iterable[str]) -> str:
    """Keys as the statements here take them."""
    return msgspec.json.encode(list(keys)).decode()


def _keys(connection: sqlite3.Connection, query: str, values: tuple[str, ...]) -> set[str]:
    return {key for (key,) in connection.execute(query, values).fetchall()}


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
