"""Equipment: the tools of the outside world that a run is given, and what they cost."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Protocol

from msgspec import Struct


class Usage(Struct, omit_defaults=True):
    """What asking cost: calls sent, answers taken from the cache, tokens, and money (None: price unknown)."""

    calls: int = 0
    cached: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float | None = 0.0

    def add(self, other: Usage) -> None:
        """Add what another cost; an unknown price makes the sum unknown."""
        self.calls += other.calls
        self.cached += other.cached
        self.input_tokens += other.input_tokens
        self.output_tokens += other.output_tokens
        self.cost = None if self.cost is None or other.cost is None else self.cost + other.cost


class Equipment(Protocol):
    """Judges, embedders and the like: named before a run, opened with its folder, accounted for after it."""

    @property
    def identity(self) -> Mapping[str, str]:
        """What is named in the run, since other tools give other scores."""

    def open(self, folder: Path) -> AbstractContextManager[Mapping[str, object]]:
        """The tools by the name metrics take them under; closed at the end of the run."""

    def usage(self) -> dict[str, Usage]:
        """What was spent, by metric."""


class NoEquipment:
    """No tools but the suite's own: everything is computed here and offline."""

    identity: Mapping[str, str] = {}

    def open(self, folder: Path) -> AbstractContextManager[Mapping[str, object]]:
        """Nothing to open."""
        return nullcontext({})

    def usage(self) -> dict[str, Usage]:
        """Nothing was spent."""
        return {}
