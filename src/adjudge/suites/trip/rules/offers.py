"""Offers: the properties of a place in the plan, from its name and its catalogue entry."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache, cached_property, lru_cache

from msgspec import Struct

from adjudge.english.patterns import whole_words
from adjudge.english.tokens import has_phrase, stems
from adjudge.suites.trip.data import CatalogueEntry
from adjudge.suites.trip.lexicon import table_of
from adjudge.suites.trip.rules.house_rules import allows, forbids, topics, topics_in
from adjudge.suites.trip.rules.vocabulary import CategoryPhrases, Sense, parts, phrases, senses, wider
from adjudge.suites.trip.rules.wishes import affirmed_text

ROOM_TYPES = ("shared", "private", "entire")


class Offer(Struct, frozen=True, dict=True):
    """A place of the plan in one slot; `entry` is None if the catalogue does not have it."""

    name: str
    entry: CatalogueEntry | None = None

    @cached_property
    def text(self) -> str:
        """The name of the place and its catalogue entry as one text."""
        entry = self.entry
        if entry is None:
            return self.name
        lines = (
            self.name,
            f"cuisines: {', '.join(entry.cuisines)}" if entry.cuisines else "",
            ", ".join(entry.categories),
            f"room type: {entry.room_type}" if entry.room_type else "",
            ", ".join(entry.rules),
            entry.about,
        )
        return "; ".join(part for part in lines if part)


def affirmed_record(offer: Offer) -> str:
    """The text of a place without its house rules and without the things its description denies."""
    if offer.entry is None:
        return offer.name
    entry = offer.entry
    return " ; ".join((offer.name, *entry.cuisines, *entry.categories, entry.room_type, affirmed_text(entry.about)))


def price_of(offer: Offer) -> float | None:
    """The price of a place; None if the catalogue has none."""
    return offer.entry.price if offer.entry else None


class Kinds(Struct, frozen=True, gc=False):
    """The categories that a place is listed under, and the wider ones that follow from them."""

    listed: frozenset[str]
    implied: frozenset[str]

    @property
    def all(self) -> frozenset[str]:
        """Every category of the place."""
        return self.listed | self.implied

    def meeting(self, wanted: Iterable[Sense]) -> frozenset[str]:
        """The categories of the place that satisfy one of the wanted senses, by name or because they offer it."""
        return frozenset[str]().union(*(sense.names & self.all | sense.givers & self.listed for sense in wanted))


def offered_kinds(offer: Offer, known: CategoryPhrases) -> Kinds:
    """The categories of a place: those of its entry, or those in its name if the catalogue gives none.

    Its name and description can narrow a category: an American restaurant may be a steakhouse.
    """
    given = (*offer.entry.cuisines, *offer.entry.categories) if offer.entry else ()
    named = [part for category in given for part in parts(category)] or [offer.name]
    meanings = [sense for part in named for sense in senses(part, known)]
    listed = named_kinds(meanings)
    described = named_kinds(senses(affirmed_record(offer), known))
    listed |= {kind for kind in described if wider(frozenset([kind])) & listed}
    return Kinds(listed, frozenset[str]().union(*(sense.givers for sense in meanings)) | wider(listed))


def named_kinds(meanings: Iterable[Sense]) -> frozenset[str]:
    """The categories that senses name."""
    return frozenset[str]().union(*(sense.names for sense in meanings))


def room_types_of(offer: Offer) -> frozenset[str]:
    """The room types that the catalogue gives for a lodging; empty if it gives none."""
    return room_types(offer.entry.room_type) if offer.entry else frozenset()


@lru_cache(maxsize=4096)
def room_types(text: str) -> frozenset[str]:
    """The room types that a text names; a longer phrase takes precedence over a word in it."""
    stemmed = stems(_no_rooms().sub(" ", text))
    matches = [
        (phrase, kind) for kind in ROOM_TYPES for phrase in phrases("rooms", kind) if has_phrase(stemmed, phrase)
    ]
    return frozenset(
        kind
        for phrase, kind in matches
        if not any(len(other) > len(phrase) and has_phrase(other, phrase) for other, _ in matches)
    )


@cache
def _no_rooms() -> re.Pattern[str]:
    return whole_words(f"(?:{'|'.join(map(re.escape, table_of('lodging')['no_rooms']))})s?")


def rules_of(offer: Offer) -> frozenset[str]:
    """The topics that the house rules of a lodging forbid."""
    return frozenset(topic for rule in _rules(offer) for topic in topics() if forbids(rule, topic))


def topics_allowed_by(offer: Offer) -> frozenset[str]:
    """The topics that the house rules of a lodging allow explicitly."""
    return frozenset(topic for rule in _rules(offer) for topic in topics() if allows(rule, topic))


def topics_banned_by(offer: Offer) -> frozenset[str]:
    """The topics that the house rules of a lodging forbid, or its description denies: "a smoke-free house"."""
    about = offer.entry.about if offer.entry else ""
    return rules_of(offer) | (topics_in(about) - topics_in(affirmed_text(about)))


def _rules(offer: Offer) -> tuple[str, ...]:
    return offer.entry.rules if offer.entry else ()


def union(sets: Iterable[frozenset[str]]) -> frozenset[str]:
    """The union of some sets."""
    return frozenset[str]().union(*sets)
