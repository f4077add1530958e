"""Equipment: the tools of the outside world that a run is given, and what they cost."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Protocol

from msgspec import Struct


class Usage(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """What asking took: calls, their tokens, and their cost in US dollars; a cost of None is unknown."""

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float | None = None

    def __add__(self, other: Usage) -> Usage:
        """Both together: unknown if the cost of any call is; no calls cost nothing."""
        unknown = any(usage.calls and usage.cost is None for usage in (self, other))
        return Usage(
            self.calls + other.calls,
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            None if unknown else (self.cost or 0.0) + (other.cost or 0.0),
        )


class Equipment(Protocol):
    """Judges, embedders and the like: named before a run, opened with its folder, accounted for after it."""

    def identity(self, needed: Collection[str]) -> Mapping[str, str]:
        """What is named in the run of the needed tools, since other tools give other scores."""

    def open(self, folder: Path, needed: Collection[str]) -> AbstractContextManager[Mapping[str, object]]:
        """Those of the needed tools that there are, by the name metrics take them under; closed at the run's end."""

    def usage(self) -> dict[str, Usage]:
        """What was spent, by metric."""


class NoEquipment:
    """No tools but the suite's own: everything is computed here and offline."""

    def identity(self, needed: Collection[str]) -> Mapping[str, str]:
        """Nothing to name."""
        return {}

    def open(self, folder: Path, needed: Collection[str]) -> AbstractContextManager[Mapping[str, object]]:
        """Nothing to open."""
        return nullcontext({})

    def usage(self) -> dict[str, Usage]:
        """Nothing was spent."""
        return {}
