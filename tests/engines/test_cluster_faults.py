"""Workers, the scheduler or the command are killed at random points: the same command again makes the same run."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from adjudge.engines.cluster import AHEAD
from dask_cluster import DaskCluster, running

pytestmark = [pytest.mark.slow, pytest.mark.trial]

# A metric that writes down which dialogues it scores, and takes its time.
METRICS = '''
import time
from pathlib import Path
from adjudge import Mark, metric

@metric("Length", formula="turns", unit="conversation", better="neither", scale=(0.0, None), source="a test")
def length(dialogue):
    """How many turns are there?"""
    time.sleep(0.002)
    with Path(__file__).with_name("scored.txt").open("a") as file:
        file.write(dialogue.id + "\\n")
    yield Mark(float(len(dialogue.turns)))
'''
# `adjudge` with small shards.
COMMAND = """
import sys
from adjudge.cli.main import main
from adjudge.engines import shards

shards.SHARD_BYTES = 2000
sys.exit(main(sys.argv[1:]))
"""
DIALOGUES = 600
# Dialogues of a shard, at most.
TOGETHER = 30
KILLS = 20
WORKERS = 3
# Shards that the workers have been given and may still score after the scheduler or the command is gone.
HANDED_OUT = AHEAD * WORKERS


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with dialogues, a metric, and the run that nobody disturbed."""
    folder = tmp_path_factory.mktemp("faults")
    (folder / "own.py").write_text(METRICS, "utf-8")
    turn = {"id": "0", "speaker": "user", "text": "Hello."}
    lines = [json.dumps({"id": f"d{number}", "arm": "mine", "turns": [turn]}) for number in range(DIALOGUES)]
    (folder / "talks.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
    assert start(folder, "alone").wait() == 0
    return folder


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DaskCluster]:
    yield from running(tmp_path_factory.mktemp("cluster"), WORKERS)


def start(folder: Path, run: str, *more: str) -> subprocess.Popen[bytes]:
    """Start the command in the background; its messages go to a file beside the run."""
    own = ["--metrics-file", "own.py", "--only", "length"]
    command = [sys.executable, "-c", COMMAND, "score", "service", "talks.jsonl", *own, "-o", run, "-q", *more]
    with messages(folder, run).open("ab") as file:
        return subprocess.Popen(command, cwd=folder, stderr=file)


def messages(folder: Path, run: str) -> Path:
    return folder / f"{run}.txt"


def dask(cluster: DaskCluster) -> list[str]:
    return ["--engine", "dask", "--scheduler", cluster.address]


def wait_for_scores(folder: Path, process: subprocess.Popen[bytes], number: int) -> None:
    """Wait until so many dialogues are scored, or the command has ended."""
    while process.poll() is None and len(scored_dialogues(folder)) < number:
        time.sleep(0.01)


def scored_dialogues(folder: Path) -> list[str]:
    log = folder / "scored.txt"
    return log.read_text("utf-8").splitlines() if log.exists() else []


def finish(folder: Path, run: str, cluster: DaskCluster, process: subprocess.Popen[bytes]) -> None:
    """Give the same command again until it ends well."""
    for _ in range(5):
        if process.wait(timeout=300) == 0:
            return
        cluster.replace_lost_workers()  # Workers that have lost their scheduler may end some time later.
        process = start(folder, run, *dask(cluster))
    raise AssertionError(f"exit code {process.wait()}: {messages(folder, run).read_text('utf-8')}")


def assert_same_run(folder: Path, run: str, lost_shards: int) -> None:
    """The run is that of one process; only what was in hand when something was killed was scored again."""
    for name in ("records.jsonl", "scores.jsonl"):
        assert (folder / run / name).read_bytes() == (folder / "alone" / name).read_bytes()
    assert sorted(path.name for path in (folder / run).iterdir()) == ["records.jsonl", "run.json", "scores.jsonl"]
    times = Counter(scored_dialogues(folder))
    assert len(times) == DIALOGUES
    assert sum(count - 1 for count in times.values()) <= lost_shards * TOGETHER


@pytest.mark.parametrize("seed", range(KILLS))
@pytest.mark.parametrize("victims", [1, 2])
def test_workers_that_are_killed_change_nothing(folder: Path, cluster: DaskCluster, victims: int, seed: int) -> None:
    (folder / "scored.txt").unlink(missing_ok=True)
    run = f"workers{victims}-{seed}"
    process = start(folder, run, *dask(cluster))
    wait_for_scores(folder, process, Random(seed).randrange(DIALOGUES))
    cluster.kill_workers(victims)
    finish(folder, run, cluster, process)
    assert_same_run(folder, run, lost_shards=victims)


@pytest.mark.parametrize("seed", range(KILLS))
def test_a_scheduler_that_is_killed_changes_nothing(folder: Path, cluster: DaskCluster, seed: int) -> None:
    (folder / "scored.txt").unlink(missing_ok=True)
    run = f"scheduler-{seed}"
    process = start(folder, run, *dask(cluster))
    wait_for_scores(folder, process, Random(seed).randrange(DIALOGUES))
    cluster.kill_scheduler()
    cluster.scheduler = cluster.start_scheduler()
    cluster.replace_lost_workers()
    finish(folder, run, cluster, process)
    assert_same_run(folder, run, lost_shards=HANDED_OUT)


@pytest.mark.parametrize("seed", range(KILLS))
def test_a_command_that_is_killed_is_finished_by_the_same_command(
    folder: Path, cluster: DaskCluster, seed: int
) -> None:
    (folder / "scored.txt").unlink(missing_ok=True)
    run = f"driver-{seed}"
    process = start(folder, run, *dask(cluster))
    wait_for_scores(folder, process, Random(seed).randrange(DIALOGUES))
    process.send_signal(signal.SIGKILL)
    process.wait()
    finish(folder, run, cluster, start(folder, run, *dask(cluster)))
    assert_same_run(folder, run, lost_shards=HANDED_OUT)
