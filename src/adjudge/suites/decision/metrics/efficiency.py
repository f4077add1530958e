"""What the decision took."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from adjudge.core.card import metric
from adjudge.core.mark import Mark
from adjudge.suites.decision.data import Decision
from adjudge.suites.decision.rules.effort import effort_of

SOURCE = "Evaluation Methodology (multi-agent against single-agent), 5 Efficiency Metrics"
# The reference amounts of the source.
BASELINES = {"iterations": 1.0, "calls": 3.0, "seconds": 5.0}

amount = partial(
    metric,
    unit="decision",
    better="lower",
    pool="conversations",
    scale=(0.0, None),
    probes=("cost",),
    predicts=("effort",),
    source=SOURCE,
)


@metric(
    "Eff",
    formula="mean of 1 / (1 + iterations), 1 / (1 + calls / 3), 1 / (1 + seconds / 5)",
    unit="term",
    better="higher",
    pool="conversations",
    probes=("cost",),
    predicts=("effort",),
    source=SOURCE,
)
def efficiency(decision: Decision) -> Iterator[Mark]:
    """How little did the decision take, against 1 iteration, 3 calls and 5 seconds?

    One mark for each of the three terms. Undefined unless all three are known: the mean of two is another measure.
    """
    effort = effort_of(decision)
    amounts = {name: getattr(effort, name) for name in BASELINES}
    if all(taken is not None for taken in amounts.values()):
        for name, taken in amounts.items():
            yield Mark(1 / (1 + taken / BASELINES[name]), at=name, group=name, why=f"{taken:g} {name}")


@amount("Iterations", formula="number of deliberation iterations")
def time_to_consensus(decision: Decision) -> Iterator[Mark]:
    """How many iterations did the decision take?

    From the execution log, or as stated.
    """
    yield from _amount_marks(decision, "iterations")


@amount("Calls", formula="number of calls to a model")
def api_calls(decision: Decision) -> Iterator[Mark]:
    """How many calls to a model did the decision take?

    From the execution log, or as stated.
    """
    yield from _amount_marks(decision, "calls")


@amount("Seconds", formula="wall-clock seconds")
def processing_time(decision: Decision) -> Iterator[Mark]:
    """How many seconds did the decision take?

    From start to end of the execution log, or as stated.
    """
    yield from _amount_marks(decision, "seconds")


@amount("Tokens", formula="number of tokens")
def tokens_used(decision: Decision) -> Iterator[Mark]:
    """How many tokens did the decision take?

    From the execution log, or as stated.
    """
    yield from _amount_marks(decision, "tokens")


@amount("Cost", formula="US dollars")
def cost(decision: Decision) -> Iterator[Mark]:
    """What did the decision cost in US dollars?

    From the execution log, or as stated. A cost that is not known is not 0.
    """
    yield from _amount_marks(decision, "cost")


def _amount_marks(decision: Decision, name: str) -> Iterator[Mark]:
    taken = getattr(effort_of(decision), name)
    if taken is not None:
        yield Mark(float(taken))
