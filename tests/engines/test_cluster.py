"""A Dask cluster makes the run that one process makes, and says which worker cannot help and why."""

from __future__ import annotations

import gc
import json
import os
import shutil
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

import adjudge
from adjudge.cli.main import main
from adjudge.engines.choice import Engine
from adjudge.engines.cluster import Cluster
from adjudge.engines.local import Job, execute, survey
from adjudge.engines.workers import LostTask, Task
from adjudge.score import Plan, find_suite
from dask_cluster import DaskCluster, running, wait_until
from failing_tasks import double, end_each_time

pytestmark = pytest.mark.slow

# A metric that ends its process at one case while a file is there; the file is removed first if it says so.
METRICS = '''
import os, signal
from pathlib import Path
from adjudge import Mark, metric

@metric("Length", formula="turns", unit="conversation", better="neither", scale=(0.0, None), source="a test")
def length(dialogue):
    """How many turns are there?"""
    marker = Path(__file__).with_name("poison")
    if dialogue.id == "d33" and marker.exists():
        if marker.read_text() == "once":
            marker.unlink()
        os.kill(os.getpid(), signal.SIGKILL)
    yield Mark(float(len(dialogue.turns)))
'''
DIALOGUES = 60


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait for workers as long as a busy machine may need to start them."""
    monkeypatch.setattr("adjudge.engines.cluster.CONNECT", 120)


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DaskCluster]:
    yield from running(tmp_path_factory.mktemp("cluster"), 1)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("adjudge.engines.shards.SHARD_BYTES", 700)
    (tmp_path / "own.py").write_text(METRICS, "utf-8")
    lines = [
        json.dumps({"id": f"d{number}", "arm": "mine", "turns": [{"id": "0", "speaker": "user", "text": "Hello."}]})
        for number in range(DIALOGUES)
    ]
    (tmp_path / "talks.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
    return tmp_path


def score(run: str, *more: str, file: str = "talks.jsonl") -> int:
    own = ["--metrics-file", "own.py", "--only", "length,task_completion"]
    return main(["score", "service", file, *own, "-o", run, "-q", *more])


def dask(cluster: DaskCluster) -> list[str]:
    return ["--engine", "dask", "--scheduler", cluster.address]


def lines_of(run: str) -> tuple[bytes, bytes]:
    assert sorted(path.name for path in Path(run).iterdir()) == ["records.jsonl", "run.json", "scores.jsonl"]
    return Path(run, "records.jsonl").read_bytes(), Path(run, "scores.jsonl").read_bytes()


def coverage(run: str) -> Any:
    return json.loads(Path(run, "run.json").read_text("utf-8"))["coverage"]


def test_any_number_of_workers_and_any_shards_make_the_same_run(cluster: DaskCluster, folder: Path) -> None:
    assert score("alone") == 0
    plan = Plan(
        suite="service", files=("talks.jsonl",), metrics=("length", "task_completion"), metric_files=("own.py",)
    )
    for count, size in ((1, 300), (2, 300), (3, 2000)):
        while len(cluster.workers) < count:
            cluster.add_worker()
        workers = Cluster(cluster.address, 0)
        job = Job.open(Engine("dask", scheduler=cluster.address).prepare(plan))
        inventory = survey(job, workers=workers, shard_bytes=size)
        execute(job, folder / f"run{count}", workers=workers, inventory=inventory)
        workers.close()
        assert lines_of(f"run{count}") == lines_of("alone")
        assert coverage(f"run{count}") == coverage("alone")


def test_workers_read_files_again_for_each_command(cluster: DaskCluster, folder: Path) -> None:
    assert score("first", *dask(cluster)) == 0
    changed = METRICS.replace("Mark(float(len(dialogue.turns)))", "Mark(77.0)")
    (folder / "own.py").write_text(changed, "utf-8")
    assert score("alone") == 0
    assert score("second", *dask(cluster)) == 0
    assert lines_of("second") == lines_of("alone")
    assert lines_of("second") != lines_of("first")


def test_a_worker_that_is_killed_is_replaced(cluster: DaskCluster, folder: Path) -> None:
    assert score("alone") == 0
    Path("poison").write_text("once")
    assert score("run", *dask(cluster)) == 0
    assert lines_of("run") == lines_of("alone")


@pytest.mark.trial
def test_a_record_that_kills_every_worker_costs_its_shard_and_is_named(
    cluster: DaskCluster, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("poison").write_text("always")
    assert score("run", *dask(cluster)) == 3
    assert f"incomplete: {folder / 'talks.jsonl'}, bytes " in capsys.readouterr().err
    cases = [json.loads(line)["case"] for line in Path("run/scores.jsonl").read_text("utf-8").splitlines()]
    assert "d33" not in cases
    assert len(cases) > DIALOGUES - 15
    Path("poison").unlink()
    assert score("run", *dask(cluster)) == 0
    assert len(lines_of("run")[1].splitlines()) == DIALOGUES


def test_two_clusters_on_this_machine_do_not_take_each_others_ports() -> None:
    clusters = [Cluster("", 1), Cluster("", 1)]
    try:
        assert [list(workers.results([Task(double, (4,))])) for workers in clusters] == [[8], [8]]
    finally:
        for workers in clusters:
            workers.close()


@pytest.mark.parametrize("address", ["127.0.0.1", "http://127.0.0.1:8786"])
def test_an_address_that_is_none_is_refused_at_once(
    folder: Path, capfd: pytest.CaptureFixture[str], address: str
) -> None:
    assert score("run", "--engine", "dask", "--scheduler", address) == 2
    gc.collect()
    message = capfd.readouterr().err
    assert f"--scheduler {address}: no scheduler with a worker answers there" in message
    assert "Traceback" not in message


def test_another_server_at_the_address_is_refused(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("adjudge.engines.cluster.CONNECT", 1)
    with ThreadingHTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        assert score("run", "--engine", "dask", "--scheduler", f"tcp://127.0.0.1:{server.server_port}") == 2
        server.shutdown()
    assert "what answers is no Dask scheduler" in capsys.readouterr().err


@pytest.mark.trial
def test_a_cluster_on_this_machine_replaces_workers_however_many_end(tmp_path: Path) -> None:
    workers = Cluster("", 1)
    try:
        lost, last = workers.results([Task(end_each_time, (str(tmp_path),)), Task(double, (4,))])
    finally:
        workers.close()
    assert isinstance(lost, LostTask)
    assert last == 8


def test_a_result_that_is_lost_with_its_worker_is_computed_again(tmp_path: Path) -> None:
    (tmp_path / "cluster").mkdir()
    for cluster in running(tmp_path / "cluster", 1):
        workers = Cluster(cluster.address, 0)
        assert list(workers.results(tasks_around_a_loss(cluster, tmp_path / "made"))) == [None, 2]
        workers.close()


def tasks_around_a_loss(cluster: DaskCluster, place: Path) -> Iterator[Task]:
    """Two tasks; the worker of the first ends after the task is done and before its result is fetched."""
    yield Task(os.mkdir, (str(place),))
    wait_until(place.exists)
    time.sleep(0.3)  # The command hears that the task is done.
    place.rmdir()
    cluster.close_workers()
    time.sleep(0.3)  # The command hears that the result is lost.
    cluster.add_worker()
    yield Task(abs, (-2,))


def test_a_worker_that_does_not_see_the_input_says_so(
    cluster: DaskCluster, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = "/proc/self/cwd/talks.jsonl"  # The folder in which the command runs, which is not that of the worker.
    assert score("run", *dask(cluster), file=path) == 2
    message = capsys.readouterr().err
    assert "worker tcp://127.0.0.1:" in message
    assert f"{path}: no such file here; expected it under the same path" in message
    assert not Path("run").exists()


def test_a_worker_that_does_not_see_the_run_folder_says_so(
    cluster: DaskCluster, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert score("/proc/self/cwd/run", *dask(cluster)) == 2
    assert "/proc/self/cwd/run/parts: does not hold this run; expected the run folder" in capsys.readouterr().err
    assert not Path("run").exists()


def test_workers_find_rubrics_that_are_named_from_the_folder_of_the_command(cluster: DaskCluster, folder: Path) -> None:
    sample = find_suite("team").sample
    shutil.copytree(sample.parents[1] / "rubrics", folder / "rubrics")
    labels = sample.with_name("labels.csv")
    given = ["--judge", f"labels:{labels}", "--rubrics", "rubrics", "--only", "goal_reached,step_count"]
    assert main(["score", "team", str(sample), *given, "-o", "run", "-q", *dask(cluster)]) == 0
    assert Path("run/scores.jsonl").exists()


def test_a_worker_of_another_version_is_refused(
    folder: Path, tmp_path_factory: pytest.TempPathFactory, capsys: pytest.CaptureFixture[str]
) -> None:
    site = tmp_path_factory.mktemp("site")
    (site / "sitecustomize.py").write_text("from adjudge.core import version\nversion.__version__ = '0.0.9'\n", "utf-8")
    for cluster in running(tmp_path_factory.mktemp("old"), 0):
        paths = [str(site), *filter(None, [os.environ.get("PYTHONPATH")])]
        cluster.add_worker(PYTHONPATH=os.pathsep.join(paths))
        assert score("run", *dask(cluster)) == 2
    message = capsys.readouterr().err
    assert "has adjudge 0.0.9; expected " in message
    assert "install the same version on all machines" in message
    assert not Path("run").exists()


@pytest.mark.parametrize("changed", ["aggregate/__init__.py", "suites/service/lexicon/policy.toml"])
def test_a_worker_with_other_sources_of_the_same_version_is_refused(
    folder: Path, tmp_path_factory: pytest.TempPathFactory, capsys: pytest.CaptureFixture[str], changed: str
) -> None:
    site = tmp_path_factory.mktemp("site")
    shutil.copytree(Path(adjudge.__file__).parent, site / "adjudge", ignore=shutil.ignore_patterns("__pycache__"))
    with (site / "adjudge" / changed).open("a", encoding="utf-8") as source:
        source.write("# Another line.\n")
    for cluster in running(tmp_path_factory.mktemp("other"), 0):
        cluster.add_worker(PYTHONPATH=str(site))
        assert score("run", *dask(cluster)) == 2
    message = capsys.readouterr().err
    assert f"has adjudge {adjudge.__version__} with other source files than where the command runs" in message
    assert "Traceback" not in message
    assert not Path("run").exists()


def test_an_address_without_a_scheduler_is_refused(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("adjudge.engines.cluster.CONNECT", 1)
    assert score("run", "--engine", "dask", "--scheduler", "tcp://127.0.0.1:1") == 2
    assert "--scheduler tcp://127.0.0.1:1: no scheduler with a worker answers there" in capsys.readouterr().err
    assert score("run", "--scheduler", "tcp://127.0.0.1:1") == 2
    assert "expected with --engine dask only" in capsys.readouterr().err
    assert not Path("run").exists()
