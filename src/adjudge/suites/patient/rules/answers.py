"""Types of a judge's answers, built for the sentences, items or dimensions that a question asks about."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

import msgspec

from adjudge.core.ask import Judge, Question
from adjudge.suites.patient.data import Consultation
from adjudge.suites.patient.lexicon.fields import default_fields

T = TypeVar("T")


def ask_in_portions(
    judge: Judge, about: Sequence[T], size: int, question: Callable[[Sequence[T]], Question[Any]]
) -> list[tuple[T, Any]]:
    """Ask about things in portions; each thing with its part of the answer, whose fields are in the same order."""
    portions = [about[start : start + size] for start in range(0, len(about), size)]
    answers = judge([question(portion) for portion in portions]) if portions else []
    return [
        (each, getattr(answer, name))
        for portion, answer in zip(portions, answers, strict=True)
        for each, name in zip(portion, answer.__struct_fields__, strict=True)
    ]


def answer_of(name: str, fields: Mapping[str, Any]) -> Any:
    """A type with exactly these fields in this order.

    An answer that does not fit the type is asked for again, so no code has to guess what it meant.
    """
    return msgspec.defstruct(name, list(fields.items()), frozen=True, forbid_unknown_fields=True, module=__name__)


def names_of_items(consultation: Consultation) -> tuple[str, ...]:
    """The names of all items that a label may be about, those that the patient cannot know included."""
    return (*default_fields(), *consultation.profile)


def item_codes(items: Iterable[str]) -> dict[str, str]:
    """The names of profile items in an answer: known items keep their names, the user's own get numbers.

    The field names of an answer are part of the instructions to the judge, which must hold no text from the user's
    data.

    >>> item_codes(["age", "shoe_size", "pain", "hat_size"])
    {'age': 'age', 'shoe_size': 'own_1', 'pain': 'pain', 'hat_size': 'own_2'}
    """
    items = list(items)
    own = [item for item in items if item not in default_fields()]
    return {item: f"own_{own.index(item) + 1}" if item in own else item for item in items}
