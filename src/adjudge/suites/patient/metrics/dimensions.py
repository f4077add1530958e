"""Six dimensions of a whole conversation, 0 to 4, as a judge sees them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, partial
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from adjudge.core.ask import NO_LABEL, About, Judge, Question
from adjudge.core.card import Band, metric
from adjudge.core.mark import Mark, Unlabelled
from adjudge.suites.patient.data import Consultation
from adjudge.suites.patient.rules.answers import answer_of
from adjudge.suites.patient.rules.ratings import dialogue, persona_shown
from adjudge.tools.rubrics import Rubrics

RATED = "the judge's score 0 to 4 for {} over the whole conversation; mean over conversations"
dimension = partial(
    metric,
    unit="conversation",
    better="higher",
    scale=(0.0, 4.0),
    pool="conversations",
    bands=(Band(0.0, "absent"), Band(1.0, "poor"), Band(2.0, "fair"), Band(3.0, "good"), Band(4.0, "perfect")),
    probes=("role-play",),
    rubrics=("dimensions",),
    source="PatientSim (Kyung et al. 2025, arXiv 2505.17818), fidelity to the persona",
)
PERSONA = ("a conversation", "a persona")


class Rated(Struct, frozen=True, forbid_unknown_fields=True):
    """A judge's verdict on one dimension."""

    reasoning: str
    score: Annotated[int, Meta(ge=0, le=4)]


@dimension("Pers", formula=RATED.format("personality"), predicts=PERSONA, primary=True)
def personality(consultation: Consultation, judge: Judge, rubrics: Rubrics) -> Iterator[Mark | Unlabelled]:
    """How well does the patient play its personality?

    Not judged for highly confused patients. One question answers all dimensions of a conversation.
    """
    yield from _dimension_marks("personality", consultation, judge, rubrics)


@dimension("Lang", formula=RATED.format("language proficiency"), predicts=PERSONA, primary=True)
def language_proficiency(consultation: Consultation, judge: Judge, rubrics: Rubrics) -> Iterator[Mark | Unlabelled]:
    """How well does the patient's language fit its CEFR level?

    Not judged for highly confused patients.
    """
    yield from _dimension_marks("language_proficiency", consultation, judge, rubrics)


@dimension("Recall", formula=RATED.format("recall consistency"), predicts=PERSONA, primary=True)
def recall_consistency(consultation: Consultation, judge: Judge, rubrics: Rubrics) -> Iterator[Mark | Unlabelled]:
    """Does the patient remember its history as well, or as poorly, as its persona says?

    Not judged for highly confused patients.
    """
    yield from _dimension_marks("recall_consistency", consultation, judge, rubrics)


@dimension("Conf", formula=RATED.format("confusion consistency"), predicts=PERSONA, primary=True)
def confusion_consistency(consultation: Consultation, judge: Judge, rubrics: Rubrics) -> Iterator[Mark | Unlabelled]:
    """Is the patient as confused as its persona says, and does the confusion fade over the visit?

    Judged only for confused patients.
    """
    yield from _dimension_marks("confusion_consistency", consultation, judge, rubrics)


@dimension("Clin", formula=RATED.format("clinical realism"), predicts=("a conversation",), primary=True)
def clinical_realism(consultation: Consultation, judge: Judge, rubrics: Rubrics) -> Iterator[Mark | Unlabelled]:
    """Does the patient speak and behave as a real patient with this complaint would?"""
    yield from _dimension_marks("clinical_realism", consultation, judge, rubrics)


@dimension("Resp", formula=RATED.format("response appropriateness"), predicts=("a conversation",), primary=True)
def response_appropriateness(consultation: Consultation, judge: Judge, rubrics: Rubrics) -> Iterator[Mark | Unlabelled]:
    """Do the patient's replies answer what the doctor asks?"""
    yield from _dimension_marks("response_appropriateness", consultation, judge, rubrics)


def dimensions_of(consultation: Consultation) -> tuple[str, ...]:
    """The dimensions that a conversation is judged on, by what its persona says; none where the patient is silent."""
    if not consultation.replies:
        return ()
    persona = consultation.persona
    by_dimension = {
        "personality": persona.personality,
        "language_proficiency": persona.language,
        "recall_consistency": persona.recall,
    }
    played = [] if persona.highly_confused else [name for name, value in by_dimension.items() if value]
    confusion = ["confusion_consistency"] if persona.has_confusion else []
    return (*played, *confusion, "clinical_realism", "response_appropriateness")


def question_about(consultation: Consultation, rubrics: Rubrics) -> Question[Any]:
    """The question about all dimensions of a conversation at once."""
    names = dimensions_of(consultation)
    shown = {
        "dimensions": names,
        "persona": persona_shown(consultation.persona),
        "profile": consultation.profile,
        "visit": dialogue(consultation),
    }
    about = tuple(About(f"{name}.score", consultation.key, label=name) for name in names)
    return Question(rubrics.text("dimensions"), _answer(names), msgspec.json.encode(shown).decode(), about=about)


def _dimension_marks(
    name: str, consultation: Consultation, judge: Judge, rubrics: Rubrics
) -> Iterator[Mark | Unlabelled]:
    if name in dimensions_of(consultation):
        (answer,) = judge([question_about(consultation, rubrics)])
        rated = getattr(answer, name)
        yield Unlabelled() if rated.score is NO_LABEL else Mark(float(rated.score), "", "", rated.reasoning)


@cache
def _answer(names: tuple[str, ...]) -> Any:
    return answer_of("Dimensions", dict.fromkeys(names, Rated))
