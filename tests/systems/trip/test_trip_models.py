"""Members, mediator and planner that are models, over real HTTP: a server plays every part, well and badly."""

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


def word(material: dict[str, Any]) -> dict[str, Any]:
    return {"reasoning": "r", "parts": [f"Dear all, {part['text']}" for part in material["parts"]]}


def combine(material: dict[str, Any]) -> dict[str, Any]:
    """A model that sees a conflict everywhere."""
    return {"reasoning": "r", "has_conflict": True, "conflict": "you differ", "text": "You all want something else."}


def answer_as_member(material: dict[str, Any]) -> dict[str, Any]:
    """A model that says its first wish to every question, and accepts everything."""
    options = [question["options"] for question in material["questions"]]
    wish = material["wishes"][0]["text"]
    return {
        "reasoning": "r",
        "replies": [
            {
                "text": f"I'd like {wish}.",
                "strength": "prefer",
                "top_choice": (ballot or [""])[0],
                "acceptable": ["what nobody proposed"],
                "hard_no": [],
                "accepts": True,
            }
            for ballot in options
        ],
    }


def write_plan(material: dict[str, Any]) -> dict[str, Any]:
    """A model that stays in the first city, with the first lodging, and dines once in a place that it invents."""
    city = material["places"][0]["city"]
    kinds = {
        kind: [place for place in material["places"] if place["kind"] == kind] for kind in ("lodging", "restaurant")
    }
    nothing = {"name": "", "city": ""}
    day = {
        "city": city,
        "transport": "",
        "breakfast": place_in(kinds["restaurant"][0]),
        "lunch": nothing,
        "dinner": {"name": "Chez Invention", "city": city},
        "attractions": [],
        "events": [],
        "lodging": place_in(kinds["lodging"][0]),
    }
    return {"reasoning": "r", "fault": "", "days": [day]}


def place_in(place: dict[str, Any]) -> dict[str, Any]:
    return {"name": place["name"], "city": place["city"]}


def give_up(material: dict[str, Any]) -> dict[str, Any]:
    return {"reasoning": "r", "fault": "nothing is cheap enough", "days": []}


PARTS: dict[str, Answer] = {
    "# The mediator of": word,
    "# Wishes of": combine,
    "# A member of": answer_as_member,
    "# The planner of": write_plan,
}


def play_parts(parts: dict[str, Answer]) -> Callable[[Body, int], Body]:
    def script(body: Body, number: int) -> Body:
        instructions = body["messages"][0]["content"]
        answer = next(answer for start, answer in parts.items() if instructions.startswith(start))
        data = body["messages"][-1]["content"].split(" ===\n")[1].rpartition("\n===")[0]
        return chat(json.dumps(answer(json.loads(data))))

    return script


def play(desk: Workspace, server: ChatServer, *options: object) -> CommandResult:
    return desk.adjudge(
        "play", "trip", *options, "--model-url", server.url, "--limit", 1, "--metrics", "grounding", "-o", desk.run
    )


def test_a_model_words_and_combines_what_the_mediator_says(desk: Workspace, server: ChatServer) -> None:
    server.script = play_parts(PARTS)

    done = play(desk, server, "--arm", "C4@small")
    [trip] = lines(desk.run / "records.jsonl")
    system = [turn for turn in trip["turns"] if turn["speaker"] == "system"]

    assert done.code == 0, done.err
    assert all(turn["text"].startswith("Dear all, ") for turn in system)
    assert all(turn["synthesis"]["has_conflict"] for turn in system if "synthesis" in turn)
    assert {trace["agent"] for trace in lines(desk.run / "traces.jsonl")} >= {"dialogue", "synthesis"}
    assert trip["plan"]["days"], "the plan is searched all the same"


def test_only_the_part_that_was_given_a_model_asks_it(desk: Workspace, server: ChatServer) -> None:
    server.script = play_parts(PARTS)

    play(desk, server, "--arm", "C3", "--model", "synthesis=small")

    assert {trace["agent"] for trace in lines(desk.run / "traces.jsonl")} == {"synthesis"}


def test_a_wording_with_parts_missing_is_not_taken(desk: Workspace, server: ChatServer) -> None:
    server.script = play_parts({**PARTS, "# The mediator of": lambda material: {"reasoning": "r", "parts": ["Hello."]}})

    play(desk, server, "--arm", "C2@small")
    [trip] = lines(desk.run / "records.jsonl")

    texts = [turn["text"] for turn in trip["turns"] if turn["speaker"] == "system"]
    assert texts[1:3] == ["What kind of traveller are you?", "Hello."], "the first turn has two parts, the next has one"


def test_members_are_played_by_a_model_that_knows_their_own_wishes_only(desk: Workspace, server: ChatServer) -> None:
    server.script = play_parts(PARTS)

    done = play(desk, server, "--arm", "C4", "--member", "openai:small")
    [trip] = lines(desk.run / "records.jsonl")
    ballots = [ballot for turn in trip["turns"] for ballot in turn.get("ballots", [])]

    assert done.code == 0, done.err
    assert {turn["intent"] for turn in trip["turns"] if turn["speaker"] != "system"} >= {"user_accept_plan"}
    assert all("what nobody proposed" not in ballot.get("acceptable", []) for ballot in ballots)
    names = [member["id"] for member in trip["members"]]
    first = [body for body in server.bodies if '"dialogue":[]' not in body["messages"][-1]["content"]][: len(names)]
    for body in first:
        data = json.loads(body["messages"][-1]["content"].split(" ===\n")[1].rpartition("\n===")[0])
        own = next(member["hidden"] for member in trip["members"] if member["id"] == data["you"]["id"])
        assert data["wishes"] == own


def test_a_plan_that_a_model_writes_is_taken_as_it_is(desk: Workspace, server: ChatServer) -> None:
    server.script = play_parts(PARTS)

    done = play(desk, server, "--arm", "C3", "--planner", "openai:small")
    [scores] = lines(desk.run / "scores.jsonl")

    assert done.code == 0, done.err
    assert 0 < scores["scores"]["grounding"]["value"] < 1


def test_the_search_repairs_a_plan_that_a_model_writes(desk: Workspace, server: ChatServer) -> None:
    server.script = play_parts(PARTS)

    play(desk, server, "--arm", "C3", "--planner", "repaired@openai:small")
    [scores] = lines(desk.run / "scores.jsonl")
    decisions = [each for turn in lines(desk.run / "turns.jsonl") for each in turn.get("decisions", [])]

    assert scores["scores"]["grounding"]["value"] == 1.0
    assert any(each["part"] == "repair" and "of 3 places" in each["text"] for each in decisions)


def test_a_planner_that_finds_nothing_says_why(desk: Workspace, server: ChatServer) -> None:
    server.script = play_parts({**PARTS, "# The planner of": give_up})

    play(desk, server, "--arm", "C3", "--planner", "openai:small")
    [trip] = lines(desk.run / "records.jsonl")

    assert trip["plan_fault"] == "nothing is cheap enough"
    assert "plan" not in trip


def test_a_model_that_answers_nonsense_ends_the_conversation_with_whose_error_it_was(
    desk: Workspace, server: ChatServer
) -> None:
    server.script = lambda body, number: chat("no JSON at all")

    done = play(desk, server, "--arm", "C3", "--planner", "openai:small")
    [end] = lines(desk.run / "ends.jsonl")

    assert done.code == 3
    assert (end["end"]["reason"], end["end"]["by"], end["end"]["status"]) == ("error", "planner/planner", "parse_error")


def test_an_estimate_sends_nothing(desk: Workspace, server: ChatServer) -> None:
    done = play(desk, server, "--arm", "C4@openai:gpt-4.1-mini", "--estimate")

    assert done.code == 0, done.err
    assert "C4@openai:gpt-4.1-mini, openai:gpt-4.1-mini: about" in done.out
    assert server.bodies == []
