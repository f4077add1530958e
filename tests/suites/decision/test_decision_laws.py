"""Laws over decisions of all kinds."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from decision_records import METRICS, group, marks, value
from decision_strategies import ALTERNATIVES, QUICKLY, decisions, shares
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from adjudge.suites.decision.data import (
    Decision,
)

# Laws over decisions of all kinds.


def values(decided: Decision) -> dict[str, float]:
    """The values of all metrics that are defined."""
    every = {name: value(name, decided) for name in METRICS}
    return {name: number for name, number in every.items() if number is not None}


@QUICKLY
@given(decisions())
def test_every_value_is_within_its_scale(decided: Decision) -> None:
    for name, number in values(decided).items():
        assert math.isfinite(number), name


def reordered(mapping: Mapping[str, Any], order: Sequence[str]) -> dict[str, Any]:
    return {name: mapping[name] for name in order if name in mapping}


@QUICKLY
@given(decisions(), st.permutations(ALTERNATIVES))
def test_order_of_alternatives_changes_nothing(decided: Decision, order: list[str]) -> None:
    made = decided.scenario
    names = tuple(name for name in order if name in made.alternatives)
    turned = structs.replace(
        decided,
        scenario=structs.replace(made, alternatives=names, matrix=reordered(made.matrix, order)),
        assessments=tuple(structs.replace(o, beliefs=reordered(o.beliefs, order)) for o in decided.assessments),
        lottery=reordered(decided.lottery, order),
    )
    assert values(turned) == pytest.approx(values(decided), abs=1e-9)


@QUICKLY
@given(decisions(), st.permutations([0, 1, 2]))
def test_order_of_criteria_changes_nothing(decided: Decision, order: list[int]) -> None:
    made = decided.scenario
    criteria = tuple(made.criteria[place] for place in order if place < len(made.criteria))
    ids = [criterion.id for criterion in criteria]
    matrix = {name: reordered(row, ids) for name, row in made.matrix.items()}
    turned = structs.replace(decided, scenario=structs.replace(made, criteria=criteria, matrix=matrix))
    assert values(turned) == pytest.approx(values(decided), abs=1e-9)


@QUICKLY
@given(decisions(), st.randoms())
def test_order_of_agents_changes_nothing(decided: Decision, dice: Any) -> None:
    shuffled = list(decided.assessments)
    dice.shuffle(shuffled)
    turned = structs.replace(decided, assessments=tuple(shuffled))
    assert values(turned) == pytest.approx(values(decided), abs=1e-9)


@QUICKLY
@given(st.data(), shares("abc"), st.integers(2, 5))
def test_identical_agents_are_of_one_mind(data: st.DataObject, beliefs: dict[str, float], count: int) -> None:
    decided = group(*[beliefs] * count)
    assert value("consensus", decided) == pytest.approx(1.0, abs=1e-12)
    assert value("belief_agreement", decided) == pytest.approx(1.0, abs=1e-12)
    assert value("pivotal", decided) == 0.0


@QUICKLY
@given(st.lists(shares("abc"), min_size=2, max_size=5))
def test_agent_like_another_never_lowers_the_lowest_pair(rows: list[dict[str, float]]) -> None:
    before = [mark.value for mark in marks("consensus", group(*rows))]
    after = [mark.value for mark in marks("consensus", group(*rows, rows[0]))]
    assert min(after) >= min(before) - 1e-12


@QUICKLY
@given(decisions(scored=True, is_decided=True))
def test_quality_and_regret_add_up_to_the_best_quality(decided: Decision) -> None:
    weighted = bool(decided.scenario.criteria) and decided.scenario.criteria[0].weight is not None
    name = "decision_quality_weighted" if weighted else "decision_quality"
    best = max(
        value(name, structs.replace(decided, recommended=alternative, lottery={})) or 0.0
        for alternative in decided.scenario.alternatives
    )
    quality, lost = value(name, decided), value("regret", decided)
    assert quality is not None
    assert lost is not None
    assert quality + lost == pytest.approx(best, abs=1e-9)


def test_every_metric_of_the_suite_is_tested_by_name() -> None:
    texts = [path.read_text() for path in Path(__file__).parent.glob("test_decision_*.py")]
    tested = "".join(text for text in texts if "from decision_records import" in text)
    assert [name for name in METRICS if f'"{name}"' not in tested] == []
