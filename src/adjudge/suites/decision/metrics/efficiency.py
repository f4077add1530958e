"""The effort of the decision: iterations, calls, seconds, tokens and cost."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from adjudge.core.card import Metric, metric
from adjudge.core.mark import Mark
from adjudge.suites.decision.data import Decision, Effort
from adjudge.suites.decision.rules.effort import effort_of

# The reference amounts of the source.
BASELINES = {"iterations": 1.0, "calls": 3.0, "seconds": 5.0}

effort_metric = partial(
    metric,
    pool="conversations",
    probes=("cost",),
    predicts=("effort",),
    source="Evaluation Methodology (repository kerbgr/crisis_mas_poc), 5 Efficiency Metrics",
)


def amount_metric(symbol: str, formula: str) -> Callable[[Callable[[Effort], float | None]], Metric]:
    """Declare a function that takes an amount from the effort the metric of this amount, undefined where unknown."""

    def declare(taken: Callable[[Effort], float | None]) -> Metric:
        def mark_amount(decision: Decision) -> Iterator[Mark]:
            value = taken(effort_of(decision))
            if value is not None:
                yield Mark(float(value))

        mark_amount.__name__, mark_amount.__doc__ = taken.__name__, taken.__doc__
        return effort_metric(symbol, formula=formula, unit="decision", better="lower", scale=(0.0, None))(mark_amount)

    return declare


@effort_metric(
    "Eff",
    formula="mean of 1 / (1 + iterations), 1 / (1 + calls / 3), 1 / (1 + seconds / 5)",
    unit="term",
    better="higher",
    primary=True,
)
def efficiency(decision: Decision) -> Iterator[Mark]:
    """How efficient was the decision, relative to 1 iteration, 3 calls and 5 seconds?

    There is one mark for each of the three terms. Undefined unless all three are known, because the mean of two is
    another measure.
    """
    effort = effort_of(decision)
    amounts = {name: getattr(effort, name) for name in BASELINES}
    if all(taken is not None for taken in amounts.values()):
        for name, taken in amounts.items():
            yield Mark(1 / (1 + taken / BASELINES[name]), at=name, group=name, why=f"{taken:g} {name}")


@amount_metric("Iterations", "number of deliberation iterations")
def time_to_consensus(effort: Effort) -> float | None:
    """How many iterations did the decision take?

    The stated number, or else that of the execution log.
    """
    return effort.iterations


@amount_metric("Calls", "number of calls to a model")
def api_calls(effort: Effort) -> float | None:
    """How many calls to a model did the decision take?

    The stated number, or else that of the execution log.
    """
    return effort.calls


@amount_metric("Seconds", "wall-clock seconds")
def processing_time(effort: Effort) -> float | None:
    """How many seconds did the decision take?

    The stated time, or else the time from start to end of the execution log.
    """
    return effort.seconds


@amount_metric("Tokens", "number of tokens")
def tokens_used(effort: Effort) -> float | None:
    """How many tokens did the decision take?

    The stated number, or else that of the execution log.
    """
    return effort.tokens


@amount_metric("Cost", "US dollars")
def cost(effort: Effort) -> float | None:
    """What did the decision cost in US dollars?

    The stated cost, or else that of the execution log. An unknown cost is not 0.
    """
    return effort.cost
