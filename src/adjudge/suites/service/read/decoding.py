"""Decoding rows whose states hold numbers where texts are expected."""

from __future__ import annotations

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
            untyped = _numbers_as_text(msgspec.json.decode(raw), where, warnings)
            record: T = msgspec.convert(untyped, decoder.type)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            pass
        else:
            return record
        raise


def _numbers_as_text(value: Any, where: str, warnings: Warnings, inside: bool = False, slot: str = "") -> Any:
    """A copy in which numbers within states are text, with one warning for each slot."""
    if isinstance(value, dict):
        return {
            key: _numbers_as_text(item, where, warnings, inside or key in STATE_KEYS, key if inside else slot)
            for key, item in value.items()
        }
    if isinstance(value, list):
        return [_numbers_as_text(item, where, warnings, inside, slot) for item in value]
    if inside and isinstance(value, int | float) and not isinstance(value, bool):
        text = text_of(value)
        warnings.add(f"number:{slot}", f"{where}: {slot}: found the number {value!r}, taken as the text {text!r}")
        return text
    return value
