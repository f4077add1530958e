"""Equipment: the judges, embedders and servers of a run, and what they cost."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Protocol

from msgspec import Struct

from adjudge.core.usage import Usage


class Contents(Struct, frozen=True):
    """What a run is about: its arms and cases, the number of its records and of those that are credentialed.

    `metrics` are all metrics of the suite by name, `tools` the tools that the chosen ones take.
    """

    arms: Sequence[str]
    cases: Collection[str] = ()
    metrics: Collection[str] = ()
    tools: Collection[str] = ()
    records: int = 0
    credentialed: int = 0


class Equipment(Protocol):
    """Judges, embedders and similar tools: named before a run, opened with its folder, and with their cost after it."""

    def identity(self, needed: Collection[str]) -> Mapping[str, str]:
        """The names of the needed tools that the run records, because other tools give other scores."""

    def plan_options(self) -> Mapping[str, object]:
        """The options of a plan that are set together with the tools, such as `rubrics` and `canaries`."""

    def warnings(self, contents: Contents) -> list[str]:
        """What users should know before these tools are used on these records, a sentence each."""

    def open(self, folder: Path, needed: Collection[str]) -> AbstractContextManager[Mapping[str, object]]:
        """The available ones of the needed tools, by the parameter name in metrics; closed at the end of the run."""

    def closing_remarks(self) -> list[str]:
        """What users should know after the run, a sentence each."""

    def usage(self) -> dict[str, Usage]:
        """What was spent, by metric."""


class NoEquipment:
    """No tools but the suite's own: everything is computed here and offline."""

    def identity(self, needed: Collection[str]) -> Mapping[str, str]:
        """Nothing to name."""
        return {}

    def plan_options(self) -> Mapping[str, object]:
        """No options."""
        return {}

    def warnings(self, contents: Contents) -> list[str]:
        """Nothing to warn of."""
        return []

    def open(self, folder: Path, needed: Collection[str]) -> AbstractContextManager[Mapping[str, object]]:
        """Nothing to open."""
        return nullcontext({})

    def closing_remarks(self) -> list[str]:
        """Nothing to remark on."""
        return []

    def usage(self) -> dict[str, Usage]:
        """Nothing was spent."""
        return {}
