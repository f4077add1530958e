"""The permission of a budget to send a question."""

from __future__ import annotations

from typing import Protocol

from adjudge.core.usage import Usage
from adjudge.tools.budget import NOTHING


class Spending(Protocol):
    """What may be spent: each `take` that is granted is followed by exactly one `spend`, maybe of nothing."""

    def take(self, asker: str, estimate: Usage) -> bool:
        """Whether a question that will take about this much may be sent."""

    def spend(self, asker: str, usage: Usage) -> None:
        """Count what a question took."""


class Admission:
    """The permissions of the budget for the requests about one question."""

    def __init__(self, budget: Spending, asker: str, expected: Usage) -> None:
        self.budget = budget
        self.asker = asker
        self.expected = expected
        self.granted = 0

    def __call__(self) -> bool:
        """Whether a request may be sent."""
        granted = self.budget.take(self.asker, self.expected)
        self.granted += granted
        return granted

    def settle(self, usage: Usage) -> None:
        """Count what all requests took together."""
        for number in range(self.granted):
            self.budget.spend(self.asker, NOTHING if number else usage)
