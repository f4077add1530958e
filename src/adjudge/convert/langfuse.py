"""Exports of Langfuse: traces with their observations.

Shapes: `{trace: {...}, observations: [...]}`; a trace of the API with `observations` inside; observations on lines or
in a list, each with its `traceId`. An observation has `type` (GENERATION, TOOL, AGENT, SPAN, CHAIN ...),
`parentObservationId`, `startTime`, `endTime`, `input`, `output`, `model`, `usageDetails`, `costDetails`, `metadata`.
Also traces alone, with `input` and `output` but without observations; and the names in snake case that exports to a
storage have (`trace_id`, `start_time`).
Quirks: input and output are JSON text, Python literals, objects, or plain text, in the dialect of the framework that
was traced; the observations inside `trace` have no input, the list beside it has; `metadata` may be JSON text.
Each call of a model repeats the history: every message is read once. Scores of the trace are its outcome.
Version: Langfuse 3 (API of 2025).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from adjudge.convert.fields import ReadingNotes, number_of, parse_loosely
from adjudge.convert.format import FileRow, Format, PlacedConversation
from adjudge.convert.genai import AGENT_SPAN, AGENTS
from adjudge.convert.payload import messages_of
from adjudge.convert.steps import TraceStep, TraceToolUse, merge_steps
from adjudge.convert.times import time_of, usage_of
from adjudge.core.conversation import Outcome
from adjudge.core.errors import Complaint
from adjudge.core.usage import Usage

TYPES = frozenset(
    ("GENERATION", "SPAN", "EVENT", "AGENT", "TOOL", "CHAIN", "RETRIEVER", "EVALUATOR", "EMBEDDING", "GUARDRAIL")
)


# parent_observation_id
SNAKE = re.compile(r"_([a-z])")


def recognise(value: Any) -> bool:
    """Whether a row is a trace with observations, or an observation."""
    value = camel_case(value)
    return (
        is_observation(value)
        or is_bare_trace(value)
        or (isinstance(value, dict) and isinstance(value.get("observations"), list) and _is_trace(value))
    )


def _trace_of(value: Mapping[str, Any]) -> Mapping[str, Any]:
    """The trace beside its observations, or around them."""
    trace = value.get("trace")
    return trace if isinstance(trace, dict) else value


def _is_trace(value: Mapping[str, Any]) -> bool:
    """Whether an object with a list of observations is a trace; one may be empty, or have lost its other fields."""
    if isinstance(value.get("trace"), dict) or "timestamp" in value or "projectId" in value:
        return True
    return any(is_observation(camel_case(item)) for item in value["observations"])


def is_observation(value: Any) -> bool:
    """Whether a value is an observation."""
    return isinstance(value, dict) and str(value.get("type")) in TYPES and "startTime" in value and "id" in value


def is_bare_trace(value: Any) -> bool:
    """Whether a value is a trace without its observations, as the page of Langfuse exports it."""
    if not isinstance(value, dict) or "observations" in value or "role" in value:
        return False
    return {"id", "timestamp", "input", "output"} <= value.keys() and not value.keys().isdisjoint(
        ("sessionId", "userId")
    )


def camel_case(value: Any) -> Any:
    """An object with the names that the API has, where it has those of an export to a storage."""
    if not isinstance(value, dict) or not ({"trace_id", "start_time"} <= value.keys() or "session_id" in value):
        return value
    return {SNAKE.sub(lambda match: match[1].upper(), str(key)): item for key, item in value.items()}


def read(rows: Iterator[FileRow], notes: ReadingNotes) -> Iterator[PlacedConversation]:
    """The conversations of all traces of a file."""
    steps: list[TraceStep] = []
    outcomes: dict[str, Outcome] = {}
    where = ""
    for row in rows:
        where, value = where or row.where, camel_case(row.value)
        trace = {} if is_observation(value) else _trace_of(value)
        id = str(trace.get("id") or value.get("traceId") or row.where)
        if outcome := _outcome(trace, row.where, notes):
            outcomes[id] = outcome
        for item in _observations(value):
            if isinstance(item, dict) and "id" in item:
                if not isinstance(item["id"], str):
                    notes.unread(row.where, "the id of an observation", repr(item["id"])[:60])
                steps.append(_step(item, id, str(trace.get("sessionId") or ""), row.where, notes))
            else:
                notes.unread(row.where, "an observation without an id", repr(item)[:60])
    if not any(step.inputs or step.outputs or step.tool for step in steps):
        notes.complain(Complaint(where, f"{len(steps)} observations, none of which carries a message; expected one"))
        return
    yield from merge_steps(steps, notes, outcomes)


def _observations(value: Mapping[str, Any]) -> Sequence[Any]:
    if is_observation(value):
        return [value]
    if is_bare_trace(value):
        return [{**value, "type": "AGENT", "name": "", "startTime": value["timestamp"], "traceId": value["id"]}]
    return [camel_case(item) for item in value["observations"]]


def _step(item: Mapping[str, Any], trace: str, session: str, where: str, notes: ReadingNotes) -> TraceStep:
    kind, name = str(item.get("type") or "SPAN").upper(), str(item.get("name") or "")
    metadata = parse_loosely(item.get("metadata"))
    attributes = metadata.get("attributes") if isinstance(metadata, dict) else None
    attributes = attributes if isinstance(attributes, dict) else {}
    start = time_of(item.get("startTime"), where, notes)
    return TraceStep(
        where=where,
        trace=str(item.get("traceId") or trace),
        id=str(item.get("id")),
        parent=str(item.get("parentObservationId") or ""),
        thread=session,
        start=start,
        end=time_of(item.get("endTime"), where, notes) or start,
        agent=_agent(kind, name, attributes),
        error=str(item.get("statusMessage") or "error") if item.get("level") == "ERROR" else "",
        usage=_usage(item, where, notes) if kind == "GENERATION" else None,
        **_content(item, kind, name, attributes),
    )


def _content(item: Mapping[str, Any], kind: str, name: str, attributes: Mapping[str, Any]) -> dict[str, Any]:
    """What goes in and comes out, or the tool that is used."""
    given, result = parse_loosely(item.get("input")), parse_loosely(item.get("output"))
    message = result if isinstance(result, dict) and result.get("type") == "tool" else {}
    if kind == "TOOL" or message:
        id = message.get("tool_call_id") or attributes.get("gen_ai.tool.call.id") or ""
        failed = item.get("level") == "ERROR" or message.get("status") == "error"
        named = str(
            attributes.get("gen_ai.tool.name") or name.removeprefix("execute_tool ").removeprefix("running tool: ")
        )
        output = message.get("content", result)
        return {"kind": "tool", "tool": TraceToolUse(named, given, output, str(id), "error" if failed else None)}
    if kind == "GENERATION":
        return {"kind": "model", "inputs": messages_of(given, "user"), "outputs": messages_of(result, "assistant")}
    if kind in ("AGENT", "CHAIN", "SPAN") and result not in (None, "", {}, []):
        role: dict[str, Any] = {"kind": "agent" if kind == "AGENT" else "other"}
        return role | {"inputs": messages_of(given, "user"), "outputs": messages_of(result, "assistant")}
    return {}


def _agent(kind: str, name: str, attributes: Mapping[str, Any]) -> str:
    """The agent of an observation, where it names one."""
    named = next((attributes[key] for key in AGENTS if isinstance(attributes.get(key), str)), "")
    if named or kind != "AGENT":
        return named
    match = AGENT_SPAN.match(name)
    return match["name"] if match else name


def _usage(item: Mapping[str, Any], where: str, notes: ReadingNotes) -> Usage | None:
    costs = item.get("costDetails")
    cost = number_of(costs.get("total")) if isinstance(costs, dict) else None
    cost = number_of(item.get("calculatedTotalCost")) if cost is None else cost
    return usage_of(item.get("usageDetails") or item.get("usage"), where, notes, cost)


def _outcome(trace: Any, where: str, notes: ReadingNotes) -> Outcome | None:
    """The scores of a trace."""
    listed = trace.get("scores") if isinstance(trace, dict) else None
    scores: dict[str, float] = {}
    for score in listed if isinstance(listed, list) else ():
        value = number_of(score.get("value")) if isinstance(score, dict) else None
        if value is None:
            notes.unread(where, "a score without a number")
        else:
            scores[str(score.get("name"))] = value
    return Outcome(scores=scores) if scores else None


FORMAT = Format(
    name="langfuse",
    title="Langfuse exports",
    kept="agents, calls and results with ids, thoughts, tokens, cost, times, scores",
    recognises=recognise,
    read=read,
)
