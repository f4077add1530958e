"""The attributes of spans that may hold messages: those that are read; others are named."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from adjudge.convert.fields import ReadingNotes

NAMESPACES = ("gen_ai.", "gcp.vertex.agent.", "ai.", "llm.", "tool.", "input.", "output.", "tool_call.")
# What is read, and what describes a model, a request or a tool and is no part of the conversation.
KNOWN = (
    *("gen_ai.input.messages", "gen_ai.output", "gen_ai.system", "gen_ai.prompt", "gen_ai.completion", "gen_ai.agent."),
    *(
        "gen_ai.tool.",
        "gen_ai.request.",
        "gen_ai.response.",
        "gen_ai.usage.",
        "gen_ai.provider",
        "gen_ai.conversation.id",
    ),
    *("gen_ai.operation", "gen_ai.event.", "gen_ai.session", "gen_ai.task.", "gen_ai.aggregated", "gen_ai.openai."),
    *(
        "gcp.vertex.agent.llm_re",
        "gcp.vertex.agent.tool_",
        "gcp.vertex.agent.invocation_id",
        "gcp.vertex.agent.session_id",
    ),
    *("gcp.vertex.agent.event_id", "gcp.vertex.agent.data"),
    *(
        "ai.prompt",
        "ai.response.",
        "ai.toolCall.",
        "ai.usage.",
        "ai.model.",
        "ai.settings.",
        "ai.operationId",
        "ai.telemetry",
    ),
    *("ai.request.", "ai.schema", "ai.values", "ai.value", "ai.embedding", "ai.stream", "ai.finishReason"),
    *("llm.input_messages.", "llm.output_messages.", "llm.token_count.", "llm.invocation_parameters", "llm.model_name"),
    *(
        "llm.tools",
        "llm.provider",
        "llm.system",
        "llm.cost",
        "llm.request.",
        "llm.usage.",
        "llm.is_streaming",
        "llm.headers",
    ),
    *("llm.prompt_template", "llm.function_call", "llm.prompts"),
    *("tool.name", "tool.description", "tool.parameters", "tool.json_schema", "tool.id", "tool_call.", "tool.call."),
    *("input.value", "input.mime_type", "output.value", "output.mime_type"),
)
# Shorter texts are ids and names of kinds.
LONG = 20


def name_unread_attributes(attributes: Mapping[str, Any], where: str, notes: ReadingNotes) -> None:
    """Name the attributes that lie among those of messages, hold a text, and are not read."""
    for key, value in attributes.items():
        if key.startswith(NAMESPACES) and isinstance(value, str) and len(value) >= LONG and not key.startswith(KNOWN):
            notes.unread(where, f"the attribute {key!r}")
