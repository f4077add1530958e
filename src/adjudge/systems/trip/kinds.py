"""What kind of thing a wish is for, whatever its words: pasta is Italian, a hotel room is a private room."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from adjudge.english.tokens import stem, words
from adjudge.suites.trip.data import ACTIONABLE
from adjudge.suites.trip.lexicon import table_of
from adjudge.suites.trip.rules.dialogue import SlotPreference
from adjudge.suites.trip.rules.divergence import differ
from adjudge.suites.trip.rules.offers import room_types
from adjudge.suites.trip.rules.vocabulary import informative, lexicon, sought_senses
from adjudge.suites.trip.rules.wishes import ParsedWish, read_wish


def kinds_in(text: str, slot: str) -> frozenset[str]:
    """The kinds of things that a text names, or that offer what it names; none where it names no known kind.

    >>> sorted(kinds_in("fresh pasta", "cuisine")), sorted(kinds_in("a hotel room", "lodging"))
    (['italian'], ['private'])
    """
    if slot == "lodging":
        return room_types(text)
    if slot not in ACTIONABLE:
        return frozenset()
    known = table_of("categories")["kinds"][slot]
    senses = [sense for part in sought_senses(text, lexicon(slot)) for sense in part]
    return frozenset(kind for sense in senses for kind in sense.names | sense.givers if kind in known)


def refused_kinds(wish: ParsedWish, slot: str) -> frozenset[str]:
    """The kinds of things that a wish refuses."""
    return frozenset[str]().union(*(kinds_in(thing, slot) for thing in wish.unwanted))


def kind_label(text: str, slot: str) -> str:
    """A short name of what a text is for: its kinds, or else the words that say what is wanted."""
    telling = set(informative(text, slot))
    return " or ".join(sorted(kinds_in(text, slot))) or " ".join(word for word in words(text) if stem(word) in telling)


def first_difference(wishes: Sequence[SlotPreference]) -> tuple[SlotPreference, SlotPreference] | None:
    """The first two of these wishes that are for different kinds of things; None if all agree."""
    return next((pair for pair in combinations(wishes, 2) if _are_different(*pair)), None)


def _are_different(first: SlotPreference, second: SlotPreference) -> bool:
    """Whether two wishes differ: by the kinds they name, or by their words where one names none."""
    slot, mine, other = first.slot, read_wish(first), read_wish(second)
    wanted, also = kinds_in(mine.wanted, slot), kinds_in(other.wanted, slot)
    refused, barred = refused_kinds(mine, slot), refused_kinds(other, slot)
    if not (wanted or refused) or not (also or barred):
        return differ(first, second)
    return bool(wanted & barred or also & refused or (wanted and also and not wanted & also))
