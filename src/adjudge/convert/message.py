"""Messages in the dialects of model interfaces, read as turns.

A message has a role, a content and perhaps calls. The dialects differ in the names of the fields and in the parts of a
content: OpenAI (`tool_calls`, `input_text`, `refusal`), Anthropic (`tool_use`, `tool_result`, `thinking`), Bedrock
(`toolUse`, `toolResult`), Gemini (`functionCall`, `functionResponse`), the GenAI conventions of OpenTelemetry
(`tool_call`, `tool_call_response`), Vercel's AI SDK (`tool-call`, `tool-result`), LangChain (`type`, `args`), Inspect
(`function`, `error`). One reader takes them all, because traces carry whatever their framework wrote.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from adjudge.convert.fields import ObjectFields, json_text, short
from adjudge.convert.items import is_item, item_turns
from adjudge.convert.parts import (
    CALLS,
    RESULTS,
    TEXTS,
    THOUGHTS,
    kind_of,
    media_name,
    parse_parts,
    status_of,
    thought_of,
    thought_text,
)
from adjudge.convert.roles import ASSISTANTS, CONTENTS, HUMANS, INSTRUCTIONS, NAMES, PASSED_OVER, TOOLS, role_of
from adjudge.convert.times import time_of, usage_of
from adjudge.convert.transcript import ConversationBuilder, refuse_message, with_time, with_usage
from adjudge.core.record import ParticipantKind, Turn


class DefaultSpeakers(Struct, frozen=True):
    """Who speaks where a message names nobody: the assistant's name, the user's, and what the user is.

    `instructed` is whom instructions are for; empty for every agent.
    """

    assistant: str = "assistant"
    user: str = "user"
    user_kind: ParticipantKind = "human"
    instructed: str = ""


CAST = DefaultSpeakers()


def add_messages(transcript: ConversationBuilder, messages: Any, cast: DefaultSpeakers = CAST) -> None:
    """Add a list of messages to a transcript; raises BadRecord for what is no message."""
    for place, message in enumerate(messages):
        transcript.add(message_turns(transcript, message, place, cast), place)


def message_turns(
    transcript: ConversationBuilder, message: Any, place: int, cast: DefaultSpeakers = CAST
) -> list[Turn]:
    """The turns of a message: what it thinks, says, calls and answers, in the order of its parts.

    Instructions are no turns: the transcript keeps them. A message that says nothing is an empty turn.
    """
    message = unwrap(message)
    if is_item(message):
        return list(item_turns(transcript, message, cast.assistant))
    reader = _MessageReader(transcript, message, place, cast)
    turns = list(reader.turns())
    reader.fields.close()
    return turns


def unwrap(message: Any) -> Any:
    """A message without the envelope in which LangChain or an event wraps it."""
    if not isinstance(message, dict):
        return message
    if message.get("lc") and isinstance(message.get("kwargs"), dict):
        name = message.get("id")
        kind = str(name[-1]) if isinstance(name, list) and name else ""
        return {"role": kind} | message["kwargs"]
    inner = message.get("message")
    if isinstance(inner, dict) and "role" not in message and ("role" in inner or "content" in inner):
        return {**{key: value for key, value in message.items() if key != "message"}, **inner}
    data = message.get("data")
    if isinstance(data, dict) and "content" in data and "content" not in message:
        return {"role": message.get("type"), **data}
    return message


class _MessageReader:
    """One message while it is read."""

    def __init__(self, transcript: ConversationBuilder, message: Any, place: int, cast: DefaultSpeakers) -> None:
        self.transcript = transcript
        self.cast = cast
        role = role_of(message)
        if not role:
            raise refuse_message(transcript.where, place, message)
        self.role = role
        self.fields = ObjectFields(message, "a message", transcript.where, transcript.notes)
        self.fields.leave("role", *PASSED_OVER)
        extra = self.fields.values.get("additional_kwargs")
        self.extra: dict[str, Any] = extra if isinstance(extra, dict) else {}

    def turns(self) -> Iterator[Turn]:
        """The turns of the message, with its time and what it took."""
        fields, transcript = self.fields, self.transcript
        time = time_of(fields.take("timestamp", "created_at", "time"), transcript.where, transcript.notes)
        cost, usage = fields.number("cost"), fields.take("usage", "models_usage")
        usage = usage or fields.values.get("usage_metadata")
        taken = usage_of(usage, transcript.where, transcript.notes, cost) if usage or cost else None
        if self.role in TOOLS:
            yield from with_time(self.results(), time)
        elif self.role in INSTRUCTIONS:
            self.instruct()
        else:
            yield from with_time(with_usage(list(self.statements()), taken), time)

    def instruct(self) -> None:
        """Keep an instruction, which nobody says."""
        content = self.fields.take(*CONTENTS)
        texts = [turn.text for turn in self.contents("", content) if turn.text]
        self.transcript.instruct("\n".join(texts), self.fields.text(*NAMES) or self.cast.instructed)

    def statements(self) -> Iterator[Turn]:
        """What a person or an agent thinks, says and calls."""
        fields, transcript = self.fields, self.transcript
        speaker = self.speaker()
        thoughts = [fields.take(name) for name in ("reasoning_content", "reasoning", "thinking")]
        thoughts.append(self.extra.get("reasoning_content"))
        for thought in filter(None, thoughts):
            yield transcript.say(speaker, thought_of(thought), kind="thought")
        turns = [*self.contents(speaker, fields.take(*CONTENTS))]
        audio = fields.take("audio")
        spoken = audio.get("transcript") if isinstance(audio, dict) else None
        if audio and not spoken:
            transcript.notes.unread(transcript.where, "an audio without a transcript")
        turns += [
            transcript.say(speaker, text) for text in (fields.text("refusal"), spoken) if isinstance(text, str) and text
        ]
        turns += self.calls(speaker, {turn.call.id for turn in turns if turn.call})
        yield from turns or [transcript.say(speaker, "")]

    def calls(self, speaker: str, known: set[str]) -> Iterator[Turn]:
        """The calls beside the content, without those that are parts of the content, too."""
        listed = self.fields.objects("tool_calls", "toolCalls") or objects_in(self.extra.get("tool_calls"))
        legacy = self.fields.take("function_call") or self.extra.get("function_call")
        if legacy and not isinstance(legacy, dict):
            self.transcript.notes.unread(self.transcript.where, "a function_call that is not an object", short(legacy))
        for call in [*listed, *([legacy] if isinstance(legacy, dict) else [])]:
            turn = self.call(speaker, call)
            if not (turn.call and turn.call.id and turn.call.id in known):
                yield turn

    def call(self, speaker: str, call: dict[str, Any]) -> Turn:
        """The turn of one call."""
        inner = call.get("function") or call.get("custom")
        fields = ObjectFields(call, "a call", self.transcript.where, self.transcript.notes)
        fields.leave("type", "index", "function", "custom", "view", "requestor", "parse_error", "providerMetadata")
        fields.leave(
            "internal", "caller", "thought_signature", "dynamic", "cache_control", "signature", "arguments_raw"
        )
        within = (
            ObjectFields(inner, "a call", self.transcript.where, self.transcript.notes)
            if isinstance(inner, dict)
            else fields
        )
        name = within.text("name", "toolName", "tool_name") or (inner if isinstance(inner, str) else "")
        arguments = within.take("arguments", "args", "input", "parameters")
        id = fields.text("id", "call_id", "callId", "toolCallId", "toolUseId", "tool_call_id")
        fields.close()
        return self.transcript.call(speaker, name, arguments, id)

    def results(self) -> Iterator[Turn]:
        """What a tool answered."""
        fields = self.fields
        content = parse_parts(fields.take(*CONTENTS))
        # AG2 sends the results of several calls in one message. Its content repeats them as one text.
        if responses := fields.objects("tool_responses"):
            fields.leave(*NAMES)
            yield from map(self.result, responses)
            return
        if _holds_results(content):
            yield from self.contents("tool", content)
            return
        id = fields.text("tool_call_id", "call_id", "toolCallId") or fields.text("id")
        name = fields.text("name", "tool_name", "toolName") or _text(fields.values.get("function"))
        status, problem = status_of(fields)
        text = "\n".join(turn.text for turn in self.contents(name or "tool", content) if turn.text)
        yield self.transcript.result(text or problem, name, id, status)

    def contents(self, speaker: str, content: Any) -> Iterator[Turn]:
        """The turns of a content; texts that follow each other are one turn."""
        content = parse_parts(content)
        texts: list[str] = []
        for part in content if isinstance(content, list) else [content]:
            if part is None:
                continue
            kind = kind_of(part)
            if kind in CALLS or kind in RESULTS or kind in THOUGHTS:
                yield from self.text_turn(speaker, texts)
                texts = []
                yield from self.part(speaker, kind, part)
            else:
                texts.append(self.part_text(kind, part))
        yield from self.text_turn(speaker, texts)

    def text_turn(self, speaker: str, texts: list[str]) -> Iterator[Turn]:
        """A turn of speech of the texts, if there are any."""
        if any(texts):
            yield self.transcript.say(speaker, "\n".join(filter(None, texts)))

    def part(self, speaker: str, kind: str, part: dict[str, Any]) -> Iterator[Turn]:
        """The turn of a part that is no text of speech."""
        inner = part.get(kind) if isinstance(part.get(kind), dict) else part
        assert isinstance(inner, dict)
        if kind in CALLS:
            call = self.call(speaker, inner)
            yield call
            if inner.get("result") is not None and call.call is not None:
                yield self.transcript.result(json_text(inner["result"]), call.call.name, call.call.id)
        elif kind in RESULTS:
            yield self.result(inner)
        elif text := thought_text(inner):
            yield self.transcript.say(speaker, text, kind="thought")

    def result(self, part: dict[str, Any]) -> Turn:
        """The turn of a result that is a part of a content."""
        fields = ObjectFields(part, "a result", self.transcript.where, self.transcript.notes)
        fields.leave(
            "type",
            "$type",
            "role",
            "cache_control",
            "providerMetadata",
            "args",
            "input",
            "dynamic",
            "items",
            "additional_properties",
        )
        id = fields.text("id", "call_id", "callId", "tool_use_id", "toolUseId", "toolCallId", "tool_call_id")
        name = fields.text("name", "toolName", "tool_name")
        content = fields.take("content", "response", "result", "output", "parts")
        status, problem = status_of(fields)
        fields.close()
        return self.transcript.result(self.result_text(content) or problem, name, id, status)

    def result_text(self, content: Any) -> str:
        """The text of a result: that of its parts, or JSON."""
        if isinstance(content, list) and content and all(isinstance(part, dict) for part in content):
            return "\n".join(self.part_text(kind_of(part), part) for part in content)
        if isinstance(content, dict) and set(content) <= {"type", "value"} and "value" in content:
            content = content["value"]
        return "" if content is None else json_text(content)

    def part_text(self, kind: str, part: Any) -> str:
        """The text of a part; what is no text is named in brackets."""
        if isinstance(part, str):
            return part
        if isinstance(part, dict):
            for key in TEXTS.get(kind, ()):
                text = part.get(key)
                text = text.get("value") if isinstance(text, dict) else text
                if isinstance(text, str):
                    return text
            if kind == "json":
                return json_text(part.get("json", part))
            if media := media_name(kind, part):
                self.transcript.notes.unread(self.transcript.where, f"a part of the kind {kind!r}, shown as [{media}]")
                return f"[{media}]"
        self.transcript.notes.remark(self.transcript.where, f"a content of the kind {kind!r} is kept as JSON")
        return json_text(part)

    def speaker(self) -> str:
        """The participant who sends the message."""
        name = self.fields.text(*NAMES)
        if self.role in ASSISTANTS:
            return self.transcript.participant(name or self.cast.assistant, "agent", "assistant")
        if self.role in HUMANS:
            return self.transcript.participant(name or self.cast.user, self.cast.user_kind, "user")
        self.transcript.notes.remark(self.transcript.where, f"the role {self.role!r} is taken as that of another agent")
        return self.transcript.participant(name or self.role, "agent", self.role)


def _holds_results(content: Any) -> bool:
    return isinstance(content, list) and any(isinstance(part, dict) and kind_of(part) in RESULTS for part in content)


def objects_in(value: Any) -> list[dict[str, Any]]:
    """The objects of a list; none for anything else."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
