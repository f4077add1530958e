"""The kinds of parts that the content of a message may have, in the dialects of model interfaces."""

from __future__ import annotations

from typing import Any

from adjudge.convert.fields import ObjectFields, json_text, parse_json
from adjudge.core.record import CallStatus

# The kinds that hold text, with the keys under which it stands.
TEXTS = {
    "text": ("text", "content"),
    "input_text": ("text",),
    "output_text": ("text",),
    "summary_text": ("text",),
    "refusal": ("refusal", "text"),
    "markdown": ("text", "content"),
}
CALLS = frozenset(
    (
        "tool_call",
        "tool_use",
        "functionCallContent",
        "toolUse",
        "toolCall",
        "tool-call",
        "function_call",
        "functionCall",
        "server_tool_use",
    )
)
RESULTS = frozenset(
    (
        *("tool_call_response", "tool_result", "toolResult", "tool-result", "function_response", "functionResponse"),
        *(
            "function_call_output",
            "function_result",
            "functionResult",
            "tool_response",
            "tool_call_result",
            "web_search_tool_result",
        ),
    )
)
THOUGHTS = frozenset(
    ("reasoning", "thinking", "reasoningContent", "reasoning_content", "text_reasoning", "redacted_thinking", "thought")
)
# Parts of Bedrock and Gemini have no type: the only key says it.
BY_KEY = ("toolUse", "toolResult", "reasoningContent", "functionCall", "functionResponse", "function_call",
          "function_response", "text", "json", "refusal", "image", "document", "video", "audio", "file",
          "inline_data", "inlineData", "file_data", "fileData", "thinking")  # fmt: skip
MEDIA = ("image", "audio", "file", "video", "document", "blob", "uri", "data", "input_file", "media")


def kind_of(part: Any) -> str:
    """The kind of a part: its type, or the key that tells it.

    >>> kind_of("hello"), kind_of({"type": "tool_use", "name": "f"}), kind_of({"toolUse": {}}), kind_of({"x": 1})
    ('text', 'tool_use', 'toolUse', 'x')
    """
    if isinstance(part, str):
        return "text"
    if not isinstance(part, dict):
        return type(part).__name__
    kind = part.get("type") or part.get("$type") or part.get("kind")
    if isinstance(kind, str):
        return kind
    if part.get("thought") is True:
        return "thought"
    key = next((key for key in BY_KEY if key in part), None)
    return key or (min(part, key=str) if part else "object")


def media_name(kind: str, part: dict[str, Any]) -> str:
    """The name of a part that is no text, such as image_url; empty for what is no known medium.

    >>> media_name("image_url", {}), media_name("inline_data", {}), media_name("weather", {})
    ('image_url', 'inline_data', '')
    """
    return kind if any(word in kind.lower() for word in MEDIA) else ""


def parse_parts(content: Any) -> Any:
    """A content whose parts may be written as JSON text: `'[{"text": "Hello"}]'`."""
    parsed = parse_json(content)
    looks_like_parts = (
        isinstance(parsed, list)
        and parsed
        and all(
            isinstance(part, dict) and (kind_of(part) in TEXTS or kind_of(part) in CALLS or kind_of(part) in RESULTS)
            for part in parsed
        )
    )
    return parsed if looks_like_parts else content


def status_of(fields: ObjectFields) -> tuple[CallStatus | None, str]:
    """How a call ended, and what the error says; None where it is not said."""
    error = fields.take("error", "is_error", "isError", "exception")
    stated = fields.take("status", "state")
    if error:
        message = error.get("message") if isinstance(error, dict) else error
        return "error", message if isinstance(message, str) else "" if error is True else json_text(error)
    if isinstance(stated, str) and stated.lower() in ("error", "failed", "failure"):
        return "error", ""
    if error is False or (isinstance(stated, str) and stated.lower() in ("success", "ok", "completed")):
        return "ok", ""
    return None, ""


def thought_text(part: dict[str, Any]) -> str:
    """The text of a thought in any of the places where interfaces put it."""
    for key in ("text", "content", "thinking", "reasoning", "reasoningText", "summary", "reasoning_content"):
        value = part.get(key)
        if isinstance(value, str) and value:
            return value
        if isinstance(value, dict) and value:
            return thought_text(value)
        if isinstance(value, list) and value:
            return "\n".join(thought_text(item) if isinstance(item, dict) else json_text(item) for item in value)
    return ""


def thought_of(value: Any) -> str:
    """The text of a thought that is a text, or an object or list with texts."""
    if isinstance(value, dict):
        return thought_text(value) or json_text(value)
    return thought_text({"content": value}) or json_text(value)
