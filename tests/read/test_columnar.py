"""Records in Parquet and Arrow files are read as those in JSON are."""

from __future__ import annotations

import datetime
import json
import math
import sys
from contextlib import suppress
from decimal import Decimal
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import polars
import pyarrow as pa
import pytest
from pyarrow import feather, ipc
from pyarrow import parquet as pq

from adjudge.core.errors import BadInput, BadRecord, Complaint, Warnings
from adjudge.read.files import ReadLimits, document, rows
from adjudge.read.folders import input_files
from adjudge.read.row_groups import row_group_rows, row_groups
from adjudge.score import find_suite
from workspace import Workspace

SUITES = ("decision", "patient", "service", "team", "trip")


def sample(suite: str) -> list[bytes]:
    return find_suite(suite).sample.read_bytes().splitlines()


def table_of(records: list[Any]) -> pa.Table:
    """A column for each key of any record, as programs infer them from JSON."""
    return pa.Table.from_struct_array(pa.array(records))


def without_nulls(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: without_nulls(item) for key, item in value.items() if item is not None}
    return [without_nulls(item) for item in value] if isinstance(value, list) else value


def write(path: Path, table: pa.Table, **options: Any) -> Path:
    pq.write_table(table, path, **options)
    return path


def read(path: Path, limits: ReadLimits | None = None) -> list[Any]:
    return [json.loads(raw) for _, raw in rows(path, Warnings(), limits or ReadLimits())]


def read_column(folder: Path, values: Any) -> list[Any]:
    """The values of one column as the rows of the file have them, the missing ones as None."""
    array = values if isinstance(values, pa.Array) else pa.array(values)
    table = pa.table({"n": pa.array(range(len(array))), "value": array})
    return [row.get("value") for row in read(write(folder / "column.parquet", table))]


# Rows and their places.


@pytest.mark.parametrize("suite", ["decision", "patient", "trip"])
def test_rows_are_what_the_lines_of_json_were(suite: str, tmp_path: Path) -> None:
    records = [json.loads(line) for line in sample(suite)]
    path = write(tmp_path / "records.parquet", table_of(records), row_group_size=7)
    assert read(path) == [without_nulls(record) for record in records]


def test_a_place_is_the_number_of_the_row(tmp_path: Path) -> None:
    path = write(
        tmp_path / "t.parquet", table_of([{"id": f"d{number}", "n": number} for number in range(20)]), row_group_size=3
    )
    assert list(rows(path, Warnings()))[16][0] == f"{path}:17"


def test_files_of_another_writer_are_read(tmp_path: Path) -> None:
    records = [{"id": "a", "turns": [{"text": "hello"}]}, {"id": "b", "turns": []}]
    polars.DataFrame(records).write_parquet(tmp_path / "p.parquet")
    polars.DataFrame(records).write_ipc(tmp_path / "p.arrow", compression="zstd")
    assert read(tmp_path / "p.parquet") == read(tmp_path / "p.arrow") == records


@pytest.mark.parametrize("suffix", ["arrow", "arrows", "feather"])
def test_arrow_is_read_as_a_file_as_a_stream_and_as_feather(suffix: str, tmp_path: Path) -> None:
    table, path = table_of([{"id": str(number), "n": number} for number in range(10)]), tmp_path / f"t.{suffix}"
    if suffix == "feather":
        feather.write_feather(table, path)
    else:
        opened = ipc.new_file(path, table.schema) if suffix == "arrow" else ipc.new_stream(path, table.schema)
        with opened as writer:
            writer.write_table(table, max_chunksize=4)
    assert read(path) == [{"id": str(number), "n": number} for number in range(10)]


def test_the_only_column_of_text_holds_records_of_json(tmp_path: Path) -> None:
    texts = ['{"id": "a",\n "n": [1, "two"]}', '{"id": "b"}']
    for kind in (pa.string(), pa.large_string(), pa.binary(), pa.dictionary(pa.int8(), pa.string())):
        path = write(tmp_path / "t.parquet", pa.table({"record": pa.array(texts, pa.string()).cast(kind)}))
        assert read(path) == [{"id": "a", "n": [1, "two"]}, {"id": "b"}]


def test_a_record_of_broken_json_is_refused_with_its_row(tmp_path: Path) -> None:
    path = write(tmp_path / "t.parquet", pa.table({"record": ['{"id": "a"}', '{"id"\n: ', None]}))
    placed = list(rows(path, Warnings()))
    assert [where for where, _ in placed] == [f"{path}:{row}" for row in (1, 2, 3)]
    assert placed[2][1] == b"null"


def test_a_column_of_the_json_type_is_taken_as_json(tmp_path: Path) -> None:
    table = pa.table({"id": ["a", "b"], "state": pa.array(['{"hotel":\n["x", 1]}', None], pa.json_(pa.string()))})
    assert read(write(tmp_path / "t.parquet", table)) == [{"id": "a", "state": {"hotel": ["x", 1]}}, {"id": "b"}]


# Values.


def test_a_null_is_a_field_that_is_not_there(tmp_path: Path) -> None:
    records = [{"id": "a", "goal": None, "turn": {"text": "x", "to": None}, "votes": [1, None]}, {"id": "b"}]
    expected = [{"id": "a", "turn": {"text": "x"}, "votes": [1, None]}, {"id": "b"}]
    assert read(write(tmp_path / "t.parquet", table_of(records))) == expected


def test_values_keep_their_meaning_in_json(tmp_path: Path) -> None:
    day, moment = datetime.date(2026, 1, 31), datetime.datetime(2026, 1, 31, 12, 30, tzinfo=datetime.UTC)
    assert read_column(tmp_path, [day, None]) == ["2026-01-31", None]
    assert read_column(tmp_path, pa.array([moment], pa.timestamp("ns", "UTC"))) == ["2026-01-31T12:30:00Z"]
    assert read_column(tmp_path, [datetime.time(9, 5)]) == ["09:05:00"]
    assert read_column(tmp_path, [Decimal("12.50")]) == [12.5]
    assert read_column(tmp_path, [b"bytes of text"]) == ["bytes of text"]
    assert read_column(tmp_path, pa.array([2**63], pa.uint64())) == [2**63]
    assert read_column(tmp_path, [1.5, math.nan]) == [1.5, None]
    assert read_column(tmp_path, pa.array(["x", "y", "x"]).dictionary_encode()) == ["x", "y", "x"]
    assert read_column(tmp_path, pa.array([[1, 2], None], pa.list_(pa.int32(), 2))) == [[1, 2], None]


def test_a_map_is_an_object(tmp_path: Path) -> None:
    column = pa.array([[("a", 1), ("b", None)], None, []], pa.map_(pa.string(), pa.int64()))
    assert read_column(tmp_path, column) == [{"a": 1, "b": None}, None, {}]


def test_batches_of_nested_lists_stay_with_their_rows(tmp_path: Path) -> None:
    draw = Random(7)
    records = [
        {"turns": [{"words": ["w" * draw.randint(0, 3)] * draw.randint(0, 4)} for _ in range(draw.randint(0, 5))]}
        for _ in range(9000)
    ]
    assert read(write(tmp_path / "t.parquet", table_of(records))) == records


def test_an_infinite_number_is_refused_with_its_row(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    desk = Workspace(tmp_path, capsys)
    path = write(tmp_path / "t.parquet", pa.table({"id": ["a", "b"], "n": [1.0, math.inf]}))
    done = desk.adjudge("score", "trip", path, "-o", desk.run)
    assert done.code == 2
    assert "t.parquet:2" in done.err
    assert "Infinity" in done.err


@pytest.mark.parametrize(
    ("column", "message"),
    [
        (pa.array([datetime.timedelta(1)]), "column 'value': of the type duration"),
        (pa.array([b"ab"], pa.binary(2)), "column 'value': of the type fixed_size_binary"),
        (pa.array([b"\xff\xfe"]), "column value: invalid start byte; expected text in UTF-8"),
        (pa.array([{"a": datetime.timedelta(1)}]), "column 'value'.a: of the type duration"),
        (pa.array([[(1.5, 1)]], pa.map_(pa.float64(), pa.int64())), "keys of the type double; expected text"),
        (pa.array([[("a", 1), ("a", 2)]], pa.map_(pa.string(), pa.int64())), "keys of a map have the name 'a'"),
        (pa.array([2**31 - 1], pa.date32()), "expected dates from the year 1 to 9999"),
    ],
)
def test_what_json_cannot_hold_is_refused_with_its_column(column: pa.Array, message: str, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="column") as refused:
        read_column(tmp_path, column)
    assert message in str(refused.value)


def test_columns_of_one_name_are_refused(tmp_path: Path) -> None:
    table = pa.Table.from_arrays([pa.array([1]), pa.array([2])], names=["id", "id"])
    with pytest.raises(BadInput, match="two columns have the name 'id'"):
        read(write(tmp_path / "t.parquet", table))


# Files that cannot be read.


def test_a_damaged_file_is_refused_wherever_the_damage_is(tmp_path: Path) -> None:
    whole = write(tmp_path / "t.parquet", table_of([json.loads(line) for line in sample("trip")]), row_group_size=9)
    content, draw, cut = whole.read_bytes(), Random(11), tmp_path / "cut.parquet"
    for _ in range(40):
        cut.write_bytes(content[: draw.randrange(4, len(content))])
        with pytest.raises(BadInput, match=r"cut\.parquet: cut short or damaged"):
            read(cut)
    for _ in range(40):
        spoiled = bytearray(content)
        for place in (draw.randrange(4, len(content)) for _ in range(20)):
            spoiled[place] ^= draw.randrange(1, 256)
        cut.write_bytes(spoiled)
        # Not every byte matters, so some are read. What is refused is refused with the name of the file.
        with suppress(BadInput):
            list(rows(cut, Warnings()))


@pytest.mark.parametrize("suffix", ["arrow", "arrows"])
def test_an_arrow_file_that_is_cut_short_is_refused(suffix: str, tmp_path: Path) -> None:
    table, path = table_of([{"id": "x" * 100}] * 100), tmp_path / f"t.{suffix}"
    with ipc.new_file(path, table.schema) if suffix == "arrow" else ipc.new_stream(path, table.schema) as writer:
        writer.write_table(table)
    path.write_bytes(path.read_bytes()[:-3000])
    with pytest.raises(BadInput, match="cut short or damaged"):
        read(path)


@pytest.mark.parametrize(("head", "word"), [(b"PARE", "encrypted"), (b"FEA1", "version 1")])
def test_a_variant_that_is_never_read_is_named(head: bytes, word: str, tmp_path: Path) -> None:
    (tmp_path / "t.parquet").write_bytes(head + b"\0" * 100 + head)
    with pytest.raises(BadInput, match=word):
        read(tmp_path / "t.parquet")


def test_parquet_in_an_archive_is_refused(tmp_path: Path) -> None:
    import gzip

    path = write(tmp_path / "t.parquet", table_of([{"id": "a"}]))
    packed = tmp_path / "t.parquet.gz"
    packed.write_bytes(gzip.compress(path.read_bytes()))
    with pytest.raises(BadInput, match="inside an archive; expected it by itself; unpack it"):
        read(packed)


def test_without_pyarrow_the_way_to_install_it_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path / "t.parquet", table_of([{"id": "a"}]))
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    with pytest.raises(BadInput, match=r"needs pyarrow: .*\[parquet\]"):
        read(path)


def test_limits_hold_as_for_json(tmp_path: Path) -> None:
    path = write(tmp_path / "t.parquet", table_of([{"id": "a" * 2000, "n": 1}, {"id": "b"}] * 100))
    refused: list[Complaint] = []
    kept = list(rows(path, Warnings(), ReadLimits(line_bytes=1000), refused.append))
    assert (len(kept), len(refused)) == (100, 100)
    assert refused[0].where == f"{path}:1"
    with pytest.raises(BadRecord, match="2,016 bytes"):
        read(path, ReadLimits(line_bytes=1000))
    with pytest.raises(BadInput, match="more than 50,000 bytes of content"):
        read(path, ReadLimits(file_bytes=50_000))
    nested: Any = "x"
    for _ in range(8):
        nested = {"a": nested}
    with pytest.raises(BadInput, match="nested too deep"):
        read(write(tmp_path / "deep.parquet", table_of([nested, nested])), ReadLimits(depth=5))


def test_a_bomb_is_refused_before_it_fills_the_memory(tmp_path: Path) -> None:
    path = write(tmp_path / "t.parquet", pa.table({"id": ["a" * 100_000] * 1000, "n": range(1000)}))
    assert path.stat().st_size < 1 << 20
    with pytest.raises(BadInput, match="compression bomb"):
        for _ in rows(path, Warnings()):
            pass


# Parts.


def test_a_file_without_rows_gives_none_and_says_so(tmp_path: Path) -> None:
    path, warnings = write(tmp_path / "t.parquet", table_of([{"id": "a"}]).slice(1)), Warnings()
    assert list(rows(path, warnings)) == []
    assert warnings.lines() == [f"{path}: no rows"]
    with pytest.raises(BadInput, match="no rows; expected one document"):
        document(path, Warnings())


@pytest.mark.parametrize("suite", SUITES)
def test_a_run_on_nothing_but_empty_parts_is_refused(
    suite: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    desk = Workspace(tmp_path, capsys)
    done = desk.adjudge("score", suite, write(tmp_path / "t.parquet", table_of([{"id": "a"}]).slice(1)), "-o", desk.run)
    assert done.code == 2
    assert "no record to score" in done.err
    assert not desk.run.exists()


def test_row_groups_give_the_rows_and_places_of_the_whole_file(tmp_path: Path) -> None:
    table = table_of([{"id": f"d{number}", "n": number} for number in range(20)])
    path, arrow = write(tmp_path / "t.parquet", table, row_group_size=6), tmp_path / "t.arrow"
    with ipc.new_file(arrow, table.schema) as writer:
        writer.write_table(table, max_chunksize=6)
    for file in (path, arrow):
        whole = list(rows(file, Warnings()))
        assert row_groups(file) == [6, 6, 6, 2]
        assert [row for group in range(4) for row in row_group_rows(file, [group])] == whole
        assert list(row_group_rows(file, range(1, 3))) == whole[6:18]
    (tmp_path / "t.jsonl").write_text('{"id": "a"}\n')
    assert row_groups(tmp_path / "t.jsonl") == []


def test_the_parts_of_a_table_are_read_in_order_with_the_fields_of_their_folders(tmp_path: Path) -> None:
    for arm in ("two", "one"):
        folder = tmp_path / "trips" / f"arm={arm}%20agents"
        folder.mkdir(parents=True)
        for part in (1, 0):
            write(
                folder / f"part-0000{part}.snappy.parquet", table_of([{"id": f"{arm}{part}", "n": part}, {"id": "x"}])
            )
    (tmp_path / "trips" / "_SUCCESS").touch()
    inputs = input_files([tmp_path / "trips"])
    assert not inputs.remarks
    read_rows = [row for path in inputs.files for row in read(path) if row["id"] != "x"]
    assert [(row["arm"], row["id"]) for row in read_rows] == [
        (f"{arm} agents", f"{arm}{part}") for arm in ("one", "two") for part in (0, 1)
    ]


# Whole runs.


@pytest.mark.parametrize(
    "suite",
    ["decision", "team", *(pytest.param(name, marks=pytest.mark.trial) for name in ("patient", "service", "trip"))],
)
def test_a_run_on_parquet_scores_as_one_on_json(suite: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    desk = Workspace(tmp_path, capsys)
    lines = sample(suite)[:3]
    desk.write("records.jsonl", b"\n".join(lines))
    write(tmp_path / "records.parquet", pa.table({"record": [line.decode() for line in lines]}), row_group_size=2)
    for kind in ("jsonl", "parquet"):
        file = tmp_path / f"records.{kind}"
        done = desk.adjudge("score", suite, file, "-o", tmp_path / kind, "--embedder", "wordllama", "--jobs", "1")
        assert done.code == 0, done.err
    scores = [(tmp_path / kind / "scores.jsonl").read_bytes() for kind in ("jsonl", "parquet")]
    assert scores[0] == scores[1]
    inputs = msgspec.json.decode((tmp_path / "parquet" / "run.json").read_bytes())["inputs"]
    assert inputs[0]["path"].endswith("records.parquet")


def test_a_log_in_parquet_is_converted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    desk = Workspace(tmp_path, capsys)
    messages = [{"role": "user", "content": "Is it warm in Rome?"}, {"role": "assistant", "content": "Yes."}]
    write(
        tmp_path / "chats.parquet", table_of([{"id": "rome", "messages": messages}, {"id": "b", "messages": messages}])
    )
    done = desk.adjudge("convert", tmp_path / "chats.parquet", "-o", tmp_path / "out.jsonl")
    assert done.code == 0, done.err
    assert "wrote 2 conversations, 4 turns" in done.out
