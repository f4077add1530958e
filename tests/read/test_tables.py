from __future__ import annotations

import csv
import gzip
import io
import tempfile
import threading
import tracemalloc
import zipfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from adjudge.core.errors import BadInput, BadRecord, Complaint, Warnings
from adjudge.read.source import ReadLimits
from adjudge.read.tables import is_table, table_rows

TWO = b"speaker,text\nann,hello\nbob,hi\n"
ANN = {"speaker": "ann", "text": "hello"}
BOB = {"speaker": "bob", "text": "hi"}


def write(folder: Path, data: bytes, name: str = "x.csv") -> Path:
    path = folder / name
    path.write_bytes(data)
    return path


def read(path: Path, **options: Any) -> list[tuple[str, dict[str, str]]]:
    """The rows with the folder left out of their places."""
    return [(where.removeprefix(f"{path.parent}/"), row) for where, row in table_rows(path, Warnings(), **options)]


def refusal(path: Path, **options: Any) -> str:
    """What the whole file is refused with."""
    with pytest.raises(BadInput) as caught:
        list(table_rows(path, Warnings(), **options, refuse=lambda complaint: None))
    assert not isinstance(caught.value, BadRecord)
    return str(caught.value).removeprefix(f"{path.parent}/")


def salvage(path: Path, **options: Any) -> tuple[list[dict[str, str]], list[str]]:
    """The rows that are kept and the complaints about the others."""
    complaints: list[Complaint] = []
    kept = [row for _, row in table_rows(path, Warnings(), **options, refuse=complaints.append)]
    return kept, [str(complaint).removeprefix(f"{path.parent}/") for complaint in complaints]


# Names of tables


@pytest.mark.parametrize("name", ["a.csv", "a.csv.gz", "a.tsv", "a.tsv.gz", "a.csv.zip", "A.CSV", "a.b.csv"])
def test_tables_are_told_by_name(name: str) -> None:
    assert is_table(Path(name))


@pytest.mark.parametrize("name", ["a.jsonl", "a.csv.jsonl", "csv", "a.zip", "a.gz", "folder.csv/a.json", "acsv"])
def test_other_names_are_no_tables(name: str) -> None:
    assert not is_table(Path(name))


# Shapes of files


def test_rows_are_dicts_by_column_with_their_line(tmp_path: Path) -> None:
    assert read(write(tmp_path, TWO)) == [("x.csv:2", ANN), ("x.csv:3", BOB)]


def test_the_place_is_the_path_as_the_user_gave_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, TWO)
    monkeypatch.chdir(tmp_path)
    assert [where for where, _ in table_rows(Path("x.csv"), Warnings())] == ["x.csv:2", "x.csv:3"]


def test_a_row_is_placed_at_the_line_it_starts_on(tmp_path: Path) -> None:
    data = b'speaker,text\nann,"one\ntwo\r\nthree"\n\nbob,"a ""word"", said"\ncid,\n'
    assert read(write(tmp_path, data)) == [
        ("x.csv:2", {"speaker": "ann", "text": "one\ntwo\r\nthree"}),
        ("x.csv:6", {"speaker": "bob", "text": 'a "word", said'}),
        ("x.csv:7", {"speaker": "cid", "text": ""}),
    ]


def test_blank_lines_are_skipped_but_counted(tmp_path: Path) -> None:
    data = b"\n  \r\nspeaker,text\r\n\r\nann,hello\n \t \n\nbob,hi\n\n\n"
    assert read(write(tmp_path, data)) == [("x.csv:5", ANN), ("x.csv:8", BOB)]


def test_white_space_is_a_cell_where_there_is_one_column(tmp_path: Path) -> None:
    assert [row["text"] for _, row in read(write(tmp_path, b'text\n  \n\n""\n'))] == ["  ", ""]


def test_a_row_of_empty_cells_is_a_row(tmp_path: Path) -> None:
    assert read(write(tmp_path, b"a\tb\n\t\n", "x.tsv")) == [("x.tsv:2", {"a": "", "b": ""})]


@pytest.mark.parametrize("ending", [b"", b"\r", b"\r\n", b"\n\n"])
def test_crlf_and_a_missing_last_newline_are_fine(tmp_path: Path, ending: bytes) -> None:
    data = TWO.rstrip().replace(b"\n", b"\r\n") + ending
    assert [row for _, row in read(write(tmp_path, data))] == [ANN, BOB]


def test_a_header_alone_has_no_rows(tmp_path: Path) -> None:
    assert read(write(tmp_path, b"speaker,text"), required=("text",)) == []


@pytest.mark.parametrize("data", [b"", b"\n\r\n  \n", b"\xef\xbb\xbf"])
def test_an_empty_file_is_refused(tmp_path: Path, data: bytes) -> None:
    assert refusal(write(tmp_path, data)).startswith("x.csv: empty; expected a header line and rows")


def test_quotes_and_other_line_breaks_inside_a_plain_cell_are_text(tmp_path: Path) -> None:
    data = 'speaker,text\nann,a 5" pipe\u2028and\x0bmore\x85\nbob,hi\n'.encode()
    rows = read(write(tmp_path, data))
    assert rows == [("x.csv:2", {"speaker": "ann", "text": 'a 5" pipe\u2028and\x0bmore\x85'}), ("x.csv:3", BOB)]


@pytest.mark.parametrize("delimiter", [";", "|", "^", "]", "\\", " "])
def test_any_character_may_separate_cells(tmp_path: Path, delimiter: str) -> None:
    data = TWO.replace(b",", delimiter.encode()) + f'"x{delimiter}y"{delimiter}z'.encode()
    rows = read(write(tmp_path, data), delimiter=delimiter)
    assert [row for _, row in rows] == [ANN, BOB, {"speaker": f"x{delimiter}y", "text": "z"}]


def test_a_tsv_is_separated_by_tabs(tmp_path: Path) -> None:
    data = TWO.replace(b",", b"\t")
    for name in ("x.tsv", "x.TSV", "x.tsv.gz"):
        assert [row for _, row in read(write(tmp_path, data, name))] == [ANN, BOB]


@pytest.mark.parametrize("delimiter", ["\t", r"\t"])
def test_a_tab_may_be_given_in_one_character_or_two(tmp_path: Path, delimiter: str) -> None:
    path = write(tmp_path, TWO.replace(b",", b"\t"))
    assert [row for _, row in read(path, delimiter=delimiter)] == [ANN, BOB]


@pytest.mark.parametrize("delimiter", ["", ";;", '"', "\n"])
def test_what_cannot_separate_cells_is_refused(tmp_path: Path, delimiter: str) -> None:
    text = refusal(write(tmp_path, TWO), delimiter=delimiter)
    assert f"--delimiter {delimiter!r}: expected one character" in text


# Archives and encodings


def test_gzip_and_zip_are_told_by_their_content(tmp_path: Path) -> None:
    assert read(write(tmp_path, gzip.compress(TWO), "x.csv.gz")) == [("x.csv.gz:2", ANN), ("x.csv.gz:3", BOB)]
    path = tmp_path / "y.csv.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("b.csv", b"text,speaker\nhi,bob\n")
        archive.writestr("a.csv", b"speaker,text\nann,hello\n")
    assert read(path) == [("y.csv.zip/a.csv:2", ANN), ("y.csv.zip/b.csv:2", BOB)]


def test_a_cut_gzip_gives_what_is_whole_and_then_says_where_it_ends(tmp_path: Path) -> None:
    packed = gzip.compress(b"a,b\n" + b"".join(b"%d,%d\n" % (n, n * n) for n in range(50_000)))
    seen: list[str] = []
    with pytest.raises(BadInput, match="cut short or damaged"):
        seen.extend(where for where, _ in table_rows(write(tmp_path, packed[:-1000]), Warnings()))
    assert len(seen) > 1000


def test_a_byte_order_mark_is_stripped_with_a_warning(tmp_path: Path) -> None:
    warnings = Warnings()
    rows = table_rows(write(tmp_path, b"\xef\xbb\xbf" + TWO), warnings, required=["speaker"])
    assert [row for _, row in rows] == [ANN, BOB]
    assert warnings.counts == {"bom": 1}


@pytest.mark.parametrize("codec", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_wide_encodings_are_named_with_the_command_that_converts(tmp_path: Path, codec: str) -> None:
    text = refusal(write(tmp_path, TWO.decode().encode(codec)))
    assert f"encoded in {codec.upper()[:6]}" in text
    assert "iconv -f" in text


def test_a_byte_of_cp1252_is_named_with_its_place_and_the_way_out(tmp_path: Path) -> None:
    path = write(tmp_path, b'speaker,text\nann,"all\nit\x92s late"\n')
    assert refusal(path) == (
        "x.csv:3: byte 0x92 at byte 2 of the line is not UTF-8, near 'it\ufffds late\"\\n'; expected UTF-8; "
        "probably cp1252 (there it is '\u2019'): give --encoding cp1252"
    )
    assert read(path, encoding="cp1252") == [("x.csv:2", {"speaker": "ann", "text": "all\nit\u2019s late"})]


def test_cp1252_is_not_offered_where_the_bytes_do_not_fit(tmp_path: Path) -> None:
    text = refusal(write(tmp_path, b"text\n\x81\x92\n"))
    assert "cp1252" not in text
    assert "name the file's encoding with --encoding" in text


def test_a_wrong_encoding_is_refused_with_what_fits(tmp_path: Path) -> None:
    text = refusal(write(tmp_path, "text\ncafé\n".encode()), encoding="ascii")
    assert "x.csv:2: byte 0xc3 at byte 3 of the line is not ascii" in text
    assert "give --encoding utf-8" in text
    assert "is not cp1252" in refusal(write(tmp_path, b"text\n\x81\xff\n"), encoding="cp1252")


@pytest.mark.parametrize("encoding", ["utf-99", "utf-16", "cp037", "hex", "", "a\0b"])
def test_encodings_that_cannot_be_read_are_refused(tmp_path: Path, encoding: str) -> None:
    text = refusal(write(tmp_path, TWO), encoding=encoding)
    assert f"--encoding {encoding!r}: not a text encoding that keeps ASCII" in text


@pytest.mark.parametrize("half", [b"\xed\xa0\xbd", b"\xed\xb8\x80"])
def test_half_a_character_spoils_its_row_only(tmp_path: Path, half: bytes) -> None:
    kept, complaints = salvage(write(tmp_path, b"speaker,text\nann,x" + half + b"\nbob,hi\n"))
    assert kept == [BOB]
    assert len(complaints) == 1
    assert complaints[0].startswith("x.csv:2: half a character, near 'ann,x")
    complaints[0].encode()


def test_a_file_cut_inside_a_character_keeps_its_whole_rows(tmp_path: Path) -> None:
    kept, complaints = salvage(write(tmp_path, TWO + "cid,caf\u20ac".encode()[:-1]))
    assert kept == [ANN, BOB]
    assert "x.csv:4: half a character, near 'cid,caf" in complaints[0]


def test_nul_bytes_are_refused_with_their_row(tmp_path: Path) -> None:
    kept, complaints = salvage(write(tmp_path, b'speaker,text\nann,"a\nb\0c"\nbob,hi\n'))
    assert kept == [BOB]
    assert complaints == [
        "x.csv:2: a NUL byte, near 'ann,\"a\\nb\\x00c\"'; expected text; the file may be damaged: write it again"
    ]
    assert "x.csv:1: a NUL byte" in refusal(write(tmp_path, b"speaker,te\0xt\nann,hello\n"))


# Headers


def test_missing_columns_are_named_with_the_found_and_the_meant(tmp_path: Path) -> None:
    path = write(tmp_path, b"id,Speaker,utterances\n1,ann,hello\n")
    assert refusal(path, required=("id", "speaker", "utterance", "plan")) == (
        "x.csv:1: no column 'speaker' (did you mean 'Speaker'?), 'utterance' (did you mean 'utterances'?), 'plan'; "
        "found 'id', 'Speaker', 'utterances'; name the columns so in the header"
    )


def test_a_name_that_differs_in_case_or_space_alone_is_the_one_meant(tmp_path: Path) -> None:
    assert "did you mean ' ID'?" in refusal(write(tmp_path, b"text, ID\nhello,1\n"), required=["id"])


def test_only_some_of_many_found_columns_are_named(tmp_path: Path) -> None:
    header = ",".join(f"c{number}" for number in range(5000)) + "," + "x" * 500
    text = refusal(write(tmp_path, header.encode()), required=["id"])
    assert "'c11' and 4989 more" in text
    assert len(text) < 400


@pytest.mark.parametrize(("delimiter", "word"), [(";", "semicolons"), ("\t", "tabs"), ("|", "pipes")])
@pytest.mark.parametrize("required", [(), ("text",), ("plan",)])
def test_another_delimiter_is_seen_in_the_header(
    tmp_path: Path, delimiter: str, word: str, required: tuple[str, ...]
) -> None:
    text = refusal(write(tmp_path, TWO.replace(b",", delimiter.encode())), required=required)
    assert f"x.csv:1: the header {'speaker' + delimiter + 'text'!r} looks separated by {word}" in text
    assert f"give --delimiter {delimiter!r}" in text


def test_another_delimiter_is_seen_where_names_hold_the_given_one(tmp_path: Path) -> None:
    path = write(tmp_path, b'id;"note, long";text\n1;a;b\n')
    assert "give --delimiter ';'" in refusal(path, required=["id", "text"])


def test_a_comma_is_seen_where_another_delimiter_was_given(tmp_path: Path) -> None:
    assert "give --delimiter ','" in refusal(write(tmp_path, TWO), delimiter=";")


def test_the_given_delimiter_stands_where_all_columns_are_found(tmp_path: Path) -> None:
    rows = read(write(tmp_path, b"id,a;b;c;d\n1,2\n"), required=["id"])
    assert rows == [("x.csv:2", {"id": "1", "a;b;c;d": "2"})]


def test_a_single_column_needs_no_delimiter(tmp_path: Path) -> None:
    assert [row for _, row in read(write(tmp_path, b"text\nhello\n"), required=["text"])] == [{"text": "hello"}]


@pytest.mark.parametrize("name", ["text", ""])
def test_duplicate_columns_are_refused(tmp_path: Path, name: str) -> None:
    path = write(tmp_path, f"{name},speaker,{name}\na,b,c\n".encode())
    assert f"x.csv:1: columns 1 and 3 are both called {name!r}" in refusal(path)


def test_a_broken_header_is_refused(tmp_path: Path) -> None:
    assert "x.csv:1: a quote opens this cell and is never closed" in refusal(write(tmp_path, b'a,"b\nc,d\n'))


def test_lines_that_end_in_a_carriage_return_alone_are_refused(tmp_path: Path) -> None:
    text = refusal(write(tmp_path, TWO.replace(b"\n", b"\r")))
    assert text.startswith("x.csv:1: a carriage return outside quotes, near 'text\\rann,hello")


# Broken rows


def test_rows_of_another_length_are_refused_with_both_counts(tmp_path: Path) -> None:
    kept, complaints = salvage(write(tmp_path, b"speaker,text\nann,hello,there\nann,hello\nbob\nbob,hi\n"))
    assert kept == [ANN, BOB]
    hint = "quote a cell that holds a delimiter or a line break"
    assert complaints == [
        f"x.csv:2: found 3 cells; expected 2: 'speaker', 'text'; {hint}",
        f"x.csv:4: found 1 cell; expected 2: 'speaker', 'text'; {hint}",
    ]


def test_without_refuse_the_first_bad_row_raises(tmp_path: Path) -> None:
    with pytest.raises(BadRecord, match=r"x\.csv:3: found 1 cell"):
        read(write(tmp_path, b"a,b\n1,2\n3\n"))


def test_a_quote_that_swallows_the_file_is_refused_where_it_opens(tmp_path: Path) -> None:
    data = b'speaker,text\nann,hello\nann,"never closed\n' + b"bob,hi\n" * 50
    kept, complaints = salvage(write(tmp_path, data))
    assert kept == [ANN]
    assert complaints == [
        "x.csv:3: text: a quote opens this cell and is never closed: it takes lines 3 to 53 to the end; "
        "expected a closing quote; close it"
    ]


def test_a_quote_that_the_next_one_closes_is_refused_where_it_opens(tmp_path: Path) -> None:
    data = b'speaker,text,plan\nann,"never closed,p\nbob,"hi, you",p\ncid,"well",p\n'
    kept, complaints = salvage(write(tmp_path, data))
    assert kept == [{"speaker": "cid", "text": "well", "plan": "p"}]
    assert len(complaints) == 1
    assert complaints[0].startswith("x.csv:2: text: the quote that opens this cell is closed on line 3 before 'hi, you")


def test_quotes_escaped_by_a_backslash_are_refused_with_the_way_out(tmp_path: Path) -> None:
    _, complaints = salvage(write(tmp_path, rb"id,plan" b"\n" rb'1,"{\"day\": 1}"'))
    assert 'write a quote inside a cell as ""' in complaints[0]


def test_a_carriage_return_inside_a_plain_row_is_refused(tmp_path: Path) -> None:
    kept, complaints = salvage(write(tmp_path, b"speaker,text\nann,a\rb\nbob,hi\n"))
    assert kept == [BOB]
    assert "x.csv:2: text: a carriage return outside quotes" in complaints[0]


# Size


def test_cells_may_be_longer_than_the_csv_module_lets_them_by_default(tmp_path: Path) -> None:
    long = "x," * 200_000 + "\n" + 'y"' * 10
    buffer = io.StringIO(newline="")
    csv.writer(buffer).writerows([["id", "plan"], ["1", long], ["2", "short"]])
    before = csv.field_size_limit()
    rows = read(write(tmp_path, buffer.getvalue().encode()))
    assert rows == [("x.csv:2", {"id": "1", "plan": long}), ("x.csv:4", {"id": "2", "plan": "short"})]
    assert csv.field_size_limit() == before


def test_the_limit_of_the_csv_module_is_never_changed(tmp_path: Path) -> None:
    path = write(tmp_path, b"id,plan\n" + b"1," + b"x" * 200_000 + b"\n2,y\n")
    before = csv.field_size_limit()
    limits = [csv.field_size_limit() for _ in table_rows(path, Warnings())]
    assert limits == [before, before]


def test_a_row_may_have_as_many_bytes_as_the_limit(tmp_path: Path) -> None:
    path = write(tmp_path, b"a,b\n" + b"x" * 98 + b",y\n" + b"x" * 99 + b",y\n1,2\n")
    kept, complaints = salvage(path, limits=ReadLimits(line_bytes=100))
    assert [row["b"] for row in kept] == ["y", "2"]
    assert complaints == ["x.csv:3: 102 bytes in one row; expected at most 100; shorten or split the row"]


def test_a_long_row_over_many_lines_is_skipped_whole(tmp_path: Path) -> None:
    inside = b'"' + b'one ""line"", of many\n' * 20 + b'"'
    path = write(tmp_path, b"a,b\nx," + inside + b"\n1,2\n")
    kept, complaints = salvage(path, limits=ReadLimits(line_bytes=100))
    assert kept == [{"a": "1", "b": "2"}]
    assert complaints == ["x.csv:2: 445 bytes in one row; expected at most 100; shorten or split the row"]
    assert read(write(tmp_path, path.read_bytes().replace(inside, b"x")))[-1][0] == "x.csv:3"


def test_lines_are_counted_through_rows_that_are_skipped(tmp_path: Path) -> None:
    path = write(tmp_path, b'a,b\nx,"' + b"y\n" * 200 + b'"\n1,2\n')
    rows = list(table_rows(path, Warnings(), limits=ReadLimits(line_bytes=50), refuse=lambda complaint: None))
    assert rows == [(f"{path}:203", {"a": "1", "b": "2"})]


def test_a_quote_that_swallows_more_than_the_limit_is_told_from_a_long_row(tmp_path: Path) -> None:
    path = write(tmp_path, b'a,b\n1,2\nx,"never closed\n' + b"1,2\n" * 100)
    kept, complaints = salvage(path, limits=ReadLimits(line_bytes=50))
    assert kept == [{"a": "1", "b": "2"}]
    assert complaints == ["x.csv:3: a quote in this row is never closed and takes lines 3 to 103 to the end; close it"]


def test_a_header_beyond_the_limit_is_refused(tmp_path: Path) -> None:
    assert "x.csv:1: 204 bytes in one row" in refusal(write(tmp_path, b"a," * 102), limits=ReadLimits(line_bytes=100))


def test_memory_is_bounded_by_the_longest_row(tmp_path: Path) -> None:
    path = write(tmp_path, b'a,b\nx,"' + b"y" * (48 << 20) + b'"\n' + b'1,"a\nb"\n' * 5_000)
    tracemalloc.start()
    kept = sum(
        1 for _ in table_rows(path, Warnings(), limits=ReadLimits(line_bytes=1 << 20), refuse=lambda fault: None)
    )
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert kept == 5_000
    assert peak < 8 << 20


def test_memory_is_bounded_where_a_quote_swallows_many_short_lines(tmp_path: Path) -> None:
    path = write(tmp_path, b'a,b\nx,"' + b"y\n" * (1 << 18))
    tracemalloc.start()
    _, complaints = salvage(path, limits=ReadLimits(line_bytes=4 << 20))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert "never closed" in complaints[0]
    assert peak < 11 << 20


def test_a_swallowed_file_of_short_lines_takes_linear_time(tmp_path: Path) -> None:
    path = write(tmp_path, b'a,b\nx,"never closed\n' + b'1,""2""\n' * 300_000)
    done = threading.Event()
    result: list[str] = []

    def run() -> None:
        result.extend(salvage(path)[1])
        done.set()

    threading.Thread(target=run, daemon=True).start()
    assert done.wait(30)
    assert "never closed" in result[0]


# Against the csv module

CELL = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=12) | st.text(
    'ab ,;"\n\r\t', max_size=8
)


def parsed(data: bytes, **options: Any) -> tuple[list[tuple[int, list[str]]], list[str]]:
    """The lines and cells of the rows of a table, and the complaints."""
    complaints: list[Complaint] = []
    with tempfile.TemporaryDirectory() as folder:
        rows = list(table_rows(write(Path(folder), data), Warnings(), **options, refuse=complaints.append))
    places = [int(where.rpartition(":")[2]) for where, _ in rows]
    return list(zip(places, [list(row.values()) for _, row in rows], strict=True)), [item.where for item in complaints]


@given(
    rows=st.integers(1, 4).flatmap(lambda width: st.lists(st.lists(CELL, min_size=width, max_size=width), min_size=1)),
    delimiter=st.sampled_from(",;\t|"),
    quoting=st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]),
)
def test_what_the_csv_module_writes_is_read_back(rows: list[list[str]], delimiter: str, quoting: Any) -> None:
    header = [f"c{number}" for number in range(len(rows[0]))]
    buffer = io.StringIO(newline="")
    csv.writer(buffer, delimiter=delimiter, quoting=quoting).writerows([header, *rows])
    results, complaints = parsed(buffer.getvalue().encode(), delimiter=delimiter)
    assert not complaints
    assert [cells for _, cells in results] == rows
    starts = [2 + sum(cell.count("\n") for row in rows[:n] for cell in row) + n for n in range(len(rows))]
    assert [line for line, _ in results] == starts


@given(st.text('ab ,"\n', max_size=40))
@example('"a"b,"c\nd"\n1,2')
@example('1,"a""\n"",b"\n""\n')
@example('x,"1\n\n2"\n\n')
def test_rows_are_those_of_the_strict_csv_module(text: str) -> None:
    """The loose reader tells where rows end; those of two cells that the strict one accepts are kept."""
    expected, lines = [], text.split("\n")
    reader, start = csv.reader(line + "\n" for line in lines), 0
    for _ in reader:
        source = "\n".join(lines[start : reader.line_num]) + "\n"
        try:
            cells = next(csv.reader(io.StringIO(source), strict=True), [])
        except csv.Error:
            cells = []
        if len(cells) == 2:
            expected.append((start + 2, cells))
        start = reader.line_num
    result, _ = parsed(b"x,y\n" + text.encode() + b"\n")
    assert result == expected


@given(st.binary(max_size=60))
def test_no_bytes_make_it_fail_otherwise(data: bytes) -> None:
    for encoding in ("utf-8", "cp1252"):
        try:
            parsed(b"x,y\n" + data, encoding=encoding, limits=ReadLimits(line_bytes=20))
        except BadInput as fault:
            str(fault).encode()
