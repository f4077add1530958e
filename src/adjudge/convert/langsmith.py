"""Runs of LangSmith: exported runs, run trees, and the batches that its clients send.

Shapes: runs on lines or in a list, `{id, trace_id, parent_run_id, run_type, name, inputs, outputs, start_time,
end_time, error, extra, dotted_order}`; run trees with `child_runs`; batches `{post: [runs], patch: [runs]}`, in which a
patch completes the run of the same id.
Quirks: patches of the JavaScript client have no id, but the same `dotted_order`; messages are in the dialect of the
provider (`messages`, `choices`) or of LangChain (`generations`, serialised messages); the messages of a run repeat
those before it: each is read once. The thread is `extra.metadata.session_id`, `thread_id` or `conversation_id`.
Version: run format of 2024 and 2025.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from adjudge.convert.fields import ReadingNotes, number_of
from adjudge.convert.format import FileRow, Format, PlacedConversation
from adjudge.convert.payload import messages_of
from adjudge.convert.steps import TraceStep, TraceToolUse, merge_steps
from adjudge.convert.times import time_of, usage_of
from adjudge.core.errors import Complaint
from adjudge.core.usage import Usage

THREADS = ("session_id", "thread_id", "conversation_id")
AGENTS = ("lc_agent_name", "agent_name", "langgraph_node")
# How deep runs may be nested.
DEPTH = 50
# The fields of a run as its documentation lists them; others are named where they hold something.
FIELDS = frozenset(
    (
        *("id", "name", "inputs", "outputs", "run_type", "start_time", "end_time", "extra", "error", "events", "tags"),
        *(
            "trace_id",
            "dotted_order",
            "parent_run_id",
            "parent_run_ids",
            "child_run_ids",
            "direct_child_run_ids",
            "status",
        ),
        *(
            "serialized",
            "session_name",
            "session_id",
            "attachments",
            "feedback_stats",
            "reference_example_id",
            "app_path",
        ),
        *("total_tokens", "prompt_tokens", "completion_tokens", "total_cost", "prompt_cost", "completion_cost"),
        *("first_token_time", "manifest_id", "in_dataset", "last_queued_at", "share_token", "execution_order", "url"),
        *(
            "inputs_s3_urls",
            "outputs_s3_urls",
            "s3_urls",
            "inputs_preview",
            "outputs_preview",
            "metadata",
            "price_model_id",
        ),
        *("trace_tier", "trace_first_received_at", "ttl_seconds", "trace_upgrade", "thread_id", "trace_min_start_time"),
        *(
            "prompt_token_details",
            "completion_token_details",
            "prompt_cost_details",
            "completion_cost_details",
            "child_runs",
        ),
    )
)


def recognise(value: Any) -> bool:
    """Whether a row is a run or a batch of runs."""
    return is_run(value) or (
        isinstance(value, dict) and any(_has_runs(value.get(key)) for key in ("post", "patch", "runs"))
    )


def is_run(value: Any) -> bool:
    """Whether a value is a run."""
    return isinstance(value, dict) and isinstance(value.get("run_type"), str) and "inputs" in value


def _has_runs(value: Any) -> bool:
    return isinstance(value, list) and any(
        (isinstance(item, dict) and "dotted_order" in item) or is_run(item) for item in value
    )


def read(rows: Iterator[FileRow], notes: ReadingNotes) -> Iterator[PlacedConversation]:
    """The conversations of all runs of a file."""
    runs: dict[str, dict[str, Any]] = {}
    places: dict[str, str] = {}
    for row in rows:
        for run in _runs(row.value, row.where, notes):
            key = str(run.get("dotted_order") or run.get("id") or row.where)
            known = runs.setdefault(key, {})
            places.setdefault(key, row.where)
            known.update({name: value for name, value in run.items() if value not in (None, {}, [], "")})
    steps = [_step(run, places[key], notes) for key, run in runs.items()]
    if not any(step.inputs or step.outputs or step.tool for step in steps):
        where = next(iter(places.values()), "")
        notes.complain(Complaint(where, f"{len(steps)} runs, none of which carries a message; expected one"))
        return
    yield from merge_steps(steps, notes)


def _runs(value: Any, where: str, notes: ReadingNotes, depth: int = 0) -> Iterator[dict[str, Any]]:
    """The runs of a row: itself, those of a batch, and those inside runs."""
    if not isinstance(value, dict) or depth > DEPTH:
        notes.unread(where, "a run that is not an object", repr(value)[:60])
        return
    batches = [value.get(key) for key in ("post", "patch", "runs")]
    if not is_run(value) and any(batches):
        for batch in batches:
            for run in batch if isinstance(batch, list) else ():
                yield from _runs(run, where, notes, depth + 1)
        return
    yield {key: item for key, item in value.items() if key != "child_runs"}
    children = value.get("child_runs")
    for child in children if isinstance(children, list) else ():
        inside = {"parent_run_id": value.get("id"), "trace_id": value.get("trace_id") or value.get("id")}
        yield from _runs(inside | child if isinstance(child, dict) else child, where, notes, depth + 1)


def _step(run: Mapping[str, Any], where: str, notes: ReadingNotes) -> TraceStep:
    for name in sorted(run.keys() - FIELDS):
        notes.unread(where, f"the field {name!r} of a run")
    extra = run.get("extra")
    metadata = extra.get("metadata") if isinstance(extra, dict) else None
    metadata = metadata if isinstance(metadata, dict) else {}
    start = time_of(run.get("start_time"), where, notes)
    kind = str(run.get("run_type") or "llm")
    return TraceStep(
        where=where,
        trace=str(run.get("trace_id") or run.get("id") or where),
        id=str(run.get("id") or run.get("dotted_order")),
        parent=str(run.get("parent_run_id") or ""),
        thread=next((str(metadata[key]) for key in THREADS if metadata.get(key)), ""),
        agent=next((str(metadata[key]) for key in AGENTS if metadata.get(key)), ""),
        start=start,
        end=time_of(run.get("end_time"), where, notes) or start,
        error=str(run.get("error") or ""),
        usage=_usage(run, where, notes) if kind == "llm" else None,
        **_content(run, kind),
    )


def _content(run: Mapping[str, Any], kind: str) -> dict[str, Any]:
    """What goes in and comes out, or the tool that is used."""
    given, result = run.get("inputs"), run.get("outputs")
    if kind == "tool":
        arguments = given.get("input", given) if isinstance(given, dict) else given
        output = result.get("output", result) if isinstance(result, dict) else result
        message = output if isinstance(output, dict) and ("tool_call_id" in output or "content" in output) else {}
        message = message.get("kwargs", message) if isinstance(message.get("kwargs", message), dict) else {}
        id = str(message.get("tool_call_id") or "")
        failed = bool(run.get("error")) or message.get("status") == "error"
        use = TraceToolUse(
            str(run.get("name") or "tool"), arguments, message.get("content", output), id, "error" if failed else None
        )
        return {"kind": "tool", "tool": use}
    parts = {"inputs": messages_of(given, "user"), "outputs": messages_of(result, "assistant")}
    if kind == "llm":
        return {"kind": "model", **parts}
    return parts if kind == "chain" and result else {}


def _usage(run: Mapping[str, Any], where: str, notes: ReadingNotes) -> Usage | None:
    outputs = run.get("outputs")
    counts = outputs.get("usage_metadata") or outputs.get("usage") if isinstance(outputs, dict) else None
    counts = counts or {"input_tokens": run.get("prompt_tokens"), "output_tokens": run.get("completion_tokens")}
    return usage_of(counts, where, notes, number_of(run.get("total_cost")))


FORMAT = Format(
    name="langsmith",
    title="LangSmith runs",
    kept="agents (graph nodes), calls and results with ids, tokens, cost, times, the thread",
    recognises=recognise,
    read=read,
)
