"""What must come out on generated scenarios: the statements hold with their intervals."""

from __future__ import annotations

from pathlib import Path

import pytest

from adjudge.compare.comparison import ComparisonRequest, compare
from adjudge.compare.contrast import Contrast
from adjudge.compare.sheet import Sheet
from adjudge.report.run.summary import RunSummary
from adjudge.run import Run
from workspace import Workspace

METRICS = "ground_truth_match,decision_quality_weighted,brier,calibration_error,overconfidence"
SIZES = [120, pytest.param(500, marks=pytest.mark.trial)]


@pytest.fixture
def desk(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Workspace:
    return Workspace(tmp_path, capsys)


def play(desk: Workspace, kind: str, n: int, *arms: str) -> Run:
    named = [part for arm in arms for part in ("--arm", arm)]
    generated = ("--generate", f"kind={kind},n={n}")
    done = desk.adjudge("play", "decision", *generated, *named, "--metrics", METRICS, "-o", desk.run, "-q")
    assert done.code == 0, done.err
    return Run(desk.run)


def contrast(run: Run, a: str, b: str, metric: str = "ground_truth_match") -> Contrast:
    wanted = ComparisonRequest(metrics=(metric,), arms=(a, b), baseline=b, correction="none")
    return compare(Sheet([run]), wanted).contrasts[0]


def bounds(contrast: Contrast) -> tuple[float, float]:
    assert contrast.low is not None
    assert contrast.high is not None
    return contrast.low, contrast.high


@pytest.mark.parametrize("n", SIZES)
def test_independent_errors_average_member_below_group_below_best_member(desk: Workspace, n: int) -> None:
    run = play(desk, "independent", n, "group")
    for metric in ("ground_truth_match", "decision_quality_weighted"):
        assert contrast(run, "group", "group/average", metric).verdict == "better"
        assert bounds(contrast(run, "group", "group/best", metric))[1] <= 0


@pytest.mark.parametrize("n", SIZES)
def test_under_a_shared_bias_the_group_does_not_beat_its_average_member(desk: Workspace, n: int) -> None:
    compared = contrast(play(desk, "shared_bias", n, "group"), "group", "group/average")
    assert compared.margin == 0.05
    assert bounds(compared)[1] < compared.margin


@pytest.mark.parametrize("n", SIZES)
def test_a_hidden_profile_is_found_by_deliberation_alone(desk: Workspace, n: int) -> None:
    run = play(desk, "hidden_profile", n, "majority", "group", "deliberation", "deliberation-exchange")
    for other in ("group", "majority", "deliberation-exchange", "group/best"):
        assert contrast(run, "deliberation", other).verdict == "better"
    assert contrast(run, "deliberation", "group").difference > 0.7
    # Averaging beliefs without exchanging scores finds no more than one round does.
    assert bounds(contrast(run, "deliberation-exchange", "group"))[1] < 0.05


@pytest.mark.parametrize("n", SIZES)
def test_one_overconfident_expert_spoils_a_group_that_weighs_by_confidence(desk: Workspace, n: int) -> None:
    run = play(desk, "overconfident", n, "group", "group-confidence")
    assert contrast(run, "group", "group-confidence").verdict == "worse"
    assert contrast(run, "group", "group-confidence", "brier").verdict == "worse"
    assert contrast(run, "group", "group-confidence", "overconfidence").verdict == "higher"
    rows = {(row.metric, row.arm): row for row in RunSummary.brief(run).rows}
    errors = [rows["calibration_error", arm].value or 0.0 for arm in ("group", "group-confidence")]
    assert errors[0] > errors[1] + 0.05
