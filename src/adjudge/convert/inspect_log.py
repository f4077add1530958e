"""Logs of Inspect: an `EvalLog` as JSON, or an `.eval` archive of it, one conversation for each sample.

Shapes: `{version, status, eval: {task, model}, samples: [{id, epoch, input, target, messages, scores, model_usage,
events, attachments, error, limit}]}`; an `.eval` file is a zip of `header.json` and `samples/ID_epoch_N.json`.
A message is `{id, role, content, tool_calls: [{id, function, arguments}]}`; a tool's has `function`, `tool_call_id`
and `error: {type, message}`.
Quirks: long texts are replaced by `attachment://HASH`, which `attachments` holds; times stand in `events` only; scores
are C, I, P, N or numbers; a log that was cut short has no `header.json`, its start is in `_journal/start.json`.
The goal is the input where it is text; `target`, the reference, is not kept. The arm is the model, the trial the epoch.
Version: Inspect log versions 2 and 3. Archives that are packed with zstd need the extra `inspect`, or Inspect itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from adjudge.convert.fields import ObjectFields, ReadingNotes, number_of
from adjudge.convert.format import FileRow, Format, by_row, file_stem
from adjudge.convert.message import DefaultSpeakers, add_messages
from adjudge.convert.times import usage_of
from adjudge.convert.transcript import ConversationBuilder
from adjudge.core.conversation import Conversation, Outcome
from adjudge.core.errors import BadRecord, bad_record
from adjudge.core.usage import Usage

ATTACHMENT = "attachment://"
GRADES = {"C": 1.0, "I": 0.0, "P": 0.5, "N": 0.0}
CAST = DefaultSpeakers()
PASSED_OVER = (
    *("target", "choices", "metadata", "store", "output", "events", "attachments", "transcript", "total_time", "uuid"),
    *("working_time", "error_retries", "started_at", "completed_at", "message_pool", "files", "setup", "sandbox"),
    *("role_usage", "invalidation", "call_pool", "timelines", "working_start", "score", "events_data", "id", "epoch"),
)


def recognise(value: Any) -> bool:
    """Whether a row is a log: it has a version, a status and the description of the evaluation."""
    return (
        isinstance(value, dict)
        and isinstance(value.get("eval"), dict)
        and {"version", "samples"} & value.keys() != set()
    )


def read(row: FileRow, notes: ReadingNotes) -> Iterator[Conversation]:
    """The conversations of the samples of a log; a sample that cannot be read is refused by itself."""
    samples = row.value.get("samples")
    if not isinstance(samples, list) or not samples:
        status = row.value.get("status")
        raise bad_record(row.where, f"a log without samples (status {status!r}); expected a list of them", "samples")
    for place, sample in enumerate(samples):
        try:
            yield read_sample(f"{row.where}: samples[{place}]", row.value, sample, notes)
        except BadRecord as fault:
            notes.complain(fault.complaint)


def read_sample(where: str, log: Mapping[str, Any], sample: Any, notes: ReadingNotes) -> Conversation:
    """The conversation of one sample of a log."""
    if not isinstance(sample, dict) or not isinstance(sample.get("messages"), list):
        raise bad_record(where, f"expected a sample with messages, found {sample!r:.60}")
    fields = ObjectFields(sample, "a sample", where, notes)
    fields.leave(*PASSED_OVER)
    transcript = ConversationBuilder(where, notes)
    attachments = _texts(sample)
    messages = resolve(fields.items("messages"), attachments)
    add_messages(transcript, _with_events(messages, sample), CAST)
    evaluation = log.get("eval") if isinstance(log.get("eval"), dict) else {}
    assert isinstance(evaluation, dict)
    case, epoch = str(sample.get("id", "")), number_of(sample.get("epoch")) or 1
    given = resolve(fields.take("input"), attachments)
    outcome, usage = _outcome(fields), _usage(fields)
    fields.close()
    return transcript.conversation(
        str(sample.get("uuid") or f"{file_stem(where.split('/samples/')[0].partition(': ')[0])}-{case}-{int(epoch)}"),
        case=case,
        arm=str(evaluation.get("model") or ""),
        trial=max(0, int(epoch) - 1),
        facets={"task": evaluation["task"]} if isinstance(evaluation.get("task"), str) else {},
        goal=given if isinstance(given, str) else "",
        outcome=outcome,
        usage=None if any(turn.usage for turn in transcript.turns) else usage,
    )


def resolve(value: Any, attachments: Mapping[str, Any]) -> Any:
    """A value with the texts that were attached put back in their places."""
    if isinstance(value, str) and value.startswith(ATTACHMENT):
        return attachments.get(value.removeprefix(ATTACHMENT), value)
    if isinstance(value, list):
        return [resolve(item, attachments) for item in value]
    if isinstance(value, dict):
        return {key: resolve(item, attachments) for key, item in value.items()}
    return value


def _texts(sample: Mapping[str, Any]) -> Mapping[str, Any]:
    old = sample.get("transcript")
    given = sample.get("attachments") or (old.get("content") if isinstance(old, dict) else None)
    return given if isinstance(given, dict) else {}


def _with_events(messages: Any, sample: Mapping[str, Any]) -> list[Any]:
    """Messages with the times and tokens that the events of their model calls and tool calls state."""
    times: dict[str, dict[str, Any]] = {}
    events = sample.get("events")
    for event in events if isinstance(events, list) else ():
        if isinstance(event, dict) and event.get("event") in ("model", "tool"):
            times[_subject(event)] = _facts(event)
    return [_with_facts(message, times) if isinstance(message, dict) else message for message in messages]


def _with_facts(message: dict[str, Any], facts: Mapping[str, dict[str, Any]]) -> dict[str, Any]:
    """A message with what is known of its id, or of the call that it answers."""
    known = facts.get(str(message.get("id"))) or facts.get(str(message.get("tool_call_id"))) or {}
    return {**known, **message}


def _subject(event: Mapping[str, Any]) -> str:
    """The id of the message, or of the call, that an event is about."""
    if event["event"] == "tool":
        return str(event.get("id"))
    output = event.get("output")
    choices = output.get("choices") if isinstance(output, dict) else None
    first = choices[0] if isinstance(choices, list) and choices else None
    message = first.get("message") if isinstance(first, dict) else None
    return str(message.get("id")) if isinstance(message, dict) else ""


def _facts(event: Mapping[str, Any]) -> dict[str, Any]:
    output = event.get("output")
    facts = {"timestamp": event.get("completed") or event.get("timestamp")}
    return facts | ({"usage": output.get("usage")} if isinstance(output, dict) and event["event"] == "model" else {})


def _outcome(fields: ObjectFields) -> Outcome | None:
    """The scores; reached where every scorer that grades says correct."""
    scores: dict[str, float] = {}
    for name, score in fields.mapping("scores").items():
        value = score.get("value") if isinstance(score, dict) else score
        scores.update(_numbers(name, value, fields))
    graded = set(scores.values())
    reached = None if not graded or not graded <= {0.0, 1.0} or len(graded) > 1 else graded == {1.0}
    endings = [_ending(fields.take("error"), "error"), _ending(fields.take("limit"), "limit")]
    text = "; ".join(filter(None, endings))
    return Outcome(reached, scores, text) if scores or text else None


def _ending(value: Any, word: str) -> str:
    if isinstance(value, dict):
        value = value.get("message") or value.get("type")
    return f"{word}: {value}" if value else ""


def _numbers(name: str, value: Any, fields: ObjectFields) -> Iterator[tuple[str, float]]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _numbers(f"{name}.{key}", inner, fields)
        return
    number = GRADES.get(value) if isinstance(value, str) else None
    number = float(value) if isinstance(value, bool) else number if number is not None else number_of(value)
    if number is not None:
        yield name, number
    elif value is not None:
        fields.notes.unread(fields.where, "a score that is neither a number nor a grade", repr(value)[:40])


def _usage(fields: ObjectFields) -> Usage | None:
    """What the models of a sample took together."""
    total: Usage | None = None
    for counts in fields.mapping("model_usage").values():
        usage = usage_of(counts, fields.where, fields.notes)
        if usage is not None:
            total = usage if total is None else total + usage
    return total


FORMAT = Format(
    name="inspect",
    title="Inspect logs (.json, .eval)",
    kept="calls and results with ids and errors, thoughts, tokens, times, the input as the goal, scores, task, epoch",
    recognises=recognise,
    read=by_row(read),
)
