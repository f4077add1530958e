"""Plays with a real small model: one case of every suite that can be played. Not collected by plain `pytest`.

The model is far too small to play well. What is shown is the protocol: conversations end with a typed reason, answers
have tokens, and what the model says is what stands in the record.
"""

# ruff: noqa: D103
from __future__ import annotations

import os
from pathlib import Path

import pytest

from adjudge.core.play import Limits
from adjudge.play.engine import play
from adjudge.play.models import Models
from adjudge.play.plan import PlayPlan
from adjudge.play.prepare import prepare
from adjudge.play.registry import find_setup, find_systems, setup_names
from adjudge.run.played import CONVERSATIONS, Played
from adjudge.tools.settings import ToolSettings

MODEL = "smollm2"
# Statuses that a model of this size may earn: it writes too much, or what does not fit.
WEAK = {None, "parse_error", "truncated", "refusal", "too_long", "over_budget"}


def asking_arms() -> list[tuple[str, str]]:
    """The systems under test that ask a model, of all suites that are installed."""
    setups = [find_setup(name) for name in setup_names()]
    return [
        (setup.suite, name)
        for setup in setups
        for name, system in find_systems(setup).items()
        if system.card.asks and set(system.card.plays) & {role.name for role in setup.roles if role.tested}
    ]


def play_one_case(suite: str, arm: str, url: str, folder: Path) -> Played:
    """The first case of the sample, a few turns of it."""
    settings = ToolSettings(model_url=url, concurrency=2, timeout=120, max_tokens=100)
    plan = PlayPlan(suite=suite, arms=(arm,), limit=1, limits=Limits(turns=4, calls=2))
    return play(prepare(plan, Models(settings, os.environ)), folder)


@pytest.mark.parametrize(("suite", "arm"), asking_arms())
def test_a_case_is_played_with_a_real_model(url: str, tmp_path: Path, suite: str, arm: str) -> None:
    played = play_one_case(suite, f"{arm}@{MODEL}", url, tmp_path / "run")

    [end] = played.ends().values()
    assert end.end.status in WEAK, end
    answers = [trace for trace in played.traces() if trace.kind == "answer"]
    assert answers
    for trace in answers:
        if trace.status == "ok":
            assert trace.took.input_tokens > 0
            assert trace.took.output_tokens > 0
            assert trace.took.seconds > 0
        else:
            assert (trace.status, trace.why) == (end.end.status, end.end.why)
    assert len((played.folder / CONVERSATIONS).read_bytes().splitlines()) == 1
    turns = list(played.turns())
    assert end.turns == len(turns)


def test_plain_text_of_the_model_reaches_the_record(url: str, tmp_path: Path) -> None:
    played = play_one_case("service", f"mine=url:{url}@{MODEL}", url, tmp_path / "run")

    replies = [turn.text for turn in played.turns() if turn.speaker == "system"]
    assert any(reply.strip() for reply in replies)
    record = (played.folder / CONVERSATIONS).read_bytes()
    assert sum(trace.took.answers for trace in played.traces()) == len(replies)
    assert b'"speaker":"system"' in record
