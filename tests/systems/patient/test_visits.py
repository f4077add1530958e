"""What must come out of generated visits by rule, with intervals: a few in every run, 200 in the trials."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import msgspec
import numpy as np
import pytest
from visits import play_visits, turn_lines

from adjudge.core.card import Metric
from adjudge.stats.interval import UNIT, estimate_items
from adjudge.suites.patient.data import Consultation
from adjudge.suites.patient.metrics.breaks import role_break
from adjudge.suites.patient.metrics.fading import confusion_fades
from adjudge.suites.patient.metrics.limits import sentence_limit, word_limit
from adjudge.suites.patient.metrics.numbers import CHECKED, number_contradiction
from adjudge.suites.patient.metrics.overlap import profile_overlap
from adjudge.suites.patient.metrics.precision import unexpected_precision
from adjudge.suites.patient.metrics.revealed import diagnosis_revealed
from adjudge.systems.patient.data import PatientFacts
from adjudge.systems.patient.generator import People, generate

SIZES = [25, pytest.param(200, marks=pytest.mark.trial)]
PERSONALITIES = "personality=plain,pleasing,impatient,distrustful,overanxious,verbose"


def values(metric: Metric, visits: Iterable[Consultation]) -> list[float]:
    return [mark.value for visit in visits for mark in metric.function(visit)]


def overlap(visit: Consultation) -> float:
    return float(np.mean(values(profile_overlap, [visit])))


def person(visit: Consultation) -> str:
    """The generated person behind a variant."""
    return visit.case.partition(":")[0]


@pytest.mark.parametrize("n", SIZES)
def test_less_of_the_profile_comes_out_with_low_recall(tmp_path: Path, n: int) -> None:
    visits = play_visits(tmp_path / "run", "scripted", "recall=low,high", n=n)
    by_recall = {
        recall: {person(visit): overlap(visit) for visit in visits if visit.persona.recall == recall}
        for recall in ("low", "high")
    }
    falls = np.array([by_recall["high"][name] - low for name, low in by_recall["low"].items()])
    estimate = estimate_items(falls, np.arange(n))
    assert estimate.low is not None
    assert estimate.low > 0.05


@pytest.mark.parametrize("n", SIZES)
def test_patients_stay_in_their_role_and_reveal_nothing(tmp_path: Path, n: int) -> None:
    visits = play_visits(tmp_path / "run", "scripted", "recall=low,high", PERSONALITIES, n=max(2, n // 12))
    for metric in (role_break, diagnosis_revealed, number_contradiction, unexpected_precision):
        marks = values(metric, visits)
        assert marks, metric
        assert not any(marks), metric
    for metric in (sentence_limit, word_limit):
        assert all(values(metric, visits)), metric


@pytest.mark.parametrize("n", SIZES)
def test_dazed_patients_find_their_bearings(tmp_path: Path, n: int) -> None:
    faded = values(confusion_fades, play_visits(tmp_path / "run", "scripted", "confusion=dazed,moderate", n=n))
    estimate = estimate_items(np.array(faded), np.arange(len(faded)), UNIT)
    assert len(faded) >= 1.5 * n
    assert estimate.low is not None
    assert estimate.low > 0.9


@pytest.mark.parametrize("n", SIZES)
def test_planted_contradictions_are_found_by_the_check_that_claims_to(tmp_path: Path, n: int) -> None:
    """`number_contradiction` claims age, pain and children; other lies are left to a judge."""
    visits = {visit.case: visit for visit in play_visits(tmp_path / "run", "liar", PERSONALITIES, n=n // 6, lies=5)}
    planted, result = Counter[str](), Counter[str]()
    for line in turn_lines(tmp_path / "run"):
        facts = msgspec.json.decode(line.facts, type=PatientFacts | None) if line.speaker == "patient" else None
        for lie in facts.lies if facts else ():
            marks = [mark for mark in number_contradiction(visits[line.case]) if mark.turn == str(line.turn)]
            planted[lie.item] += 1
            result[lie.item] += any(mark.value for mark in marks if mark.at == lie.item)
    assert sum(planted.values()) > 3 * len(visits)
    assert planted.keys() > CHECKED.keys()
    assert {item: result[item] for item in CHECKED} == {item: planted[item] for item in CHECKED}
    assert not [item for item in planted if result[item] and item not in CHECKED]


def test_an_honest_number_is_never_taken_for_a_lie(tmp_path: Path) -> None:
    visits = play_visits(tmp_path / "run", "liar", n=10, lies=0)
    stated = values(number_contradiction, visits)
    assert len(stated) >= 20
    assert not any(stated)


def test_generated_people_are_the_same_for_the_same_seed_and_the_first_of_more() -> None:
    few, many, others = (list(generate(People(n, seed))) for n, seed in ((5, 1), (9, 1), (5, 2)))
    assert few == many[:5]
    assert few != others
    assert len({case.id for case in many}) == 9


def test_no_generated_profile_names_its_diagnosis() -> None:
    for case in generate(People(100)):
        assert case.hidden["diagnosis"].lower() not in str({**case.profile, **case.arrival}).lower()
