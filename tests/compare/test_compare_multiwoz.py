"""Seven published systems on 1,000 dialogues: the order the field knows, ties shown as ties, clusters that matter."""

from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path

import pytest

from adjudge.cli.main import main
from adjudge.compare.comparison import Comparison, ComparisonRequest, compare
from adjudge.compare.sheet import Sheet
from adjudge.run import Run

DATA = Path(__file__).parents[2].parent / "shared" / "data" / "multiwoz"
SYSTEMS = ("augpt", "damd", "labes", "mintl", "pptod", "soloist", "ubar")
FEW = ("labes", "pptod", "ubar")
MAPS = ("arrive=arriveby", "people=bookpeople", "day=bookday", "time=booktime", "stay=bookstay", "leave=leaveat")


@pytest.fixture(scope="module", params=[FEW, pytest.param(SYSTEMS, marks=pytest.mark.trial)], ids=len)
def systems(request: pytest.FixtureRequest) -> tuple[str, ...]:
    return tuple(request.param)


@pytest.fixture(scope="module")
def run(systems: tuple[str, ...], tmp_path_factory: pytest.TempPathFactory) -> Run:
    if not DATA.is_dir():
        pytest.skip("the MultiWOZ files are not there")
    folder = tmp_path_factory.mktemp("multiwoz") / "run"
    beside = {"--goals": "goals_dev_test.json.gz", "--booked": "booked_domains_dev_test.json.gz", "--db": "db"}
    arguments = ["score", "service", str(DATA / "mwz21states_test.jsonl.gz"), "-o", str(folder), "-q"]
    for system in systems:
        arguments += ["--predictions", str(DATA / "predictions" / f"{system}.json.gz")]
    for option, name in beside.items():
        arguments += [option, str(DATA / name)]
    for pair in MAPS:
        arguments += ["--map", pair]
    assert main([*arguments, "--only", "joint_goal_accuracy,inform,success"]) == 0
    return Run(folder)


@pytest.fixture(scope="module")
def found(run: Run) -> Comparison:
    return compare(Sheet([run]), ComparisonRequest())


@pytest.mark.parametrize("metric", ["inform", "success"])
def test_verdicts_follow_the_published_order(found: Comparison, systems: tuple[str, ...], metric: str) -> None:
    published = json.loads((DATA / "predictions" / "published_scores.json").read_text())["end_to_end"]
    verdicts = {(one.a.arm, one.b.arm): one.verdict for one in found.contrasts if one.metric == metric}
    assert len(verdicts) == len(list(combinations(systems, 2)))
    for (a, b), verdict in verdicts.items():
        apart = published[a][metric] - published[b][metric]
        if verdict in ("better", "worse"):
            assert (verdict == "better") == (apart > 0), (a, b)
        if abs(apart) >= 5:
            assert verdict in ("better", "worse"), (a, b)


def test_systems_that_the_field_takes_for_equal_are_tied(found: Comparison) -> None:
    best = {"ubar", "pptod", "soloist"}
    verdicts = {one.verdict for one in found.contrasts if one.metric == "inform" and {one.a.arm, one.b.arm} <= best}
    assert verdicts == {"tied"}


def test_dialogues_are_the_clusters_and_that_matters(run: Run, systems: tuple[str, ...]) -> None:
    sheet = Sheet([run])
    ratios = {}
    for arm in systems:
        column = sheet.column("joint_goal_accuracy", arm)
        data = sheet.arms_of("joint_goal_accuracy", arm, arm).a
        turns = sum(weight for _, weight in column.sums.values())
        naive = data.mean * (1 - data.mean) / turns
        ratios[arm] = (data.variance / naive) ** 0.5
    assert all(1.3 < ratio < 1.95 for ratio in ratios.values()), ratios
    assert sum(ratio > 1.5 for ratio in ratios.values()) >= len(systems) - 2


def test_some_pair_looks_surer_turn_by_turn_than_it_is(run: Run, systems: tuple[str, ...]) -> None:
    sheet = Sheet([run])
    lost = []
    for a, b in combinations(systems, 2):
        data = sheet.arms_of("joint_goal_accuracy", a, b)
        turns = [arm.weights.sum() for arm in (data.a, data.b)]
        naive = sum(arm.mean * (1 - arm.mean) / count for arm, count in zip((data.a, data.b), turns, strict=True))
        difference = data.a.mean - data.b.mean
        clustered = difference / (data.a.variance + data.b.variance) ** 0.5
        if abs(difference) / naive**0.5 > 1.96 > abs(clustered):
            lost.append((a, b))
    assert ("labes", "pptod") in lost
