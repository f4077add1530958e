"""What is wrong with decisions is said with its place, or undefined and counted; never a silent 0, 0.5 or 1."""

from __future__ import annotations

import copy
import json
import math
import pickle
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from test_decision_read import BELIEFS, LOG, SCORES, Desk, assessment, coordinator, nested, scenario, single, without

TABLE = Path(__file__).with_name("bad_decisions.toml")


@pytest.fixture
def desk(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Desk:
    monkeypatch.setenv("COLUMNS", "400")
    return Desk(tmp_path, capsys)


_OWN: dict[str, Any] = {
    "id": "s1",
    "arm": "group",
    "scenario": {
        "alternatives": ["a", "b"],
        "criteria": [{"id": "safety", "weight": 0.6}, {"id": "cost", "weight": 0.4}],
        "matrix": {"a": {"safety": 0.9, "cost": 0.4}, "b": {"safety": 0.5, "cost": 0.8}},
    },
    "assessments": [
        {"agent": "ann", "beliefs": {"a": 0.7, "b": 0.3}, "confidence": 0.9},
        {"agent": "bob", "beliefs": {"a": 0.4, "b": 0.6}, "confidence": 0.5},
    ],
    "recommended": "a",
    "truth": "b",
}


def own(**changes: Any) -> dict[str, Any]:
    """A record of our own that is fine but for these changes."""
    return {**copy.deepcopy(_OWN), **changes}


def changed(*path: str | int, to: Any) -> dict[str, Any]:
    """A record of our own with another value at this place."""
    record = own()
    inside: Any = record
    for step in path[:-1]:
        inside = inside[step]
    inside[path[-1]] = to
    return record


def all_values(desk: Desk) -> list[float | None]:
    """Every value of the run; fails where a metric failed."""
    scores = [score for row in desk.rows() for score in row["scores"].values()]
    assert [score for score in scores if score.get("skipped", {}).get("status") == "error"] == []
    return [score.get("value") for score in scores]


def test_record_without_a_fault_is_scored(desk: Desk) -> None:
    desk.score(desk.write("fine.jsonl", (own(),)))
    assert desk.value("decision_quality") == pytest.approx(0.65)
    assert desk.warnings() == []


FAULTS = [fault for faults in tomllib.loads(TABLE.read_text("utf-8")).values() for fault in faults]


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault["parts"][0])
def test_fault_of_a_record_is_refused_with_its_place(desk: Desk, fault: dict[str, Any]) -> None:
    path = [int(step) if step.isdecimal() else step for step in fault["at"].split(".")]
    record = without(changed(*path, to=fault["to"]), fault.get("without", ""))
    message = desk.refused(desk.write("bad.jsonl", (record,)))
    first, *others = fault["parts"]
    assert f"bad.jsonl:1: {first}" in message
    for part in others:
        assert part in message


# Rows of BAD_INPUTS.md.


@pytest.mark.parametrize("word", ["NaN", "Infinity", "-Infinity"])
@pytest.mark.parametrize("make", [own, coordinator, single, assessment], ids=["own", "group", "single", "assessment"])
def test_nan_is_refused_with_its_line_and_byte(desk: Desk, word: str, make: Callable[..., Any]) -> None:
    text = json.dumps(make(confidence=0.123456)).replace("0.123456", word)
    path = desk.write("nan.jsonl", f"{json.dumps(own(id='fine', arm='x'))}\n{text}\n")
    message = desk.refused(path)
    assert f"nan.jsonl:2: {word} at byte {text.index(word)}; JSON has no {word}" in message
    assert desk.adjudge("score", "decision", path, "--skip-bad", "-o", desk.run).code == 0
    assert {row["case"] for row in desk.rows()} == {"fine"}


@pytest.mark.parametrize("number", ["1e999", "-1e999"])
def test_number_beyond_all_numbers_is_refused(desk: Desk, number: str) -> None:
    text = json.dumps(changed("scenario", "matrix", "a", "cost", to=0.123456)).replace("0.123456", number)
    assert "huge.jsonl:1: " in desk.refused(desk.write("huge.jsonl", text + "\n"))


@pytest.mark.parametrize(
    ("option", "text"), [("--criteria", '{"safety": NaN}'), ("--log", '[{"type": "x", "cost": NaN}]')]
)
def test_nan_in_a_file_beside_is_refused(desk: Desk, option: str, text: str) -> None:
    message = desk.refused(desk.write("fine.jsonl", (own(),)), option, desk.write("beside.json", text))
    assert "beside.json" in message
    assert f"NaN at byte {text.index('NaN')}" in message


def test_no_agents_have_no_consensus(desk: Desk) -> None:
    desk.score(desk.write("none.jsonl", (own(assessments=[]),)))
    for name in ("consensus", "belief_agreement", "choice_agreement", "contribution_balance", "diversity", "influence"):
        assert desk.value(name) is None, name
    assert desk.value("decision_quality") == pytest.approx(0.65)
    assert desk.arms() == {"group"}
    all_values(desk)


def test_one_agent_has_no_consensus(desk: Desk) -> None:
    desk.score(desk.write("one.jsonl", (own(assessments=own()["assessments"][:1]),)))
    for name in ("consensus", "belief_agreement", "choice_agreement", "contribution_balance", "diversity", "influence"):
        assert desk.value(name) is None, name
    assert desk.value("average_confidence") == 0.9
    assert desk.arms() == {"group"}
    all_values(desk)


def test_undefined_is_counted_beside_what_is_defined(desk: Desk) -> None:
    lonely = own(id="s2", assessments=own()["assessments"][:1])
    desk.score(desk.write("both.jsonl", (own(), lonely)))
    report = desk.folder / "report.json"
    assert desk.adjudge("report", desk.run, "-o", report).code == 0
    rows = json.loads(report.read_text())["rows"]
    (counted,) = [row for row in rows if (row["metric"], row["arm"]) == ("consensus", "group")]
    assert (counted["conversations"], counted["undefined"]) == (1, 1)
    assert counted["value"] == desk.value("consensus", "group", "s1")


def test_beliefs_that_sum_to_more_than_one_are_remarked_and_kept(desk: Desk) -> None:
    loud = changed("assessments", 0, "beliefs", to={"a": 1.0, "b": 0.8})
    done = desk.score(desk.write("loud.jsonl", (loud,)))
    assert "loud.jsonl:1: assessments[0].beliefs: sum to 1.8; expected at most 1" in done.out
    assert "--beliefs normalised" in done.out
    assert len(desk.warnings()) == 1
    assert desk.record()["assessments"][0]["beliefs"] == {"a": 1.0, "b": 0.8}
    all_values(desk)


def test_beliefs_that_sum_to_less_than_one_are_remarked(desk: Desk) -> None:
    done = desk.score(desk.write("low.jsonl", (changed("assessments", 1, "beliefs", to={"a": 0.2, "b": 0.3}),)))
    assert "low.jsonl:1: assessments[1].beliefs: sum to 0.5; the rest is taken as unassigned" in done.out


def test_beliefs_that_sum_to_one_within_rounding_are_fine(desk: Desk) -> None:
    thirds = dict.fromkeys(("a", "b", "c"), 1 / 3)
    wide = own(scenario={"alternatives": ["a", "b", "c"]})
    wide["assessments"] = [
        {"agent": "ann", "beliefs": thirds},
        {"agent": "bob", "beliefs": {"a": 0.7, "b": 0.2, "c": 0.1}},
    ]
    desk.score(desk.write("thirds.jsonl", (wide,)))
    assert desk.warnings() == []


@pytest.mark.parametrize("options", [[], ["--beliefs", "normalised"]], ids=["as is", "normalised"])
def test_negative_mass_is_refused_with_its_path(desk: Desk, options: list[str]) -> None:
    bad = desk.write("bad.jsonl", (own(id="s0"), changed("assessments", 1, "beliefs", to={"a": -0.2, "b": 1.4})))
    message = desk.refused(bad, *options)
    assert "bad.jsonl:2: assessments[1].beliefs.a: found -0.2; expected a number from 0 to 1" in message


def test_share_of_an_external_assessment_is_refused_with_its_path(desk: Desk) -> None:
    for bad in (assessment("police", confidence=1.7), assessment("police", belief_distribution={"wait": -0.1})):
        assessed = {"assessments": {"medic": assessment(), "police": bad}}
        message = desk.refused(desk.write("group.json", coordinator(collection_info=assessed)))
        assert "group.json:1: " in message
        assert "assessments" in message
        assert "found 1.7" in message or "found -0.1" in message


def test_unknown_recommendation_of_an_external_decision_is_refused(desk: Desk) -> None:
    decided = desk.write("group.json", coordinator(recommended_alternative="evacuat"))
    for beside in ([], ["--scenarios", desk.write("flood.json", scenario())]):
        message = desk.refused(decided, *beside)
        assert "group.json:1: recommended" in message
        assert "no alternative 'evacuat'; did you mean 'evacuate'?" in message
        assert "evacuate, barriers, wait" in message


def test_truth_file_with_an_unknown_alternative_is_refused(desk: Desk) -> None:
    truth = desk.write("truth.json", {"flood_1": "run"})
    message = desk.refused(desk.write("group.json", coordinator()), "--truth", truth)
    assert "truth: no alternative 'run'" in message


def test_decision_without_any_alternatives_says_how_to_name_them(desk: Desk) -> None:
    message = desk.refused(desk.write("bare.jsonl", ({"id": "s1", "arm": "x", "recommended": "a"},)))
    assert "bare.jsonl:1: recommended: " in message
    assert "scenario.alternatives" in message
    assert "--scenarios" in message


def test_weights_file_that_sums_to_zero_is_refused(desk: Desk) -> None:
    weights = desk.write("weights.json", {"safety": 0, "cost": 0, "speed": 0})
    known = ("--scenarios", desk.write("flood.json", scenario()))
    message = desk.refused(desk.write("group.json", coordinator()), *known, "--criteria", weights)
    assert "all weights are 0" in message


def test_negative_weight_is_refused(desk: Desk) -> None:
    message = desk.refused(desk.write("bad.jsonl", (changed("scenario", "criteria", 1, "weight", to=-0.4),)))
    assert "bad.jsonl:1: scenario.criteria[1].weight: found -0.4; expected 0 or more" in message
    known = ("--scenarios", desk.write("flood.json", scenario()))
    weights = desk.write("weights.json", {"safety": 1, "cost": -1, "speed": 1})
    message = desk.refused(desk.write("group.json", coordinator()), *known, "--criteria", weights)
    assert "found -1" in message


def test_empty_cell_is_refused_with_its_path(desk: Desk) -> None:
    message = desk.refused(desk.write("bad.jsonl", (changed("scenario", "matrix", "b", "cost", to=None),)))
    assert "bad.jsonl:1: scenario.matrix" in message
    assert "expected a number, found null" in message


def test_missing_cell_of_a_scenario_file_is_refused_with_its_path(desk: Desk) -> None:
    holed = copy.deepcopy(SCORES)
    del holed["wait"]["cost"]
    known = desk.write("flood.json", scenario(holed))
    message = desk.refused(desk.write("group.json", coordinator()), "--scenarios", known)
    assert "flood.json:1: " in message
    assert "wait.cost: missing" in message
    bare = desk.write("bare.json", scenario({**SCORES, "wait": {}}))
    assert "wait: missing" in desk.refused(desk.write("group.json", coordinator()), "--scenarios", bare)


def test_missing_cell_of_an_agents_matrix_is_refused_with_its_path(desk: Desk) -> None:
    holed = nested(SCORES)
    del holed["cost"]["barriers"]
    message = desk.refused(desk.write("single.json", single(criteria_scores=holed)))
    assert "single.json:1: " in message
    assert "barriers" in message
    assert "cost" in message
    assert "missing" in message


def test_comparison_of_one_case_has_no_p_and_says_what_it_needs(desk: Desk) -> None:
    desk.score(desk.write("both.jsonl", (own(), own(id="s1b", case="s1", arm="single", recommended="b"))))
    chosen = ("compare", desk.run, "--arms", "group,single", "--metrics", "decision_quality", "--unpaired")
    target = desk.folder / "compare.json"
    assert desk.adjudge(*chosen, "-o", target).code == 0
    (contrast,) = json.loads(target.read_text())["comparison"]["contrasts"]
    assert (contrast["p"], contrast["p_corrected"], contrast["t_p"], contrast["verdict"]) == (
        None,
        None,
        None,
        "inconclusive",
    )
    assert contrast["why"] == "needs at least 2 shared cases, found 1"
    assert "NaN" not in target.read_text()
    assert "needs at least 2 shared cases" in desk.adjudge(*chosen).out


# Names that do not meet.


def test_criteria_that_do_not_match_are_refused_with_both_lists(desk: Desk) -> None:
    matrix = {name: {"C_safety": 0.5, "C_cost": 0.5} for name in ("a", "b")}
    message = desk.refused(desk.write("bad.jsonl", (changed("scenario", "matrix", to=matrix),)))
    assert (
        "bad.jsonl:1: scenario.matrix.a: the criteria are safety, cost; the scores are for C_safety, C_cost" in message
    )
    assert "--map C_safety=safety" in message
    assert "--map C_cost=cost" in message


def test_weights_that_do_not_match_are_refused_with_both_lists(desk: Desk) -> None:
    weights = desk.write("weights.json", {"C_safety": 0.4, "C_cost": 0.3, "C_speed": 0.3})
    known = ("--scenarios", desk.write("flood.json", scenario()))
    message = desk.refused(desk.write("group.json", coordinator()), *known, "--criteria", weights)
    assert "'safety', 'cost', 'speed'" in message
    assert "C_safety, C_cost, C_speed" in message
    assert "--map" in message


def test_agents_that_score_different_criteria_are_refused_with_both_lists(desk: Desk) -> None:
    assessed = {
        "medic": assessment("medic", criteria_scores=nested(SCORES)),
        "police": assessment("police", criteria_scores=nested(SCORES, "C_")),
    }
    message = desk.refused(desk.write("group.json", coordinator(collection_info={"assessments": assessed})))
    assert "safety, cost, speed" in message
    assert "C_safety, C_cost, C_speed" in message
    assert "--map C_safety=safety" in message


def test_agents_of_two_arms_that_score_different_criteria_are_refused(desk: Desk) -> None:
    assessed = {"medic": assessment("medic", criteria_scores=nested(SCORES, "C_"))}
    files = (
        desk.write("group.json", coordinator(collection_info={"assessments": assessed})),
        desk.write("single.json", single(scenario_type="flood_1")),
    )
    message = desk.refused(*files)
    assert "C_safety" in message
    assert " safety" in message
    desk.score(*files, *(f"--map=C_{name}={name}" for name in SCORES["wait"]))


def test_direction_that_is_none_is_refused(desk: Desk) -> None:
    weights = desk.write("weights.json", {"safety": {"weight": 1, "type": "gain"}})
    message = desk.refused(desk.write("group.json", coordinator()), "--criteria", weights)
    assert "weights.json: safety.type: found 'gain'; expected 'benefit' or 'cost'" in message
    message = desk.refused(desk.write("bad.jsonl", (changed("scenario", "criteria", 0, "kind", to="gain"),)))
    assert "bad.jsonl:1: scenario.criteria[0].kind: expected one of 'benefit', 'cost', found 'gain'" in message


@pytest.mark.parametrize("given", ["C_safety", "=safety", "C_safety="])
def test_malformed_map_is_refused(desk: Desk, given: str) -> None:
    message = desk.refused(desk.write("fine.jsonl", (own(),)), "--map", given)
    assert f"--map {given}: expected OLD=NEW" in message


def test_two_criteria_mapped_to_one_name_are_refused(desk: Desk) -> None:
    message = desk.refused(desk.write("single.json", single()), "--map", "cost=safety")
    assert "safety" in message
    assert "twice" in message


# Arms that cannot be scored alike.


def test_arms_scored_by_different_methods_are_refused_with_both_named(desk: Desk) -> None:
    files = (
        desk.write("group.json", coordinator()),
        desk.write("single.json", single(scenario_type="flood_1")),
    )
    message = desk.refused(*files)
    assert "different methods" in message
    for part in (
        "'single'",
        "criteria scores",
        "'group'",
        "MCDA scores",
        "single.json:1",
        "group.json:1",
        "--scenarios",
    ):
        assert part in message, part
    desk.score(*files, "--scenarios", desk.write("flood.json", scenario()))
    assert desk.value("decision_quality", "group") is not None


def test_criteria_scores_and_final_scores_are_different_methods(desk: Desk) -> None:
    group = without(coordinator(), "mcda_scores", "er_scores")
    message = desk.refused(desk.write("both.json", [group, single(scenario_type="flood_1")]))
    assert "final scores" in message
    assert "criteria scores" in message


def test_arm_by_another_method_is_left_out_with_skip_bad(desk: Desk) -> None:
    both = desk.write("both.json", [coordinator(), single(scenario_type="flood_1")])
    done = desk.adjudge("score", "decision", both, "--skip-bad", "-o", desk.run)
    assert done.code == 0
    assert "different methods" in done.out
    assert "1 record refused and not scored" in done.out
    assert desk.arms() == {"single"}


def test_mixed_methods_are_refused_though_the_arms_share_no_case(desk: Desk) -> None:
    message = desk.refused(desk.write("group.json", coordinator()), desk.write("single.json", single()))
    assert "decision quality by different methods" in message
    assert "'group'" in message
    assert "'single'" in message
    assert "MCDA scores" in message


def test_arms_that_share_no_case_are_remarked(desk: Desk) -> None:
    done = desk.score(desk.write("both.jsonl", (own(), own(id="s2", arm="single"))))
    assert "shares no case with single" in done.out


def test_scores_of_the_own_choice_alone_make_no_matrix_where_choices_differ(desk: Desk) -> None:
    flat = {"safety": 1.0, "cost": 1.0}
    group = single(agent_info={"agent_id": "p"}, recommended_alternative="evacuate", criteria_scores=flat)
    other = single(agent_info={"agent_id": "q"}, recommended_alternative="barriers", criteria_scores=flat)
    files = desk.write("p.json", group), desk.write("q.json", other)
    desk.score(*files, "--arm", "ours", "--arm", "theirs")
    assert desk.value("decision_quality", "ours") is None
    assert desk.value("decision_quality", "theirs") is None


def test_one_case_with_many_arms_is_compared_without_a_crash(desk: Desk) -> None:
    desk.score(desk.write("own.jsonl", (own(),)))
    done = desk.adjudge("compare", desk.run, "--verbose")
    assert done.code == 0
    assert "needs at least 2 shared cases, found 1" in done.out


def test_boosted_quality_is_not_compared_even_by_name(desk: Desk) -> None:
    desk.score(
        desk.write("both.jsonl", tuple(own(id=f"s{n}{arm}", case=f"s{n}", arm=arm) for n in "12" for arm in "xy"))
    )
    done = desk.adjudge("compare", desk.run, "--arms", "x,y", "--metrics", "decision_quality_boosted")
    assert done.code == 2
    assert "its card leaves it out of comparisons" in done.err


def test_truth_that_contradicts_the_record_is_refused(desk: Desk) -> None:
    path = desk.write("own.jsonl", (own(truth="a"),))
    assert "own.jsonl:1: truth: found 'a', --truth says 'b'" in desk.refused(
        path, "--truth", desk.write("truth.json", {"s1": "b"})
    )


def test_speaker_who_is_no_agent_is_remarked_and_one_by_name_is_known(desk: Desk) -> None:
    messages = [{"speaker": "Medic", "content": "Go."}, {"speaker": "chair", "content": "Well."}]
    medic = {"medic": {**assessment("medic"), "agent_name": "Medic"}, "police": assessment("police")}
    done = desk.score(desk.write("g.json", coordinator(transcript=messages, collection_info={"assessments": medic})))
    assert "'chair' assessed nothing and count as no agent" in done.out
    assert [turn["speaker"] for turn in desk.record()["turns"]] == ["medic", "chair"]


def test_runs_scored_by_different_methods_are_not_compared(desk: Desk) -> None:
    desk.score(desk.write("single.json", single(scenario_type="flood_1")))
    first = desk.run
    desk.run = desk.folder / "other"
    desk.score(desk.write("group.json", coordinator()), "--scenarios", desk.write("flood.json", scenario()))
    done = desk.adjudge("compare", first, desk.run, "--arms", "group,single", "--metrics", "decision_quality")
    output = done.out + done.err
    assert "the matrix of generalist" in output
    assert "the scenario's criteria matrix" in output


def test_two_arms_with_different_matrices_for_one_case_are_refused(desk: Desk) -> None:
    other = changed("scenario", "matrix", "a", "cost", to=0.5)
    path = desk.write("both.jsonl", (own(), {**other, "arm": "single"}))
    message = desk.refused(path)
    assert (
        f"both.jsonl:2: scenario.matrix: the criteria or their scores differ from those of the same case at {path}:1"
        in message
    )
    assert "--scenarios" in message


def test_two_arms_with_different_weights_for_one_case_are_refused(desk: Desk) -> None:
    other = changed("scenario", "criteria", 0, "weight", to=0.1)
    message = desk.refused(desk.write("both.jsonl", (own(), {**other, "arm": "single"})))
    assert "both.jsonl:2: " in message
    assert "the criteria or their scores differ" in message


def test_arm_without_a_matrix_is_scored_by_that_of_another_arm_on_the_case(desk: Desk) -> None:
    bare = own(id="bare", case="s1", arm="single", scenario={"alternatives": ["a", "b"]})
    desk.score(desk.write("both.jsonl", (own(), bare)))
    assert desk.value("decision_quality", "single") == desk.value("decision_quality", "group") == pytest.approx(0.65)


def test_two_arms_that_list_the_same_criteria_in_another_order_are_fine(desk: Desk) -> None:
    other = own(arm="single")
    other["scenario"]["criteria"].reverse()
    other["scenario"]["alternatives"].reverse()
    desk.score(desk.write("both.jsonl", (own(), other)))
    for name in ("decision_quality_weighted", "decision_closeness", "weight_robustness"):
        assert desk.value(name, "single") == pytest.approx(desk.value(name, "group"), abs=1e-12)


def test_matrix_that_differs_from_the_given_scenario_is_refused(desk: Desk) -> None:
    actions = {"a": {"safety": 0.1, "cost": 0.1}, "b": {"safety": 0.2, "cost": 0.2}}
    known = desk.write("s1.json", scenario(actions, id="s1"))
    message = desk.refused(desk.write("own.jsonl", (own(),)), "--scenarios", known)
    assert "own.jsonl:1: scenario.matrix: a criteria matrix that differs from that of --scenarios" in message


def test_scenario_that_stands_twice_is_refused(desk: Desk) -> None:
    known = desk.write("twice.jsonl", (scenario(), scenario()))
    message = desk.refused(desk.write("group.json", coordinator()), "--scenarios", known)
    assert "twice.jsonl:2: id: scenario 'flood_1' appears twice" in message


# Agents, rounds and shares.


def test_agent_that_stands_twice_in_a_round_is_refused(desk: Desk) -> None:
    twice = own()
    twice["assessments"].append({"agent": "ann", "beliefs": {"a": 1.0}})
    message = desk.refused(desk.write("bad.jsonl", (twice,)))
    assert "bad.jsonl:1: assessments[2].agent: agent 'ann' appears twice in round 0; expected once" in message
    twice["assessments"][2]["round"] = 1
    desk.score(desk.write("fine.jsonl", (twice,)))


def test_agent_that_stands_twice_among_assessments_is_refused(desk: Desk) -> None:
    message = desk.refused(desk.write("twice.jsonl", (assessment(), assessment("police"), assessment(confidence=0.1))))
    assert "agent 'medic' appears twice in round 0" in message


def test_assessment_without_an_agent_is_refused(desk: Desk) -> None:
    nameless = without(assessment(), "agent_id", "agent_name")
    message = desk.refused(desk.write("flood.json", [nameless, without(assessment("police"), "agent_id")]))
    assert "agent" in message
    message = desk.refused(desk.write("own.jsonl", (changed("assessments", 0, "agent", to=""),)))
    assert "own.jsonl:1: assessments[0].agent" in message


def test_bad_assessment_is_refused_with_its_own_line(desk: Desk) -> None:
    for bad in (assessment("police", confidence="high"), assessment("police", confidence=1.7)):
        message = desk.refused(desk.write("flood.jsonl", (assessment(), assessment("logistics"), bad)))
        assert "flood.jsonl:3: " in message
        assert "flood.jsonl:1: " not in message
        assert "confidence" in message


def test_confidences_that_are_all_zero_are_no_balance(desk: Desk) -> None:
    sure = [{"agent": name, "beliefs": {"a": 1.0, "b": 0.0}, "confidence": 0.0} for name in ("ann", "bob")]
    desk.score(desk.write("zero.jsonl", (own(assessments=sure),)))
    assert desk.value("contribution_balance") is None
    assert desk.value("average_confidence") == 0.0
    all_values(desk)


def test_beliefs_that_are_all_zero_make_nothing_known(desk: Desk) -> None:
    blank = [{"agent": name, "beliefs": {"a": 0.0, "b": 0.0}, "confidence": 0.5} for name in ("ann", "bob")]
    desk.score(desk.write("zero.jsonl", (own(assessments=blank),)))
    names = ("consensus", "belief_agreement", "choice_agreement", "contribution_balance", "diversity", "influence")
    for name in (*names, "pivotal", "unanimous_wrong", "gain_over_average"):
        assert desk.value(name) is None, name
    assert desk.arms() == {"group"}
    all_values(desk)


def test_identical_alternatives_have_no_closeness(desk: Desk) -> None:
    same = {name: {"safety": 0.3, "cost": 0.7} for name in ("a", "b")}
    desk.score(desk.write("same.jsonl", (changed("scenario", "matrix", to=same),)))
    assert desk.value("decision_closeness") is None
    assert desk.value("decision_quality") == pytest.approx(0.5)
    assert desk.value("regret") == 0.0
    all_values(desk)


def test_constant_column_changes_no_closeness(desk: Desk) -> None:
    desk.score(desk.write("plain.jsonl", (own(),)))
    expected = desk.value("decision_closeness")
    wide = own()
    wide["scenario"]["criteria"].append({"id": "same", "weight": 0.5})
    for row in wide["scenario"]["matrix"].values():
        row["same"] = 0.4
    desk.score(desk.write("wide.jsonl", (wide,)))
    assert desk.value("decision_closeness") == pytest.approx(expected, abs=1e-12)


def test_scores_outside_the_scale_are_undefined_with_a_remark(desk: Desk) -> None:
    done = desk.score(desk.write("euros.jsonl", (changed("scenario", "matrix", "a", "cost", to=400.0),)))
    assert "s1: scores outside their criterion's scale: decision quality is undefined there" in done.out
    assert desk.value("decision_quality") is None
    assert desk.value("regret") is None
    assert desk.value("decision_closeness") is not None


def test_decisions_without_a_matrix_are_undefined_with_a_remark(desk: Desk) -> None:
    done = desk.score(desk.write("bare.jsonl", (own(scenario={"alternatives": ["a", "b"]}),)))
    assert "1 of 1 without a criteria matrix" in done.out
    assert "--scenarios" in done.out
    assert desk.value("decision_quality") is None
    assert desk.value("consensus") is not None


def test_no_value_is_ever_no_number(desk: Desk) -> None:
    odd = (
        own(id="1", assessments=[]),
        own(id="2", assessments=[], scenario={"alternatives": ["a", "b"]}, truth=None),
        own(id="3", recommended=None),
        own(id="4", recommended=None, lottery={"a": 0.5, "b": 0.5}),
        own(
            id="5",
            scenario={"alternatives": ["a", "b"], "criteria": [{"id": "x"}], "matrix": {"a": {"x": 0}, "b": {"x": 0}}},
        ),
        own(id="6", assessments=[{"agent": "ann"}, {"agent": "bob", "confidence": 0.0}]),
        own(id="7", effort={"iterations": 0, "calls": 0, "seconds": 0.0, "tokens": 0, "cost": 0.0}),
        own(id="8", log=[{"type": "note"}]),
    )
    desk.score(desk.write("odd.jsonl", odd))
    assert all(math.isfinite(number) for number in all_values(desk) if number is not None)
    for name in ("scores.jsonl", "run.json"):
        assert "NaN" not in (desk.run / name).read_text()


# Effort.


def test_negative_time_of_an_external_decision_is_refused(desk: Desk) -> None:
    message = desk.refused(desk.write("group.json", coordinator(decision_time_seconds=-12.4)))
    assert "seconds: found -12.4; expected 0 or more" in message


@pytest.mark.parametrize("amount", ["duration", "tokens", "cost"])
@pytest.mark.parametrize("beside", [False, True], ids=["inside", "beside"])
def test_negative_amount_of_a_log_is_refused_with_its_path(desk: Desk, amount: str, beside: bool) -> None:
    log = [LOG[0], {**LOG[2], amount: -5}]
    if beside:
        arguments = [desk.write("group.json", coordinator()), "--log", desk.write("log.json", log)]
    else:
        arguments = [desk.write("group.json", coordinator(execution_log=log))]
    message = desk.refused(*arguments)
    assert f"log[1].{amount}: found -5" in message
    assert "expected 0 or more" in message


def test_one_log_for_many_decisions_is_refused(desk: Desk) -> None:
    both = desk.write("both.jsonl", (own(), own(id="s2")))
    message = desk.refused(both, "--log", desk.write("log.json", LOG))
    assert "log.json: one list of events for 2 decisions" in message


# Files of another kind.


def test_scenario_in_place_of_a_decision_is_recognised(desk: Desk) -> None:
    message = desk.refused(desk.write("flood.json", scenario()))
    assert "flood.json:1: a scenario; expected a decision; give the file with --scenarios" in message


def test_decision_in_place_of_a_scenario_is_refused(desk: Desk) -> None:
    group = desk.write("group.json", coordinator())
    message = desk.refused(group, "--scenarios", group)
    assert "group.json:1: " in message
    assert "available_actions" in message or "'id'" in message or ": id" in message


def test_weights_in_place_of_a_decision_say_what_was_expected(desk: Desk) -> None:
    message = desk.refused(desk.write("weights.json", {"criteria": {"safety": {"weight": 1.0}}}))
    assert "weights.json:1: " in message
    assert "adjudge schema decision" in message


def test_something_else_than_a_decision_says_what_was_expected(desk: Desk) -> None:
    message = desk.refused(desk.write("other.jsonl", ({"a": 1}, {"b": 2})))
    assert "other.jsonl:1: " in message
    assert "other.jsonl:2: " in message
    assert "adjudge schema decision" in message


def test_unknown_field_of_our_own_format_says_which_one_may_be_meant(desk: Desk) -> None:
    record = own()
    record["recomended"] = record.pop("recommended")
    message = desk.refused(desk.write("own.jsonl", (record,)))
    assert "own.jsonl:1: recomended: unknown field; did you mean 'recommended'?" in message


def test_wrong_type_is_refused_with_its_path(desk: Desk) -> None:
    message = desk.refused(desk.write("bad.jsonl", (changed("assessments", 1, "beliefs", to=["a"]),)))
    assert "bad.jsonl:1: assessments[1].beliefs: expected an object, found ['a']" in message
    message = desk.refused(desk.write("group.json", coordinator(mcda_scores={"evacuate": "high"})))
    assert "group.json:1: mcda_scores.evacuate: expected a number, found 'high'" in message
    bad = assessment("police", metadata={"criteria_scores": {"safety": "high"}})
    message = desk.refused(desk.write("group.json", coordinator(collection_info={"assessments": {"police": bad}})))
    assert "group.json:1: " in message
    assert "metadata.criteria_scores" in message


def test_all_bad_records_are_listed(desk: Desk) -> None:
    bad = tuple(own(id=f"s{number}", recommended="z") for number in range(30))
    message = desk.refused(desk.write("bad.jsonl", (*bad, own())))
    assert "bad.jsonl:20: " in message
    assert "... and 10 more" in message
    assert "--skip-bad" in message


def test_bad_records_are_left_out_and_counted_with_skip_bad(desk: Desk) -> None:
    path = desk.write("bad.jsonl", (own(), own(id="s2", recommended="z")))
    done = desk.adjudge("score", "decision", path, "--skip-bad", "-o", desk.run)
    assert done.code == 0
    assert "1 record refused" in done.out
    assert json.loads((desk.run / "run.json").read_text())["coverage"]["refused"] == 1
    assert {row["case"] for row in desk.rows()} == {"s1"}


def test_validate_refuses_what_score_refuses(desk: Desk) -> None:
    path = desk.write("bad.jsonl", (own(recommended="z"),))
    done = desk.adjudge("validate", "decision", path)
    assert done.code == 2
    assert "no alternative 'z'" in done.err
    assert desk.adjudge("validate", "decision", desk.write("fine.jsonl", (own(),))).code == 0


@pytest.mark.parametrize("option", ["--scenarios", "--criteria", "--truth", "--log"])
def test_file_of_an_option_that_is_not_there(desk: Desk, option: str) -> None:
    missing = desk.folder / "nowhere.json"
    message = desk.refused(desk.write("fine.jsonl", (own(),)), option, missing)
    assert f"{missing}: " in message
    assert "expected" in message


@pytest.mark.parametrize(
    ("option", "content"),
    [
        ("--scenarios", "[]"),
        ("--scenarios", '{"id": "s1"}'),
        ("--scenarios", '{"id": "s1", "available_actions": [{"name": "x"}]}'),
        ("--criteria", "[]"),
        ("--criteria", '{"safety": "high"}'),
        ("--criteria", '{"safety": '),
        ("--truth", '["a"]'),
        ("--truth", '{"s1": 1}'),
        ("--log", '{"s1": {"type": "start"}}'),
        ("--log", '[{"timestamp": 1}]'),
        ("--log", '[{"type": "api_call", "tokens": "many"}]'),
    ],
)
def test_malformed_file_of_an_option(desk: Desk, option: str, content: str) -> None:
    path = desk.write("beside.json", content)
    assert f"{path}" in desk.refused(desk.write("fine.jsonl", (own(),)), option, path)


@pytest.mark.parametrize(
    ("option", "content"),
    [
        ("--truth", '{"s1": "a", "s1": "b"}'),
        ("--criteria", '{"safety": 0.5, "cost": 0.5, "safety": 0.1}'),
        ("--log", '{"s1": [], "s1": []}'),
    ],
)
def test_key_that_stands_twice_in_a_file_beside_is_refused(desk: Desk, option: str, content: str) -> None:
    message = desk.refused(desk.write("fine.jsonl", (own(),)), option, desk.write("beside.json", content))
    assert "beside.json" in message
    assert "occurs twice" in message


def test_key_that_stands_twice_in_a_record_is_refused(desk: Desk) -> None:
    text = json.dumps(own()).replace('"b": 0.3}', '"b": 0.3, "a": 0.1}')
    message = desk.refused(desk.write("twice.jsonl", text + "\n"))
    assert "twice.jsonl:1: assessments[0].beliefs.a: this key occurs twice" in message


def test_names_of_arms_and_files_differ_in_number(desk: Desk) -> None:
    files = [desk.write(f"{name}.jsonl", (own(id=name),)) for name in "xyz"]
    message = desk.refused(*files, "--arm", "one", "--arm", "two")
    assert "--arm: found 2 names for 3 files; expected one for all or one for each" in message


@pytest.mark.parametrize(("option", "value"), [("--beliefs", "normalized"), ("--baselines", "best")])
def test_option_with_another_value_than_expected(desk: Desk, option: str, value: str) -> None:
    assert f"invalid choice: '{value}'" in desk.refused(desk.write("fine.jsonl", (own(),)), option, value)


# Tables of human groups.

MEMBERS = "group_id,member,cards,correct,initial,final\n"
GROUP = "g1,Ann,A K 4 7,A 7,A 4,A 7\ng1,Bob,A K 4 7,A 7,A,A 7\n"
MESSAGES = "group_id,message_id,message_type,origin,original_text\ng1,m1,MESSAGE,Ann,Turn the seven\n"


def test_small_table_of_members_is_scored(desk: Desk) -> None:
    desk.score(desk.write("members.csv", MEMBERS + GROUP), desk.write("messages.csv", MESSAGES))
    assert desk.value("decision_quality", "group") == 1.0
    assert desk.value("decision_quality", "group/average") == pytest.approx((0.5 + 0.75) / 2)
    assert desk.value("participation_balance", "group") == pytest.approx(0.5)


def test_messages_without_members_are_refused(desk: Desk) -> None:
    message = desk.refused(desk.write("messages.csv", MESSAGES))
    assert "messages.csv: messages without members; expected the table of members beside it" in message


def test_table_with_unknown_columns_is_refused_with_those_it_has(desk: Desk) -> None:
    message = desk.refused(desk.write("table.csv", "team,player,answer\nx,y,z\n"))
    assert "table.csv: the columns are team, player, answer; expected a table of members" in message
    assert "group_id, member, cards, correct, initial, final" in message


def test_summary_of_groups_alone_is_refused_with_what_is_needed(desk: Desk) -> None:
    message = desk.refused(desk.write("groups.csv", "group_id,n_members,initial_mean,final_mean\ng1,2,0.5,1.0\n"))
    assert "groups.csv" in message
    assert "members" in message


def test_summary_beside_members_is_not_read_and_said_so(desk: Desk) -> None:
    summary = desk.write("groups.csv", "group_id,n_members,initial_mean,final_mean\ng1,2,0.0,0.0\n")
    done = desk.score(desk.write("members.csv", MEMBERS + GROUP), summary)
    assert "groups.csv: a summary of the groups" in done.out
    assert desk.value("decision_quality", "group") == 1.0


@pytest.mark.parametrize("content", ["", MEMBERS], ids=["nothing", "header only"])
def test_table_without_rows_is_refused(desk: Desk, content: str) -> None:
    message = desk.refused(desk.write("members.csv", content))
    assert "members.csv: " in message
    assert "expected" in message


def test_row_with_a_cell_too_few_is_refused_with_its_line(desk: Desk) -> None:
    path = desk.write("members.csv", MEMBERS + GROUP + "g2,Cat,A K 4 7,A 7,A\ng2,Dan,A K 4 7,A 7,A,A\n")
    assert "members.csv:4: found 5 cells; expected 6" in desk.refused(path)


def test_quote_that_is_never_closed_is_refused_with_its_line(desk: Desk) -> None:
    message = desk.refused(desk.write("members.csv", MEMBERS + GROUP + 'g2,"Cat,A K 4 7,A 7,A,A\n'))
    assert "members.csv:4: member: a quote opens this cell and is never closed" in message


def test_members_with_different_cards_are_refused_with_their_place(desk: Desk) -> None:
    odd = "g2,Cat,A K 4 7,A 7,A,A\ng2,Dan,E K 4 7,E 7,E,E\n"
    path = desk.write("members.csv", MEMBERS + GROUP + odd)
    assert "members.csv:4: cards: the members of 'g2' have different cards" in desk.refused(path)
    done = desk.adjudge("score", "decision", path, "--skip-bad", "-o", desk.run)
    assert done.code == 0
    assert "1 record refused" in done.out
    assert {row["case"] for row in desk.rows()} == {"g1"}


@pytest.mark.parametrize("cards", ["A E 4 7", "A K 4", ""], ids=["two vowels", "three cards", "none"])
def test_cards_of_another_task_are_refused(desk: Desk, cards: str) -> None:
    message = desk.refused(desk.write("members.csv", MEMBERS + f"g1,Ann,{cards},A 7,A,A\ng1,Bob,{cards},A 7,A,A\n"))
    assert "members.csv:2: cards: " in message
    assert "expected a vowel, a consonant, an even and an odd number" in message


@pytest.mark.parametrize("correct", ["A 9", ""])
def test_right_answer_that_is_none_of_the_cards_is_refused(desk: Desk, correct: str) -> None:
    rows = f"g1,Ann,A K 4 7,{correct},A,A\ng1,Bob,A K 4 7,{correct},A,A\n"
    message = desk.refused(desk.write("members.csv", MEMBERS + rows))
    assert "members.csv:2: correct: " in message


def test_member_that_stands_twice_in_a_group_is_refused(desk: Desk) -> None:
    message = desk.refused(desk.write("members.csv", MEMBERS + GROUP + "g1,Ann,A K 4 7,A 7,K,K\n"))
    assert "members.csv:" in message
    assert "'Ann'" in message
    assert "twice" in message


def test_members_without_any_first_answer_are_no_individuals(desk: Desk) -> None:
    rows = GROUP.replace("A 7,A 4,A 7", "A 7,N / A,A 7").replace("A 7,A,A 7", "A 7,N / A,A")
    done = desk.score(desk.write("members.csv", MEMBERS + rows))
    assert "taken as no answer" in done.out
    assert desk.arms() == {"group"}
    for name in ("gain_over_average", "beats_average", "beats_best", "consensus_before", "consensus_gain"):
        assert desk.value(name) is None, name
    assert desk.value("decision_quality") == pytest.approx((1.0 + 0.75) / 2)


def test_table_by_semicolons_says_what_can_be_done(desk: Desk) -> None:
    content = (MEMBERS + GROUP).replace(",", ";")
    message = desk.refused(desk.write("members.csv", content))
    assert "looks separated by semicolons" in message
    if "--delimiter" in message:
        desk.score(desk.write("members.csv", content), "--delimiter", ";")


def test_table_in_another_encoding_says_what_can_be_done(desk: Desk) -> None:
    content = (MEMBERS + GROUP).replace("Ann", "Ren\u00e9").encode("cp1252")
    message = desk.refused(desk.write("members.csv", content))
    assert "members.csv:2: byte 0xe9" in message
    assert "cp1252" in message
    if "--encoding" in message:
        desk.score(desk.write("members.csv", content), "--encoding", "cp1252")


# Files as such.


def test_byte_order_mark_is_left_out_with_a_warning(desk: Desk) -> None:
    done = desk.score(desk.write("bom.jsonl", b"\xef\xbb\xbf" + json.dumps(own()).encode() + b"\n"))
    assert "bom.jsonl: starts with a byte order mark" in done.out
    assert len(desk.warnings()) == 1
    table = desk.score(desk.write("members.csv", b"\xef\xbb\xbf" + (MEMBERS + GROUP).encode()))
    assert "byte order mark" in table.out


def test_utf_16_is_named_with_the_way_to_convert_it(desk: Desk) -> None:
    message = desk.refused(desk.write("wide.jsonl", json.dumps(own()).encode("utf-16")))
    assert "wide.jsonl: encoded in UTF-16" in message


def test_line_ends_of_windows_are_fine(desk: Desk) -> None:
    desk.score(desk.write("crlf.jsonl", json.dumps(own()) + "\r\n" + json.dumps(own(id="s2")) + "\r\n"))
    assert {row["case"] for row in desk.rows()} == {"s1", "s2"}
    desk.score(desk.write("members.csv", (MEMBERS + GROUP).replace("\n", "\r\n")))
    assert desk.value("decision_quality", "group") == 1.0


def test_truncated_last_line_is_refused_with_its_byte(desk: Desk) -> None:
    last = json.dumps(own(id="s2"))[:-2]
    path = desk.write("cut.jsonl", json.dumps(own()) + "\n" + last)
    message = desk.refused(path)
    assert "cut.jsonl:2: ends in the middle of a string" in message
    assert f"truncated at byte {len(last)}" in message
    assert desk.adjudge("score", "decision", path, "--skip-bad", "-o", desk.run).code == 0
    assert {row["case"] for row in desk.rows()} == {"s1"}


def test_same_decision_twice_is_used_once(desk: Desk) -> None:
    path = desk.write("twice.jsonl", (own(), own()))
    done = desk.score(path, "--baselines", "none")
    assert f"{path}:2: repeats {path}:1; left out" in done.out
    assert len(desk.rows()) == 1


def test_two_decisions_of_one_case_and_arm_are_refused_with_both_lines(desk: Desk) -> None:
    path = desk.write("twice.jsonl", (own(), own(recommended="b")))
    message = desk.refused(path)
    assert f"{path}:2: " in message
    assert f"{path}:1 " in message
    assert "--on-duplicate" in message
    for choice, expected in (("first", "a"), ("last", "b")):
        desk.score(path, "--on-duplicate", choice)
        assert desk.record()["recommended"] == expected


def test_arm_that_is_named_like_a_derived_one_is_not_scored_twice(desk: Desk) -> None:
    path = desk.write("arms.jsonl", (own(), own(id="mine", case="s1", arm="group/best", assessments=[])))
    done = desk.adjudge("score", "decision", path, "-o", desk.run)
    if done.code == 2:
        assert "group/best" in done.err
        return
    assert done.code == 0
    keys = [(row["case"], row["arm"]) for row in desk.rows()]
    assert len(keys) == len(set(keys))
    assert json.loads((desk.run / "run.json").read_text())["status"] == "complete"


@pytest.mark.parametrize("escape", ["\\ud83d", "\\udc3d"])
def test_lone_surrogate_is_refused_unless_lenient(desk: Desk, escape: str) -> None:
    text = json.dumps(changed("assessments", 0, "reasoning", to="Hm XX.")).replace("XX", escape)
    path = desk.write("half.jsonl", text + "\n")
    assert f"half.jsonl:1: lone surrogate {escape} at byte" in desk.refused(path)
    done = desk.score(path, "--lenient")
    assert "half.jsonl:1: a lone surrogate was replaced by U+FFFD" in done.out
    assert desk.record()["assessments"][0]["reasoning"] == "Hm \ufffd."


def test_lenient_assessments_stay_together(desk: Desk) -> None:
    three = [assessment(agent) for agent in BELIEFS]
    three[1]["reasoning"] = "Hm XX."
    text = "".join(json.dumps(row).replace("XX", "\\ud83d") + "\n" for row in three)
    desk.score(desk.write("flood.jsonl", text), "--lenient")
    assert [row["agent"] for row in desk.record()["assessments"]] == list(BELIEFS)


class Harmful:
    """Makes a folder when it is unpickled."""

    def __init__(self, path: str) -> None:
        self.path = path

    def __reduce__(self) -> tuple[Any, ...]:
        return Path.mkdir, (Path(self.path),)


@pytest.mark.parametrize("option", [None, "--scenarios", "--criteria", "--truth", "--log"])
@pytest.mark.parametrize("name", ["data.pkl", "data.json"])
def test_pickle_is_refused_by_name_and_by_its_first_bytes(desk: Desk, name: str, option: str | None) -> None:
    path = desk.write(name, pickle.dumps(Harmful(str(desk.folder / "harmed"))))
    fine = desk.write("fine.jsonl", (own(),))
    message = desk.refused(fine, option, path) if option else desk.refused(path)
    assert f"{name}: a pickle or array file" in message
    assert not (desk.folder / "harmed").exists()


@pytest.mark.parametrize("option", [None, "--scenarios", "--criteria", "--truth", "--log"])
def test_yaml_is_refused_by_name(desk: Desk, option: str | None) -> None:
    path = desk.write("data.yaml", "!!python/object/apply:os.system ['touch harmed']")
    fine = desk.write("fine.jsonl", (own(),))
    message = desk.refused(fine, option, path) if option else desk.refused(path)
    assert "data.yaml: YAML; expected JSON" in message


def test_line_beyond_the_limit_is_refused_and_the_rest_scored(desk: Desk) -> None:
    long = changed("assessments", 0, "reasoning", to="x" * (33 << 20))
    path = desk.write("long.jsonl", ({**long, "id": "long"}, own()))
    message = desk.refused(path)
    assert "long.jsonl:1: " in message
    assert "expected at most 33,554,432" in message
    assert desk.adjudge("score", "decision", path, "--skip-bad", "-o", desk.run).code == 0
    assert {row["case"] for row in desk.rows()} == {"s1"}


def test_empty_file_and_folder_are_refused(desk: Desk) -> None:
    assert "none.jsonl: empty" in desk.refused(desk.write("none.jsonl", ""))
    assert "none.jsonl: empty" in desk.refused(desk.folder)
    assert "no record to score" in desk.refused(desk.write("list.json", "[]"))


def test_control_characters_and_markup_of_a_file_do_not_reach_the_terminal(desk: Desk) -> None:
    message = desk.refused(desk.write("esc.jsonl", (own(recommended="\x1b[31mred"),)))
    assert "\x1b" not in message
    named = own(scenario={"alternatives": ["[red]a", "b"]}, recommended="[red]a", truth="b")
    named["assessments"] = [{"agent": f"<b>{name}", "beliefs": {"[red]a": 0.5, "b": 0.5}} for name in BELIEFS]
    desk.score(desk.write("markup.jsonl", (named,)))
    assert desk.adjudge("report", desk.run, "-o", desk.folder / "report.md").code == 0
    assert "<b>" not in (desk.folder / "report.md").read_text()
