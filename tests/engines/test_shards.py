"""Any split of the input, and any number of processes, gives the run and the inventory that one reading gives."""

from __future__ import annotations

import gzip
import itertools
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.cli.main import main
from adjudge.core.errors import BadInput, Warnings
from adjudge.core.shard import Shard
from adjudge.engines.local import Inventory, Job, execute, records_of, survey
from adjudge.engines.processes import Processes
from adjudge.read.files import rows
from adjudge.read.shards import shard_rows, split_file, split_lines
from adjudge.score import Plan, find_suite
from examples import few_examples

SMALL = 3000


@pytest.fixture(scope="module")
def processes() -> Iterator[Processes]:
    workers = Processes(2)
    yield workers
    workers.close()


def own_records(suite: str, folder: Path) -> Path:
    """The sample of a suite as records of our own, with two arms, written by a run."""
    sample = find_suite(suite).sample
    names = tuple(metric.card.name for metric in find_suite(suite).metrics() if not metric.card.needs)
    execute(Job.open(Plan(suite=suite, files=(str(sample),), metrics=names[:1])), folder / "sample")
    return folder / "sample" / "records.jsonl"


def plan(suite: str, *files: Path, **more: Any) -> Plan:
    names = [metric.card for metric in find_suite(suite).metrics()]
    offline = [card.name for card in names if not {"judge", "embed", "nli"} & {*card.needs, *card.optional}]
    return Plan(suite=suite, files=tuple(map(str, files)), metrics=tuple(offline), **more)


def told(inventory: Inventory) -> tuple[object, ...]:
    return (
        inventory.coverage,
        inventory.rows,
        inventory.records,
        inventory.credentialed,
        inventory.cases,
        b"".join(shard.keys for shard in inventory.shards),
    )


@given(
    lines=st.lists(st.sampled_from([b'{"a": 1}', b"", b'{"b": "' + b"x" * 60 + b'"}', b"  ", b'{"c"']), max_size=12),
    size=st.integers(1, 200),
    cut=st.integers(0, 200),
    end=st.sampled_from([b"", b"\n", b"\r\n"]),
)
@few_examples(60, in_trials=200)
def test_shards_have_the_rows_and_places_of_the_whole_file(
    tmp_path_factory: pytest.TempPathFactory, lines: list[bytes], size: int, cut: int, end: bytes
) -> None:
    path = tmp_path_factory.mktemp("lines") / "rows.jsonl"
    path.write_bytes(b"\n".join([b'{"first": 1}', b'{"second": 2}', *lines]) + end)
    whole = list(rows(path, Warnings()))
    shards = list(split_lines(path, size, cut))
    assert [row for shard in shards for row in shard_rows(shard, Warnings())] == whole
    assert [shard.start for shard in shards[1:]] == [shard.stop for shard in shards[:-1]]
    starts = itertools.accumulate(map(len, path.read_bytes().splitlines(keepends=True)), initial=0)
    assert next((start for start in starts if start >= cut), 0) in [0, *(shard.stop for shard in shards)]


@pytest.mark.parametrize("suite", ["service", "trip", "patient", "team"])
@pytest.mark.parametrize("size", [SMALL, *(pytest.param(size, marks=pytest.mark.trial) for size in (1, 1 << 20))])
def test_merged_surveys_tell_what_one_survey_tells(tmp_path: Path, suite: str, size: int) -> None:
    path = own_records(suite, tmp_path)
    job = Job.open(plan(suite, path, find_suite(suite).sample, on_duplicate="first"))
    whole = survey(job)
    split = survey(Job.open(job.plan), shard_bytes=size)
    assert told(split) == told(whole)
    assert [record.key for record in records_of(job, split)] == [record.key for record in records_of(job, whole)]


@pytest.mark.parametrize(
    "suite",
    ["service", "decision", *(pytest.param(name, marks=pytest.mark.trial) for name in ("trip", "patient", "team"))],
)
def test_processes_make_the_run_that_one_process_makes(tmp_path: Path, processes: Processes, suite: str) -> None:
    path = own_records(suite, tmp_path)
    execute(Job.open(plan(suite, path)), tmp_path / "alone")
    job = Job.open(plan(suite, path))
    inventory = survey(job, workers=processes, shard_bytes=SMALL)
    execute(job, tmp_path / "together", workers=processes, inventory=inventory)
    assert same_files(tmp_path / "alone", tmp_path / "together")


@pytest.mark.parametrize("together", [1, 7])
def test_an_input_that_one_process_surveys_is_scored_by_all(
    tmp_path: Path, processes: Processes, together: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("adjudge.engines.shard_surveys.ROWS_TOGETHER", together)
    path = own_records("decision", tmp_path)
    execute(Job.open(plan("decision", path)), tmp_path / "alone")
    execute(Job.open(plan("decision", path)), tmp_path / "together", workers=processes)
    assert same_files(tmp_path / "alone", tmp_path / "together")


@pytest.mark.parametrize("first", [0, 1, 2])
def test_ranges_of_rows_can_be_read_from_any_of_them_on(tmp_path: Path, first: int) -> None:
    job = Job.open(plan("decision", own_records("decision", tmp_path)))
    every = list(job.source.rows(Warnings()))
    shards = [Shard("", start, start + 5, unit="rows") for start in (0, 5, 10)]
    for number in (first, 2, 0, 1):
        assert list(job.source.shard_rows(shards[number], Warnings())) == every[5 * number : 5 * number + 5]
        job = Job.open(job.plan) if number == first else job


def same_files(run: Path, other: Path) -> bool:
    """Whether two folders hold the same run, but for its times."""
    assert sorted(path.name for path in run.iterdir()) == sorted(path.name for path in other.iterdir())
    lines = all((run / name).read_bytes() == (other / name).read_bytes() for name in ("records.jsonl", "scores.jsonl"))
    return lines and manifest(run) == manifest(other)


def manifest(run: Path) -> dict[str, Any]:
    read: dict[str, Any] = json.loads((run / "run.json").read_text("utf-8"))
    return {name: value for name, value in read.items() if name not in ("started", "finished", "seconds")}


def dialogue(id: str, text: str = "Hello.") -> dict[str, Any]:
    return {"id": id, "arm": "mine", "turns": [{"id": "0", "speaker": "user", "text": text}]}


def write(path: Path, *dialogues: object) -> Path:
    path.write_text("".join(json.dumps(each) + "\n" for each in dialogues), "utf-8")
    return path


@pytest.mark.parametrize("size", [1, 1 << 20])
@pytest.mark.parametrize(("on_duplicate", "texts"), [("first", ["one", "two"]), ("last", ["two", "three"])])
def test_rows_of_one_key_in_several_shards_are_scored_once(
    tmp_path: Path, size: int, on_duplicate: str, texts: list[str]
) -> None:
    path = write(tmp_path / "talks.jsonl", dialogue("a", "one"), dialogue("b", "two"), dialogue("a", "three"))
    job = Job.open(plan("service", path, on_duplicate=on_duplicate))
    inventory = survey(job, shard_bytes=size)
    assert [record.turns[0].text for record in records_of(job, inventory)] == texts  # type: ignore[attr-defined]
    first, second = f"{path}:1", f"{path}:3"
    expected = {
        "first": f"{second}: repeats {first}; left out",
        "last": f"{first}: repeated at {second}; the first one was left out",
    }
    assert expected[on_duplicate] in inventory.coverage.warnings


@pytest.mark.parametrize("size", [1, 1 << 20])
def test_rows_of_one_key_with_other_content_are_refused_across_shards(tmp_path: Path, size: int) -> None:
    path = write(tmp_path / "talks.jsonl", dialogue("a", "one"), dialogue("b"), dialogue("a", "two"))
    with pytest.raises(BadInput, match=r"talks\.jsonl:3: the same case is at .*talks\.jsonl:1 with different content"):
        survey(Job.open(plan("service", path)), shard_bytes=size)


@pytest.mark.parametrize("size", [1, 1 << 20])
def test_complaints_name_the_line_of_the_file(tmp_path: Path, processes: Processes, size: int) -> None:
    path = write(tmp_path / "talks.jsonl", dialogue("a"), dialogue("b"), {"id": 3, "turns": []}, dialogue("d"))
    with pytest.raises(BadInput, match=r"talks\.jsonl:3: id: expected"):
        survey(Job.open(plan("service", path)), workers=processes, shard_bytes=size)


def test_bad_rows_are_left_out_by_processes_as_by_one(tmp_path: Path, processes: Processes) -> None:
    bad = [{"id": 3, "turns": []}, {"id": "x", "turns": 3}]
    path = write(tmp_path / "talks.jsonl", dialogue("a"), bad[0], dialogue("b"), bad[1], dialogue("c"), dialogue("c"))
    execute(Job.open(plan("service", path, skip_bad=True)), tmp_path / "alone")
    job = Job.open(plan("service", path, skip_bad=True))
    inventory = survey(job, workers=processes, shard_bytes=1)
    execute(job, tmp_path / "together", workers=processes, inventory=inventory)
    assert same_files(tmp_path / "alone", tmp_path / "together")


@pytest.mark.parametrize("size", [1, 20_000, 1 << 30])
def test_row_groups_are_shards_with_the_places_of_the_whole_file(tmp_path: Path, size: int) -> None:
    path = tmp_path / "talks.parquet"
    rows_of_file = [json.dumps(dialogue(f"d{number}")) for number in range(100)]
    pq.write_table(pa.table({"record": pa.array(rows_of_file)}), path, row_group_size=7)
    whole = list(rows(path, Warnings()))
    shards = list(split_file(path, size, cut=1000))
    assert [row for shard in shards for row in shard_rows(shard, Warnings())] == whole
    assert whole[-1][0] == f"{path}:100"
    assert len(shards) == {1: 15, 20_000: 2, 1 << 30: 2}[size]


def test_a_split_table_makes_the_run_of_the_whole_one(tmp_path: Path, processes: Processes) -> None:
    path = tmp_path / "talks.parquet"
    pq.write_table(pa.Table.from_pylist([dialogue(f"d{number}") for number in range(50)]), path, row_group_size=9)
    execute(Job.open(plan("service", path)), tmp_path / "alone")
    job = Job.open(plan("service", path))
    execute(job, tmp_path / "together", workers=processes, inventory=survey(job, workers=processes, shard_bytes=1))
    assert same_files(tmp_path / "alone", tmp_path / "together")


def test_an_arrow_stream_is_one_shard(tmp_path: Path) -> None:
    path, table = tmp_path / "talks.arrow", pa.Table.from_pylist([dialogue(f"d{number}") for number in range(9)])
    with pa.ipc.new_stream(path, table.schema) as writer:
        writer.write_table(table, max_chunksize=2)
    (shard,) = split_file(path, 1)
    assert list(shard_rows(shard, Warnings())) == list(rows(path, Warnings()))


def test_a_large_file_that_cannot_be_split_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("adjudge.api.scoring.WORTH_SHARING", 10)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "talks.jsonl.gz").write_bytes(gzip.compress(json.dumps(dialogue("a")).encode() + b"\n"))
    assert main(["score", "service", "talks.jsonl.gz", "-o", "run", "--jobs", "2", "--only", "task_completion"]) == 0
    assert "talks.jsonl.gz: cannot be split, so one process reads it" in capsys.readouterr().out


def test_messages_of_one_chat_stay_in_one_shard(tmp_path: Path) -> None:
    path = write(tmp_path / "chat.jsonl", *({"role": "user", "content": f"Message {number}"} for number in range(9)))
    (shard,) = survey(Job.open(plan("service", path)), shard_bytes=1).shards
    assert shard.shard.stop is None
