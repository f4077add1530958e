"""Laws of plays on disk, for all systems of all suites: the same files at any concurrency, in a replay, after kills."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

import pytest

from adjudge.core.system import Setup
from adjudge.play import folder as folder_of_play
from adjudge.play.engine import play
from adjudge.play.models import Models
from adjudge.play.plan import PlayPlan
from adjudge.play.prepare import prepare
from adjudge.run.played import CONVERSATIONS, Played
from adjudge.tools.settings import ToolSettings
from casts import OWN, SETUPS, each_setup
from killed import KILLED, environment
from tools.judge.chat_server import Body, ChatServer, chat

CASES = 2
SEED = 3


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of packages that says where the setups of all suites are."""
    info = tmp_path / "site" / "laws-1.0.dist-info"
    info.mkdir(parents=True)
    names = {"guessing": "guessing", **{name: f"adjudge.systems.{name}" for name in OWN}}
    entries = "".join(f"{name} = {module}:setup\n" for name, module in names.items())
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: laws\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[adjudge.systems]\n{entries}")
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    return tmp_path / "site"


@pytest.fixture
def server() -> Iterator[ChatServer]:
    running = ChatServer()
    running.script = answer_anything
    running.latency = lambda body, number: (number % 5) / 1000
    yield running
    running.stop()


def answer_anything(body: Body, number: int) -> Body:
    """Something of the type that is asked for, the same for the same prompt."""
    schema = body.get("response_format", {}).get("json_schema", {}).get("schema")
    return chat("Hello. Which area would you like?" if schema is None else json.dumps(made_up(schema, schema)))


def made_up(schema: Any, whole: Any) -> Any:
    """A value that fits a JSON schema: the first of several choices, empty lists."""
    if "$ref" in schema:
        return made_up(whole["$defs"][schema["$ref"].rpartition("/")[2]], whole)
    if "enum" in schema or "const" in schema:
        return schema.get("enum", [schema.get("const")])[0]
    if "anyOf" in schema:
        return made_up(next(each for each in schema["anyOf"] if each.get("type") != "null"), whole)
    if schema.get("type") == "object":
        return {name: made_up(inner, whole) for name, inner in schema.get("properties", {}).items()}
    values = {"string": "north", "integer": 1, "number": 0.5, "boolean": True, "array": [], "null": None}
    return schema.get("minimum", values[schema["type"]])


def arms_of(setup: Setup) -> tuple[str, ...]:
    """All systems under test: by rule where they can go by rule, with a model where they ask one."""
    tested = {role.name for role in setup.roles if role.tested}
    cards = [system.card for system in setup.systems() if tested & set(system.card.plays)]
    by_rule = [card.name for card in cards if set(card.asks) <= set(card.by_rule)]
    return (*by_rule, *(f"{card.name}@small" for card in cards if card.asks))


def play_suite(setup: Setup, folder: Path, url: str, concurrency: int = 8, cache: Path | None = None) -> Played:
    """The first cases of the sample with all arms; with a cache, nothing but it is asked."""
    settings = ToolSettings(model_url=url, concurrency=concurrency, cache=str(cache) if cache else None)
    models = Models(settings, os.environ, replay=cache is not None)
    plan = PlayPlan(suite=setup.suite, arms=arms_of(setup), limit=CASES, seed=SEED)
    return play(prepare(plan, models), folder)


def contents(played: Played) -> dict[str, Any]:
    """What is the same in two plays: records byte for byte, turns and ends as sets."""
    files = {name: (played.folder / name).read_bytes() for name in ("turns.jsonl", "ends.jsonl")}
    lines = {name: sorted(content.splitlines()) for name, content in files.items()}
    return {"records": (played.folder / CONVERSATIONS).read_bytes(), **lines}


def without_times(contents: dict[str, Any]) -> dict[str, Any]:
    """The contents without seconds, which are measured."""
    # '"seconds":0.01,' and '"seconds":1e-05'
    return {**contents, "records": re.sub(rb'"seconds":[0-9.e-]+', b'"seconds":0', contents["records"])}


@each_setup
def test_a_play_is_the_same_at_any_concurrency_and_in_a_replay(
    setup: Setup, tmp_path: Path, site: Path, server: ChatServer
) -> None:
    alone = contents(play_suite(setup, tmp_path / "alone", server.url, concurrency=1))
    many = contents(play_suite(setup, tmp_path / "many", server.url, concurrency=256))
    asked = len(server.bodies)
    replayed = play_suite(setup, tmp_path / "replayed", server.url, 8, tmp_path / "alone" / "answers.sqlite")

    assert without_times(many) == without_times(alone)
    assert contents(replayed) == alone
    assert len(server.bodies) == asked
    assert {end.end.status for end in replayed.ends().values()} == {None}


def check_kills(setup: Setup, tmp_path: Path, site: Path, server: ChatServer, seeds: range) -> None:
    # Turns of participants who step at once are one append, so appends are counted and not lines.
    with patch.object(folder_of_play, "write_all", wraps=folder_of_play.write_all) as write:
        whole = play_suite(setup, tmp_path / "whole", server.url)
    writes = sum(bool(call.args[1]) for call in write.call_args_list)
    cache = tmp_path / "whole" / "answers.sqlite"
    for seed in seeds:
        draw, folder = Random(seed), tmp_path / f"killed-{seed}"
        kill = draw.randint(2, writes), draw.choice([0.0, 0.5, 1.0])
        arms = [argument for arm in arms_of(setup) for argument in ("--arm", arm)]
        options = ["--limit", str(CASES), "--seed", str(SEED), "--model-url", server.url, "--no-score", "-q"]
        replay = ["--replay", "--cache", str(cache)] if cache.exists() else []
        command = [sys.executable, "-c", KILLED, *map(str, kill), "play", setup.suite, *arms, *options, *replay]
        done = subprocess.run([*command, "-o", str(folder)], env=environment(site))
        assert done.returncode == -signal.SIGKILL
        again = play_suite(setup, folder, server.url, cache=cache if cache.exists() else None)
        assert contents(again) == contents(whole), f"killed at {kill}"


@pytest.mark.slow
@pytest.mark.parametrize("setup", SETUPS[:2], ids=lambda setup: setup.suite)
def test_a_killed_play_goes_on_where_it_stopped(setup: Setup, tmp_path: Path, site: Path, server: ChatServer) -> None:
    check_kills(setup, tmp_path, site, server, range(1))


@each_setup
@pytest.mark.trial
def test_a_play_killed_at_random_points_comes_out_the_same(
    setup: Setup, tmp_path: Path, site: Path, server: ChatServer
) -> None:
    check_kills(setup, tmp_path, site, server, range(16))
