"""Where a conversation says that it is over, and what comes after."""

from __future__ import annotations

from adjudge.core.conversation import Conversation
from adjudge.core.memo import once
from adjudge.suites.team.lexicon.phrases import announces_end, is_courtesy, is_end_mark
from adjudge.suites.team.rules.parties import PlacedTurn, speeches, steps


@once
def announced_end(conversation: Conversation) -> PlacedTurn | None:
    """The first turn that says that the conversation is over; None where none does.

    The first turn of all gives the task and may name the word that ends it, so it does not count.
    """
    return next(((place, turn) for place, turn in speeches(conversation)[1:] if announces_end(turn.text)), None)


def late_places(conversation: Conversation) -> set[int]:
    """The places of steps after the end, without marks for programs, and thanks and farewells right after it."""
    end = announced_end(conversation)
    if end is None:
        return set()
    after = [(place, turn) for place, turn in steps(conversation) if place > end[0]]
    return {
        place
        for number, (place, turn) in enumerate(after)
        if turn.kind == "call"
        or not (is_end_mark(turn.text) or (number < 2 and (is_courtesy(turn.text) or announces_end(turn.text))))
    }
