"""Decisions of a group of agents, compared with a single agent: quality, consensus, confidence, contribution, cost."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from adjudge.core.suite import Option, Suite
from adjudge.suites.decision.data import Decision
from adjudge.suites.decision.read.source import DecisionSource

if TYPE_CHECKING:
    from adjudge.suites.decision.methods import (
        Evidence,
        UtilityInterval,
        combine,
        combine_recursively,
        dempster,
        rank_correlation,
        ranks,
        topsis,
        utility_interval,
        weighted_sum,
    )

__all__ = [
    "Decision",
    "Evidence",
    "UtilityInterval",
    "combine",
    "combine_recursively",
    "dempster",
    "rank_correlation",
    "ranks",
    "suite",
    "topsis",
    "utility_interval",
    "weighted_sum",
]

suite = Suite(
    name="decision",
    title="Decisions of a group of agents, compared with a single agent",
    record=Decision,
    package=__name__,
    open=DecisionSource,
    tools=lambda options: {"normalisation": options.get("normalisation") or "vector"},
    sample=Path(__file__).parent / "sample" / "sample.jsonl",
    options=(
        Option(
            "scenarios",
            "scenarios with their alternatives and criteria scores, the same for all arms",
            repeat=True,
            is_path=True,
        ),
        Option("criteria", "weight and direction of each criterion (JSON)", is_path=True),
        Option("truth", "the right alternative by case (JSON)", is_path=True),
        Option("log", "execution log by case (JSON)", is_path=True),
        Option("arm", "the name of the arm: one for all files, or one for each", metavar="NAME", repeat=True),
        Option("map", "rename a criterion", metavar="OLD=NEW", repeat=True),
        Option("delimiter", "the delimiter of a table (default: comma; tab for .tsv)", metavar="CHAR"),
        Option("encoding", "the encoding of tables", metavar="NAME", default="utf-8"),
        Option(
            "beliefs",
            "what to do with beliefs that sum to more than 1",
            choices=("as-is", "normalised"),
            default="as-is",
        ),
        Option(
            "normalisation",
            "how TOPSIS makes the scores of criteria comparable",
            choices=("vector", "max", "minmax", "sum", "none"),
            default="vector",
        ),
        Option(
            "baselines",
            "arms derived from a group's members: its average, best, majority and random member; few: the first two, "
            "once for arms with the same members",
            choices=("all", "few", "none"),
            default="all",
        ),
    ),
    settings=("beliefs", "normalisation", "map"),
    example="decisions.jsonl --scenarios scenarios.json -o runs/mine",
)


def __getattr__(name: str) -> object:
    """Import the methods on first use: they need numpy, and listing the suites must not load it."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from adjudge.suites.decision import methods

    return getattr(methods, name)
