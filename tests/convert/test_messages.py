"""OpenAI's chat messages and items of responses become turns; what is not understood is named."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from logs import jsonl, kinds, lines, only, read_log

CALL = {"id": "c1", "type": "function", "function": {"name": "weather", "arguments": '{"city": "Rome"}'}}


def test_texts_calls_and_results_are_turns_of_their_own_kind(tmp_path: Path) -> None:
    chat = {
        "messages": [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "name": "Ann", "content": "Is it warm in Rome?"},
            {"role": "assistant", "content": None, "tool_calls": [CALL]},
            {"role": "tool", "tool_call_id": "c1", "content": "31 degrees"},
            {"role": "assistant", "content": "Yes, 31 degrees."},
        ],
        "tools": [{"type": "function", "function": {"name": "weather"}}],
    }
    conversation = only(read_log(tmp_path, chat))
    assert lines(conversation) == [
        ("speech", "Ann", "Is it warm in Rome?"),
        ("call", "assistant", "weather"),
        ("result", "weather", "31 degrees"),
        ("speech", "assistant", "Yes, 31 degrees."),
    ]
    assert kinds(conversation) == {"Ann": "human", "assistant": "agent", "weather": "tool"}
    call, result = conversation.turns[1].call, conversation.turns[2].call
    assert call is not None
    assert (call.arguments, call.id) == ({"city": "Rome"}, "c1")
    assert result is not None
    assert result.id == "c1"
    assert conversation.turns[2].to == ("assistant",)
    assert conversation.tools == ("weather",)
    assert conversation.instructions == {"": "Be brief."}


def test_parts_refusals_and_thoughts(tmp_path: Path) -> None:
    messages = [
        {
            "role": "user",
            "content": [{"type": "text", "text": "What is this?"}, {"type": "image_url", "image_url": {}}],
        },
        {"role": "assistant", "content": None, "refusal": "I cannot say.", "reasoning_content": "It may be private."},
    ]
    outcome = read_log(tmp_path, messages)
    assert lines(only(outcome)) == [
        ("speech", "user", "What is this?\n[image_url]"),
        ("thought", "assistant", "It may be private."),
        ("speech", "assistant", "I cannot say."),
    ]
    assert any("image_url" in remark for remark in outcome.remarks)


def test_an_empty_reply_is_an_empty_turn(tmp_path: Path) -> None:
    messages = [{"role": "user", "content": "Hello?"}, {"role": "assistant", "content": ""}]
    assert lines(only(read_log(tmp_path, messages)))[1] == ("speech", "assistant", "")


def test_a_field_that_nobody_reads_is_named_with_its_number(tmp_path: Path) -> None:
    message = {"role": "user", "content": "Hello", "mood": "good"}
    outcome = read_log(tmp_path, [message, message])
    assert outcome.remarks == {"openai: the field 'mood' of a message": 2}


def test_a_content_of_another_type_is_kept_as_json_and_named(tmp_path: Path) -> None:
    outcome = read_log(tmp_path, [{"role": "user", "content": {"city": "Rome"}}])
    assert lines(only(outcome)) == [("speech", "user", '{"city": "Rome"}')]
    assert len(outcome.remarks) == 1


def test_a_message_without_a_role_refuses_its_row_and_no_other(tmp_path: Path) -> None:
    good, bad = {"messages": [{"role": "user", "content": "Hi"}]}, {"messages": [{"role": "user"}, {"content": "Hi"}]}
    outcome = read_log(tmp_path, jsonl(good, bad, good), "chats.jsonl")
    assert len(outcome.conversations) == 2
    assert "chats.jsonl:2: messages[1]: expected an object with a role" in outcome.complaints[0]
    assert [conversation.id for conversation in outcome.conversations] == ["chats-1", "chats-2"]


@pytest.mark.parametrize(
    "content",
    [
        [{"type": "tool_use", "id": "c1", "name": "weather", "input": {"city": "Rome"}}],
        [{"toolUse": {"toolUseId": "c1", "name": "weather", "input": {"city": "Rome"}}}],
        [{"functionCall": {"id": "c1", "name": "weather", "args": {"city": "Rome"}}}],
        [{"type": "tool_call", "id": "c1", "name": "weather", "arguments": '{"city": "Rome"}'}],
        [{"type": "tool-call", "toolCallId": "c1", "toolName": "weather", "input": {"city": "Rome"}}],
    ],
    ids=["Anthropic", "Bedrock", "Gemini", "OpenTelemetry", "Vercel"],
)
def test_a_call_is_read_from_every_dialect(tmp_path: Path, content: list[Any]) -> None:
    outcome = read_log(tmp_path, [{"role": "assistant", "content": content}])
    call = only(outcome).turns[0].call
    assert call is not None
    assert (call.name, call.arguments, call.id) == ("weather", {"city": "Rome"}, "c1")
    assert not outcome.remarks


@pytest.mark.parametrize(
    ("role", "content", "status"),
    [
        ("user", [{"type": "tool_result", "tool_use_id": "c1", "content": "31", "is_error": True}], "error"),
        ("user", [{"toolResult": {"toolUseId": "c1", "content": [{"text": "31"}], "status": "success"}}], "ok"),
        ("tool", [{"type": "tool_call_response", "id": "c1", "response": "31"}], None),
    ],
    ids=["Anthropic", "Bedrock", "OpenTelemetry"],
)
def test_a_result_is_read_from_every_dialect(tmp_path: Path, role: str, content: list[Any], status: str) -> None:
    messages = [{"role": "assistant", "content": None, "tool_calls": [CALL]}, {"role": role, "content": content}]
    turn = only(read_log(tmp_path, messages)).turns[1]
    assert (turn.kind, turn.speaker, turn.text, turn.to) == ("result", "weather", "31", ("assistant",))
    assert turn.call is not None
    assert turn.call.status == status


def test_a_request_and_the_response_on_the_next_line_are_one_conversation(tmp_path: Path) -> None:
    request = {"model": "m", "messages": [{"role": "user", "content": "2+2?"}]}
    reply = {"role": "assistant", "content": "4"}
    response = {
        "id": "r1",
        "choices": [{"index": 0, "message": reply}],
        "usage": {"prompt_tokens": 5, "completion_tokens": 1},
    }
    conversation = only(read_log(tmp_path, jsonl(request, response), "log.jsonl"))
    assert [text for _, _, text in lines(conversation)] == ["2+2?", "4"]
    assert conversation.usage is not None
    assert (conversation.usage.input_tokens, conversation.usage.output_tokens) == (5, 1)


def test_names_of_a_group_chat_decide_who_is_an_agent(tmp_path: Path) -> None:
    messages = [
        {"role": "user", "name": "user_proxy", "content": "Write a poem."},
        {"role": "user", "name": "Planner_agent", "content": "Poet, please."},
        {"role": "user", "name": "Poet", "content": "Roses are red."},
    ]
    assert kinds(only(read_log(tmp_path, messages))) == {
        "user_proxy": "human",
        "Planner_agent": "agent",
        "Poet": "agent",
    }


def test_people_with_names_stay_people(tmp_path: Path) -> None:
    messages = [{"role": "user", "name": name, "content": "Hi"} for name in ("Ann", "Bob")]
    assert set(kinds(only(read_log(tmp_path, messages))).values()) == {"human"}


def test_exchanges_of_one_conversation_of_the_responses_api_are_joined(tmp_path: Path) -> None:
    def reply(id: str, *items: Any) -> dict[str, Any]:
        return {"id": id, "object": "response", "output": list(items), "created_at": 1760828892}

    call = {"type": "function_call", "call_id": "c1", "name": "weather", "arguments": '{"city": "Rome"}'}
    answer = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "31 degrees."}]}
    rows = [
        {"model": "m", "input": "Is it warm?", "instructions": "Be brief."},
        reply("r1", {"type": "reasoning", "summary": [{"type": "summary_text", "text": "Ask the tool."}]}, call),
        {
            "model": "m",
            "previous_response_id": "r1",
            "input": [{"type": "function_call_output", "call_id": "c1", "output": "31"}],
        },
        reply("r2", answer),
    ]
    conversation = only(read_log(tmp_path, jsonl(*rows), "log.jsonl"))
    assert lines(conversation) == [
        ("speech", "user", "Is it warm?"),
        ("thought", "assistant", "Ask the tool."),
        ("call", "assistant", "weather"),
        ("result", "weather", "31"),
        ("speech", "assistant", "31 degrees."),
    ]
    assert conversation.turns[-1].time is not None
    assert conversation.instructions == {"": "Be brief."}


def test_messages_and_items_in_one_list_are_one_conversation(tmp_path: Path) -> None:
    """The list that the Agents SDK hands on (`to_input_list`) mixes both."""
    items = [
        {"role": "user", "content": "Warm?"},
        {"type": "function_call", "call_id": "c1", "name": "weather", "arguments": "{}"},
        {"type": "function_call_output", "call_id": "c1", "output": "31"},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Yes."}]},
        {"role": "user", "content": "Thanks."},
    ]
    for start in (0, 1):
        conversation = only(read_log(tmp_path, items[start:]))
        assert [kind for kind, _, _ in lines(conversation)] == ["speech", "call", "result", "speech", "speech"][start:]


def test_a_list_of_lists_is_several_conversations(tmp_path: Path) -> None:
    chats = [[{"role": "user", "content": "One."}], [{"role": "user", "content": "Two."}]]
    assert [conversation.id for conversation in read_log(tmp_path, chats).conversations] == ["log-1", "log-2"]


def test_conversations_of_our_own_need_no_ids_of_turns_and_no_unknown_fields(tmp_path: Path) -> None:
    turns = [{"speaker": "Ann", "text": "Hi"}, {"speaker": "Bob", "text": "Hello"}]
    assert [turn.id for turn in only(read_log(tmp_path, {"id": "a", "turns": turns})).turns] == ["0", "1"]
    outcome = read_log(tmp_path, {"id": "a", "turns": [{"speaker": "Ann", "txt": "Hi"}]})
    assert "txt: unknown field; did you mean 'text'?" in outcome.complaints[0]


def test_a_call_that_the_server_ran_has_its_result(tmp_path: Path) -> None:
    call = {"type": "mcp_call", "id": "m1", "name": "search", "arguments": '{"q": "x"}', "output": "found"}
    response = {"object": "response", "id": "r", "model": "m", "output": [call]}
    assert lines(only(read_log(tmp_path, response))) == [("call", "assistant", "search"), ("result", "search", "found")]
