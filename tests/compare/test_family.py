"""Which metrics are compared by default, and which contrasts count in the correction and in the headline."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from test_comparison import card, compared, drawn, one, run_of

from adjudge.compare.comparison import ComparisonRequest, compare
from adjudge.compare.contrast import Terms, draft_contrast
from adjudge.compare.family import judge_family
from adjudge.compare.sheet import Sheet
from adjudge.core.errors import BadInput
from adjudge.core.mark import Mark, Score, ScoreRow
from adjudge.report.comparison.words import method_lines, pair_answer, verdict_text


def two_arms(cases: int = 40) -> dict[str, Any]:
    return {"old": one(drawn(cases, 0.5, 1)), "new": one(drawn(cases, 0.55, 2))}


def test_the_primary_family_is_compared_unless_others_are_named(tmp_path: Path) -> None:
    run = run_of(tmp_path / "run", two_arms(), card("quality", primary=True), card("other"))
    plain, every = compared(run), compared(run, metrics=("all",))
    assert [contrast.metric for contrast in plain.contrasts] == ["quality"]
    assert (plain.selection, plain.unselected) == ("primary", 1)
    assert "the primary family of the suite, 1 metric; --metrics all takes the other 1" in method_lines(plain)
    assert [contrast.metric for contrast in every.contrasts] == ["quality", "other"]
    assert [contrast.metric for contrast in compared(run, metrics=("other",)).contrasts] == ["other"]


def test_a_run_without_a_primary_family_is_compared_whole_and_says_so(tmp_path: Path) -> None:
    run = run_of(tmp_path / "run", two_arms(), card("quality"), card("other"), card("literal", variant=True))
    plain = compared(run)
    assert [contrast.metric for contrast in plain.contrasts] == ["quality", "other"]
    assert method_lines(plain)[0].startswith(
        "no metric of the runs is marked as primary, so all but variants are compared"
    )


def test_a_new_run_names_the_family_for_an_old_one(tmp_path: Path) -> None:
    old = run_of(tmp_path / "old", {"old": one(drawn(9, 0.5, 1))}, card("quality"), card("other"))
    new = run_of(tmp_path / "new", {"new": one(drawn(9, 0.5, 2))}, card("quality", primary=True), card("other"))
    assert [contrast.metric for contrast in compare(Sheet([old, new]), ComparisonRequest()).contrasts] == ["quality"]


def test_metrics_with_the_same_values_count_once(tmp_path: Path) -> None:
    """`other` and the complement of `quality` repeat it, as joint_goal_accuracy_canonical repeats the default."""
    cards = card("quality", primary=True), card("other"), card("flaws", better="lower")
    run = run_of(tmp_path / "run", two_arms(), *cards)
    complement = run.folder / "scores.jsonl"
    rows = [
        ScoreRow(
            row.case,
            row.arm,
            {**row.scores, "flaws": Score.of([Mark(1 - mark.value) for mark in row.scores["quality"].marks])},
        )
        for row in run.rows()
    ]
    complement.write_bytes(b"".join(msgspec.json.encode(row) + b"\n" for row in rows))
    every, alone = compared(run, metrics=("all",)), compared(run)
    quality, other, flaws = every.contrasts
    assert (quality.family, other.same_as, flaws.same_as) == (1, "quality", "quality")
    assert quality.p_corrected == other.p_corrected == flaws.p_corrected == alone.contrasts[0].p_corrected
    assert quality.needed == alone.contrasts[0].needed
    assert pair_answer(("", "new", "old"), every.contrasts) == "new against old: tied in 1 (quality)"
    assert verdict_text(other).endswith("; same values as quality")


def test_metrics_without_any_difference_are_not_corrected_for(tmp_path: Path) -> None:
    run = run_of(tmp_path / "run", two_arms())
    alike = run_of(tmp_path / "alike", {"old": one(drawn(40, 0.5, 1)), "new": one(drawn(40, 0.5, 1))})
    drafts = [draft_contrast(Sheet([source]), "quality", "new", "old", Terms()) for source in (run, alike)]
    differing, same = judge_family(drafts)
    assert (differing.family, differing.p_corrected) == (1, differing.p)
    assert (same.identical, same.p_corrected, same.verdict) == (True, 1.0, "inconclusive")


def test_a_family_that_cannot_be_compared_points_to_the_other_metrics(tmp_path: Path) -> None:
    arms = {"old": {"c1": [Mark(1.0)]}, "new": {"c1": None}}
    run = run_of(tmp_path / "run", arms, card("quality", primary=True), card("other"))
    with pytest.raises(BadInput, match="--metrics all"):
        compared(run)
