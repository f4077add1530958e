"""Runs whose scores are stored as Parquet: the same scores and tables as in JSON, readable with other tools."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import adjudge as aj
from adjudge.api.runs import Run
from adjudge.cli.main import main
from adjudge.core.errors import BadInput
from adjudge.run.copying import copy_run
from adjudge.score import find_suite
from kept import SUITES, SampleRuns, score_sample

pytest.importorskip("pyarrow", reason="pyarrow is not installed")

SAMPLE = str(find_suite("service").sample)


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> SampleRuns:
    """The sample of every suite, stored in both formats."""

    def make(runs: SampleRuns, suite: str, store: str, folder: Path) -> Run:
        if store == "json":
            return score_sample(suite, folder)
        copy_run(runs[suite, "json"], folder, "parquet")
        return Run(folder)

    return SampleRuns(tmp_path_factory.mktemp("stored"), make)


@pytest.mark.parametrize("suite", SUITES)
def test_both_formats_give_the_same_scores(runs: SampleRuns, suite: str) -> None:
    text, parquet = runs[suite, "json"], runs[suite, "parquet"]
    assert list(parquet.rows()) == list(text.rows())
    assert list(parquet.summaries()) == list(text.summaries())
    assert list(parquet.full_chunks()) == list(text.full_chunks())
    assert list(parquet.records()) == list(text.records())


@pytest.mark.parametrize("suite", SUITES)
def test_both_formats_give_the_same_files(runs: SampleRuns, suite: str, tmp_path: Path) -> None:
    for ending in ("csv", "md", "html"):
        files = [tmp_path / f"{store}.{ending}" for store in ("json", "parquet")]
        for store, file in zip(("json", "parquet"), files, strict=True):
            runs[suite, store].report(file)
        assert files[0].read_bytes() == files[1].read_bytes()


def test_a_part_of_the_metrics_can_be_read(runs: SampleRuns) -> None:
    run = runs["service", "parquet"]
    assert list(run.worst("task_completion", 3)) == list(runs["service", "json"].worst("task_completion", 3))
    assert {row.metric for row in run.with_metrics(["inform_domain"]).table()} == {"inform_domain"}


def test_an_export_there_and_back_gives_the_same_run(runs: SampleRuns, tmp_path: Path) -> None:
    whole = runs["service", "json"]
    copy_run(whole, tmp_path / "there", "parquet")
    copy_run(Run(tmp_path / "there"), tmp_path / "back", "json")
    back = Run(tmp_path / "back")
    assert list(back.rows()) == list(whole.rows())
    assert (back.folder / "records.jsonl").read_bytes() == (whole.folder / "records.jsonl").read_bytes()
    assert back.manifest == whole.manifest


def test_an_export_does_not_write_over_a_folder(runs: SampleRuns, tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    with pytest.raises(BadInput, match="already exists"):
        copy_run(runs["service", "json"], tmp_path / "there", "parquet")


def test_an_export_of_a_run_has_no_level(runs: SampleRuns, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--store", "parquet", "--level", "conversations", "-o", str(tmp_path / "scores.parquet")]
    assert main(["export", str(runs["service", "json"].folder), *options]) == 2
    assert "--level is for tables, and --store copies a whole run" in capsys.readouterr().err
    assert not (tmp_path / "scores.parquet").exists()


def test_duckdb_and_polars_read_the_scores(runs: SampleRuns) -> None:
    run = runs["service", "parquet"]
    expected = {row.arm: row.over_conversations for row in run.table() if row.metric == "joint_goal_accuracy"}
    parts = str(run.folder / "scores.parquet" / "*.parquet")
    duckdb = pytest.importorskip("duckdb", reason="duckdb is not installed")
    query = f"SELECT arm, avg(scores.joint_goal_accuracy.value) FROM '{parts}' GROUP BY arm"
    assert dict(duckdb.sql(query).fetchall()) == pytest.approx(expected)
    polars = pytest.importorskip("polars", reason="polars is not installed")
    value = polars.col("scores").struct.field("joint_goal_accuracy").struct.field("value").mean()
    means = polars.read_parquet(parts).group_by("arm").agg(value).rows()
    assert dict(means) == pytest.approx(expected)


def test_a_missing_pyarrow_is_said_before_anything_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(BadInput, match="--store parquet needs pyarrow: "):
        aj.score("service", SAMPLE, folder=tmp_path / "run", store="parquet", quiet=True)
    assert not (tmp_path / "run").exists()


def test_parquet_stores_every_score(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["score", "service", SAMPLE, "-o", str(tmp_path / "run"), "--store", "parquet", "--keep", "worst"]
    assert main(command) == 2
    assert "--keep worst does not keep them" in capsys.readouterr().err
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("share", [0.0, 0.5])
def test_a_damaged_part_is_refused(runs: SampleRuns, share: float, tmp_path: Path) -> None:
    copy_run(runs["service", "json"], tmp_path / "run", "parquet")
    (part,) = (tmp_path / "run" / "scores.parquet").glob("*.parquet")
    part.write_bytes(part.read_bytes()[: int(share * part.stat().st_size)])
    with pytest.raises(BadInput, match=r"000000\.parquet: .*the file was changed"):
        Run(tmp_path / "run")


def test_a_missing_part_is_noticed(runs: SampleRuns, tmp_path: Path) -> None:
    copy_run(runs["service", "json"], tmp_path / "run", "parquet")
    (part,) = (tmp_path / "run" / "scores.parquet").glob("*.parquet")
    part.unlink()
    with pytest.raises(BadInput, match=r"scores\.parquet: 0 of 48 lines"):
        Run(tmp_path / "run")


# Parts of 16 records; the process kills itself before, or after half of, the write of a part of a number.
KILLED = """
import os, signal, sys
from adjudge.cli.main import main
from adjudge.run import parquet

parquet.PART_RECORDS = 16
left = int(sys.argv[1])
table = parquet._table

def die(rows, metrics):
    global left
    left -= 1
    if not left:
        os.kill(os.getpid(), signal.SIGKILL)
    return table(rows, metrics)

parquet._table = die
sys.exit(main(sys.argv[2:]))
"""


@pytest.mark.parametrize(
    "after", [2, pytest.param(1, marks=pytest.mark.trial), pytest.param(3, marks=pytest.mark.trial)]
)
def test_a_killed_run_comes_out_the_same(runs: SampleRuns, after: int, tmp_path: Path) -> None:
    run, command = tmp_path / "run", ["score", "service", SAMPLE, "-q", "--store", "parquet"]
    killed = subprocess.run([sys.executable, "-c", KILLED, str(after), *command, "-o", str(run)])
    assert killed.returncode == -signal.SIGKILL
    assert json.loads((run / "run.json").read_text())["status"] == "running"
    subprocess.run([sys.executable, "-c", KILLED, "0", *command, "-o", str(run)], check=True)
    whole = Run(tmp_path / "run")
    assert len(list((run / "scores.parquet").iterdir())) == 3
    assert [row.key for row in whole.rows()] == [row.key for row in runs["service", "json"].rows()]
    assert len(list(whole.records())) == whole.manifest.counts["records"]
