"""Doctor and patient that ask a model, over real HTTP: a server plays them, well and badly, and then judges."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tools.judge.chat_server import Body, ChatServer, chat
from workspace import CommandResult, Workspace

Answer = Callable[[dict[str, Any]], dict[str, Any]]


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def material_of(body: Body) -> dict[str, Any]:
    """What stands between the marks, as data."""
    data: dict[str, Any] = json.loads(body["messages"][1]["content"].split(" ===\n")[1].rpartition("\n===")[0])
    return data


def act(material: dict[str, Any]) -> dict[str, Any]:
    """A patient who says its age whatever it is asked."""
    return {"reasoning": "r", "text": f"I am {material['profile']['age']}."}


def examine(material: dict[str, Any]) -> dict[str, Any]:
    """A doctor who asks twice, and then names two diagnoses."""
    rounds = len(material["dialogue"]) // 2
    done = rounds >= 2
    return {
        "reasoning": "r",
        "text": "Thank you." if done else "How old are you?",
        "asks_more": not done,
        "diagnoses": ["Gout ", "heart attack"] if done else [],
    }


def play_parts(act: Answer, examine: Answer) -> Callable[[Body, int], Body]:
    def script(body: Body, number: int) -> Body:
        answer = act if body["messages"][0]["content"].startswith("# A patient") else examine
        return chat(json.dumps(answer(material_of(body))))

    return script


def play(desk: Workspace, server: ChatServer, *options: object) -> CommandResult:
    cases = ("--generate", "n=3", "--persona", "recall=low", "-o", desk.run)
    return desk.adjudge("play", "patient", *cases, "--model-url", server.url, *options)


def test_models_play_both_sides_and_the_end_is_typed(desk: Workspace, server: ChatServer) -> None:
    server.script = play_parts(act, examine)
    done = play(desk, server, "--arm", "actor@small", "--doctor", "openai:small")
    records = lines(desk.run / "records.jsonl")
    assert done.code == 0, done.err
    assert [record["diagnoses"] for record in records] == [["Gout", "heart attack"]] * 3
    assert [len(record["turns"]) for record in records] == [5] * 3
    assert {line["end"]["why"] for line in lines(desk.run / "ends.jsonl")} == {"named its diagnoses"}


def test_the_actor_gets_profile_and_persona_and_no_diagnosis(desk: Workspace, server: ChatServer) -> None:
    server.script = play_parts(act, examine)
    play(desk, server, "--arm", "actor@small")
    prompts = [material_of(body) for body in server.bodies]
    assert all("diagnosis" not in prompt["profile"] for prompt in prompts)
    assert prompts[0]["persona"]["traits"]["recall"] == "low"
    assert any("names and doses" in behaviour for behaviour in prompts[0]["persona"]["behaviour"])
    assert prompts[0]["persona"]["most_sentences"] == 3


def test_the_physician_gets_what_a_doctor_sees_at_once(desk: Workspace, server: ChatServer) -> None:
    server.script = play_parts(act, examine)
    done = play(desk, server, "--arm", "scripted", "--doctor", "physician@small")
    assert done.code == 0, done.err
    for body in server.bodies:
        material = material_of(body)
        assert material.keys() == {"arrival", "questions_left", "dialogue"}
        assert material["arrival"].keys() == {"age", "gender", "arrival_transport"}


def test_a_physician_without_end_must_name_diagnoses_after_30_rounds(desk: Workspace, server: ChatServer) -> None:
    server.script = play_parts(act, lambda material: {**examine(material), "asks_more": True})
    play(desk, server, "--arm", "actor@small", "--doctor", "physician@small", "--limit", 1)
    record = lines(desk.run / "records.jsonl")[0]
    assert len(record["turns"]) == 59
    assert record["diagnoses"] == ["Gout", "heart attack"]
    assert material_of(server.bodies[-1])["questions_left"] == 0


def test_a_physician_who_is_stopped_early_is_wrong(desk: Workspace, server: ChatServer) -> None:
    server.script = play_parts(act, lambda material: {**examine(material), "asks_more": True})
    play(desk, server, "--arm", "actor@small", "--doctor", "physician@small", "--limit", 1, "--max-turns", 6)
    assert lines(desk.run / "scores.jsonl")[0]["scores"]["diagnosis_top5"]["value"] == 0.0


def test_six_diagnoses_are_asked_for_again_and_then_an_error(desk: Workspace, server: ChatServer) -> None:
    server.script = play_parts(act, lambda material: {**examine(material), "diagnoses": ["Gout"] * 6})
    done = play(desk, server, "--arm", "scripted", "--doctor", "physician@small", "--limit", 1)
    assert done.code == 3
    assert lines(desk.run / "ends.jsonl")[0]["end"]["status"] == "parse_error"


def filled(shape: dict[str, Any], named: dict[str, Any]) -> Any:
    """Something of the shape that a judge is asked for."""
    if "$ref" in shape:
        return filled(named[shape["$ref"].rpartition("/")[2]], named)
    if "properties" in shape:
        return {name: filled(part, named) for name, part in shape["properties"].items()}
    if "enum" in shape:
        return "information" if "information" in shape["enum"] else shape["enum"][0]
    values = {"string": "Fine.", "array": [], "boolean": False, "integer": shape.get("maximum")}
    return values.get(str(shape.get("type")))


def test_one_command_plays_and_judges_all_three_levels(desk: Workspace, server: ChatServer) -> None:
    def judge(body: Body, number: int) -> Body:
        schema = body["response_format"]["json_schema"]["schema"]
        return chat(json.dumps(filled(schema, schema.get("$defs", {}))))

    server.script = judge
    judging = ("--judge", "small", "--judge-url", server.url)
    done = desk.adjudge("play", "patient", "--generate", "n=2", "--arm", "scripted", *judging, "-o", desk.run)
    scores = lines(desk.run / "scores.jsonl")[0]["scores"]
    assert done.code == 0, done.err
    conversation, dialogue, sentence = "clinical_realism", ("extraction", "role_play"), "entailment"
    assert {scores[name]["value"] for name in dialogue} == {4.0}
    assert scores[conversation]["value"] == 4.0
    assert scores[sentence]["value"] is not None
    assert "calls" in done.out
