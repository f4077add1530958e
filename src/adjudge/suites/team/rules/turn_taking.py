"""Who speaks to whom, and hand-overs from one agent to the next."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

from msgspec import Struct

from adjudge.core.conversation import Conversation
from adjudge.core.memo import once
from adjudge.core.record import Turn
from adjudge.suites.team.rules.parties import PlacedTurn, agents, parties, speeches
from adjudge.suites.team.rules.wording import telling_words, wordings

# A turn brings nothing new if at most this share of its informative words is not in the turns just before it.
NOTHING_NEW = 0.2
# The number of turns before it that count as just before.
LOOK_BACK = 6


class Handover(Struct, frozen=True):
    """One agent speaks after another: who to whom, the turn that takes over, and whether it goes in circles."""

    giver: str
    taker: str
    turn: str
    in_loop: bool


def addressees(conversation: Conversation) -> Counter[tuple[str, str]]:
    """How often each party speaks to each other one.

    A turn is for those it names in `to`; without them it is for the party that speaks next.
    """
    known = set(parties(conversation))
    pairs: Counter[tuple[str, str]] = Counter()
    following, after = "", ""  # Who speaks next, and who speaks next of the others.
    for _, turn in reversed(speeches(conversation)):
        after = following if following != turn.speaker else after
        to = [name for name in turn.to if name in known] or [after]
        for name in to:
            if name not in ("", turn.speaker):
                pairs[turn.speaker, name] += 1
        following = turn.speaker
    return pairs


@once
def handovers(conversation: Conversation) -> tuple[Handover, ...]:
    """All hand-overs between agents, in order."""
    known, turns = set(agents(conversation)), speeches(conversation)
    return tuple(
        Handover(before.speaker, turn.speaker, turn.id, _goes_in_circles(conversation, turns, number))
        for number, ((_, before), (_, turn)) in enumerate(pairwise(turns), 1)
        if before.speaker != turn.speaker and {before.speaker, turn.speaker} <= known
    )


def brings_nothing_new(conversation: Conversation, turns: tuple[PlacedTurn, ...], number: int) -> bool:
    """Whether the informative words of a turn are nearly all in the turns just before it."""
    words = wordings(conversation)
    telling = telling_words(words[turns[number][0]])
    before: set[str] = set()
    for place, _ in turns[max(0, number - LOOK_BACK) : number]:
        before.update(words[place])
    return len(telling - before) <= NOTHING_NEW * len(telling)


def _goes_in_circles(conversation: Conversation, turns: tuple[PlacedTurn, ...], number: int) -> bool:
    """Whether a turn passes back to the agent before, with nothing new and no use of a tool in between."""
    if number < 2 or turns[number - 2][1].speaker != turns[number][1].speaker:
        return False
    between = conversation.turns[turns[number - 2][0] : turns[number][0]]
    return not any(map(_is_work, between)) and brings_nothing_new(conversation, turns, number)


def _is_work(turn: Turn) -> bool:
    return turn.kind in ("call", "result")
