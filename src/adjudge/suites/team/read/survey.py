"""Counts what the conversations hold and what they lack, before anything is scored."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from msgspec import Struct, field

from adjudge.core.conversation import Conversation
from adjudge.core.coverage import ArmCoverage, Coverage
from adjudge.core.suite import Survey

# Parts that a conversation may lack, each with the consequence for the metrics.
LACKING = {
    "a goal": "without a goal: goal_reached is undefined there",
    "an outcome": "without an outcome: success is undefined there",
    "times": "without times: latency is undefined there",
    "usage": "without tokens or costs",
}


class TeamCounts(Struct):
    """What was counted: by arm, the coverage and what conversations lack; and the cases of all arms."""

    arms: dict[str, ArmCoverage] = field(default_factory=dict)
    cases: set[str] = field(default_factory=set)
    lacking: dict[str, Counter[str]] = field(default_factory=dict)


class TeamSurvey(Survey):
    """Counts what each arm brings."""

    def __init__(self) -> None:
        self.counts = TeamCounts()

    def add(self, record: Conversation) -> None:
        """Look at one record."""
        counts = self.counts
        seen = counts.arms.setdefault(record.arm, ArmCoverage())
        counts.cases.add(record.key.case)
        seen.conversations += 1
        seen.turns += len(record.turns)
        fields = set(_fields(record))
        seen.fields = list(dict.fromkeys([*seen.fields, *sorted(fields)]))
        counts.lacking.setdefault(record.arm, Counter()).update(set(LACKING) - fields)

    def merge(self, counts: TeamCounts) -> None:
        """Take in what was counted in later records."""
        self.counts.cases |= counts.cases
        for arm, seen in counts.arms.items():
            self.counts.arms.setdefault(arm, ArmCoverage()).merge(seen)
            self.counts.lacking.setdefault(arm, Counter()).update(counts.lacking[arm])

    def coverage(self) -> Coverage:
        """What each arm has, with remarks on what it lacks."""
        counts = self.counts
        for arm, seen in counts.arms.items():
            seen.expected = max(len(counts.cases), seen.conversations)
            lacking = counts.lacking[arm]
            seen.remarks = [
                f"{lacking[field]} of {seen.conversations} {text}" for field, text in LACKING.items() if lacking[field]
            ]
        return Coverage(arms=counts.arms)


def _fields(record: Conversation) -> Iterator[str]:
    """The parts that a record has, in the words that metrics use in `predicts`."""
    if record.goal:
        yield "a goal"
    if record.outcome:
        yield "an outcome"
    if any(turn.time for turn in record.turns):
        yield "times"
    if record.usage or any(turn.usage for turn in record.turns):
        yield "usage"
    if any(turn.kind == "call" for turn in record.turns):
        yield "calls"
    if record.faults:
        yield "faults"
    if record.instructions:
        yield "instructions"
