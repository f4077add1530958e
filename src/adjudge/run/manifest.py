"""The manifest: what a run has read, how it was scored, and with what."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct, field

from adjudge.core.card import Card
from adjudge.core.coverage import Coverage
from adjudge.core.usage import Usage

Store = Literal["json", "parquet"]


class InputFile(Struct, frozen=True):
    """A file that was read: its path as given, its size, and the SHA-256 of its bytes."""

    path: str
    bytes: int
    sha256: str


class Manifest(Struct, kw_only=True):
    """The description of a run: its inputs, options, metrics and tools, its coverage and its costs.

    Two runs with the same suite, version, cards, options, settings, tools and inputs have the same scores. A run with
    the status `stopped` has used up its budget, or has `lost` parts of the input whose scoring ended the process.
    `places` says where the inputs were, which does not matter as long as their contents are the same. `rubrics` are the
    texts that a judge was told, by the names that the cards of metrics have for them. `usage` is the cost of asking by
    metric, `canaries` how the judge answered questions with a known answer. `keep` says of which records the marks are
    kept, `store` in which format.
    """

    suite: str
    adjudge: str
    cards: dict[str, Card]
    options: dict[str, Any]
    settings: dict[str, str]
    places: dict[str, Any] = {}
    inputs: list[InputFile]
    seed: int = 0
    keep: str = "all"
    store: Store = "json"
    tools: dict[str, str] = {}
    rubrics: dict[str, str] = {}
    status: Literal["running", "stopped", "complete"] = "running"
    usage: dict[str, Usage] = {}
    canaries: dict[str, str] = {}
    lost: list[str] = []
    coverage: Coverage = field(default_factory=Coverage)
    counts: dict[str, int] = {}
    started: str = ""
    finished: str = ""
    seconds: float = 0.0

    def differences(self, other: Manifest) -> list[str]:
        """What makes the other a different run, a sentence each; empty where it is the same."""
        differences = [
            f"{name} was {getattr(self, name)!r}, now {getattr(other, name)!r}"
            for name in ("suite", "adjudge", "keep", "store")
            if getattr(self, name) != getattr(other, name)
        ]
        mine, theirs = (
            {name: value for name, value in (run.options | run.settings).items() if name not in run.places} | run.tools
            for run in (self, other)
        )
        differences += [
            f"{name} was {mine.get(name)!r}, now {theirs.get(name)!r}"
            for name in sorted(mine.keys() | theirs.keys())
            if mine.get(name) != theirs.get(name)
        ]
        if {file.sha256 for file in self.inputs} != {file.sha256 for file in other.inputs}:
            differences.append("the contents of the input files changed")
        if self.coverage.arms.keys() != other.coverage.arms.keys():
            differences.append(f"the arms were {', '.join(self.coverage.arms)}, now {', '.join(other.coverage.arms)}")
        if {(card.name, card.version) for card in self.cards.values()} != {
            (card.name, card.version) for card in other.cards.values()
        }:
            differences.append("the metrics or their versions changed")
        return differences
