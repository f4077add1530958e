"""The cache: answers of tools by content hash, in one SQLite file that several processes may share."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Mapping, Sequence
from itertools import chain
from pathlib import Path
from types import TracebackType

from adjudge.core.errors import BadInput
from adjudge.tools import claims
from adjudge.tools.cache_file import (
    complaints,
    connect,
    create_file,
    is_busy,
    lock_complaint,
    retry_while_locked,
    sync_log,
)

NAME = "answers.sqlite"
# Why a question has no answer in a run that only reads the cache.
NOT_CACHED = "not in the cache and --replay forbids asking"

# A crash may lose the answers of the last 100 ms: half of that is for gathering them, half for writing them.
_PERIOD = 0.05
# Seconds to wait for another process that keeps the file locked.
_PATIENCE = 600.0
# SQLite takes at most 32,766 parameters in one statement.
_CHUNK = 1000
_SAVE = "INSERT INTO answers VALUES {rows} ON CONFLICT (key) DO UPDATE SET value = excluded.value"


class Answers:
    """Answers by key: a later one replaces an earlier one.

    `put` returns at once; a thread of its own commits what was put within 100 ms, `flush` and `close` commit the
    rest. `get` sees what was put at once, other processes see it once it is committed. While another process
    keeps the file locked, answers wait in memory. Not to be carried over a fork: open it where it is used.
    """

    def __init__(self, path: Path, patience: float = _PATIENCE) -> None:
        self.path = path
        self._patience = patience
        self._unsaved: dict[str, bytes] = {}
        self._saving: dict[str, bytes] = {}
        self._failure: BadInput | None = None
        self._flushing = self._closed = self._stopped = False
        self._changed = threading.Condition()
        self._reading = threading.Lock()
        self._saver: threading.Thread | None = None
        with complaints(path):
            create_file(path)
            self._reader = connect(path, patience)
            self._writer = connect(path, patience)
        self._writing = threading.Lock()
        self.claims = claims.Claims(lambda: connect(path, patience), writing=self._writing)

    def __enter__(self) -> Answers:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def get(self, keys: Sequence[str]) -> dict[str, bytes]:
        """The answers that are known, by key."""
        answers = self._unsaved_answers(keys)
        with complaints(self.path), self._reading:
            unknown = [key for key in keys if key not in answers]
            for chunk in (unknown[start : start + _CHUNK] for start in range(0, len(unknown), _CHUNK)):
                marks = ",".join("?" * len(chunk))
                answers.update(self._read(f"SELECT key, value FROM answers WHERE key IN ({marks})", chunk))
        return answers

    def put(self, key: str, value: bytes) -> None:
        """Keep an answer; raises BadInput if earlier ones could not be written."""
        self.put_many({key: value})

    def put_many(self, answers: Mapping[str, bytes]) -> None:
        """Keep many answers at once."""
        with self._changed:
            if self._failure is not None:
                raise self._failure
            if self._closed:
                raise ValueError(f"{self.path}: closed, so the answer to {next(iter(answers), '')!r} would be lost")
            idle = not self._unsaved
            self._unsaved.update(answers)
            if idle:
                self._start()
                self._changed.notify_all()

    def size(self) -> int:
        """The number of answers in the file, new ones included."""
        self.flush()
        with complaints(self.path), self._reading:
            return int(self._read("SELECT count(*) FROM answers")[0][0])

    def flush(self) -> None:
        """Wait until every answer is committed; a batch that could not be written is tried again."""
        with self._changed:
            self._failure = None
            if not self._waiting():
                return
            self._start()
            self._flushing = True
            self._changed.notify_all()
            done = self._changed.wait_for(lambda: not self._waiting() or self._failure, self._patience)
            self._flushing = False
            if self._failure is not None:
                raise self._failure
            if not done:
                raise BadInput(lock_complaint(self.path, f"{self._waiting()} answers are not saved"))

    def close(self) -> None:
        """Commit everything, release all claims and close the file."""
        with self._changed:
            self._closed = True
        try:
            self.flush()
        finally:
            self._stop()
            self.claims.close()
            self._reader.close()
            self._writer.close()

    def _unsaved_answers(self, keys: Sequence[str]) -> dict[str, bytes]:
        """The answers that are not committed yet."""
        with self._changed:
            if not self._waiting():
                return {}
            return {key: batch[key] for batch in (self._saving, self._unsaved) if batch for key in keys if key in batch}

    def _waiting(self) -> int:
        return len(self._unsaved) + len(self._saving)

    def _start(self) -> None:
        if self._saver is None:
            self._saver = threading.Thread(target=self._save, name="adjudge-answers", daemon=True)
            self._saver.start()

    def _stop(self) -> None:
        with self._changed:
            self._stopped = True
            self._changed.notify_all()
            saver = self._saver
        if saver is not None:
            saver.join()

    def _save(self) -> None:
        """Commit batch after batch until stopped or until one cannot be written."""
        while self._gather():
            try:
                with complaints(self.path):
                    with self._writing:
                        saved = self._commit()
                    sync_log(self.path)
            except BadInput as error:
                self._settle(saved=False, failure=error)
                return
            self._settle(saved)

    def _gather(self) -> bool:
        """Wait for a batch of answers; false once stopped."""
        with self._changed:
            self._changed.wait_for(lambda: self._unsaved or self._stopped)
            self._changed.wait_for(lambda: self._flushing or self._stopped, _PERIOD)
            if self._stopped:
                return False
            self._saving, self._unsaved = self._unsaved, {}
            return True

    def _settle(self, saved: bool, failure: BadInput | None = None) -> None:
        """Drop the batch if it is saved; otherwise put it back, before the answers that came since."""
        with self._changed:
            if not saved:
                self._unsaved = {**self._saving, **self._unsaved}
            self._saving = {}
            if failure is not None:
                self._failure, self._saver = failure, None
            self._changed.notify_all()

    def _commit(self) -> bool:
        """Commit the batch; false if another process keeps the file locked."""
        try:
            self._writer.execute("BEGIN IMMEDIATE")
            self._insert_answers()
            # In the same transaction: others see the answer as soon as they no longer see the claim.
            self._writer.execute(claims.RELEASE, (claims.list_keys(self._saving),))
            self._writer.execute("COMMIT")
        except sqlite3.Error as error:
            if self._writer.in_transaction:
                self._writer.execute("ROLLBACK")
            if not is_busy(error):
                raise
            return False
        return True

    def _insert_answers(self) -> None:
        # Many rows in one statement: between two statements, this thread waits for the interpreter lock.
        rows = list(self._saving.items())
        for chunk in (rows[start : start + _CHUNK] for start in range(0, len(rows), _CHUNK)):
            self._writer.execute(_SAVE.format(rows=",".join(["(?,?)"] * len(chunk))), list(chain.from_iterable(chunk)))

    def _read(self, query: str, values: Sequence[str] = ()) -> list[tuple[str, bytes]]:
        return retry_while_locked(lambda: self._reader.execute(query, values).fetchall(), self._patience)
