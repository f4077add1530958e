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
    formula="profile items with something extracted: the judge's 1 to 4; mean of each conversation, then over them",
    pool="conversations",
    probes=("facts",),
    predicts=KNOWN,
    source=COVERED,
)
def information_consistency(
    consultation: Consultation, judge: Judge, rubrics: Rubrics, dual: Rater | None = None, simple: Rater | None = None
) -> Iterator[Mark | Unlabelled]:
    """Of the items that do come out, how far do they agree with the profile, each conversation counted once?

    PatientSim's ICon (Kyung et al. 2025, equation 4). The marks are those of `consistency_covered`; a conversation
    with two covered items counts as much as one with twenty.
    """
    yield from consistency_covered(consultation, judge, rubrics, dual=dual, simple=simple)


@literal_metric(
    "ICovCon",
    formula="profile items: the judge's 1 to 4 if something was extracted, else 0; mean of each conversation, then "
    "over them",
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

    For a conversation it is the product of `coverage` and `information_consistency` (PatientSim's ICov and ICon). It is
    low both for a patient that says little and for one that says much that is wrong.
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
    formula="profile items and the diagnosis: the judge's 1 to 4 for how completely it comes out; mean",
    probes=("information",),
    predicts=KNOWN,
    source=f"{GUIDE}, mode 1",
)
def extraction_with_diagnosis(
    consultation: Consultation, judge: Judge, rubrics: Rubrics, with_diagnosis: Rater
) -> Iterator[Mark | Unlabelled]:
    """How completely does each item of the profile come out, the diagnosis among them?

    As the guide averages: its example has 1.71. A patient cannot know its diagnosis, so that every good simulation
    loses points here. The diagnosis takes two more questions for each conversation. Undefined for profiles without a
    diagnosis.
    """
    for item, rating in with_diagnosis.ratings_with_diagnosis(consultation, judge, rubrics):
        yield item_mark(item, rating.extraction_score, rating.extraction_reason)


@literal_metric(
    "RolePlayDx",
    formula="profile items and the diagnosis: the judge's 1 to 4 for how well it fits the persona; mean",
    probes=("role-play",),
    predicts=ALL,
    source=f"{GUIDE}, mode 1",
)
def role_play_with_diagnosis(
    consultation: Consultation, judge: Judge, rubrics: Rubrics, with_diagnosis: Rater
) -> Iterator[Mark | Unlabelled]:
    """How well does what the patient tells and leaves out fit its persona, the diagnosis included?

    As the guide averages: its example has 2.57. From the same questions as `extraction_with_diagnosis`. Undefined
    without a persona and for profiles without a diagnosis.
    """
    if consultation.persona == NO_PERSONA:
        return
    for item, rating in with_diagnosis.ratings_with_diagnosis(consultation, judge, rubrics):
        yield item_mark(item, rating.roleplay_score, rating.roleplay_reason)
