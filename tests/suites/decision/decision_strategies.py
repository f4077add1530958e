"""Strategies that build valid decisions and the numbers in them: nothing is drawn to be thrown away."""

from __future__ import annotations

from collections.abc import Sequence

from decision_records import agents, decision
from hypothesis import strategies as st

from adjudge.suites.decision.data import (
    Assessment,
    Criterion,
    Decision,
    DecisionScenario,
)
from examples import few_examples

QUICKLY = few_examples()


@st.composite
def amounts(draw: st.DrawFn, size: int, most: int) -> list[int]:
    """So many whole numbers from 0 to `most`, at least one of them above 0."""
    drawn = draw(st.lists(st.integers(0, most), min_size=size, max_size=size))
    place = draw(st.integers(0, size - 1))
    return [max(amount, 1) if index == place else amount for index, amount in enumerate(drawn)]


scores = st.integers(0, 20).map(lambda n: n / 20)
masses = amounts(3, 10)


ALTERNATIVES = ("a", "b", "c", "d")


@st.composite
def decisions(
    draw: st.DrawFn,
    least_agents: int = 0,
    scored: bool = False,
    is_decided: bool = False,
    preferring: bool = False,
) -> Decision:
    """Decisions of all kinds; `scored` ones have a matrix, in `preferring` ones an agent prefers something at first."""
    names = ALTERNATIVES[: draw(st.integers(2, 4))]
    width = draw(st.integers(1, 3))
    weights = draw(st.none() | amounts(width, 5))
    criteria = tuple(
        Criterion(f"c{place}", draw(st.sampled_from(["benefit", "cost"])), None if weights is None else weights[place])
        for place in range(width)
    )
    matrix = (
        {name: {criterion.id: draw(scores) for criterion in criteria} for name in names}
        if scored or draw(st.booleans())
        else {}
    )
    first = draw(_assessments(names, least_agents, 0, preferring))
    second = draw(st.just(()) | _assessments(names, least_agents, 1, False))
    lottery = draw(st.just({}) | shares(names))
    sole = st.sampled_from(names) if is_decided else st.none() | st.sampled_from(names)
    return decision(
        None if lottery else draw(sole),
        lottery=lottery,
        scenario=DecisionScenario(names, criteria if matrix else (), matrix),
        assessments=(*first, *second),
        confidence=draw(st.none() | scores),
        truth=draw(st.none() | st.sampled_from(names)),
    )


@st.composite
def shares(draw: st.DrawFn, names: Sequence[str], assigned: float = 1.0) -> dict[str, float]:
    parts = draw(amounts(len(names), 4))
    return {name: assigned * part / sum(parts) for name, part in zip(names, parts, strict=True)}


@st.composite
def _assessments(
    draw: st.DrawFn, names: Sequence[str], least: int, round: int, preferring: bool
) -> tuple[Assessment, ...]:
    preferences = shares(names) | shares(names, 0.75)
    any_beliefs = preferences | st.just(dict.fromkeys(names, 0.0)) | st.just({})
    beliefs = draw(st.lists(any_beliefs, min_size=least, max_size=4))
    if preferring:
        beliefs[draw(st.integers(0, len(beliefs) - 1))] = draw(preferences)
    confidences = [draw(st.none() | scores) for _ in beliefs]
    return agents(*beliefs, confidences=confidences, round=round)
