"""How the simulated customer reads a reply: what it names, gives, asks for and refuses."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from msgspec import Struct

from adjudge.english.clauses import split_sentences
from adjudge.english.tokens import bare_words
from adjudge.suites.service.data import REQUESTED
from adjudge.suites.service.rules.database import QUERIED, Venues
from adjudge.suites.service.rules.linking import Links, linker_of
from adjudge.suites.service.rules.tables import read_table
from adjudge.systems.service.catalogue import catalogue_of

HERE = Path(__file__).parent
_SLOTS = {token: slot for slot, token in REQUESTED.items()}


class ReplyPhrases(Struct, frozen=True, forbid_unknown_fields=True):
    """The tables of `reading.toml`, which says what each holds."""

    asks: dict[str, tuple[str, ...]]
    none: dict[str, tuple[str, ...]]
    refused: dict[str, tuple[str, ...]]
    unknown: dict[str, tuple[str, ...]]
    facts: dict[str, tuple[str, ...]]


class ReplyReading(Struct, frozen=True):
    """What a reply says of the domain that is spoken of.

    `venue` is the name of the venue it names, or the id of the train. `facts` are the slots whose values it gives or
    says it does not know, `asks` the slots it asks for.
    """

    venue: str = ""
    facts: frozenset[str] = frozenset()
    asks: tuple[str, ...] = ()
    finds_nothing: bool = False
    refuses: bool = False
    confirms: bool = False


def read_reply(text: str, domain: str, db: Venues) -> ReplyReading:
    """What a reply says of a domain."""
    links = linker_of(db).link(text)
    venues = links.venues.get(domain, frozenset())
    words = f" {' '.join(bare_words(text))} "
    confirms = "REFERENCE" in links.loose
    refuses = not confirms and _has(words, _phrases().refused["phrases"])
    finds_nothing = not venues and not refuses and _has(words, _phrases().none["phrases"])
    return ReplyReading(
        venue=_name(domain, min(venues), db) if venues else "",
        facts=frozenset() if finds_nothing else _facts(links, domain, words) | _car(words, db),
        asks=tuple(_asks(text)),
        finds_nothing=finds_nothing,
        refuses=refuses,
        confirms=confirms,
    )


def _name(domain: str, key: str, db: Venues) -> str:
    return catalogue_of(db).row(domain, key, {}).get("name", key) if domain in QUERIED else key


def _facts(links: Links, domain: str, words: str) -> frozenset[str]:
    linked = {_SLOTS[token] for token in (*links.tokens.get(domain, ()), *links.loose) if token in _SLOTS}
    table = _phrases().facts
    if _has(words, _phrases().unknown["phrases"]):
        linked |= set(_SLOTS.values()) & set(_slots_named(words))
    return frozenset(linked | {slot for slot, phrases in table.items() if _has(words, phrases)})


def _car(words: str, db: Venues) -> frozenset[str]:
    """The slot of the car where a reply names a type of car."""
    types = [kind for row in db.rows.get("taxi", ()) for kind in row.get("taxi_types", "").split("\n") if kind]
    return frozenset({"car"}) if any(f" {kind} " in words for kind in types) else frozenset()


def _slots_named(words: str) -> list[str]:
    """The linked slots that a reply speaks of by name."""
    return [slot for slot in _SLOTS.values() if f" {slot} " in words]


def _asks(text: str) -> list[str]:
    questions = [f" {' '.join(bare_words(part))} " for part in split_sentences(text) if part.rstrip().endswith("?")]
    table = _phrases().asks
    return [slot for slot, phrases in table.items() if any(_has(question, phrases) for question in questions)]


def _has(words: str, phrases: tuple[str, ...]) -> bool:
    return any(f" {phrase} " in words for phrase in phrases)


@cache
def _phrases() -> ReplyPhrases:
    return read_table(HERE / "reading.toml", ReplyPhrases)
