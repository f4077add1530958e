from __future__ import annotations

import gzip
import io
import json
import os
import pickle
import struct
import sys
import tracemalloc
import zipfile
import zlib
from pathlib import Path

import pytest

from adjudge.core.errors import BadInput, BadRecord, Complaint, Warnings
from adjudge.read import opening, source
from adjudge.read.files import ReadLimits, document, documents, rows

TWO = b'{"id": "a"}\n{"id": "b"}\n'
A, B = b'{"id": "a"}', b'{"id": "b"}'


def write(folder: Path, name: str, data: bytes) -> Path:
    path = folder / name
    path.write_bytes(data)
    return path


def write_zip(folder: Path, name: str, members: dict[str, bytes]) -> Path:
    path = folder / name
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for member, data in members.items():
            archive.writestr(member, data)
    return path


def read(path: Path, limits: ReadLimits | None = None) -> list[tuple[str, bytes]]:
    """The rows with the folder left out of their places."""
    results = rows(path, Warnings(), limits or ReadLimits())
    return [(where.removeprefix(f"{path.parent}/"), raw) for where, raw in results]


def refusal(path: Path, limits: ReadLimits | None = None) -> str:
    with pytest.raises(BadInput) as caught:
        read(path, limits)
    text = str(caught.value)
    assert text.startswith(str(path))
    return text


def salvage(path: Path, limits: ReadLimits | None = None) -> tuple[list[bytes], list[str]]:
    complaints: list[Complaint] = []
    kept = [raw for _, raw in rows(path, Warnings(), limits or ReadLimits(), complaints.append)]
    return kept, [str(complaint).removeprefix(f"{path.parent}/") for complaint in complaints]


# Shapes of files


def test_jsonl_gives_a_row_a_line_with_its_number(tmp_path: Path) -> None:
    assert read(write(tmp_path, "x.jsonl", TWO)) == [("x.jsonl:1", A), ("x.jsonl:2", B)]


def test_the_place_is_the_path_as_the_user_gave_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, "x.jsonl", TWO)
    monkeypatch.chdir(tmp_path)
    assert [where for where, _ in rows(Path("x.jsonl"), Warnings())] == ["x.jsonl:1", "x.jsonl:2"]


def test_blank_lines_are_skipped_but_counted(tmp_path: Path) -> None:
    path = write(tmp_path, "x.jsonl", b"\n  \n" + A + b"\n\n \t\n" + B + b"\n\n" + A + b"\n\n")
    assert read(path) == [("x.jsonl:3", A), ("x.jsonl:6", B), ("x.jsonl:8", A)]


def test_crlf_and_a_missing_last_newline_are_fine(tmp_path: Path) -> None:
    assert [raw for _, raw in read(write(tmp_path, "x.jsonl", A + b"\r\n\r\n" + B))] == [A, B]


def test_one_object_on_one_line_is_one_row(tmp_path: Path) -> None:
    assert read(write(tmp_path, "x.json", A + b"\n\n")) == [("x.json:1", A)]


def test_a_pretty_printed_object_is_one_row(tmp_path: Path) -> None:
    text = b'{\n  "id": "a",\n  "turns": []\n}'
    assert read(write(tmp_path, "x.json", b"\n" + text + b"\n")) == [("x.json:2", text)]


def test_a_list_on_one_line_gives_its_elements(tmp_path: Path) -> None:
    path = write(tmp_path, "x.json", b"[" + A + b", " + B + b"]\n")
    assert read(path) == [("x.json:1", A), ("x.json:1", B)]


def test_elements_of_a_list_carry_the_line_they_start_at(tmp_path: Path) -> None:
    nested = b"[[1],\n  [2]]"
    path = write(tmp_path, "x.json", b"\n[\n  " + A + b",\n\n  " + nested + b"\n  ,\n" + B + b"\n]\n")
    assert read(path) == [("x.json:3", A), ("x.json:5", nested), ("x.json:8", B)]


def test_lists_a_line_each_are_rows(tmp_path: Path) -> None:
    assert [raw for _, raw in read(write(tmp_path, "x.jsonl", b"[1]\n[2]\n"))] == [b"[1]", b"[2]"]


def test_an_empty_list_has_no_rows(tmp_path: Path) -> None:
    assert read(write(tmp_path, "x.json", b"[]")) == []


@pytest.mark.parametrize("bad", [b'{"id": NaN}', b'{"id": "cut', b'{"id": "\x92"}', b"garbage"])
def test_a_broken_first_line_does_not_turn_jsonl_into_a_document(tmp_path: Path, bad: bytes) -> None:
    assert [raw for _, raw in read(write(tmp_path, "x.jsonl", bad + b"\n" + B + b"\n"))] == [bad, B]


def test_a_truncated_last_line_is_a_row_for_the_decoder_to_refuse(tmp_path: Path) -> None:
    assert [raw for _, raw in read(write(tmp_path, "x.jsonl", A + b'\n{"id": "b'))] == [A, b'{"id": "b']


def test_what_is_not_json_at_all_is_refused_with_its_start(tmp_path: Path) -> None:
    text = refusal(write(tmp_path, "x.csv", b"speaker,text\nann,hello\n"))
    assert "x.csv:1: starts 'speaker,text'; expected JSON" in text


# Faults inside a list


def test_a_truncated_list_keeps_its_whole_elements(tmp_path: Path) -> None:
    kept, complaints = salvage(write(tmp_path, "x.json", b"[\n" + A + b",\n" + B + b',\n{"id": "c'))
    assert kept == [A, B]
    assert complaints == [
        "x.json:4: ends in the middle of a string (truncated at byte 9); the list cannot be read from here on"
    ]


def test_a_list_cut_between_elements_says_so(tmp_path: Path) -> None:
    kept, complaints = salvage(write(tmp_path, "x.json", b"[" + A))
    assert kept == [A]
    assert "truncated" in complaints[0]


def test_a_missing_comma_ends_the_list_with_a_complaint(tmp_path: Path) -> None:
    kept, complaints = salvage(write(tmp_path, "x.json", b"[" + A + b" " + B + b"]"))
    assert kept == [A]
    assert "expected ',' or ']' after this element" in complaints[0]


def test_text_after_a_list_is_a_complaint(tmp_path: Path) -> None:
    kept, complaints = salvage(write(tmp_path, "x.json", b"[\n" + A + b"]\nthe end"))
    assert kept == [A]
    assert "'the end' after the end of the list" in complaints[0]


@pytest.mark.parametrize("bad", [b'{"x": NaN}', rb'{"x": "\ud83d"}', b'{"x": "\x92"}', b'{"x": "\t"}'])
def test_a_bad_element_does_not_spoil_its_neighbours(tmp_path: Path, bad: bytes) -> None:
    kept, complaints = salvage(write(tmp_path, "x.json", b"[" + A + b",\n" + bad + b", " + B + b"]"))
    assert (kept, complaints) == ([A, bad, B], [])


def test_without_a_place_for_complaints_the_first_is_raised(tmp_path: Path) -> None:
    with pytest.raises(BadRecord, match="truncated"):
        read(write(tmp_path, "x.json", b"[\n" + A + b',\n{"id'))


def test_a_list_nested_without_end_is_a_complaint(tmp_path: Path) -> None:
    kept, complaints = salvage(write(tmp_path, "x.json", b"[" * 100_000 + b"]" * 100_000))
    assert kept == []
    assert "nested too deeply" in complaints[0]


# ReadLimits


def test_an_overlong_line_is_refused_and_the_rest_read(tmp_path: Path) -> None:
    long = b'{"id": "' + b"x" * 200 + b'"}'
    path = write(tmp_path, "x.jsonl", A + b"\n" + long + b"\n" + B + b"\n")
    kept, complaints = salvage(path, ReadLimits(line_bytes=100))
    assert kept == [A, B]
    assert complaints == ["x.jsonl:2: 211 bytes in one line; expected at most 100; shorten or split the record"]


@pytest.mark.parametrize("end", [b"", b"\n"])
def test_a_line_of_just_the_limit_is_kept(tmp_path: Path, end: bytes) -> None:
    assert salvage(write(tmp_path, "x.jsonl", A + end), ReadLimits(line_bytes=len(A))) == ([A], [])


def test_an_overlong_line_raises_without_a_place_for_complaints(tmp_path: Path) -> None:
    with pytest.raises(BadRecord, match="bytes in one line"):
        read(write(tmp_path, "x.jsonl", TWO), ReadLimits(line_bytes=5))


def test_a_list_on_one_long_line_is_a_document_not_a_long_line(tmp_path: Path) -> None:
    path = write(tmp_path, "x.json", b"[" + b", ".join([A] * 50) + b"]")
    assert salvage(path, ReadLimits(line_bytes=100)) == ([A] * 50, [])


def test_a_line_of_100_mb_takes_no_more_memory_than_the_limit(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    with path.open("wb") as file:
        file.write(A + b'\n{"id": "')
        for _ in range(100):
            file.write(b"x" * (1 << 20))
        file.write(b'"}\n' + B + b"\n")
    tracemalloc.start()
    kept, complaints = salvage(path, ReadLimits(line_bytes=4 << 20))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert kept == [A, B]
    assert len(complaints) == 1
    assert peak < 16 << 20


def test_a_long_jsonl_file_is_streamed(tmp_path: Path) -> None:
    path = write(tmp_path, "x.jsonl", (b'{"id": "' + b"x" * 1000 + b'"}\n') * 30_000)
    tracemalloc.start()
    count = sum(1 for _ in rows(path, Warnings()))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert count == 30_000
    assert peak < 5 << 20


def test_endless_white_space_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path, "x.jsonl", A + b"\n" * (3 << 20) + B)
    assert "bytes of white space" in refusal(path, ReadLimits(line_bytes=1 << 20))


def test_a_file_beyond_the_size_limit_is_refused(tmp_path: Path) -> None:
    assert "more than 10 bytes of content" in refusal(write(tmp_path, "x.jsonl", TWO), ReadLimits(file_bytes=10))


def test_a_document_beyond_the_size_limit_is_refused_with_the_way_out(tmp_path: Path) -> None:
    path = write(tmp_path, "x.json", b"[\n" + A + b"\n]")
    assert "JSONL" in refusal(path, ReadLimits(document_bytes=10))


# What is not a readable file


def test_a_missing_file_names_close_ones(tmp_path: Path) -> None:
    write(tmp_path, "dialogues.jsonl", TWO)
    assert "no such file" in refusal(tmp_path / "dialogs.jsonl")
    assert "did you mean 'dialogues.jsonl'?" in refusal(tmp_path / "dialogs.jsonl")


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    assert "nowhere' does not exist either" in refusal(tmp_path / "nowhere" / "x.jsonl")


def test_a_folder_names_some_of_its_files(tmp_path: Path) -> None:
    write(tmp_path, "x.jsonl", TWO)
    assert "a folder; expected a file; give one of its files, such as 'x.jsonl'" in refusal(tmp_path)


@pytest.mark.parametrize("data", [b"", b" \n\r\n\t ", b"\xef\xbb\xbf"])
def test_an_empty_file_is_refused(tmp_path: Path, data: bytes) -> None:
    assert ": empty; expected" in refusal(write(tmp_path, "x.jsonl", data))


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may read everything")
def test_an_unreadable_file_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path, "x.jsonl", TWO)
    path.chmod(0)
    assert "not readable" in refusal(path)


def test_a_refused_permission_says_what_to_do() -> None:
    text = opening.why_not_opened(Path("my x.jsonl"), PermissionError(13, "Permission denied"))
    assert text == "my x.jsonl: not readable; expected a file you may read; try chmod u+r 'my x.jsonl'"


# Encodings


def test_a_byte_order_mark_is_stripped_once_with_a_warning(tmp_path: Path) -> None:
    warnings = Warnings()
    path = write(tmp_path, "x.jsonl", b"\xef\xbb\xbf" + TWO)
    assert [raw for _, raw in rows(path, warnings)] == [A, B]
    assert warnings.counts == {"bom": 1}


@pytest.mark.parametrize(
    ("codec", "named"),
    [
        ("utf-16", "UTF-16"),
        ("utf-32", "UTF-32"),
        ("utf-16-le", "UTF-16LE"),
        ("utf-16-be", "UTF-16BE"),
        ("utf-32-le", "UTF-32LE"),
        ("utf-32-be", "UTF-32BE"),
    ],
)
def test_wide_encodings_are_named_with_the_command_that_converts(tmp_path: Path, codec: str, named: str) -> None:
    text = refusal(write(tmp_path, "x.jsonl", TWO.decode().encode(codec)))
    assert f"encoded in {named}; expected UTF-8" in text
    assert f"iconv -f {named} -t UTF-8" in text


# Formats that are never read


@pytest.mark.parametrize("name", ["x.pkl", "x.PICKLE", "x.joblib", "x.pt", "x.pth", "x.npy", "x.npz", "x.pkl.gz"])
def test_pickles_are_refused_by_name(tmp_path: Path, name: str) -> None:
    assert "can run code when loaded" in refusal(write(tmp_path, name, TWO))


@pytest.mark.parametrize("protocol", [2, 3, 4, 5])
def test_pickles_are_refused_by_content(tmp_path: Path, protocol: int) -> None:
    data = pickle.dumps({"id": "a"}, protocol)
    assert "can run code when loaded" in refusal(write(tmp_path, "x.jsonl", data))
    assert "can run code when loaded" in refusal(write(tmp_path, "y.jsonl", gzip.compress(data)))


@pytest.mark.parametrize("name", ["x.yaml", "x.yml"])
def test_yaml_is_refused_with_what_to_do(tmp_path: Path, name: str) -> None:
    assert "YAML; expected JSON or JSONL; convert it to JSON" in refusal(write(tmp_path, name, b"- a: 1"))


@pytest.mark.parametrize(("magic", "kind"), [(b"BZh9", "bzip2"), (b"\x28\xb5\x2f\xfd", "zstd")])
def test_other_binary_formats_are_named(tmp_path: Path, magic: bytes, kind: str) -> None:
    assert f"{kind} data; expected JSON" in refusal(write(tmp_path, "x.jsonl", magic + b"\0" * 20))


# Archives


def test_gzip_is_told_by_its_content(tmp_path: Path) -> None:
    path = write(tmp_path, "x.jsonl", gzip.compress(A + b"\n") + gzip.compress(B + b"\n"))
    assert read(path) == [("x.jsonl:1", A), ("x.jsonl:2", B)]


def test_a_zip_packed_by_an_unknown_method_says_what_to_do(tmp_path: Path) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("start.json", A)
    raw = bytearray(packed.getvalue())
    for header, place in ((b"PK\x03\x04", 8), (b"PK\x01\x02", 10)):
        raw[raw.index(header) + place] = 96  # JPEG.
    text = refusal(write(tmp_path, "log.zip", bytes(raw)))
    assert "expected deflate, zstd or no compression; pack it again" in text


def zip_in_zstd(content: bytes, packed: bytes | None = None) -> bytes:
    """A zip with one member that is packed with zstd, as recent Inspect logs are."""
    zstandard = pytest.importorskip("zstandard", reason="zstandard is not installed")
    packed = zstandard.compress(content) if packed is None else packed
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("x.jsonl", packed)
    raw = bytearray(file.getvalue())
    # In the local header and in the directory: method, checksum, and size of the content.
    for header, place in ((b"PK\x03\x04", 8), (b"PK\x01\x02", 10)):
        start = raw.index(header)
        raw[start + place] = 93
        struct.pack_into("<I", raw, start + place + 6, zlib.crc32(content))
        struct.pack_into("<I", raw, start + place + 14, len(content))
    return bytes(raw)


def test_a_zip_packed_with_zstd_is_read(tmp_path: Path) -> None:
    path = write(tmp_path, "log.eval", zip_in_zstd(TWO * 50_000))
    assert [row for _, row in read(path)] == [A, B] * 50_000


def test_a_damaged_member_in_zstd_is_refused(tmp_path: Path) -> None:
    zstandard = pytest.importorskip("zstandard", reason="zstandard is not installed")
    other, short = zstandard.compress(b"[]"), zstandard.compress(TWO)[:-3]
    for content in (zip_in_zstd(TWO, other), zip_in_zstd(TWO, b"no zstd at all")):
        assert "cut short or damaged" in refusal(write(tmp_path, "log.eval", content))
    assert "cut short or damaged" in refusal(write(tmp_path, "log.eval", zip_in_zstd(TWO, short)))


def test_a_bomb_in_zstd_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path, "log.eval", zip_in_zstd(b'{"id": "' + b"x" * (80 << 20) + b'"}'))
    assert "compression bomb" in refusal(path)


@pytest.mark.skipif(sys.version_info >= (3, 14), reason="Python itself reads zstd")
def test_zstd_without_its_package_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path, "log.eval", zip_in_zstd(TWO))
    monkeypatch.setitem(sys.modules, "zstandard", None)
    assert "packed with zstd, which needs the package zstandard" in refusal(path)


def test_a_plain_file_that_is_called_gz_is_read(tmp_path: Path) -> None:
    assert len(read(write(tmp_path, "x.jsonl.gz", TWO))) == 2


def test_a_zip_gives_its_members_in_name_order_without_hidden_ones(tmp_path: Path) -> None:
    members = {
        "b.jsonl": b"\n" + B,
        "a.json": b"[\n" + A + b"]",
        "__MACOSX/a.json": b"\0",
        ".hidden": b"\0",
        "in/.DS_Store": b"\0",
        "in/": b"",
    }
    path = write_zip(tmp_path, "x.dat", members)
    assert read(path) == [("x.dat/a.json:2", A), ("x.dat/b.jsonl:2", B)]


def test_a_zip_without_files_is_refused(tmp_path: Path) -> None:
    assert "a zip without files" in refusal(write_zip(tmp_path, "x.zip", {}))


def test_a_cut_gzip_gives_what_is_whole_and_then_says_where_it_ends(tmp_path: Path) -> None:
    lines = b"".join(b'{"id": %d}\n' % number for number in range(20_000))
    packed = gzip.compress(lines)
    path = write(tmp_path, "x.jsonl.gz", packed[: len(packed) // 2])
    seen: list[bytes] = []
    with pytest.raises(BadInput, match=r"cut short or damaged after [\d,]+ bytes of content"):
        seen.extend(raw for _, raw in rows(path, Warnings()))
    assert len(seen) > 5_000


def test_a_damaged_gzip_is_refused(tmp_path: Path) -> None:
    packed = bytearray(gzip.compress(os.urandom(5000).hex().encode()))
    packed[len(packed) // 2] ^= 0xFF
    assert "cut short or damaged" in refusal(write(tmp_path, "x.jsonl.gz", bytes(packed)))


def test_a_cut_zip_is_refused(tmp_path: Path) -> None:
    data = write_zip(tmp_path, "x.zip", {"a.jsonl": TWO}).read_bytes()
    assert "cut short or damaged" in refusal(write(tmp_path, "y.zip", data[:-10]))


def test_a_damaged_member_is_refused_by_name(tmp_path: Path) -> None:
    path = tmp_path / "x.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr("a.jsonl", TWO)
    path.write_bytes(path.read_bytes().replace(A, b'{"id": "z"}'))
    assert f"{path}/a.jsonl: cut short or damaged" in refusal(path)


def test_a_member_whose_name_was_wiped_is_refused(tmp_path: Path) -> None:
    path = write_zip(tmp_path, "x.zip", {"a.jsonl": TWO})
    data = path.read_bytes()
    directory = data.index(b"PK\x01\x02")
    path.write_bytes(data[:directory] + data[directory:].replace(b"a.jsonl", b"\0" * 7))
    assert "cannot be read from the zip" in refusal(path)


def test_an_encrypted_member_is_refused(tmp_path: Path) -> None:
    path = write_zip(tmp_path, "x.zip", {"a.jsonl": TWO})
    data = bytearray(path.read_bytes())
    data[data.index(b"PK\x01\x02") + 8] |= 1
    path.write_bytes(data)
    assert "a.jsonl: encrypted; expected a zip without password" in refusal(path)


def test_nested_archives_are_refused(tmp_path: Path) -> None:
    inner = write_zip(tmp_path, "inner.zip", {"a.jsonl": TWO}).read_bytes()
    for name, data in {"a.zip": inner, "a.jsonl": gzip.compress(TWO)}.items():
        assert "an archive inside an archive" in refusal(write_zip(tmp_path, "x.zip", {name: data}))
    assert "an archive inside an archive" in refusal(write(tmp_path, "x.gz", gzip.compress(gzip.compress(TWO))))


def test_a_gzip_bomb_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path, "x.jsonl.gz", gzip.compress(b'{"id": "' + b"x" * (80 << 20) + b'"}', 9))
    text = refusal(path, ReadLimits(line_bytes=1 << 20))
    assert "compression bomb; expected at most 200 to 1" in text


def test_a_zip_bomb_spread_over_members_is_refused(tmp_path: Path) -> None:
    line = b'{"id": "' + b"x" * (1 << 20) + b'"}\n'
    path = write_zip(tmp_path, "x.zip", {f"{part}.jsonl": line * 35 for part in "ab"})
    assert f"{path}/b.jsonl: " in refusal(path)


def test_much_content_from_few_bytes_is_fine_below_64_mib(tmp_path: Path) -> None:
    path = write(tmp_path, "x.jsonl.gz", gzip.compress(TWO * 100_000))
    assert path.stat().st_size * 200 < len(TWO) * 100_000
    assert len(read(path)) == 200_000


# Whole documents


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_document_gives_the_whole_content(tmp_path: Path, pack: object) -> None:
    assert callable(pack)
    path = write(tmp_path, "x.json", pack(b"\xef\xbb\xbf{\n}\n"))
    warnings = Warnings()
    assert document(path, warnings) == (str(path), b"{\n}\n")
    assert warnings.counts == {"bom": 1}


def test_document_reads_a_zip_with_one_member(tmp_path: Path) -> None:
    path = write_zip(tmp_path, "x.zip", {"a.json": b"{}", "__MACOSX/a.json": b""})
    assert document(path, Warnings()) == (f"{path}/a.json", b"{}")


def test_document_refuses_a_zip_with_two_members(tmp_path: Path) -> None:
    path = write_zip(tmp_path, "x.zip", {"a.json": b"{}", "b.json": b"{}"})
    with pytest.raises(BadInput, match="expected one file"):
        document(path, Warnings())


def test_document_refuses_an_empty_file(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="empty"):
        document(write(tmp_path, "x.json", b" \n"), Warnings())


def test_documents_gives_every_member_by_name(tmp_path: Path) -> None:
    path = write_zip(tmp_path, "x.zip", {"b.json": b"[2]", "a.json": b"[1]"})
    assert list(documents(path, Warnings())) == [(f"{path}/a.json", b"[1]"), (f"{path}/b.json", b"[2]")]


def test_documents_of_a_plain_file_is_that_file(tmp_path: Path) -> None:
    path = write(tmp_path, "x.json", b"[1]")
    assert list(documents(path, Warnings())) == [(str(path), b"[1]")]


def test_a_stream_fills_its_buffer_over_short_reads() -> None:
    class Trickle(io.BytesIO):
        def read1(self, size: int | None = -1, /) -> bytes:
            return super().read(1)

        def readinto1(self, buffer: memoryview) -> int:  # type: ignore[override]
            piece = self.read1()
            buffer[: len(piece)] = piece
            return len(piece)

    stream = source.MeteredStream(Trickle(TWO), "x", source.Meter(0, ReadLimits()))
    assert stream.read(len(TWO)) == TWO


@pytest.mark.parametrize(
    "layout", ["[{small}, {large}, {small}]", "[\n{small},\n{large},\n{small}\n]", "{small}\n{large}\n{small}\n"]
)
def test_a_record_has_the_same_limit_in_every_layout(tmp_path: Path, layout: str) -> None:
    small, large = '{"id": "a"}', json.dumps({"id": "b" * 200})
    path = write(tmp_path, "x.json", layout.replace("{small}", small).replace("{large}", large).encode())
    kept, complaints = salvage(path, ReadLimits(line_bytes=100))
    assert kept == [A, A]
    (complaint,) = complaints
    assert "expected at most 100; shorten or split the record" in complaint


def test_one_pretty_record_has_the_same_limit(tmp_path: Path) -> None:
    path = write(tmp_path, "x.json", json.dumps({"id": "b" * 200}, indent=1).encode())
    kept, complaints = salvage(path, ReadLimits(line_bytes=100))
    assert (kept, len(complaints)) == ([], 1)


def test_a_pipe_without_a_writer_is_refused_and_does_not_block(tmp_path: Path) -> None:
    path = tmp_path / "pipe.jsonl"
    os.mkfifo(path)
    assert "a pipe; expected a file, because it is read twice" in refusal(path)


def test_a_device_is_refused() -> None:
    assert "a device; expected a file" in refusal(Path("/dev/zero"))
