"""What triage knows: the phrases of `lexicon/triage.toml` and the values of the database, in a tree of words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import NamedTuple

from msgspec import Struct

from adjudge.suites.service.rules.database import Venues, once_for_each_database
from adjudge.suites.service.rules.phrases import name_forms, reply_words, words_of
from adjudge.suites.service.rules.tables import read_table

LEXICON = Path(__file__).parent / "lexicon"
NUMBER, TIME, PLACE = "#", "@", "~"
SEARCHED = ("restaurant", "hotel", "attraction")
# The columns whose values become phrases, by domain. Areas, prices and days are listed in the file.
_COLUMNS = {"restaurant": ("food",), "attraction": ("type",), "hospital": ("department",)}
# Endings that a name may have or lack without a change of meaning: "the gonville", "pizza hut".
_ENDINGS = frozenset("hotel guesthouse restaurant house lodge bar b and theatre cambridge centre city".split())


class TriagePhrases(Struct, frozen=True, forbid_unknown_fields=True):
    """The tables of `lexicon/triage.toml`, which says what each holds."""

    domains: dict[str, tuple[str, ...]]
    values: dict[str, dict[str, tuple[str, ...]]]
    cuisines: dict[str, tuple[str, ...]]
    slots: dict[str, tuple[str, ...]]
    single: dict[str, tuple[str, ...]]
    times: dict[str, tuple[str, ...]]
    around: dict[str, tuple[str, ...]]
    words: dict[str, tuple[str, ...]]
    any: dict[str, tuple[str, ...]]
    same: dict[str, tuple[str, ...]]
    yes: dict[str, tuple[str, ...]]


class Meaning(NamedTuple):
    """What a phrase says: the table it is from, the slot (or domain) it is about, and a value where it has one."""

    kind: str
    slot: str
    value: str = ""


@dataclass(slots=True)
class Node:
    """A place in the tree of words: what the words so far mean, and the words that may follow."""

    meanings: list[Meaning] = field(default_factory=list)
    longer: dict[str, Node] = field(default_factory=dict)

    def add(self, words: Iterable[str], meaning: Meaning) -> None:
        """Add a phrase."""
        node = self
        for word in words:
            node = node.longer.setdefault(word, Node())
        if node is not self and meaning not in node.meanings:
            node.meanings.append(meaning)


class Lexicon:
    """The phrases of users, and the places (venues, stations) that they name."""

    def __init__(self, db: Venues) -> None:
        self.phrases = Node()
        self.places = Node()
        self.areas = {row["name"]: row.get("area", "") for kind in SEARCHED for row in db.rows.get(kind, ())}
        self.names = {(kind, row["id"]): row["name"] for kind in SEARCHED for row in db.rows.get(kind, ())}
        self.ordinary = reply_words().ordinary
        self._add_tables(_tables())
        for domain, rows in db.rows.items():
            for row in rows:
                self._add_row(domain, row)
        for slot, cuisines in _tables().cuisines.items():
            for cuisine in cuisines:
                self._add_new(words_of(cuisine), Meaning("values", slot, cuisine))
        self._add_short_names(db)

    def _add_tables(self, tables: TriagePhrases) -> None:
        for kind in ("domains", "slots", "single", "times", "around", "words", "any", "same", "yes"):
            table: Mapping[str, tuple[str, ...]] = getattr(tables, kind)
            for slot, phrases in table.items():
                for phrase in phrases:
                    words = _pattern(phrase)
                    self.phrases.add(words, Meaning(kind, slot))
                    if words[0] == NUMBER:
                        self.phrases.add(["for", *words], Meaning(kind, slot))
        for slot, values in tables.values.items():
            tree = self.places if slot == "station" else self.phrases
            for value, phrases in values.items():
                for phrase in phrases:
                    tree.add(words_of(phrase), Meaning("values", slot, value))

    def _add_new(self, words: list[str], meaning: Meaning) -> None:
        """Add a phrase unless it means something already: another word for a value of the database."""
        if not _ends_at(self.phrases, words):
            self.phrases.add(words, meaning)

    def _add_row(self, domain: str, row: Mapping[str, str]) -> None:
        for column in _COLUMNS.get(domain, ()):
            slot = f"{domain}-type" if column == "type" else column
            self.phrases.add(words_of(row.get(column, "")), Meaning("values", slot, row.get(column, "")))
        if domain == "train":
            for column in ("departure", "destination"):
                self._add_station(row[column])
        if domain in SEARCHED:
            for form in name_forms(row["name"]):
                self.places.add(words_of(form), Meaning("name", domain, row["name"]))

    def _add_station(self, name: str) -> None:
        for ending in ("", " station", " train station"):
            self.places.add(words_of(name + ending), Meaning("values", "station", name + ending))

    def _add_short_names(self, db: Venues) -> None:
        """Names without the kind of venue at their end, where only one venue is left that is so named."""
        short: dict[tuple[str, ...], set[tuple[str, str]]] = {}
        for domain in SEARCHED:
            for row in db.rows.get(domain, ()):
                for words in _shorter(words_of(row["name"])):
                    short.setdefault(words, set()).add((domain, row["name"]))
        for words, venues in short.items():
            if len(venues) == 1 and not self._is_taken(words):
                ((domain, name),) = venues
                self.places.add(words, Meaning("name", domain, name))

    def _is_taken(self, words: tuple[str, ...]) -> bool:
        """Whether a short name means something else: an ordinary word, a station, a food."""
        if len(words) == 1 and (words[0] in self.ordinary or len(words[0]) < 5):
            return True
        return any(_ends_at(tree, words) for tree in (self.places, self.phrases))


def _pattern(phrase: str) -> list[str]:
    """The words of a phrase in which #, @ and ~ stand for numbers, times and places."""
    return [word for part in phrase.split() for word in ([part] if part in (NUMBER, TIME, PLACE) else words_of(part))]


def _shorter(words: list[str]) -> Iterable[tuple[str, ...]]:
    rest = words[1:] if words[:1] == ["the"] else words
    while len(rest) > 1 and rest[-1] in _ENDINGS:
        rest = rest[:-1]
        yield tuple(rest)


def _ends_at(tree: Node, words: Iterable[str]) -> bool:
    node: Node | None = tree
    for word in words:
        node = node.longer.get(word) if node else None
    return node is not None and bool(node.meanings)


@cache
def _tables() -> TriagePhrases:
    return read_table(LEXICON / "triage.toml", TriagePhrases)


@once_for_each_database
def lexicon_of(db: Venues) -> Lexicon:
    """The lexicon of a database, built once."""
    return Lexicon(db)
