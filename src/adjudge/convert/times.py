"""Times and amounts as logs write them."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from adjudge.convert.fields import ObjectFields, ReadingNotes, number_of, short
from adjudge.core.usage import Usage

INPUT = ("input_tokens", "prompt_tokens", "inputTokens", "promptTokens", "input_token_count", "input")
OUTPUT = ("output_tokens", "completion_tokens", "outputTokens", "completionTokens", "output_token_count", "output")
# Numbers of seconds since 1970 in finer units are larger than this: milliseconds, microseconds, nanoseconds.
FINE = 1e11


def time_of(value: Any, where: str, notes: ReadingNotes) -> datetime | None:
    """The time that a value says: ISO 8601, or a number since 1970 in seconds or a finer unit; None for nothing."""
    if value in (None, "", 0):
        return None
    time = _parse(value)
    if time is None:
        notes.unread(where, "a time", short(value))
    return time


def usage_of(value: Any, where: str, notes: ReadingNotes, cost: float | None = None) -> Usage | None:
    """What a model call took, from the counts of tokens under any of their usual names; None where there are none."""
    fields = ObjectFields(value, "usage", where, notes)
    tokens_in, tokens_out = fields.number(*INPUT), fields.number(*OUTPUT)
    if cost is None:
        cost = number_of(fields.values.get("cost"))
    if tokens_in is None and tokens_out is None and not cost:
        return None
    return Usage(1, max(0, int(tokens_in or 0)), max(0, int(tokens_out or 0)), cost)


def _parse(value: Any) -> datetime | None:
    number = number_of(value)
    try:
        if number is not None:
            return _since_1970(number)
        return datetime.fromisoformat(_iso(value)) if isinstance(value, str) else None
    except (ValueError, OverflowError, OSError):
        return None


def _since_1970(number: float) -> datetime:
    while abs(number) > FINE:
        number /= 1000
    return datetime.fromtimestamp(number, UTC)


def _iso(text: str) -> str:
    """A time of day with up to six decimals, as datetime takes it."""
    return text.strip().removesuffix(" UTC")
