"""Whole runs of the team suite with a judge, against a real server of the OpenAI protocol or from people's labels."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from adjudge.cli.main import main
from adjudge.suites.team import suite
from tools.judge.chat_server import Body, ChatServer, Http, chat

LABELS = suite.sample.with_name("labels.csv")
RUBRIC = "---\nscale: 1 to 5\nper: turn\n---\n# How polite is this turn?\n"


def value_for(schema: Any, definitions: Any) -> Any:
    """A sound answer to any question: yes, and the lowest number of each range."""
    if "$ref" in schema:
        return value_for(definitions[schema["$ref"].rpartition("/")[2]], definitions)
    if "enum" in schema:
        return schema["enum"][0]
    if schema.get("type") == "object":
        return {name: value_for(part, definitions) for name, part in schema["properties"].items()}
    return {"boolean": True, "integer": schema.get("minimum", 1), "string": "because"}[schema["type"]]


def sound(body: Body, number: int) -> Body:
    schema = body["response_format"]["json_schema"]["schema"]
    return chat(json.dumps(value_for(schema, schema.get("$defs", {}))))


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ChatServer]:
    monkeypatch.chdir(tmp_path)
    started = ChatServer()
    started.script = sound
    yield started
    started.stop()


def score(*options: str) -> int:
    return main(["score", "team", str(suite.sample), "-o", "run", *options])


def scores() -> list[dict[str, Any]]:
    return [json.loads(line)["scores"] for line in Path("run/scores.jsonl").read_text("utf-8").splitlines()]


@pytest.mark.parametrize("way", ["whole", "steps", "halving"])
def test_all_judged_metrics_get_their_scores(server: ChatServer, way: str) -> None:
    # The sample has no criteria: these come with scenarios.
    judged = [card.name for card in (metric.card for metric in suite.metrics()) if "judge" in card.needs]
    judged.remove("criteria")
    asked = ["--judge", "small", "--judge-url", server.url, "--blame", way]
    assert score("--metrics", ",".join(judged), *asked) == 0
    assert {name for row in scores() for name, each in row.items() if "value" in each} == set(judged)
    assert {row["goal_reached"]["value"] for row in scores()} == {1.0}


def test_a_run_asks_rubrics_of_a_file_and_of_the_settings(server: ChatServer) -> None:
    Path("politeness.md").write_text(RUBRIC, "utf-8")
    Path("adjudge.toml").write_text('[rubric.care]\nquestion = "How careful is it?"\n', "utf-8")
    judge = ("--judge", "small", "--judge-url", server.url)
    assert score("--rubric", "politeness.md", "--metrics", "politeness,care", *judge) == 0
    cards = json.loads(Path("run/run.json").read_text("utf-8"))["cards"]
    assert cards["care"]["question"] == "How careful is it?"
    assert cards["politeness"]["source"].startswith("the rubric politeness.md (sha256 ")
    assert {row["politeness"]["value"] for row in scores()} == {1.0}


def test_a_changed_rubric_is_another_run(server: ChatServer, capsys: pytest.CaptureFixture[str]) -> None:
    judge = ("--judge", "small", "--judge-url", server.url, "--rubric", "own.md", "--metrics", "own")
    Path("own.md").write_text(RUBRIC, "utf-8")
    assert score(*judge) == 0
    Path("own.md").write_text(RUBRIC + "Be strict.", "utf-8")
    assert score(*judge) == 2
    assert "run" in capsys.readouterr().err


def test_a_conversation_that_does_not_fit_is_skipped_as_too_long(server: ChatServer) -> None:
    error = {"error": {"code": "context_length_exceeded", "message": "maximum context length is 8192 tokens"}}
    server.script = lambda body, number: Http(400, json.dumps(error))
    assert score("--metrics", "goal_reached", "--judge", "small", "--judge-url", server.url) == 3
    assert {row["goal_reached"]["skipped"]["status"] for row in scores()} == {"too_long"}


def test_labels_of_people_answer_and_agree_with_themselves(
    server: ChatServer, capsys: pytest.CaptureFixture[str]
) -> None:
    assert score("--metrics", "failure_modes,goal_reached,judged_blame", "--judge", f"labels:{LABELS}") == 0
    by_mode = [
        mark["value"] for row in scores() for mark in row["failure_modes"]["marks"] if mark["at"] == "derailment"
    ]
    assert sum(by_mode) == 1.0
    capsys.readouterr()
    assert main(["calibrate", "run", "--labels", str(LABELS), "--metric", "failure_modes"]) == 0
    assert "1.000" in capsys.readouterr().out


def test_canaries_show_a_judge_that_always_says_yes(server: ChatServer) -> None:
    asked = ("--metrics", "goal_reached", "--judge", "small", "--judge-url", server.url, "--canaries")
    assert score(*asked) == 0
    answers = json.loads(Path("run/run.json").read_text("utf-8"))["canaries"]
    failed = [name for name, answer in answers.items() if answer.startswith("failed")]
    assert failed == ["goal missed", "empty claim", "injected order"]
