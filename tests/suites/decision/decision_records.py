"""Decisions to test with: builders, the worked examples of the source, and methods computed by hand."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import structs

from adjudge.core.mark import Mark, Score
from adjudge.suites.decision import suite
from adjudge.suites.decision.data import (
    Assessment,
    Criterion,
    Decision,
    DecisionScenario,
    DecisionTurn,
)

METRICS = {metric.card.name: metric for metric in suite.metrics()}

# The worked examples of the source (shared/spec/decision.md); right values are those of RULINGS.md.
BELIEFS = (
    {"alt1": 0.6, "alt2": 0.3, "alt3": 0.1},
    {"alt1": 0.7, "alt2": 0.2, "alt3": 0.1},
    {"alt1": 0.5, "alt2": 0.4, "alt3": 0.1},
)
MATRIX = {
    "alt1": {"safety": 0.90, "cost": 0.50, "speed": 0.95},
    "alt2": {"safety": 0.85, "cost": 0.80, "speed": 0.90},
    "alt3": {"safety": 0.70, "cost": 0.60, "speed": 0.65},
}
CONFIDENCES = (0.82, 0.78, 0.88, 0.71)
CONTRIBUTIONS = (0.75, 0.68, 0.82, 0.71)
SAID = (
    DecisionTurn("0", "agent1", "one two three", 5),
    DecisionTurn("1", "agent2", "one", 2),
    DecisionTurn("2", "agent1", "one two", 3),
    DecisionTurn("3", "moderator", "a lot of words that nobody counts", 90),
)


def marks(name: str, decision: Decision) -> list[Mark]:
    return list(METRICS[name](decision))


def value(name: str, decision: Decision) -> float | None:
    """What the metric says of a decision, within its scale; None: undefined."""
    return Score.of(marks(name, decision), METRICS[name].card.scale).value


def by_place(name: str, decision: Decision) -> dict[str, float]:
    return {mark.at: mark.value for mark in marks(name, decision)}


def agents(
    *beliefs: Mapping[str, float], confidences: Sequence[float | None] = (), round: int = 0
) -> tuple[Assessment, ...]:
    """Assessments of agent1, agent2, ... with these beliefs and confidences."""
    sure = [*confidences, *[None] * (len(beliefs) - len(confidences))]
    return tuple(
        Assessment(f"agent{number}", dict(belief), confidence, round=round)
        for number, (belief, confidence) in enumerate(zip(beliefs, sure, strict=True), 1)
    )


def scenario(matrix: Mapping[str, Mapping[str, float]], **criteria: Any) -> DecisionScenario:
    """A scenario with this matrix; keywords are a criterion's weight, or a Criterion without its id."""
    ids = list(next(iter(matrix.values())))
    made = [_criterion(name, criteria.get(name)) for name in ids]
    return DecisionScenario(tuple(matrix), tuple(made), {name: dict(row) for name, row in matrix.items()})


def _criterion(name: str, given: Any) -> Criterion:
    return structs.replace(given, id=name) if isinstance(given, Criterion) else Criterion(name, weight=given)


def decision(recommended: str | None = None, **more: Any) -> Decision:
    return Decision(id="s1", arm="group", recommended=recommended, **more)


def group(*beliefs: Mapping[str, float], confidences: Sequence[float | None] = (), **more: Any) -> Decision:
    """A decision of agents with these beliefs over the alternatives that they name."""
    names = tuple(dict.fromkeys(name for belief in beliefs for name in belief))
    more = {"scenario": DecisionScenario(names), **more}
    return decision(assessments=agents(*beliefs, confidences=confidences), **more)


def bands(name: str, *borders: float) -> list[str]:
    """The words of a metric's card for these values."""
    return [METRICS[name].card.band(border) for border in borders]


def closeness_by_hand(rows: Sequence[Sequence[float]], weights: Sequence[float], benefit: Sequence[bool]) -> Any:
    """TOPSIS with vector normalisation, spelt out; None where all alternatives are alike."""
    columns = [list(column) for column in zip(*rows, strict=True)]
    total = math.fsum(weights)
    placed = []
    for column, weight in zip(columns, weights, strict=True):
        length = math.sqrt(math.fsum(x * x for x in column))
        placed.append([weight / total * x / length if length else 0.0 for x in column])
    ideal = [max(c) if good else min(c) for c, good in zip(placed, benefit, strict=True)]
    worst = [min(c) if good else max(c) for c, good in zip(placed, benefit, strict=True)]
    points = list(zip(*placed, strict=True))
    far = [(math.dist(point, ideal), math.dist(point, worst)) for point in points]
    return [below / (above + below) for above, below in far] if math.dist(ideal, worst) > 1e-12 else None


def combined_by_hand(rows: Sequence[Sequence[float]]) -> list[float]:
    """Yang & Xu's recursion with equal weights in plain sums; the last number is what stays unassigned."""
    weight = 1 / len(rows)
    pieces = [([weight * b for b in row], weight * max(1 - sum(row), 0.0), 1 - weight) for row in rows]
    assigned, lacking, idle = pieces[0]
    for theirs, their_lack, their_idle in pieces[1:]:
        conflict = sum(x * y for i, x in enumerate(assigned) for j, y in enumerate(theirs) if i != j)
        k = 1 / (1 - conflict)
        free, their_free = lacking + idle, their_lack + their_idle
        assigned = [k * (x * y + x * their_free + free * y) for x, y in zip(assigned, theirs, strict=True)]
        lacking = k * (lacking * their_lack + idle * their_lack + lacking * their_idle)
        idle = k * idle * their_idle
    return [x / (1 - idle) for x in (*assigned, lacking)]


QUALITIES = scenario({"a": {"x": 0.2}, "b": {"x": 0.5}, "c": {"x": 0.8}})
