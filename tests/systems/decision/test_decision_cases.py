"""The cases of files: our own lines, scenarios with profiles as they are published, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from experts import crossing

from adjudge.systems.decision.cases import SAMPLE, read_cases
from adjudge.systems.decision.data import DecisionCase
from workspace import Workspace

CRISIS = Path(__file__).parents[4] / "shared" / "data" / "crisis_mas"
OWN: dict[str, Any] = msgspec.to_builtins(crossing())


@pytest.fixture
def desk(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Workspace:
    monkeypatch.chdir(tmp_path)
    return Workspace(tmp_path, capsys)


@pytest.fixture
def crisis() -> Path:
    if not CRISIS.is_dir():
        pytest.skip("no crisis_mas in the shared data")
    return CRISIS


def read(*files: Path, **options: Any) -> list[DecisionCase]:
    return [each.case for each in read_cases(list(files), options)]


def test_an_expert_without_scores_of_its_own_sees_those_of_the_case_but_for_what_it_lacks(desk: Workspace) -> None:
    case = {**OWN, "experts": [{"id": "guide"}, {"id": "rider", "lacks": ["safety"]}]}
    [made] = read(desk.write("cases.jsonl", (case,)))
    assert made.experts[0].scores == made.matrix
    assert made.experts[1].scores == {"bridge": {"speed": 0.2}, "ford": {"speed": 0.9}}


def test_every_case_of_the_sample_has_an_answer_that_its_best_member_may_miss() -> None:
    cases = read(SAMPLE)
    assert len(cases) == 12
    assert all(case.truth and case.experts for case in cases)
    assert sum(any(expert.lacks for expert in case.experts) for case in cases) == 11


def test_three_real_scenarios_are_read_with_profiles_and_weights_as_they_are(crisis: Path) -> None:
    files = ("flood_scenario.json", "ammonia_leak_elefsina.json", "forest_fire_evia.json")
    options = {
        "profiles": str(crisis / "agent_profiles_compact.json"),
        "weights": str(crisis / "criteria_weights.json"),
    }
    flood, leak, fire = read(*(crisis / file for file in files), **options)
    profiles = json.loads((crisis / "agent_profiles_compact.json").read_text())
    experts = [profile for profile in profiles if profile["agent_id"] != "coordinator_01"]
    assert [len(case.alternatives) for case in (flood, leak, fire)] == [5, 5, 12]
    assert [expert.id for expert in flood.experts] == [profile["agent_id"] for profile in experts]
    assert [expert.weights for expert in flood.experts] == [profile["weight_preferences"] for profile in experts]
    assert {each.id: (each.weight, each.kind) for each in flood.criteria}["cost"] == (0.25, "cost")
    assert flood.truth is None


def test_real_scenarios_are_played_and_scored(desk: Workspace, crisis: Path) -> None:
    given = (crisis / "flood_scenario.json", "--profiles", crisis / "agent_profiles_compact.json")
    done = desk.adjudge("play", "decision", *given, "--experts", "medical_expert_01", "--experts", "fire_onscene_01")
    assert done.code == 0, done.err
    records = [json.loads(line) for line in (Path("runs/play") / "records.jsonl").read_text().splitlines()]
    assert {record["arm"] for record in records} >= {"single", "majority", "group", "deliberation"}
    assert all(record["recommended"].startswith("action_") for record in records)
    assert {each["agent"] for record in records for each in record.get("assessments", ())} == {
        "medical_expert_01",
        "fire_onscene_01",
    }


def changed(**changes: Any) -> dict[str, Any]:
    return {**OWN, **changes}


def expert(**changes: Any) -> dict[str, Any]:
    return changed(experts=[{"id": "guide", **changes}])


BROKEN = {
    "no case": ({"id": "x"}, "alternatives: required but missing"),
    "one alternative": (changed(alternatives=["bridge"], matrix={}, truth=None), "found 1 alternatives"),
    "nobody": (changed(experts=[]), "0 experts; expected two or more alternatives, and a criterion and an expert"),
    "unknown truth": (changed(truth="boat"), "truth: no alternative 'boat' (there are: bridge, ford)"),
    "same expert": (
        changed(experts=[{"id": "a"}, {"id": "a"}]),
        "experts[0].id: found 'a'; expected a name of its own",
    ),
    "coordinator": (changed(experts=[{"id": "coordinator"}]), "found 'coordinator'; expected a name of its own"),
    "unknown field": (expert(mood="bad"), "experts[0].mood"),
    "unknown criterion": (expert(lacks=["sped"]), "experts[0].lacks: no criterion 'sped'; did you mean 'speed'?"),
    "weight": (
        expert(weights={"safety": -1.0}),
        "experts[0].weights.safety: found -1.0; expected a number from 0 to 1",
    ),
    "confidence": (expert(confidence=7.0), "experts[0].confidence: found 7.0; expected a number from 0 to 1"),
    "knows nothing": (expert(lacks=["safety", "speed"]), "knows no criterion that has a weight"),
    "no weight": (expert(weights={"safety": 1.0}, lacks=["safety"]), "knows no criterion that has a weight"),
    "no score": (expert(scores={"bridge": {"safety": 0.5, "speed": 0.5}}), "scores.ford.safety: missing"),
    "other place": (expert(scores={"boat": {"safety": 0.5}}), "experts[0].scores: no alternative 'boat'"),
    "scenario": ({"id": "x", "available_actions": [{"id": "a"}]}, "name their profiles with --profiles FILE"),
}


@pytest.mark.parametrize("fault", BROKEN)
def test_a_broken_case_is_refused_with_its_place(desk: Workspace, fault: str) -> None:
    case, message = BROKEN[fault]
    done = desk.adjudge("play", "decision", desk.write("cases.jsonl", (OWN, case)))
    assert done.code == 2
    assert message in done.err
    assert "cases.jsonl:2" in done.err


def test_all_broken_cases_are_listed(desk: Workspace) -> None:
    done = desk.adjudge("play", "decision", desk.write("cases.jsonl", (changed(truth="boat"), changed(experts=[]))))
    assert done.code == 2
    assert "cases.jsonl:1" in done.err
    assert "cases.jsonl:2" in done.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--experts", "planer"), "no expert 'planer'; did you mean 'planner'?"),
        (("--rounds", "none"), "--rounds: found 'none'; expected a whole number from 1"),
        (("--consensus", "2"), "--consensus: found '2'; expected a number from 0 to 1"),
        (("--generate", "kind=random"), "--generate kind=random: Invalid enum value 'random'"),
        (("--generate", "experts=1"), "n=200,experts=5,seed=1"),
        (("--arm", "deliberation-exchnge"), "has no part 'exchnge'; did you mean 'exchange'?"),
        (("--arm", "grop"), "no system 'grop' in suite 'decision'"),
        (("--profiles", "nowhere.json"), "nowhere.json"),
    ],
)
def test_wrong_options_are_refused(desk: Workspace, arguments: tuple[str, ...], message: str) -> None:
    done = desk.adjudge("play", "decision", *arguments)
    assert done.code == 2
    assert message in done.err
