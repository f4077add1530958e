"""Traces repeat their messages many times; each is read once, in the order of time, under the name of its agent."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from logs import jsonl, kinds, lines, only, read_log

SYSTEM = {"role": "system", "parts": [{"type": "text", "content": "Be brief."}]}
QUESTION = {"role": "user", "parts": [{"type": "text", "content": "Is it warm in Rome?"}]}
CALL = {
    "role": "assistant",
    "parts": [{"type": "tool_call", "id": "c1", "name": "weather", "arguments": {"city": "Rome"}}],
    "finish_reason": "tool_call",
}
RESULT = {"role": "tool", "parts": [{"type": "tool_call_response", "id": "c1", "response": "31 degrees"}]}
ANSWER = {"role": "assistant", "parts": [{"type": "text", "content": "Yes, 31 degrees."}], "finish_reason": "stop"}
TALK = [
    ("speech", "user", "Is it warm in Rome?"),
    ("call", "scout", "weather"),
    ("result", "weather", "31 degrees"),
    ("speech", "scout", "Yes, 31 degrees."),
]


def typed(value: Any) -> dict[str, Any]:
    """A value as OTLP JSON has it: whole numbers are text."""
    if isinstance(value, int):
        return {"intValue": str(value)}
    return {"stringValue": value if isinstance(value, str) else json.dumps(value)}


def span(id: str, parent: str, start: int, end: int, trace: str = "t1", **attributes: Any) -> dict[str, Any]:
    """A span of OTLP JSON; attributes are written with _ for each dot."""
    return {
        "traceId": trace,
        "spanId": id,
        "parentSpanId": parent,
        "name": id,
        "startTimeUnixNano": str(1_700_000_000_000_000_000 + start * 10**9),
        "endTimeUnixNano": str(1_700_000_000_000_000_000 + end * 10**9),
        "attributes": [{"key": key.replace("__", "."), "value": typed(value)} for key, value in attributes.items()],
    }


def otlp(*spans: dict[str, Any]) -> dict[str, Any]:
    return {"resourceSpans": [{"resource": {}, "scopeSpans": [{"scope": {"name": "x"}, "spans": list(spans)}]}]}


def model(id: str, start: int, end: int, given: list[Any], made: list[Any], **more: Any) -> dict[str, Any]:
    return span(
        id,
        more.pop("parent", "agent"),
        start,
        end,
        **{
            "gen_ai__operation__name": "chat",
            "gen_ai__input__messages": given,
            "gen_ai__output__messages": made,
            "gen_ai__usage__input_tokens": 10,
            "gen_ai__usage__output_tokens": 2,
            **more,
        },
    )


def test_a_history_that_each_span_repeats_is_read_once_whatever_the_order_of_the_file(tmp_path: Path) -> None:
    agent = span("agent", "", 0, 9, gen_ai__operation__name="invoke_agent", gen_ai__agent__name="scout")
    first = model("first", 1, 2, [SYSTEM, QUESTION], [CALL])
    tool = span(
        "tool",
        "agent",
        3,
        4,
        gen_ai__operation__name="execute_tool",
        gen_ai__tool__name="weather",
        gen_ai__tool__call__id="c1",
        gen_ai__tool__call__arguments='{"city": "Rome"}',
        gen_ai__tool__call__result="31 degrees",
    )
    second = model("second", 5, 6, [SYSTEM, QUESTION, CALL, RESULT], [ANSWER], gen_ai__conversation__id="conv-1")
    http = span("http", "second", 5, 6, http__method="POST")
    conversation = only(read_log(tmp_path, otlp(http, second, tool, first, agent)))
    assert lines(conversation) == TALK
    assert conversation.id == "conv-1"
    assert conversation.instructions == {"scout": "Be brief."}
    usages = [turn.usage for turn in conversation.turns]
    assert [usage.input_tokens if usage else None for usage in usages] == [None, 10, None, 10]
    assert all(turn.time for turn in conversation.turns[1:])


def test_without_spans_of_tools_results_come_from_the_history(tmp_path: Path) -> None:
    spans = [model("first", 1, 2, [QUESTION], [CALL]), model("second", 5, 6, [QUESTION, CALL, RESULT], [ANSWER])]
    agent = span("agent", "", 0, 9, gen_ai__agent__name="scout")
    assert lines(only(read_log(tmp_path, otlp(agent, *spans)))) == TALK


def test_a_span_around_a_call_repeats_it(tmp_path: Path) -> None:
    outer = model("outer", 0, 9, [QUESTION], [ANSWER], parent="", gen_ai__agent__name="scout")
    inner = model("inner", 1, 2, [QUESTION], [ANSWER], parent="outer")
    assert lines(only(read_log(tmp_path, otlp(outer, inner)))) == [TALK[0], TALK[3]]


def test_traces_of_one_conversation_continue_each_other(tmp_path: Path) -> None:
    more = {"role": "user", "parts": [{"type": "text", "content": "And in Oslo?"}]}
    no = {"role": "assistant", "parts": [{"type": "text", "content": "No."}]}
    first = model("a", 1, 2, [QUESTION], [ANSWER], gen_ai__conversation__id="c")
    second = model("b", 3, 4, [QUESTION, ANSWER, more], [no], trace="t2", gen_ai__conversation__id="c")
    other = model("c", 3, 4, [QUESTION], [no], trace="t3")
    outcome = read_log(tmp_path, jsonl(otlp(first), otlp(second, other)), "spans.jsonl")
    assert [conversation.id for conversation in outcome.conversations] == ["c", "t3"]
    texts = [text for _, _, text in lines(outcome.conversations[0])]
    assert texts == ["Is it warm in Rome?", "Yes, 31 degrees.", "And in Oslo?", "No."]


def test_an_agent_that_another_one_calls_hears_it_and_not_the_user(tmp_path: Path) -> None:
    boss = span("boss", "", 0, 9, gen_ai__operation__name="invoke_agent", gen_ai__agent__name="boss")
    order = {"role": "user", "parts": [{"type": "text", "content": "Look up Rome."}]}
    plan = model(
        "plan",
        1,
        2,
        [QUESTION],
        [{"role": "assistant", "parts": [{"type": "text", "content": "I ask the scout."}]}],
        parent="boss",
    )
    scout = span("scout", "boss", 3, 6, gen_ai__operation__name="invoke_agent", gen_ai__agent__name="scout")
    look = model("look", 4, 5, [order], [ANSWER], parent="scout")
    conversation = only(read_log(tmp_path, otlp(boss, plan, scout, look)))
    assert [speaker for _, speaker, _ in lines(conversation)] == ["user", "boss", "boss", "scout"]
    assert kinds(conversation) == {"user": "human", "boss": "agent", "scout": "agent"}


def test_the_older_events_are_read_from_spans_and_from_log_records(tmp_path: Path) -> None:
    def event(name: str, body: dict[str, Any], time: int) -> dict[str, Any]:
        pairs = [{"key": key, "value": typed(value)} for key, value in body.items()]
        return {"name": name, "timeUnixNano": str(1_700_000_000_000_000_000 + time), "attributes": pairs}

    question, answer = {"content": "Warm?"}, {"message": {"role": "assistant", "content": "Yes."}}
    with_events = span("s", "", 1, 2) | {
        "events": [event("gen_ai.user.message", question, 1), event("gen_ai.choice", answer, 2)]
    }
    records = [
        {
            "traceId": "t1",
            "spanId": "s",
            "timeUnixNano": "1700000000000000001",
            "eventName": name,
            "body": {"kvlistValue": {"values": [{"key": key, "value": typed(value)} for key, value in body.items()]}},
        }
        for name, body in (("gen_ai.user.message", question), ("gen_ai.choice", answer))
    ]
    logs = {"resourceLogs": [{"scopeLogs": [{"logRecords": records}]}]}
    for content in (otlp(with_events), logs):
        assert lines(only(read_log(tmp_path, content))) == [
            ("speech", "user", "Warm?"),
            ("speech", "assistant", "Yes."),
        ]


def test_flattened_prompts_of_openllmetry(tmp_path: Path) -> None:
    attributes: dict[str, Any] = {
        "gen_ai__prompt__0__role": "user",
        "gen_ai__prompt__0__content": "Warm?",
        "gen_ai__completion__0__role": "assistant",
        "gen_ai__completion__0__tool_calls__0__id": "c1",
        "gen_ai__completion__0__tool_calls__0__name": "weather",
        "gen_ai__completion__0__tool_calls__0__arguments": '{"city": "Rome"}',
        "gen_ai__completion__0__finish_reason": "tool_calls",
    }
    outcome = read_log(tmp_path, otlp(span("openai.chat", "", 1, 2, **attributes)))
    assert lines(only(outcome)) == [("speech", "user", "Warm?"), ("call", "assistant", "weather")]
    assert not outcome.remarks


def test_openinference_spans(tmp_path: Path) -> None:
    llm = {
        "openinference__span__kind": "LLM",
        "llm__input_messages__0__message__role": "user",
        "llm__input_messages__0__message__content": "Warm?",
        "llm__output_messages__0__message__role": "assistant",
        "llm__output_messages__0__message__tool_calls__0__tool_call__function__name": "weather",
        "llm__output_messages__0__message__tool_calls__0__tool_call__function__arguments": '{"city": "Rome"}',
        "llm__token_count__prompt": 7,
        "llm__token_count__completion": 3,
    }
    tool = {
        "openinference__span__kind": "TOOL",
        "tool__name": "weather",
        "input__value": '{"city": "Rome"}',
        "output__value": "31",
    }
    agent = span("Scout.run", "", 0, 9, openinference__span__kind="AGENT", output__value="31 degrees")
    spans = [agent, span("llm", "Scout.run", 1, 2, **llm), span("tool", "Scout.run", 3, 4, **tool)]
    conversation = only(read_log(tmp_path, otlp(*spans)))
    assert lines(conversation) == [
        ("speech", "user", "Warm?"),
        ("call", "Scout", "weather"),
        ("result", "weather", "31"),
    ]
    assert conversation.turns[1].usage is not None
    assert conversation.turns[1].usage.output_tokens == 3


def test_rows_of_a_data_frame_of_phoenix_are_spans(tmp_path: Path) -> None:
    call = {"tool_call.function.name": "weather", "tool_call.function.arguments": '{"city": "Rome"}'}
    frame = [
        {
            "name": "ChatCompletion",
            "span_kind": "LLM",
            "parent_id": None,
            "start_time": "2026-01-01T00:00:00+00:00",
            "end_time": "2026-01-01T00:00:01+00:00",
            "status_code": "OK",
            "context.span_id": "a",
            "context.trace_id": "t",
            "attributes.llm.input_messages": [{"message.role": "user", "message.content": "Warm?"}],
            "attributes.llm.output_messages": [{"message.role": "assistant", "message.tool_calls": [call]}],
            "attributes.llm.token_count.completion": 4,
            "attributes.retrieval.documents": None,
        }
    ]
    outcome = read_log(tmp_path, frame)
    assert lines(only(outcome)) == [("speech", "user", "Warm?"), ("call", "assistant", "weather")]
    assert only(outcome).turns[1].usage is not None
    assert not outcome.remarks


def test_a_failed_tool_has_its_status(tmp_path: Path) -> None:
    tool = span("tool", "", 3, 4, gen_ai__operation__name="execute_tool", gen_ai__tool__name="weather")
    failed = tool | {"status": {"code": 2, "message": "no network"}}
    turns = only(read_log(tmp_path, otlp(failed))).turns
    assert [(turn.kind, turn.text) for turn in turns] == [("call", ""), ("result", "no network")]
    assert turns[1].call is not None
    assert turns[1].call.status == "error"


def test_an_attribute_with_a_text_that_is_not_read_is_named(tmp_path: Path) -> None:
    spans = otlp(model("m", 1, 2, [QUESTION], [ANSWER], gen_ai__memory__content="A text that nobody reads here."))
    assert list(read_log(tmp_path, spans).remarks) == ["otel: the attribute 'gen_ai.memory.content'"]


def test_spans_without_any_message_are_refused(tmp_path: Path) -> None:
    outcome = read_log(tmp_path, otlp(span("http", "", 1, 2, http__method="GET")))
    assert not outcome.conversations
    assert "1 spans, none of which carries a message" in outcome.complaints[0]


def observation(id: str, kind: str, second: int, given: Any, made: Any, **more: Any) -> dict[str, Any]:
    time = f"2025-01-01T00:00:{second:02}.000Z"
    return {
        "id": id,
        "type": kind,
        "name": id,
        "startTime": time,
        "endTime": time,
        "input": given,
        "output": made,
        **more,
    }


CHAT = [
    {"role": "user", "content": "Warm?"},
    {"role": "assistant", "content": "Yes."},
    {"role": "user", "content": "Sure?"},
]


@pytest.mark.parametrize(
    "write", [lambda value: value, json.dumps, repr], ids=["objects", "JSON text", "Python literals"]
)
def test_langfuse_reads_generations_once_and_keeps_scores(tmp_path: Path, write: Any) -> None:
    reply = {"role": "assistant", "content": "Yes."}
    observations = [
        observation("root", "SPAN", 1, write({"q": 1}), write({"done": True})),
        observation("scout", "AGENT", 1, None, None, parentObservationId="root"),
        observation(
            "g2",
            "GENERATION",
            3,
            write(CHAT),
            write({"role": "assistant", "content": "Quite."}),
            parentObservationId="scout",
            usageDetails={"input": 9, "output": 1},
            costDetails={"total": 0.5},
        ),
        observation("g1", "GENERATION", 2, write(CHAT[:1]), write(reply), parentObservationId="scout"),
    ]
    trace = {"id": "t1", "sessionId": "s1", "scores": [{"name": "helpful", "value": 0.5}]}
    conversation = only(read_log(tmp_path, {"trace": trace, "observations": observations}))
    assert [(speaker, text) for _, speaker, text in lines(conversation)] == [
        ("user", "Warm?"),
        ("scout", "Yes."),
        ("user", "Sure?"),
        ("scout", "Quite."),
    ]
    assert conversation.id == "s1"
    assert conversation.outcome is not None
    assert conversation.outcome.scores == {"helpful": 0.5}
    assert conversation.turns[-1].usage is not None
    assert conversation.turns[-1].usage.cost == 0.5


def test_langfuse_exports_in_snake_case_and_traces_alone(tmp_path: Path) -> None:
    row = {
        "id": "g",
        "trace_id": "t",
        "type": "GENERATION",
        "start_time": "2025-01-01T00:00:00Z",
        "input": json.dumps(CHAT),
        "output": '"Quite."',
    }
    assert [text for _, _, text in lines(only(read_log(tmp_path, jsonl(row), "obs.jsonl")))][-1] == "Quite."
    bare = {
        "id": "t",
        "timestamp": "2025-01-01T00:00:00Z",
        "sessionId": None,
        "userId": None,
        "input": "Warm?",
        "output": "Yes.",
    }
    assert [text for _, _, text in lines(only(read_log(tmp_path, [bare])))] == ["Warm?", "Yes."]


def test_a_step_that_ends_before_it_begins_keeps_its_answer(tmp_path: Path) -> None:
    late = {**observation("g", "GENERATION", 2, CHAT[:1], "Yes."), "endTime": "1999-01-01T00:00:00Z"}
    conversation = only(read_log(tmp_path, {"trace": {"id": "t"}, "observations": [late]}))
    assert [text for _, _, text in lines(conversation)] == ["Warm?", "Yes."]


def test_langfuse_traces_of_the_api_alone_and_as_a_page(tmp_path: Path) -> None:
    generation = observation("g", "GENERATION", 1, CHAT, "Quite.")
    trace = {"id": "t", "name": "chat", "observations": [generation]}
    page = {"data": [trace, {**trace, "id": "u"}], "meta": {"page": 1, "totalItems": 2}}
    assert [text for _, _, text in lines(only(read_log(tmp_path, trace)))][-1] == "Quite."
    assert len(read_log(tmp_path, page).conversations) == 2
    assert lines(only(read_log(tmp_path, {**trace, "trace": "lost"}))) == lines(only(read_log(tmp_path, trace)))


def test_langsmith_reads_run_trees_and_batches(tmp_path: Path) -> None:
    reply = {
        "generations": [
            [
                {
                    "text": "Yes.",
                    "message": {
                        "lc": 1,
                        "type": "constructor",
                        "id": ["x", "AIMessage"],
                        "kwargs": {"content": "Yes."},
                    },
                }
            ]
        ]
    }
    llm = {
        "id": "b",
        "run_type": "llm",
        "name": "m",
        "inputs": {"messages": [CHAT[:1]]},
        "outputs": reply,
        "start_time": "2025-01-01T00:00:01",
        "end_time": "2025-01-01T00:00:02",
        "extra": {"metadata": {"langgraph_node": "scout"}},
    }
    tree = {
        "id": "a",
        "trace_id": "a",
        "run_type": "chain",
        "name": "graph",
        "inputs": {"messages": CHAT[:1]},
        "outputs": {"messages": CHAT[:2]},
        "start_time": "2025-01-01T00:00:00",
        "child_runs": [llm],
    }
    assert [(speaker, text) for _, speaker, text in lines(only(read_log(tmp_path, tree)))] == [
        ("user", "Warm?"),
        ("scout", "Yes."),
    ]
    post = {
        "id": "a",
        "dotted_order": "1",
        "run_type": "llm",
        "inputs": {"messages": CHAT[:1]},
        "start_time": 1728803138291,
    }
    patch = {
        "dotted_order": "1",
        "outputs": {"choices": [{"message": CHAT[1]}], "usage_metadata": {"input_tokens": 4, "output_tokens": 2}},
    }
    conversation = only(read_log(tmp_path, {"post": [post], "patch": [patch]}))
    assert [text for _, _, text in lines(conversation)] == ["Warm?", "Yes."]
    assert conversation.turns[1].usage is not None


def test_a_root_run_whose_output_repeats_its_input_is_read_once(tmp_path: Path) -> None:
    root = {
        "id": "a",
        "trace_id": "a",
        "run_type": "chain",
        "inputs": {"messages": CHAT[:1]},
        "outputs": {"messages": CHAT[:2]},
    }
    assert [text for _, _, text in lines(only(read_log(tmp_path, root)))] == ["Warm?", "Yes."]
