"""What labels mean for a field of an answer: its type, the value of one label, and of several raters' together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from statistics import fmean
from typing import Any

from msgspec import Struct, inspect

from adjudge.core.ask import NO_LABEL, NoLabel
from adjudge.core.errors import BadInput
from adjudge.read.labels import Label

NOTHING = ("none", "nothing", "null")
YES, NO = ("yes", "true", "y"), ("no", "false", "n")
_LISTS = (inspect.VarTupleType, inspect.ListType)


class ExpectedType(Struct, frozen=True):
    """The type that a label is read as; `optional` where the field may hold nothing at all."""

    type: Any
    optional: bool = False

    @property
    def numeric(self) -> bool:
        """Whether several raters combine by their mean; otherwise by majority."""
        return isinstance(self.type, inspect.IntType | inspect.FloatType)


def expected_at(answer: Any, path: str) -> ExpectedType:
    """The type of the field at a path of an answer type; a path may go through the elements of a list."""
    kind = answer
    for name in path.split("."):
        kind = kind.item_type if isinstance(kind, _LISTS) else kind
        fields = {field.name: field.type for field in kind.fields} if isinstance(kind, inspect.StructType) else {}
        if name not in fields:
            raise BadInput(f"a question says that it is about {path!r}, which its answer does not have")
        kind = fields[name]
    return _expected_type(kind)


def list_above(answer: Any, path: str) -> str | None:
    """The path of the list that a field is in or is itself; None where there is none."""
    parts = path.split(".")
    for number in range(1, len(parts) + 1):
        if isinstance(expected_at(answer, ".".join(parts[:number])).type, _LISTS):
            return ".".join(parts[:number])
    return None


def read_value(label: Label, expected: ExpectedType) -> Any:
    """What a label says, as the field's type; raises BadInput with the label's place where it does not fit."""
    value = label.label
    word = value.strip().casefold() if isinstance(value, str) else ""
    if expected.optional and (word in NOTHING or (value == 0.0 and isinstance(expected.type, inspect.StrType))):
        return None
    if isinstance(expected.type, inspect.StrType):
        return label.why or "labelled as told" if value == 1.0 else _text(value)
    if isinstance(expected.type, inspect.LiteralType):
        return _choice(label, word, expected.type.values)
    number = 1.0 if word in YES else 0.0 if word in NO else value
    if isinstance(number, str):
        raise _unfit(label, _describe_range(expected))
    if isinstance(expected.type, (*_LISTS, inspect.BoolType)):
        if number not in (0.0, 1.0):
            raise _unfit(label, "1 or 0, yes or no")
        return bool(number)
    low, high = getattr(expected.type, "ge", None), getattr(expected.type, "le", None)
    if (low is not None and number < low) or (high is not None and number > high):
        raise _unfit(label, _describe_range(expected))
    return number


def combine(values: Sequence[Any], expected: ExpectedType) -> Any | NoLabel:
    """What several raters say together: the mean of numbers, the majority of words; a tie is no label.

    Where some say that there is nothing, the majority decides on that first.
    """
    stated = [value for value in values if value is not None]
    if len(stated) < len(values):
        nothing = len(values) - len(stated)
        if nothing == len(stated):
            return NO_LABEL
        if nothing > len(stated):
            return None
    if expected.numeric:
        return fmean(stated)
    if isinstance(expected.type, inspect.StrType):
        return stated[0]
    (first, most), *others = Counter(stated).most_common(2)
    return NO_LABEL if others and others[0][1] == most else first


def _expected_type(kind: Any) -> ExpectedType:
    if not isinstance(kind, inspect.UnionType):
        return ExpectedType(kind)
    rest = [part for part in kind.types if not isinstance(part, inspect.NoneType)]
    return ExpectedType(rest[0], optional=len(rest) < len(kind.types))


def _choice(label: Label, word: str, values: Sequence[Any]) -> Any:
    for value in values:
        if str(value).casefold() == (word or _text(label.label)):
            return value
    raise _unfit(label, f"one of {', '.join(map(str, values))}")


def _text(value: str | float) -> str:
    return value if isinstance(value, str) else f"{value:g}"


def _describe_range(expected: ExpectedType) -> str:
    low, high = getattr(expected.type, "ge", None), getattr(expected.type, "le", None)
    numbers = "a number" if low is None or high is None else f"a number from {low} to {high}"
    return f"{numbers} or none" if expected.optional else numbers


def _unfit(label: Label, wanted: str) -> BadInput:
    name = label.field or label.metric
    return BadInput(f"{label.where}: label: found {_text(label.label)!r} for {name}; expected {wanted}")
