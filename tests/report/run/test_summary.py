from __future__ import annotations

from pathlib import Path

import pytest
from example_run import CARDS, GOALS, HALLUCINATED, HOSTILE, ROWS, card, make_run, manifest

from adjudge.core.mark import Mark, Score, ScoreRow
from adjudge.report.run.summary import RunSummary
from adjudge.report.run.worst import Worst
from adjudge.run import Run


def found(summary: RunSummary, metric: str, arm: str) -> list[Worst]:
    return [one for one in summary.worst if (one.metric, one.arm) == (metric, arm)]


@pytest.mark.parametrize("arm", ["ubar", "galaxy"])
def test_a_value_over_marks_is_the_share_of_right_marks(summary: RunSummary, arm: str) -> None:
    marks = [value for conversation in GOALS[arm] for value in conversation]

    (row,) = [row for row in summary.rows if (row.metric, row.arm) == ("joint_goal_accuracy", arm)]

    assert row.value == pytest.approx(sum(marks) / len(marks))
    assert row.n == len(marks)


def test_arms_stand_in_the_order_they_came(summary: RunSummary) -> None:
    assert summary.arms == ["ubar", "galaxy"]


def test_an_arm_that_brought_nothing_is_still_named(tmp_path: Path) -> None:
    rows = [row for row in ROWS if row.arm == "galaxy"]

    assert RunSummary.of(make_run(tmp_path / "run", rows, manifest())).arms == ["galaxy", "ubar"]


def test_a_metric_stands_under_every_part_it_probes(summary: RunSummary) -> None:
    places = {(row.part, row.metric) for row in summary.parts}

    assert ("policy", "hallucination") in places
    assert ("supervisor", "hallucination") in places


def test_variants_and_metrics_that_probe_nothing_stand_under_no_part(summary: RunSummary) -> None:
    assert not {"success_strict", "turns_taken"} & {row.metric for row in summary.parts}


def test_groups_are_valued_over_their_own_marks(summary: RunSummary) -> None:
    second = [conversation[1] for conversation in GOALS["ubar"] if len(conversation) > 1]

    (row,) = [row for row in summary.groups if (row.arm, row.group) == ("ubar", "train")]

    assert row.value == pytest.approx(sum(second) / len(second))


def test_the_worst_conversations_come_first_with_the_first_reason(summary: RunSummary) -> None:
    first, second, third = found(summary, "joint_goal_accuracy", "ubar")

    assert (first.case, first.value, first.turn, first.why) == ("MUL0002.json", 0.0, "0", HOSTILE)
    assert (second.case, second.value, second.turn) == ("MUL0001.json", 0.5, "1")
    assert (third.value, third.turn) == (pytest.approx(2 / 3), "2")


def test_where_lower_is_better_the_highest_are_worst(summary: RunSummary) -> None:
    values = sorted((value for value in HALLUCINATED["ubar"] if value), reverse=True)

    assert [one.value for one in found(summary, "hallucination", "ubar")] == values[:3]


def test_perfect_conversations_are_not_among_the_worst(summary: RunSummary) -> None:
    assert not found(summary, "hallucination", "galaxy")
    assert not found(summary, "intent_accuracy", "galaxy")


def test_variants_and_metrics_without_direction_have_no_worst(summary: RunSummary) -> None:
    assert not {"turns_taken", "success_strict"} & {one.metric for one in summary.worst}


def test_the_order_of_conversations_does_not_change_the_worst(tmp_path: Path, summary: RunSummary) -> None:
    turned = RunSummary.of(make_run(tmp_path / "turned", ROWS[::-1], manifest()))

    assert sorted(map(repr, turned.worst)) == sorted(map(repr, summary.worst))


def test_on_an_open_scale_there_is_always_a_worst(tmp_path: Path) -> None:
    cards = {"words": card("words", scale=(None, None))}
    rows = [
        ScoreRow("a", "x", {"words": Score.of([Mark(-2.0)])}),
        ScoreRow("b", "x", {"words": Score.of([Mark(7.0)])}),
    ]

    made = RunSummary.of(make_run(tmp_path / "run", rows, manifest(cards=cards)))

    assert [one.value for one in made.worst] == [-2.0, 7.0]


def test_a_reason_is_said_once_with_all_its_arms_and_metrics(tmp_path: Path) -> None:
    skipped = Score.skip("no_tool", "no judge: set one with --judge")
    rows = [ScoreRow("a", arm, dict.fromkeys(CARDS, skipped)) for arm in ("ubar", "galaxy")]

    made = RunSummary.of(make_run(tmp_path / "run", rows, manifest()))

    (gap,) = made.gaps
    assert gap.line(made.arms).startswith("skipped for all arms (no judge: set one with --judge): joint_goal")
    assert gap.metrics == tuple(CARDS)


def test_a_failure_in_part_says_in_how_many_conversations(summary: RunSummary) -> None:
    assert [gap.conversations for gap in summary.gaps] == [0, 1]
    assert summary.gaps[1].line(summary.arms).startswith("error for galaxy in 1 conversation (")


def test_a_run_without_scores_has_a_summary(tmp_path: Path) -> None:
    empty = RunSummary.of(make_run(tmp_path / "run", [], manifest(status="running")))

    assert (empty.rows, empty.worst, empty.arms) == ([], [], ["ubar", "galaxy"])


def test_the_run_is_named_by_its_folder(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(run.folder)

    assert RunSummary.of(Run(Path())).run == "first"
