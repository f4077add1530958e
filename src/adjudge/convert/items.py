"""Items of OpenAI's Responses API: messages, calls, outputs of calls and reasoning, each an object with a type."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from adjudge.convert.fields import ObjectFields, json_text
from adjudge.convert.parts import thought_text
from adjudge.convert.transcript import ConversationBuilder
from adjudge.core.record import CallStatus, Turn

CALLS = frozenset(("function_call", "custom_tool_call"))
OUTPUTS = frozenset(
    ("function_call_output", "custom_tool_call_output", "computer_call_output", "local_shell_call_output")
)
# Calls that the server runs itself, with the fields that say what was called and what came out.
HOSTED = frozenset(
    (
        *("web_search_call", "file_search_call", "computer_call", "code_interpreter_call", "image_generation_call"),
        *("mcp_call", "mcp_list_tools", "local_shell_call", "mcp_approval_request"),
    )
)
GIVEN = ("action", "queries", "code", "arguments", "input")
CAME_OUT = ("results", "outputs", "output", "result", "tools", "error")
TYPES = CALLS | OUTPUTS | HOSTED | {"reasoning", "item_reference"}
PASSED_OVER = ("id", "type", "status", "encrypted_content", "container_id", "server_label", "namespace", "created_by")


def is_item(value: Any) -> bool:
    """Whether a value is an item that is no message."""
    if not isinstance(value, dict) or "role" in value:
        return False
    kind = value.get("type")
    return isinstance(kind, str) and kind in TYPES and value.keys().isdisjoint(("kwargs", "source"))


def item_turns(transcript: ConversationBuilder, item: dict[str, Any], speaker: str) -> Iterator[Turn]:
    """The turns of an item that is no message."""
    kind = item["type"]
    fields = ObjectFields(item, f"an item {kind!r}", transcript.where, transcript.notes)
    fields.leave(*PASSED_OVER)
    if kind in OUTPUTS:
        status, text = _output(fields)
        yield transcript.result(text, id=fields.text("call_id"), status=status)
    elif kind == "reasoning":
        fields.leave("summary", "content")
        if text := "\n".join(filter(None, (thought_text(item), ""))):
            yield transcript.say(transcript.participant(speaker, "agent", "assistant"), text, kind="thought")
    elif kind == "item_reference":
        transcript.notes.unread(transcript.where, "a reference to an item that is not in the file")
    else:
        yield from _call_turns(transcript, fields, kind, transcript.participant(speaker, "agent", "assistant"))
    fields.close()


def _call_turns(transcript: ConversationBuilder, fields: ObjectFields, kind: str, speaker: str) -> Iterator[Turn]:
    """A call, and its result where the server ran it."""
    own = kind in CALLS
    name = fields.text("name") or kind.removesuffix("_call")
    id = fields.text("call_id") or ("" if own else fields.text("id"))
    given = {key: value for key in GIVEN if (value := fields.take(key)) is not None}
    arguments = next(iter(given.values())) if len(given) == 1 else given
    yield transcript.call(speaker, name, arguments, id)
    if not own:
        status: CallStatus = "error" if fields.values.get("error") or fields.values.get("status") == "failed" else "ok"
        came = [json_text(value) for key in CAME_OUT if (value := fields.take(key)) not in (None, [], "")]
        if came or fields.values.get("status"):
            yield transcript.result("\n".join(came), name, id, status)


def _output(fields: ObjectFields) -> tuple[CallStatus | None, str]:
    output = fields.take("output")
    if isinstance(output, list):
        texts = [part.get("text") if isinstance(part, dict) else part for part in output]
        output = "\n".join(
            text if isinstance(text, str) else json_text(part) for text, part in zip(texts, output, strict=True)
        )
    failed = fields.values.get("status") in ("failed", "incomplete")
    return ("error" if failed else None), "" if output is None else json_text(output)
