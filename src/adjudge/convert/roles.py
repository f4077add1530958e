"""The roles of messages, and the names of their fields, in the dialects of model interfaces."""

from __future__ import annotations

from typing import Any

CONTENTS = ("content", "parts", "contents", "text")
INSTRUCTIONS = frozenset(("system", "developer", "systemmessage"))
ASSISTANTS = frozenset(
    ("assistant", "model", "ai", "bot", "agent", "aimessage", "aimessagechunk", "chatmessage", "tool-call")
)
TOOLS = frozenset(("tool", "function", "toolmessage", "functionmessage", "tool_call_response", "tool-response"))
HUMANS = frozenset(("user", "human", "humanmessage"))
TYPES = INSTRUCTIONS | ASSISTANTS | TOOLS | HUMANS
NAMES = ("name", "author_name", "authorName", "author", "sender")
# Fields of messages that say nothing of what was said or done.
PASSED_OVER = (
    *("id", "type", "object", "index", "status", "example", "response_metadata", "additional_kwargs", "finish_reason"),
    *("stop_reason", "logprobs", "annotations", "model", "metadata", "provider_data", "kwargs", "lc", "turn_idx"),
    *("invalid_tool_calls", "raw_data", "raw_representation", "additional_properties", "weight", "cache_control"),
    *(
        "function",
        "usage_metadata",
        "requestor",
        "source",
        "$type",
        "messageId",
        "additionalProperties",
        "prompt",
        "phase",
        "provider_specific_fields",
        "message_id",
        "artifact",
    ),
)


def role_of(message: Any) -> str:
    """The role of a message in lower case; empty where it has none."""
    if not isinstance(message, dict):
        return ""
    role = message.get("role")
    if role is None and str(message.get("type")).lower() in TYPES:
        role = message["type"]
    if isinstance(role, dict):
        role = role.get("value")
    return role.strip().lower() if isinstance(role, str) else ""
