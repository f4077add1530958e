"""Scoring in several processes: batches of rows go out, lines of the run come back in order."""

from __future__ import annotations

import gc
import os
import signal
import threading
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from itertools import islice
from multiprocessing import get_context, parent_process
from typing import NamedTuple

import msgspec

from adjudge.core.coverage import Coverage
from adjudge.core.errors import BadInput, Warnings
from adjudge.core.mark import Score, ScoreRow
from adjudge.core.record import Key, Record
from adjudge.engines.job import Job
from adjudge.engines.survey import Inventory, Placed, rows_of
from adjudge.score import Plan, Scorer

# Rows that a worker gets at a time: enough that sending them costs little, few enough that progress is seen.
BATCH = 128


class ScoredBatch(NamedTuple):
    """Keys of records, and the same records and their scores as JSON lines."""

    keys: list[Key]
    records: bytes
    scores: bytes


def score_in_processes(job: Job, inventory: Inventory, done: set[Key], jobs: int) -> Iterator[ScoredBatch]:
    """Score in several processes; batches come back in order, and only a few are under way at once."""
    start = msgspec.json.encode(job.plan), msgspec.json.encode(inventory.coverage)
    before = set(done)
    pool = ProcessPoolExecutor(jobs, get_context("spawn"), _start_worker, start)
    under_way: deque[Future[ScoredBatch]] = deque()
    try:
        for batch in _batches(rows_of(job, inventory)):
            with _interrupts_held_back():
                under_way.append(pool.submit(_score_batch, batch, before))
            # At most about three batches for each worker are under way, which bounds the memory.
            if len(under_way) > 3 * jobs:
                yield under_way.popleft().result()
        while under_way:
            yield under_way.popleft().result()
    except BrokenProcessPool as error:
        raise BadInput(
            "a scoring process was ended from outside (out of memory?); "
            "run the same command again to go on from there, with fewer --jobs if it happens again"
        ) from error
    finally:
        pool.shutdown(cancel_futures=True)


def score_row(record: Record, scores: dict[str, Score]) -> ScoreRow:
    """The line of `scores.jsonl` for a record."""
    key = record.key
    return ScoreRow(key.case, key.arm, scores, key.trial, record.facets, record.fingerprints)


_worker: tuple[Job, Scorer] | None = None


def _start_worker(plan: bytes, coverage: bytes) -> None:
    global _worker
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent, which ends its workers.
    threading.Thread(target=_end_with_parent, daemon=True).start()
    job = Job.open(msgspec.json.decode(plan, type=Plan))
    _worker = job, job.scorer(msgspec.json.decode(coverage, type=Coverage))
    gc.disable()


def _end_with_parent() -> None:
    """End this process when its parent has ended, even if the parent was killed."""
    if (parent := parent_process()) is not None:
        parent.join()
        os._exit(1)


def _score_batch(rows: list[Placed], done: set[Key]) -> ScoredBatch:
    assert _worker is not None
    job, scorer = _worker
    records = [record for where, row in rows for record in job.source.records(where, row, Warnings())]
    scored = list(scorer.score(record for record in records if record.key not in done))
    encode = msgspec.json.Encoder().encode
    return ScoredBatch(
        [record.key for record, _ in scored],
        b"".join([encode(record) + b"\n" for record, _ in scored]),
        b"".join([encode(score_row(record, scores)) + b"\n" for record, scores in scored]),
    )


@contextmanager
def _interrupts_held_back() -> Iterator[None]:
    """Hold Ctrl-C back while processes start: they inherit the mask, so Ctrl-C does not end one that is starting."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _batches(rows: Iterable[Placed]) -> Iterator[list[Placed]]:
    rows = iter(rows)
    while batch := list(islice(rows, BATCH)):
        yield batch
