"""Reference catalogues: in the cells of a dialogue table, in a row, or in a file of their own."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from adjudge.core.errors import BadInput, Warnings
from adjudge.read.decode import check_depth, decode
from adjudge.read.files import rows
from adjudge.suites.trip.data import CatalogueEntry, Leg, PlaceKind
from adjudge.suites.trip.read.cells import UnreadableCell, cell_value
from adjudge.suites.trip.read.facts import NOTHING
from adjudge.suites.trip.read.records import entries_of, legs_of

# "ref_info_restaurants", "reference_information".
COLUMN = re.compile(r"ref_info(?:_(?P<what>.+))?|reference_information", re.IGNORECASE)
KINDS: dict[str, PlaceKind] = {
    "accommodation": "lodging",
    "lodging": "lodging",
    "hotel": "lodging",
    "restaurant": "restaurant",
    "attraction": "attraction",
    "event": "event",
}
# "Restaurants in Rome from March 3".
LISTING = re.compile(
    rf"({'|'.join(KINDS)})s?\s{{1,9}}in\s{{1,9}}(.{{1,100}}?)(?:\s{{1,9}}(?:from|on|between)\s.*)?", re.IGNORECASE
)
# "Flight from Ames to Bend on 2022-03-16".
WAY = re.compile(
    r"(flight|self-driving|taxi)s?\s{1,9}from\s{1,9}(.{1,100}?)\s{1,9}to\s{1,9}(.{1,100}?)(?:\s{1,9}on\s{1,9}(\S+))?",
    re.IGNORECASE,
)
NAME_FIELDS = {"name", "title"}
OBJECT = msgspec.json.Decoder(dict[str, Any])


class ReferenceInformation(Struct, frozen=True):
    """Places and ways to travel."""

    entries: tuple[CatalogueEntry, ...] = ()
    legs: tuple[Leg, ...] = ()

    def __add__(self, other: ReferenceInformation) -> ReferenceInformation:
        """The union of both catalogues; entries in both appear once."""
        return ReferenceInformation(
            tuple(dict.fromkeys((*self.entries, *other.entries))), tuple(dict.fromkeys((*self.legs, *other.legs)))
        )


class ListedReference(Struct, frozen=True):
    """The catalogue in a record of our own, or beside the id of one."""

    catalogue: tuple[CatalogueEntry, ...]
    legs: tuple[Leg, ...] = ()
    id: str = ""


ENTRY = msgspec.json.Decoder(CatalogueEntry)
LISTED = msgspec.json.Decoder(ListedReference)


def is_reference_column(name: str) -> bool:
    """Whether a column holds places of the catalogue."""
    return COLUMN.fullmatch(name) is not None


def column_catalogue(where: str, column: str, value: Any, warnings: Warnings) -> ReferenceInformation:
    """The places and ways to travel in the value of a `ref_info_*` cell."""
    if value in NOTHING:
        return ReferenceInformation()
    if is_reference(value):
        return reference_catalogue(where, column, value, warnings)
    kind = _kind_of_column(column)
    if kind is None:
        warnings.add(
            f"kind {column}",
            f"{where}: {column}: names no kind of place ({', '.join(KINDS)}): left out of the catalogue",
        )
        return ReferenceInformation()
    entries = tuple(entry for city, records in _lists(value) for entry in entries_of(kind, records, city))
    if not entries:
        warnings.add("records", f"{where}: {column}: no record with a name in it; expected a list of places")
    return ReferenceInformation(entries)


def reference_catalogue(where: str, field: str, value: Any, warnings: Warnings) -> ReferenceInformation:
    """The places and ways to travel in reference information: by title, or as a list of descriptions with content."""
    if isinstance(value, str) and value.strip():
        try:
            value = cell_value(where, field, value, warnings)
        except UnreadableCell as fault:
            warnings.add("reference", f"{where}: {field}: {fault}; left out of the catalogue")
            return ReferenceInformation()
    if value in NOTHING:
        return ReferenceInformation()
    if not is_reference(value):
        warnings.add(
            "reference", f"{where}: {field}: found no title such as 'Restaurants in CITY'; left out of the catalogue"
        )
        return ReferenceInformation()
    by_title = _by_title(value)
    if texts := [title for title, content in by_title.items() if isinstance(content, str) and "\n" in content]:
        warnings.add("text", f"{where}: {field}: {texts[0]!r} is a text, not a list of records: left out")
    return catalogue_of(by_title)


def catalogue_of(by_title: dict[str, Any]) -> ReferenceInformation:
    """The places and ways to travel listed under titles; a text such as "No valid information." lists none."""
    entries: list[CatalogueEntry] = []
    legs: list[Leg] = []
    for title, content in by_title.items():
        if match := LISTING.fullmatch(title.strip()):
            entries += entries_of(KINDS[match[1].lower()], content, match[2])
        elif match := WAY.fullmatch(title.strip()):
            mode, origin, destination, day = match.groups("")
            way = {"mode": mode.lower(), "origin": origin, "destination": destination, "date": day}
            legs += legs_of(content, msgspec.convert(way, Leg))
    return ReferenceInformation(tuple(entries), tuple(legs))


def is_reference(value: Any) -> bool:
    """Whether a value is reference information: lists of records by titles such as "Restaurants in Rome"."""
    if isinstance(value, list):
        return any(isinstance(item, dict) and "Description" in item for item in value)
    titles = [str(key).strip() for key in value] if isinstance(value, dict) else []
    return any(LISTING.fullmatch(title) or WAY.fullmatch(title) for title in titles)


class Catalogues:
    """The catalogues of a file: one for all trips, or one for each by its id."""

    def __init__(self, path: Path | None, warnings: Warnings) -> None:
        self.path = path
        self.common = ReferenceInformation()
        self.by_id: dict[str, ReferenceInformation] = {}
        own: list[CatalogueEntry] = []
        for where, row in rows(path, warnings) if path else ():
            check_depth(where, row)
            content = decode(where, row, OBJECT)
            if content.keys() >= {"kind", "name"}:
                own.append(decode(where, row, ENTRY))
            elif "catalogue" in content:
                listed = decode(where, row, LISTED)
                self._add(listed.id, ReferenceInformation(listed.catalogue, listed.legs))
            else:
                self._take(where, content, warnings)
        self.common += ReferenceInformation(tuple(own))
        if path and not self.common.entries and not self.by_id:
            raise BadInput(
                f"{path}: no catalogue in it; expected reference information by title ('Restaurants in CITY': [...]), "
                "rows with idx and ref, or entries with kind and name"
            )

    def of(self, where: str, ids: tuple[str, ...], warnings: Warnings) -> ReferenceInformation:
        """The catalogue of a trip, by the first of its ids in the file."""
        own = next((self.by_id[id] for id in ids if id in self.by_id), None)
        if own is None and self.by_id and not self.common.entries:
            known = ", ".join(list(self.by_id)[:3])
            warnings.add("no catalogue", f"{where}: {self.path} has nothing for {ids[0]!r}; it has {known}, ...")
        return self.common + own if own else self.common

    def _take(self, where: str, content: dict[str, Any], warnings: Warnings) -> None:
        reference = next((content[key] for key in ("ref", "reference_information") if content.get(key)), None)
        id = content.get("idx", content.get("id"))
        if reference is not None:
            catalogue = reference_catalogue(where, "ref", reference, warnings)
            self._add("" if id is None else str(id), catalogue)
        elif is_reference(content):
            self._add("", reference_catalogue(where, "", content, warnings))
        else:
            for name, value in content.items():
                if is_reference(value):
                    self._add(str(name), reference_catalogue(where, name, value, warnings))

    def _add(self, id: str, catalogue: ReferenceInformation) -> None:
        if id:
            self.by_id[id] = self.by_id.get(id, ReferenceInformation()) + catalogue
        else:
            self.common += catalogue


def _kind_of_column(column: str) -> PlaceKind | None:
    match = COLUMN.fullmatch(column)
    what = (match["what"] or "").lower() if match else ""
    return next((kind for word, kind in KINDS.items() if word in what), None)


def _lists(value: Any, city: str = "") -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """The lists of records in a value, each with its city if the city is its key."""
    if isinstance(value, list):
        if records := [item for item in value if _is_record(item)]:
            yield city, records
        for item in value:
            if not _is_record(item):
                yield from _lists(item, city)
    elif _is_record(value):
        yield city, [value]
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _lists(item, "" if key.lower() in ("records", "results", "data", "content") else key)


def _is_record(value: Any) -> bool:
    return isinstance(value, dict) and any(str(key).lower() in NAME_FIELDS for key in value)


def _by_title(value: dict[str, Any] | list[Any]) -> dict[str, Any]:
    if isinstance(value, dict):
        return {str(title): content for title, content in value.items()}
    items = [item for item in value if isinstance(item, dict) and "Description" in item]
    return {str(item["Description"]): item.get("Content") for item in items}
