"""The dialogue level as its sources write it down."""

from __future__ import annotations

from typing import Any

import pytest
from patient_visits import RUBRICS, Clerk, visit
from test_patient_judged import PROFILE, learned, value

from adjudge.core.mark import Score
from adjudge.suites.patient import suite
from adjudge.suites.patient.data import Consultation, Persona
from adjudge.suites.patient.metrics import literal, profile
from adjudge.suites.patient.rules.ratings import DUAL

# Two scores for each of seven items, in whole points as a judge gives them. Their means are the guide's 1.71 and 2.57.
GUIDE_SCORES = {
    "age": (2, 3),
    "alcohol": (3, 4),
    "medication": (1, 2),
    "allergies": (1, 2),
    "tobacco": (2, 2),
    "pain": (2, 3),
    "diagnosis": (1, 2),
}


def by_item(scores: dict[str, tuple[int, int]]) -> Clerk:
    """A judge that learns nothing and has a pair of scores for each item."""

    def answer(title: str, shown: dict[str, Any]) -> Any:
        if "persona" not in shown:
            return dict.fromkeys(shown["items"])
        pairs = {number: scores[item["name"]] for number, item in shown["items"].items()}
        return {
            number: {"extraction_reason": "", "extraction_score": each, "roleplay_reason": "", "roleplay_score": two}
            for number, (each, two) in pairs.items()
        }

    return Clerk(answer)


def guide_visit() -> Consultation:
    return visit(("Tell me.", "Well."), profile=dict.fromkeys(GUIDE_SCORES, "x"), persona=Persona("pleasing"))


def test_the_guides_means_include_the_diagnosis() -> None:
    tools: Any = {"judge": by_item(GUIDE_SCORES), "rubrics": RUBRICS, "with_diagnosis": DUAL}
    extraction = value(literal.extraction_with_diagnosis(guide_visit(), **tools))
    role_play = value(literal.role_play_with_diagnosis(guide_visit(), **tools))
    assert extraction == pytest.approx(12 / 7)
    assert role_play == pytest.approx(18 / 7)
    assert (round(12 / 7, 2), round(18 / 7, 2)) == (1.71, 2.57)


def test_the_diagnosis_takes_two_more_questions_and_leaves_the_others_as_they_are() -> None:
    judge = by_item(GUIDE_SCORES)
    list(profile.extraction(guide_visit(), judge=judge, rubrics=RUBRICS, dual=DUAL))
    usual = list(judge.asked)
    judge.asked.clear()
    list(literal.extraction_with_diagnosis(guide_visit(), judge=judge, rubrics=RUBRICS, with_diagnosis=DUAL))
    assert judge.asked[: len(usual)] == usual
    assert len(judge.asked) == len(usual) + 2
    assert '"profile"' not in judge.asked[-2].material


def test_profile_without_a_diagnosis_is_undefined() -> None:
    item = visit(("Tell me.", "Well."), profile={"age": "65"}, persona=Persona("plain"))
    marks = literal.extraction_with_diagnosis(item, judge=learned(), rubrics=RUBRICS, with_diagnosis=DUAL)
    assert value(marks) is None


def test_the_diagnosis_is_rated_only_when_asked_for() -> None:
    assert "--with-diagnosis" in suite.tools({})["with_diagnosis"].why  # type: ignore[attr-defined]
    assert suite.tools({"with-diagnosis": True})["with_diagnosis"] is DUAL
    assert "--simple" in suite.tools({"with-diagnosis": True, "simple": True})["with_diagnosis"].why  # type: ignore[attr-defined]


def test_weighted_consistency_is_coverage_times_consistency() -> None:
    item = visit(("How old are you?", "65."), profile=PROFILE)
    tools: Any = {"judge": learned(age="65", alcohol="none"), "rubrics": RUBRICS}
    coverage = value(profile.coverage(item, **tools))
    consistency = value(literal.information_consistency(item, **tools, dual=DUAL))
    assert coverage == pytest.approx(2 / 3)
    assert consistency == 3.0
    assert value(literal.consistency_weighted(item, **tools, dual=DUAL)) == pytest.approx(2.0)
    assert {mark.basis for mark in literal.consistency_weighted(item, **tools, dual=DUAL)} == {"extraction scores"}
    assert value(literal.consistency_weighted(item, **tools)) is None


def test_published_consistency_counts_each_conversation_once() -> None:
    card = literal.information_consistency.card
    assert (card.pool, card.variant) == ("conversations", True)
    assert profile.consistency_covered.card.pool == "marks"
    short = visit(("How old are you?", "65."), profile={"age": "65"})
    marks = list(literal.information_consistency(short, judge=learned(age="65"), rubrics=RUBRICS, dual=DUAL))
    assert Score.of(marks).n == 1
