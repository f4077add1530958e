"""Opening files: plain, gzip or zip by their first bytes, within limits, never unpacked to disk."""

from __future__ import annotations

import gzip
import io
import lzma
import shlex
import struct
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath
from typing import BinaryIO, cast

from msgspec import Struct

from adjudge.core.errors import BadInput, Warnings
from adjudge.read.columnar import ColumnarFile, LineStream, is_columnar
from adjudge.read.opening import open_file, reason_of
from adjudge.read.zstd import ZSTD, open_zstd_member

# Bytes that are read at a time.
BLOCK = 1 << 20
# Up to this size an archive may grow by any ratio: a small file of white space is no bomb.
RATIO_FREE = 64 << 20

GZIP = b"\x1f\x8b"
ZIP = (b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")
BOM = b"\xef\xbb\xbf"
BOMS = {b"\xff\xfe\0\0": "UTF-32", b"\0\0\xfe\xff": "UTF-32", b"\xff\xfe": "UTF-16", b"\xfe\xff": "UTF-16"}
# JSON starts with two ASCII characters, so the zeros among the first four bytes give the encoding away.
ZEROS = {
    (True, True, True, False): "UTF-32BE",
    (False, True, True, True): "UTF-32LE",
    (True, False, True, False): "UTF-16BE",
    (False, True, False, True): "UTF-16LE",
}
PICKLES = (".pkl", ".pickle", ".joblib", ".pt", ".pth", ".npy", ".npz")
PICKLE_MAGIC = (b"\x80\x02", b"\x80\x03", b"\x80\x04", b"\x80\x05", b"\x93NUMPY")
YAMLS = (".yaml", ".yml")
SPREADSHEETS = (".xlsx", ".xlsm", ".xls", ".ods", ".numbers")
FOREIGN = {
    b"BZh": "bzip2",
    b"\xfd7zXZ\0": "xz",
    b"\x28\xb5\x2f\xfd": "zstd",
    b"7z\xbc\xaf": "7z",
    b"SQLite format 3\0": "SQLite",
}
DAMAGE = (
    OSError,
    EOFError,
    ValueError,
    OverflowError,
    NotImplementedError,
    RuntimeError,
    zlib.error,
    lzma.LZMAError,
    struct.error,
    zipfile.BadZipFile,
)


class ReadLimits(Struct, frozen=True):
    """How much is read before a file is refused.

    `ratio` is how much an archive may grow once more than 64 MiB have come out; `file_bytes` counts
    uncompressed bytes over all members of an archive; `document_bytes` is the largest JSON document that
    is held in memory (lines are streamed); `depth` is the deepest JSON nesting.
    """

    line_bytes: int = 32 << 20
    file_bytes: int = 8 << 30
    document_bytes: int = 2 << 30
    ratio: int = 200
    depth: int = 100


LIMITS = ReadLimits()


class Meter:
    """Counts what comes out of one file, over all its members, and refuses what is beyond the limits."""

    def __init__(self, packed: int, limits: ReadLimits) -> None:
        self.packed = packed
        self.limits = limits
        self.out = 0

    def add(self, name: str, count: int) -> None:
        """Count bytes that came out of a file or member."""
        self.out += count
        if self.out > self.limits.file_bytes:
            raise BadInput(
                f"{name}: more than {self.limits.file_bytes:,} bytes of content; expected at most that; split the file"
            )
        if self.packed and self.out > max(RATIO_FREE, self.packed * self.limits.ratio):
            raise BadInput(
                f"{name}: {self.out:,} bytes came out of {self.packed:,} packed ones, as in a compression "
                f"bomb; expected at most {self.limits.ratio} to 1; if you trust the file, unpack it first"
            )


class MeteredStream(io.RawIOBase):
    """A counted byte stream; damage is raised as BadInput after all that is whole was read."""

    def __init__(self, source: io.BufferedIOBase, name: str, meter: Meter) -> None:
        self.source = source
        self.name = name
        self.meter = meter
        self.read_bytes = 0
        self.fault: BadInput | None = None

    def readable(self) -> bool:
        """Always."""
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        """Fill the whole buffer unless the stream ends or is damaged."""
        if self.fault:
            raise self.fault
        filled = self._fill(memoryview(buffer).cast("B"))
        if self.fault and not filled:
            raise self.fault
        self.meter.add(self.name, filled)
        self.read_bytes += filled
        return filled

    def _fill(self, view: memoryview) -> int:
        filled = 0
        try:
            while filled < len(view) and (count := self.source.readinto1(view[filled:])):
                filled += count
        except DAMAGE as fault:
            self.fault = BadInput(
                f"{self.name}: cut short or damaged after {self.read_bytes + filled:,} bytes of content "
                f"({reason_of(fault)}); expected a whole file; copy or download it again"
            )
        return filled


def contents(path: Path, warnings: Warnings, limits: ReadLimits = LIMITS) -> Iterator[tuple[str, io.BufferedReader]]:
    """The file, or each member of a zip in name order: its name and its bytes after any byte order mark.

    Parquet and Arrow files come as lines of JSON, and not at all if they have no row. A stream is to be read before the
    next one is asked for.
    """
    refuse_name(str(path))
    with open_file(path) as file:
        magic = file.peek(4)[:4]
        packed = path.stat().st_size
        if magic.startswith(ZIP):
            yield from _members(path, file, Meter(packed, limits), warnings)
        elif is_columnar(magic):
            yield from _rows(ColumnarFile(file, path, limits.depth), Meter(packed, limits), warnings)
        elif magic.startswith(GZIP):
            with gzip.GzipFile(fileobj=file) as plain:
                yield _content(MeteredStream(plain, str(path), Meter(packed, limits)), warnings)
        else:
            yield _content(MeteredStream(file, str(path), Meter(0, limits)), warnings)


def content_of_range(file: io.BufferedReader, name: str, warnings: Warnings) -> tuple[str, io.BufferedReader]:
    """The name and the bytes, after any byte order mark, of a plain file that is read from its start up to a place."""
    return _content(MeteredStream(file, name, Meter(0, LIMITS)), warnings)


def refuse_name(name: str) -> None:
    """Raise BadInput for formats that are known by the ending of the name and never read."""
    plain = name.lower().removesuffix(".gz")
    if plain.endswith(PICKLES):
        raise BadInput(_pickle(name))
    if plain.endswith(SPREADSHEETS):
        raise BadInput(f"{name}: a spreadsheet; expected JSON or JSONL here; export the sheet as CSV or JSON")
    if plain.endswith(YAMLS):
        raise BadInput(f"{name}: YAML; expected JSON or JSONL; convert it to JSON")


def refuse_content(name: str, head: bytes) -> None:
    """Raise BadInput for formats that are known by the first bytes and never read."""
    if head.startswith(PICKLE_MAGIC):
        raise BadInput(_pickle(name))
    if head.startswith((GZIP, *ZIP)) or head[257:262] == b"ustar":
        raise BadInput(f"{name}: an archive inside an archive; expected JSON or JSONL; unpack it once")
    if is_columnar(head):
        raise BadInput(f"{name}: Parquet or Arrow data inside an archive; expected it by itself; unpack it")
    for magic, kind in FOREIGN.items():
        if head.startswith(magic):
            raise BadInput(f"{name}: {kind} data; expected JSON or JSONL, plain or in gzip or zip; convert it")
    if encoding := wide_encoding(head):
        source, target = shlex.quote(name), shlex.quote(f"utf8{PurePosixPath(name.removesuffix('.gz')).suffix}")
        raise BadInput(
            f"{name}: encoded in {encoding}; expected UTF-8; "
            f"convert it: iconv -f {encoding} -t UTF-8 {source} > {target}"
        )


def wide_encoding(head: bytes) -> str:
    """UTF-16 or UTF-32 by byte order mark or by the pattern of zero bytes; empty if neither."""
    for mark, encoding in BOMS.items():
        if head.startswith(mark):
            return encoding
    return ZEROS.get(tuple(byte == 0 for byte in head[:4]), "")  # type: ignore[arg-type]


def columnar_content(table: ColumnarFile, meter: Meter, groups: Sequence[int] | None = None) -> io.BufferedReader:
    """The rows of a file of columns as lines of JSON; of all row groups, or of those that are named."""
    return io.BufferedReader(MeteredStream(LineStream(table.lines(groups)), table.name, meter), BLOCK)


def _rows(table: ColumnarFile, meter: Meter, warnings: Warnings) -> Iterator[tuple[str, io.BufferedReader]]:
    """The rows of a file of columns, if it has any: a job that writes a table in parts may leave some empty."""
    reader = columnar_content(table, meter)
    if reader.peek(1):
        yield table.name, reader
    else:
        warnings.add("rowless", f"{table.name}: no rows")


def _content(stream: MeteredStream, warnings: Warnings) -> tuple[str, io.BufferedReader]:
    reader: io.BufferedReader = io.BufferedReader(stream, BLOCK)
    head = reader.peek(1)[:512]
    refuse_content(stream.name, head)
    if head.startswith(BOM):
        reader.read(len(BOM))
        warnings.add("bom", f"{stream.name}: starts with a byte order mark, which was left out")
    return stream.name, reader


def _members(path: Path, file: BinaryIO, meter: Meter, warnings: Warnings) -> Iterator[tuple[str, io.BufferedReader]]:
    archive = _open_zip(path, file)
    infos = sorted((info for info in archive.infolist() if _may_hold_records(info)), key=lambda info: info.filename)
    if not infos:
        raise BadInput(f"{path}: a zip without files; expected members with records; check how it was made")
    for info in infos:
        name = f"{path}/{info.filename}"
        refuse_name(name)
        with _open_member(archive, info, name) as member:
            yield _content(MeteredStream(member, name, meter), warnings)


def _open_zip(path: Path, file: BinaryIO) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(file)
    except DAMAGE as fault:
        raise BadInput(
            f"{path}: cut short or damaged after {path.stat().st_size:,} packed bytes "
            f"({reason_of(fault)}); expected a whole zip; copy or download it again"
        ) from None


def _open_member(archive: zipfile.ZipFile, info: zipfile.ZipInfo, name: str) -> io.BufferedIOBase:
    if info.flag_bits & 0x1:
        raise BadInput(f"{name}: encrypted; expected a zip without password; unpack it first")
    try:
        return cast(io.BufferedIOBase, archive.open(info))
    except NotImplementedError as fault:
        if info.compress_type == ZSTD:
            return open_zstd_member(archive, info, name)
        raise BadInput(
            f"{name}: cannot be read from the zip ({reason_of(fault)}); expected deflate, zstd or no compression; "
            "pack it again"
        ) from None
    except DAMAGE as fault:
        raise BadInput(
            f"{name}: cannot be read from the zip ({reason_of(fault)}); expected a whole zip; pack it again"
        ) from None


def _may_hold_records(info: zipfile.ZipInfo) -> bool:
    """Whether a member is a file that a person put there, not a folder or what macOS adds."""
    parts = PurePosixPath(info.filename).parts
    hidden = any(part.startswith(".") and part != ".." for part in parts)
    return not (info.filename.endswith("/") or hidden or info.filename.startswith("__MACOSX"))


def _pickle(name: str) -> str:
    return (
        f"{name}: a pickle or array file, which can run code when loaded; "
        "expected JSON or JSONL; export the records as JSON"
    )
