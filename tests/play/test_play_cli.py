"""`adjudge play` on the command line, with the guessing game."""

from __future__ import annotations

import json
from pathlib import Path

from workspace import Workspace

ARMS = ("--arm", "bisection", "--arm", "bisection-memory")


def lines(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_a_suite_is_played_and_scored_with_one_command(desk: Workspace) -> None:
    done = desk.adjudge("play", "guessing", *ARMS, "-o", desk.run)

    assert done.code == 0, done.err
    assert "played 16 conversations" in done.out
    assert "guesses_made" in done.out
    assert [(line["case"], line["arm"]) for line in lines(desk.run / "scores.jsonl")] == [
        (f"n{number}", arm) for number in range(1, 9) for arm in ("bisection", "bisection-memory")
    ]


def test_the_same_command_again_plays_nothing_again(desk: Workspace) -> None:
    desk.adjudge("play", "guessing", *ARMS, "-o", desk.run)
    before = {path.name: path.read_bytes() for path in desk.run.iterdir() if path.suffix == ".jsonl"}

    assert desk.adjudge("play", "guessing", *ARMS, "-o", desk.run).code == 0
    assert {path.name: path.read_bytes() for path in desk.run.iterdir() if path.suffix == ".jsonl"} == before


def test_a_folder_with_another_play_is_refused_and_kept(desk: Workspace) -> None:
    desk.adjudge("play", "guessing", *ARMS, "-o", desk.run)
    before = (desk.run / "turns.jsonl").read_bytes()

    done = desk.adjudge("play", "guessing", *ARMS, "--seed", "1", "-o", desk.run)

    assert done.code == 2
    assert "holds a different play (seed was 0, now 1)" in done.err
    assert (desk.run / "turns.jsonl").read_bytes() == before
    assert desk.adjudge("play", "guessing", *ARMS, "--seed", "1", "-o", desk.run, "--fresh").code == 0


def test_played_conversations_can_be_scored_later(desk: Workspace) -> None:
    played = desk.adjudge("play", "guessing", "-o", desk.run, "--no-score")
    assert played.code == 0
    assert not (desk.run / "scores.jsonl").exists()

    scored = desk.adjudge("score", desk.run)

    assert scored.code == 0, scored.err
    assert len(lines(desk.run / "scores.jsonl")) == 8
