"""Spans of OpenTelemetry with the GenAI conventions, and those of frameworks that write their own attributes.

Shapes (see `spans` for the files): messages in `gen_ai.input.messages`, `gen_ai.output.messages` and
`gen_ai.system_instructions` (JSON text or structured); the older events `gen_ai.user.message` ... `gen_ai.choice`, on
spans or as log records; flattened `gen_ai.prompt.N.*` and `gen_ai.completion.N.*` (OpenLLMetry); `ai.prompt.messages`
and `ai.response.*` (Vercel's AI SDK); `gcp.vertex.agent.llm_request` (ADK); `gen_ai.output` (any-agent). Tools in
`gen_ai.tool.*` or `ai.toolCall.*`. OpenInference has a module of its own.
Quirks: every call repeats the history, and the span around a call repeats the call: each message is read once, in the
order of time. Conversations are told by `gen_ai.conversation.id`, then `session.id`, then by trace; agents by
`gen_ai.agent.name` of the span or the nearest one around it. Most spans of a trace are infrastructure and say nothing.
There is no outcome.
Version: semantic conventions 1.28 to 1.37.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import structs

from adjudge.convert import genai, openinference
from adjudge.convert.attributes import name_unread_attributes
from adjudge.convert.fields import ReadingNotes
from adjudge.convert.format import FileRow, Format, PlacedConversation
from adjudge.convert.spans import Event, Span, holds_spans, is_log, raw_records, read_event, read_span
from adjudge.convert.steps import TraceStep, merge_steps
from adjudge.core.errors import Complaint

THREADS = ("gen_ai.conversation.id", "session.id", "langfuse.session.id", "gen_ai.session.id", "thread.id")


def read(rows: Iterator[FileRow], notes: ReadingNotes) -> Iterator[PlacedConversation]:
    """The conversations of all spans and log records of a file."""
    spans: list[Span] = []
    records: dict[tuple[str, str], list[Event]] = defaultdict(list)
    where = ""
    for row in rows:
        where = where or row.where
        raw_rows = list(raw_records(row.value))
        if not raw_rows:
            notes.unread(row.where, "a record that is neither a span nor an event of one")
        for raw in raw_rows:
            if not is_log(raw):
                spans.append(read_span(raw, row.where, notes))
            else:
                key = str(raw.get("traceId") or raw.get("trace_id")), str(raw.get("spanId") or raw.get("span_id") or "")
                records[key].append(read_event(raw, row.where, notes))
    spans = _without_copies([_with_id(span, place) for place, span in enumerate(spans)], notes)
    steps = [_step(span, records.pop((span.trace, span.id), []), notes) for span in spans]
    # Log records may come without the spans that they belong to.
    lost = [_step(Span(where, trace, id, "", "", {}), events, notes) for (trace, id), events in records.items()]
    steps += [structs.replace(step, loose=True) for step in lost]
    texts = [step for step in steps if step.inputs or step.outputs or step.tool]
    if not texts:
        notes.complain(
            Complaint(where, f"{len(steps)} spans, none of which carries a message; expected gen_ai messages")
        )
        return
    traces = {step.trace for step in texts}
    if silent := len({step.trace for step in steps} - traces):
        notes.remark(where, f"{silent} traces carry no message")
    yield from merge_steps([step for step in steps if step.trace in traces], notes)


def _with_id(span: Span, place: int) -> Span:
    """A span that can be told from others, also where its id is missing."""
    return span if span.id else structs.replace(span, id=f"span {place}")


def _without_copies(spans: list[Span], notes: ReadingNotes) -> list[Span]:
    """The spans without those that stand in the file again, as exporters send them twice; the fuller one is kept."""
    kept: dict[tuple[str, str], Span] = {}
    for span in spans:
        known = kept.setdefault((span.trace, span.id), span)
        if known is not span:
            notes.remark(span.where, "a span occurs twice in the file and is read once")
            if len(span.attributes) > len(known.attributes):
                kept[span.trace, span.id] = span
    return list(kept.values())


def _step(span: Span, records: list[Event], notes: ReadingNotes) -> TraceStep:
    """The step of a span, with the log records that belong to it."""
    events = [*span.events, *sorted(records, key=lambda event: event.time.timestamp() if event.time else 0.0)]
    details = [event.attributes for event in events if event.name == genai.DETAILS]
    attributes: Mapping[str, Any] = {
        **span.attributes,
        **{key: value for each in details for key, value in each.items()},
    }
    thread = next((str(attributes[key]) for key in THREADS if attributes.get(key)), "")
    read_attributes = openinference.read_attributes if openinference.applies(attributes) else genai.read_attributes
    name_unread_attributes(attributes, span.where, notes)
    parts = read_attributes(attributes, span, events, notes)
    times = [event.time for event in events if event.time]
    return TraceStep(
        where=span.where,
        trace=span.trace,
        id=span.id,
        parent=span.parent,
        thread=thread,
        start=span.start or (min(times) if times else None),
        end=span.end or (max(times) if times else None),
        error=span.error,
        **parts,
    )


FORMAT = Format(
    name="otel",
    title="OpenTelemetry GenAI spans and OpenInference",
    kept="agents, calls and results with ids and errors, thoughts, tokens, cost, times, tools offered, system prompts",
    recognises=holds_spans,
    read=read,
    aliases=("openinference",),
)
