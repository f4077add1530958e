"""A play that was killed goes on where it stopped, and comes out as if nothing had happened."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest
from playing import contents, lines, thinks

from killed import KILLED, environment
from tools.judge.chat_server import ChatServer

CONCURRENCY = 4


def play(folder: Path, site: Path, server: ChatServer, *kill: object) -> int:
    """Play in a process of its own, which is killed at a point if one is given."""
    program = [KILLED, *map(str, kill)] if kill else ["import sys; from adjudge.cli.main import main; sys.exit(main())"]
    arms = ("--arm", "bisection", "--arm", "thinking@small", "--model-url", server.url, "--model-temperature", "0.5")
    arguments = ["play", "guessing", *arms, "--trials", "2", "--concurrency", str(CONCURRENCY), "-q", "-o", str(folder)]
    return subprocess.run([sys.executable, "-c", *program, *arguments], env=environment(site)).returncode


def check_killed_play(tmp_path: Path, site: Path, server: ChatServer, points: list[tuple[int, float]]) -> None:
    server.script = thinks
    assert play(tmp_path / "whole", site, server) == 0
    asked = len(server.bodies)
    assert len(lines(tmp_path / "whole" / "turns.jsonl")) > 100

    kills = 0
    for point in points:
        kills += play(tmp_path / "killed", site, server, *point) == -signal.SIGKILL
    assert play(tmp_path / "killed", site, server) == 0

    assert kills == len(points)
    assert contents(tmp_path / "killed") == contents(tmp_path / "whole")
    # Only answers that were on their way when the process died are asked for again.
    assert len(server.bodies) - asked <= asked + kills * 2 * CONCURRENCY


@pytest.mark.slow
def test_a_killed_play_goes_on_where_it_stopped(tmp_path: Path, site: Path, server: ChatServer) -> None:
    check_killed_play(tmp_path, site, server, [(41, 0.5)])


@pytest.mark.trial
@pytest.mark.parametrize("seed", range(20))
def test_a_play_that_is_killed_at_random_points_comes_out_the_same(
    tmp_path: Path, site: Path, server: ChatServer, seed: int
) -> None:
    draw = Random(seed)
    points = [(draw.randint(2, 60), draw.choice([0.0, 0.3, 0.9, 1.0])) for _ in range(3)]
    check_killed_play(tmp_path, site, server, points)
