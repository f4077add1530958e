"""Profile items: their names, the groups they belong to, and the names others give them."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from keyword import iskeyword
from pathlib import Path
from typing import Any

from msgspec import Struct

from adjudge.core.complaint import BadInput

Profile = dict[str, str]

SOCIAL, HISTORY, VISIT, OTHER = "social", "history", "current visit", "other"
HIDDEN = ("diagnosis", "disposition")
SEPARATOR = "; "
# What stands in a profile where nothing was written down; "none" and "denies" are facts and stay.
UNRECORDED = frozenset(
    (
        *("", "-", "--", "n/a", "na", "null", "nan", "unknown", "unspecified", "not applicable", "no information"),
        *(f"not {word}" for word in ("recorded", "available", "documented", "provided", "specified", "mentioned")),
        *(f"information not {word}" for word in ("available", "provided", "specified")),
    )
)


class Field(Struct, frozen=True, forbid_unknown_fields=True):
    """One profile item: its group, other names for it, how it reads as a sentence, and words that it is talked of in.

    `says` is a sentence with `{value}` in it; `topics` are words of patients and doctors about the item.
    """

    group: str
    aliases: tuple[str, ...] = ()
    says: str = ""
    topics: tuple[str, ...] = ()


class Fields(Struct, frozen=True):
    """The known profile items, and what every name for one is called here."""

    known: Mapping[str, Field]
    names: Mapping[str, str]

    @classmethod
    def load(cls, own: Path | None = None) -> Fields:
        """The items of `fields.toml` and, where given, the aliases of a user's file: `alias = "item"`."""
        known = default_fields()
        names = {_key(alias): name for name, field in known.items() for alias in (name, *field.aliases)}
        added = {alias: names.get(_key(name), name) for alias, name in (_own(own) if own else {}).items()}
        return cls(known, {**names, **added})

    def knows(self, name: str) -> bool:
        """Whether a name is that of a known item or another name for one."""
        return _key(name) in self.names

    def name(self, name: str) -> str:
        """What an item is called here; a name that nobody knows is kept.

        >>> Fields.load().name("chiefcomplaint"), Fields.load().name("Shoe size")
        ('chief_complaint', 'shoe_size')
        """
        known = self.names.get(_key(name))
        if known:
            return known
        own = re.sub(r"[^a-z0-9]+", "_", name.strip().lower()).strip("_")
        return own if own.isidentifier() and not iskeyword(own) else f"item_{own}"


def group_of(name: str) -> str:
    """The group of a profile item: social, history, current visit, or other for items of a user's own."""
    field = default_fields().get(name)
    return field.group if field else OTHER


def says(name: str, value: str) -> str:
    """A profile item as a sentence.

    >>> says("age", "65")
    'The patient is 65 years old.'
    >>> says("age", "8 months")
    "The patient's age is 8 months."
    """
    field = default_fields().get(name)
    if name == "age" and not value.isdecimal():
        return f"The patient's age is {value}."
    return field.says.format(value=value) if field and field.says else f"{name.replace('_', ' ')}: {value}"


def recorded(value: str) -> bool:
    """Whether a profile or an extraction holds a value at all; "not recorded" is none, "none" is one."""
    return value.strip().strip(".").lower() not in UNRECORDED


@cache
def default_fields() -> Mapping[str, Field]:
    """The profile items that are known, by name, in their usual order."""
    raw: dict[str, dict[str, Any]] = tomllib.loads(
        files("adjudge.suites.patient").joinpath("fields.toml").read_text("utf-8")
    )
    return {
        name: Field(
            facts["group"], tuple(facts.get("aliases", ())), facts.get("says", ""), tuple(facts.get("topics", ()))
        )
        for name, facts in raw.items()
    }


def _own(path: Path) -> dict[str, str]:
    try:
        table = tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise BadInput(f'{path}: cannot be read ({error.strerror}); expected aliases in TOML: alias = "item"') from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadInput(f'{path}: not TOML: {error}; expected lines such as smoking = "tobacco"') from None
    for alias, name in table.items():
        if not isinstance(name, str) or not name.strip():
            raise BadInput(f'{path}: {alias}: found {name!r}; expected the name of a profile item, such as "tobacco"')
    return {_key(alias): name for alias, name in table.items()}


def _key(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())
