"""OpenAI's Responses and Conversations APIs: requests with `input`, responses with `output`, and lists of items.

Shapes: `{input: text or items, instructions, tools}` and `{object: "response", output: [items], usage, status}`, on
lines of their own, or as one object with both; `{object: "list", data: [items]}`; items that stand alone, one a line or
in a list. An item is a message, a `function_call` (arguments are JSON text), a `function_call_output`, `reasoning`, or
a call that the server ran (`web_search_call`, `mcp_call` ...).
Quirks: a request and the response that follows it are one exchange; exchanges of one `conversation`, or chained by
`previous_response_id`, are one conversation; lines may be wrapped as `{file, body}`; a reply may be `incomplete`.
Version: Responses API as of 2025-10. Streams of server-sent events are refused: save the response object.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import structs

from adjudge.convert.fields import ObjectFields, ReadingNotes
from adjudge.convert.format import FileRow, Format, PlacedConversation, place_id
from adjudge.convert.items import is_item
from adjudge.convert.message import message_turns
from adjudge.convert.openai_chat import is_message
from adjudge.convert.times import time_of, usage_of
from adjudge.convert.transcript import ConversationBuilder, with_time, with_usage
from adjudge.core.errors import BadRecord

# Objects of the API that carry no message.
SILENT = ("conversation", "conversation.deleted", "conversation.item.deleted", "response.deleted")


def recognise(value: Any) -> bool:
    """Whether a row is a request, a response, a list of items or an item."""
    body = unwrap(value)
    if not isinstance(body, dict):
        return False
    return is_item(body) or _is_message_item(body) or bool(_kind(body))


def unwrap(value: Any) -> Any:
    """A row without the envelope in which a log of requests puts it."""
    if isinstance(value, dict) and isinstance(value.get("body"), dict):
        return value["body"]
    return value


def read(rows: Iterator[FileRow], notes: ReadingNotes) -> Iterator[PlacedConversation]:
    """The conversations of a file: exchanges are joined where they name the conversation or the previous response."""
    threads = _ResponseThreads(notes)
    for row in rows:
        try:
            threads.add(row.where, unwrap(row.value))
        except BadRecord as fault:
            notes.complain(fault.complaint)
            threads.refused.add(row.where)
    yield from threads.conversations()


class _ResponseThreads:
    """The conversations while their exchanges are read."""

    def __init__(self, notes: ReadingNotes) -> None:
        self.notes = notes
        self.transcripts: dict[str, ConversationBuilder] = {}
        self.tools: dict[str, tuple[str, ...]] = {}
        self.by_response: dict[str, str] = {}
        self.request = ""
        self.refused: set[str] = set()

    def add(self, where: str, body: dict[str, Any]) -> None:
        """Add what a row holds to its conversation."""
        kind = _kind(body)
        if is_item(body) or _is_message_item(body) or is_message(body):
            # Items that stand alone in a file are one conversation.
            self.put(where, where.rpartition(":")[0], [body])
        elif kind == "silent":
            self.notes.remark(where, "a request or response without messages")
        elif kind == "list":
            self.put(where, where, body.get("data") or body.get("items") or [])
        else:
            self.exchange(where, body)

    def exchange(self, where: str, body: dict[str, Any]) -> None:
        """Add a request, a response, or both in one."""
        fields = ObjectFields(body, "a response", where, self.notes)
        thread = self.thread(where, fields)
        transcript = self.transcripts.setdefault(thread, ConversationBuilder(where, self.notes))
        given = fields.take("input")
        self.put(where, thread, [{"role": "user", "content": given}] if isinstance(given, str) else given or [])
        if instructions := fields.take("instructions"):
            transcript.instruct(instructions if isinstance(instructions, str) else str(instructions))
        names = [tool.get("name") or tool.get("type") for tool in fields.objects("tools")]
        self.tools[thread] = tuple(
            dict.fromkeys([*self.tools.get(thread, ()), *(n for n in names if isinstance(n, str))])
        )
        if output := fields.objects("output"):
            usage = usage_of(fields.take("usage"), where, self.notes)
            time = time_of(fields.take("created_at"), where, self.notes)
            before = len(transcript.turns)
            self.put(where, thread, output)
            made = [structs.replace(turn) for turn in transcript.turns[before:]]
            transcript.turns[before:] = with_time(with_usage(made, usage), time)
        if reason := fields.object("incomplete_details").text("reason"):
            self.notes.remark(where, f"a response is incomplete: {reason}")
        self.request = thread if "output" not in body else ""

    def thread(self, where: str, fields: ObjectFields) -> str:
        """The conversation of an exchange."""
        given = fields.take("conversation")
        named = given.get("id") if isinstance(given, dict) else given
        before = fields.text("previous_response_id")
        is_reply = "output" in fields.values
        thread = named if isinstance(named, str) and named else ""
        thread = thread or (self.request if is_reply else "") or self.by_response.get(before, "") or where
        if is_reply:
            self.by_response[fields.text("id")] = thread
        return thread

    def put(self, where: str, thread: str, items: Any) -> None:
        """Add items to a conversation."""
        transcript = self.transcripts.setdefault(thread, ConversationBuilder(where, self.notes))
        for item in items if isinstance(items, list) else [items]:
            place = len(transcript.turns)
            transcript.add(message_turns(transcript, item, place), place)

    def conversations(self) -> Iterator[PlacedConversation]:
        """The conversations in the order in which they began."""
        for thread, transcript in self.transcripts.items():
            if not transcript.turns and transcript.where in self.refused:
                continue
            named = thread != transcript.where and not transcript.where.startswith(f"{thread}:")
            id = thread if named else place_id(transcript.where)
            try:
                yield PlacedConversation(
                    transcript.where, transcript.conversation(id, tools=self.tools.get(thread, ()))
                )
            except BadRecord as fault:
                self.notes.complain(fault.complaint)


def _kind(body: dict[str, Any]) -> str:
    """What an object of the API is; empty where it is none."""
    if isinstance(body.get("output"), list) and (
        body.get("object") == "response" or "input" in body or "model" in body
    ):
        return "response"
    if "input" in body and "model" in body and isinstance(body["input"], str | list):
        return "request"
    listed = body.get("data") if body.get("object") == "list" else body.get("items")
    if isinstance(listed, list) and any(isinstance(item, dict) and "type" in item for item in listed):
        return "list"
    error = body.get("error")
    is_error = len(body) == 1 and isinstance(error, dict) and "message" in error
    return "silent" if body.get("object") in SILENT or is_error or set(body) == {"metadata"} else ""


def _is_message_item(body: dict[str, Any]) -> bool:
    return body.get("type") == "message" and "role" in body and isinstance(body.get("content"), list)


FORMAT = Format(
    name="responses",
    title="OpenAI Responses and Conversations",
    kept="calls (also server-side) and results with ids, thoughts, refusals, tokens, times, tools, instructions",
    recognises=recognise,
    read=read,
    continues=lambda value: recognise(value) or is_message(unwrap(value)),
)
