"""How the parties use their tools."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import msgspec

from adjudge.core.card import metric
from adjudge.core.conversation import Conversation
from adjudge.core.mark import Mark
from adjudge.core.record import Call
from adjudge.suites.team.rules.calls import ToolUse, tool_uses
from adjudge.suites.team.rules.wording import new_words, places_used_later, telling_words

SHOWN = 80
# A result that brings fewer new words ("presented successfully") is an acknowledgement, and nobody has to use it.
FEWEST_NEW_WORDS = 3

tool_metric = partial(metric, better="lower", probes=("tools",), source="our own")


@tool_metric(
    "ToolErr",
    formula="tool calls that fail / tool calls whose outcome is known",
    unit="call",
    primary=True,
)
def tool_error_rate(conversation: Conversation) -> Iterator[Mark]:
    """How often do tool calls fail?

    The status in the log decides. Without a status, the beginning of the result decides: an error, an exception, a
    traceback, a JSON object whose first field is an error, or an exit code other than 0. Failures in other words and in
    other languages are missed. Calls with neither a result nor a status are left out. The group of a mark is the
    caller.
    """
    for use in tool_uses(conversation):
        if use.failed is not None:
            why = f"failed: {use.result.text[:SHOWN]}" if use.failed and use.result else ""
            yield Mark(float(use.failed), use.name, use.turn, why, use.caller)


@tool_metric(
    "SameCall",
    formula="calls with the same tool and arguments as an earlier call / calls",
    unit="call",
    primary=True,
    predicts=("calls",),
)
def repeated_calls(conversation: Conversation) -> Iterator[Mark]:
    """Does a party repeat an earlier call with the same arguments?

    It does not matter who made the earlier call. A retry after a failure counts too, and the reason says so. The metric
    does not know which calls change something: checking again after a change is not a fault, but it counts.
    """
    before: dict[tuple[str, bytes], ToolUse] = {}
    for use in tool_uses(conversation):
        if use.call is None or use.call.call is None:
            continue
        key = _identity(use.call.call)
        earlier = before.get(key)
        again = f"as in turn {earlier.turn}{', which failed' if earlier.failed else ''}" if earlier else ""
        yield Mark(float(earlier is not None), use.name, use.turn, again, use.caller)
        before[key] = use


@tool_metric(
    "NoTool", formula="calls of tools that are not in the log's list / calls", unit="call", predicts=("calls",)
)
def unknown_tools(conversation: Conversation) -> Iterator[Mark]:
    """Does a party call a tool that does not exist?

    Undefined if the log does not list the tools.
    """
    known = set(conversation.tools)
    for use in tool_uses(conversation) if known else ():
        if use.call is not None:
            missing = use.name not in known
            why = f"no tool {use.name!r}; there are {', '.join(conversation.tools[:10])}" if missing else ""
            yield Mark(float(missing), use.name, use.turn, why, use.caller)


@tool_metric(
    "Unused",
    formula="results of which no new word is used later / results with at least three new words",
    unit="result",
)
def unused_results(conversation: Conversation) -> Iterator[Mark]:
    """Does anybody use what a tool returned?

    A result is used if a party later says, or passes to a tool, one of its new words: informative words (four letters
    or more, or a digit) that nobody used before the result. Failed calls are left out, and so are results with fewer
    than three new words, which mostly confirm only that the call worked. Results that are used without repeating a word
    ("Yes, it is open") are missed. A word that occurs by chance is mistaken for a use, more easily the longer the
    result.
    """
    words, used = new_words(conversation), places_used_later(conversation)
    for use in tool_uses(conversation):
        if use.result is None or use.failed:
            continue
        new = telling_words(words[use.end])
        if len(new) >= FEWEST_NEW_WORDS:
            unused = use.end not in used
            why = f"nobody uses {', '.join(sorted(new)[:5])}" if unused else ""
            yield Mark(float(unused), use.name, use.result.id, why, use.caller)


def _identity(call: Call) -> tuple[str, bytes]:
    return call.name, msgspec.json.encode(call.arguments, order="deterministic")
