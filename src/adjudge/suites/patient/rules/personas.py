"""Personas: the words for them, the length of their replies, and what each may leave out."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Literal

import msgspec
from msgspec import Struct

from adjudge.english.normalise import label_key
from adjudge.suites.patient.data import Persona
from adjudge.suites.patient.lexicon import table_of

AXES = ("personality", "language", "recall", "confusion")


class Expectation(Struct, frozen=True, forbid_unknown_fields=True):
    """What patients with one value of a persona axis leave out or blur.

    `items` are the profile items concerned, `details` the kinds of detail, and `allows` the same in words. `shifts`
    says whether such patients understate an item ("down") or overstate it ("up").
    """

    axis: str
    value: str
    allows: str
    items: tuple[str, ...] = ()
    details: tuple[str, ...] = ()
    shifts: Literal["", "down", "up"] = ""


class ReplyLimits(Struct, frozen=True):
    """The most sentences in a reply, and the most words in a sentence."""

    sentences: int
    words: int


def canonical(axis: str, word: str) -> str | None:
    """The value of an axis that a word means; None for an unknown word.

    >>> canonical("personality", "Overly Positive"), canonical("language", "B2"), canonical("recall", "sometimes")
    ('pleasing', 'B', None)
    """
    return _words()[axis].get(label_key(word))


def values(axis: str) -> list[str]:
    """The values that an axis can have."""
    return list(table_of("personas")["words"][axis])


def limits(persona: Persona) -> ReplyLimits | None:
    """The limits on the length of this persona's replies; None if its personality is unknown."""
    if persona.personality not in table_of("personas")["words"]["personality"]:
        return None
    defaults = table_of("personas")["limits"]
    own = defaults["personality"].get(persona.personality, {})
    return ReplyLimits(own.get("sentences", defaults["sentences"]), own.get("words", defaults["words"]))


def expectations(persona: Persona) -> list[Expectation]:
    """What this persona may leave out or blur, in the order of the table."""
    return [expectation for expectation in _expectations() if getattr(persona, expectation.axis) == expectation.value]


def shift(persona: Persona, item: str) -> str:
    """Whether this persona understates an item ("down") or overstates it ("up"); empty for neither."""
    shifts = (expectation.shifts for expectation in expectations(persona) if item in expectation.items)
    return next(filter(None, shifts), "")


@cache
def _expectations() -> list[Expectation]:
    return msgspec.convert(table_of("personas")["expectations"], list[Expectation])


@cache
def _words() -> Mapping[str, Mapping[str, str]]:
    return {
        axis: {label_key(word): value for value, others in table.items() for word in (value, *others)}
        for axis, table in table_of("personas")["words"].items()
    }
