"""Whether two wishes for one slot differ, judged by the words for what they ask for and what they rule out."""

from __future__ import annotations

import re
from itertools import combinations

from msgspec import Struct, structs

from adjudge.english.tokens import stem
from adjudge.suites.trip.data import Trip
from adjudge.suites.trip.rules.dialogue import SlotPreference, spoken_preferences
from adjudge.suites.trip.rules.vocabulary import informative
from adjudge.suites.trip.rules.wishes import read_wish

# Two wishes agree if they share at least half of their words.
ENOUGH_SHARED = 0.5

# "Same here", "I agree with Ann" in "I agree with Ann, jazz": agreeing with others adds no wish.
_JOINING_IN = re.compile(
    r"\b(?:same here|me too|same for me|likewise|(?:i )?agreed?(?: with \w+)?|same as \w+|i second that)\b[^,.;!?]*",
    re.IGNORECASE,
)
# Words that exclude each other. They are stems because wishes are compared by stems.
_OPPOSITES = frozenset(
    frozenset(map(stem, pair.split("/")))
    for pair in "low/high cheap/expensive cheap/luxury cheap/upscale budget/luxury budget/upscale budget/expensive "
    "economical/luxury private/shared entire/shared indoor/outdoor indoors/outdoors quiet/lively quiet/loud early/late "
    "short/long small/big small/large modern/traditional relaxing/adventurous".split()
)


class Gist(Struct, frozen=True):
    """The informative words of a wish: those it asks for and those it rules out."""

    wanted: frozenset[str]
    unwanted: frozenset[str]

    @property
    def signed_words(self) -> frozenset[str]:
        """All words, with a minus before those that are ruled out; none for a wish that leaves everything open."""
        return self.wanted | {f"-{word}" for word in self.unwanted}


def gist(wish: SlotPreference) -> Gist:
    """The informative words of a wish, without those general to its slot and without mere agreement with others.

    >>> wish = gist(SlotPreference("Ann", "cuisine", "I'd love Italian restaurants, but no seafood or nuts please"))
    >>> sorted(wish.wanted), sorted(wish.unwanted)
    (['italian'], ['nut', 'seafood'])
    """
    parsed = read_wish(_own_words(wish))
    unwanted = frozenset(word for thing in parsed.unwanted for word in informative(thing, wish.slot))
    limit = frozenset() if parsed.most is None else frozenset([f"at most {parsed.most:g}"])
    return Gist((frozenset(informative(parsed.wanted, wish.slot)) - unwanted) | limit, unwanted)


def _own_words(wish: SlotPreference) -> SlotPreference:
    """A wish without mere agreement with others."""
    parts = tuple(map(_own_words, wish.parts))
    return structs.replace(wish, text=_JOINING_IN.sub(" ", wish.text), parts=parts)


def differ(first: SlotPreference, second: SlotPreference) -> bool:
    """Whether two wishes for the same slot say different things.

    They always differ if one rules out what the other asks for, or asks for its opposite. Otherwise they agree if all
    informative words of one occur in the other, or if they share at least half of all their words. A wish that leaves
    everything open differs from no other.
    """
    a, b = gist(first), gist(second)
    if not a.signed_words or not b.signed_words:
        return False
    if a.wanted & b.unwanted or a.unwanted & b.wanted or _are_opposed(a.wanted, b.wanted):
        return True
    shared, all_words = a.signed_words & b.signed_words, a.signed_words | b.signed_words
    return len(shared) < min(len(a.signed_words), len(b.signed_words)) and len(shared) < ENOUGH_SHARED * len(all_words)


def _are_opposed(first: frozenset[str], second: frozenset[str]) -> bool:
    return any(frozenset((a, b)) in _OPPOSITES for a in first - second for b in second - first)


def by_slot(trip: Trip) -> dict[str, list[SlotPreference]]:
    """The wishes that members spoke, by slot."""
    slots: dict[str, list[SlotPreference]] = {}
    for preference in spoken_preferences(trip):
        slots.setdefault(preference.slot, []).append(preference)
    return slots


def first_difference(wishes: list[SlotPreference]) -> tuple[SlotPreference, SlotPreference] | None:
    """The first two of these wishes that differ; None if all agree."""
    return next((pair for pair in combinations(wishes, 2) if differ(*pair)), None)
