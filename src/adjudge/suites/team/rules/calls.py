"""Uses of tools: each call with its result, and whether it failed."""

from __future__ import annotations

import re

from msgspec import Struct

from adjudge.core.conversation import Conversation
from adjudge.core.memo import once
from adjudge.core.record import CallStatus, Turn
from adjudge.suites.team.rules.parties import output_places, parties

# The beginning of a result that tells of a failure: "Error: no such flight", "Traceback (most recent call last)"
_FAILURE = re.compile(r"\s*(?:error|exception|traceback|fatal|failed|failure)\b", re.IGNORECASE)
# A JSON result with an error in it: '{"error": "no such flight"}', but not '{"error": null}'
_ERROR_FIELD = re.compile(r'\s*\{\s*"(?:error|exception)"\s*:(?!\s*(?:null|false|""|\[\]))', re.IGNORECASE)
# What code executors print: "exitcode: 1 (execution failed)"
_EXIT_CODE = re.compile(r"\s*exit ?code:? *[1-9]", re.IGNORECASE)


class ToolUse(Struct, frozen=True):
    """A call, its result, and whether it failed; None where there is no such turn, or where nothing tells.

    `place` is the place of its first turn, `end` that of its last one, and `caller` who made the call. Where a log has
    results without calls, the caller is the party whose step comes before.
    """

    name: str
    caller: str
    place: int
    end: int
    call: Turn | None
    result: Turn | None
    failed: bool | None

    @property
    def turn(self) -> str:
        """The id of the turn that makes the call, or of the result where there is none."""
        turn = self.call or self.result
        return turn.id if turn else ""


@once
def tool_uses(conversation: Conversation) -> tuple[ToolUse, ...]:
    """The uses of tools in the order of their first turns."""
    pairing = _Pairing(conversation)
    for place, turn in enumerate(conversation.turns):
        pairing.add(place, turn)
    return tuple(pairing.uses())


def fails_by_text(text: str) -> bool:
    """Whether a result reads as a failure.

    >>> fails_by_text("Error: no such flight"), fails_by_text("exitcode: 1 (execution failed)")
    (True, True)
    >>> fails_by_text('{"error": null, "id": 4}'), fails_by_text("0 errors")
    (False, False)
    """
    return bool(_FAILURE.match(text) or _ERROR_FIELD.match(text) or _EXIT_CODE.match(text))


def call_name(conversation: Conversation, turn: Turn) -> str:
    """The tool that a turn is of: as the call names it, else the one who speaks."""
    return turn.call.name if turn.call is not None and turn.call.name else turn.speaker


class _Pairing:
    """Calls that wait for their results, and the pairs so far."""

    def __init__(self, conversation: Conversation) -> None:
        self.conversation = conversation
        self.known = set(parties(conversation))
        self.outputs = output_places(conversation)
        self.calls: dict[int, Turn] = {}
        self.results: dict[int, int] = {}
        self.callers: dict[int, str] = {}
        self.waiting: dict[tuple[str, str], list[int]] = {}
        self.speaker = ""

    def add(self, place: int, turn: Turn) -> None:
        """Look at the next turn."""
        if turn.kind == "call":
            self.calls[place] = turn
            self.callers[place] = turn.speaker
            self.waiting.setdefault(_key(turn), []).append(place)
        elif place in self.outputs:
            start = self._call_of(turn, place)
            self.results[start] = place
            self.callers.setdefault(start, self.speaker)
        if turn.speaker in self.known and turn.kind in ("speech", "call"):
            self.speaker = turn.speaker

    def uses(self) -> list[ToolUse]:
        """The uses of tools."""
        return [self._use(place) for place in sorted(self.callers)]

    def _call_of(self, turn: Turn, place: int) -> int:
        """The place of the call that a result is of; its own where there is none."""
        keys = [_key(turn)] if turn.call is not None else []
        if turn.call is None or not turn.call.id:
            keys += [key for key in self.waiting if turn.call is None or key[1] == turn.call.name]
        for key in keys:
            if self.waiting.get(key):
                return self.waiting[key].pop(0)
        return place

    def _use(self, place: int) -> ToolUse:
        turns = self.conversation.turns
        call, end = self.calls.get(place), self.results.get(place)
        result = turns[end] if end is not None else None
        name = call_name(self.conversation, call or turns[place])
        last = place if end is None else end
        return ToolUse(name, self.callers[place], place, last, call, result, _fails(call, result))


def _key(turn: Turn) -> tuple[str, str]:
    """What ties a result to its call: the id where the log has it, else the name of the tool."""
    if turn.call is None:
        return "", ""
    return (turn.call.id, "") if turn.call.id else ("", turn.call.name)


def _fails(call: Turn | None, result: Turn | None) -> bool | None:
    statuses: list[CallStatus | None] = [turn.call.status for turn in (result, call) if turn and turn.call]
    known = next(filter(None, statuses), None)
    if known is not None:
        return known == "error"
    return fails_by_text(result.text) if result is not None else None
