"""How large a run will be, said before it is written."""

from __future__ import annotations

from pathlib import Path

import pytest

from adjudge.cli.main import main
from adjudge.run import size
from adjudge.run.size import expected_bytes
from adjudge.score import find_suite


def test_compressed_files_count_for_what_is_in_them(tmp_path: Path) -> None:
    for name in ("a.jsonl", "b.jsonl.gz"):
        (tmp_path / name).write_bytes(b"x" * 1000)
    plain, both = (
        expected_bytes(tmp_path / name for name in names) for names in (["a.jsonl"], ["a.jsonl", "b.jsonl.gz"])
    )
    assert both == 9 * plain > 9000


def test_a_large_run_is_announced_with_what_would_be_smaller(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(size, "LARGE", 1000)
    monkeypatch.setenv("COLUMNS", "200")
    sample = str(find_suite("service").sample)
    assert main(["score", "service", sample, "-o", str(tmp_path / "all")]) == 0
    assert "--keep worst keeps all values" in capsys.readouterr().out
    assert main(["score", "service", sample, "-o", str(tmp_path / "lean"), "--keep", "worst"]) == 0
    assert "--keep worst keeps all values" not in capsys.readouterr().out
