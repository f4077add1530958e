"""The words of verdicts and methods, those that no table knows included."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import structs

from adjudge.compare.comparison import ComparisonRequest, compare
from adjudge.compare.contrast import Contrast
from adjudge.compare.sheet import Sheet
from adjudge.report.comparison.forest import OPEN, sign_of
from adjudge.report.comparison.words import pair_answer, verdict_text
from adjudge.report.words import METHODS, method_words
from adjudge.run import Run

UNDECIDED = {"verdict": "inconclusive", "p": 0.3, "n": 24, "difference": 0.1, "needed": 4760, "why": ""}


@pytest.fixture
def contrast(run: Run) -> Contrast:
    return compare(Sheet([run]), ComparisonRequest(metrics=("success",))).contrasts[0]


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"verdict": "better", "equivalent": False}, "better"),
        (
            {"verdict": "better", "equivalent": True, "margin": 0.05},
            "better, but within the margin of a tie (0.05)",
        ),
        (
            UNDECIDED | {"p": 0.01, "p_corrected": 0.1, "family": 10},
            "inconclusive (0 is outside alone, not among 10)",
        ),
        ({"verdict": "tied", "margin": 0.05}, "tied (within 0.05)"),
        (UNDECIDED, "inconclusive (about 4,760 cases needed)"),
        (UNDECIDED | {"needed": 20}, "inconclusive"),
        (UNDECIDED | {"needed": None}, "inconclusive"),
        (UNDECIDED | {"p": None, "why": "one case only"}, "inconclusive (one case only)"),
        (
            UNDECIDED | {"difference": 0.0, "needed_to_tie": 1200},
            "inconclusive (about 1,200 cases needed to show a tie)",
        ),
        (UNDECIDED | {"difference": 0.0, "needed_to_tie": None}, "inconclusive"),
    ],
)
def test_a_verdict_says_what_belongs_to_it(contrast: Contrast, changes: dict[str, Any], text: str) -> None:
    assert verdict_text(structs.replace(contrast, **changes)) == text


def test_the_answer_names_what_is_decided_and_counts_the_rest(contrast: Contrast) -> None:
    verdicts = {"a": "inconclusive", "b": "worse", "c": "better", "d": "inconclusive", "e": "better"}
    contrasts = [structs.replace(contrast, metric=metric, verdict=verdict) for metric, verdict in verdicts.items()]

    assert pair_answer(("", "new", "old"), contrasts) == (
        "new against old: better in 2 (c, e); worse in 1 (b); inconclusive in 2"
    )


def test_a_verdict_that_decides_nothing_has_the_open_sign(contrast: Contrast) -> None:
    assert sign_of(structs.replace(contrast, verdict="inconclusive")) == OPEN


def test_a_method_without_words_is_shown_by_its_name() -> None:
    assert method_words("a new way") == "a new way"
    assert method_words("score") == f"score: {METHODS['score']}"
