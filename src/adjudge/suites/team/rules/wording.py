"""The words of turns, and those that nobody in a conversation used before."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from adjudge.core.conversation import Conversation
from adjudge.core.memo import once
from adjudge.core.record import Turn
from adjudge.english.tokens import Phrase, bare_words
from adjudge.suites.team.rules.parties import output_places

# Shorter words ("the", "and", "you") come in every turn.
SHORTEST = 4


@once
def wordings(conversation: Conversation) -> tuple[Phrase, ...]:
    """The words of every turn, with those of a call's arguments."""
    # Without the cache of `bare_words`: turns rarely repeat, and would push out texts that do.
    return tuple(bare_words.__wrapped__(_text(turn)) for turn in conversation.turns)


@once
def new_words(conversation: Conversation) -> tuple[set[str], ...]:
    """The words of every turn that are neither in an earlier turn nor in the goal."""
    used = set(bare_words(conversation.goal))
    new = []
    for words in wordings(conversation):
        new.append(set(words) - used)
        used |= new[-1]
    return tuple(new)


@once
def places_used_later(conversation: Conversation) -> frozenset[int]:
    """The places of turns that bring a new informative word which a party uses in a later turn."""
    words, new, outputs = wordings(conversation), new_words(conversation), output_places(conversation)
    later: set[str] = set()
    used = []
    for place in reversed(range(len(words))):
        if not later.isdisjoint(telling_words(new[place])):
            used.append(place)
        if place not in outputs:
            later.update(words[place])
    return frozenset(used)


def telling_words(words: Iterable[str]) -> set[str]:
    """The words that tell something: those of at least four letters, and those with a digit.

    >>> sorted(telling_words(("the", "flight", "to", "rome", "is", "at", "9")))
    ['9', 'flight', 'rome']
    """
    return {word for word in words if len(word) >= SHORTEST or not word.isalpha()}


def _text(turn: Turn) -> str:
    if turn.call is None or turn.kind != "call":
        return turn.text
    given = turn.call.arguments
    arguments = given if isinstance(given, str) else msgspec.json.encode(given).decode()
    return f"{turn.text} {arguments}"
