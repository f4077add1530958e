"""Puts what a profile says about a patient into the patient's own mouth."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from msgspec import Struct

from adjudge.systems.patient.tables import read_table

# "the patient", "Patient", "this infant"; pronouns are added by gender.
_PATIENT = r"\b(?:(?:the|this) (?:patient|infant|child|baby|newborn|boy|girl|man|woman)|patient|<subject>)"


class Rewrite(Struct, frozen=True, forbid_unknown_fields=True):
    """An expression and what takes its place, with an example."""

    find: str
    say: str
    example: str
    spoken: str


class FirstPerson(Struct, frozen=True, forbid_unknown_fields=True):
    """The expressions of `first_person.toml`, and the pronouns of each gender."""

    pronouns: dict[str, dict[str, str]]
    rewrites: tuple[Rewrite, ...]


@lru_cache(maxsize=20_000)
def in_first_person(text: str, gender: str = "") -> str:
    """A sentence of a profile as the patient says it; pronouns of the other gender are left alone.

    >>> in_first_person("The patient reports that her husband found her on the floor.", "female")
    'My husband found me on the floor.'
    """
    if text[1:2].islower():
        text = text[0].lower() + text[1:]
    for pattern, say in _rewrites(_kind(gender)):
        text = pattern.sub(say, text)
    return text[:1].upper() + text[1:]


def _kind(gender: str) -> str:
    initial = gender.strip().lower()[:1]
    return {"f": "female", "w": "female", "m": "male"}.get(initial, "unknown")


@cache
def _rewrites(kind: str) -> list[tuple[re.Pattern[str], str]]:
    table = read_table("first_person", FirstPerson)
    return [(re.compile(_fill(each.find, table.pronouns[kind]), re.IGNORECASE), each.say) for each in table.rewrites]


def _fill(pattern: str, pronouns: dict[str, str]) -> str:
    for name, words in {"patient": _PATIENT, **pronouns}.items():
        pattern = pattern.replace(f"<{name}>", words)
    return pattern
