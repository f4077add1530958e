"""A user's own system as an arm: a function, a server, a command; and what happens when it misbehaves."""

from __future__ import annotations

import shlex
import sys
import time
from pathlib import Path

import pytest
from playing import lines

from adjudge.core.errors import Unanswered
from adjudge.core.play import View
from adjudge.play.command import CommandWorker
from adjudge.play.own import OwnTurn
from tools.judge.chat_server import ChatServer, chat
from workspace import Workspace

FUNCTIONS = """
import asyncio, time
from adjudge.core.play import Message, Prompt, Said

def count_up(messages):
    return f"{sum(message['role'] == 'assistant' for message in messages) + 1}?"

async def count_up_later(messages):
    await asyncio.sleep(0.001)
    return count_up(messages)

def with_view(view):
    number = 1 + sum(turn.speaker == view.participant for turn in view.turns)
    return Said(f"{number}?", facts={"number": number})

def with_names(messages, case, conversation, turn):
    assert conversation == f"{case}/mine/0" and turn == len(messages)
    return count_up(messages)

def gives_up(view):
    return Said("I give up.", ends="no idea")

def with_model(view, ask):
    return Said(ask([Prompt((Message("user", "A number?"),), str)])[0])

def fails(messages):
    raise KeyError("no key")

def returns_nothing(messages):
    return None

def never_returns(messages):
    time.sleep(3600)

def wrong_facts(view):
    return Said("4?", facts={"number": "four"})

def asks_with_wrong_facts(view, ask):
    return wrong_facts(view)

def leaves(messages):
    raise SystemExit("done")

def half_a_character(messages):
    return "\\ud83d"

def keeps_an_object(view):
    return Said("4?", notes=object())

def asks_by_name(ask, case, messages):
    assert case.startswith("n")
    return count_up(messages)
"""

COMMAND = """
import json, sys
for line in sys.stdin:
    request = json.loads(line)
    assert set(request) >= {"case", "conversation", "trial", "turn", "messages"}
    number = 1 + sum(message["role"] == "assistant" for message in request["messages"])
    print(json.dumps({"text": f"{number}?", "facts": {"number": number}}), flush=True)
"""


@pytest.fixture
def functions(desk: Workspace) -> Path:
    return desk.write("mine.py", FUNCTIONS)


def command(desk: Workspace, script: str) -> str:
    return f"mine=cmd:{shlex.join([sys.executable, str(desk.write('agent.py', script))])}"


def ends(desk: Workspace) -> list[tuple[str, str, str]]:
    all_ends = [line["end"] for line in lines(desk.run / "ends.jsonl")]
    return [(end["reason"], end.get("by", ""), end.get("status", "")) for end in all_ends]


@pytest.mark.parametrize("function", ["count_up", "count_up_later", "with_view", "with_names", "asks_by_name"])
def test_a_function_is_an_arm(desk: Workspace, functions: Path, function: str) -> None:
    arms = ("--arm", f"mine=py:{functions}:{function}", "--arm", "bisection")

    done = desk.adjudge("play", "guessing", *arms, "-o", desk.run)

    assert done.code == 0, done.err
    turns = [line for line in lines(desk.run / "turns.jsonl") if line["case"] == "n4" and line["arm"] == "mine"]
    assert [turn["text"] for turn in turns if turn["speaker"] == "system"] == ["1?", "2?", "3?", "4?"]
    assert {line["arm"] for line in lines(desk.run / "scores.jsonl")} == {"mine", "bisection"}


def test_the_facts_of_an_own_system_are_scored(desk: Workspace, functions: Path) -> None:
    desk.adjudge("play", "guessing", "--arm", f"mine=py:{functions}:with_view", "-o", desk.run)
    assert [record["guesses"] for record in lines(desk.run / "records.jsonl")][2] == [1, 2, 3]


def test_a_system_may_end_the_conversation(desk: Workspace, functions: Path) -> None:
    desk.adjudge("play", "guessing", "--arm", f"mine=py:{functions}:gives_up", "-o", desk.run)
    assert set(ends(desk)) == {("participant", "system", "")}


def test_a_function_may_ask_through_the_engine(desk: Workspace, functions: Path, server: ChatServer) -> None:
    server.script = lambda body, number: chat("5?")
    arguments = ("--arm", f"mine=py:{functions}:with_model", "--model", "small", "--model-url", server.url)

    done = desk.adjudge("play", "guessing", *arguments, "-o", desk.run, "--max-turns", 4)

    assert done.code == 0, done.err
    assert len(server.bodies) == 1  # The same prompt in every conversation.


UNWRITABLE = r"'utf-8' codec can't encode character '\ud83d' in position 0: surrogates not allowed"
FAILING = {
    "fails": ("error", "KeyError: 'no key'"),
    "never_returns": ("timeout", "no reply within 0.2 s"),
    "leaves": ("error", "SystemExit: done"),
    "half_a_character": ("parse_error", f"returned something that is not text: {UNWRITABLE}"),
    "asks_with_wrong_facts": ("parse_error", "facts: Expected `int`, got `str` - at `$.number`"),
    "wrong_facts": ("parse_error", "facts: Expected `int`, got `str` - at `$.number`"),
}


@pytest.mark.parametrize("function", FAILING)
def test_a_function_that_fails_ends_its_conversations(desk: Workspace, functions: Path, function: str) -> None:
    status, why = FAILING[function]
    timeout = "0.2" if status == "timeout" else "60"
    arguments = ("--arm", f"mine=py:{functions}:{function}", "--timeout", timeout, "--limit", "3")

    done = desk.adjudge("play", "guessing", *arguments, "-o", desk.run)

    assert done.code == 3
    assert ends(desk) == [("error", "system", status)] * 3
    assert {line["end"]["why"] for line in lines(desk.run / "ends.jsonl")} == {why}


def test_a_function_that_returns_nothing_is_refused(desk: Workspace, functions: Path) -> None:
    done = desk.adjudge("play", "guessing", "--arm", f"py:{functions}:returns_nothing", "-o", desk.run)

    assert done.code == 2
    assert "returned None in case" in done.err
    assert "expected a text, a Said, or chat messages" in done.err
    # What was said before is kept.
    assert {line["speaker"] for line in lines(desk.run / "turns.jsonl")} == {"user"}


def test_a_function_that_returns_what_cannot_be_kept_is_refused(desk: Workspace, functions: Path) -> None:
    done = desk.adjudge("play", "guessing", "--arm", f"py:{functions}:keeps_an_object", "-o", desk.run)

    assert done.code == 2
    assert "returned a value that cannot be kept in case 'n" in done.err


def test_a_file_that_exits_when_imported_is_refused(desk: Workspace) -> None:
    file = desk.write("leaving.py", "import sys\nsys.exit(0)\n")

    done = desk.adjudge("play", "guessing", "--arm", f"py:{file}:reply", "-o", desk.run)

    assert done.code == 2
    assert "leaving.py: cannot be imported: SystemExit: 0" in done.err


def test_a_server_is_an_arm_and_is_told_the_conversation(desk: Workspace, server: ChatServer) -> None:
    server.script = lambda body, number: chat(
        f"{1 + sum(message['role'] == 'assistant' for message in body['messages'])}?"
    )

    done = desk.adjudge("play", "guessing", "--arm", f"mine=url:{server.url}@tuned", "-o", desk.run, "--limit", 3)

    assert done.code == 0, done.err
    body = server.bodies[0]
    assert (body["model"], body["messages"][0]["role"]) == ("tuned", "user")
    assert {body["metadata"]["conversation"] for body in server.bodies} == {f"n{case}/mine/0" for case in (1, 2, 3)}


def test_a_command_is_an_arm(desk: Workspace) -> None:
    done = desk.adjudge("play", "guessing", "--arm", command(desk, COMMAND), "-o", desk.run, "--concurrency", 2)

    assert done.code == 0, done.err
    assert [record["guesses"] for record in lines(desk.run / "records.jsonl")][3] == [1, 2, 3, 4]


MISBEHAVING = {
    "dies": ("import sys; sys.exit(7)", "provider_error"),
    "hangs": ("import time; time.sleep(3600)", "timeout"),
    "prints nonsense": ("import sys\nfor line in sys.stdin: print('Hello there', flush=True)", "parse_error"),
    "prints two lines for a turn": (
        'import sys\nfor line in sys.stdin: print(\'{"text": "1?"}\\n{"text": "2?"}\', flush=True)',
        "parse_error",
    ),
    "prints before it is asked": ("print('Ready', flush=True)\ninput()", "parse_error"),
    "prints another type": ("import sys\nfor line in sys.stdin: print('{\"text\": 4}', flush=True)", "parse_error"),
}


@pytest.mark.parametrize("how", MISBEHAVING)
def test_a_command_that_misbehaves_ends_its_conversations(desk: Workspace, how: str) -> None:
    script, status = MISBEHAVING[how]
    arguments = ("--timeout", "0.5" if status == "timeout" else "60", "--limit", "2", "--concurrency", 2)

    done = desk.adjudge("play", "guessing", "--arm", command(desk, script), "-o", desk.run, *arguments)

    assert done.code == 3
    assert ends(desk) == [("error", "system", status)] * 2


TALKATIVE = """
import pathlib, sys
for line in sys.stdin:
    print('{"text": "1?"}', flush=True)
    while not pathlib.Path(sys.argv[1]).exists():
        pass
    print('{"text": "2?"}', flush=True)
    pathlib.Path(sys.argv[2]).touch()
"""


def test_a_line_too_many_does_not_answer_the_next_turn(tmp_path: Path) -> None:
    go, gone = tmp_path / "go", tmp_path / "gone"
    worker = CommandWorker([sys.executable, "-c", TALKATIVE, str(go), str(gone)])
    turn = OwnTurn("n1/mine/0", 1, View("system", {}, (), None, "n1", "n1/mine/0", 0, 1))
    assert worker.answer(turn).text == "1?"
    go.touch()
    while not gone.exists():
        time.sleep(0.01)

    with pytest.raises(Unanswered, match="before it was asked; expected one line for each turn"):
        worker.answer(turn)

    # The command is started again for the turn after it.
    go.unlink()
    assert worker.answer(turn).text == "1?"
    worker.abandon()


def test_a_command_that_cannot_be_started_is_refused(desk: Workspace) -> None:
    done = desk.adjudge("play", "guessing", "--arm", "mine=cmd:/no/such/agent", "-o", desk.run)
    assert done.code == 2
    assert "no program '/no/such/agent'; expected one that can be started" in done.err
    assert not desk.run.exists()
