"""The budget: a limit on calls and money, and what each metric has spent."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from threading import Lock
from typing import NamedTuple

from msgspec import structs

from adjudge.core.errors import BadInput
from adjudge.core.install import install_command
from adjudge.core.usage import Usage
from adjudge.tools.prices import Prices

NOTHING = Usage(cost=0.0)
ONE_CALL = Usage(1, cost=0.0)


def with_cost(usage: Usage, prices: Prices) -> Usage:
    """The usage with its cost filled in, if it was missing and the prices are known."""
    if usage.cost is not None:
        return usage
    return structs.replace(usage, cost=prices.cost(usage.input_tokens, usage.output_tokens, usage.calls))


class _Reserve(NamedTuple):
    """What is set aside for one question in flight."""

    calls: int
    cost: float


class Budget:
    """A limit on calls and on US dollars over all askers; None sets no limit.

    `prices` are those of all models that will be called. Each model has its `account`, which fills in the cost of its
    calls.

    `take` comes before a question is sent, and exactly one `spend` after it, even if nothing was spent. In between, the
    estimate is set aside, so that many calls in flight do not exceed the limit together.
    """

    def __init__(self, max_calls: int | None, max_cost: float | None, prices: Sequence[Prices] = ()) -> None:
        self.max_calls = max_calls
        self.max_cost = max_cost
        self.prices = tuple(prices)
        self._lock = Lock()
        self._in_flight: dict[str, deque[_Reserve]] = {}
        self._calls_aside = 0
        self._cost_aside = 0.0
        self._spent: dict[str, Usage] = {}
        self._total = NOTHING
        if max_cost is not None:
            self._refuse_unknown()

    def account(self, prices: Prices) -> Account:
        """The budget as one model's caller sees it."""
        return Account(self, prices)

    def take(self, asker: str, estimate: Usage = ONE_CALL) -> bool:
        """Whether one more question may be asked; without an estimate, one call and no money is set aside."""
        aside = _Reserve(estimate.calls or 1, estimate.cost or 0.0)
        with self._lock:
            if not self._allows(aside):
                return False
            self._set_aside(aside.calls, aside.cost)
            self._in_flight.setdefault(asker, deque()).append(aside)
            return True

    def spend(self, asker: str, usage: Usage) -> None:
        """Count what a question took."""
        with self._lock:
            self._release(asker)
            self._spent[asker] = self._spent.get(asker, NOTHING) + usage
            self._total += usage

    def by_asker(self) -> dict[str, Usage]:
        """What each asker has spent."""
        with self._lock:
            return dict(self._spent)

    def total(self) -> Usage:
        """What all askers have spent."""
        with self._lock:
            return self._total

    def _allows(self, more: _Reserve) -> bool:
        calls = self._total.calls + self._calls_aside + more.calls
        if self.max_calls is not None and calls > self.max_calls:
            return False
        if self.max_cost is None:
            return True
        if self._total.cost is None:  # The cost of a call is unknown, so the limit can no longer be checked.
            return False
        committed = self._total.cost + self._cost_aside
        return committed < self.max_cost and committed + more.cost <= self.max_cost

    def _release(self, asker: str) -> None:
        """Free what was set aside for the asker's oldest question in flight."""
        if waiting := self._in_flight.get(asker):
            oldest = waiting.popleft()
            self._set_aside(-oldest.calls, -oldest.cost)

    def _set_aside(self, calls: int, cost: float) -> None:
        self._calls_aside += calls
        # Sums of floats leave a rest; with nothing in flight, nothing is set aside.
        self._cost_aside = self._cost_aside + cost if self._calls_aside else 0.0

    def _refuse_unknown(self) -> None:
        unknown = [f"{prices.provider}:{prices.model}" for prices in self.prices if not prices.known]
        if unknown or not self.prices:
            raise BadInput(
                f"--max-cost {self.max_cost:g}: the price of {', '.join(unknown) or 'the model'} is unknown, "
                "so the cost cannot be watched; use --max-calls, or a model whose price is known "
                f"({install_command('judge')} brings the prices)"
            )


class Account:
    """The share of one model in a budget: what is asked through here has that model's prices."""

    def __init__(self, budget: Budget, prices: Prices) -> None:
        self.budget = budget
        self.prices = prices

    def take(self, asker: str, estimate: Usage) -> bool:
        """Whether one more question may be asked."""
        return self.budget.take(asker, with_cost(estimate, self.prices))

    def spend(self, asker: str, usage: Usage) -> None:
        """Count what a question took."""
        self.budget.spend(asker, with_cost(usage, self.prices))
