"""Logs of agent frameworks and benchmarks keep names, hand-overs, calls, goals and outcomes."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from logs import jsonl, kinds, lines, only, read_log
from mutation import read_file


def test_autogen_keeps_sources_hand_overs_and_the_reason_of_the_end(tmp_path: Path) -> None:
    def message(source: str, kind: str, content: Any, **more: Any) -> dict[str, Any]:
        return {"source": source, "type": kind, "content": content, "models_usage": None, "metadata": {}, **more}

    result = {
        "messages": [
            message("user", "TextMessage", "Refund my flight."),
            message("desk", "ToolCallRequestEvent", [{"id": "1", "name": "refund", "arguments": '{"id": 7}'}]),
            message(
                "desk",
                "ToolCallExecutionEvent",
                [{"call_id": "1", "name": "refund", "content": "no", "is_error": True}],
            ),
            message("desk", "ToolCallSummaryMessage", "no"),
            message("desk", "ThoughtEvent", "Ask a person."),
            message("desk", "HandoffMessage", "Please take over.", target="human"),
        ],
        "stop_reason": "Handoff to human",
    }
    outcome = read_log(tmp_path, result)
    conversation = only(outcome)
    assert lines(conversation) == [
        ("speech", "user", "Refund my flight."),
        ("call", "desk", "refund"),
        ("result", "refund", "no"),
        ("thought", "desk", "Ask a person."),
        ("speech", "desk", "Please take over."),
    ]
    assert conversation.turns[-1].to == ("human",)
    assert conversation.turns[2].call is not None
    assert conversation.turns[2].call.status == "error"
    assert kinds(conversation) == {"user": "human", "desk": "agent", "refund": "tool", "human": "human"}
    assert conversation.outcome is not None
    assert conversation.outcome.text == "Handoff to human"
    assert any("ToolCallSummaryMessage" in remark for remark in outcome.remarks)


def test_roles_of_an_old_autogen_history_are_relative_to_the_first_speaker(tmp_path: Path) -> None:
    history = [
        {"role": "assistant", "content": "Sort 3, 1, 2."},
        {"role": "user", "content": "print(sorted([3, 1, 2]))"},
        {"role": "assistant", "content": "exitcode: 0 (execution succeeded)\n[1, 2, 3]"},
    ]
    conversation = only(read_log(tmp_path, {"chat_history": history, "cost": {}, "summary": ""}))
    assert [speaker for _, speaker, _ in lines(conversation)] == ["user", "assistant", "executor"]
    assert conversation.turns[2].call is not None
    assert conversation.turns[2].call.status == "ok"


TOOLS = ((1, "load"), (2, "plot"))


def test_results_of_ag2_are_told_apart_by_the_ids_of_their_calls(tmp_path: Path) -> None:
    calls = [{"id": f"c{n}", "type": "function", "function": {"name": tool, "arguments": "{}"}} for n, tool in TOOLS]
    answers = [{"tool_call_id": f"c{n}", "role": "tool", "content": f"{tool} done"} for n, tool in TOOLS]
    history = [
        {"role": "assistant", "name": "user_proxy", "content": "Plot the sales."},
        {"role": "assistant", "name": "coder", "content": None, "tool_calls": calls},
        {"role": "tool", "name": "user_proxy", "content": "load done\n\nplot done", "tool_responses": answers},
    ]
    outcome = read_log(tmp_path, {"chat_history": history})
    turns = only(outcome).turns
    assert [(turn.speaker, turn.text, turn.to) for turn in turns if turn.kind == "result"] == [
        ("load", "load done", ("coder",)),
        ("plot", "plot done", ("coder",)),
    ]
    assert not outcome.remarks


# Both spellings: as agent-framework for Python writes messages, and as .NET does.
PYTHON = [
    {"type": "message", "role": "user", "author_name": "Ann", "contents": [{"type": "text", "text": "Warm?"}]},
    {
        "type": "message",
        "role": "assistant",
        "author_name": "Writer",
        "contents": [
            {"type": "function_call", "call_id": "c1", "name": "weather", "arguments": '{"city": "Rome"}'},
            {"type": "usage", "usage_details": {"input_token_count": 3, "output_token_count": 4}},
        ],
    },
    {"type": "message", "role": "tool", "contents": [{"type": "function_result", "call_id": "c1", "result": "31"}]},
]
NET = [
    {"role": "user", "authorName": "Ann", "contents": [{"$type": "text", "text": "Warm?"}]},
    {
        "role": "assistant",
        "authorName": "Writer",
        "contents": [
            {"$type": "functionCall", "callId": "c1", "name": "weather", "arguments": {"city": "Rome"}},
            {"$type": "usage", "details": {"inputTokenCount": 3, "outputTokenCount": 4}},
        ],
    },
    {"role": "tool", "contents": [{"$type": "functionResult", "callId": "c1", "result": "31"}]},
]


@pytest.mark.parametrize("messages", [PYTHON, NET], ids=["Python", ".NET"])
@pytest.mark.parametrize("wrap", ["list", "response", "session"])
def test_agent_framework_keeps_author_names(tmp_path: Path, messages: list[Any], wrap: str) -> None:
    content: Any = {
        "list": messages,
        "response": {"messages": messages},
        "session": {"state": {"memory": {"messages": messages}}},
    }
    conversation = only(read_log(tmp_path, content[wrap]))
    assert lines(conversation) == [
        ("speech", "Ann", "Warm?"),
        ("call", "Writer", "weather"),
        ("result", "weather", "31"),
    ]
    usage = conversation.turns[1].usage
    assert usage is not None
    assert (usage.input_tokens, usage.output_tokens) == (3, 4)


def test_langgraph_messages_are_read_plain_and_serialised(tmp_path: Path) -> None:
    plain = [
        {"type": "human", "content": "Warm?", "name": "Ann"},
        {
            "type": "ai",
            "content": "",
            "name": "scout",
            "tool_calls": [{"name": "weather", "args": {"city": "Rome"}, "id": "1"}],
            "usage_metadata": {"input_tokens": 3, "output_tokens": 4},
        },
        {"type": "tool", "content": "31", "tool_call_id": "1", "status": "error"},
    ]
    names = {"human": "HumanMessage", "ai": "AIMessage", "tool": "ToolMessage"}
    serialised = [
        {
            "lc": 1,
            "type": "constructor",
            "id": ["langchain", "schema", "messages", names[message["type"]]],
            "kwargs": message,
        }
        for message in plain
    ]
    wrapped = [{"type": message["type"], "data": message} for message in plain]
    thread = {"values": {"messages": plain}, "metadata": {"thread_id": "t1", "model_name": "m"}, "next": []}
    for content in (plain, serialised, wrapped, thread):
        conversation = only(read_log(tmp_path, content))
        assert lines(conversation) == [
            ("speech", "Ann", "Warm?"),
            ("call", "scout", "weather"),
            ("result", "weather", "31"),
        ]
        assert conversation.turns[2].call is not None
        assert conversation.turns[2].call.status == "error"
    assert (conversation.id, conversation.arm) == ("t1", "m")


def test_tau2_keeps_the_task_and_the_reward(tmp_path: Path) -> None:
    call = {"id": "c1", "name": "find", "arguments": {"id": 7}, "requestor": "user"}
    messages = [
        {"role": "assistant", "content": "Hi!", "tool_calls": None, "cost": 0.0, "timestamp": "2025-08-01T16:23:24"},
        {
            "role": "user",
            "content": None,
            "tool_calls": [call],
            "cost": 0.01,
            "usage": {"prompt_tokens": 9, "completion_tokens": 1},
        },
        {"role": "tool", "id": "c1", "content": "none", "requestor": "user", "error": True},
    ]
    simulation = {
        "id": "s1",
        "task_id": "7",
        "trial": 2,
        "messages": messages,
        "termination_reason": "user_stop",
        "reward_info": {"reward": 1.0},
    }
    task = {"id": "7", "user_scenario": {"instructions": {"reason_for_call": "You lost a bag."}}}
    results = {"timestamp": "x", "info": {"agent_info": {"llm": "m"}}, "tasks": [task], "simulations": [simulation]}
    conversation = only(read_log(tmp_path, results))
    assert (conversation.case, conversation.arm, conversation.trial, conversation.goal) == (
        "7",
        "m",
        2,
        "You lost a bag.",
    )
    assert conversation.outcome is not None
    assert (conversation.outcome.reached, conversation.outcome.scores, conversation.outcome.text) == (
        True,
        {"reward": 1.0},
        "user_stop",
    )
    assert kinds(conversation)["user"] == "simulated"
    assert conversation.turns[1].usage is not None
    assert conversation.turns[1].usage.cost == 0.01
    assert conversation.turns[2].to == ("user",)


def inspect_log() -> dict[str, Any]:
    messages = [
        {"id": "m0", "role": "user", "content": "attachment://abc", "source": "input"},
        {
            "id": "m1",
            "role": "assistant",
            "content": "",
            "tool_calls": [{"id": "c1", "function": "bash", "arguments": {"cmd": "ls"}}],
        },
        {
            "id": "m2",
            "role": "tool",
            "content": "",
            "function": "bash",
            "tool_call_id": "c1",
            "error": {"type": "timeout", "message": "too slow"},
        },
    ]
    event = {
        "event": "model",
        "timestamp": "2025-05-12T20:28:26+00:00",
        "output": {"choices": [{"message": {"id": "m1"}}], "usage": {"input_tokens": 5, "output_tokens": 2}},
    }
    sample = {
        "id": "s1",
        "epoch": 2,
        "input": "attachment://abc",
        "target": "SECRET",
        "messages": messages,
        "events": [event],
        "attachments": {"abc": "List the files."},
        "scores": {"match": {"value": "I"}},
    }
    return {"version": 2, "status": "success", "eval": {"task": "files", "model": "m"}, "samples": [sample]}


def test_inspect_resolves_attachments_and_keeps_scores_times_and_errors(tmp_path: Path) -> None:
    conversation = only(read_log(tmp_path, inspect_log()))
    assert lines(conversation) == [
        ("speech", "user", "List the files."),
        ("call", "assistant", "bash"),
        ("result", "bash", "too slow"),
    ]
    assert (conversation.case, conversation.arm, conversation.trial) == ("s1", "m", 1)
    assert conversation.goal == "List the files."
    assert conversation.outcome is not None
    assert (conversation.outcome.reached, conversation.outcome.scores) == (False, {"match": 0.0})
    assert conversation.turns[1].time is not None
    assert conversation.turns[1].usage is not None
    assert conversation.turns[2].call is not None
    assert conversation.turns[2].call.status == "error"
    assert "SECRET" not in str(conversation)


def test_an_eval_archive_is_read_as_the_json_of_the_same_log(tmp_path: Path) -> None:
    log = inspect_log()
    path = tmp_path / "log.eval"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("header.json", json.dumps({key: value for key, value in log.items() if key != "samples"}))
        archive.writestr("samples/s1_epoch_2.json", json.dumps(log["samples"][0]))
        archive.writestr("summaries.json", "[]")
    assert only(read_file(path)).turns == only(read_log(tmp_path, log)).turns


def test_who_and_when_reads_roles_of_the_hand_made_part(tmp_path: Path) -> None:
    history = [
        {"role": "human", "content": "How tall is it?"},
        {"role": "Orchestrator (thought)", "content": "Search first."},
        {"role": "Orchestrator (-> WebSurfer)", "content": "Please search."},
        {"role": "WebSurfer", "content": "I guess 10 m."},
    ]
    labels = {"mistake_agent": "WebSurfer", "mistake_step": "3", "mistake_reason": "It guessed.", "is_correct": False}
    conversation = only(
        read_log(tmp_path, {"question": "How tall?", "ground_truth": "330 m", "history": history, **labels})
    )
    assert lines(conversation)[1:3] == [
        ("thought", "Orchestrator", "Search first."),
        ("speech", "Orchestrator", "Please search."),
    ]
    assert conversation.turns[2].to == ("WebSurfer",)
    assert kinds(conversation)["human"] == "human"
    assert conversation.goal == "How tall?"
    assert [(fault.agent, fault.turn, fault.why) for fault in conversation.faults] == [
        ("WebSurfer", "3", "It guessed.")
    ]
    said = " ".join(turn.text for turn in conversation.turns)
    assert "It guessed." not in said
    assert "330 m" not in str(conversation)


def test_formats_may_change_from_line_to_line(tmp_path: Path) -> None:
    chat = {"messages": [{"role": "user", "content": "Hi"}]}
    meeting = {"meeting_transcripts": [{"speaker": "Ann", "content": "Hello."}]}
    outcome = read_log(tmp_path, jsonl(chat, meeting, chat), "mixed.jsonl")
    assert [len(conversation.turns) for conversation in outcome.conversations] == [1, 1, 1]


def test_a_row_of_no_known_format_is_refused_among_others(tmp_path: Path) -> None:
    outcome = read_log(
        tmp_path, jsonl({"messages": [{"role": "user", "content": "Hi"}]}, {"temperature": 7}), "mixed.jsonl"
    )
    assert len(outcome.conversations) == 1
    assert outcome.complaints[0].startswith(f"{tmp_path / 'mixed.jsonl'}:2: an object with 'temperature'; expected")


def test_a_conversation_without_messages_is_kept_with_a_remark(tmp_path: Path) -> None:
    outcome = read_log(tmp_path, {"messages": []})
    assert only(outcome).turns == ()
    assert outcome.remarks == {"openai: a conversation without any message": 1}
