"""What the databases hold, to check the claims of replies against."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from rapidfuzz import fuzz, process

from adjudge.suites.service.rules.claims import Kind, ReplyClaim, address_key, code_key, phone_key
from adjudge.suites.service.rules.database import Row, Venues, once_for_each_database
from adjudge.suites.service.rules.linking import linker_of
from adjudge.suites.service.rules.phrases import words_of

# A name this close to one of the databases (in percent) is that name with a slip: "acorn gueshouse".
_SLIP = 85
# The column of each kind of claim, and the form in which a cell and a claim are compared.
_COLUMNS: dict[Kind, tuple[str, Callable[[str], str]]] = {
    "phone": ("phone", phone_key),
    "postcode": ("postcode", code_key),
    "train": ("trainid", code_key),
    "address": ("address", address_key),
}


class Owner(NamedTuple):
    """The row of a database that holds a fact: its domain, id and name (both empty for trains)."""

    domain: str
    id: str
    name: str


class Facts:
    """The names, phones, addresses, postcodes and train ids of databases, each with the rows that have it."""

    def __init__(self, venues: Venues) -> None:
        self._linker = linker_of(venues)
        self._owners: dict[Kind, dict[str, set[Owner]]] = {kind: {} for kind in _COLUMNS}
        self._names: list[str] = []
        for domain, rows in venues.rows.items():
            for row in rows:
                self._add(domain, row)
        addresses = {word for address in self._owners["address"] for word in address.split()}
        self._ordinary = self._linker.ordinary | addresses

    def owners(self, claim: ReplyClaim) -> set[Owner]:
        """The rows that hold a phone, postcode, train id or address; for a part of an address, all that have it."""
        known = self._owners[claim.kind]
        key = _COLUMNS[claim.kind][1](claim.text)
        if claim.kind != "address" or key in known:
            return known.get(key, set())
        return {owner for address, owners in known.items() if f" {key} " in f" {address} " for owner in owners}

    def knows_venue(self, name: str) -> bool:
        """Whether a name is that of a venue, a part of one or one with a slip, or made of ordinary words alone."""
        words = _words_of_name(name)
        if self._ordinary.issuperset(words) or self._linker.link(name).venues:
            return True
        joined = "".join(words)
        if any(joined in known.replace(" ", "") for known in self._names):
            return True
        return process.extractOne(" ".join(words), self._names, scorer=fuzz.ratio, score_cutoff=_SLIP) is not None

    def distinctive_words(self, name: str) -> set[str]:
        """The words by which a venue is known: "lovell" of "lovell lodge"; none where all are ordinary."""
        return set(_words_of_name(name)) - self._ordinary

    def _add(self, domain: str, row: Row) -> None:
        name = row.get("name", "")
        if name:
            self._names.append(" ".join(_words_of_name(name)))
        for kind, (column, key) in _COLUMNS.items():
            if cell := row.get(column, ""):
                self._owners[kind].setdefault(key(cell), set()).add(Owner(domain, row.get("id", ""), name))


def _words_of_name(name: str) -> list[str]:
    return [word for word in words_of(name) if word != "the"]


@once_for_each_database
def facts_of(db: Venues) -> Facts:
    """The facts of a database, collected once."""
    return Facts(db)
