"""The arms that ask a model, over real HTTP: a server plays every part, well and badly."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from adjudge.suites.service.rules.database import Venues
from adjudge.systems.service.cases import SAMPLE_DB
from adjudge.systems.service.catalogue import catalogue_of
from adjudge.systems.service.memory import DialogueMemory
from adjudge.systems.service.moves import Move
from adjudge.systems.service.replies import word_reply
from adjudge.systems.service.triage import triage
from tools.judge.chat_server import Body, ChatServer, Http, chat
from workspace import CommandResult, Workspace

DB = Venues.load(SAMPLE_DB)
Answer = Callable[[dict[str, Any]], dict[str, Any]]


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def understand(material: dict[str, Any]) -> dict[str, Any]:
    """A model that understands a turn as well as triage by rule does."""
    turns = material["dialogue"]
    memory = DialogueMemory(
        material["state"], next((slot.partition("-")[0] for slot in reversed(material["state"])), "")
    )
    heard = triage(memory, turns[-2]["text"] if len(turns) > 1 else "", turns[-1]["text"], DB)
    changes = [{"slot": slot, "value": heard.state[slot]} for slot in heard.changed]
    return {
        "reasoning": "r",
        "domain": heard.focus or "none",
        "changes": [*changes, {"slot": "hotel-colour", "value": "blue"}],
        "requested": [slot for slot in heard.requested if slot != "time"],
        "books": heard.books,
        "another": heard.another,
        "ends": heard.ends,
    }


def extract(material: dict[str, Any]) -> dict[str, Any]:
    """A model that reads the whole dialogue: one turn after the other."""
    state: dict[str, str] = {}
    turns = material["dialogue"]
    answer: dict[str, Any] = {}
    for end in range(1, len(turns) + 1, 2):
        answer = understand({"dialogue": turns[:end], "state": state})
        state |= {change["slot"]: change["value"] for change in answer["changes"]}
    return {**answer, "changes": [{"slot": slot, "value": value} for slot, value in state.items()]}


def word(material: dict[str, Any]) -> dict[str, Any]:
    return {"reasoning": "r", "reply": word_reply(msgspec.convert(material["move"], Move), catalogue_of(DB), Random(1))}


def approve(material: dict[str, Any]) -> dict[str, Any]:
    return {"reasoning": "r", "approved": True, "reason": ""}


def reply(material: dict[str, Any]) -> dict[str, Any]:
    """A model that offers the first row with all it holds."""
    row = material["rows"][0] if material["rows"] else {}
    return {"reasoning": "r", "action": "search", "reply": f"There is {row.get('name')}: {json.dumps(row)}"}


PARTS: dict[str, Answer] = {
    "# Triage of": understand,
    "# The reply of a customer-service": word,
    "# The supervisor of": approve,
    "# What the user": extract,
    "# The reply of a help": reply,
}


def material_of(body: Body) -> dict[str, Any]:
    """What stands between the marks, as data."""
    data: dict[str, Any] = json.loads(body["messages"][-1]["content"].split(" ===\n")[1].rpartition("\n===")[0])
    return data


def play_parts(parts: dict[str, Answer]) -> Callable[[Body, int], Body]:
    def script(body: Body, number: int) -> Body:
        instructions = body["messages"][0]["content"]
        answer = next(answer for start, answer in parts.items() if instructions.startswith(start))
        return chat(json.dumps(answer(material_of(body))))

    return script


def play(desk: Workspace, server: ChatServer, *arms: str, limit: int = 3) -> CommandResult:
    named = [option for arm in arms for option in ("--arm", f"{arm}@small")]
    return desk.adjudge("play", "service", *named, "--model-url", server.url, "--limit", limit, "-o", desk.run)


def test_the_team_is_played_by_models(desk: Workspace, server: ChatServer) -> None:
    server.script = play_parts(PARTS)

    done = play(desk, server, "team", limit=4)
    agents = {trace["agent"] for trace in lines(desk.run / "traces.jsonl") if trace.get("kind", "answer") != "tool"}
    success = [line["scores"]["success"]["value"] for line in lines(desk.run / "scores.jsonl")]

    assert done.code == 0, done.err
    assert {"triage", "action", "supervisor"} <= agents
    assert success == [1.0] * 4
    assert "hotel-colour" not in (desk.run / "records.jsonl").read_text("utf-8")


def test_the_single_model_extracts_and_replies(desk: Workspace, server: ChatServer) -> None:
    server.script = play_parts(PARTS)

    done = play(desk, server, "single")
    record = lines(desk.run / "records.jsonl")[0]

    assert done.code == 0, done.err
    assert [line["scores"]["success"]["value"] for line in lines(desk.run / "scores.jsonl")] == [1.0, 1.0, 1.0]
    assert record["turns"][1]["predicted"]["action"] == "search"


def test_the_supervisor_sends_a_reply_back_once(desk: Workspace, server: ChatServer) -> None:
    def object_once(material: dict[str, Any]) -> dict[str, Any]:
        return {"reasoning": "r", "approved": "better" in material["reply"], "reason": "make it better"}

    def improve(material: dict[str, Any]) -> dict[str, Any]:
        return {"reasoning": "r", "reply": "better" if material.get("objection") == "make it better" else "bad"}

    server.script = play_parts(
        {**PARTS, "# The reply of a customer-service": improve, "# The supervisor of": object_once}
    )
    play(desk, server, "team", limit=1)

    replies = [turn["text"] for turn in lines(desk.run / "records.jsonl")[0]["turns"] if turn["speaker"] == "system"]
    assert set(replies) == {"better"}


def test_a_reply_that_is_never_approved_is_not_sent(desk: Workspace, server: ChatServer) -> None:
    def object_always(material: dict[str, Any]) -> dict[str, Any]:
        return {"reasoning": "r", "approved": False, "reason": "no"}

    server.script = play_parts({**PARTS, "# The supervisor of": object_always})
    play(desk, server, "team", limit=1)

    turns = [turn for turn in lines(desk.run / "records.jsonl")[0]["turns"] if turn["speaker"] == "system"]
    assert {turn["text"] for turn in turns} == {"I am sorry, I could not do that. Could you say it in other words?"}
    assert all(not turn.get("predicted", {}).get("state") for turn in lines(desk.run / "records.jsonl")[0]["turns"])


@pytest.mark.parametrize(
    ("answer", "status"),
    [
        (chat("I think it is a hotel."), "parse_error"),
        (chat('{"reasoning": "r", "domain": "spaceport"}'), "parse_error"),
        (chat(None, refusal="I will not."), "refusal"),
        (Http(404, "no such model"), "provider_error"),
    ],
    ids=["nonsense", "unknown domain", "refusal", "no such model"],
)
def test_what_a_model_gets_wrong_ends_the_conversation_with_its_status(
    desk: Workspace, server: ChatServer, answer: Any, status: str
) -> None:
    server.script = lambda body, number: answer

    done = play(desk, server, "team", "single", limit=1)

    assert done.code == 3
    ends = {line["arm"]: line["end"] for line in lines(desk.run / "ends.jsonl")}
    assert {(arm, end["by"], end["status"]) for arm, end in ends.items()} == {
        ("team@small", "system/triage", status),
        ("single@small", "system/extract", status),
    }
    assert all(len(record["turns"]) == 1 for record in lines(desk.run / "records.jsonl"))


def test_a_busy_server_is_asked_again(desk: Workspace, server: ChatServer) -> None:
    answering = play_parts(PARTS)
    server.script = lambda body, number: (
        Http(429, "slow down", retry_after="0") if number % 3 == 0 else answering(body, number)
    )

    assert play(desk, server, "team", limit=2).code == 0


def test_a_model_can_play_the_user_and_ends_the_conversation(desk: Workspace, server: ChatServer) -> None:
    def customer(material: dict[str, Any]) -> dict[str, Any]:
        done = len(material["dialogue"]) >= 2
        return {"reasoning": "r", "text": "Thanks, bye." if done else "Tell me about The Thirsty Otter.", "done": done}

    server.script = play_parts({"# A customer": customer})
    done = desk.adjudge(
        "play",
        "service",
        "--arm",
        "rules",
        "--user",
        "customer@small",
        "--model-url",
        server.url,
        "--limit",
        1,
        "-o",
        desk.run,
    )
    (end,) = lines(desk.run / "ends.jsonl")

    assert done.code == 0, done.err
    assert (end["end"]["reason"], end["end"]["by"]) == ("participant", "user")
    assert "goal" in material_of(server.bodies[0])


def test_the_transcript_reaches_models_as_data_between_marks(desk: Workspace, server: ChatServer) -> None:
    server.script = play_parts(PARTS)
    play(desk, server, "team", limit=1)

    for body in server.bodies:
        system, user = body["messages"]
        assert "Thirsty Otter" not in system["content"]
        assert user["content"].count("===") == 4
