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
from adjudge.suites.team.rules.wording import places_of_words, telling_words, wordings

SHOWN = 80
# A result that brings fewer new words ("presented successfully") is an acknowledgement, and nobody has to use it.
FEWEST_NEW_WORDS = 3

tool_metric = partial(metric, better="lower", probes=("tools",), source="our own")


@tool_metric(
    "ToolErr",
    formula="uses of tools that fail / uses of tools of which that is known",
    unit="call",
    primary=True,
)
def tool_error_rate(conversation: Conversation) -> Iterator[Mark]:
    """How often do calls of tools fail?

    By the status in the log. Where there is none, by how the result begins: an error, an exception, a traceback, a
    JSON object whose first field is an error, an exit code other than 0. So it misses failures told in other words and
    in other languages. Calls without a result and without a status are left out. The group of a mark is the caller.
    """
    for use in tool_uses(conversation):
        if use.failed is not None:
            why = f"failed: {use.result.text[:SHOWN]}" if use.failed and use.result else ""
            yield Mark(float(use.failed), use.name, use.turn, why, use.caller)


@tool_metric(
    "SameCall",
    formula="calls with the tool and the arguments of an earlier call / calls",
    unit="call",
    primary=True,
    predicts=("calls",),
)
def repeated_calls(conversation: Conversation) -> Iterator[Mark]:
    """Does a party make a call that was made before, with the same arguments?

    Whoever made it before. Trying again after a failure counts too, and the reason says so. It does not know which
    calls change something: looking again after a change is not a fault, but it counts.
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


@tool_metric("NoTool", formula="calls of tools that are not in the list / calls", unit="call", predicts=("calls",))
def unknown_tools(conversation: Conversation) -> Iterator[Mark]:
    """Does a party call a tool that does not exist?

    Only where the log lists the tools; undefined elsewhere.
    """
    known = set(conversation.tools)
    for use in tool_uses(conversation) if known else ():
        if use.call is not None:
            missing = use.name not in known
            why = f"no tool {use.name!r}; there are {', '.join(conversation.tools[:10])}" if missing else ""
            yield Mark(float(missing), use.name, use.turn, why, use.caller)


@tool_metric(
    "Unused",
    formula="results of which no new word is used later / results that bring at least three new words",
    unit="result",
)
def unused_results(conversation: Conversation) -> Iterator[Mark]:
    """Does anybody use what a tool gave back?

    A result is used where a party later says, or passes to a tool, one of the informative words (four letters or more,
    or a digit) that nobody had used before the result. Failed calls and results with fewer than three such words, which
    mostly say no more than that it worked, are left out. It misses results that are used without repeating a word of
    them ("Yes, it is open"), and mistakes a word that comes by chance for a use, the more easily the longer the result.
    """
    places, words = places_of_words(conversation), wordings(conversation)
    for use in tool_uses(conversation):
        if use.result is None or use.failed:
            continue
        new = {word for word in telling_words(words[use.end]) if places.first[word] == use.end}
        if len(new) >= FEWEST_NEW_WORDS:
            unused = all(places.last.get(word, -1) <= use.end for word in new)
            why = f"nobody uses {', '.join(sorted(new)[:5])}" if unused else ""
            yield Mark(float(unused), use.name, use.result.id, why, use.caller)


def _identity(call: Call) -> tuple[str, bytes]:
    return call.name, msgspec.json.encode(call.arguments, order="deterministic")
