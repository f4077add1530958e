"""How confident decisions are, and whether they are right to be."""

from __future__ import annotations

import json
import math
from statistics import fmean

import numpy as np
import pytest
from decision_records import BELIEFS, CONFIDENCES, METRICS, agents, bands, decision, group, marks, value
from sklearn.metrics import brier_score_loss

from adjudge.aggregate import Row, breakdown, table
from adjudge.engines.local import Job, execute
from adjudge.run import Run
from adjudge.score import Plan
from adjudge.suites.decision.data import (
    Decision,
)

# Confidence.


def test_confidence_of_a_group_is_three_fifths_consensus() -> None:
    decided = group(*BELIEFS, confidences=(0.82, 0.78, 0.88))
    expected = 0.6 * 0.96178 + 0.4 * fmean((0.82, 0.78, 0.88))
    assert value("decision_confidence", decided) == pytest.approx(expected, abs=5e-6)
    assert value("uncertainty", decided) == pytest.approx(1 - expected, abs=5e-6)
    assert value("average_confidence", decided) == pytest.approx(fmean((0.82, 0.78, 0.88)))


def test_confidence_of_a_single_agent_is_its_own() -> None:
    alone = decision("a", assessments=agents({"a": 0.9, "b": 0.1}, confidences=(0.82,)), confidence=0.82)
    assert value("decision_confidence", alone) == 0.82
    assert value("uncertainty", alone) == pytest.approx(0.18)
    stated = decision("a", assessments=agents({"a": 0.9, "b": 0.1}, confidences=(0.7,)))
    assert value("decision_confidence", stated) == 0.7


def test_confidences_of_a_group_and_of_one_agent_rest_on_different_things() -> None:
    both = group(*BELIEFS, confidences=(0.8, 0.8, 0.8)), decision("a", confidence=0.8)
    bases = [mark.basis for decided in both for mark in marks("decision_confidence", decided)]
    assert len(set(bases)) == 2
    assert all(bases)


def test_stated_confidence_stands_in_where_agents_give_none() -> None:
    assert value("decision_confidence", group(*BELIEFS, confidence=0.5)) == 0.5
    assert value("decision_confidence", group(*BELIEFS)) is None
    assert value("uncertainty", group(*BELIEFS)) is None


def test_variance_of_the_worked_example() -> None:
    decided = group(*({"a": 1.0},) * 4, confidences=CONFIDENCES)
    actual = value("confidence_variance", decided)
    assert actual == pytest.approx(0.003819, abs=5e-7)
    assert math.sqrt(actual or 0) == pytest.approx(0.0618, abs=5e-5)
    assert actual == pytest.approx(float(np.var(CONFIDENCES)), abs=1e-15)
    (mark,) = marks("confidence_variance", decided)
    assert mark.why == "from 0.71 to 0.88, standard deviation 0.062"
    assert METRICS["confidence_variance"].card.band(actual or 0) == "consistent"


def test_variance_reaches_the_end_of_its_scale() -> None:
    assert value("confidence_variance", group({"a": 1.0}, {"a": 1.0}, confidences=(0.0, 1.0))) == 0.25


def test_variance_needs_two_confidences() -> None:
    assert value("confidence_variance", group({"a": 1.0}, {"a": 1.0}, confidences=(0.9, None))) is None


def test_group_is_surer_than_its_agents_or_less_sure() -> None:
    surer = group({"a": 1.0}, {"a": 1.0}, recommended="a", confidences=(0.5, 0.7))
    assert value("aggregation_gain", surer) == pytest.approx(0.6 * 1 + 0.4 * 0.6 - 0.6)
    doubtful = group({"a": 1.0}, {"b": 1.0}, recommended="a", confidences=(0.5, 0.7))
    assert value("aggregation_gain", doubtful) == pytest.approx(0.4 * 0.6 - 0.6)
    assert bands("aggregation_gain", -0.1, 0.1) == ["introduces doubt", "provides benefit"]
    assert value("aggregation_gain", decision("a", confidence=0.75)) is None


# Calibration.


def test_brier_and_overconfidence_of_one_forecast() -> None:
    wrong = decision("a", confidence=0.9, truth="b")
    assert value("brier", wrong) == pytest.approx(0.81)
    assert value("overconfidence", wrong) == pytest.approx(0.9)
    right = decision("a", confidence=0.9, truth="a")
    assert value("brier", right) == pytest.approx(0.01)
    assert value("overconfidence", right) == pytest.approx(-0.1)


def test_share_of_agents_is_the_forecast_where_nobody_says_how_sure() -> None:
    decided = group({"a": 1.0}, {"a": 1.0}, {"a": 1.0}, {"b": 1.0}, recommended="a", truth="b")
    assert value("brier", decided) == pytest.approx(0.75**2)
    assert "share of agents behind the decision" in marks("brier", decided)[0].why


@pytest.mark.parametrize("name", ["brier", "calibration_error", "overconfidence"])
@pytest.mark.parametrize(
    "decided",
    [
        decision("a", confidence=0.9),
        decision("a", truth="a"),
        decision(truth="a", confidence=0.9),
        group({"a": 1.0}, {"b": 1.0}, lottery={"a": 0.5, "b": 0.5}, truth="a"),
    ],
    ids=["no truth", "no confidence", "no decision", "no foremost alternative"],
)
def test_calibration_is_undefined(name: str, decided: Decision) -> None:
    assert value(name, decided) is None


@pytest.fixture(scope="module")
def forecasts() -> list[tuple[float, int]]:
    """Confidences off the borders of bins with outcomes that are right less often than that."""
    dice = np.random.default_rng(7)
    sure = (dice.integers(0, 100, 240) + 0.5) / 100
    return [(float(p), int(dice.random() < p * 0.8)) for p in sure]


@pytest.fixture(scope="module")
def forecast_run(forecasts: list[tuple[float, int]], tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = tmp_path_factory.mktemp("forecasts")
    records = [
        {
            "id": f"f{number}",
            "arm": "single",
            "scenario": {"alternatives": ["a", "b"]},
            "recommended": "a",
            "confidence": sure,
            "truth": "a" if right else "b",
        }
        for number, (sure, right) in enumerate(forecasts)
    ]
    file = folder / "forecasts.jsonl"
    file.write_text("".join(json.dumps(record) + "\n" for record in records))
    return execute(Job.open(Plan(suite="decision", files=(str(file),))), folder / "run")


def row_of(run: Run, name: str) -> Row:
    (single,) = [row for row in table(run) if row.metric == name]
    return single


def test_brier_of_many_is_that_of_scikit_learn(forecast_run: Run, forecasts: list[tuple[float, int]]) -> None:
    expected = brier_score_loss([right for _, right in forecasts], [sure for sure, _ in forecasts])
    assert row_of(forecast_run, "brier").value == pytest.approx(expected, abs=1e-12)


def test_calibration_error_is_that_of_ten_bins(forecast_run: Run, forecasts: list[tuple[float, int]]) -> None:
    expected, curve = 0.0, {}
    for low in range(10):
        inside = [(sure, right) for sure, right in forecasts if low / 10 <= sure < (low + 1) / 10]
        gap = fmean(sure for sure, _ in inside) - fmean(right for _, right in inside)
        expected += len(inside) / len(forecasts) * abs(gap)
        curve[f"confidence {low / 10:.1f}-{(low + 1) / 10:.1f}"] = gap
    assert row_of(forecast_run, "calibration_error").value == pytest.approx(expected, abs=1e-12)
    actual = {row.group: row.value for row in breakdown(forecast_run) if row.metric == "calibration_error"}
    assert actual == pytest.approx(curve, abs=1e-12)


def test_overconfidence_is_the_mean_gap(forecast_run: Run, forecasts: list[tuple[float, int]]) -> None:
    expected = fmean(sure - right for sure, right in forecasts)
    assert row_of(forecast_run, "overconfidence").value == pytest.approx(expected, abs=1e-12)


def test_full_confidence_belongs_to_the_last_bin() -> None:
    groups = {sure: marks("calibration_error", decision("a", confidence=sure, truth="a"))[0].group for sure in
              (0.0, 0.1, 0.3, 0.6, 0.7, 0.9, 1.0)}  # fmt: skip
    assert groups == {
        0.0: "confidence 0.0-0.1",
        0.1: "confidence 0.1-0.2",
        0.3: "confidence 0.3-0.4",
        0.6: "confidence 0.6-0.7",
        0.7: "confidence 0.7-0.8",
        0.9: "confidence 0.9-1.0",
        1.0: "confidence 0.9-1.0",
    }
