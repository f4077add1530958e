"""`adjudge convert` writes whole files or nothing, and says what it did not understand."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from adjudge.cli.main import main

MESSAGES = [{"role": "user", "content": "Hi", "mood": "good"}, {"role": "assistant", "content": "Hello"}]
CHAT = json.dumps({"id": "c1", "messages": MESSAGES})


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "chat.json"
    path.write_text(CHAT)
    return path


def test_a_log_becomes_conversations_and_a_line_that_sums_them_up(
    log: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output = tmp_path / "records.jsonl"
    assert main(["convert", str(log), "-o", str(output)]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith("wrote 1 conversation, 2 turns, 2 speakers, 0 calls, 1 not understood to")
    assert "the field 'mood' of a message (not read)" in printed
    assert json.loads(output.read_text())["id"] == "c1"


def test_standard_output_gets_records_only(log: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["convert", str(log), "-o", "-"]) == 0
    printed = capfdbinary.readouterr()
    assert json.loads(printed.out)["id"] == "c1"
    assert b"wrote 1 conversation" in printed.err


def test_nothing_is_written_where_something_is_bad(
    log: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad, output = tmp_path / "bad.json", tmp_path / "records.jsonl"
    bad.write_text('{"weather": 7}')
    assert main(["convert", str(log), str(bad), "-o", str(output)]) == 2
    error = capsys.readouterr().err
    assert f"{bad}:1: an object with 'weather'; expected a conversation in one of these formats" in error
    assert "nothing was written" in error
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bad.json", "chat.json"]
    assert main(["convert", str(log), str(bad), "-o", str(output), "--skip-bad"]) == 0
    assert "1 refused" in capsys.readouterr().out


def test_a_log_is_never_overwritten_by_its_own_records(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["convert", str(log), "-o", str(log)]) == 2
    assert "is also an input file" in capsys.readouterr().err
    assert log.read_text() == CHAT


def test_a_format_can_be_named_and_is_checked(log: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    output = str(tmp_path / "records.jsonl")
    assert main(["convert", str(log), "-o", output, "--format", "openai"]) == 0
    assert main(["convert", str(log), "-o", output, "--format", "tau2"]) == 2
    assert main(["convert", str(log), "-o", output, "--format", "opnai"]) == 2
    assert "did you mean 'openai'?" in capsys.readouterr().err


def test_two_conversations_of_one_key_are_remarked(
    log: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    twin = tmp_path / "twin.json"
    twin.write_text(CHAT)
    assert main(["convert", str(log), str(twin), "-o", str(tmp_path / "records.jsonl")]) == 0
    assert "the same case, arm and trial" in capsys.readouterr().out


def test_what_is_written_can_be_scored(log: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    output = str(tmp_path / "records.jsonl")
    main(["convert", str(log), "-o", output])
    assert main(["validate", "team", output]) == 0
    assert "1 records can be scored" in capsys.readouterr().out


def test_the_formats_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["convert", "--formats"]) == 0
    assert "otel" in capsys.readouterr().out
