"""Spans with the attributes of OpenInference (Arize Phoenix, TRAIL, CrewAI).

Shapes: `openinference.span.kind` LLM, AGENT, CHAIN, TOOL; `llm.input_messages.N.message.{role,content,tool_calls.N.
tool_call.function.{name,arguments},tool_call_id,contents.N.message_content.{type,text}}`, `llm.output_messages.N...`;
`input.value` and `output.value` (JSON where `*.mime_type` says so); `llm.token_count.*`; `tool.name`; the speaker in
`agent.name`, `graph.node.id` or the name of an AGENT span (`CodeAgent.run`, `Researcher._execute_core`).
Quirks: agents without LLM spans (CrewAI) say their text in `output.value`, under `raw`; failed spans have no output.
Version: semantic conventions of OpenInference 0.1. TRAIL's labels stand in files of their own and are refused.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from adjudge.convert.fields import ReadingNotes, json_text, number_of, parse_json
from adjudge.convert.genai import tool_names, unflatten
from adjudge.convert.payload import messages_of
from adjudge.convert.spans import Event, Span
from adjudge.convert.steps import TraceToolUse
from adjudge.convert.times import usage_of
from adjudge.core.record import CallStatus

KIND = "openinference.span.kind"
# CodeAgent.run, Researcher._execute_core
AGENT_SPAN = re.compile(r"(?P<name>.+?)\.(?:run|_execute_core|invoke|kickoff)\Z")
NOBODY = ("Task", "Crew")


def applies(attributes: Mapping[str, Any]) -> bool:
    """Whether a span has the attributes of OpenInference."""
    return KIND in attributes or any(key.startswith("llm.input_messages.") for key in attributes)


def read_attributes(
    attributes: Mapping[str, Any], span: Span, events: Sequence[Event], notes: ReadingNotes
) -> dict[str, Any]:
    """The parts of a step: kind, agent, what goes in and comes out, the tool, and what it took."""
    kind = str(attributes.get(KIND, "LLM")).upper()
    if any(key.startswith(("llm.input_messages.", "llm.output_messages.")) for key in attributes):
        kind = "LLM"
    counts = {
        "input_tokens": attributes.get("llm.token_count.prompt"),
        "output_tokens": attributes.get("llm.token_count.completion"),
    }
    usage = usage_of(counts, span.where, notes, number_of(attributes.get("llm.cost.total")))
    parts: dict[str, Any] = {"kind": "other", "agent": _agent(attributes, span, kind)}
    if kind == "LLM":
        inputs, outputs = _messages(attributes, "llm.input_messages."), _messages(attributes, "llm.output_messages.")
        return parts | {
            "kind": "model",
            "inputs": inputs or messages_of(attributes.get("input.value"), "user"),
            "outputs": outputs or messages_of(attributes.get("output.value"), "assistant"),
            "usage": usage,
            "tools": tool_names(
                [
                    parse_json(tool.get("tool", tool).get("json_schema"))
                    for tool in _objects(unflatten(attributes, "llm.tools."))
                ]
            ),
        }
    if kind == "TOOL":
        return parts | {"kind": "tool", "tool": _tool(attributes, span)}
    if kind not in ("AGENT", "CHAIN"):
        if attributes.get("output.value"):
            notes.unread(span.where, f"what a span of the kind {kind!r} puts out")
        return parts
    answer = _value(attributes.get("output.value"))
    given = _task(attributes.get("input.value")) or _description(attributes.get("output.value"))
    if not answer:
        return parts
    return parts | {
        "kind": "agent" if kind == "AGENT" else "other",
        "inputs": [{"role": "user", "content": given}] if given else [],
        "outputs": [{"role": "assistant", "content": answer}],
    }


def _messages(attributes: Mapping[str, Any], prefix: str) -> list[Any]:
    """The messages that are spread over attributes."""
    return [_message(item.get("message", item)) for item in _objects(unflatten(attributes, prefix))]


def _message(message: Any) -> Any:
    if not isinstance(message, dict):
        return message
    calls = [call.get("tool_call", call) for call in _objects(message.get("tool_calls"))]
    parts = [part.get("message_content", part) for part in _objects(message.get("contents"))]
    rest = {key: value for key, value in message.items() if key not in ("contents", "tool_calls")}
    if parts and not rest.get("content"):
        rest["content"] = parts
    return {"role": "user", **rest, "tool_calls": calls}


def _tool(attributes: Mapping[str, Any], span: Span) -> TraceToolUse:
    name = str(attributes.get("tool.name") or span.name)
    given = parse_json(attributes.get("tool_call.function.arguments", attributes.get("input.value")))
    if isinstance(given, dict) and {"args", "kwargs"} <= given.keys():
        given = given["kwargs"] or {"args": given["args"]}
    result = attributes.get("output.value")
    status: CallStatus | None = "error" if span.error else "ok" if result is not None else None
    return TraceToolUse(name, given, result, str(attributes.get("tool_call.id") or ""), status)


def _agent(attributes: Mapping[str, Any], span: Span, kind: str) -> str:
    named = attributes.get("agent.name") or attributes.get("graph.node.id")
    if isinstance(named, str) and named:
        return named
    match = AGENT_SPAN.match(span.name) if kind == "AGENT" else None
    return match["name"] if match and match["name"] not in NOBODY else ""


def _value(value: Any) -> str:
    """The text that an agent put out: the raw answer where there is one."""
    parsed = parse_json(value)
    if isinstance(parsed, dict):
        for key in ("raw", "output", "content", "text"):
            if isinstance(parsed.get(key), str) and parsed[key]:
                return str(parsed[key])
    return json_text(value) if value else ""


def _task(value: Any) -> str:
    """The task that an agent was given, where its input names one."""
    parsed = parse_json(value)
    task = parsed.get("task") if isinstance(parsed, dict) else parsed
    return task if isinstance(task, str) else ""


def _description(value: Any) -> str:
    """The task that an answer of CrewAI names beside its text."""
    parsed = parse_json(value)
    task = parsed.get("description") if isinstance(parsed, dict) and "raw" in parsed else None
    return task if isinstance(task, str) else ""


def _objects(value: Any) -> list[dict[str, Any]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []
