"""A run that keeps a part of its records, killed while it writes, comes out as if nothing had happened."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
from pathlib import Path
from unittest.mock import patch

import pytest

from adjudge.cli.main import main
from adjudge.run.keep import KeepColumns
from small_service import hotel, lines, user

DIALOGUES = 240
# Batches of 16, so that a small run has many. The process kills itself in the middle of a write of a number.
KILLED = """
import os, signal, sys
from adjudge.cli.main import main
from adjudge.run import append
from adjudge.run.keep import KeepColumns

KeepColumns.batch_size = 16
left, share = int(sys.argv[1]), float(sys.argv[2])
write_all = append.write_all

def write_and_die(file, content):
    global left
    left -= 1
    if left:
        return write_all(file, content)
    write_all(file, content[:int(share * len(content))])
    os.kill(os.getpid(), signal.SIGKILL)

append.write_all = write_and_die
sys.exit(main(sys.argv[3:]))
"""
KINDS = ["worst:3", "tallies"]


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with many dialogues, their predictions, and the undisturbed run of each kind."""
    folder = tmp_path_factory.mktemp("lean")
    dialogues, mine = [], {}
    for number in range(DIALOGUES):
        turns = [user("0", "A hotel.", "find_hotel", {"hotel-stars": [str(number % 5)]}), hotel()["turns"][1]]
        dialogues.append({"dialogue_id": f"BIG{number:05}.json", "services": ["hotel"], "turns": turns})
        mine[f"big{number:05}"] = [{"response": "Yes.", "state": {"hotel": {"stars": str(number % 3)}}}]
    (folder / "gold.jsonl").write_text(lines(*dialogues))
    (folder / "mine.json").write_text(json.dumps(mine))
    for keep in KINDS:
        score(folder, folder / keep.partition(":")[0], keep, 0, 0.0)
    return folder


def score(data: Path, run: Path, keep: str, after: int, share: float) -> int:
    files = [str(data / "gold.jsonl"), "--predictions", str(data / "mine.json")]
    command = ["score", "service", *files, "-o", str(run), "-q", "--keep", keep]
    if not after:
        with patch.object(KeepColumns, "batch_size", 16):
            return main(command)
    return subprocess.run([sys.executable, "-c", KILLED, str(after), str(share), *command]).returncode


def assert_same_after_kills(data: Path, keep: str, kills: list[tuple[int, float]]) -> None:
    whole, run = data / keep.partition(":")[0], data / f"killed{random.Random(str([keep, *kills])).random()}"
    for after, share in kills:
        assert score(data, run, keep, after, share) == -signal.SIGKILL
        assert json.loads((run / "run.json").read_text())["status"] == "running"
    assert score(data, run, keep, 0, 0.0) == 0
    names = sorted(path.name for path in whole.iterdir())
    assert sorted(path.name for path in run.iterdir()) == names
    for name in names:
        if name != "run.json":
            assert (run / name).read_bytes() == (whole / name).read_bytes(), name


@pytest.mark.parametrize("keep", KINDS)
def test_killed_in_the_middle_of_a_write_a_lean_run_comes_out_the_same(data: Path, keep: str) -> None:
    assert_same_after_kills(data, keep, [(1 + random.Random(5).randrange(20), 0.5)])


@pytest.mark.trial
@pytest.mark.parametrize("keep", KINDS)
@pytest.mark.parametrize("share", [0.0, 0.3, 1.0])
def test_killed_at_any_write_a_lean_run_comes_out_the_same(data: Path, keep: str, share: float) -> None:
    for after in range(1, 45, 4):
        assert_same_after_kills(data, keep, [(after, share)])
    assert_same_after_kills(data, keep, [(4, share), (9, 0.5), (1, share)])
