"""Parquet and Arrow files as lines of JSON: each row becomes one record, a row group at a time."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import PurePath
from typing import Any, BinaryIO
from urllib.parse import unquote

import msgspec

from adjudge.core.errors import BadInput
from adjudge.core.install import install_command
from adjudge.read.column_values import check_schema, column_values, is_json_text, json_texts, records

PARQUET = b"PAR1"
ARROW_FILE = b"ARROW1"
# The stream format begins with the mark of a message, 0xFFFFFFFF; Hugging Face writes its .arrow files in it.
ARROW_STREAM = b"\xff\xff\xff\xff"
MAGICS = (PARQUET, ARROW_FILE[:4], ARROW_STREAM)
# Beginnings of files that look like them and cannot be read.
UNREADABLE = {
    b"PARE": "Parquet with an encrypted footer; expected a file without encryption; decrypt it first",
    b"FEA1": "Feather of version 1; expected Feather of version 2 (Arrow IPC); write it again with a newer library",
}
# Rows that are turned into JSON together: as many as make about 4 MiB, since a row of a long chat may have a megabyte.
# More than 256 are no faster, and a text that stands once in the file for many rows grows with each of them.
BATCH_BYTES = 4 << 20
BATCH_ROWS = 256
# What Hive and Spark write for a partition whose value is missing.
NO_VALUE = "__HIVE_DEFAULT_PARTITION__"
ENCODER = msgspec.json.Encoder(decimal_format="number")


def is_columnar(head: bytes) -> bool:
    """Whether a file begins like Parquet or Arrow, or like a variant of them that is refused when it is opened."""
    return head.startswith((*MAGICS, *UNREADABLE))


class ColumnarFile:
    """A file of Parquet or Arrow (IPC file, IPC stream, Feather) whose rows come as lines of JSON.

    A value that is null is left out of its record, since a column has a value in every row.
    """

    def __init__(self, file: BinaryIO, path: PurePath, depth: int) -> None:
        self.name = str(path)
        self._file = file
        self._depth = depth
        self._partitions = partition_fields(path)

    def lines(self, groups: Sequence[int] | None = None) -> Iterator[bytes]:
        """A line of JSON for each row, in order; of all row groups, or of those that are named."""
        with self._faults():
            table = self._open()
            check_schema(table.schema, self.name, self._depth)
            for batch in table.batches(groups):
                yield from self._batch_lines(batch)

    def group_rows(self) -> list[int]:
        """The number of rows in each row group; a stream is one group, as it cannot be read from the middle."""
        with self._faults():
            return self._open().group_rows()

    def _open(self) -> _Parquet | _ArrowFile | _ArrowStream:
        head = self._file.read(len(ARROW_FILE))
        self._file.seek(0)
        for magic, why in UNREADABLE.items():
            if head.startswith(magic):
                raise BadInput(f"{self.name}: {why}")
        if head.startswith(PARQUET):
            return _Parquet(self._file)
        return _ArrowFile(self._file) if head.startswith(ARROW_FILE) else _ArrowStream(self._file)

    def _batch_lines(self, batch: Any) -> Iterator[bytes]:
        if is_json_text(batch.schema):
            yield from (b"null\n" if text is None else text + b"\n" for text in json_texts(batch.column(0)))
            return
        names = batch.schema.names
        columns = [column_values(batch.column(at), f"{self.name}: column {name}") for at, name in enumerate(names)]
        for record in records(names, columns, batch.num_rows):
            yield ENCODER.encode({**self._partitions, **record}) + b"\n"

    @contextmanager
    def _faults(self) -> Iterator[None]:
        try:
            yield
        except ImportError:
            raise BadInput(
                f"{self.name}: reading Parquet and Arrow files needs pyarrow: {install_command('parquet')}; "
                "or convert the file to JSONL"
            ) from None
        except MemoryError as fault:
            raise BadInput(
                f"{self.name}: {fault or 'out of memory'}; expected row groups that fit into memory; "
                "write the file again with smaller row groups, or check whether it is damaged"
            ) from None


class _Parquet:
    def __init__(self, file: BinaryIO) -> None:
        import pyarrow.parquet as pq

        self._file = pq.ParquetFile(file, page_checksum_verification=True)
        self.schema = self._file.schema_arrow

    def batches(self, groups: Sequence[int] | None) -> Iterator[Any]:
        for group in range(self._file.num_row_groups) if groups is None else groups:
            about = self._file.metadata.row_group(group)
            rows = batch_rows(about.total_byte_size, about.num_rows)
            yield from self._file.iter_batches(batch_size=rows, row_groups=[group], use_threads=False)

    def group_rows(self) -> list[int]:
        about = self._file.metadata
        return [about.row_group(group).num_rows for group in range(about.num_row_groups)]


class _ArrowFile:
    def __init__(self, file: BinaryIO) -> None:
        import pyarrow as pa

        self._reader = pa.ipc.open_file(file)
        self.schema = self._reader.schema

    def batches(self, groups: Sequence[int] | None) -> Iterator[Any]:
        for group in range(self._reader.num_record_batches) if groups is None else groups:
            yield from _slices(self._reader.get_batch(group))

    def group_rows(self) -> list[int]:
        batches = range(self._reader.num_record_batches)
        return [self._reader.get_batch(group).num_rows for group in batches]


class _ArrowStream:
    def __init__(self, file: BinaryIO) -> None:
        import pyarrow as pa

        self._reader = pa.ipc.open_stream(file)
        self.schema = self._reader.schema

    def batches(self, groups: Sequence[int] | None) -> Iterator[Any]:
        assert groups is None or list(groups) == [0], "a stream is one group"
        for batch in self._reader:
            yield from _slices(batch)

    def group_rows(self) -> list[int]:
        return [sum(batch.num_rows for batch in self._reader)]


class LineStream(io.BufferedIOBase):
    """Lines as a stream of bytes that is read from the beginning to the end."""

    def __init__(self, lines: Iterator[bytes]) -> None:
        self._lines = lines
        self._left = memoryview(b"")

    def readable(self) -> bool:
        """Always."""
        return True

    def readinto1(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        """Fill what one line fills of the buffer; 0 at the end."""
        if not self._left:
            self._left = memoryview(next(self._lines, b""))
        count = min(len(buffer), len(self._left))
        buffer[:count] = self._left[:count]
        self._left = self._left[count:]
        return count


def batch_rows(size: int, rows: int) -> int:
    """The number of rows to read together from a group of so many bytes and rows."""
    return max(1, min(BATCH_ROWS, BATCH_BYTES * rows // max(size, 1)))


def partition_fields(path: PurePath) -> Mapping[str, str]:
    """The fields that stand in the names of the folders around a file, as Hive and Spark write them.

    >>> partition_fields(PurePath("trips/arm=one%20agent/day=3/part-0.parquet"))
    {'arm': 'one agent', 'day': '3'}
    """
    fields: dict[str, str] = {}
    for folder in reversed(path.parent.parts):
        name, equals, value = folder.partition("=")
        if not equals or not name.isidentifier():
            break
        fields[name] = unquote(value)
    return {name: fields[name] for name in reversed(fields) if fields[name] != NO_VALUE}


def _slices(batch: Any) -> Iterator[Any]:
    rows = batch_rows(batch.nbytes, batch.num_rows)
    for start in range(0, batch.num_rows, rows):
        yield batch.slice(start, rows)
