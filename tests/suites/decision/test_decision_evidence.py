"""Conflict, unassigned belief and utility of the agents' combined beliefs, normalisations, and noise in differences."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from decision_records import BELIEFS, MATRIX, agents, marks, value
from msgspec import structs

from adjudge.engines.local import Job, execute
from adjudge.score import Plan
from adjudge.suites.decision.data import Criterion, Decision, DecisionScenario
from adjudge.suites.decision.methods import topsis
from adjudge.suites.decision.metrics.quality import decision_closeness

UTILITIES = ("belief_utility_lowest", "belief_utility", "belief_utility_highest")
CRITERIA = tuple(Criterion(name) for name in ("safety", "cost", "speed"))


def decided(*beliefs: dict[str, float], matrix: dict[str, dict[str, float]] | None = None) -> Decision:
    scenario = DecisionScenario(tuple(MATRIX), CRITERIA, MATRIX if matrix is None else matrix)
    return Decision(id="d", arm="group", scenario=scenario, assessments=agents(*beliefs), recommended="alt1")


def utilities(decision: Decision) -> list[float | None]:
    return [value(name, decision) for name in UTILITIES]


def test_two_certain_agents_of_two_minds_are_in_conflict() -> None:
    """With weights of 1/2, half of each mass is idle: K = 1/2 * 1/2 (Yang & Xu 2002, by hand)."""
    decision = decided({"alt1": 1.0}, {"alt2": 1.0})
    assert value("belief_conflict", decision) == pytest.approx(0.25, abs=1e-12)
    assert value("unassigned_belief", decision) == 0.0


def test_agents_of_one_mind_are_not_in_conflict() -> None:
    assert value("belief_conflict", decided({"alt1": 1.0}, {"alt1": 1.0})) == pytest.approx(0.0, abs=1e-12)


def test_conflict_needs_two_agents_and_beliefs_need_one() -> None:
    assert value("belief_conflict", decided({"alt1": 1.0})) is None
    assert value("unassigned_belief", decided({"alt1": 0.6})) == pytest.approx(0.4)
    assert value("unassigned_belief", decided({})) is None


def test_the_utility_interval_is_as_wide_as_the_unassigned_belief() -> None:
    """Qualities are the means of the matrix rows; 0.4 is unassigned (Yang & Xu 2002, by hand)."""
    quality = {name: sum(row.values()) / 3 for name, row in MATRIX.items()}
    low = 0.6 * quality["alt1"] + 0.4 * min(quality.values())
    high = 0.6 * quality["alt1"] + 0.4 * max(quality.values())
    decision = decided({"alt1": 0.6})
    assert utilities(decision) == pytest.approx([low, (low + high) / 2, high])
    assert marks("belief_utility", decision)[0].basis == decision.matrix_source


def test_the_interval_is_a_point_where_all_belief_is_assigned() -> None:
    low, middle, high = utilities(decided(*BELIEFS))
    assert middle is not None
    assert [low, high] == pytest.approx([middle, middle])


def test_utility_is_undefined_without_qualities() -> None:
    assert utilities(decided(*BELIEFS, matrix={})) == [None] * 3


@pytest.mark.parametrize("normalisation", ["vector", "max", "minmax", "sum", "none"])
def test_closeness_takes_the_normalisation_and_names_it(normalisation: Any) -> None:
    decision = decided(*BELIEFS)
    (mark,) = decision_closeness(decision, normalisation)
    rows = [[row[criterion.id] for criterion in CRITERIA] for row in MATRIX.values()]
    assert mark.value == pytest.approx(float(topsis(rows, [1, 1, 1], [True] * 3, normalisation)[0]))
    remark = "" if normalisation == "vector" else f", normalisation {normalisation}"
    assert mark.basis == decision.matrix_source + remark


def scored_from_file(folder: Path, decision: dict[str, Any], **options: str) -> Any:
    file = folder / "decisions.jsonl"
    file.write_text(json.dumps(decision) + "\n")
    return execute(Job.open(Plan(suite="decision", files=(str(file),), options=options)), folder / "run")


def record(matrix: dict[str, dict[str, float]]) -> dict[str, Any]:
    criteria = [{"id": criterion} for criterion in next(iter(matrix.values()))]
    scenario = {"alternatives": list(matrix), "criteria": criteria, "matrix": matrix}
    return {"id": "d", "arm": "ours", "scenario": scenario, "recommended": next(iter(matrix))}


def test_the_normalisation_is_an_option(tmp_path: Path) -> None:
    (row,) = scored_from_file(tmp_path, record(MATRIX), normalisation="minmax").rows()
    rows = [list(scores.values()) for scores in MATRIX.values()]
    closeness = float(topsis(rows, [1, 1, 1], [True] * 3, "minmax")[0])
    assert row.scores["decision_closeness"].value == pytest.approx(closeness)


def test_a_criterion_of_zeros_is_warned_about(tmp_path: Path) -> None:
    matrix = {name: {**row, "cost": 0.0} for name, row in MATRIX.items()}
    (warning,) = scored_from_file(tmp_path, record(matrix)).manifest.coverage.warnings
    assert "scenario.matrix: every alternative has 0 on 'cost'" in warning


def test_a_gain_of_rounding_noise_is_a_tie() -> None:
    """The means of 0.1, 0.2, 0.3 in two orders differ by 5e-17."""
    matrix = {"alt1": {"a": 0.1, "b": 0.2, "c": 0.3}, "alt2": {"a": 0.3, "b": 0.2, "c": 0.1}}
    scenario = DecisionScenario(tuple(matrix), tuple(Criterion(name) for name in "abc"), matrix)
    decision = structs.replace(decided({"alt1": 1.0}, {"alt2": 1.0}), scenario=scenario, recommended="alt2")
    assert value("gain_over_average", decision) == 0.0
    assert value("regret", decision) == 0.0
