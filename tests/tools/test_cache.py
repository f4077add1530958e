from __future__ import annotations

import os
import resource
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import numpy as np
import pytest

from adjudge.core.errors import BadInput
from adjudge.tools.cache import Answers
from adjudge.tools.embed.vectors import CachedVectors

WRITER = """
import sys
from pathlib import Path
from adjudge.tools.cache import Answers
path, name, count = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
with Answers(path) as answers:
    for i in range(count):
        answers.put(f"{name}{i}", f"{name}{i}".encode() * 20)
        if i % 100 == 0:
            answers.flush()
"""

ENDLESS = """
import sys, time
from pathlib import Path
from adjudge.tools.cache import Answers
answers = Answers(Path(sys.argv[1]))
for i in range(10**9):
    answers.put(f"k{i}", f"v{i}".encode() * 50)
    print(i, time.monotonic(), flush=True)
"""

FLUSHING = """
import sys
from pathlib import Path
from adjudge.tools.cache import Answers
answers = Answers(Path(sys.argv[1]))
for i in range(10**9):
    answers.put(f"k{i}", f"v{i}".encode() * 50)
    if i % 7 == 6:
        answers.flush()
        print(i, 0, flush=True)
"""

FILLING = """
import sys
sys.path.insert(0, sys.argv[1])
import pathlib, test_cache
test_cache.fill_up(pathlib.Path(sys.argv[2]))
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "answers.sqlite"


def start(code: str, *arguments: object) -> subprocess.Popen[str]:
    return subprocess.Popen([sys.executable, "-c", code, *map(str, arguments)], stdout=subprocess.PIPE, text=True)


def sound(path: Path) -> bool:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


@contextmanager
def as_somebody_else() -> Iterator[None]:
    """Without the right of the superuser to write everything."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


def test_what_was_put_is_there_at_once_and_after_reopening(path: Path) -> None:
    with Answers(path) as answers:
        answers.put("a", b"1")
        assert answers.get(["a", "b"]) == {"a": b"1"}
    with Answers(path) as answers:
        assert answers.get(["a", "b"]) == {"a": b"1"}


def test_the_last_answer_wins_whether_committed_or_not(path: Path) -> None:
    with Answers(path) as answers:
        answers.put("a", b"old")
        answers.flush()
        answers.put("a", b"new")
        assert answers.get(["a"]) == {"a": b"new"}
        assert answers.size() == 1
    with Answers(path) as answers:
        assert answers.get(["a"]) == {"a": b"new"}


def test_answers_are_committed_without_being_asked_to(path: Path) -> None:
    with Answers(path) as answers, closing(sqlite3.connect(path)) as other:
        answers.put("a", b"1")
        deadline = time.monotonic() + 60
        while not other.execute("SELECT count(*) FROM answers").fetchone()[0]:
            assert time.monotonic() < deadline
            time.sleep(0.01)


def test_more_keys_than_sqlite_takes_at_once(path: Path) -> None:
    keys = [f"k{i}" for i in range(40_000)]
    with Answers(path) as answers:
        answers.put_many({key: key.encode() for key in keys[::2]})
        answers.flush()
        assert answers.get(keys) == {key: key.encode() for key in keys[::2]}


def test_the_file_is_its_owners_only(path: Path) -> None:
    with Answers(path) as answers:
        answers.put("a", b"1")
        answers.flush()
        files = list(path.parent.iterdir())
        assert len(files) == 3  # The database, its log and the log's index.
        assert {file.stat().st_mode & 0o777 for file in files} == {0o600}
    assert list(path.parent.iterdir()) == [path]


def test_threads_put_and_get_at_once(path: Path) -> None:
    wrong: list[str] = []

    def work(name: str) -> None:
        for i in range(300):
            answers.put(f"{name}{i}", b"x")
            if answers.get([f"{name}{i}"]) != {f"{name}{i}": b"x"}:
                wrong.append(f"{name}{i}")

    with Answers(path) as answers:
        threads = [threading.Thread(target=work, args=(name,)) for name in "abcdefgh"]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert not wrong
        assert answers.size() == 2400


def test_processes_that_create_and_write_at_once_lose_nothing(path: Path) -> None:
    writers = [start(WRITER, path, name, 2000) for name in ("a", "b", "c")]
    for writer in writers:
        writer.communicate(timeout=60)
    assert [writer.returncode for writer in writers] == [0, 0, 0]
    keys = [f"{name}{i}" for name in "abc" for i in range(2000)]
    with Answers(path) as answers:
        assert answers.get(keys) == {key: key.encode() * 20 for key in keys}
    assert sound(path)


def killed_after(seconds: float, code: str, path: Path) -> list[tuple[int, float]]:
    """What a process said about each of its answers, and how long before it was killed."""
    process = start(code, path)
    assert process.stdout is not None
    with process.stdout:
        first = process.stdout.readline()
        time.sleep(seconds)
        now = time.monotonic()
        process.kill()
        printed = [line.split() for line in (first, *process.stdout) if line.endswith("\n")]
    assert process.wait() == -signal.SIGKILL
    return [(int(number), now - float(when)) for number, when in printed]


def assert_kept(path: Path, count: int) -> None:
    assert count > 0
    with Answers(path) as answers:
        assert answers.get([f"k{i}" for i in range(count)]) == {f"k{i}": f"v{i}".encode() * 50 for i in range(count)}
    assert sound(path)


@pytest.mark.parametrize("seconds", [0.21, *(pytest.param(at, marks=pytest.mark.trial) for at in (0.05, 0.4, 0.8))])
def test_sigkill_takes_nothing_that_was_flushed(path: Path, seconds: float) -> None:
    printed = killed_after(seconds, FLUSHING, path)
    assert_kept(path, max(number for number, _ in printed) + 1)


@pytest.mark.trial
@pytest.mark.parametrize("seconds", [0.7, 1.1])
def test_sigkill_takes_the_last_moment_only(path: Path, seconds: float) -> None:
    printed = killed_after(seconds, ENDLESS, path)
    # A busy machine may hold up the committing thread for longer than the 100 ms that it takes at rest.
    assert_kept(path, max(number for number, age in printed if age > 0.5) + 1)


@pytest.mark.trial
def test_a_hundred_thousand_answers_take_linear_time(path: Path) -> None:
    def seconds(first: int, last: int) -> float:
        started = time.perf_counter()
        for i in range(first, last):
            answers.put(f"{i:064x}", b"answer" * 50)
        answers.flush()
        assert len(answers.get([f"{i:064x}" for i in range(first, last)])) == last - first
        return time.perf_counter() - started

    with Answers(path) as answers:
        parts = [seconds(first, first + 25_000) for first in range(0, 100_000, 25_000)]
        assert answers.size() == 100_000
    assert parts[3] < 3 * min(parts) + 1


def test_a_lock_of_another_process_delays_answers_and_loses_none(path: Path) -> None:
    with Answers(path) as answers, closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        answers.put("a", b"1")
        time.sleep(0.3)
        answers.put("b", b"2")
        assert answers.get(["a", "b"]) == {"a": b"1", "b": b"2"}
        other.execute("COMMIT")
        answers.flush()
        assert other.execute("SELECT key FROM answers ORDER BY key").fetchall() == [("a",), ("b",)]


def test_a_lock_that_never_ends_is_told_with_what_is_not_saved(path: Path) -> None:
    answers = Answers(path, patience=0.2)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        answers.put("a", b"1")
        with pytest.raises(BadInput, match=r"answers\.sqlite: another process keeps it locked, 1 answers"):
            answers.flush()
        other.execute("COMMIT")
    answers.close()
    with Answers(path) as again:
        assert again.get(["a"]) == {"a": b"1"}


def test_an_answer_after_closing_is_refused(path: Path) -> None:
    answers = Answers(path)
    answers.close()
    with pytest.raises(ValueError, match="closed"):
        answers.put("a", b"1")


def test_a_file_that_is_no_database_is_refused_and_left_alone(path: Path) -> None:
    path.write_bytes(b"these are not answers" * 500)
    with pytest.raises(BadInput, match=r"answers\.sqlite: is damaged, or is not a cache.*--cache"):
        Answers(path)
    assert path.read_bytes() == b"these are not answers" * 500


def test_a_database_of_another_program_is_refused_and_left_alone(path: Path) -> None:
    with closing(sqlite3.connect(path)) as other:
        other.execute("CREATE TABLE answers (question TEXT)")
    before = path.read_bytes()
    with pytest.raises(BadInput, match="database of another program"):
        Answers(path)
    assert path.read_bytes() == before


def test_a_damaged_database_is_refused_where_it_shows(path: Path) -> None:
    with Answers(path) as answers:
        answers.put_many({f"{i:064x}": b"answer" * 50 for i in range(2000)})
    content = bytearray(path.read_bytes())
    content[8192:-4096] = b"\xff" * (len(content) - 8192 - 4096)
    path.write_bytes(content)
    with pytest.raises(BadInput, match="is damaged, or is not a cache"), Answers(path) as answers:
        answers.get([f"{i:064x}" for i in range(2000)])
    assert path.read_bytes()[8192:8200] == b"\xff" * 8


def test_a_file_that_cannot_be_written_is_refused() -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "answers.sqlite"
        Answers(path).close()
        Path(folder).chmod(0o755)
        path.chmod(0o444)
        with as_somebody_else(), pytest.raises(BadInput, match=r"cannot be opened for writing \(Permission denied\)"):
            Answers(path)


def test_a_folder_in_place_of_the_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="Is a directory"):
        Answers(tmp_path)


def fill_up(path: Path) -> None:
    """Put answers where the system lets files grow to 200 KB only; for a process of its own."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, resource.RLIM_INFINITY))
    answers = Answers(path)
    answers.put("first", b"x")
    answers.flush()
    try:
        answers.put_many({str(i): b"x" * 1000 for i in range(1000)})
        answers.flush()
    except BadInput as error:
        print(error)
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    answers.close()


def test_a_full_disk_is_told_and_what_was_put_is_written_once_there_is_room(path: Path) -> None:
    done = start(FILLING, Path(__file__).parent, path)
    output, _ = done.communicate(timeout=60)
    assert done.returncode == 0
    assert f"{path}: cannot be written" in output
    assert "free some space" in output
    with Answers(path) as answers:
        assert answers.size() == 1001
    assert sound(path)


def test_vectors_come_back_as_they_were_put_for_their_model_only(path: Path) -> None:
    vectors = {"a text": np.array([0.1, -2.5, 3e-8], np.float32), "": np.zeros(3, np.float32)}
    with Answers(path) as answers:
        CachedVectors(answers, "model-1").put_many(vectors)
    with Answers(path) as answers:
        kept = CachedVectors(answers, "model-1").get_many(["a text", "", "unknown"])
        assert sorted(kept) == ["", "a text"]
        assert all(kept[text].dtype == np.float32 and (kept[text] == vectors[text]).all() for text in kept)
        assert CachedVectors(answers, "model-2").get_many(["a text"]) == {}


def test_vectors_are_kept_as_little_endian_32_bit_floats(path: Path) -> None:
    with Answers(path) as answers:
        CachedVectors(answers, "m").put_many({"x": np.array([1.0, -2.0], np.float32)})
    with closing(sqlite3.connect(path)) as other:
        assert other.execute("SELECT value FROM answers").fetchall() == [(b"\0\0\x80\x3f\0\0\0\xc0",)]
