"""From run folders to contrasts: pairing, what is left out, verdicts, flips, parts, and the command."""

from __future__ import annotations

import csv
import io
import json
import random
from pathlib import Path
from typing import Any

import msgspec
import pytest
from scipy import stats
from statsmodels.stats.multitest import multipletests

from adjudge.cli.main import main
from adjudge.compare.comparison import Comparison, ComparisonRequest, compare
from adjudge.compare.contrast import Contrast
from adjudge.compare.flips import flips
from adjudge.compare.parts import sheets_by
from adjudge.compare.sheet import Sheet
from adjudge.core.card import Card
from adjudge.core.coverage import ArmCoverage, Coverage
from adjudge.core.errors import BadInput
from adjudge.core.mark import BY_DESIGN, Mark, Score, ScoreRow
from adjudge.run import MANIFEST, RECORDS, SCORES, Manifest, Run


def card(name: str, **changes: Any) -> Card:
    facts = {
        "symbol": name,
        "question": "How good?",
        "formula": "mean",
        "unit": "turn",
        "better": "higher",
        "scale": (0.0, 1.0),
        "pool": "conversations",
        "source": "this test",
    }
    return Card(name=name, **{**facts, **changes})


Values = dict[str, dict[str, list[Mark] | None]]


def run_of(folder: Path, arms: dict[str, dict[Any, list[Mark] | None]], *cards: Card, **changes: Any) -> Run:
    """A run folder whose metrics, all alike, have these marks by arm and case (or case and trial); None: skipped."""
    cards = cards or (card("quality"),)
    rows = []
    for arm, cases in arms.items():
        for key, marks in cases.items():
            case, trial = key if isinstance(key, tuple) else (key, 0)
            score = Score.skip("refusal", "would not say") if marks is None else Score.of(marks)
            facets = {"half": "low" if case[-1] < "5" else "high"}
            rows.append(ScoreRow(case, arm, {one.name: score for one in cards}, trial, facets))
    facts: dict[str, Any] = {
        "suite": "service",
        "adjudge": "0.1.0",
        "cards": {one.name: one for one in cards},
        "options": {},
        "settings": {"match": "canonical"},
        "inputs": [],
        "status": "complete",
        "coverage": Coverage(arms={arm: ArmCoverage() for arm in arms}),
    }
    folder.mkdir(parents=True)
    (folder / MANIFEST).write_bytes(msgspec.json.encode(Manifest(**{**facts, **changes})))
    (folder / SCORES).write_bytes(b"".join(msgspec.json.encode(row) + b"\n" for row in rows))
    (folder / RECORDS).write_bytes(b"".join(msgspec.json.encode({"id": row.case}) + b"\n" for row in rows))
    return Run(folder)


def with_other_values(run: Run) -> Run:
    """The run with values of their own for each metric: equal values would be one question."""
    dice = random.Random(1)
    rows = [
        ScoreRow(
            row.case,
            row.arm,
            {
                name: Score.of([Mark(mark.value * dice.uniform(0.99, 1.0)) for mark in s.marks])
                for name, s in row.scores.items()
            },
        )
        for row in run.rows()
    ]
    (run.folder / SCORES).write_bytes(b"".join(msgspec.json.encode(row) + b"\n" for row in rows))
    return run


def one(values: dict[str, float]) -> dict[Any, list[Mark] | None]:
    return {case: [Mark(value)] for case, value in values.items()}


def drawn(count: int, mean: float, seed: int) -> dict[str, float]:
    dice = random.Random(seed)
    return {f"c{place}": min(max(dice.gauss(mean, 0.1), 0.0), 1.0) for place in range(count)}


def only(comparison: Comparison) -> Contrast:
    (found,) = comparison.contrasts
    return found


def compared(run: Run, **wanted: Any) -> Comparison:
    return compare(Sheet([run]), ComparisonRequest(**wanted))


def test_a_clear_difference_is_better_and_its_reverse_worse(tmp_path: Path) -> None:
    run = run_of(tmp_path / "run", {"old": one(drawn(40, 0.5, 1)), "new": one(drawn(40, 0.7, 2))})
    assert only(compared(run, baseline="old")).verdict == "better"
    assert only(compared(run, baseline="new")).verdict == "worse"


@pytest.mark.parametrize(("better", "verdict"), [("higher", "better"), ("lower", "worse"), ("neither", "higher")])
def test_the_direction_of_the_metric_decides_what_better_means(tmp_path: Path, better: str, verdict: str) -> None:
    arms = {"old": one(drawn(40, 0.5, 1)), "new": one(drawn(40, 0.7, 2))}
    run = run_of(tmp_path / "run", arms, card("quality", better=better))
    assert only(compared(run)).verdict == verdict


def test_arms_that_hardly_differ_are_tied_and_few_noisy_cases_are_inconclusive(tmp_path: Path) -> None:
    base = drawn(400, 0.5, 1)
    alike = {case: value + 0.01 * (place % 2 - 0.5) for place, (case, value) in enumerate(base.items())}
    close = only(compared(run_of(tmp_path / "close", {"old": one(base), "new": one(alike)})))
    assert (close.verdict, close.margin) == ("tied", pytest.approx(0.05))
    surely = {case: value + 0.001 * (place % 2 + 1) for place, (case, value) in enumerate(base.items())}
    little = only(compared(run_of(tmp_path / "little", {"old": one(base), "new": one(surely)})))
    assert (little.verdict, little.equivalent) == ("better", True)
    few = only(compared(run_of(tmp_path / "few", {"old": one(drawn(6, 0.5, 3)), "new": one(drawn(6, 0.55, 4))})))
    assert few.verdict == "inconclusive"
    assert few.needed is not None
    assert few.needed > 6


def test_values_difference_and_welch_are_those_of_scipy(tmp_path: Path) -> None:
    ours, theirs = drawn(30, 0.62, 5), drawn(30, 0.55, 6)
    found = only(compared(run_of(tmp_path / "run", {"b": one(theirs), "a": one(ours)}), baseline="b"))
    a, b = list(ours.values()), list(theirs.values())
    expected = stats.ttest_ind(a, b, equal_var=False)
    assert found.difference == pytest.approx(sum(a) / 30 - sum(b) / 30)
    assert (found.t, found.t_p) == (pytest.approx(expected.statistic), pytest.approx(expected.pvalue))
    assert found.relative == pytest.approx(found.difference / (sum(b) / 30))


@pytest.mark.parametrize(("ours", "theirs", "percent"), [(0.72, 0.85, -15.29), (0.76, 0.82, -7.32)])
def test_percentages_of_the_decision_source(tmp_path: Path, ours: float, theirs: float, percent: float) -> None:
    """decision.md, Baseline Comparison; both are right there by RULINGS.md."""
    arms = {"single": one({"c1": theirs, "c2": theirs}), "multi": one({"c1": ours, "c2": ours})}
    found = only(compared(run_of(tmp_path / "run", arms), baseline="single"))
    assert found.relative is not None
    assert round(100 * found.relative, 2) == percent


def test_only_shared_cases_are_compared_and_the_count_says_so(tmp_path: Path) -> None:
    ours, theirs = one(drawn(20, 0.7, 1)), one(drawn(12, 0.5, 2))
    ours["c3"] = []
    ours["c4"] = None
    found = only(compared(run_of(tmp_path / "run", {"b": theirs, "a": ours})))
    assert (found.n, found.pairs, found.paired, found.a.cases) == (10, 10, True, 20)
    assert (found.a.conversations, found.a.undefined, found.a.skipped) == (20, 1, 1)
    assert found.a.value == pytest.approx(
        sum(marks[0].value for case, marks in ours.items() if marks and case in theirs) / 10
    )


def test_arms_without_a_shared_case_are_compared_unpaired(tmp_path: Path) -> None:
    other = {f"d{place}": value for place, value in enumerate(drawn(25, 0.5, 2).values())}
    found = only(compared(run_of(tmp_path / "run", {"b": one(other), "a": one(drawn(20, 0.7, 1))})))
    assert (found.paired, found.n, found.gained, found.effect_name) == (False, 20, None, "d")


def test_marks_of_a_conversation_move_together(tmp_path: Path) -> None:
    """Ten equal marks a case say no more than one: the error is that of the cases."""
    single = {arm: one(drawn(30, mean, seed)) for arm, mean, seed in (("b", 0.5, 1), ("a", 0.55, 2))}
    many = {arm: {case: (marks or []) * 10 for case, marks in cases.items()} for arm, cases in single.items()}
    once = only(compared(run_of(tmp_path / "once", single, card("quality", pool="marks"))))
    tenfold = only(compared(run_of(tmp_path / "tenfold", many, card("quality", pool="marks"))))
    assert (once.low, once.high, once.p) == (
        pytest.approx(tenfold.low),
        pytest.approx(tenfold.high),
        pytest.approx(tenfold.p),
    )


def test_trials_of_a_case_are_one_cluster_and_their_spread_is_told_apart(tmp_path: Path) -> None:
    outcomes = {("c1", 0): 1, ("c1", 1): 1, ("c2", 0): 1, ("c2", 1): 0, ("c3", 0): 0, ("c3", 1): 0}
    arms = {
        "b": {key: [Mark(float(value))] for key, value in outcomes.items()},
        "a": {key: [Mark(1.0)] for key in outcomes},
    }
    found = compared(run_of(tmp_path / "run", arms))
    assert (only(found).n, only(found).pairs) == (3, 6)
    (repeated,) = [part for part in found.repeated if part.arm == "b"]
    assert (repeated.cases, repeated.trials) == (3, 6)
    assert repeated.passes == {1: pytest.approx(0.5), 2: pytest.approx(1 / 3)}


def test_values_by_design_are_left_out(tmp_path: Path) -> None:
    fixed = {case: [Mark(1.0, basis=BY_DESIGN)] for case in ("c1", "c2", "c3")}
    free = {case: [Mark(0.5)] for case in ("c1", "c2", "c3")}
    run = run_of(tmp_path / "run", {"b": free, "a": fixed})
    with pytest.raises(BadInput, match="by design in a"):
        compared(run)


def test_values_that_rest_on_different_methods_are_refused_with_both_named(tmp_path: Path) -> None:
    ours = {case: [Mark(0.6, basis="the scenario's matrix")] for case in ("c1", "c2")}
    theirs = {case: [Mark(0.6, basis="an MCDA score")] for case in ("c1", "c2")}
    run = run_of(tmp_path / "run", {"b": theirs, "a": ours})
    with pytest.raises(BadInput, match=r"different methods: a rests on the scenario's matrix, b on an MCDA score"):
        compared(run)


def test_other_versions_and_metrics_that_are_no_mean_are_left_out_beside_others(tmp_path: Path) -> None:
    cards = card("quality"), card("ece", pool="groups"), card("literal", variant=True)
    run = run_of(tmp_path / "run", {"b": one(drawn(5, 0.5, 1)), "a": one(drawn(5, 0.5, 2))}, *cards)
    found = compared(run)
    assert [part.metric for part in found.contrasts] == ["quality"]
    assert [(part.metric, part.why) for part in found.left_out] == [
        ("ece", "it is not a mean over cases, so there is no test for it")
    ]
    second = run_of(tmp_path / "second", {"c": one(drawn(5, 0.5, 2))}, card("quality", version=2))
    with pytest.raises(BadInput, match="versions 1 and 2 of the metric"):
        compare(Sheet([run, second]), ComparisonRequest(arms=("a", "c"), metrics=("quality",)))


def test_an_arm_with_only_undefined_values_is_left_out_and_said(tmp_path: Path) -> None:
    run = run_of(tmp_path / "run", {"b": one(drawn(5, 0.5, 1)), "a": {f"c{n}": [] for n in range(5)}})
    with pytest.raises(BadInput, match=r"a has no value \(5 undefined\)"):
        compared(run)


@pytest.mark.parametrize("cases", [1, 2])
def test_one_and_two_cases_have_no_nan(tmp_path: Path, cases: int) -> None:
    found = only(compared(run_of(tmp_path / "run", {"b": one(drawn(cases, 0.4, 1)), "a": one(drawn(cases, 0.6, 2))})))
    assert found.verdict == "inconclusive"
    if cases == 1:
        assert (found.p, found.low, found.effect) == (None, None, None)
        assert "needs at least 2" in found.why
    assert "NaN" not in msgspec.json.encode(found).decode()


def test_twenty_of_twenty_against_the_same_is_no_certainty(tmp_path: Path) -> None:
    right = {f"c{place}": 1.0 for place in range(20)}
    found = only(compared(run_of(tmp_path / "run", {"b": one(right), "a": one(right)})))
    assert (found.difference, found.p) == (0.0, 1.0)
    assert found.low is not None
    assert found.high is not None
    assert found.low < -0.1 < 0.1 < found.high
    assert found.verdict == "inconclusive"


def test_runs_measured_differently_are_refused_unless_forced(tmp_path: Path) -> None:
    first = run_of(tmp_path / "first", {"a": one(drawn(5, 0.5, 1))})
    second = run_of(tmp_path / "second", {"b": one(drawn(5, 0.5, 2))}, settings={"match": "fuzzy"})
    with pytest.raises(BadInput, match=r"match is 'canonical' in .*first, 'fuzzy' in .*second"):
        Sheet([first, second])
    assert compare(Sheet([first, second], force=True), ComparisonRequest()).marked


def test_arms_of_one_name_are_told_apart_by_their_run(tmp_path: Path) -> None:
    runs = [run_of(tmp_path / name, {"ours": one(drawn(5, 0.5, seed))}) for seed, name in enumerate(("old", "new"))]
    assert Sheet(runs).arms == ["ours@old", "ours@new"]


def test_flips_name_the_cases_and_marks_that_changed(tmp_path: Path) -> None:
    theirs = {"c1": [Mark(1.0, turn="0"), Mark(0.0, turn="1", why="missed it")], "c2": [Mark(1.0)], "c3": [Mark(0.0)]}
    ours = {"c1": [Mark(1.0, turn="0"), Mark(1.0, turn="1")], "c2": [Mark(1.0)], "c3": [Mark(0.0)]}
    run = run_of(tmp_path / "run", {"b": theirs, "a": ours})
    (flip,) = flips(Sheet([run]), ["quality"], ("a", "b"))
    assert (flip.case, flip.value_b, flip.value_a) == ("c1", 0.5, 1.0)
    (mark,) = flip.marks
    assert (mark.turn, mark.b, mark.a, mark.why, mark.arm) == ("1", 0.0, 1.0, "missed it", "b")


def test_gains_that_rounding_leaves_are_no_difference(tmp_path: Path) -> None:
    """A mean of members less the decision is 5e-17 in some records, where the arms are equal."""
    gain = card("gain", scale=(-1.0, 1.0))
    cases = [f"c{place}" for place in range(12)]
    arms = {
        "b": one(dict.fromkeys(cases, 0.0)),
        "a": one({case: 5e-17 * (place % 3) for place, case in enumerate(cases)}),
        "c": one(dict.fromkeys(cases, 0.1 + 0.2 - 0.3)),
    }
    run = run_of(tmp_path / "run", arms, gain)
    comparison = compared(run)
    for contrast in comparison.contrasts:
        assert (contrast.difference, contrast.gained, contrast.lost, contrast.p) == (0.0, 0, 0, 1.0)
    assert comparison.rankings[0].p is None
    assert flips(Sheet([run]), ["gain"], ("a", "b")) == []


def test_an_inconclusive_contrast_needs_more_cases_than_it_has(tmp_path: Path) -> None:
    """Five cases that nearly all differ would do for a t test, but not for the contrast's own test."""
    ours = {f"c{place}": value for place, value in enumerate((0.3, 0.32, 0.31, 0.3, 0.29))}
    theirs = dict.fromkeys(ours, 0.0)
    found = only(compared(run_of(tmp_path / "run", {"b": one(theirs), "a": one(ours)})))
    assert found.verdict == "inconclusive"
    assert found.needed is not None
    assert found.needed > 5


def test_parts_are_compared_by_facet_and_by_group(tmp_path: Path) -> None:
    def marks(values: dict[str, float]) -> dict[Any, list[Mark] | None]:
        return {case: [Mark(value, group="hotel"), Mark(1 - value, group="taxi")] for case, value in values.items()}

    run = run_of(tmp_path / "run", {"b": marks(drawn(30, 0.3, 1)), "a": marks(drawn(30, 0.7, 2))})
    assert list(sheets_by([run], "half")) == ["half high", "half low"]
    parts = {name: compare(sheet, ComparisonRequest()) for name, sheet in sheets_by([run], "group").items()}
    assert {name: only(found).verdict for name, found in parts.items()} == {"hotel": "better", "taxi": "worse"}
    with pytest.raises(BadInput, match="--by colour: no facet of that name"):
        sheets_by([run], "colour")


def test_three_arms_are_ranked(tmp_path: Path) -> None:
    arms = {
        name: one(drawn(40, mean, seed)) for seed, (name, mean) in enumerate({"x": 0.3, "y": 0.5, "z": 0.7}.items())
    }
    run = run_of(tmp_path / "run", arms)
    (ranking,) = compared(run).rankings
    assert ranking.p is not None
    assert ranking.p < 0.001
    assert dict(zip(ranking.arms, ranking.ranks, strict=True))["z"] == min(ranking.ranks)
    values = [[marks[0].value for marks in arms[name].values() if marks] for name in "xyz"]
    assert ranking.statistic == pytest.approx(stats.friedmanchisquare(*values).statistic)


@pytest.mark.parametrize("contrasts", [300, pytest.param(1000, marks=pytest.mark.trial)])
def test_a_clear_difference_stays_one_among_many_contrasts(tmp_path: Path, contrasts: int) -> None:
    cards = [card(f"m{place}") for place in range(contrasts)]
    run = with_other_values(
        run_of(tmp_path / "run", {"b": one(drawn(60, 0.5, 1)), "a": one(drawn(60, 0.65, 7))}, *cards)
    )
    assert {found.verdict for found in compared(run).contrasts} == {"better"}


def test_cases_needed_are_those_of_the_whole_family(tmp_path: Path) -> None:
    arms = {"b": one(drawn(12, 0.5, 3)), "a": one(drawn(12, 0.54, 4))}
    alone = compared(run_of(tmp_path / "one", arms)).contrasts[0]
    many = run_of(tmp_path / "many", arms, *[card(f"m{place}") for place in range(50)])
    among = compared(with_other_values(many)).contrasts[0]
    assert alone.needed is not None
    assert among.needed is not None
    assert among.needed > 1.5 * alone.needed


def test_the_bootstrap_gives_an_interval_on_request(tmp_path: Path) -> None:
    arms = {"b": one(drawn(40, 0.5, 1)), "a": one(drawn(40, 0.6, 2))}
    run = run_of(tmp_path / "run", arms)
    found, plain = only(compared(run, bootstrap=True)), only(compared(run))
    assert "bootstrap" in found.interval or "percentile" in found.interval
    assert (found.low, found.high) == (pytest.approx(plain.low, abs=0.02), pytest.approx(plain.high, abs=0.02))


def test_three_arms_against_a_baseline_are_told_apart_by_holm(tmp_path: Path) -> None:
    means = {"x": 0.3, "y": 0.5, "z": 0.7}
    arms = {name: one(drawn(40, mean, seed)) for seed, (name, mean) in enumerate(means.items())}
    (ranking,) = compared(run_of(tmp_path / "run", arms), baseline="x").rankings
    assert len(ranking.pairs) == 2


def test_the_family_is_corrected_as_a_whole(tmp_path: Path) -> None:
    cards = [card(f"m{place}") for place in range(4)]
    arms = {"b": one(drawn(12, 0.5, 1)), "a": one(drawn(12, 0.58, 7))}
    run = with_other_values(run_of(tmp_path / "run", arms, *cards))
    raw = only_ps(compared(run, correction="none"))
    assert only_ps(compared(run)) == pytest.approx(multipletests(raw, method="holm")[1])
    assert only_ps(compared(run, correction="bh")) == pytest.approx(multipletests(raw, method="fdr_bh")[1])


def only_ps(comparison: Comparison) -> list[float]:
    return [found.p_corrected for found in comparison.contrasts if found.p_corrected is not None]


def test_the_command_prints_and_writes_the_same_bytes_each_time(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "160")
    hostile = "=cmd()|<script>alert(1)</script>"
    ours, theirs = drawn(30, 0.7, 1), drawn(30, 0.5, 2)
    arms = {
        "b": {case: [Mark(value, why=hostile)] for case, value in theirs.items()},
        hostile: {case: [Mark(value)] for case, value in ours.items()},
    }
    run_of(tmp_path / "run", arms)
    assert main(["compare", str(tmp_path / "run")]) == 0
    printed = capsys.readouterr().out
    assert "better in 1 (quality)" in printed
    files = [tmp_path / f"compare.{ending}" for ending in ("md", "csv", "json")]
    contents = []
    for _ in range(2):
        assert main(["compare", str(tmp_path / "run"), *(part for path in files for part in ("-o", str(path)))]) == 0
        contents.append([path.read_bytes() for path in files])
    assert contents[0] == contents[1]
    assert "<script>" not in files[0].read_text()
    (line,) = csv.DictReader(io.StringIO(files[1].read_text()))
    assert line["a_arm"] == f"'{hostile}"
    found = json.loads(files[2].read_text())
    assert found["comparison"]["contrasts"][0]["verdict"] == "better"
    assert len(found["flips"]) == 10  # All thirty cases are gained; ten of each direction are kept.


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--baseline", "bb"], "no arm 'bb'; did you mean 'b'?"),
        (["--metrics", "qualty"], "no metric 'qualty' in the run; did you mean 'quality'?"),
        (["--arms", "a"], "one arm only (a)"),
        (["--arms", "a,a"], "one arm only (a)"),
        (["--margin", "qualty=0.1"], "no metric 'qualty' in the run"),
        (["-o", "x.docx"], "no format '.docx'"),
    ],
)
def test_what_cannot_be_compared_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], said: str
) -> None:
    run_of(tmp_path / "run", {"b": one(drawn(5, 0.5, 1)), "a": one(drawn(5, 0.5, 2))})
    assert main(["compare", str(tmp_path / "run"), *arguments]) == 2
    assert said in capsys.readouterr().err
