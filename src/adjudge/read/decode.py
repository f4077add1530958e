"""From a raw row to a typed record, or a complaint that says what is wrong and where."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, TypeVar

import msgspec

from adjudge.core.errors import BadRecord, Complaint, Warnings, bad_record
from adjudge.read.malformed import depth, describe_malformed, lone_surrogates
from adjudge.read.mismatch import mismatch
from adjudge.read.source import LIMITS, ReadLimits

T = TypeVar("T")

REPLACEMENT_ESCAPE = rb"\ufffd"
REPLACEMENT = "\ufffd".encode()


class Pairs(tuple[tuple[str, Any], ...]):
    """The keys and values of a JSON object as they stand, repeated keys included."""


def decode(where: str, raw: bytes, decoder: msgspec.json.Decoder[T]) -> T:
    """The record of one row; raises BadRecord."""
    try:
        return decoder.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as fault:
        raise BadRecord(_complaint(where, raw, decoder.type, fault)) from None


def check_depth(where: str, raw: bytes, limits: ReadLimits = LIMITS) -> None:
    """Raise BadRecord where JSON is nested deeper than the limit; for rows decoded without a type."""
    if raw.count(b"[") + raw.count(b"{") > limits.depth and (levels := depth(raw)) > limits.depth:
        raise bad_record(where, f"nested {levels:,} levels deep; expected at most {limits.depth}")


def replace_surrogates(raw: bytes) -> tuple[bytes, int]:
    r"""The row with every lone surrogate replaced by U+FFFD, and how many there were.

    >>> replace_surrogates(rb'"a\ud83d"')
    (b'"a\\ufffd"', 1)
    """
    places = list(lone_surrogates(raw))
    replaced = bytearray(raw)
    for place in places:
        mark = REPLACEMENT_ESCAPE if raw[place : place + 1] == b"\\" else REPLACEMENT
        # Both are as long as what they replace, so offsets stay what they are.
        replaced[place : place + len(mark)] = mark
    return bytes(replaced), len(places)


def lenient_row(where: str, row: bytes, warnings: Warnings) -> bytes:
    """The row with lone surrogates replaced, each counted."""
    row, count = replace_surrogates(row)
    for _ in range(count):
        warnings.add("surrogate", f"{where}: a lone surrogate was replaced by U+FFFD")
    return row


def refuse_duplicate_keys(where: str, raw: bytes) -> None:
    """Raise BadRecord if a key occurs twice in one object; a decoder would silently keep the last one."""
    if repeated := duplicate_keys(raw):
        raise bad_record(where, "this key occurs twice in one object; expected it once", repeated[0])


def duplicate_keys(raw: bytes) -> list[str]:
    """Paths of keys that stand twice in one object; none for text that is not JSON.

    >>> duplicate_keys(b'{"turns": [{"id": 1, "id": 2}]}')
    ['turns[0].id']
    """
    if _has_as_many_keys_decoded(raw):
        return []
    try:
        json.loads(raw, object_pairs_hook=_refuse_twice)
    except KeyError:
        return sorted(set(_repeated_keys(json.loads(raw, object_pairs_hook=Pairs), "")))
    except (ValueError, RecursionError):
        pass
    return []


def _has_as_many_keys_decoded(raw: bytes) -> bool:
    """Whether decoding loses no key, by the quotation marks around keys and texts; a quick look that most rows pass.

    A repeated key is lost with its two marks. Only an escaped mark that is written as a number could make up for it.
    """
    try:
        kept = msgspec.json.encode(msgspec.json.decode(raw))
    except (ValueError, RecursionError):
        return False
    return raw.count(b'"') == kept.count(b'"') and b"\\u0022" not in raw


def _refuse_twice(pairs: list[tuple[str, Any]]) -> None:
    if len(dict(pairs)) < len(pairs):
        raise KeyError


def _complaint(where: str, raw: bytes, kind: Any, fault: Exception) -> Complaint:
    if isinstance(fault, msgspec.ValidationError):
        return mismatch(where, raw, kind, str(fault))
    return Complaint(where, describe_malformed(raw, fault))


def _repeated_keys(value: Any, path: str) -> Iterator[str]:
    if isinstance(value, Pairs):
        seen: set[str] = set()
        for key, item in value:
            place = f"{path}.{key}" if path else key
            if key in seen:
                yield place
            seen.add(key)
            yield from _repeated_keys(item, place)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _repeated_keys(item, f"{path}[{index}]")
