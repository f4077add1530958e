"""Decoding rows whose states hold numbers where texts are expected."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeVar

import msgspec

from adjudge.core.errors import BadRecord, Warnings
from adjudge.read.decode import decode

T = TypeVar("T")

# The keys under which the layouts keep slot values.
STATE_KEYS = frozenset({"slot_values", "state", "slots_values_list"})


def decode_with_texts(where: str, raw: bytes, decoder: msgspec.json.Decoder[T], warnings: Warnings) -> T:
    """The decoded row, with numbers in states taken as text; raises BadRecord where more than that is wrong."""
    try:
        return decoder.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return _decode_slowly(where, raw, decoder, warnings)


def text_of(value: str | float) -> str:
    """A value as text; a whole number has no decimals.

    >>> text_of(2.0), text_of(2), text_of("two")
    ('2', '2', 'two')
    """
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def _decode_slowly(where: str, raw: bytes, decoder: msgspec.json.Decoder[T], warnings: Warnings) -> T:
    try:
        return decode(where, raw, decoder)
    except BadRecord:
        try:
            untyped = _NumbersAsText(where, warnings).copy(msgspec.json.decode(raw))
            record: T = msgspec.convert(untyped, decoder.type)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            pass
        else:
            return record
        raise


@dataclass(frozen=True)
class _NumbersAsText:
    """Copies the values of a row with the numbers within states as text, with one warning for each slot."""

    where: str
    warnings: Warnings

    def copy(self, value: Any) -> Any:
        """A copy of what may hold states."""
        if isinstance(value, dict):
            return {key: self.copy_state(item) if key in STATE_KEYS else self.copy(item) for key, item in value.items()}
        return [self.copy(item) for item in value] if isinstance(value, list) else value

    def copy_state(self, value: Any, slot: str = "") -> Any:
        """A copy of a state, or of what it holds for a slot."""
        if isinstance(value, dict):
            return {key: self.copy_state(item, key) for key, item in value.items()}
        if isinstance(value, list):
            return [self.copy_state(item, slot) for item in value]
        if isinstance(value, bool) or not isinstance(value, int | float):
            return value
        text = text_of(value)
        self.warnings.add(
            f"number:{slot}", f"{self.where}: {slot}: found the number {value!r}, taken as the text {text!r}"
        )
        return text
