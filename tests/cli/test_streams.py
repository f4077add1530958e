"""Text of users cannot control the terminal, whichever verb prints it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from small_service import Desk, hotel, lines

ESCAPE = "\x1b[31mred\x07"


@pytest.fixture
def desk(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Desk:
    return Desk(tmp_path, capsys)


def test_names_that_users_give_are_printed_without_control_characters(desk: Desk) -> None:
    desk.run = desk.folder / f"run{ESCAPE}"
    named = desk.write(f"gold{ESCAPE}.jsonl", lines({**hotel(), "dialogue_id": f"id{ESCAPE}"}))
    assert desk.score(named).code == 0
    missing = desk.folder / f"none{ESCAPE}"
    commands = [
        ["score", "service", named, "-o", desk.run],
        ["score", "service", named, "-o", desk.run, "--match", "strict"],
        ["score", "service", missing, "-o", desk.run],
        ["score", "service", named, "-o", desk.run, f"--{ESCAPE}"],
        ["report", desk.run],
        ["report", missing],
        ["report", desk.run, "-o", desk.folder / f"out{ESCAPE}.md"],
        ["export", desk.run, "-o", desk.folder / f"marks{ESCAPE}.csv"],
        ["compare", desk.run, "--arms", ESCAPE],
        ["validate", "service", named],
        ["list", ESCAPE],
        [ESCAPE],
    ]
    for command in commands:
        done = desk.adjudge(*command)
        assert "\x1b" not in done.out + done.err, command
        assert "\x07" not in done.out + done.err, command


def test_the_name_of_an_arm_is_printed_without_control_characters(desk: Desk) -> None:
    mine = desk.write("mine.json", json.loads(desk.mine.read_text()))
    done = desk.score(desk.gold, "--predictions", f"a{ESCAPE}={mine}")
    assert "\x1b" not in done.out + done.err
