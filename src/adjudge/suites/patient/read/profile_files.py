"""Reads files of profiles, which belong to conversations in other files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from adjudge.core.credentials import protection_of
from adjudge.core.errors import BadInput, Warnings
from adjudge.read.decode import check_depth, decode, lenient_row, refuse_duplicate_keys
from adjudge.read.files import rows
from adjudge.read.tables import is_table
from adjudge.suites.patient.data import NO_PERSONA, Persona
from adjudge.suites.patient.lexicon.fields import Profile, ProfileItems, key_of
from adjudge.suites.patient.read.cases import case_id, case_profile, is_case
from adjudge.suites.patient.read.drafts import Trait
from adjudge.suites.patient.read.profiles import IDS, PERSONAS, PROFILES, ROWS, is_trait, persona_of, profile_of
from adjudge.suites.patient.read.table_cells import cells_of

# Keys of a row that are not profile items, although they stand among them.
BESIDE = frozenset(
    map(key_of, (*IDS, *PERSONAS, "credentialed", "arm", "trial", "split", "messages", "dialog_history"))
)


class GivenProfile(Struct, frozen=True):
    """A profile of `--profiles`, the persona given with it, and whether it comes from data under an agreement."""

    profile: Profile
    persona: Persona = NO_PERSONA
    credentialed: bool = False


class Profiles:
    """The profiles of a file, by the id of the conversation they belong to."""

    def __init__(self, path: Path | None, fields: ProfileItems, warnings: Warnings, lenient: bool = False) -> None:
        self.path = path
        self.by_id: dict[str, GivenProfile] = {}
        for where, row in _rows_beside(path, warnings) if path else ():
            row = lenient_row(where, row, warnings) if lenient else row
            for id, raw in _by_id(where, row):
                profile = profile_of(where, _beside(raw), fields, warnings)
                persona = persona_of(_traits_beside(where, raw), warnings)
                self._add(where, id, GivenProfile(profile, persona, bool(protection_of(raw))))

    def key(self, id: str, case: str) -> str | None:
        """The id in the file of the profile that belongs to a conversation; None if it has none."""
        return next((name for name in (id, case, id.removeprefix("patient_")) if name and name in self.by_id), None)

    def of(self, id: str, case: str) -> GivenProfile:
        """The profile that belongs to a conversation; empty if the file has none."""
        key = self.key(id, case)
        return GivenProfile({}) if key is None else self.by_id[key]

    def _add(self, where: str, id: str, beside: GivenProfile) -> None:
        if not beside.profile:
            raise BadInput(f"{where}: {id}: nothing recorded; expected profile items, such as age and chief_complaint")
        if self.by_id.setdefault(id, beside) != beside:
            raise BadInput(f"{where}: {id}: occurs twice with different content; expected one profile for each id")


def _rows_beside(path: Path, warnings: Warnings) -> Iterator[tuple[str, bytes]]:
    """The rows of a file of profiles, which may be a table."""
    if not is_table(path):
        yield from rows(path, warnings)
        return
    for where, cells in cells_of(path, "utf-8", warnings):
        yield where, msgspec.json.encode({name: cell for name, cell in cells.items() if cell})


def _by_id(where: str, row: bytes) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The profiles of a row: a case, one profile that names its id, or a dict of profiles by id."""
    check_depth(where, row)
    refuse_duplicate_keys(where, row)
    raw = decode(where, row, ROWS)
    if is_case(raw):
        yield case_id(where), case_profile(where, row, raw)
    elif id := _id_beside(raw):
        yield id, raw
    elif raw and all(isinstance(value, Mapping) for value in raw.values()):
        yield from raw.items()
    else:
        names = ", ".join(map(repr, list(raw)[:5])) or "nothing"
        raise BadInput(
            f"{where}: found {names}; expected profiles by the id of the conversation: {{id: profile}}, or an `id` in "
            "each profile"
        )


def _id_beside(raw: Mapping[str, Any]) -> str:
    """The id in a row of a file of profiles; empty if it has none."""
    given = {key_of(name): str(value) for name, value in raw.items() if isinstance(value, str | int)}
    return next((given[name] for name in map(key_of, IDS) if given.get(name)), "")


def _beside(raw: Mapping[str, Any]) -> Mapping[str, Any]:
    """The items in a row of a file of profiles: its profile object, or all keys that may be items."""
    for name in PROFILES:
        if isinstance(own := raw.get(name), Mapping):
            return own
    return {name: value for name, value in raw.items() if key_of(name) not in BESIDE and not is_trait(name, value)}


def _traits_beside(where: str, raw: Mapping[str, Any]) -> list[Trait]:
    """The traits in a row of a file of profiles: those of its persona object, and those among its items."""
    persona: Any = next((raw[name] for name in PERSONAS if raw.get(name)), {})
    inside = persona if isinstance(persona, Mapping) else {"personality": persona}
    traits = {**{name: value for name, value in raw.items() if is_trait(name, value)}, **inside}
    return [Trait(name, value, where, name) for name, value in traits.items()]
