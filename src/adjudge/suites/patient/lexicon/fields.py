"""Profile items: their names, their groups, and their aliases in other data."""

from __future__ import annotations

import tomllib
import unicodedata
from collections.abc import Mapping
from functools import cache, lru_cache
from keyword import iskeyword
from pathlib import Path
from typing import Any

from msgspec import Struct

from adjudge.core.errors import BadInput, Warnings, did_you_mean
from adjudge.suites.patient.lexicon import table_of

Profile = dict[str, str]

SOCIAL, HISTORY, VISIT, OTHER = "social", "history", "current visit", "other"
# Items that the patient cannot know during the visit.
HIDDEN = ("diagnosis", "disposition")
# Joins several values of one item.
SEPARATOR = "; "
# Values that mean that nothing was recorded. "none" and "denies" are not among them, because they are facts.
UNRECORDED = frozenset(
    (
        *("", "-", "--", "n/a", "na", "null", "nan", "unknown", "unspecified", "not applicable", "no information"),
        *(f"not {word}" for word in ("recorded", "available", "documented", "provided", "specified", "mentioned")),
        *(f"information not {word}" for word in ("available", "provided", "specified")),
    )
)


class ProfileItem(Struct, frozen=True, forbid_unknown_fields=True):
    """One profile item: its group and other names for it."""

    group: str
    aliases: tuple[str, ...] = ()


class ProfileItems(Struct, frozen=True):
    """The names of profile items by the keys of all their names and aliases."""

    names: Mapping[str, str]

    @classmethod
    def load(cls, own: Path | None = None, warnings: Warnings | None = None) -> ProfileItems:
        """The items of `fields.toml`, and the aliases in a user's file (`alias = "item"`) if one is given.

        An alias for an unknown item creates an item of the user's own, with a warning.
        """
        known = default_fields()
        names = {key_of(alias): name for name, field in known.items() for alias in (name, *field.aliases)}
        default, added = cls(names), _own(own) if own else {}
        for alias, name in added.items():
            if warnings is not None and not default.knows(name):
                warnings.add("alias", f"{own}: {alias}: {name!r} {_unknown(name, known)}")
        return cls({**names, **{key_of(alias): default.name(name) for alias, name in added.items()}})

    def knows(self, name: str) -> bool:
        """Whether a name is a known item or an alias of one."""
        return key_of(name) in self.names

    def name(self, name: str) -> str:
        """The name of an item in this suite; an unknown name is kept, in lower case with underscores.

        The result is empty if the name has no letter or digit. Otherwise it is always a valid field name of a struct.

        >>> [ProfileItems.load().name(name) for name in ("chiefcomplaint", "Shoe size", "Größe", "class", "%")]
        ['chief_complaint', 'shoe_size', 'grösse', 'item_class', '']
        """
        own = "_".join(_words(name))
        known = self.names.get(key_of(name))
        return known or (own if not own or (own.isidentifier() and not iskeyword(own)) else f"item_{own}")


def key_of(name: str) -> str:
    """The key by which names are compared: their letters and digits, without case, spaces and punctuation.

    >>> key_of("Chief-Complaint"), key_of("HADM_ID"), key_of("%")
    ('chiefcomplaint', 'hadmid', '')
    """
    return "".join(_words(name))


def group_of(name: str) -> str:
    """The group of a profile item: social, history, current visit, or other for items of a user's own."""
    field = default_fields().get(name)
    return field.group if field else OTHER


def is_recorded(value: str) -> bool:
    """Whether a text is a recorded value; "not recorded" is not, but "none" is."""
    return value.strip().strip(".").lower() not in UNRECORDED


@cache
def default_fields() -> Mapping[str, ProfileItem]:
    """The known profile items by name, in the order of `fields.toml`."""
    raw: dict[str, dict[str, Any]] = table_of("fields")
    return {name: ProfileItem(facts["group"], tuple(facts.get("aliases", ()))) for name, facts in raw.items()}


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
        if nameless := [each for each in (alias, name) if not key_of(each)]:
            raise BadInput(f"{path}: {alias}: found {nameless[0]!r}; expected a name with a letter or a digit")
    return table


def _unknown(name: str, known: Mapping[str, ProfileItem]) -> str:
    every = [word for item, field in known.items() for word in (item, *field.aliases)]
    return f"is no known item, so it is one of your own{did_you_mean(name.lower(), every)}"


@lru_cache(maxsize=4096)
def _words(name: str) -> tuple[str, ...]:
    """The words of a name: letters, digits and the marks on them, of any script, in one spelling."""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    # Keeps the characters that may continue an identifier. \w would split letters from their vowel signs.
    return tuple("".join(letter if f"a{letter}".isidentifier() and letter != "_" else " " for letter in folded).split())
