"""The formats, in the order in which they are tried."""

from __future__ import annotations

from typing import Any

from adjudge.convert import (
    agent_framework,
    autogen,
    chat_table,
    chat_text,
    inspect_log,
    langfuse,
    langgraph,
    langsmith,
    openai_chat,
    openai_responses,
    otel,
    own,
    qmsum,
    tau2,
    tau_bench,
    who_and_when,
)
from adjudge.convert.format import Format
from adjudge.core.errors import BadInput, did_you_mean

# The more particular formats come first: what they take could pass for plain chat messages, too.
FORMATS: tuple[Format, ...] = (
    own.FORMAT,
    who_and_when.FORMAT,
    tau2.FORMAT,
    tau_bench.FORMAT,
    inspect_log.FORMAT,
    langfuse.FORMAT,
    langsmith.FORMAT,
    otel.FORMAT,
    qmsum.FORMAT,
    agent_framework.FORMAT,
    autogen.FORMAT,
    langgraph.FORMAT,
    openai_responses.FORMAT,
    openai_chat.FORMAT,
    chat_table.FORMAT,
    chat_text.FORMAT,
)


def format_names() -> list[str]:
    """The names for `--format`."""
    return [name for format in FORMATS for name in (format.name, *format.aliases)]


def find_format(name: str) -> Format:
    """The format of a name; raises BadInput."""
    for format in FORMATS:
        if name in (format.name, *format.aliases):
            return format
    known = format_names()
    raise BadInput(f"--format {name!r}: no such format{did_you_mean(name, known)} (there are: {', '.join(known)})")


def detect_format(value: Any, formats: tuple[Format, ...] = FORMATS) -> Format | None:
    """The first format that recognises a value; None where there is none."""
    return next((format for format in formats if format.recognises(value)), None)
