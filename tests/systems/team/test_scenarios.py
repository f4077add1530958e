"""Scenarios: from files and from Python, by rule and over real HTTP, with an agent of one's own."""

from __future__ import annotations

import itertools
import json
import re
from pathlib import Path
from typing import Any

import pytest

import adjudge as aj
from tools.judge.chat_server import Body, ChatServer, Http, chat
from workspace import Workspace

AGENT = '''
def reply(messages):
    """Looks up the town that the user names last."""
    town = messages[-1]["content"].rstrip(".?").split()[-1]
    call = {"id": "1", "function": {"name": "search", "arguments": '{"town": "' + town + '"}'}}
    return [
        {"role": "assistant", "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "1", "content": "2 hotels"},
        {"role": "assistant", "content": f"There are two hotels in {town}."},
    ]
'''
SCENARIOS = """
[[scenario]]
id = "hotel"
goal = "a hotel in Ely"
wordings = ["I need a hotel in Ely", "And one in Cambridge"]
calls = ["search"]
says = ["two hotels in ely"]

[[scenario]]
id = "no-booking"
goal = "to ask only"
script = ["Do not book anything in Ely"]
never_calls = ["search"]
"""


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def material(body: Body) -> dict[str, Any]:
    """The JSON that a question or a prompt is about."""
    text = body["messages"][-1]["content"]
    return json.loads(re.findall(r"^\{.*\}$", text, re.MULTILINE)[-1])


def test_scenarios_of_a_file_are_played_with_an_agent_of_ones_own(desk: Workspace) -> None:
    desk.write("agent.py", AGENT)
    desk.write("scenarios.toml", SCENARIOS)
    done = desk.adjudge("play", "team", "scenarios.toml", "--arm", "mine=py:agent.py:reply", "-o", "run")
    assert done.code == 0, done.err
    hotel, booking = lines(desk.folder / "run" / "conversations.jsonl")
    assert hotel["outcome"] == {
        "reached": True,
        "scores": {"calls search": 1.0, "says 'two hotels in ely'": 1.0},
        "text": "all checks hold",
    }
    assert [(turn["speaker"], turn.get("kind", "speech")) for turn in hotel["turns"][:4]] == [
        ("user", "speech"),
        ("agent", "call"),
        ("search", "result"),
        ("agent", "speech"),
    ]
    assert [(who["id"], who.get("kind", "agent")) for who in hotel["participants"]] == [
        ("user", "simulated"),
        ("agent", "agent"),
        ("search", "tool"),
    ]
    assert hotel["turns"][1]["call"] == {"name": "search", "arguments": {"town": "Ely"}, "id": "1"}
    assert hotel["turns"][2]["text"] == "2 hotels"
    assert booking["outcome"]["text"] == "search was called in turn 1.1"


def test_the_same_scenario_as_json_lines_gives_the_same(desk: Workspace) -> None:
    import tomllib

    desk.write("agent.py", AGENT)
    desk.write("a.toml", SCENARIOS)
    rows = tomllib.loads(SCENARIOS)["scenario"]
    desk.write("a.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    for ending in ("toml", "jsonl"):
        desk.adjudge("play", "team", f"a.{ending}", "--arm", "mine=py:agent.py:reply", "-o", ending, "--no-score")
    assert lines(desk.folder / "toml" / "conversations.jsonl") == lines(desk.folder / "jsonl" / "conversations.jsonl")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("[scenarios]\n", "s.toml: found scenarios; expected tables [[scenario]], and nothing else"),
        ("", "s.toml: found nothing; expected tables [[scenario]]"),
        ("[[scenario]]\nid = 'a'\n", "s.toml: [[scenario]] 1: the user has nothing to say"),
        ("[[scenario]]\nid = 'a'\ngoal = 3\n", "s.toml: [[scenario]] 1: goal: expected a string, found 3"),
        ("[[scenario]]\nid = 'a'\ngoal = 'b'\nwordngs = []\n", "wordngs"),
        ("[[scenario]]\nid = 'a'\ngoal = 'b'\nagents = ['user']\n", "agents: found ['user']; expected different names"),
        ("[[scenario\n", "s.toml: not TOML"),
    ],
)
def test_broken_scenarios_are_refused_with_their_place(desk: Workspace, content: str, message: str) -> None:
    desk.write("s.toml", content)
    done = desk.adjudge("play", "team", "s.toml", "-o", "run")
    assert done.code == 2
    assert message in done.err


def test_the_sample_shows_what_looking_up_is_worth() -> None:
    run = aj.play("team", only="success")
    assert {row.arm: row.value for row in run.table()} == {"clerk": 1.0, "clerk-lookup": 0.0}


def test_a_scripted_turn_a_worded_one_and_an_answer_come_in_order() -> None:
    replies = iter(["Which town?", "Cheap or dear?", "Two.", "Here it is.", "Goodbye."])
    scenario = aj.Scenario(
        "hotel",
        wordings=["A cheap one, please.", "Thank you."],
        answers={"which town": "Ely."},
        script=["Hello!", ..., "And a room with a view?", ...],
    )
    (talk,) = scenario.play(lambda messages: next(replies)).talks
    assert [turn.text for turn in talk.turns if turn.speaker == "user"] == [
        "Hello!",
        "Ely.",
        "And a room with a view?",
        "A cheap one, please.",
        "Thank you.",
    ]


def test_the_user_ends_when_an_agent_says_so() -> None:
    scenario = aj.Scenario("long", wordings=["One.", "Two.", "Three."], until="goodbye")
    (talk,) = scenario.play(lambda messages: "Goodbye!").talks
    assert [turn.text for turn in talk.turns] == ["One.", "Goodbye!"]


def test_assertions_look_at_the_conversation_so_far() -> None:
    seen: list[tuple[int, bool]] = []

    def searched(talk: aj.Talk) -> bool:
        seen.append((len(talk.turns), talk.called("search", town="Ely")))
        return talk.called("search")

    def agent(messages: list[dict[str, str]]) -> aj.Said[None]:
        if len(messages) == 1:
            return aj.Said("Which town?")
        decision = aj.Decision("search", "2 hotels", call=aj.Call("search", {"town": "Ely"}, "ok"))
        return aj.Said("Two.", decisions=(decision,))

    script = ["A hotel!", lambda talk: not talk.called("search"), searched, "In Ely.", searched]
    result = aj.Scenario("hotel", script=script).play(agent)
    assert seen == [(2, False), (6, True)]
    assert result.trials[0].failures == ("after 1 turn of the user: searched does not hold",)


def test_an_agent_that_varies_passes_by_its_number_of_trials() -> None:
    numbers = itertools.count()
    scenario = aj.Scenario("greet", script=["Hello!"], says=["good day"])

    def agent(messages: list[dict[str, str]]) -> str:
        return "What?" if next(numbers) % 5 == 2 else "Good day."

    assert scenario.test(agent, trials=5, at_least=4).rate == aj.PassRate(4, 5)
    with pytest.raises(AssertionError) as error:
        scenario.test(agent, trials=5)
    text = str(error.value)
    assert "greet: 4 of 5 trials passed (0.80, 95 % interval 0.38 to 0.96); expected at least 5" in text
    assert "trial 2: no agent said 'good day'" in text
    assert "    1 agent: What?" in text
    with pytest.raises(aj.BadInput, match="at_least: found 6"):
        scenario.test(agent, trials=5, at_least=6)


def test_an_agent_that_raises_fails_its_trial_with_the_reason() -> None:
    def agent(messages: list[dict[str, str]]) -> str:
        raise RuntimeError("no connection")

    (trial,) = aj.Scenario("greet", script=["Hello!"]).play(agent).trials
    assert trial.failures == ("the conversation ended by error: RuntimeError: no connection",)


def test_several_agents_speak_in_turn() -> None:
    def agents(view: aj.View[None]) -> str:
        return f"{view.participant} speaks"

    (talk,) = aj.Scenario("two", script=["Hello!"], agents=["planner", "booker"]).play(agents).talks
    assert [turn.text for turn in talk.turns] == ["Hello!", "planner speaks", "booker speaks"]


def judged(body: Body, number: int) -> Any:
    """A judge that holds a criterion true where one of its turns has a guarantee."""
    shown = material(body)
    turn = next((turn["turn"] for turn in shown["turns"] if "guarantee" in turn["text"]), 0)
    return chat(json.dumps({"reasoning": "turn decides", "holds": bool(turn), "turn": turn}))


def test_each_criterion_is_judged_on_its_own_with_the_turn(server: ChatServer) -> None:
    server.script = judged
    scenario = aj.Scenario("promise", script=["Will it work?"], must=["It is polite."], must_not=["It promises."])
    options = {"judge": "small", "judge_url": server.url}
    (trial,) = scenario.play(lambda messages: "I guarantee it.", **options).trials
    assert trial.failures == ("must not: It promises., turn 1: turn decides",)
    assert sorted(material(body)["criterion"] for body in server.bodies) == ["It is polite.", "It promises."]
    (trial,) = scenario.play(lambda messages: "Perhaps.", **options).trials
    assert trial.failures == ("must: It is polite.: turn decides",)


def test_a_judge_that_fails_does_not_pass_a_trial(server: ChatServer) -> None:
    server.script = lambda body, number: Http(400, "no")
    scenario = aj.Scenario("promise", script=["Will it work?"], must=["It is polite."])
    (trial,) = scenario.play(lambda messages: "Yes.", judge="small", judge_url=server.url).trials
    assert trial.failures[0].startswith("not judged (provider_error)")
    with pytest.raises(aj.BadInput, match="must and must_not need a judge"):
        scenario.play(lambda messages: "Yes.")


def test_a_model_plays_the_user_between_scripted_turns(server: ChatServer) -> None:
    def user(body: Body, number: int) -> Any:
        shown = material(body)
        assert shown["goal"] == "a room"
        words = "A room, please." if len(shown["dialogue"]) < 4 else "Bye."
        return chat(json.dumps({"reasoning": "r", "text": words, "done": words == "Bye."}))

    server.script = user
    scenario = aj.Scenario("room", goal="a room", persona="polite", script=["Hello!", ...])
    (talk,) = scenario.play(lambda messages: "Yes?", user="simulated", model="small", model_url=server.url).talks
    assert [turn.text for turn in talk.turns if turn.speaker == "user"] == ["Hello!", "A room, please.", "Bye."]


def test_a_list_that_is_a_text_is_refused() -> None:
    with pytest.raises(aj.BadInput, match="says: found 'hello'; expected a list of texts"):
        aj.Scenario("a", goal="b", says="hello").play(lambda messages: "")


def test_a_result_shows_itself() -> None:
    result = aj.Scenario("<b>", script=["Hello!"], says=["hello"]).play(lambda messages: "Good day.", trials=2)
    assert "0 of 2 trials passed" in repr(result)
    assert "&lt;b&gt;: 0 of 2" in result._repr_html_()
    assert result.run.arms == ["agent"]
