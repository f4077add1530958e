"""The words of turns, and where in a conversation a word is first and last used."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
from msgspec import Struct

from adjudge.core.conversation import Conversation
from adjudge.core.memo import once
from adjudge.core.record import Turn
from adjudge.english.tokens import Phrase, bare_words
from adjudge.suites.team.rules.parties import output_places

# Shorter words ("the", "and", "you") come in every turn.
SHORTEST = 4


class WordPlaces(Struct, frozen=True):
    """The place of the turn where each word is first used by anybody, and last used by a party."""

    first: dict[str, int]
    last: dict[str, int]


@once
def wordings(conversation: Conversation) -> tuple[Phrase, ...]:
    """The words of every turn, with those of a call's arguments."""
    # Without the cache of `bare_words`: turns seldom come twice, and would push out what does.
    return tuple(bare_words.__wrapped__(_text(turn)) for turn in conversation.turns)


@once
def places_of_words(conversation: Conversation) -> WordPlaces:
    """Where each word is first used, and last used by a party."""
    first: dict[str, int] = {}
    last: dict[str, int] = {}
    wording, outputs = wordings(conversation), output_places(conversation)
    for place, words in enumerate(wording):
        if place not in outputs:
            last.update(dict.fromkeys(words, place))
    for place in reversed(range(len(wording))):  # The earliest turn comes last and stays.
        first.update(dict.fromkeys(wording[place], place))
    first.update(dict.fromkeys(bare_words(conversation.goal), -1))
    return WordPlaces(first, last)


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
