"""A folder given as input means the files in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from adjudge.core.errors import BadInput
from adjudge.read.folders import input_files
from workspace import Workspace


def test_the_files_of_a_folder_are_read_in_the_order_of_their_names(tmp_path: Path) -> None:
    for name in ("b.txt", "a.csv", "c.JSONL.gz", ".hidden.txt", "README.md", "picture.png"):
        (tmp_path / name).write_text("x")
    (tmp_path / "deeper").mkdir()
    inputs = input_files([Path("other.txt"), tmp_path])
    assert [path.name for path in inputs.files] == ["other.txt", "a.csv", "b.txt", "c.JSONL.gz"]
    (remark,) = inputs.remarks
    assert "left out 'README.md', 'deeper', 'picture.png'" in remark


def test_a_folder_without_records_is_refused(tmp_path: Path) -> None:
    (tmp_path / "picture.png").write_text("x")
    with pytest.raises(BadInput, match="a folder without records"):
        input_files([tmp_path])


def test_a_folder_of_transcripts_is_scored(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    desk = Workspace(tmp_path, capsys)
    for name in ("one", "two"):
        desk.write(f"visits/{name}.txt", "Doctor: How are you?\nPatient: I cough.\n")
    desk.write("visits/picture.png", b"")
    done = desk.adjudge("score", "patient", tmp_path / "visits", "-o", desk.run, "--metrics", "role_break")
    assert done.code == 0
    assert "left out 'picture.png'" in done.out
    assert len((desk.run / "scores.jsonl").read_text().splitlines()) == 2
