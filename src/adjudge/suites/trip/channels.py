"""The channels by which a plan may satisfy a wish: room type, category, words, meaning; and what bars it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache

from msgspec import Struct

from adjudge.suites.trip.data import Entry
from adjudge.suites.trip.wishes import Parsed, affirmed
from adjudge.suites.trip.words import (
    Lexicon,
    data,
    enough,
    holds,
    informative,
    kinds,
    parts,
    phrases,
    stems,
    top,
    widened,
)

ROOM_TYPES = ("shared", "private", "entire")


class Offer(Struct, frozen=True):
    """A place of the plan in one slot, with its catalogue entry; None: the catalogue does not know it."""

    name: str
    entry: Entry | None = None


class Finding(Struct, frozen=True, gc=False):
    """What one channel says of a wish, and why."""

    passed: bool
    why: str


class Wanting(Struct, frozen=True):
    """A wish for one slot beside what the plan has there, and the categories that are known."""

    wish: Parsed
    slot: str
    offers: tuple[Offer, ...]
    known: Lexicon


def record_text(offer: Offer) -> str:
    """What a place and its catalogue entry say, as one text."""
    entry = offer.entry
    if entry is None:
        return offer.name
    said = (
        offer.name,
        f"cuisines: {', '.join(entry.cuisines)}" if entry.cuisines else "",
        ", ".join(entry.categories),
        f"room type: {entry.room_type}" if entry.room_type else "",
        ", ".join(entry.rules),
        entry.about,
    )
    return "; ".join(part for part in said if part)


def room_type(one: Wanting) -> Finding | None:
    """Whether a lodging has the type of room that is wanted; None where the wish or the catalogue names none."""
    wanted = room_types(one.wish.wanted)
    unwanted = set[str]().union(*map(room_types, one.wish.unwanted)) - wanted
    offered = {offer.name: room_types_of(offer) for offer in one.offers}
    if one.slot != "lodging" or not (wanted or unwanted) or not any(offered.values()):
        return None
    if not wanted:
        return _absence({name: types & unwanted for name, types in offered.items()})
    for name, types in offered.items():
        if wanted & types:
            return Finding(True, f"{name} is {_listed(wanted & types)}")
    return Finding(False, f"asks for {_listed(wanted)}, has {_listed(set().union(*offered.values()))}")


def category(one: Wanting) -> Finding | None:
    """Whether a place is of a category that is wanted; None for lodgings and where the wish names no category."""
    wanted = kinds(one.wish.wanted, one.known)
    unwanted = _unwanted_kinds(one)
    if one.slot == "lodging" or not (wanted or unwanted) or not one.offers:
        return None
    offered = {offer.name: offered_kinds(offer, one.known) for offer in one.offers}
    if not wanted:
        return _absence({name: those & unwanted for name, those in offered.items()})
    for name, those in offered.items():
        if wanted & those:
            return Finding(True, f"{name}: {_listed(wanted & those)}")
    return Finding(False, f"no place of category {_listed(wanted)}")


def lexical(one: Wanting, echo: str = "") -> Finding | None:
    """Whether enough of the wish's words are in the places and their entries, or in the text `echo` beside them.

    None where nothing is wanted, or nothing that words would tell.
    """
    asked = top(one.wish.wanted, one.slot)
    if not asked:
        return None
    there = set(stems(echo)).union(*(stems(_affirmed(offer)) for offer in one.offers))
    found = [word for word in asked if word in there]
    return Finding(enough(len(found), len(asked)), f"{len(found)} of {len(asked)} words found ({_listed(found)})")


def semantic(one: Wanting, likeness: Callable[[str, str], float], least: float) -> Finding | None:
    """Whether a record is close enough in meaning to what is wanted; None where nothing is wanted."""
    if not one.wish.wanted or not one.offers:
        return None
    close, name = max((likeness(one.wish.wanted, record_text(offer)), offer.name) for offer in one.offers)
    return Finding(close >= least, f"cosine {close:.3f} with {name}, {least:g} asked")


def barred(one: Wanting) -> str:
    """Why the plan cannot satisfy the wish whatever else it has: an unwanted thing, or a rule against a wanted one."""
    for offer in one.offers:
        for reason in _bars(one, offer):
            return f"{offer.name}: {reason}"
    return ""


def _bars(one: Wanting, offer: Offer) -> Iterator[str]:
    rules = rules_of(offer)
    yield from (f"the rules forbid {topic}" for topic in _topics(one.wish.wanted) & rules if one.slot == "lodging")
    for thing in one.wish.unwanted:
        if one.slot == "lodging" and _is_forbidding(thing):
            yield from (f"the rules forbid {topic}" for topic in _topics(thing) & rules)
        elif found := _unwanted_in(one, offer, thing):
            yield f"{found} although {thing!r} is not wanted"


def _unwanted_in(one: Wanting, offer: Offer, thing: str) -> str:
    """What of an unwanted thing a place has, empty for nothing."""
    if one.slot == "lodging" and (rooms := room_types(thing)):
        return _listed((rooms - room_types(one.wish.wanted)) & room_types_of(offer))
    if one.slot != "lodging" and (those := kinds(thing, one.known) & _unwanted_kinds(one)):
        return _listed(those & offered_kinds(offer, one.known)) or _mention(thing, offer, one.slot)
    return _mention(thing, offer, one.slot)


def _mention(thing: str, offer: Offer, slot: str) -> str:
    asked = informative(thing, slot)
    there = set(stems(_affirmed(offer)))
    found = [word for word in asked if word in there]
    return _listed(found) if enough(len(found), len(asked)) else ""


def _unwanted_kinds(one: Wanting) -> frozenset[str]:
    named = frozenset[str]().union(*(kinds(thing, one.known) for thing in one.wish.unwanted))
    return named - kinds(one.wish.wanted, one.known)


def offered_kinds(offer: Offer, known: Lexicon) -> frozenset[str]:
    """The categories of a place: those of its entry, or of its name where the catalogue gives none."""
    listed = (*offer.entry.cuisines, *offer.entry.categories) if offer.entry else ()
    named = [part for category in listed for part in parts(category)] or [offer.name]
    return widened(frozenset[str]().union(*(kinds(part, known) for part in named)))


@lru_cache(maxsize=4096)
def room_types(text: str) -> frozenset[str]:
    """The types of room that words speak of; a longer phrase tells more than a word in it."""
    said = stems(text)
    found = [(phrase, kind) for kind in ROOM_TYPES for phrase in phrases("rooms", kind) if holds(said, phrase)]
    return frozenset(
        kind
        for phrase, kind in found
        if not any(len(other) > len(phrase) and holds(other, phrase) for other, _ in found)
    )


def room_types_of(offer: Offer) -> frozenset[str]:
    """The type of room that the catalogue gives a lodging, none where it gives none."""
    return room_types(offer.entry.room_type) if offer.entry else frozenset()


def rules_of(offer: Offer) -> frozenset[str]:
    """What the house rules of a lodging forbid."""
    return frozenset().union(*map(_topics, offer.entry.rules)) if offer.entry else frozenset()


@lru_cache(maxsize=4096)
def _topics(text: str) -> frozenset[str]:
    if any(holds(stems(text), stems(phrase)) for phrase in data()["no_rules"]):
        return frozenset()
    said = stems(text)
    return frozenset(
        topic
        for topic in data()["rules"]
        if any(holds(said, phrase) for phrase in (*phrases("rules", topic), stems(topic)))
    )


def _is_forbidding(thing: str) -> bool:
    return any(holds(stems(thing), phrase) for phrase in phrases("negation", "forbidding"))


def _affirmed(offer: Offer) -> str:
    """What a place is said to have: its text without rules and without what its description denies."""
    if offer.entry is None:
        return offer.name
    entry = offer.entry
    return " ; ".join((offer.name, *entry.cuisines, *entry.categories, entry.room_type, affirmed(entry.about)))


def _absence(found: dict[str, frozenset[str]]) -> Finding:
    """The finding on a wish that something be absent."""
    for name, those in found.items():
        if those:
            return Finding(False, f"{name}: {_listed(those)} is not wanted")
    return Finding(True, "nothing unwanted")


def _listed(those: Sequence[str] | set[str] | frozenset[str]) -> str:
    return ", ".join(sorted(those))
