"""Turns that say nothing, and turns that a program failed to read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

from adjudge.core.card import metric
from adjudge.core.conversation import Conversation
from adjudge.core.mark import Mark
from adjudge.core.record import Turn
from adjudge.suites.team.rules.parties import steps

# A call of a tool that is left in the text: '<tool_call>', '{"name": "search", "arguments":', '<|im_start|>'
_LEFT_CALL = re.compile(
    r'<tool_call>|<function[=_]|<\|\w{1,20}\|>|\{\s{0,20}"name"\s{0,20}:\s{0,20}"[^"]{1,60}"\s{0,20},\s{0,20}"(?:arguments|parameters)"'
)
# What programs print in place of a text.
NO_TEXTS = ("none", "null", "undefined", "nan", "[object object]", "{}", "[]")

broken = partial(metric, better="lower", probes=("form",), source="our own")


@broken("Empty", formula="turns without text / turns of parties", unit="turn")
def empty_turns(conversation: Conversation) -> Iterator[Mark]:
    """Does a party take a turn without saying anything?

    A turn is empty if it has no letter or digit, or only what programs print for missing text ("None"). Calls are not
    judged. The group of a mark is the speaker.
    """
    for _, turn in steps(conversation):
        if turn.kind == "speech":
            empty = is_empty(turn.text)
            yield Mark(float(empty), turn.speaker, turn.id, f"says {turn.text[:20]!r}" if empty else "", turn.speaker)


@broken("Unparsed", formula="turns and calls that a program failed to parse / turns and calls", unit="turn")
def unparsed_turns(conversation: Conversation) -> Iterator[Mark]:
    """Did a program fail to parse a call?

    This counts a call whose arguments are not a JSON object, and a turn whose text has the markers of a call or of a
    chat template. A turn that explains such markers to somebody counts too.
    """
    for _, turn in steps(conversation):
        why = parse_fault(turn)
        yield Mark(float(why != ""), turn.speaker, turn.id, why, turn.speaker)


def is_empty(text: str) -> bool:
    """Whether a text says nothing.

    >>> is_empty(" ... "), is_empty("None"), is_empty("No.")
    (True, True, False)
    """
    return text.strip().lower() in NO_TEXTS or not any(map(str.isalnum, text))


def parse_fault(turn: Turn) -> str:
    """How a turn was not read as it was meant; empty where it was."""
    if turn.kind == "call":
        given = turn.call.arguments if turn.call is not None else {}
        return f"arguments are no JSON object: {given[:60]!r}" if isinstance(given, str) and given.strip() else ""
    left = _LEFT_CALL.search(turn.text) if "<" in turn.text or '"name"' in turn.text else None
    return f"{left[0][:60]!r} is left in the text" if left else ""
