"""Several trials of one thing: the share that passed, with its interval."""

from __future__ import annotations

from msgspec import Struct


class PassRate(Struct, frozen=True):
    """How many of several trials passed.

    >>> str(PassRate(4, 5))
    '4 of 5 trials passed (0.80, 95 % interval 0.38 to 0.96)'
    """

    passed: int
    trials: int

    @property
    def value(self) -> float:
        """The share of trials that passed."""
        return self.passed / self.trials

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's 95 % interval of the share: trials are taken as independent."""
        from adjudge.stats.interval import wilson

        low, high = wilson(self.value, self.trials)
        return low, high

    def __str__(self) -> str:
        low, high = self.interval
        return (
            f"{self.passed} of {self.trials} trial{'s'[: self.trials != 1]} passed "
            f"({self.value:.2f}, 95 % interval {low:.2f} to {high:.2f})"
        )
