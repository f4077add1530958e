"""What each agent changes: the combined beliefs with it and without it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache, partial
from typing import NamedTuple

from adjudge.core.card import metric
from adjudge.core.mark import Mark
from adjudge.suites.decision.data import Assessment, Decision
from adjudge.suites.decision.methods import combine
from adjudge.suites.decision.rules.beliefs import is_distribution
from adjudge.suites.decision.rules.preferences import is_choice, leaders

influence_metric = partial(
    metric,
    unit="agent",
    better="neither",
    pool="conversations",
    probes=("contribution",),
    source="our own; beliefs are combined by evidential reasoning (Yang & Xu 2002), all agents alike",
)


class Removal(NamedTuple):
    """The combined beliefs of all agents, and those without one of them."""

    agent: str
    together: dict[str, float]
    without: dict[str, float]


@influence_metric(
    "Influence",
    formula="half the sum over alternatives (and the unassigned) of "
    "|combined belief - combined belief without the agent|",
)
def influence(decision: Decision) -> Iterator[Mark]:
    """How far does each agent move the combined beliefs?

    0 means that leaving the agent out changes nothing, 1 that it changes everything. Beliefs that sum to more than 1
    are left out. Undefined with fewer than two agents.
    """
    for agent, together, without in _removals(decision):
        names = dict.fromkeys((*together, *without))  # A set would add them up in another order in each process.
        moved = sum(abs(together.get(name, 0.0) - without.get(name, 0.0)) for name in names) / 2
        yield Mark(min(moved, 1.0), at=agent)


@influence_metric(
    "Pivotal",
    formula="agents without whom the combined beliefs favour another alternative / agents",
)
def pivotal(decision: Decision) -> Iterator[Mark]:
    """Would the combined beliefs favour another alternative without the agent?

    Undefined with fewer than two agents.
    """
    for agent, together, without in _removals(decision):
        before, after = _favourites(together), _favourites(without)
        why = f"{_quote_names(before)}, without {_quote_names(after)}" if before != after else ""
        yield Mark(float(before != after), at=agent, why=why)


def _removals(decision: Decision) -> Iterator[Removal]:
    """Each agent in turn, taken out of the combined beliefs."""
    known = [assessment for assessment in decision.last if is_distribution(assessment.beliefs)]
    alternatives = decision.scenario.alternatives
    if len(known) < 2 or not is_choice(decision):
        return
    together = _combined_beliefs(known, alternatives)
    for removed in known:
        others = [assessment for assessment in known if assessment is not removed]
        yield Removal(removed.agent, together, _combined_beliefs(others, alternatives))


def _combined_beliefs(assessments: Sequence[Assessment], alternatives: tuple[str, ...]) -> dict[str, float]:
    rows = tuple(tuple(assessment.beliefs.get(name, 0.0) for name in alternatives) for assessment in assessments)
    return dict(zip((*alternatives, ""), _evidence(rows), strict=True))


@lru_cache(maxsize=4096)
def _evidence(rows: tuple[tuple[float, ...], ...]) -> tuple[float, ...]:
    """The combined beliefs and, last, what stays unassigned; two metrics ask for each."""
    evidence = combine(rows)
    return (*map(float, evidence.beliefs), float(evidence.unassigned))


def _favourites(beliefs: dict[str, float]) -> tuple[str, ...]:
    return leaders({name: belief for name, belief in beliefs.items() if name})


def _quote_names(names: tuple[str, ...]) -> str:
    return " and ".join(map(repr, names))
