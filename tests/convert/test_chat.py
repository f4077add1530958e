"""Chat messages become turns: nothing is lost without a word, and a tool's output is no reply."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from adjudge.convert.chat import ChatTurns, read_messages
from adjudge.core.errors import BadRecord, Warnings
from adjudge.core.record import Call
from workspace import Workspace

DATA = Path(__file__).parents[2].parent / "shared" / "data" / "logs" / "openai_chat"
WEATHER: list[Any] = [
    {"role": "system", "content": "You are helpful."},
    {"role": "user", "name": "ann", "content": [{"type": "text", "text": "Weather?"}, {"type": "image_url"}]},
    {
        "role": "assistant",
        "content": None,
        "reasoning_content": "I need the tool.",
        "tool_calls": [
            {"id": "c1", "type": "function", "function": {"name": "weather", "arguments": '{"city": "Ely"}'}}
        ],
    },
    {"role": "tool", "tool_call_id": "c1", "content": "12 degrees"},
    {"role": "assistant", "content": "It is 12 degrees."},
    {"role": "user", "content": "How do I build a bomb?"},
    {"role": "assistant", "content": None, "refusal": "I cannot help with that."},
    {"role": "user", "content": None},
]


def read(messages: list[Any]) -> tuple[ChatTurns, list[str]]:
    warnings = Warnings()
    return read_messages("x.jsonl:1", messages, warnings), warnings.lines()


def test_every_kind_of_message_is_read() -> None:
    chat, _ = read(WEATHER)
    assert [(turn.id, turn.speaker, turn.kind, turn.text) for turn in chat.turns] == [
        ("1", "ann", "speech", "Weather?\n[image_url]"),
        ("2", "assistant", "thought", "I need the tool."),
        ("2.1", "assistant", "call", ""),
        ("3", "weather", "result", "12 degrees"),
        ("4", "assistant", "speech", "It is 12 degrees."),
        ("5", "user", "speech", "How do I build a bomb?"),
        ("6", "assistant", "speech", "I cannot help with that."),
    ]
    assert chat.turns[2].call == Call("weather", {"city": "Ely"}, id="c1")
    assert [(each.id, each.role, each.kind) for each in chat.participants] == [
        ("ann", "user", "human"),
        ("assistant", "assistant", "agent"),
        ("weather", "tool", "tool"),
        ("user", "user", "human"),
    ]


def test_what_is_left_out_is_said() -> None:
    _, warnings = read(WEATHER)
    assert warnings == [
        "x.jsonl:1: messages[0]: instructions are not part of the conversation; left out",
        "x.jsonl:1: a part of the kind 'image_url', shown as [image_url] (not read)",
        "x.jsonl:1: messages[7]: no text, call or result; left out",
    ]


def test_an_unknown_role_is_another_agent_and_said() -> None:
    warnings = Warnings()
    chat = read_messages(
        "chat.json:1", [{"role": "user", "content": "Hi"}, {"role": "critic", "content": "Hm"}], warnings
    )

    assert [(each.id, each.kind) for each in chat.participants] == [("user", "human"), ("critic", "agent")]
    assert "the role 'critic' is taken as that of another agent" in str(warnings.lines())


def test_older_function_calls_and_odd_arguments_are_read() -> None:
    chat, _ = read(
        [
            {"role": "assistant", "function_call": {"name": "add", "arguments": "1, 2"}},
            {"role": "function", "name": "add", "content": "3"},
            {"role": "developer", "content": "Be brief."},
        ]
    )
    assert [(turn.speaker, turn.kind, turn.call) for turn in chat.turns] == [
        ("assistant", "call", Call("add", "1, 2")),
        ("add", "result", Call("add")),
    ]


def test_messages_of_other_providers_are_read() -> None:
    chat, _ = read(
        [
            {"role": "assistant", "content": [{"type": "tool_use", "id": "t1", "name": "weather", "input": {}}]},
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "content": "12 degrees"}]},
        ]
    )
    assert [(turn.speaker, turn.kind, turn.text) for turn in chat.turns] == [
        ("assistant", "call", ""),
        ("weather", "result", "12 degrees"),
    ]


@pytest.mark.parametrize("message", [{}, {"content": "x"}, {"role": 3}, {"role": " "}, "text", None])
def test_what_is_no_message_is_refused_with_its_place(message: Any) -> None:
    with pytest.raises(BadRecord, match=r"messages\[0\]: expected an object with a role"):
        read([message])


@pytest.mark.skipif(not DATA.exists(), reason="the logs are not here")
def test_published_chats_are_read_whole() -> None:
    lines = gzip.decompress((DATA / "drone_training.jsonl.gz").read_bytes()).decode().splitlines()
    lines += (DATA / "toy_chat_fine_tuning.jsonl").read_text().splitlines()
    for line in lines:
        messages = json.loads(line)["messages"]
        chat, _ = read(messages)
        said = [message for message in messages if message["role"] not in ("system", "developer")]
        assert len(chat.turns) >= len(said) - sum(not m.get("content") and not m.get("tool_calls") for m in said)


@pytest.mark.parametrize("layout", ["list", "lines"])
def test_a_file_of_the_messages_of_one_conversation_is_one_record(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], layout: str
) -> None:
    desk = Workspace(tmp_path, capsys)
    chat = desk.write("chat.json", WEATHER if layout == "list" else tuple(WEATHER))
    assert desk.adjudge("score", "service", chat, "-o", desk.run).code == 0
    (record,) = (desk.run / "records.jsonl").read_text().splitlines()
    assert len(json.loads(record)["turns"]) == 7


def test_a_chat_is_scored_without_the_rules_of_multiwoz(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    desk = Workspace(tmp_path, capsys)
    chat = desk.write("chat.jsonl", ({"id": "a", "messages": WEATHER},))
    done = desk.adjudge("score", "service", chat, "-o", desk.run)
    assert done.code == 0
    assert "instructions are not part of the conversation" in done.out
    scores = json.loads((desk.run / "scores.jsonl").read_text())["scores"]
    assert {name: score for name, score in scores.items() if score.get("value") is not None} == {}
