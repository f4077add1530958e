"""Experts that ask a model, over real HTTP: a server plays them, well and badly."""

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
    data: dict[str, Any] = json.loads(body["messages"][-1]["content"].split(" ===\n")[1].rpartition("\n===")[0])
    return data


def think(material: dict[str, Any]) -> dict[str, Any]:
    """A model that adds up the scores it has, and takes over all that it lacks."""
    scores: dict[str, dict[str, float]] = {name: dict(row) for name, row in material["scores"].items()}
    kinds = {criterion["id"]: criterion.get("kind") for criterion in material["question"]["criteria"]}
    known = set(next(iter(scores.values())))
    for other in material["assessments_of_others"]:
        for name, row in other["matrix"].items():
            for criterion, score in row.items():
                scores[name].setdefault(criterion, score)
    sums = {
        name: sum(1 - score if kinds[criterion] == "cost" else score for criterion, score in row.items())
        for name, row in scores.items()
    }
    best = max(sums, key=sums.__getitem__)
    return {
        "reasoning": f"{best} has the highest sum.",
        "adopts": sorted(set(next(iter(scores.values()))) - known),
        "beliefs": [{"alternative": name, "belief": 0.7 if name == best else 0.1} for name in sums],
        "confidence": 0.6,
    }


def script(answer: Answer) -> Callable[[Body, int], Body]:
    return lambda body, number: chat(json.dumps(answer(material_of(body))))


def play(desk: Workspace, server: ChatServer, *arguments: object) -> CommandResult:
    return desk.adjudge("play", "decision", *arguments, "--model-url", server.url, "-o", desk.run, "--limit", 2)


def records(desk: Workspace) -> dict[tuple[str, str], dict[str, Any]]:
    return {(row["case"], row["arm"]): row for row in lines(desk.run / "records.jsonl")}


def test_experts_ask_a_model_where_one_is_named(desk: Workspace, server: ChatServer) -> None:
    server.script = script(think)
    done = play(desk, server, "--arm", "smart=deliberation@small", "--arm", "group")
    assert done.code == 0, done.err
    kept = records(desk)["clinic-site", "smart"]
    first, last = kept["assessments"][0], kept["assessments"][-1]
    assert first["reasoning"] == "old_mill has the highest sum."
    assert set(last["matrix"]["station"]) == {"reach", "building", "noise", "staffing", "rent"}
    assert (kept["recommended"], last["confidence"]) == ("station", 0.6)
    # Four experts in two rounds; the experts of the other arm go by rule.
    assert len(server.bodies) == 16
    assert {trace["arm"] for trace in lines(desk.run / "traces.jsonl")} == {"smart"}


def test_a_model_for_the_part_expert_serves_all_arms_and_shared_rounds_are_asked_once(
    desk: Workspace, server: ChatServer
) -> None:
    server.script = script(think)
    done = play(desk, server, "--model", "expert=small")
    assert done.code == 0, done.err
    assert len(server.bodies) == 16
    kept = records(desk)
    assert kept["clinic-site", "single"]["recommended"] == "old_mill"
    assert kept["clinic-site", "group"]["assessments"] == kept["clinic-site", "deliberation"]["assessments"][:4]


def test_the_effort_of_a_decision_is_what_its_models_took(desk: Workspace, server: ChatServer) -> None:
    server.script = script(think)
    play(desk, server, "--arm", "deliberation@small", "--arm", "deliberation")
    asked, ruled = (records(desk)["clinic-site", arm]["effort"] for arm in ("deliberation@small", "deliberation"))
    # The server counts 10 tokens in and 5 out for each of eight answers, and nobody knows its price.
    assert (asked["iterations"], asked["calls"], asked["tokens"], "cost" in asked) == (2, 8, 120, False)
    assert asked["seconds"] > 0
    assert ruled == {"iterations": 2, "calls": 0, "tokens": 0, "cost": 0.0}
    values = {(line["case"], line["arm"]): line["scores"] for line in lines(desk.run / "scores.jsonl")}
    assert 0 < values["clinic-site", "deliberation@small"]["efficiency"]["value"] < 1
    assert "value" not in values["clinic-site", "deliberation"]["efficiency"]


def test_scores_that_a_model_does_not_adopt_stay_unknown_to_it(desk: Workspace, server: ChatServer) -> None:
    server.script = script(lambda material: {**think(material), "adopts": []})
    play(desk, server, "--arm", "deliberation@small")
    last = records(desk)["clinic-site", "deliberation@small"]["assessments"][-1]
    assert (last["agent"], set(last["matrix"]["station"])) == ("architect", {"building", "noise"})


def test_beliefs_above_one_are_scaled_and_unknown_names_left_out(desk: Workspace, server: ChatServer) -> None:
    def boast(material: dict[str, Any]) -> dict[str, Any]:
        names = [*material["question"]["alternatives"][:2], "a third way"]
        return {**think(material), "beliefs": [{"alternative": name, "belief": 1.0} for name in names]}

    server.script = script(boast)
    assert play(desk, server, "--arm", "group@small").code == 0
    kept = records(desk)["clinic-site", "group@small"]
    assert kept["assessments"][0]["beliefs"] == {"old_mill": 0.5, "station": 0.5}


def test_beliefs_in_nothing_that_exists_end_the_conversation_with_an_error(desk: Workspace, server: ChatServer) -> None:
    server.script = script(lambda material: {**think(material), "beliefs": [{"alternative": "x", "belief": 1.0}]})
    done = play(desk, server, "--arm", "group@small")
    assert done.code == 3
    assert {line["end"]["status"] for line in lines(desk.run / "ends.jsonl")} == {"parse_error"}
    assert all("recommended" not in record for record in records(desk).values())


def test_no_prompt_holds_the_truth_or_what_others_alone_know(desk: Workspace, server: ChatServer) -> None:
    server.script = script(think)
    play(desk, server, "--arm", "group@small")
    for body in server.bodies:
        material = material_of(body)
        assert "truth" not in json.dumps(material)
        if material["you"]["id"] == "architect" and "station" in material["question"]["alternatives"]:
            assert material["scores"]["station"] == {"building": 0.5, "noise": 0.6}
            assert material["assessments_of_others"] == []


def test_an_estimate_asks_nobody(desk: Workspace, server: ChatServer) -> None:
    done = desk.adjudge("play", "decision", "--model", "expert=small", "--model-url", server.url, "--estimate")
    assert done.code == 0, done.err
    assert "deliberation, small" in done.out
    assert server.bodies == []
