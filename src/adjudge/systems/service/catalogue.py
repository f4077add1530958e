"""The database as the system looks things up in it: rows by id and name, and the rows that fit a state."""

from __future__ import annotations

from collections.abc import Mapping

from adjudge.suites.service.rules.database import QUERIED, Row, Venues, once_for_each_database
from adjudge.suites.service.rules.values import DONTCARE


class VenueIndex:
    """The rows of a database by id and by name; queries are those of the metrics."""

    def __init__(self, db: Venues) -> None:
        self.db = db
        self._rows: dict[tuple[str, str], list[Row]] = {}
        for domain in QUERIED:
            for row in db.rows.get(domain, ()):
                self._rows.setdefault((domain, key_of(domain, row)), []).append(row)
        self._ids = {
            (domain, row["name"]): row["id"] for domain in QUERIED for row in db.rows.get(domain, ()) if "name" in row
        }

    def row(self, domain: str, key: str, state: Mapping[str, str]) -> Row:
        """The row of an id. Some trains share an id: the row is the one that fits the state best."""
        rows = self._rows[domain, key]
        if len(rows) == 1:
            return rows[0]
        wanted = constraints(domain, state)
        return max(rows, key=lambda row: sum(row.get(slot) == value for slot, value in wanted.items()))

    def fitting_ids(self, domain: str, state: Mapping[str, str]) -> list[str]:
        """The ids of the rows that fit what the state says of a domain, in order; trains in order of departure."""
        wanted = constraints(domain, state)
        key = self._ids.get((domain, wanted.get("name", "").lower()))
        if key:
            # The spellings behind queries rename a few venues to names that the database does not have.
            del wanted["name"]
        ids = self.db.query(domain, wanted)
        if key:
            return [key] if key in ids else []
        if domain == "train":
            return sorted(ids, key=lambda key: self.row("train", key, state)["leave"])
        return sorted(ids, key=lambda key: (len(key), key))

    def id_of(self, domain: str, name: str) -> str:
        """The id of a venue by its name; a train's name is its id. Empty where there is none."""
        if domain == "train":
            return name if ("train", name) in self._rows else ""
        known = self._ids.get((domain, name.lower()))
        return known or min(self.db.query(domain, {"name": name}), default="")


def key_of(domain: str, row: Row) -> str:
    """The id of a row."""
    return row["trainid"] if domain == "train" else row["id"]


def constraints(domain: str, state: Mapping[str, str]) -> dict[str, str]:
    """What the state says of a domain without what belongs to the booking."""
    pairs = ((slot.removeprefix(f"{domain}-"), value) for slot, value in state.items() if slot.startswith(f"{domain}-"))
    return {slot: value for slot, value in pairs if not slot.startswith("book") and value not in ("", DONTCARE)}


def display_name(name: str) -> str:
    """A name as it is written in a sentence.

    >>> display_name("the oak bistro"), display_name("christ's college")
    ('The Oak Bistro', "Christ's College")
    """
    return " ".join(word[:1].upper() + word[1:] for word in name.split())


@once_for_each_database
def catalogue_of(db: Venues) -> VenueIndex:
    """The catalogue of a database, built once."""
    return VenueIndex(db)
