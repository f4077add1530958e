"""Who takes part: parties (people, simulated users, agents), and the tools that they use."""

from __future__ import annotations

from collections.abc import Mapping

from adjudge.core.conversation import Conversation
from adjudge.core.memo import once
from adjudge.core.record import Turn

# A turn with its place in the conversation, from 0.
PlacedTurn = tuple[int, Turn]


@once
def parties(conversation: Conversation) -> tuple[str, ...]:
    """All who take part and are no tools: those that the record lists, then others in the order of their turns."""
    tools = {participant.id for participant in conversation.participants if participant.kind == "tool"}
    listed = [participant.id for participant in conversation.participants]
    speakers = [turn.speaker for turn in conversation.turns if turn.kind != "result"]
    return tuple(name for name in dict.fromkeys([*listed, *speakers]) if name not in tools)


@once
def agents(conversation: Conversation) -> tuple[str, ...]:
    """The parties that are agents; a speaker that the record does not list counts as one."""
    people = {each.id for each in conversation.participants if each.kind in ("human", "simulated")}
    return tuple(name for name in parties(conversation) if name not in people)


@once
def speeches(conversation: Conversation) -> tuple[PlacedTurn, ...]:
    """What the parties say, without calls, results and thoughts."""
    known = set(parties(conversation))
    return tuple(
        (place, turn)
        for place, turn in enumerate(conversation.turns)
        if turn.kind == "speech" and turn.speaker in known
    )


@once
def steps(conversation: Conversation) -> tuple[PlacedTurn, ...]:
    """What the parties say and the calls that they make."""
    known = set(parties(conversation))
    return tuple(
        (place, turn)
        for place, turn in enumerate(conversation.turns)
        if turn.kind in ("speech", "call") and turn.speaker in known
    )


@once
def agent_steps(conversation: Conversation) -> tuple[PlacedTurn, ...]:
    """What agents say, call and think: all that one of them may be blamed for."""
    known = set(agents(conversation))
    return tuple(
        (place, turn)
        for place, turn in enumerate(conversation.turns)
        if turn.kind != "result" and turn.speaker in known
    )


@once
def output_places(conversation: Conversation) -> frozenset[int]:
    """The places of what tools gave back: results, and what participants that are tools say."""
    known = set(parties(conversation))
    return frozenset(
        place
        for place, turn in enumerate(conversation.turns)
        if turn.kind == "result" or (turn.kind == "speech" and turn.speaker not in known)
    )


def amounts_of(names: tuple[str, ...], amounts: Mapping[str, float]) -> str:
    """Who has how much, in words.

    >>> amounts_of(("ann", "bob"), {"ann": 3, "bob": 0.5})
    'ann 3, bob 0.5'
    """
    return ", ".join(f"{name} {amounts[name]:g}" for name in names)
