"""The messages in the attributes and events of one span, by the GenAI conventions and those of single frameworks."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from adjudge.convert.fields import ReadingNotes, json_text, number_of, parse_json
from adjudge.convert.payload import messages_of
from adjudge.convert.spans import Event, Span
from adjudge.convert.steps import TraceToolUse
from adjudge.convert.times import usage_of
from adjudge.core.record import CallStatus
from adjudge.core.usage import Usage

DETAILS = "gen_ai.client.inference.operation.details"
# gen_ai.user.message
MESSAGE_EVENT = re.compile(r"gen_ai\.(system|user|assistant|tool)\.message\Z")
CHOICE = "gen_ai.choice"
AGENTS = ("gen_ai.agent.name", "agent_name", "agent.name")
# invoke_agent planner, agent_run [planner]
AGENT_SPAN = re.compile(r"(?:invoke_agent|agent_run) \[?(?P<name>[^\]]+)\]?\Z")
INPUT_TOKENS = (
    "gen_ai.usage.input_tokens",
    "gen_ai.usage.prompt_tokens",
    "ai.usage.inputTokens",
    "ai.usage.promptTokens",
)
OUTPUT_TOKENS = (
    *("gen_ai.usage.output_tokens", "gen_ai.usage.completion_tokens"),
    *("ai.usage.outputTokens", "ai.usage.completionTokens"),
)
COSTS = ("gen_ai.usage.cost", "operation.cost", "gen_ai.usage.total_cost")


def read_attributes(
    attributes: Mapping[str, Any], span: Span, events: Sequence[Event], notes: ReadingNotes
) -> dict[str, Any]:
    """The parts of a step: kind, agent, what goes in and comes out, the tool, and what it took."""
    tool = _tool(attributes, span)
    system: list[Any] = []
    inputs: list[Any] = []
    outputs: list[Any] = []
    for role, message in _exchange_messages(attributes, events):
        {"in": inputs, "out": outputs, "system": system}[role].append(message)
    for event in events:
        if event.name != DETAILS and _says_something(event) and not any(_event(event)):
            notes.unread(span.where, f"an event of the name {event.name!r}")
    return {
        "kind": "tool" if tool else "model" if inputs or outputs else "other",
        "agent": _agent(attributes, span),
        "tool": tool,
        "inputs": () if tool else inputs,
        "outputs": () if tool else outputs,
        "instructions": [text for text in map(_instruction, system) if text],
        "tools": tool_names(parse_json(attributes.get("gen_ai.tool.definitions"))),
        "usage": _usage(attributes, span, notes),
    }


def _exchange_messages(attributes: Mapping[str, Any], events: Sequence[Event]) -> Iterator[tuple[str, Any]]:
    """What goes in and what comes out, from the first carrier that has it."""
    if attributes.get("gen_ai.system_instructions"):
        yield "system", attributes["gen_ai.system_instructions"]
    for carrier in (_standard, _flat_messages, _vercel, _single, _vertex):
        pairs = list(carrier(attributes))
        if pairs:
            yield from pairs
            return
    for event in events:
        yield from _event(event)


def _standard(attributes: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    yield from (("in", message) for message in messages_of(attributes.get("gen_ai.input.messages"), "user"))
    yield from (("out", message) for message in messages_of(attributes.get("gen_ai.output.messages"), "assistant"))
    if "gen_ai.output.messages" not in attributes and "gen_ai.output" in attributes:
        yield from _any_agent(attributes)


def _any_agent(attributes: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """The output of any-agent: text, or a list of `{tool.name, tool.args}`."""
    output = parse_json(attributes["gen_ai.output"])
    calls = (
        [item for item in output if isinstance(item, dict) and "tool.name" in item] if isinstance(output, list) else []
    )
    if calls:
        listed = [{"name": call["tool.name"], "arguments": call.get("tool.args")} for call in calls]
        yield "out", {"role": "assistant", "content": None, "tool_calls": listed}
    elif attributes["gen_ai.output"]:
        yield "out", {"role": "assistant", "content": json_text(attributes["gen_ai.output"])}


def _flat_messages(attributes: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for prefix, side in (("gen_ai.prompt.", "in"), ("gen_ai.completion.", "out")):
        role = "user" if side == "in" else "assistant"
        for message in unflatten(attributes, prefix):
            if isinstance(message, dict):
                yield side, {"role": role, **{key: value for key, value in message.items() if key != "finish_reason"}}


def _vercel(attributes: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    given = attributes.get("ai.prompt.messages") or attributes.get("ai.prompt")
    yield from (("in", message) for message in messages_of(given, "user"))
    text, calls = attributes.get("ai.response.text"), parse_json(attributes.get("ai.response.toolCalls"))
    made = attributes.get("ai.response.object")
    if text or calls or made:
        content = text or (json_text(made) if made else None)
        yield "out", {"role": "assistant", "content": content, "tool_calls": calls if isinstance(calls, list) else []}


def _single(attributes: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    yield from (("in", message) for message in messages_of(attributes.get("gen_ai.prompt"), "user"))
    yield from (("out", message) for message in messages_of(attributes.get("gen_ai.completion"), "assistant"))
    if "gen_ai.prompt" not in attributes and "gen_ai.completion" not in attributes and "gen_ai.output" in attributes:
        yield from _any_agent(attributes)


def _vertex(attributes: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    yield from (("in", m) for m in messages_of(attributes.get("gcp.vertex.agent.llm_request"), "user"))
    yield from (("out", m) for m in messages_of(attributes.get("gcp.vertex.agent.llm_response"), "assistant"))


def _event(event: Event) -> Iterator[tuple[str, Any]]:
    """The message of an event."""
    match = MESSAGE_EVENT.match(event.name)
    if match or event.name == CHOICE:
        role = match[1] if match else "assistant"
        yield ("in" if match else "out"), _event_message(event, role)
    elif event.name == "gen_ai.content.prompt":
        yield from (("in", message) for message in messages_of(event.attributes.get("gen_ai.prompt"), "user"))
    elif event.name == "gen_ai.content.completion":
        yield from (("out", message) for message in messages_of(event.attributes.get("gen_ai.completion"), "assistant"))
    elif isinstance(event.body, dict) and {"input", "output"} & event.body.keys():
        for key, side, role in (("input", "in", "user"), ("output", "out", "assistant")):
            yield from ((side, _inner(message)) for message in messages_of(event.body.get(key), role))


def _says_something(event: Event) -> bool:
    """Whether an event may hold messages."""
    return event.body is not None or any(key.startswith("gen_ai.") or key == "content" for key in event.attributes)


def _event_message(event: Event, role: str) -> Any:
    body = parse_json(event.body)
    if isinstance(body, str):
        return {"role": role, "content": body}
    payload = body if isinstance(body, dict) else parse_json(event.attributes.get("gen_ai.event.content"))
    payload = payload if isinstance(payload, dict) else event.attributes
    inner = parse_json(payload.get("message"))
    if isinstance(inner, dict):
        payload = inner
    elif inner is not None:
        payload = {"content": inner}
    kept = ("content", "parts", "tool_calls", "name", "id", "role", "refusal")
    return _inner({"role": role, **{key: parse_json(payload[key]) for key in kept if key in payload}})


def _inner(message: Any) -> Any:
    """A message whose content is wrapped once more: `{content: {content: ...}}` or `{content: {message: ...}}`."""
    content = message.get("content") if isinstance(message, dict) else None
    if isinstance(content, dict):
        wrapped = content.get("content", content.get("message"))
        if wrapped is not None:
            return {**message, "content": parse_json(wrapped)}
    return message


def _tool(attributes: Mapping[str, Any], span: Span) -> TraceToolUse | None:
    """The tool that a span runs; None where it runs none."""
    if "ai.toolCall.name" in attributes:
        name, prefix, result = attributes["ai.toolCall.name"], "ai.toolCall.", attributes.get("ai.toolCall.result")
        arguments = attributes.get(f"{prefix}args", attributes.get(f"{prefix}input"))
        id = attributes.get(f"{prefix}id")
    elif _operation(attributes) == "execute_tool" or "gen_ai.tool.call.result" in attributes:
        name = attributes.get("gen_ai.tool.name") or span.name.removeprefix("execute_tool ")
        arguments = _first(
            attributes,
            "gen_ai.tool.call.arguments",
            "gen_ai.tool.args",
            "gcp.vertex.agent.tool_call_args",
            "tool_arguments",
        )
        result = _first(
            attributes, "gen_ai.tool.call.result", "gen_ai.output", "gcp.vertex.agent.tool_response", "tool_response"
        )
        id = attributes.get("gen_ai.tool.call.id")
    else:
        return None
    status: CallStatus | None = "error" if span.error else "ok" if result is not None else None
    return TraceToolUse(str(name), parse_json(arguments), result, str(id or ""), status)


def _agent(attributes: Mapping[str, Any], span: Span) -> str:
    name = _first(attributes, *AGENTS)
    if isinstance(name, str) and name:
        return name
    match = AGENT_SPAN.match(span.name)
    return match["name"] if match else ""


def _usage(attributes: Mapping[str, Any], span: Span, notes: ReadingNotes) -> Usage | None:
    cost = number_of(_first(attributes, *COSTS))
    parts = [number_of(attributes.get(f"gen_ai.usage.{side}_cost")) for side in ("input", "output")]
    if cost is None and any(part is not None for part in parts):
        cost = sum(part or 0.0 for part in parts)
    counts = {"input_tokens": _first(attributes, *INPUT_TOKENS), "output_tokens": _first(attributes, *OUTPUT_TOKENS)}
    return usage_of(counts, span.where, notes, cost)


def _operation(attributes: Mapping[str, Any]) -> str:
    return str(attributes.get("gen_ai.operation.name") or attributes.get("ai.operationId") or "")


def _instruction(value: Any) -> str:
    value = parse_json(value)
    if isinstance(value, list):
        texts = [part.get("content") or part.get("text") if isinstance(part, dict) else part for part in value]
        return "\n".join(str(text) for text in texts if text)
    return json_text(value) if value else ""


def tool_names(value: Any) -> list[str]:
    """The names of tools in a list of their definitions."""
    tools = [tool.get("function", tool) for tool in value if isinstance(tool, dict)] if isinstance(value, list) else []
    return [tool["name"] for tool in tools if isinstance(tool, dict) and isinstance(tool.get("name"), str)]


def unflatten(attributes: Mapping[str, Any], prefix: str) -> list[Any]:
    """The list that is spread over attributes such as `gen_ai.prompt.0.role`.

    >>> unflatten({"p.0.role": "user", "p.0.calls.0.id": "1", "p.1.role": "tool"}, "p.")
    [{'role': 'user', 'calls': [{'id': '1'}]}, {'role': 'tool'}]
    """
    tree: dict[str, Any] = {}
    for key, value in attributes.items():
        if key.startswith(prefix):
            *path, last = key.removeprefix(prefix).split(".")
            node = tree
            for part in path:
                inner = node.get(part)
                node[part] = inner if isinstance(inner, dict) else {}
                node = node[part]
            node.setdefault(last, value)
    listed = _as_lists(tree)
    return listed if isinstance(listed, list) else []


def _as_lists(node: Any) -> Any:
    """Objects whose keys are all numbers, as lists."""
    if not isinstance(node, dict):
        return node
    if node and all(key.isdecimal() for key in node):
        return [_as_lists(node[key]) for key in sorted(node, key=int)]
    return {key: _as_lists(value) for key, value in node.items()}


def _first(attributes: Mapping[str, Any], *names: str) -> Any:
    return next((attributes[name] for name in names if attributes.get(name) is not None), None)
