"""Spreadsheets read as CSV tables are, by the library and by the suites."""

from __future__ import annotations

import zipfile
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from openpyxl import Workbook

from adjudge.core.errors import BadInput, Complaint, Warnings
from adjudge.read.source import ReadLimits
from adjudge.read.tables import table_rows
from workspace import Workspace


def write_sheets(path: Path, **sheets: list[list[Any]]) -> Path:
    book = Workbook()
    book.remove(book.active)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    book.save(path)
    return path


def test_rows_of_all_sheets_are_read_as_text_with_their_places(tmp_path: Path) -> None:
    path = write_sheets(
        tmp_path / "a.xlsx",
        First=[["id", "when", "share"], [7, datetime(2026, 1, 31), 0.5], [], ["x", None, 8.0]],
        Second=[["id"], ["y"]],
        Empty=[],
    )
    assert list(table_rows(path, Warnings(), required=["id"])) == [
        (f"{path}/First:2", {"id": "7", "when": "2026-01-31", "share": "0.5"}),
        (f"{path}/First:4", {"id": "x", "when": "", "share": "8"}),
        (f"{path}/Second:2", {"id": "y"}),
    ]


def test_a_header_without_a_required_column_is_refused_with_its_columns(tmp_path: Path) -> None:
    path = write_sheets(tmp_path / "a.xlsx", Sheet=[["Speaker", "text"], ["a", "b"]])
    with pytest.raises(BadInput, match=r"a.xlsx/Sheet:1: no column 'speaker' \(did you mean 'Speaker'\?\); found"):
        list(table_rows(path, Warnings(), required=["speaker"]))


def test_a_row_with_more_cells_than_the_header_is_refused_alone(tmp_path: Path) -> None:
    path = write_sheets(tmp_path / "a.xlsx", Sheet=[["a"], [1, 2], [3]])
    complaints: list[Complaint] = []
    assert [row for _, row in table_rows(path, Warnings(), refuse=complaints.append)] == [{"a": "3"}]
    assert "found 2 cells; expected 1: 'a'" in str(complaints[0])


@pytest.mark.parametrize("content", [b"", b"no zip", b"PK\x03\x04"])
def test_what_is_no_spreadsheet_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "a.xlsx"
    path.write_bytes(content)
    with pytest.raises(BadInput, match=r"expected a spreadsheet \(.xlsx\)"):
        list(table_rows(path, Warnings()))


def test_a_zip_of_other_things_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.xlsx"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.txt", "hello")
    with pytest.raises(BadInput, match=r"expected a spreadsheet \(.xlsx\)"):
        list(table_rows(path, Warnings()))


def test_a_spreadsheet_that_unpacks_to_too_much_is_refused(tmp_path: Path) -> None:
    path = write_sheets(tmp_path / "a.xlsx", Sheet=[["a"], ["b" * 5000]])
    with pytest.raises(BadInput, match="bytes of content; expected at most"):
        list(table_rows(path, Warnings(), limits=ReadLimits(file_bytes=1000)))


def test_visits_in_a_spreadsheet_are_scored_as_in_a_csv_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    desk = Workspace(tmp_path, capsys)
    rows = [["ID", "section_text", "dialogue"], [1, "Asthma.", "Doctor: How are you?\nPatient: I cough."]]
    write_sheets(tmp_path / "visits.xlsx", Sheet=rows)
    done = desk.adjudge("validate", "patient", tmp_path / "visits.xlsx")
    assert (done.code, done.err) == (0, "")
    write_sheets(tmp_path / "other.xlsx", Sheet=[["colour", "size"], ["red", 1]])
    refused = desk.adjudge("validate", "patient", tmp_path / "other.xlsx")
    assert refused.code == 2
    assert "'colour', 'size'" in refused.err or "colour, size" in refused.err


def test_a_group_chat_in_a_spreadsheet_is_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    desk = Workspace(tmp_path, capsys)
    rows = [["time", "speaker", "message"], ["10:00", "Ann", "I want a beach."], ["10:01", "Bob", "Fine."]]
    write_sheets(tmp_path / "chat.xlsx", Sheet=rows)
    done = desk.adjudge("validate", "trip", tmp_path / "chat.xlsx")
    assert (done.code, done.err) == (0, "")


def test_a_suite_without_tables_refuses_a_spreadsheet(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_sheets(tmp_path / "x.xlsx", Sheet=[["a"], ["b"]])
    done = Workspace(tmp_path, capsys).adjudge("validate", "service", tmp_path / "x.xlsx")
    assert done.code == 2
    assert "x.xlsx: a spreadsheet; expected JSON or JSONL here" in done.err
