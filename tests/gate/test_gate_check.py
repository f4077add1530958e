"""What comes of each kind of rule: pass, fail and error, and the conversations behind it."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from gate_runs import BROKE, CARDS, LOST, Arms, Value, gate_of, verdict_of, write_run
from msgspec import structs

from adjudge.core.coverage import ArmCoverage, Coverage
from adjudge.core.errors import BadInput
from adjudge.core.mark import BY_DESIGN, Mark, Score
from adjudge.gate.baseline import Baseline, open_baseline

SEVEN_OF_TEN: list[Value] = [1.0] * 7 + [0.0] * 3


def mixed(right: int, wrong: int) -> list[Value]:
    return [1.0] * right + [0.0] * wrong


def test_a_value_that_keeps_to_the_limit_passes(tmp_path: Path) -> None:
    result = verdict_of(write_run(tmp_path / "run", {"new": {"inform": SEVEN_OF_TEN}}), "inform >= 0.5")

    assert (result.outcome, result.value, result.n, result.unit, result.coverage) == (
        "pass",
        0.7,
        10,
        "conversation",
        1.0,
    )
    assert result.why == "the value 0.7 is at least 0.5"
    # The score interval of 7 in 10: Wilson's with t over 9 degrees of freedom for z, and 9 for 10.
    assert (round(result.low or 0, 3), round(result.high or 0, 3)) == (0.342, 0.913)
    assert result.cases == ()


@pytest.mark.parametrize(
    ("rule", "outcome"),
    [("inform >= 0.7", "pass"), ("inform > 0.7", "fail"), ("inform <= 0.7", "pass"), ("inform < 0.7", "fail")],
)
def test_a_value_exactly_at_the_limit(tmp_path: Path, rule: str, outcome: str) -> None:
    assert verdict_of(write_run(tmp_path / "run", {"new": {"inform": SEVEN_OF_TEN}}), rule).outcome == outcome


def test_a_value_that_breaks_the_limit_fails_with_its_worst_conversations(tmp_path: Path) -> None:
    run = write_run(tmp_path / "run", {"new": {"inform": [1.0, 0.5, 0.0, 0.9, 0.25, 0.4]}})

    result = verdict_of(run, "inform >= 0.6")

    assert result.outcome == "fail"
    assert result.why == "the value 0.5083 is below 0.6"
    assert result.broken == 4
    assert [(item.case, item.value, item.turn, item.at, item.why) for item in result.cases] == [
        ("c002", 0.0, "2", "slot", "found 0"),
        ("c004", 0.25, "2", "slot", "found 0.25"),
        ("c005", 0.4, "2", "slot", "found 0.4"),
    ]


def test_the_worst_conversations_of_an_upper_limit_are_the_highest(tmp_path: Path) -> None:
    result = verdict_of(write_run(tmp_path / "run", {"new": {"slip": [0.0, 0.2, 0.9, 0.5]}}), "slip <= 0.3")
    assert [item.case for item in result.cases] == ["c002", "c003"]


def test_the_value_is_told_with_the_digits_that_tell_it_from_the_limit(tmp_path: Path) -> None:
    result = verdict_of(write_run(tmp_path / "run", {"new": {"inform": [0.49999, 0.49999]}}), "inform >= 0.5")
    assert result.why == "the value 0.49999 is below 0.5"


def test_the_mark_shown_is_one_that_breaks_the_rule_and_says_why(tmp_path: Path) -> None:
    marks = [Mark(1.0, turn="0", why="well done"), Mark(0.0, turn="1"), Mark(0.0, turn="2", why="x" * 1000)]
    run = write_run(tmp_path / "run", {"new": {"goal": [Score.of(marks), 1.0]}})

    (case,) = verdict_of(run, "every(goal) >= 1").cases

    assert case.turn == "2"
    assert case.why == "x" * 299 + "…"


@pytest.mark.parametrize(("limit", "outcome"), [(0.34, "pass"), (0.35, "fail")])
def test_a_rule_on_the_lower_bound(tmp_path: Path, limit: float, outcome: str) -> None:
    result = verdict_of(write_run(tmp_path / "run", {"new": {"inform": SEVEN_OF_TEN}}), f"lower(inform) >= {limit}")
    assert result.outcome == outcome
    assert "the lower bound 0.3422 is " in result.why


@pytest.mark.parametrize(("limit", "outcome"), [(0.92, "pass"), (0.91, "fail")])
def test_a_rule_on_the_upper_bound(tmp_path: Path, limit: float, outcome: str) -> None:
    run = write_run(tmp_path / "run", {"new": {"inform": SEVEN_OF_TEN}})
    assert verdict_of(run, f"upper(inform) <= {limit}").outcome == outcome


@pytest.mark.parametrize(
    ("metric", "values", "why"),
    [
        ("inform", [1.0], "no interval: one conversation only"),
        ("speed", [2.0, 2.0, 2.0], "no interval: one case only, or no spread between cases"),
    ],
)
def test_a_bound_that_is_not_there_is_an_error(tmp_path: Path, metric: str, values: list[Value], why: str) -> None:
    result = verdict_of(write_run(tmp_path / "run", {"new": {metric: values}}), f"lower({metric}) >= 0")
    assert (result.outcome, result.why) == ("error", why)


def test_every_conversation_keeps_to_the_limit(tmp_path: Path) -> None:
    run = write_run(tmp_path / "run", {"new": {"inform": [1.0, None, 1.0]}})
    result = verdict_of(run, "every(inform) >= 1")
    assert (result.outcome, result.why) == ("pass", "all 2 conversations with a value are at least 1")


def test_one_conversation_is_enough_to_break_a_rule_about_every(tmp_path: Path) -> None:
    result = verdict_of(write_run(tmp_path / "run", {"new": {"inform": mixed(99, 1)}}), "every(inform) >= 1")
    assert (result.outcome, result.why) == ("fail", "1 of 100 conversations is below 1")
    assert [item.case for item in result.cases] == ["c099"]


def test_what_is_broken_is_broken_whatever_is_missing(tmp_path: Path) -> None:
    run = write_run(tmp_path / "run", {"new": {"inform": [0.0, LOST, 1.0]}})
    assert verdict_of(run, "every(inform) >= 1").outcome == "fail"
    assert verdict_of(run, "every(inform) >= 0").outcome == "error"


@pytest.mark.parametrize(
    ("values", "why"),
    [
        ([None, None], "no value: 2 of 2 conversations undefined"),
        ([LOST, LOST], "no value: 2 of 2 conversations skipped; the judge gave no answer in time"),
        (
            [BROKE, None],
            "no value: 1 of 2 conversations undefined, 1 of 2 conversations with an error; "
            "ZeroDivisionError: division by zero",
        ),
    ],
)
@pytest.mark.parametrize("rule", ["inform >= 0", "lower(inform) >= 0", "every(inform) >= 0"])
def test_no_value_is_an_error(tmp_path: Path, rule: str, values: list[Value], why: str) -> None:
    result = verdict_of(write_run(tmp_path / "run", {"new": {"inform": values}}), rule, coverage=0.0)
    assert (result.outcome, result.why, result.value) == ("error", why, None)


def test_a_metric_that_an_arm_was_never_scored_by_is_an_error(tmp_path: Path) -> None:
    result = verdict_of(write_run(tmp_path / "run", {"new": {"inform": [1.0]}}), "goal >= 0")
    assert (result.outcome, result.why) == ("error", "never scored")


@pytest.mark.parametrize("missing", [LOST, BROKE], ids=["skipped", "error"])
def test_a_missing_score_is_an_error_unless_less_coverage_is_asked(tmp_path: Path, missing: Score) -> None:
    run = write_run(tmp_path / "run", {"new": {"inform": [1.0] * 19 + [missing]}})

    result = verdict_of(run, "inform >= 0.5")

    assert (result.outcome, result.value, result.coverage) == ("error", 1.0, 0.95)
    assert result.why.startswith("coverage 0.95, asked 1: 1 of 20 conversations ")
    assert verdict_of(run, "inform >= 0.5", coverage=0.95).outcome == "pass"
    assert verdict_of(run, "inform >= 0.5", coverage=0.951).outcome == "error"


def test_undefined_is_no_lack_of_coverage(tmp_path: Path) -> None:
    result = verdict_of(write_run(tmp_path / "run", {"new": {"inform": [1.0] + [None] * 9}}), "inform >= 0.5")
    assert (result.outcome, result.coverage) == ("pass", 1.0)


def test_what_an_arm_did_not_bring_counts_against_it(tmp_path: Path) -> None:
    short = Coverage(arms={"new": ArmCoverage(10, 10, 90, 100)})
    run = write_run(tmp_path / "run", {"new": {"inform": SEVEN_OF_TEN}}, coverage=short)

    result = verdict_of(run, "inform >= 0.5")

    assert (result.outcome, result.why) == ("error", "coverage 0.9, asked 1: 10 of 100 turns missing")


def test_what_was_counted_as_wrong_is_not_missing(tmp_path: Path) -> None:
    short = Coverage(arms={"new": ArmCoverage(9, 10, 90, 100)})
    settings = {"missing": "wrong"}
    run = write_run(tmp_path / "run", {"new": {"inform": SEVEN_OF_TEN}}, coverage=short, settings=settings)
    assert verdict_of(run, "inform >= 0.5").outcome == "pass"


def test_an_unfinished_run_lacks_what_it_has_not_come_to(tmp_path: Path) -> None:
    seen = Coverage(arms={"new": ArmCoverage(20, 20)})
    run = write_run(tmp_path / "run", {"new": {"inform": SEVEN_OF_TEN}}, coverage=seen, status="stopped")

    result = gate_of(run, "inform >= 0.5")

    assert result.verdicts[0].why == "coverage 0.5, asked 1: 10 of 20 conversations not scored"
    assert "not finished" in result.warnings[0]


def test_refused_records_count_against_every_arm(tmp_path: Path) -> None:
    seen = Coverage(arms={"new": ArmCoverage(10, 10)}, refused=10)
    run = write_run(tmp_path / "run", {"new": {"inform": SEVEN_OF_TEN}}, coverage=seen)
    assert verdict_of(run, "inform >= 0.5").why == "coverage 0.5, asked 1: 10 of 20 conversations refused"


def test_a_metric_pooled_over_groups_is_held_by_its_value(tmp_path: Path) -> None:
    sides = [Score.of([Mark(value, group=group)]) for group in ("a", "b") for value in (0.2, 0.4)]
    result = verdict_of(write_run(tmp_path / "run", {"new": {"drift": list(sides)}}), "drift <= 0.1")
    assert (result.outcome, result.why, result.cases) == ("fail", "the value 0.3 is above 0.1", ())


def test_each_arm_is_checked_unless_some_are_named(tmp_path: Path) -> None:
    run = write_run(tmp_path / "run", {"new": {"inform": [1.0, 1.0]}, "old": {"inform": [0.0, 1.0]}})

    result = gate_of(run, "inform >= 0.6", "every(inform) >= 0")

    assert [(item.text, item.arm, item.outcome) for item in result.verdicts] == [
        ("inform >= 0.6", "new", "pass"),
        ("inform >= 0.6", "old", "fail"),
        ("every(inform) >= 0", "new", "pass"),
        ("every(inform) >= 0", "old", "pass"),
    ]
    assert (result.outcome, result.passed) == ("fail", False)
    assert gate_of(run, "inform >= 0.6", arms=("new",)).passed
    with pytest.raises(BadInput, match="no arm 'nwe'; did you mean 'new'"):
        gate_of(run, "inform >= 0.6", arms=("nwe",))


def test_an_error_alone_keeps_the_gate_shut(tmp_path: Path) -> None:
    result = gate_of(write_run(tmp_path / "run", {"new": {"inform": [1.0, LOST]}}), "inform >= 0")
    assert (result.outcome, result.passed) == ("error", False)


# Two arms of 0/1 cases that never differ: Tango's interval is +- z^2 / (n + z^2), for 100 cases +- 0.037.


@pytest.mark.parametrize(("margin", "outcome"), [(0.036, "fail"), (0.038, "pass")])
def test_not_worse_passes_if_the_interval_ends_before_the_margin(tmp_path: Path, margin: float, outcome: str) -> None:
    run = write_run(tmp_path / "new", {"bot": {"inform": mixed(80, 20)}})
    base = write_run(tmp_path / "old", {"bot": {"inform": mixed(80, 20)}})

    result = verdict_of(run, f"inform not worse by {margin}", baseline=Baseline(base))

    assert (result.outcome, result.value, result.n, result.unit, result.baseline) == (
        outcome,
        0.0,
        100,
        "pair",
        "bot@old",
    )
    assert round(result.low or 0, 4) == -0.037
    assert f"95 % interval -0.037 to +0.037, 100 pairs, {'all of it above' if outcome == 'pass' else 'reaching'}" in (
        result.why
    )


@pytest.mark.parametrize(("metric", "sign"), [("inform", 1), ("slip", -1)])
def test_not_worse_goes_by_the_better_direction(tmp_path: Path, metric: str, sign: int) -> None:
    good, bad = (mixed(180, 20), mixed(20, 180)) if sign > 0 else (mixed(20, 180), mixed(180, 20))
    run = write_run(tmp_path / "new", {"good": {metric: good}, "bad": {metric: bad}})
    base = write_run(tmp_path / "old", {"base": {metric: mixed(100, 100)}})

    better, worse = gate_of(run, f"{metric} not worse by 0.05", baseline=Baseline(base)).verdicts

    assert (better.outcome, worse.outcome) == ("pass", "fail")
    assert "worse by more than the margin of 0.05" in worse.why
    assert round((better.value or 0) * sign, 3) == 0.4
    assert worse.broken == 80
    assert {(item.baseline, item.value) for item in worse.cases} == {(1.0, 0.0) if sign > 0 else (0.0, 1.0)}


@pytest.mark.parametrize(("arms", "most"), [(100, 8), pytest.param(400, 20, marks=pytest.mark.trial)])
def test_arms_that_are_worse_by_the_margin_seldom_pass(tmp_path: Path, arms: int, most: int) -> None:
    """Arms of 100 cases, each truly worse by 0.05: of 15 % lost and 10 % gained cases."""
    dice = Random(1)

    def drawn() -> tuple[float, float]:
        luck = dice.random()
        return (0.0, 1.0) if luck < 0.15 else (1.0, 0.0) if luck < 0.25 else (1.0, 1.0) if luck < 0.9 else (0.0, 0.0)

    pairs = {f"arm{place}": [drawn() for _ in range(100)] for place in range(arms)}
    ours: Arms = {arm: {"inform": [new for new, _ in values]} for arm, values in pairs.items()}
    theirs: Arms = {arm: {"inform": [old for _, old in values]} for arm, values in pairs.items()}
    run, base = write_run(tmp_path / "new", ours), write_run(tmp_path / "old", theirs)

    result = gate_of(run, "inform not worse by 0.05", baseline=Baseline(base))

    # One in 40 is expected; more has a chance below 0.5 %.
    assert 0 < len(result.of("pass")) <= most


def test_better_passes_only_if_it_is_significant(tmp_path: Path) -> None:
    run = write_run(tmp_path / "new", {"much": {"inform": mixed(90, 10)}, "little": {"inform": mixed(52, 48)}})
    base = write_run(tmp_path / "old", {"base": {"inform": mixed(50, 50)}})

    much, little = gate_of(run, "inform better", baseline=Baseline(base)).verdicts

    assert (much.outcome, little.outcome) == ("pass", "fail")
    assert little.p == pytest.approx(0.1573, abs=5e-5)  # 2 gained and none lost: chi squared of 2
    assert "p 0.157 (tango score): not shown to be better" in little.why


def test_worse_is_told_from_not_shown_to_be_better(tmp_path: Path) -> None:
    run = write_run(tmp_path / "new", {"bot": {"inform": mixed(10, 90)}})
    base = write_run(tmp_path / "old", {"bot": {"inform": mixed(90, 10)}})
    result = verdict_of(run, "inform better", baseline=Baseline(base))
    assert result.outcome == "fail"
    assert result.why.endswith(": worse")
    worst = result.cases[0]
    assert (worst.case, worst.baseline, worst.value, worst.why) == ("c010", 1.0, 0.0, "found 0")


def test_no_shared_case_is_an_error(tmp_path: Path) -> None:
    run = write_run(tmp_path / "new", {"bot": {"inform": mixed(5, 5)}})
    base = write_run(tmp_path / "old", {"bot": {"inform": mixed(5, 5)}}, cases=[f"other{place}" for place in range(10)])
    for rule in ("inform better", "inform not worse by 0.5"):
        result = verdict_of(run, rule, baseline=Baseline(base), coverage=0.0)
        assert (result.outcome, result.why) == ("error", "no case is shared with bot@old")


def test_few_shared_cases_are_a_lack_of_coverage(tmp_path: Path) -> None:
    cases = [f"c{place:03}" for place in range(40)]
    run = write_run(tmp_path / "new", {"bot": {"inform": mixed(40, 0)}}, cases=cases)
    base = write_run(tmp_path / "old", {"bot": {"inform": mixed(10, 0)}}, cases=cases[:10])

    result = verdict_of(run, "inform not worse by 0.5", baseline=Baseline(base))

    assert result.why == "coverage 0.25, asked 1: 30 of 40 conversations not in the baseline"
    assert verdict_of(run, "inform not worse by 0.5", baseline=Baseline(base), coverage=0.25).outcome == "pass"
    assert verdict_of(base, "inform not worse by 0.5", baseline=Baseline(run)).outcome == "pass"


@pytest.mark.parametrize("lacking", ["new", "old"])
def test_scores_missing_on_either_side_are_a_lack_of_coverage(tmp_path: Path, lacking: str) -> None:
    whole, short = mixed(8, 2), [*mixed(7, 2), LOST]
    runs = {
        name: write_run(tmp_path / name, {"bot": {"inform": short if name == lacking else whole}})
        for name in ("new", "old")
    }
    result = verdict_of(runs["new"], "inform better", baseline=Baseline(runs["old"]))
    assert (result.outcome, result.coverage) == ("error", 0.9)
    assert "1 of 10 conversations skipped" in result.why


def test_a_difference_without_an_interval_is_an_error(tmp_path: Path) -> None:
    run = write_run(tmp_path / "new", {"bot": {"speed": [3.0, 4.0, 5.0]}})
    base = write_run(tmp_path / "old", {"bot": {"speed": [2.0, 3.0, 4.0]}})
    result = verdict_of(run, "speed not worse by 0.5", baseline=Baseline(base))
    assert result.outcome == "error"
    assert result.why.startswith("no interval of the difference: ")


def test_a_single_pair_shows_nothing(tmp_path: Path) -> None:
    run = write_run(tmp_path / "new", {"bot": {"goal": [0.75]}})
    base = write_run(tmp_path / "old", {"bot": {"goal": [0.5]}})
    for rule in ("goal better", "goal not worse by 0.1"):
        result = verdict_of(run, rule, baseline=Baseline(base))
        assert (result.outcome, "at least 2 shared cases" in result.why) == ("error", True)


def test_versions_bases_and_designed_values_are_not_compared(tmp_path: Path) -> None:
    newer = {name: item for name, item in CARDS.items() if name != "drift"}
    newer |= {"inform": structs.replace(CARDS["inform"], version=2)}
    designed = Score.of([Mark(1.0, basis=BY_DESIGN)])
    resting = Score.of([Mark(1.0, basis="replies")])
    run = write_run(tmp_path / "new", {"bot": {"inform": [1.0, 1.0], "goal": [designed] * 2, "slip": [resting] * 2}})
    base = write_run(
        tmp_path / "old", {"bot": {"inform": [1.0, 1.0], "goal": [1.0, 1.0], "slip": [1.0, 1.0]}}, cards=newer
    )

    results = gate_of(run, "inform better", "goal better", "slip better", baseline=Baseline(base)).verdicts

    assert [item.outcome for item in results] == ["error"] * 3
    assert [
        "versions 1 and 2" in results[0].why,
        "by design" in results[1].why,
        "different methods" in results[2].why,
    ] == [True] * 3


def test_runs_measured_differently_are_refused_unless_forced(tmp_path: Path) -> None:
    run = write_run(tmp_path / "new", {"bot": {"inform": mixed(9, 1)}}, tools={"judge": "mild"})
    base = write_run(tmp_path / "old", {"bot": {"inform": mixed(9, 1)}}, tools={"judge": "strict"})
    with pytest.raises(BadInput, match=r"judge is 'mild' in .*measured differently"):
        gate_of(run, "inform better", baseline=Baseline(base))
    assert "judge is 'mild'" in gate_of(run, "inform better", baseline=Baseline(base), force=True).warnings[0]


def test_which_arm_of_the_baseline(tmp_path: Path) -> None:
    values = {"inform": mixed(5, 5)}
    run = write_run(tmp_path / "new", {"a": values, "b": values})
    two = write_run(tmp_path / "two", {"b": values, "a": values})
    item = write_run(tmp_path / "one", {"old": values})
    other = write_run(tmp_path / "other", {"a": values, "x": values})

    def arms(baseline: Baseline) -> list[str]:
        return [result.baseline for result in gate_of(run, "inform better", baseline=baseline).verdicts]

    assert arms(Baseline(two)) == ["a@two", "b@two"]
    assert arms(Baseline(item)) == ["old", "old"]
    assert arms(Baseline(two, "a")) == ["a@two", "a@two"]
    with pytest.raises(BadInput, match=r"no arm 'b' \(there are: a, x\); name the one to compare with"):
        arms(Baseline(other))


def test_an_arm_of_the_run_itself_can_be_the_baseline(tmp_path: Path) -> None:
    run = write_run(tmp_path / "new", {"a": {"inform": mixed(5, 5)}, "b": {"inform": mixed(5, 5)}})
    result = gate_of(run, "inform better", baseline=open_baseline(f"{tmp_path}/new:b"))
    assert [(item.arm, item.baseline) for item in result.verdicts] == [("a", "b")]
    with pytest.raises(BadInput, match="compared with itself"):
        gate_of(run, "inform better", baseline=open_baseline(f"{tmp_path}/new"))


def test_a_baseline_is_named_by_folder_and_arm(tmp_path: Path) -> None:
    run = write_run(tmp_path / "v1:2", {"a:b": {"inform": [1.0]}})
    assert open_baseline(str(run.folder)).arm is None
    assert open_baseline(f"{run.folder}:a:b").arm == "a:b"
    with pytest.raises(BadInput, match="no arm 'a:c'; did you mean 'a:b'"):
        open_baseline(f"{run.folder}:a:c")
    with pytest.raises(BadInput, match=r"gone: no run\.json there"):
        open_baseline(str(tmp_path / "gone"))


def test_rules_and_baseline_belong_together(tmp_path: Path) -> None:
    run = write_run(tmp_path / "new", {"a": {"inform": [1.0]}})
    with pytest.raises(BadInput, match="no rules; give some with --rule"):
        gate_of(run)
    with pytest.raises(BadInput, match="rule 'inform better' needs a baseline; name its run with --against"):
        gate_of(run, "inform better")
    with pytest.raises(BadInput, match="no rule needs a baseline"):
        gate_of(run, "inform >= 0.5", baseline=Baseline(run))


def test_an_open_scale_takes_any_limit(tmp_path: Path) -> None:
    result = verdict_of(write_run(tmp_path / "run", {"new": {"length": [10.0, 30.0]}}), "length <= 15")
    assert (result.outcome, [item.case for item in result.cases]) == ("fail", ["c001"])
