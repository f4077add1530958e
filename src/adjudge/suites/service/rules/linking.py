"""Links natural replies to the databases: the venues they name and the facts they give."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from adjudge.suites.service.rules.database import Venues, once_for_each_database
from adjudge.suites.service.rules.phrases import (
    address_forms,
    halves,
    name_forms,
    name_pattern,
    reply_words,
    words_of,
)

# Ten or eleven digits from 0 on, in groups or not: 01223351880, 01223 351-880.
_PHONE = re.compile(r"(?<![\w.])0\d(?:[ -]?\d){8,9}(?!\w)")
# Eight letters and digits, as booking references have them: 7GAWK763.
_CODE = re.compile(r"(?<![\w-])[A-Za-z0-9]{8}(?![\w-])")
# "Your reference number is", "Ref: ".
_SAYS_REFERENCE = re.compile(r"\b(?:reference|ref|confirmation)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Links:
    """The venues and facts of the databases that a reply mentions.

    `venues` holds the ids of the named venues by domain, and `tokens` the kinds of fact given (PHONE, ADDRESS, POST,
    TRAINID) by domain. `loose` holds the kinds that belong to no venue of the databases: REFERENCE, and PHONE for a
    number that no venue has. `last` is the domain of the venue named last, empty where none is named.
    """

    venues: Mapping[str, frozenset[str]] = field(default_factory=dict)
    tokens: Mapping[str, frozenset[str]] = field(default_factory=dict)
    loose: frozenset[str] = frozenset()
    last: str = ""


class Entry(NamedTuple):
    """The meaning of a phrase: the NAME of a venue, or another token of it."""

    token: str
    domain: str
    id: str


@dataclass(slots=True)
class _Phrase:
    """A node in the tree of phrases: the meanings, a pattern that must also match, and the next words."""

    entries: list[Entry] = field(default_factory=list)
    guard: re.Pattern[str] | None = None
    longer: dict[str, _Phrase] = field(default_factory=dict)


class Linker:
    """Finds the venues, addresses, postcodes, phones and train ids of databases in replies.

    The longest phrase wins at each word, so "pizza express fen ditton" does not name "pizza express". A
    name that is an ordinary word, alone or after "the" ("ask", "the place"), counts only where it is
    written with a capital within a sentence or after "called" or "named"; ordinary are the words of
    `lexicon/replies.toml` and those the databases use as area, food, type, price range, station or day.
    """

    def __init__(self, venues: Venues) -> None:
        self.ordinary = reply_words().ordinary | _vocabulary(venues)
        self._phrases = _Phrase()
        self._phones: dict[str, list[Entry]] = {}
        self._taxi = reply_words().taxi | _car_types(venues)
        for domain, rows in venues.rows.items():
            for row in rows:
                self._add_row(domain, row)

    def link(self, reply: str) -> Links:
        """The venues named and the facts given in a reply."""
        words = words_of(reply)
        phrases = self._phrases_in(words, reply)
        loose = set()
        for phone in _phones(reply):
            if phone in self._phones:
                phrases.append(self._phones[phone])
                continue
            loose.add("PHONE")
            if self.speaks_of_taxi(words):
                phrases.append(_TAXI_PHONE)
        if references_in(reply):
            loose.add("REFERENCE")
        return _links(phrases, frozenset(loose)) if phrases or loose else _NO_LINKS

    def speaks_of_taxi(self, words: Iterable[str]) -> bool:
        """Whether one of the words is one for a taxi or a type of car."""
        return not self._taxi.isdisjoint(words)

    def _phrases_in(self, words: list[str], reply: str) -> list[list[Entry]]:
        """The meanings of the phrases in a reply, in order."""
        phrases: list[list[Entry]] = []
        firsts = self._phrases.longer
        guards: dict[re.Pattern[str], bool] = {}
        position, count = 0, len(words)
        while position < count:
            if words[position] in firsts:
                phrase, end = self._longest(words, position)
                if phrase.entries and _is_written(phrase.guard, reply, guards):
                    phrases.append(phrase.entries)
                    position = end
                    continue
            position += 1
        return phrases

    def _longest(self, words: list[str], position: int) -> tuple[_Phrase, int]:
        best, end = self._phrases, position
        phrase = self._phrases
        for place in range(position, len(words)):
            if words[place] not in phrase.longer:
                break
            phrase = phrase.longer[words[place]]
            if phrase.entries:
                best, end = phrase, place + 1
        return best, end

    def _add_row(self, domain: str, row: Mapping[str, str]) -> None:
        if domain == "train":
            self._add_train(row["trainid"])
            return
        key = row.get("id", "")
        for form in name_forms(row.get("name", "")):
            self._add_name(form, Entry("NAME", domain, key))
        for form in address_forms(row.get("address", "")):
            self._add(form, Entry("ADDRESS", domain, key))
        for form in halves(row.get("postcode", ""), -3):
            self._add(form, Entry("POST", domain, key))
        phone = re.sub(r"\D", "", row.get("phone", ""))
        if phone:
            self._phones.setdefault(phone, []).append(Entry("PHONE", domain, key))

    def _add_train(self, key: str) -> None:
        for form in halves(key, 2):
            self._add(form, Entry("NAME", "train", key))
            self._add(form, Entry("TRAINID", "train", key))

    def _add_name(self, form: str, entry: Entry) -> None:
        phrase = self._add(form, entry)
        core = [word for word in words_of(form) if word != "the"]
        if len(core) == 1 and core[0] in self.ordinary:
            phrase.guard = name_pattern(core[0])

    def _add(self, form: str, entry: Entry) -> _Phrase:
        phrase = self._phrases
        for word in words_of(form):
            phrase = phrase.longer.setdefault(word, _Phrase())
        if phrase is not self._phrases and entry not in phrase.entries:
            phrase.entries.append(entry)
        return phrase


_TAXI_PHONE = [Entry("PHONE", "taxi", "")]
_NO_LINKS = Links()


def _is_written(guard: re.Pattern[str] | None, reply: str, known: dict[re.Pattern[str], bool]) -> bool:
    """Whether a phrase counts in a reply; `known` caches the result of each guard for this reply."""
    if guard is None:
        return True
    if guard not in known:
        known[guard] = guard.search(reply) is not None
    return known[guard]


def _vocabulary(venues: Venues) -> frozenset[str]:
    columns = ("area", "food", "type", "pricerange", "departure", "destination", "day")
    values = {row.get(column, "") for rows in venues.rows.values() for row in rows for column in columns}
    return frozenset(word for value in values for word in words_of(value))


def _car_types(venues: Venues) -> frozenset[str]:
    rows = venues.rows.get("taxi", ())
    return frozenset(word for row in rows for word in words_of(row.get("taxi_types", "")))


def _phones(reply: str) -> list[str]:
    if "0" not in reply:
        return []
    return [phone.replace(" ", "").replace("-", "") for phone in _PHONE.findall(reply)]


def references_in(reply: str) -> list[str]:
    """The booking references in a reply: eight letters and digits, mixed as in 7GAWK763.

    Codes of capitals only or digits only count where the reply speaks of a reference.
    """
    codes = _CODE.findall(reply)
    mixed = [code for code in codes if not (code.isalpha() or code.isdigit())]
    if mixed or not codes:
        return mixed
    plain = [code for code in codes if code.isdigit() or code.isupper()]
    return plain if plain and _SAYS_REFERENCE.search(reply) else []


def _links(phrases: list[list[Entry]], loose: frozenset[str]) -> Links:
    venues: dict[str, set[str]] = {}
    last = ""
    for entries in phrases:
        for entry in entries:
            if entry.token == "NAME":
                venues.setdefault(entry.domain, set()).add(entry.id)
                last = entry.domain
    tokens: dict[str, set[str]] = {}
    for entries in phrases:
        for entry in _facts_of(entries, venues):
            tokens.setdefault(entry.domain, set()).add(entry.token)
    return Links(_frozen(venues), _frozen(tokens), loose, last)


def _facts_of(entries: list[Entry], venues: Mapping[str, set[str]]) -> list[Entry]:
    """The facts of one phrase. If domains share the phrase, those with a venue named in the reply get it."""
    facts = [entry for entry in entries if entry.token != "NAME"]
    named = [entry for entry in facts if entry.domain in venues]
    return named or facts


def _frozen(sets: Mapping[str, set[str]]) -> dict[str, frozenset[str]]:
    return {key: frozenset(values) for key, values in sets.items()}


@once_for_each_database
def linker_of(db: Venues) -> Linker:
    """The linker of a database, built once."""
    return Linker(db)
