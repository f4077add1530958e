"""Files of decision systems as they are found in the wild, read through the command line a user types."""

from __future__ import annotations

import gzip
import json
import zipfile
from itertools import combinations
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest
from scipy.spatial.distance import cosine

from workspace import CommandResult, Workspace

CRISIS = Path(__file__).parents[4] / "shared" / "data" / "crisis_mas"
SCENARIOS = {
    "hazmat_001": "ammonia_leak_elefsina.json",
    "flood_001": "flood_scenario.json",
    "fire_001": "forest_fire_evia.json",
}


class Desk(Workspace):
    """A folder in which decisions are written and scored."""

    def score(self, *arguments: object) -> CommandResult:
        """Score files that are expected to be fine."""
        done = self.adjudge("score", "decision", *arguments, "-o", self.run, "--fresh")
        assert (done.code, done.err) == (0, "")
        return done

    def refused(self, *arguments: object) -> str:
        """The message of a scoring that is refused and leaves nothing behind."""
        before = set(self.folder.rglob("*"))
        done = self.adjudge("score", "decision", *arguments, "-o", self.run)
        assert done.code == 2, done.out[:200]
        assert set(self.folder.rglob("*")) == before
        assert "Traceback" not in done.err
        return done.err

    def rows(self, name: str = "scores.jsonl") -> list[dict[str, Any]]:
        return [json.loads(line) for line in (self.run / name).read_text().splitlines()]

    def records(self) -> dict[tuple[str, str], dict[str, Any]]:
        """What was read, by case and arm, without the arms derived from it."""
        by_key = {(record.get("case") or record["id"], record["arm"]): record for record in self.rows("records.jsonl")}
        return {key: record for key, record in by_key.items() if "/" not in key[1]}

    def record(self) -> dict[str, Any]:
        """The only record that was read."""
        (record,) = self.records().values()
        return record

    def value(self, metric: str, arm: str = "", case: str = "") -> float | None:
        """What a metric says of the only record there is, or of one arm's or case's."""
        rows = [row for row in self.rows() if (row["arm"] == arm if arm else "/" not in row["arm"])]
        (score,) = [row["scores"][metric] for row in rows if not case or row["case"] == case]
        assert score.get("skipped", {}).get("status") != "error", score
        return score.get("value")

    def arms(self) -> set[str]:
        return {row["arm"] for row in self.rows()}

    def warnings(self) -> list[str]:
        return list(json.loads((self.run / "run.json").read_text())["coverage"].get("warnings", []))


@pytest.fixture
def desk(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Desk:
    monkeypatch.setenv("COLUMNS", "400")
    return Desk(tmp_path, capsys)


BELIEFS = {
    "medic": {"evacuate": 0.6, "barriers": 0.3, "wait": 0.1},
    "logistics": {"evacuate": 0.5, "barriers": 0.4, "wait": 0.1},
    "police": {"evacuate": 0.2, "barriers": 0.7, "wait": 0.1},
}
CONFIDENCE = {"medic": 0.9, "logistics": 0.7, "police": 0.8}
SCORES = {
    "evacuate": {"safety": 0.9, "cost": 0.4, "speed": 0.7},
    "barriers": {"safety": 0.7, "cost": 0.6, "speed": 0.75},
    "wait": {"safety": 0.5, "cost": 0.8, "speed": 0.2},
}


def nested(scores: dict[str, dict[str, float]], prefix: str = "") -> dict[str, dict[str, float]]:
    """Scores by criterion and alternative, as agents write them."""
    ids = next(iter(scores.values()))
    return {f"{prefix}{criterion}": {name: row[criterion] for name, row in scores.items()} for criterion in ids}


def assessment(agent: str = "medic", **changes: Any) -> dict[str, Any]:
    """One agent's assessment with all fields of the wild."""
    return {
        "agent_id": agent,
        "agent_name": f"Dr. {agent.title()}",
        "role": f"{agent} expert",
        "belief_distribution": BELIEFS[agent],
        "confidence": CONFIDENCE[agent],
        "reasoning": "Lives first.",
        "key_concerns": ["night", "roads"],
        "recommended_actions": ["evacuate"],
        "metadata": {"model": "some"},
        **changes,
    }


def opinion(agent: str) -> dict[str, Any]:
    best = max(BELIEFS[agent], key=BELIEFS[agent].__getitem__)
    return {
        "agent_name": f"Dr. {agent.title()}",
        "preference": best,
        "confidence": CONFIDENCE[agent],
        "belief_score": BELIEFS[agent][best],
        "reasoning": "Lives first.",
    }


def coordinator(**changes: Any) -> dict[str, Any]:
    """A coordinator's decision with all fields of the wild."""
    return {
        "recommended_alternative": "evacuate",
        "confidence": 0.86,
        "decision_quality_score": 0.72,
        "consensus_level": 0.91,
        "final_scores": {"evacuate": 0.51, "barriers": 0.4, "wait": 0.09},
        "er_scores": {"evacuate": 0.46, "barriers": 0.45, "wait": 0.09},
        "mcda_scores": {"evacuate": 0.72, "barriers": 0.55, "wait": 0.31},
        "agent_opinions": {agent: opinion(agent) for agent in BELIEFS},
        "consensus_reached": True,
        "conflicts": [{"agents": ["medic", "police"], "severity": "low"}],
        "resolution": {"method": "vote"},
        "scenario_id": "flood_1",
        "decision_time_seconds": 12.4,
        "agents_participated": list(BELIEFS),
        "collection_info": {"assessments": {agent: assessment(agent) for agent in BELIEFS}, "timeouts": 0},
        **changes,
    }


def single(**changes: Any) -> dict[str, Any]:
    """A single agent's decision with all fields of the wild."""
    return {
        "recommended_alternative": "barriers",
        "confidence": 0.82,
        "final_scores": {"evacuate": 0.3, "barriers": 0.6, "wait": 0.1},
        "belief_distribution": {"evacuate": 0.3, "barriers": 0.6, "wait": 0.1},
        "reasoning": "Roads are closed.",
        "key_concerns": ["water"],
        "criteria_scores": nested(SCORES),
        "agent_info": {"agent_id": "generalist", "agent_name": "One"},
        "decision_time_seconds": 3.1,
        "scenario_type": "flood",
        "baseline_type": "single_agent",
        **changes,
    }


def without(record: dict[str, Any], *names: str) -> dict[str, Any]:
    return {name: value for name, value in record.items() if name not in names}


def scenario(scores: dict[str, dict[str, float]] = SCORES, **changes: Any) -> dict[str, Any]:
    return {
        "id": "flood_1",
        "type": "flood",
        "name": "Flood",
        "severity": 0.8,
        "available_actions": [
            {"id": name, "name": name.title(), "description": "", "criteria_scores": row}
            for name, row in scores.items()
        ],
        "constraints": {"hours": 4},
        "expert_selection": {"medic": True},
        **changes,
    }


# A coordinator's decision.


def test_coordinators_decision_with_assessments(desk: Desk) -> None:
    desk.score(desk.write("group.json", coordinator()))
    record = desk.record()
    assert (record["id"], record["arm"], record["recommended"]) == ("flood_1", "group", "evacuate")
    assert record["scenario"]["alternatives"] == ["evacuate", "barriers", "wait"]
    assert {row["agent"]: row["beliefs"] for row in record["assessments"]} == BELIEFS
    assert {row["agent"]: row["confidence"] for row in record["assessments"]} == CONFIDENCE
    assert record["assessments"][0]["role"] == "medic expert"
    assert record["assessments"][0]["concerns"] == ["night", "roads"]
    assert record["effort"] == {"seconds": 12.4}
    assert record["stated"]["mcda_scores"]["evacuate"] == 0.72
    rows = [list(beliefs.values()) for beliefs in BELIEFS.values()]
    expected = fmean(1 - cosine(first, second) for first, second in combinations(rows, 2))
    assert desk.value("consensus") == pytest.approx(expected, abs=1e-12)
    assert desk.value("average_confidence") == pytest.approx(0.8)
    assert desk.value("processing_time") == 12.4
    assert desk.value("choice_agreement") == pytest.approx(2 / 3)


def test_stated_values_are_kept_and_not_scored(desk: Desk) -> None:
    desk.score(desk.write("group.json", coordinator()))
    assert desk.record()["stated"]["quality"] == 0.72
    assert desk.record()["stated"]["consensus"] == 0.91
    assert desk.value("decision_quality") is None
    assert desk.value("decision_quality_literal") == 0.72
    assert desk.value("consensus") != pytest.approx(0.91, abs=1e-3)


def test_coordinators_decision_with_opinions_only(desk: Desk) -> None:
    desk.score(desk.write("group.json", without(coordinator(), "collection_info")))
    record = desk.record()
    assert [row["agent"] for row in record["assessments"]] == list(BELIEFS)
    assert desk.value("average_confidence") == pytest.approx(0.8)
    assert desk.value("choice_agreement") == pytest.approx(2 / 3)
    assert desk.value("diversity") == pytest.approx(2 / 3)
    assert desk.arms() >= {"group", "group/average", "group/majority", "group/random"}


def test_beliefs_that_opinions_do_not_tell_make_no_consensus(desk: Desk) -> None:
    # Opinions give the belief in one alternative only; to take the others as 0 makes every cosine 0 or 1.
    desk.score(desk.write("group.json", without(coordinator(), "collection_info")))
    for name in ("consensus", "belief_agreement", "influence", "contribution_balance"):
        assert desk.value(name) is None, name


def test_truth_inside_a_decision(desk: Desk) -> None:
    for truth in ("barriers", {"match": False, "recommended": "evacuate", "correct": "barriers"}):
        desk.score(desk.write("group.json", coordinator(ground_truth=truth)))
        assert desk.record()["truth"] == "barriers"
        assert desk.value("ground_truth_match") == 0.0


def test_transcript_inside_a_decision(desk: Desk) -> None:
    messages = [
        {"agent": "medic", "content": "Evacuate now", "tokens": 3},
        {"speaker": "police", "text": "No", "tokens": 1},
        {"name": "logistics", "message": "We have buses", "tokens": 4},
    ]
    desk.score(desk.write("group.json", coordinator(transcript=messages)))
    turns = [(turn["speaker"], turn["text"], turn["tokens"]) for turn in desk.record()["turns"]]
    assert turns == [("medic", "Evacuate now", 3), ("police", "No", 1), ("logistics", "We have buses", 4)]
    assert desk.value("participation_balance") is not None


def test_trials_of_one_case_stay_apart(desk: Desk) -> None:
    desk.score(desk.write("group.jsonl", (coordinator(trial=0), coordinator(trial=1, confidence=0.5))))
    assert [row.get("trial", 0) for row in desk.rows() if row["arm"] == "group"] == [0, 1]


# A single agent's decision.


def test_single_agents_decision(desk: Desk) -> None:
    desk.score(desk.write("single.json", single()))
    record = desk.record()
    assert (record["id"], record["arm"], record["recommended"]) == ("flood", "single", "barriers")
    (alone,) = record["assessments"]
    assert alone["agent"] == "generalist"
    assert alone["matrix"] == SCORES
    assert record["matrix_source"] == "the matrix of generalist"
    assert desk.value("decision_quality") == pytest.approx(fmean(SCORES["barriers"].values()))
    assert desk.value("decision_confidence") == 0.82
    assert desk.value("processing_time") == 3.1
    assert desk.value("consensus") is None
    assert desk.arms() == {"single"}


def test_own_scores_and_literal_quality_of_the_sources_example(desk: Desk) -> None:
    scores = {
        "safety": {"alt1": 0.90, "alt2": 0.85, "alt3": 0.70},
        "cost": {"alt1": 0.50, "alt2": 0.80, "alt3": 0.60},
        "speed": {"alt1": 0.95, "alt2": 0.90, "alt3": 0.65},
    }
    beliefs = {"alt1": 0.6, "alt2": 0.3, "alt3": 0.1}
    alone = single(recommended_alternative="alt1", final_scores=beliefs, belief_distribution=beliefs)
    desk.score(desk.write("single.json", {**alone, "criteria_scores": scores}))
    assert desk.value("decision_quality") == pytest.approx(0.78333, abs=5e-6)
    assert desk.value("decision_quality_literal") == pytest.approx(0.78333, abs=5e-6)


def test_group_and_single_are_told_apart_in_one_file(desk: Desk) -> None:
    both = [coordinator(), single(scenario_type="flood_1")]
    desk.score(desk.write("both.json", both), "--scenarios", desk.write("flood.json", scenario()))
    assert set(desk.records()) == {("flood_1", "group"), ("flood_1", "single")}
    assert desk.value("decision_quality", "group") == pytest.approx(fmean(SCORES["evacuate"].values()))
    assert desk.value("decision_quality", "single") == pytest.approx(fmean(SCORES["barriers"].values()))


def test_type_of_a_scenario_stands_for_its_id(desk: Desk) -> None:
    desk.score(desk.write("single.json", single()), "--scenarios", desk.write("flood.json", scenario()))
    assert list(desk.records()) == [("flood_1", "single")]
    assert desk.record()["scenario"]["name"] == "Flood"


def test_type_that_several_scenarios_have_stands_for_none(desk: Desk) -> None:
    known = [scenario(), scenario(id="flood_2")]
    desk.score(desk.write("single.json", single()), "--scenarios", desk.write("floods.json", known))
    assert list(desk.records()) == [("flood", "single")]


def test_file_name_stands_for_an_id_that_is_not_there(desk: Desk) -> None:
    desk.score(desk.write("flood_7.json", without(single(), "scenario_type")))
    assert desk.record()["id"] == "flood_7"


# Criteria scores.


@pytest.mark.parametrize("place", ["top", "metadata"])
def test_nested_scores_at_the_top_or_under_metadata(desk: Desk, place: str) -> None:
    bare = without(single(), "criteria_scores")
    scores = {"criteria_scores": nested(SCORES)}
    desk.score(desk.write("single.json", {**bare, **(scores if place == "top" else {"metadata": scores})}))
    assert desk.record()["scenario"]["matrix"] == SCORES


@pytest.mark.parametrize("place", ["top", "metadata"])
def test_flat_scores_are_those_of_the_choice(desk: Desk, place: str) -> None:
    bare = without(single(), "criteria_scores")
    scores = {"criteria_scores": SCORES["barriers"]}
    desk.score(desk.write("single.json", {**bare, **(scores if place == "top" else {"metadata": scores})}))
    assert desk.record()["scenario"]["matrix"] == {"barriers": SCORES["barriers"]}
    assert desk.value("decision_quality") == pytest.approx(fmean(SCORES["barriers"].values()))
    assert desk.value("regret") is None
    assert desk.value("decision_closeness") is None


def test_matrix_of_several_agents_is_their_mean(desk: Desk) -> None:
    kinder = {name: {criterion: score + 0.05 for criterion, score in row.items()} for name, row in SCORES.items()}
    assessments = {
        "medic": assessment("medic", criteria_scores=nested(SCORES)),
        "police": assessment("police", metadata={"criteria_scores": nested(kinder)}),
    }
    desk.score(desk.write("group.json", coordinator(collection_info={"assessments": assessments})))
    record = desk.record()
    for name, row in SCORES.items():
        assert record["scenario"]["matrix"][name] == pytest.approx(
            {criterion: s + 0.025 for criterion, s in row.items()}
        )
    assert record["matrix_source"] == "the mean of the matrices of medic, police"


def test_same_matrix_scores_all_arms_of_a_case(desk: Desk) -> None:
    assessments = {agent: assessment(agent, criteria_scores=nested(SCORES)) for agent in BELIEFS}
    desk.score(
        desk.write("group.json", coordinator(collection_info={"assessments": assessments})),
        desk.write("single.json", single(scenario_type="flood_1")),
    )
    matrices = [record["scenario"]["matrix"] for record in desk.records().values()]
    assert matrices[0] == matrices[1]
    assert len({record["matrix_source"] for record in desk.records().values()}) == 1


@pytest.mark.parametrize("turned", [False, True])
def test_order_of_files_does_not_change_the_mean_matrix(desk: Desk, turned: bool) -> None:
    # The same persona sits in the group and decides alone, as in the source's comparison.
    kinder = {name: {criterion: score + 0.1 for criterion, score in row.items()} for name, row in SCORES.items()}
    medic = {"medic": assessment("medic", criteria_scores=nested(SCORES))}
    police = {"police": assessment("police", criteria_scores=nested(SCORES))}
    files = [
        desk.write("group.json", coordinator(collection_info={"assessments": {**medic, **police}})),
        desk.write(
            "single.json",
            single(scenario_type="flood_1", agent_info={"agent_id": "medic"}, criteria_scores=nested(kinder)),
        ),
    ]
    desk.score(*(files[::-1] if turned else files))
    for record in desk.records().values():
        actual = record["scenario"]["matrix"]["evacuate"]["safety"]
        assert actual == pytest.approx((0.9 + 0.9 + 1.0) / 3)


@pytest.mark.parametrize("turned", [False, True])
def test_order_of_trials_does_not_change_the_mean_matrix(desk: Desk, turned: bool) -> None:
    kinder = {name: {criterion: score + 0.1 for criterion, score in row.items()} for name, row in SCORES.items()}
    trials = [single(trial=0), single(trial=1, criteria_scores=nested(kinder))]
    desk.score(desk.write("single.jsonl", tuple(trials[::-1] if turned else trials)))
    for record in desk.rows("records.jsonl"):
        assert record["scenario"]["matrix"]["evacuate"]["safety"] == pytest.approx(0.95)


def test_alternatives_that_are_scored_need_no_belief(desk: Desk) -> None:
    beliefs = {"evacuate": 0.3, "barriers": 0.7}
    desk.score(desk.write("single.json", single(belief_distribution=beliefs, final_scores=beliefs)))
    assert set(desk.record()["scenario"]["alternatives"]) == {"evacuate", "barriers", "wait"}
    assert desk.record()["scenario"]["matrix"] == SCORES


def test_prefix_is_taken_off_by_map(desk: Desk) -> None:
    alone = single(criteria_scores=nested(SCORES, "C_"))
    renaming = [f"--map=C_{name}={name}" for name in SCORES["wait"]]
    desk.score(desk.write("single.json", alone), *renaming)
    assert desk.record()["scenario"]["matrix"] == SCORES
    assert [criterion["id"] for criterion in desk.record()["scenario"]["criteria"]] == ["safety", "cost", "speed"]


def test_map_renames_in_scenario_files_too(desk: Desk) -> None:
    scores = {name: {f"C_{criterion}": score for criterion, score in row.items()} for name, row in SCORES.items()}
    desk.score(
        desk.write("single.json", single()),
        *("--scenarios", desk.write("flood.json", scenario(scores))),
        *("--criteria", desk.write("weights.json", {"safety": 0.5, "cost": 0.3, "speed": 0.2})),
        *(f"--map=C_{name}={name}" for name in SCORES["wait"]),
    )
    assert desk.record()["scenario"]["matrix"] == SCORES
    assert desk.value("decision_quality_weighted") == pytest.approx(0.5 * 0.7 + 0.3 * 0.6 + 0.2 * 0.75)


def test_choice_among_equal_beliefs_is_kept(desk: Desk) -> None:
    even = {"evacuate": 0.4, "barriers": 0.4, "wait": 0.2}
    desk.score(desk.write("single.json", single(recommended_alternative="evacuate", belief_distribution=even)))
    assert desk.record()["assessments"][0]["choice"] == "evacuate"


# Assessments by themselves.


def assessments() -> tuple[dict[str, Any], ...]:
    return tuple(assessment(agent) for agent in BELIEFS)


@pytest.mark.parametrize(("name", "make"), [("flood_3.json", list), ("flood_3.jsonl", tuple)])
def test_assessments_of_one_file_make_one_record(desk: Desk, name: str, make: Any) -> None:
    desk.score(desk.write(name, make(assessments())))
    record = desk.record()
    assert (record["id"], record["arm"]) == ("flood_3", "group")
    assert [row["agent"] for row in record["assessments"]] == list(BELIEFS)
    assert record.get("recommended") is None
    assert desk.value("consensus") is not None
    assert desk.value("ground_truth_match") is None
    assert desk.arms() >= {"group/average", "group/majority", "group/random"}


def test_arms_of_members_are_scored_where_only_assessments_are_there(desk: Desk) -> None:
    desk.score(desk.write("flood_1.json", list(assessments())), "--scenarios", desk.write("flood.json", scenario()))
    qualities = {name: fmean(row.values()) for name, row in SCORES.items()}
    average = (2 * qualities["evacuate"] + qualities["barriers"]) / 3
    assert desk.value("decision_quality", "group/average") == pytest.approx(average)
    assert desk.value("decision_quality", "group/best") == pytest.approx(
        max(qualities["evacuate"], qualities["barriers"])
    )
    assert desk.value("decision_quality", "group/majority") == pytest.approx(qualities["evacuate"])
    assert desk.value("decision_quality", "group") is None


def test_assessments_of_several_rounds(desk: Desk) -> None:
    late = [{**assessment(agent), "round": 1, "belief_distribution": BELIEFS["medic"]} for agent in BELIEFS]
    desk.score(desk.write("flood.json", [*assessments(), *late]))
    assert desk.value("consensus") == pytest.approx(1.0)
    before = desk.value("consensus_before")
    assert before is not None
    assert before < 0.9
    assert desk.value("consensus_gain") == pytest.approx(1.0 - before)


@pytest.mark.parametrize("known", [False, True], ids=["by themselves", "with the scenario"])
def test_assessments_may_score_and_choose_what_nobody_believes_in(desk: Desk, known: bool) -> None:
    beliefs = {"evacuate": 0.6, "barriers": 0.4}
    medic = assessment("medic", belief_distribution=beliefs, criteria_scores=nested(SCORES))
    police = assessment("police", belief_distribution=beliefs, recommended_alternative="wait")
    beside = ["--scenarios", desk.write("flood.json", scenario())] if known else []
    desk.score(desk.write("flood_1.json", [medic, police]), *beside)
    assert set(desk.record()["scenario"]["alternatives"]) == {"evacuate", "barriers", "wait"}
    assert desk.value("diversity") == 1.0


def test_assessments_of_two_scenarios_make_two_records(desk: Desk) -> None:
    both = [assessment(agent, scenario_id=id) for id in ("flood_1", "fire_1") for agent in BELIEFS]
    desk.score(desk.write("all.json", both))
    assert set(desk.records()) == {("flood_1", "group"), ("fire_1", "group")}
    assert all(len(record["assessments"]) == 3 for record in desk.records().values())


# The execution log.

LOG = [
    {"type": "start", "timestamp": 1000.0},
    {"type": "iteration", "timestamp": 1000.1, "number": 1},
    {"type": "api_call", "timestamp": 1001.0, "duration": 2.0, "tokens": 100, "cost": 0.01, "model": "x"},
    {"type": "llm_call", "timestamp": 1004.0, "duration": 2.0, "tokens": 100, "cost": 0.01},
    {"type": "api_call", "timestamp": 1007.0, "duration": 2.0, "tokens": 100, "cost": 0.01},
    {"type": "api_call", "timestamp": 1010.0, "duration": 2.0, "tokens": 100, "cost": 0.01},
    {"type": "end", "timestamp": 1012.4},
]


def check_effort(desk: Desk) -> None:
    assert desk.value("efficiency") == pytest.approx(0.40531, abs=5e-6)
    assert desk.value("api_calls") == 4.0
    assert desk.value("tokens_used") == 400.0
    assert desk.value("cost") == pytest.approx(0.04)


def test_log_inside_a_decision(desk: Desk) -> None:
    desk.score(desk.write("group.json", without(coordinator(execution_log=LOG), "decision_time_seconds")))
    check_effort(desk)


@pytest.mark.parametrize("log", [LOG, {"flood_1": LOG}, {"flood_1/group": LOG}], ids=["list", "by case", "by arm"])
def test_log_beside_a_decision(desk: Desk, log: Any) -> None:
    decided = desk.write("group.json", without(coordinator(), "decision_time_seconds"))
    desk.score(decided, "--log", desk.write("log.json", log))
    check_effort(desk)


def test_log_of_one_arm_is_not_that_of_the_other(desk: Desk) -> None:
    both = [without(coordinator(), "decision_time_seconds"), single(scenario_type="flood_1")]
    desk.score(
        desk.write("both.json", both),
        *("--scenarios", desk.write("flood.json", scenario())),
        *("--log", desk.write("log.json", {"flood_1/group": LOG, "flood_1/single": LOG[:3]})),
    )
    assert desk.value("api_calls", "group") == 4.0
    assert desk.value("api_calls", "single") == 1.0


# Scenarios, weights and truth beside the decisions.


def test_scenario_gives_alternatives_and_scores(desk: Desk) -> None:
    desk.score(desk.write("group.json", coordinator()), "--scenarios", desk.write("flood.json", scenario()))
    record = desk.record()
    assert record["scenario"]["matrix"] == SCORES
    assert "matrix_source" not in record
    assert desk.value("decision_quality") == pytest.approx(fmean(SCORES["evacuate"].values()))
    assert desk.value("decision_quality_weighted") is None


def test_scenarios_in_several_files_or_one(desk: Desk) -> None:
    other = {name: dict.fromkeys(row, 0.5) for name, row in SCORES.items()}
    decided = desk.write("group.jsonl", (coordinator(), coordinator(scenario_id="fire_1")))
    flood, fire = scenario(), scenario(other, id="fire_1", type="fire")
    two = ["--scenarios", desk.write("flood.json", flood), "--scenarios", desk.write("fire.json", fire)]
    for given in (two, ["--scenarios", desk.write("all.jsonl", (flood, fire))]):
        desk.score(decided, *given)
        assert desk.value("decision_quality", case="flood_1") == pytest.approx(fmean(SCORES["evacuate"].values()))
        assert desk.value("decision_quality", case="fire_1") == 0.5


WEIGHTED = (0.5 * 0.9 + 0.3 * (1 - 0.4) + 0.2 * 0.7) / 1.0
FACTS = {
    "safety": {"weight": 0.5, "type": "benefit"},
    "cost": {"weight": 0.3, "type": "cost", "unit": "euros", "scale": "Lower is better"},
    "speed": {"name": "Speed", "weight": 0.2},
}
SHAPES = {
    "numbers": {"safety": 0.5, "cost": 0.3, "speed": 0.2},
    "objects": FACTS,
    "mixed": {**FACTS, "safety": 0.5},
    "criteria": {"criteria": FACTS, "normalization": "min-max"},
    "sections": {
        "decision_criteria": {"safety": FACTS["safety"], "cost": FACTS["cost"]},
        "legacy_criteria": {"speed": FACTS["speed"]},
        "notes": ["these are baseline values"],
    },
}


@pytest.mark.parametrize("shape", SHAPES)
def test_criteria_in_all_shapes(desk: Desk, shape: str) -> None:
    desk.score(
        desk.write("group.json", coordinator()),
        *("--scenarios", desk.write("flood.json", scenario())),
        *("--criteria", desk.write("weights.json", SHAPES[shape])),
    )
    criteria = {row["id"]: (row["weight"], row.get("kind", "benefit")) for row in desk.record()["scenario"]["criteria"]}
    cost = "benefit" if shape == "numbers" else "cost"
    assert criteria == {"safety": (0.5, "benefit"), "cost": (0.3, cost), "speed": (0.2, "benefit")}
    expected = 0.5 * 0.9 + 0.3 * 0.4 + 0.2 * 0.7 if shape == "numbers" else WEIGHTED
    assert desk.value("decision_quality_weighted") == pytest.approx(expected)


def test_criteria_hold_for_matrices_of_agents(desk: Desk) -> None:
    desk.score(
        desk.write("single.json", single(recommended_alternative="evacuate")),
        *("--criteria", desk.write("weights.json", FACTS)),
    )
    criteria = {row["id"]: (row["weight"], row.get("kind", "benefit")) for row in desk.record()["scenario"]["criteria"]}
    assert criteria == {"safety": (0.5, "benefit"), "cost": (0.3, "cost"), "speed": (0.2, "benefit")}
    assert desk.value("decision_quality_weighted") == pytest.approx(WEIGHTED)


def test_criteria_of_agents_that_a_weights_file_does_not_know_are_refused(desk: Desk) -> None:
    message = desk.refused(
        desk.write("single.json", single(criteria_scores=nested(SCORES, "C_"))),
        *("--criteria", desk.write("weights.json", FACTS)),
    )
    for name in ("C_safety", "C_cost", "C_speed", " safety", " cost", " speed", "--map"):
        assert name in message, name


def test_truth_beside_the_decisions(desk: Desk) -> None:
    decided = desk.write("group.jsonl", (coordinator(), coordinator(scenario_id="fire_1")))
    desk.score(decided, "--truth", desk.write("truth.json", {"flood_1": "evacuate", "fire_1": "wait"}))
    assert desk.value("ground_truth_match", case="flood_1") == 1.0
    assert desk.value("ground_truth_match", case="fire_1") == 0.0
    assert desk.value("brier", case="fire_1") is not None


@pytest.mark.parametrize("option", ["--truth", "--scenarios", "--log"])
def test_file_that_meets_no_decision_is_remarked(desk: Desk, option: str) -> None:
    content = {
        "--truth": {"flood_9": "evacuate"},
        "--scenarios": scenario(id="flood_9", type="inundation"),
        "--log": {"flood_9": LOG},
    }[option]
    done = desk.score(desk.write("group.json", coordinator()), option, desk.write("beside.json", content))
    assert "beside.json" in done.out
    assert "flood_9" in done.out
    assert any("flood_9" in warning for warning in desk.warnings())


# Arms and baselines.


def test_arm_is_named_for_all_files_or_for_each(desk: Desk) -> None:
    ours = desk.write("one.json", coordinator())
    other = desk.write("other.json", coordinator(scenario_id="fire_1"))
    desk.score(ours, other, "--arm", "ours", "--baselines", "none")
    assert desk.arms() == {"ours"}
    desk.score(ours, desk.write("other.json", coordinator(confidence=0.1)), "--arm", "ours", "--arm", "theirs")
    assert set(desk.records()) == {("flood_1", "ours"), ("flood_1", "theirs")}
    assert "theirs/average" in desk.arms()


@pytest.mark.parametrize("kind", ["gz", "zip"])
def test_arm_is_named_for_packed_files(desk: Desk, kind: str) -> None:
    path = desk.folder / f"group.json.{kind}"
    if kind == "gz":
        path.write_bytes(gzip.compress(json.dumps(coordinator()).encode()))
    else:
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("a/group.json", json.dumps(coordinator()))
    desk.score(path, "--arm", "ours", "--baselines", "none")
    assert desk.arms() == {"ours"}


def test_members_are_arms_unless_asked_otherwise(desk: Desk) -> None:
    decided = desk.write("group.json", coordinator())
    beside = ("--scenarios", desk.write("flood.json", scenario()))
    desk.score(decided, *beside)
    assert desk.arms() == {"group", "group/average", "group/best", "group/majority", "group/random"}
    desk.score(decided, *beside, "--baselines", "none")
    assert desk.arms() == {"group"}


def test_beliefs_above_one_are_divided_by_their_sum_on_request(desk: Desk) -> None:
    loud = {"evacuate": 0.9, "barriers": 0.6, "wait": 0.3}
    assessments = {**{agent: assessment(agent) for agent in BELIEFS}, "medic": assessment(belief_distribution=loud)}
    decided = desk.write("group.json", coordinator(collection_info={"assessments": assessments}))
    done = desk.score(decided)
    assert "beliefs: sum to 1.8; expected at most 1" in done.out
    assert desk.record()["assessments"][0]["beliefs"] == loud
    done = desk.score(decided, "--beliefs", "normalised")
    assert "1.8" not in done.out
    beliefs = {row["agent"]: row["beliefs"] for row in desk.record()["assessments"]}
    assert beliefs["medic"] == pytest.approx({"evacuate": 0.5, "barriers": 1 / 3, "wait": 1 / 6})
    assert beliefs["police"] == BELIEFS["police"]
    assert json.loads((desk.run / "run.json").read_text())["settings"]["beliefs"] == "normalised"


def test_beliefs_below_one_leave_the_rest_unassigned(desk: Desk) -> None:
    modest = assessment("medic", belief_distribution={"evacuate": 0.5, "barriers": 0.2, "wait": 0.1})
    done = desk.score(desk.write("flood.json", [modest, assessment("police")]), "--beliefs", "normalised")
    assert "sum to 0.8; the rest is taken as unassigned" in done.out
    assert desk.record()["assessments"][0]["beliefs"] == {"evacuate": 0.5, "barriers": 0.2, "wait": 0.1}


# Records of our own.

OWN = {
    "id": "r1",
    "case": "s1",
    "arm": "ours",
    "trial": 2,
    "facets": {"domain": "flood"},
    "scenario": {
        "alternatives": ["a", "b"],
        "criteria": [
            {"id": "x", "weight": 2.0},
            {"id": "price", "kind": "cost", "weight": 1.0, "scale": [0.0, 500.0]},
        ],
        "matrix": {"a": {"x": 0.9, "price": 400.0}, "b": {"x": 0.4, "price": 100.0}},
        "name": "A or B",
    },
    "assessments": [
        {"agent": "ann", "beliefs": {"a": 0.7, "b": 0.3}, "confidence": 0.9, "reasoning": "Good."},
        {"agent": "bob", "beliefs": {"a": 0.2, "b": 0.8}, "confidence": 0.5, "choice": "a", "concerns": ["price"]},
        {"agent": "ann", "beliefs": {"a": 0.8, "b": 0.2}, "confidence": 0.9, "round": 1},
        {"agent": "bob", "beliefs": {"a": 0.6, "b": 0.4}, "confidence": 0.6, "round": 1},
    ],
    "lottery": {"a": 0.75, "b": 0.25},
    "truth": "a",
    "turns": [{"id": "0", "speaker": "ann", "text": "A!", "tokens": 2}],
    "log": [{"type": "api_call", "duration": 1.5}],
    "effort": {"iterations": 2, "calls": 6},
}


def scores_of(desk: Desk) -> dict[tuple[str, str, int], dict[str, Any]]:
    return {
        (row["case"], row["arm"], row.get("trial", 0)): {
            name: score.get("value") for name, score in row["scores"].items()
        }
        for row in desk.rows()
    }


def test_own_record_is_read_as_it_stands(desk: Desk) -> None:
    desk.score(desk.write("own.jsonl", (OWN,)))
    assert desk.record() == OWN
    quality = 0.75 * (0.9 + 0.2) / 2 + 0.25 * (0.4 + 0.8) / 2
    assert desk.value("decision_quality") == pytest.approx(quality)
    assert desk.value("processing_time") == 1.5


@pytest.mark.parametrize("baselines", ["all", "none"])
def test_records_of_a_run_score_the_same_again(desk: Desk, baselines: str) -> None:
    assessed = {agent: assessment(agent, criteria_scores=nested(SCORES)) for agent in BELIEFS}
    wild = coordinator(collection_info={"assessments": assessed}, execution_log=LOG, ground_truth="barriers")
    own = desk.write("own.jsonl", (OWN,))
    desk.score(own, desk.write("group.json", wild), "--baselines", baselines)
    first, records = scores_of(desk), (desk.run / "records.jsonl").read_bytes()
    desk.score(desk.write("again.jsonl", records), "--baselines", baselines)
    assert scores_of(desk) == first
    assert (desk.run / "records.jsonl").read_bytes() == records
    assert json.loads((desk.run / "run.json").read_text())["status"] == "complete"


def test_schema_describes_what_is_read(desk: Desk) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    schema = json.loads(desk.adjudge("schema", "decision").out)
    jsonschema.validate(OWN, schema)
    desk.score(desk.write("group.json", coordinator()), "--scenarios", desk.write("flood.json", scenario()))
    for record in desk.rows("records.jsonl"):
        jsonschema.validate(record, schema)


# The scenarios of crisis_mas.


@pytest.fixture(scope="module")
def crisis() -> Path:
    if not CRISIS.is_dir():
        pytest.skip("no crisis_mas in the shared data")
    return CRISIS


def actions(crisis: Path, file: str) -> dict[str, dict[str, float]]:
    return {
        action["id"]: action["criteria_scores"]
        for action in json.loads((crisis / file).read_text())["available_actions"]
    }


def decided_on(crisis: Path, id: str) -> list[dict[str, Any]]:
    """A group that takes the second action of a scenario and a single agent that takes the first."""
    first, second, *rest = actions(crisis, SCENARIOS[id])
    beliefs = {"medic": {first: 0.3, second: 0.7}, "police": {first: 0.4, second: 0.5, rest[0]: 0.1}}
    assessed = {agent: assessment(agent, belief_distribution=shares) for agent, shares in beliefs.items()}
    group = without(coordinator(scenario_id=id), "final_scores", "er_scores", "mcda_scores", "agent_opinions")
    alone = without(single(belief_distribution={first: 0.8, second: 0.2}, scenario_type=""), "final_scores")
    return [
        {**group, "recommended_alternative": second, "collection_info": {"assessments": assessed}},
        {**without(alone, "criteria_scores"), "recommended_alternative": first, "scenario_id": id},
    ]


def given_scenarios(crisis: Path) -> list[object]:
    return [part for file in SCENARIOS.values() for part in ("--scenarios", crisis / file)]


def test_three_real_scenarios_are_read(desk: Desk, crisis: Path) -> None:
    decided = tuple(record for id in SCENARIOS for record in decided_on(crisis, id))
    desk.score(desk.write("decided.jsonl", decided), *given_scenarios(crisis))
    assert set(desk.records()) == {(id, arm) for id in SCENARIOS for arm in ("group", "single")}
    for id, file in SCENARIOS.items():
        matrix = actions(crisis, file)
        first, second, *_ = matrix
        assert desk.records()[id, "group"]["scenario"]["matrix"] == matrix
        assert desk.value("decision_quality", "group", id) == pytest.approx(fmean(matrix[second].values()))
        assert desk.value("decision_quality", "single", id) == pytest.approx(fmean(matrix[first].values()))
        best = max(fmean(row.values()) for row in matrix.values())
        assert desk.value("regret", "group", id) == pytest.approx(best - fmean(matrix[second].values()))


def test_real_scenarios_are_met_by_their_type(desk: Desk, crisis: Path) -> None:
    kinds = {"flood": "flood_001", "hazmat": "hazmat_001", "wildfire": "fire_001"}
    decided = tuple(
        {**without(decided_on(crisis, id)[1], "scenario_id"), "scenario_type": kind} for kind, id in kinds.items()
    )
    desk.score(desk.write("decided.jsonl", decided), *given_scenarios(crisis))
    assert set(desk.records()) == {(id, "single") for id in SCENARIOS}


def test_real_weights_that_lack_criteria_are_refused_with_both_lists(desk: Desk, crisis: Path) -> None:
    weights = json.loads((crisis / "criteria_weights.json").read_text())
    message = desk.refused(
        desk.write("decided.jsonl", tuple(decided_on(crisis, "flood_001"))),
        *given_scenarios(crisis),
        *("--criteria", desk.write("weights.json", without(weights, "legacy_criteria"))),
    )
    for name in ("effectiveness", "speed", "public_acceptance", "response_time", "social_acceptance"):
        assert name in message, name
    assert "--map" in message


def test_real_weights_in_two_sections_are_joined_with_a_remark(desk: Desk, crisis: Path) -> None:
    # Neither section weighs all five criteria, and together they sum to 1.15: nobody should get that unawares.
    desk.score(
        desk.write("decided.jsonl", tuple(decided_on(crisis, "flood_001"))),
        *given_scenarios(crisis),
        *("--criteria", crisis / "criteria_weights.json"),
    )
    criteria = desk.records()["flood_001", "group"]["scenario"]["criteria"]
    weights = {criterion["id"]: (criterion["weight"], criterion.get("kind", "benefit")) for criterion in criteria}
    assert weights == {
        "effectiveness": (0.30, "benefit"),
        "safety": (0.30, "benefit"),
        "speed": (0.20, "benefit"),
        "cost": (0.25, "cost"),
        "public_acceptance": (0.10, "benefit"),
    }
    assert any("decision_criteria" in warning and "legacy_criteria" in warning for warning in desk.warnings())


def test_real_scenarios_are_met_by_weights_of_their_own(desk: Desk, crisis: Path) -> None:
    profile = json.loads((crisis / "agent_profiles_compact.json").read_text())[0]["weight_preferences"]
    desk.score(
        desk.write("decided.jsonl", tuple(decided_on(crisis, "flood_001"))),
        *given_scenarios(crisis),
        *("--criteria", desk.write("weights.json", profile)),
    )
    matrix = actions(crisis, SCENARIOS["flood_001"])
    row = matrix[list(matrix)[1]]
    expected = sum(profile[name] * score for name, score in row.items()) / sum(profile.values())
    assert desk.value("decision_quality_weighted", "group") == pytest.approx(expected)
