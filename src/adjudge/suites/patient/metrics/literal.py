"""The dialogue level as its sources write it down, beside our own readings in `profile`."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from adjudge.core.ask import NO_LABEL, Judge
from adjudge.core.card import metric
from adjudge.core.mark import Mark, Unlabelled
from adjudge.suites.patient.data import NO_PERSONA, Consultation
from adjudge.suites.patient.metrics.profile import ALL, COVERED, GUIDE, KNOWN, basis_of, consistency_covered, item_mark
from adjudge.suites.patient.rules.ratings import Rater, extract_items
from adjudge.tools.rubrics import Rubrics

literal_metric = partial(
    metric,
    unit="profile item",
    better="higher",
    scale=(1.0, 4.0),
    variant=True,
    rubrics=("extract", "dual", "simple"),
)


@literal_metric(
    "ICon",
    formula=(
        "profile items about which something comes out: the judge's score 1 to 4; mean of each conversation, then "
        "over conversations"
    ),
    pool="conversations",
    probes=("facts",),
    predicts=KNOWN,
    source=COVERED,
)
def information_consistency(
    consultation: Consultation, judge: Judge, rubrics: Rubrics, dual: Rater | None = None, simple: Rater | None = None
) -> Iterator[Mark | Unlabelled]:
    """How far do the items that come out agree with the profile, with equal weight for each conversation?

    This is PatientSim's ICon (Kyung et al. 2025, equation 4). The marks are those of `consistency_covered`. A
    conversation with two covered items counts as much as one with twenty.
    """
    yield from consistency_covered(consultation, judge, rubrics, dual=dual, simple=simple)


@literal_metric(
    "ICovCon",
    formula=(
        "profile items: the judge's score 1 to 4 if something comes out, else 0; mean of each conversation, then over "
        "conversations"
    ),
    scale=(0.0, 4.0),
    pool="conversations",
    probes=("facts", "information"),
    predicts=KNOWN,
    source=COVERED,
)
def consistency_weighted(
    consultation: Consultation, judge: Judge, rubrics: Rubrics, dual: Rater | None = None, simple: Rater | None = None
) -> Iterator[Mark | Unlabelled]:
    """How far do the items agree with the profile, weighted by how many of them come out?

    For one conversation, this is the product of `coverage` and `information_consistency` (PatientSim's ICov and ICon).
    It is low both for a patient that says little and for one that says much that is wrong.
    """
    if not (dual or simple):
        return
    covered = consistency_covered(consultation, judge, rubrics, dual=dual, simple=simple)
    marks = {mark.at: mark for mark in covered}
    for item, text in extract_items(consultation, judge, rubrics).items():
        if item in marks:
            yield marks[item]
        elif item in consultation.known_items:
            yield Unlabelled(item) if text is NO_LABEL else item_mark(item, 0.0, "nothing learned", basis_of(simple))


@literal_metric(
    "ExtractDx",
    formula="profile items and the diagnosis: the judge's score 1 to 4 for how completely the item comes out; mean",
    probes=("information",),
    predicts=KNOWN,
    source=f"{GUIDE}, Mode 1: Persona-Aware",
)
def extraction_with_diagnosis(
    consultation: Consultation, judge: Judge, rubrics: Rubrics, with_diagnosis: Rater
) -> Iterator[Mark | Unlabelled]:
    """How completely does each item of the profile come out, including the diagnosis?

    The guide averages in this way; its example has 1.71. A patient cannot know its diagnosis, so every good simulation
    loses points here. The diagnosis takes two more questions for each conversation. Undefined for profiles without a
    diagnosis.
    """
    for item, rating in with_diagnosis.ratings_with_diagnosis(consultation, judge, rubrics):
        yield item_mark(item, rating.extraction_score, rating.extraction_reason)


@literal_metric(
    "RolePlayDx",
    formula="profile items and the diagnosis: the judge's score 1 to 4 for how well the item fits the persona; mean",
    probes=("role-play",),
    predicts=ALL,
    source=f"{GUIDE}, Mode 1: Persona-Aware",
)
def role_play_with_diagnosis(
    consultation: Consultation, judge: Judge, rubrics: Rubrics, with_diagnosis: Rater
) -> Iterator[Mark | Unlabelled]:
    """How well does what the patient says and omits fit its persona, including the diagnosis?

    The guide averages in this way; its example has 2.57. The value comes from the same questions as
    `extraction_with_diagnosis`. Undefined without a persona, and for profiles without a diagnosis.
    """
    if consultation.persona == NO_PERSONA:
        return
    for item, rating in with_diagnosis.ratings_with_diagnosis(consultation, judge, rubrics):
        yield item_mark(item, rating.roleplay_score, rating.roleplay_reason)
