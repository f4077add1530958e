"""Files in object storage are read as those on this machine are."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import parquet as pq

from adjudge.core.errors import BadInput, Warnings
from adjudge.read.files import rows
from adjudge.read.folders import input_files
from adjudge.read.opening import content_hash
from adjudge.score import find_suite
from adjudge.tools.storage import StoragePath, input_path
from object_storage import BUCKET, StorageServer, cut_after
from workspace import Workspace

LINES = b"".join(b'{"id": "d%d", "n": %d}\n' % (number, number) for number in range(1000))
SECRET = "never-to-be-printed"


@pytest.fixture(scope="module")
def shared() -> Iterator[StorageServer]:
    with StorageServer() as server:
        yield server


@pytest.fixture
def server(shared: StorageServer, monkeypatch: pytest.MonkeyPatch) -> StorageServer:
    use(shared.url, monkeypatch)
    return shared


def use(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the environment name a server, with credentials."""
    monkeypatch.setenv("AWS_ENDPOINT_URL", url)
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "key")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", SECRET)
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")


def parquet_bytes(count: int) -> bytes:
    file = io.BytesIO()
    table = pa.table({"id": [f"d{number}" for number in range(count)], "n": range(count)})
    pq.write_table(table, file, row_group_size=100)
    return file.getvalue()


def zip_bytes() -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("trips.jsonl", LINES)
    return file.getvalue()


def values(path: Path) -> list[Any]:
    return [json.loads(raw) for _, raw in rows(path, Warnings())]


# Addresses.


def test_an_address_is_a_path_that_keeps_its_slashes() -> None:
    path = input_path("s3://bucket/day/trips.jsonl.gz")
    assert isinstance(path, StoragePath)
    assert str(path) == "s3://bucket/day/trips.jsonl.gz"
    assert (path.name, path.suffix) == ("trips.jsonl.gz", ".gz")
    assert str(path.parent / "other.jsonl") == "s3://bucket/day/other.jsonl"
    assert path == input_path(path)
    assert type(input_path("day/trips.jsonl")) is type(Path())


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("s3://", "names no bucket"),
        ("s3://key:hidden@bucket/x", "credentials in the address; expected them in the environment"),
        ("https://example.org/x.jsonl", "an address of another kind"),
        ("hdfs://name/x.jsonl", "an address of another kind"),
    ],
)
def test_addresses_that_cannot_be_read_are_refused(address: str, message: str) -> None:
    with pytest.raises(BadInput, match=message) as refused:
        input_path(address)
    assert "hidden" not in str(refused.value)


def test_a_container_without_account_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("AZURE_STORAGE_ACCOUNT", raising=False)
    with pytest.raises(BadInput, match=r"abfs://trips: names no account; expected abfs://container@account"):
        input_path("abfs://trips/a.jsonl").is_file()


# Reading.


@pytest.mark.parametrize(
    ("key", "content"),
    [
        ("a.jsonl", LINES),
        ("a.jsonl.gz", gzip.compress(LINES)),
        ("a.zip", zip_bytes()),
        ("a.parquet", parquet_bytes(1000)),
        ("a b/ü.jsonl", LINES),
    ],
)
def test_objects_give_the_rows_of_files(server: StorageServer, key: str, content: bytes) -> None:
    path = input_path(server.put(key, content))
    assert values(path) == [json.loads(line) for line in LINES.splitlines()]
    member = "/trips.jsonl" if key.endswith("zip") else ""
    assert next(iter(rows(path, Warnings())))[0] == f"s3://{BUCKET}/{key}{member}:1"


def test_the_hash_of_what_was_read_in_order_needs_no_second_download(server: StorageServer) -> None:
    path = input_path(server.put("hashed.jsonl", LINES))
    assert isinstance(path, StoragePath)
    assert path.content_hash() is None
    values(path)
    assert path.content_hash() == hashlib.sha256(LINES).hexdigest()
    columnar = parquet_bytes(1000)
    table = input_path(server.put("hashed.parquet", columnar))
    values(table)
    assert content_hash(table) == hashlib.sha256(columnar).hexdigest()


def test_a_prefix_is_a_folder(server: StorageServer) -> None:
    for key in ("parts/arm=b/part-1.parquet", "parts/arm=a/part-0.parquet", "parts/_SUCCESS", "parts/notes.xyz"):
        server.put(key, parquet_bytes(2))
    inputs = input_files([input_path(f"s3://{BUCKET}/parts/")])
    assert [str(path) for path in inputs.files] == [
        f"s3://{BUCKET}/parts/arm=a/part-0.parquet",
        f"s3://{BUCKET}/parts/arm=b/part-1.parquet",
    ]
    assert "left out 'notes.xyz'" in inputs.remarks[0]
    assert [row["arm"] for path in inputs.files for row in values(path)] == ["a", "a", "b", "b"]


def test_an_object_that_changes_between_two_readings_is_refused(server: StorageServer) -> None:
    path = input_path(server.put("changes.jsonl", LINES))
    values(path)
    server.put("changes.jsonl", LINES * 2)
    with pytest.raises(BadInput, match="changed while it was read"):
        values(path)


# Faults.


def test_what_is_not_there_is_named_with_what_is(server: StorageServer) -> None:
    server.put("day/trips.jsonl", LINES)
    with pytest.raises(BadInput, match=r"s3://trips/day/trip\.jsonl: no such file.*did you mean 'trips\.jsonl'"):
        values(input_path(f"s3://{BUCKET}/day/trip.jsonl"))
    with pytest.raises(BadInput, match=r"no such file.*the folder 's3://nowhere' does not exist either"):
        values(input_path("s3://nowhere/trips.jsonl"))
    with pytest.raises(BadInput, match=r"s3://nowhere: no such file.*; check the path"):
        values(input_path("s3://nowhere"))


def test_wrong_credentials_are_told_and_not_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    with StorageServer() as server:
        address = server.put("trips.jsonl", LINES)
        server.check_keys()
        use(server.url, monkeypatch)
        with pytest.raises(BadInput, match=r"not readable.*AWS_ACCESS_KEY_ID") as refused:
            values(input_path(address))
    assert SECRET not in str(refused.value)


def test_a_secret_in_the_words_of_a_server_is_blacked_out(monkeypatch: pytest.MonkeyPatch) -> None:
    from adjudge.tools.storage.clients import describe_fault

    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", SECRET)
    said = describe_fault("s3", "s3://bucket/x", OSError(f"the key {SECRET} does not match the SIGNATURE"))
    assert SECRET not in said
    assert "[AWS_SECRET_ACCESS_KEY]" in said


def test_google_without_credentials_is_told_briefly() -> None:
    from adjudge.tools.storage.clients import describe_fault

    words = "Could not create a OAuth2 access token to authenticate the request"
    said = describe_fault("gs", "gs://bucket/x", OSError(f"{words} error_info={{metadata={{original={words}}}}}"))
    assert said.startswith(f"gs://bucket/x: not readable ({words}); expected credentials that may read it; set GOOGLE_")


def test_a_server_that_is_lost_while_reading_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    with StorageServer() as server:
        address = server.put("long.jsonl", LINES * 500)
        use(server.url, monkeypatch)
        reading = rows(input_path(address), Warnings())
        assert next(reading)[0] == f"{address}:1"
    with pytest.raises(BadInput, match="cannot be reached or failed"):
        list(reading)


def test_without_pyarrow_the_way_to_install_it_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(BadInput, match=r"object storage needs pyarrow: .*\[parquet\]"):
        values(input_path("s3://bucket/trips.jsonl"))


# Commands.


def test_a_run_on_an_object_scores_as_one_on_a_file(
    server: StorageServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    desk, sample = Workspace(tmp_path, capsys), find_suite("service").sample
    address = server.put("service.jsonl", sample.read_bytes())
    for place, run in ((sample, "here"), (address, "there")):
        done = desk.adjudge("score", "service", place, "-o", tmp_path / run, "--metrics", "task_completion")
        assert done.code == 0, done.err
    assert (tmp_path / "here" / "scores.jsonl").read_bytes() == (tmp_path / "there" / "scores.jsonl").read_bytes()
    here, there = (json.loads((tmp_path / run / "run.json").read_bytes())["inputs"][0] for run in ("here", "there"))
    assert there == {**here, "path": address}
    fresh = desk.adjudge(
        "score", "service", address, "-o", tmp_path / "two", "--jobs", "2", "--metrics", "task_completion"
    )
    assert fresh.code == 0, fresh.err
    assert (tmp_path / "two" / "scores.jsonl").read_bytes() == (tmp_path / "here" / "scores.jsonl").read_bytes()


def test_a_run_whose_server_is_lost_leaves_nothing_behind(
    shared: StorageServer, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = Workspace(tmp_path, capsys)
    line = find_suite("service").sample.read_bytes().splitlines()[0]
    records = b"\n".join(line.replace(b'"id":"', b'"id":"%d-' % number, 1) for number in range(3000))
    address = shared.put("long.jsonl", records)
    with cut_after(shared, len(records) // 2) as url:
        use(url, monkeypatch)
        done = desk.adjudge("score", "service", address, "-o", desk.run, "--metrics", "task_completion")
    assert done.code == 2
    assert "cannot be reached or failed" in done.err
    assert "Traceback" not in done.err
    assert not desk.run.exists()


def test_predictions_and_goals_may_be_in_storage(
    server: StorageServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from small_service import Desk

    desk = Desk(tmp_path, capsys)
    gold, mine = server.put("gold.json", desk.gold.read_bytes()), server.put("mine.json", desk.mine.read_bytes())
    done = desk.score(gold, "--predictions", mine)
    assert done.code == 0, done.err


def test_logs_in_storage_are_converted(
    server: StorageServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    desk = Workspace(tmp_path, capsys)
    messages = [{"role": "user", "content": "Is it warm?"}, {"role": "assistant", "content": "Yes."}]
    address = server.put("chat.json", json.dumps({"id": "rome", "messages": messages}).encode())
    done = desk.adjudge("convert", address, "-o", tmp_path / "out.jsonl")
    assert done.code == 0, done.err
    assert "wrote 1 conversation" in done.out


def test_run_folders_in_storage_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    desk = Workspace(tmp_path, capsys)
    sample = find_suite("service").sample
    for arguments in (
        ("report", "s3://bucket/run"),
        ("score", "service", sample, "-o", "s3://bucket/run"),
        ("play", "service", "-o", "s3://bucket/run"),
        ("demo", "service", "-o", "s3://bucket/run"),
        ("view", "s3://bucket/run"),
    ):
        done = desk.adjudge(*arguments)
        assert done.code == 2
        assert "s3://bucket/run: in object storage; expected" in done.err
    assert not Path("s3:").exists()


def test_files_to_write_are_not_taken_for_files_in_storage(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    desk = Workspace(tmp_path, capsys)
    sample, run, rule = find_suite("team").sample, tmp_path / "run", "tool_error_rate <= 1"
    assert desk.adjudge("score", "team", sample, "-o", run, "--metrics", "tool_error_rate", "-q").code == 0
    for arguments in (
        ("report", run, "-o", "s3://bucket/x.md"),
        ("compare", run, "-o", "s3://bucket/x.md"),
        ("gate", run, "--rule", rule, "-o", "s3://bucket/x.md"),
        ("export", run, "-o", "s3://bucket/x.csv"),
        ("export", run, "-o", "s3://bucket/run", "--store", "json"),
        ("convert", sample, "-o", "s3://bucket/x.jsonl"),
        ("view", run, "--export", "s3://bucket/site"),
        ("gate", run, "--rule", rule, "--against", "s3://bucket/run"),
    ):
        done = desk.adjudge(*arguments)
        assert done.code == 2
        assert "in object storage; expected" in done.err
    assert not Path("s3:").exists()
