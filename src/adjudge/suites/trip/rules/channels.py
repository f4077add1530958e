"""The channels by which a plan may satisfy a wish: room type, category, words, meaning; and what bars it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, lru_cache

from msgspec import Struct

from adjudge.english.patterns import whole_words
from adjudge.english.tokens import has_phrase, stems
from adjudge.suites.trip.data import Entry
from adjudge.suites.trip.rules.vocabulary import (
    Lexicon,
    Sense,
    as_said,
    data,
    enough,
    informative,
    parts,
    phrases,
    senses,
    sought,
    top,
    wider,
)
from adjudge.suites.trip.rules.wishes import Parsed, affirmed

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
    """Whether a place is of a category that is wanted; None for lodgings and where wish or places name no category.

    A wish for a narrower category is not met by the wider one alone.
    """
    wanted, unwanted = _senses(one.wish.wanted, one.known), _unwanted_kinds(one)
    offered = {offer.name: offered_kinds(offer, one.known) for offer in one.offers}
    if one.slot == "lodging" or not (wanted or unwanted) or not any(those.all for those in offered.values()):
        return None
    if not wanted:
        return _absence({name: unwanted & those.all for name, those in offered.items()})
    for name, those in offered.items():
        if met := those.meeting(wanted):
            return Finding(True, f"{name}: {_listed(met)}")
    return Finding(False, f"no place of category {_listed(_named(wanted))}")


def describes(one: Wanting) -> bool:
    """Whether a description says in the wish's own words that the place is of the wanted category."""
    said = [stems(affirmed(offer.entry.about)) for offer in one.offers if offer.entry]
    wanted = sought(one.wish.wanted, one.known)
    return any(all(has_phrase(text, sense.phrase) for sense in part) for text in said for part in wanted)


def house_rules(one: Wanting) -> Finding | None:
    """Whether a lodging allows what the wish asks for, or forbids what is not wanted; None where it asks for more.

    What no rule forbids is allowed to who wants it. To who does not, silence tells nothing: None.
    """
    topics = _topics(one.wish.wanted)
    if one.slot != "lodging" or not any(offer.entry for offer in one.offers):
        return None
    if not one.wish.wanted:
        banned = _unwanted_topics(one) & _union(map(banned_by, one.offers))
        return Finding(True, f"the rules forbid {_listed(banned)}") if banned else None
    if not topics or set(informative(one.wish.wanted, one.slot)) - _permission():
        return None
    forbidden = topics & _union(map(rules_of, one.offers))
    return Finding(not forbidden, f"the rules {'forbid' if forbidden else 'allow'} {_listed(forbidden or topics)}")


def untold(one: Wanting) -> bool:
    """Whether a wish is only that a lodging be without what a rule may forbid, and no lodging says anything of it."""
    wish = one.wish
    if one.slot != "lodging" or not wish.unwanted or not wish.met_by_absence or wish.most is not None:
        return False
    if not all(map(_unwanted_topics_of, wish.unwanted)) or barred(one):
        return False
    return not _unwanted_topics(one) & _union(map(banned_by, one.offers))


def _unwanted_topics(one: Wanting) -> frozenset[str]:
    """What a rule may forbid and the wish does not want."""
    return _union(map(_unwanted_topics_of, one.wish.unwanted))


def _unwanted_topics_of(thing: str) -> frozenset[str]:
    """What a rule may forbid of an unwanted thing; who does not want the rule itself wants what it forbids."""
    return frozenset() if _is_forbidding(thing) or room_types(thing) else _topics(thing)


@cache
def _permission() -> frozenset[str]:
    """The words of wishes that ask only whether something is allowed."""
    topics = {word for topic in data()["rules"] for phrase in phrases("rules", topic) for word in phrase}
    return frozenset(topics | {word for phrase in phrases("permission", "words") for word in phrase})


def lexical(one: Wanting, echo: str = "") -> Finding | None:
    """Whether enough of the wish's words are in the places and their entries, or in the text `echo` beside them.

    None where nothing is wanted, or nothing that words would tell.
    """
    asked = top(one.wish.wanted, one.slot)
    if not asked:
        return None
    there = set(stems(echo)).union(*(stems(_affirmed(offer)) for offer in one.offers))
    found = [word for word in asked if word in there]
    said = as_said(one.wish.wanted, found)
    return Finding(enough(len(found), len(asked)), f"{len(found)} of {len(asked)} words found ({said})")


def semantic(one: Wanting, likeness: Callable[[str, str], float], least: float) -> Finding | None:
    """Whether a record is close enough in meaning to what is wanted; None where nothing is wanted."""
    if not one.wish.wanted or not one.offers:
        return None
    close, name = max((likeness(one.wish.wanted, record_text(offer)), offer.name) for offer in one.offers)
    return Finding(close >= least, f"cosine {close:.3f} with {name}, {least:g} asked")


def barred(one: Wanting) -> str:
    """Why the plan cannot satisfy the wish whatever else it has: an unwanted thing, a rule against it, its price."""
    for offer in one.offers:
        for reason in _bars(one, offer):
            return f"{offer.name}: {reason}"
    return ""


def _bars(one: Wanting, offer: Offer) -> Iterator[str]:
    rules = rules_of(offer)
    if one.wish.most is not None and (price := price_of(offer)) is not None and price > one.wish.most:
        yield f"costs {price:g}, at most {one.wish.most:g} asked"
    yield from (f"the rules forbid {topic}" for topic in _topics(one.wish.wanted) & rules if one.slot == "lodging")
    for thing in one.wish.unwanted:
        if one.slot == "lodging" and _is_forbidding(thing):
            yield from (f"the rules forbid {topic}" for topic in _topics(thing) & rules)
        elif one.slot == "lodging" and (allowed := _topics(thing) & allowed_by(offer)):
            yield f"the rules allow {_listed(allowed)} although {thing!r} is not wanted"
        elif found := _unwanted_in(one, offer, thing):
            yield f"{found} although {thing!r} is not wanted"


def _unwanted_in(one: Wanting, offer: Offer, thing: str) -> str:
    """What of an unwanted thing a place has, empty for nothing."""
    if one.slot == "lodging" and (rooms := room_types(thing)):
        return _listed((rooms - room_types(one.wish.wanted)) & room_types_of(offer))
    if one.slot != "lodging" and (those := _named(_senses(thing, one.known)) & _unwanted_kinds(one)):
        return _listed(those & offered_kinds(offer, one.known).all) or _mention(thing, offer, one.slot)
    return _mention(thing, offer, one.slot)


def _mention(thing: str, offer: Offer, slot: str) -> str:
    asked = informative(thing, slot)
    there = set(stems(_affirmed(offer)))
    found = [word for word in asked if word in there]
    return as_said(thing, found) if enough(len(found), len(asked)) else ""


def _unwanted_kinds(one: Wanting) -> frozenset[str]:
    """The categories that are refused by name; who refuses a dish does not refuse all that its cuisine has."""
    refused = frozenset[str]().union(*(_named(_senses(thing, one.known)) for thing in one.wish.unwanted))
    return refused - _named(_senses(one.wish.wanted, one.known))


def _senses(text: str, known: Lexicon) -> list[Sense]:
    return [sense for part in sought(text, known) for sense in part]


def _named(those: Iterable[Sense]) -> frozenset[str]:
    return frozenset[str]().union(*(sense.names for sense in those))


class Kinds(Struct, frozen=True, gc=False):
    """The categories that a place is listed under, and those it therefore also belongs to."""

    listed: frozenset[str]
    implied: frozenset[str]

    @property
    def all(self) -> frozenset[str]:
        """Every category of the place."""
        return self.listed | self.implied

    def meeting(self, wanted: Iterable[Sense]) -> frozenset[str]:
        """The categories by which the place is what is wanted, or gives it."""
        return frozenset[str]().union(*(one.names & self.all | one.givers & self.listed for one in wanted))


def offered_kinds(offer: Offer, known: Lexicon) -> Kinds:
    """The categories of a place: those of its entry, or of its name where the catalogue gives none.

    Name and description may make a category narrower: a steakhouse among American restaurants.
    """
    given = (*offer.entry.cuisines, *offer.entry.categories) if offer.entry else ()
    named = [part for category in given for part in parts(category)] or [offer.name]
    found = [sense for part in named for sense in senses(part, known)]
    listed = _named(found)
    said = _named(senses(_affirmed(offer), known))
    listed |= {kind for kind in said if wider(frozenset([kind])) & listed}
    return Kinds(listed, frozenset[str]().union(*(sense.givers for sense in found)) | wider(listed))


@lru_cache(maxsize=4096)
def room_types(text: str) -> frozenset[str]:
    """The types of room that words speak of; a longer phrase tells more than a word in it."""
    said = stems(_no_rooms().sub(" ", text))
    found = [(phrase, kind) for kind in ROOM_TYPES for phrase in phrases("rooms", kind) if has_phrase(said, phrase)]
    return frozenset(
        kind
        for phrase, kind in found
        if not any(len(other) > len(phrase) and has_phrase(other, phrase) for other, _ in found)
    )


@cache
def _no_rooms() -> re.Pattern[str]:
    return whole_words(f"(?:{'|'.join(map(re.escape, data()['no_rooms']))})s?")


def room_types_of(offer: Offer) -> frozenset[str]:
    """The type of room that the catalogue gives a lodging, none where it gives none."""
    return room_types(offer.entry.room_type) if offer.entry else frozenset()


def price_of(offer: Offer) -> float | None:
    """What a place costs; None where the catalogue does not say."""
    return offer.entry.price if offer.entry else None


def rules_of(offer: Offer) -> frozenset[str]:
    """What the house rules of a lodging forbid."""
    return _union(_topics(rule) for rule in _rules(offer) if not _allows(rule))


def allowed_by(offer: Offer) -> frozenset[str]:
    """What the house rules of a lodging say is allowed."""
    return _union(_topics(rule) for rule in _rules(offer) if _allows(rule))


def banned_by(offer: Offer) -> frozenset[str]:
    """What the house rules of a lodging forbid, or its description denies: "a smoke-free house"."""
    about = offer.entry.about if offer.entry else ""
    return rules_of(offer) | (_topics(about) - _topics(affirmed(about)))


def _rules(offer: Offer) -> list[str]:
    """The house rules one by one: "no smoking, pets allowed" is two."""
    rules = offer.entry.rules if offer.entry else ()
    return [part for rule in rules for part in re.split(r"[,;&]", rule) if part.strip()]


def _allows(rule: str) -> bool:
    """Whether a rule permits something: "smoking allowed"; most forbid, with or without a negation."""
    return any(has_phrase(stems(affirmed(rule)), phrase) for phrase in phrases("permission", "rules"))


def _union(those: Iterable[frozenset[str]]) -> frozenset[str]:
    return frozenset[str]().union(*those)


@lru_cache(maxsize=4096)
def _topics(text: str) -> frozenset[str]:
    if any(has_phrase(stems(text), stems(phrase)) for phrase in data()["no_rules"]):
        return frozenset()
    said = stems(text)
    return frozenset(
        topic
        for topic in data()["rules"]
        if any(has_phrase(said, phrase) for phrase in (*phrases("rules", topic), stems(topic)))
    )


def _is_forbidding(thing: str) -> bool:
    return any(has_phrase(stems(thing), phrase) for phrase in phrases("negation", "forbidding"))


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
