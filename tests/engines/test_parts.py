"""A part appears when it is complete, whoever else writes it at the same time."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

from adjudge.core.record import Key
from adjudge.engines.parts import batches_of, find_part, write_part
from adjudge.run.batch import ScoredBatch

BATCH = ScoredBatch([Key("case", "arm", 0)], b"record\n", b"score\n", b"columns\n")


def test_two_threads_of_a_worker_write_the_same_part(tmp_path: Path) -> None:
    # A thread may still work for a command that was killed while another one works for the same command again.
    def batches_of_the_slower_thread() -> Iterator[ScoredBatch]:
        yield BATCH
        other = threading.Thread(target=write_part, args=(tmp_path, "part", [BATCH, BATCH]))
        other.start()
        other.join()
        yield BATCH

    write_part(tmp_path, "part", batches_of_the_slower_thread())
    part = find_part(tmp_path, "part")
    assert part is not None
    assert list(batches_of(tmp_path, part)) == [BATCH, BATCH]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["part.content", "part.json"]
