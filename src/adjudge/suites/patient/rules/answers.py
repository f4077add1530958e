"""Types of a judge's answers that depend on what is asked: so many sentences, these items, those dimensions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from adjudge.suites.patient.lexicon.fields import default_fields


def answer_of(name: str, fields: Mapping[str, Any]) -> Any:
    """A type with exactly these fields in this order.

    Whatever does not fit the type is asked again, so that nothing has to be guessed afterwards.
    """
    return msgspec.defstruct(name, list(fields.items()), frozen=True, forbid_unknown_fields=True, module=__name__)


def item_codes(items: Iterable[str]) -> dict[str, str]:
    """What profile items are called in an answer: usual ones by their names, those of the user's own by number.

    The fields of an answer stand among the instructions, where no text of the user's data may.

    >>> item_codes(["age", "shoe_size", "pain", "hat_size"])
    {'age': 'age', 'shoe_size': 'own_1', 'pain': 'pain', 'hat_size': 'own_2'}
    """
    items = list(items)
    own = [item for item in items if item not in default_fields()]
    return {item: f"own_{own.index(item) + 1}" if item in own else item for item in items}
