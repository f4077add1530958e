"""Answers that differ slightly from the form asked for: what a judge plainly says is put into that form.

A number may stand in quotes ("4" for 4), a fixed word or the name of a field in other letters ("Entail"), and an object
may have one key too many. Nothing is rounded, clamped or guessed: where two values could be meant, neither is taken.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import inspect

# "4", "-2", "3.5"; not "4/5" and not "four"
_NUMBER = re.compile(r"-?\d{1,15}(?:\.\d{1,15})?", re.ASCII)
_TRUTH = {"true": True, "false": False, "yes": True, "no": False}
_NOTHING = ("none", "null")
# Parts of names under which a second verdict might stand: "final_score", "my rating".
_OF_A_VERDICT = re.compile(
    r"score|rating|grade|points|verdict|answer|result|final|revis|correct|actual|real|instead|chang|new"
)
_LISTS = (inspect.VarTupleType, inspect.ListType)


def letters(text: str) -> str:
    """A word without case, and without what stands between its parts: "Not_Related" is "notrelated"."""
    return "".join(filter(str.isalnum, text.casefold()))


def fit_value(value: Any, kind: Any) -> Any:
    """A value of JSON in the shape of a type if its meaning is plain; otherwise the value itself."""
    if isinstance(kind, inspect.StructType) and isinstance(value, Mapping):
        return _fit_object(value, kind)
    if isinstance(kind, _LISTS) and isinstance(value, list):
        return [fit_value(item, kind.item_type) for item in value]
    if isinstance(kind, inspect.UnionType):
        return _fit_union(value, kind)
    if isinstance(kind, inspect.IntType) and isinstance(value, float) and value.is_integer():
        return int(value)
    return _fit_text(value.strip(), value, kind) if isinstance(value, str) else value


def _fit_text(text: str, value: str, kind: Any) -> Any:
    if isinstance(kind, inspect.IntType | inspect.FloatType) and _NUMBER.fullmatch(text):
        number = float(text)
        return int(number) if number.is_integer() else number
    if isinstance(kind, inspect.BoolType):
        return _TRUTH.get(text.lower(), value)
    if isinstance(kind, inspect.LiteralType):
        same = [word for word in kind.values if letters(str(word)) == letters(text)]
        return same[0] if len(same) == 1 else value
    return value


def _fit_union(value: Any, kind: inspect.UnionType) -> Any:
    """A value for a field that may be empty; of other unions nothing is plain."""
    kinds = [part for part in kind.types if not isinstance(part, inspect.NoneType)]
    if value is None or len(kinds) != 1:
        return value
    takes_text = isinstance(kinds[0], inspect.StrType | inspect.LiteralType)
    if isinstance(value, str) and value.strip().lower() in _NOTHING and not takes_text:
        return None
    return fit_value(value, kinds[0])


def _fit_object(value: Mapping[str, Any], kind: inspect.StructType) -> dict[str, Any]:
    fields = {field.encode_name: field for field in kind.fields}
    named = {_field_name(key, tuple(fields)): part for key, part in value.items()}
    if len(named) < len(value):  # Two keys for one field: it is not plain which of them counts.
        return dict(value)
    extra = [key for key in named if key not in fields]
    if len(extra) == 1 and _is_harmless(extra[0], named[extra[0]], kind.fields):
        del named[extra[0]]
    return {key: fit_value(part, fields[key].type) if key in fields else part for key, part in named.items()}


def _field_name(key: str, fields: Sequence[str]) -> str:
    """The field that a key is the name of, in other letters ("Score"); the key itself if it is none."""
    if key in fields:
        return key
    same = [name for name in fields if letters(name) == letters(key)]
    return same[0] if len(same) == 1 else key


def _is_harmless(key: str, value: Any, fields: Sequence[inspect.Field]) -> bool:
    """Whether a key that was not asked for is only a remark, such as a confidence, and no second verdict."""
    if isinstance(value, Mapping | list):
        return False
    asked = [letters(field.encode_name) for field in fields if not isinstance(field.type, inspect.StrType)]
    name = letters(key)
    return bool(name) and not _OF_A_VERDICT.search(name) and not any(part in name or name in part for part in asked)
