"""Usage: what asking a model took."""

from __future__ import annotations

from msgspec import Struct


class Usage(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """The number of calls, their tokens, and their cost in US dollars; a cost of None is unknown."""

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float | None = None

    def __add__(self, other: Usage) -> Usage:
        """The sum of both; its cost is unknown if the cost of any call is unknown. Zero calls cost 0."""
        unknown = (self.calls and self.cost is None) or (other.calls and other.cost is None)
        return Usage(
            self.calls + other.calls,
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            None if unknown else (self.cost or 0.0) + (other.cost or 0.0),
        )
