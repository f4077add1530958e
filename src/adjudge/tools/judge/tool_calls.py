"""Tools that a model may call: how they are described to it, and what its calls say."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import Raw

from adjudge.core.errors import MalformedReply
from adjudge.core.play import Tool, ToolCalls
from adjudge.core.record import Call
from adjudge.tools.judge.schema import decoder, schema_text


def describe_tools(tools: Sequence[Tool]) -> list[dict[str, Any]]:
    """The tools as the OpenAI protocol has them."""
    return [
        {
            "type": "function",
            "function": {
                "name": tool.name,
                "description": tool.description,
                "parameters": Raw(schema_text(tool.arguments).encode()),
            },
        }
        for tool in tools
    ]


def identify_tools(tools: Sequence[Tool]) -> list[tuple[str, str, str]]:
    """All of the tools that an answer depends on."""
    return [(tool.name, tool.description, schema_text(tool.arguments)) for tool in tools]


def read_calls(text: str, calls: Sequence[tuple[str, str]], tools: Sequence[Tool]) -> ToolCalls:
    """What a model says and calls; raises `MalformedReply` for a tool or arguments that do not exist."""
    known = {tool.name: tool for tool in tools}
    return ToolCalls(text, tuple(_read_call(name, arguments, known) for name, arguments in calls))


def _read_call(name: str, arguments: str, known: dict[str, Tool]) -> Call:
    if name not in known:
        raise MalformedReply(f"there is no tool {name!r}; expected one of {', '.join(known)}")
    try:
        decoder(known[name].arguments).decode(arguments or "{}")
        values = msgspec.json.decode(arguments or "{}")
    except (msgspec.DecodeError, UnicodeEncodeError) as error:
        raise MalformedReply(f"the arguments of {name}: {error}") from None
    return Call(name, values)
