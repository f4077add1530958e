"""Spans and log records of OpenTelemetry, out of any file that carries them.

Carriers: OTLP JSON (`resourceSpans[].scopeSpans[].spans[]`, `resourceLogs[].scopeLogs[].logRecords[]`), one document or
one a line; Tempo (`batches[].instrumentationLibrarySpans[]`); Jaeger (`data[].spans[]` with `tags`); lists of spans;
nested spans (`child_spans`); rows of a data frame (see `phoenix`); spans or records wrapped in another object
(`raw_otel_json`, `data`).
Quirks: attributes are an object, or a list of `{key, value: {stringValue}}` or of `{key, type, value}`; whole numbers
may be text; times are nanoseconds, microseconds or ISO text; ids are hex text or whole numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from typing import Any

from msgspec import Struct

from adjudge.convert.fields import ReadingNotes, number_of, short
from adjudge.convert.phoenix import restore_span
from adjudge.convert.times import time_of

CONTAINERS = (
    *(
        "resourceSpans",
        "resource_spans",
        "batches",
        "scopeSpans",
        "scope_spans",
        "instrumentationLibrarySpans",
        "spans",
    ),
    *(
        "resourceLogs",
        "resource_logs",
        "scopeLogs",
        "scope_logs",
        "logRecords",
        "log_records",
        "data",
        "traces",
        "trace",
    ),
    *("child_spans", "raw_otel_json", "span", "log"),
)
LISTS = ("spans", "child_spans", "logRecords", "log_records")
IDS = ("spanId", "span_id", "spanID")
TRACES = ("traceId", "trace_id", "traceID")
PARENTS = ("parentSpanId", "parent_span_id", "parentSpanID", "parent_id", "parentId")
NAMES = ("name", "operationName", "span_name", "spanName")
STARTS = ("startTimeUnixNano", "start_time_unix_nano", "start_time", "startTime", "timestamp")
ENDS = ("endTimeUnixNano", "end_time_unix_nano", "end_time", "endTime")
ATTRIBUTES = ("attributes", "span_attributes", "tags", "log_attributes")
# PT1M48.75533S
DURATION = re.compile(r"PT(?:(?P<h>\d+)H)?(?:(?P<m>\d+)M)?(?:(?P<s>\d+(?:\.\d+)?)S)?\Z")
# How deep lists of spans may be nested in an export.
DEPTH = 12


class Event(Struct, frozen=True):
    """An event of a span, or a log record that belongs to one."""

    name: str
    attributes: Mapping[str, Any]
    body: Any = None
    time: datetime | None = None


class Span(Struct, frozen=True):
    """A span; `error` is what went wrong, empty where nothing did."""

    where: str
    trace: str
    id: str
    parent: str
    name: str
    attributes: Mapping[str, Any]
    events: tuple[Event, ...] = ()
    start: datetime | None = None
    end: datetime | None = None
    error: str = ""


def holds_spans(value: Any) -> bool:
    """Whether a value is a span or a log record, or holds one, or is a record of a log of spans."""
    return (isinstance(value, dict) and "raw_otel_json" in value) or next(raw_records(value), None) is not None


def raw_records(value: Any, depth: int = 0, listed: bool = False) -> Iterator[Mapping[str, Any]]:
    """The spans and log records of a value, as they are written; in a list of spans, whatever is `listed` is one."""
    if depth > DEPTH:
        return
    if isinstance(value, list):
        for item in value:
            yield from raw_records(item, depth + 1, listed)
    elif isinstance(value, dict):
        value = restore_span(value)
        is_record = listed or is_span(value) or is_log(value)
        if is_record:
            yield value
        for key in ("child_spans",) if is_record else CONTAINERS:
            if isinstance(value.get(key), list | dict):
                yield from raw_records(value[key], depth + 1, key in LISTS and isinstance(value[key], list))


def is_span(value: Mapping[str, Any]) -> bool:
    """Whether an object is a span: it has an id and a name, and an end, a duration or attributes."""
    has_id = bool(_first(value, IDS)) or (isinstance(value.get("context"), dict) and "span_id" in value["context"])
    described = isinstance(_first(value, NAMES), str) or _first(value, ATTRIBUTES) is not None
    return has_id and described and "body" not in value


def is_log(value: Mapping[str, Any]) -> bool:
    """Whether an object is a log record of a span."""
    stamped = not value.keys().isdisjoint(("timeUnixNano", "observedTimeUnixNano", "time_unix_nano", "severityNumber"))
    return stamped and bool(_first(value, TRACES)) and not is_span(value)


def read_span(raw: Mapping[str, Any], where: str, notes: ReadingNotes) -> Span:
    """A span in any of its spellings."""
    context = raw.get("context") if isinstance(raw.get("context"), dict) else {}
    assert isinstance(context, dict)
    start = time_of(_first(raw, STARTS), where, notes)
    attributes = attributes_of(_first(raw, ATTRIBUTES), where, notes)
    listed = _first(raw, ("events", "span_events", "logs"))
    return Span(
        where=where,
        trace=str(_first(raw, TRACES) or context.get("trace_id") or ""),
        id=str(_first(raw, IDS) or context.get("span_id") or ""),
        parent=_parent(raw),
        name=str(_first(raw, NAMES) or ""),
        attributes=attributes,
        events=tuple(read_event(event, where, notes) for event in listed if isinstance(event, dict))
        if isinstance(listed, list)
        else (),
        start=start,
        end=_end(raw, start, where, notes),
        error=_error(raw, attributes),
    )


def read_event(raw: Mapping[str, Any], where: str, notes: ReadingNotes) -> Event:
    """An event of a span, or a log record."""
    attributes = attributes_of(_first(raw, (*ATTRIBUTES, "fields")), where, notes)
    name = (
        _first(raw, ("eventName", "event_name", "name"))
        or attributes.get("event.name")
        or attributes.get("event")
        or ""
    )
    time = _first(raw, ("timeUnixNano", "time_unix_nano", "timestamp", "time", "observedTimeUnixNano"))
    return Event(str(name), attributes, plain_value(raw.get("body")), time_of(time, where, notes))


def attributes_of(value: Any, where: str, notes: ReadingNotes) -> dict[str, Any]:
    """Attributes as an object."""
    if isinstance(value, dict):
        return {key: plain_value(item) for key, item in value.items()}
    attributes: dict[str, Any] = {}
    for item in value if isinstance(value, list) else ():
        if isinstance(item, dict) and isinstance(item.get("key"), str):
            attributes[item["key"]] = plain_value(item.get("value"))
        else:
            notes.unread(where, "an attribute without a key", short(item))
    if value is not None and not isinstance(value, list):
        notes.unread(where, "attributes that are neither a list nor an object", short(value))
    return attributes


def plain_value(value: Any) -> Any:
    """A value without the name of its type: `{"intValue": "12"}` is 12."""
    if not isinstance(value, dict) or len(value) != 1:
        return value
    kind, inner = next(iter(value.items()))
    if kind == "intValue":
        number = number_of(inner)
        return int(number) if number is not None else inner
    if kind in ("stringValue", "doubleValue", "boolValue", "bytesValue"):
        return inner
    values = inner.get("values") if isinstance(inner, dict) else None
    if kind == "arrayValue":
        return [plain_value(item) for item in values] if isinstance(values, list) else []
    if kind == "kvlistValue":
        pairs = values if isinstance(values, list) else []
        return {str(item.get("key")): plain_value(item.get("value")) for item in pairs if isinstance(item, dict)}
    return value


def _parent(raw: Mapping[str, Any]) -> str:
    parent = raw.get("parent")
    references = raw.get("references")
    if isinstance(parent, dict):
        return str(parent.get("span_id") or "")
    for reference in references if isinstance(references, list) else ():
        if isinstance(reference, dict) and reference.get("refType") == "CHILD_OF":
            return str(reference.get("spanID") or "")
    return str(_first(raw, PARENTS) or "")


def _end(raw: Mapping[str, Any], start: datetime | None, where: str, notes: ReadingNotes) -> datetime | None:
    if (given := _first(raw, ENDS)) is not None:
        return time_of(given, where, notes)
    duration = raw.get("duration")
    match = DURATION.match(duration) if isinstance(duration, str) else None
    if start is None or duration is None:
        return start
    if match:
        hours, minutes, seconds = (float(match[part] or 0) for part in ("h", "m", "s"))
        return start + timedelta(hours=hours, minutes=minutes, seconds=seconds)
    # Jaeger counts microseconds.
    number = number_of(duration)
    return start + timedelta(microseconds=min(number, 1e15)) if number is not None and number >= 0 else start


def _error(raw: Mapping[str, Any], attributes: Mapping[str, Any]) -> str:
    status = raw.get("status")
    code = _first(status, ("code", "status_code")) if isinstance(status, dict) else raw.get("status_code")
    failed = code == 2 or (isinstance(code, str) and code.upper().removeprefix("STATUS_CODE_") == "ERROR")
    if not failed and attributes.get("error") is not True:
        return ""
    message = _first(status, ("message", "description")) if isinstance(status, dict) else raw.get("status_message")
    return str(message or attributes.get("error.type") or "error")


def _first(value: Mapping[str, Any], names: tuple[str, ...]) -> Any:
    return next((value[name] for name in names if value.get(name) is not None), None)
