"""Which profile items come out in a visit, and whether the omissions fit the persona."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from statistics import fmean

from adjudge.core.ask import NO_LABEL, Judge, NoLabel
from adjudge.core.card import Band, Quadrants, metric
from adjudge.core.mark import Mark, Unlabelled
from adjudge.suites.patient.data import NO_PERSONA, Consultation
from adjudge.suites.patient.lexicon.fields import group_of
from adjudge.suites.patient.rules.ratings import Rater, extract_items
from adjudge.tools.rubrics import Rubrics

GUIDE = "Dialogue-Level Evaluation Guide, after PatientSim (Kyung et al. 2025, arXiv 2505.17818)"
COVERED = "PatientSim (Kyung et al. 2025, arXiv 2505.17818), dialogue level: consistency of covered items (ICon)"
# The middle of the scale from 1 to 4, which parts the quadrants of the guide.
HIGH = 2.5
QUADRANTS = Quadrants("role_play", HIGH, ("poor", "unrealistic", "realistic", "ideal"))
LEAVES_OUT = (
    "The diagnosis and the disposition, which a patient cannot know, are not judged; the guide leaves this open."
)

KNOWN = ("a conversation", "a profile")
ALL = (*KNOWN, "a persona")

item_metric = partial(
    metric,
    unit="profile item",
    better="higher",
    scale=(1.0, 4.0),
    bands=(Band(1.0, "low"), Band(HIGH, "high")),
    rubrics=("extract", "dual"),
)
quadrant_metric = partial(
    metric,
    unit="conversation",
    pool="conversations",
    probes=("role-play",),
    predicts=ALL,
    rubrics=("extract", "dual"),
    source=f"{GUIDE}, Interpretation Guide",
    departs="The guide does not classify means between 2 and 3; here they are high from 2.5 on.",
)


@item_metric(
    "Extract",
    formula="profile items: the judge's score 1 to 4 for how completely the item comes out; mean",
    probes=("information",),
    predicts=KNOWN,
    source=f"{GUIDE}, Mode 1: Persona-Aware",
    departs=LEAVES_OUT,
    primary=True,
    quadrants=QUADRANTS,
)
def extraction(consultation: Consultation, judge: Judge, rubrics: Rubrics, dual: Rater) -> Iterator[Mark | Unlabelled]:
    """How completely and correctly does each item of the profile come out in the visit?

    The judge first writes down what it learns from the visit, without seeing any value of the profile. It then rates
    these notes against the profile. A low value means a difficult patient or a poor doctor and is not a fault by
    itself; read it with `role_play`.
    """
    for item, rating in dual.ratings(consultation, judge, rubrics):
        yield item_mark(item, rating.extraction_score, rating.extraction_reason)


@item_metric(
    "RolePlay",
    formula="profile items: the judge's score 1 to 4 for how well statements and omissions fit the persona; mean",
    probes=("role-play",),
    predicts=ALL,
    source=f"{GUIDE}, Mode 1: Persona-Aware",
    departs=LEAVES_OUT,
    primary=True,
)
def role_play(consultation: Consultation, judge: Judge, rubrics: Rubrics, dual: Rater) -> Iterator[Mark | Unlabelled]:
    """How well does what the patient says and omits about each item fit its persona?

    The judge is told what this persona is expected to omit or to blur. The value comes from the same questions as
    `extraction`. Undefined without a persona.
    """
    for item, rating in dual.ratings(consultation, judge, rubrics) if consultation.persona != NO_PERSONA else ():
        yield item_mark(item, rating.roleplay_score, rating.roleplay_reason)


@item_metric(
    "Consist",
    formula="profile items: the judge's score 1 to 4 for equal meaning; mean",
    probes=("information",),
    predicts=KNOWN,
    rubrics=("extract", "simple"),
    source=f"{GUIDE}, Mode 2: Simple Consistency",
    departs=LEAVES_OUT,
    primary=True,
)
def consistency(
    consultation: Consultation, judge: Judge, rubrics: Rubrics, simple: Rater
) -> Iterator[Mark | Unlabelled]:
    """Does what comes out about each item mean the same as the profile, whatever the persona?

    With `--simple`, this replaces `extraction` and `role_play`. An item that never comes out gets 1.
    """
    for item, rating in simple.ratings(consultation, judge, rubrics):
        yield item_mark(item, rating.score, rating.reason)


@item_metric(
    "Cover",
    formula="profile items about which something comes out / profile items",
    scale=(0.0, 1.0),
    bands=(),
    probes=("information",),
    predicts=KNOWN,
    rubrics=("extract",),
    source="PatientSim (Kyung et al. 2025, arXiv 2505.17818), dialogue level: coverage of items (ICov)",
    departs=LEAVES_OUT,
)
def coverage(consultation: Consultation, judge: Judge, rubrics: Rubrics) -> Iterator[Mark | Unlabelled]:
    """How many items of the profile come out in the visit at all?"""
    learned = extract_items(consultation, judge, rubrics)
    for item in consultation.known_items if learned else ():
        text = learned[item]
        points = NO_LABEL if text is NO_LABEL else text is not None
        yield item_mark(item, points, f"learned: {text or 'nothing'}")


@item_metric(
    "ConsistCov",
    formula=(
        "profile items about which something comes out: the judge's score 1 to 4 for agreement with the profile; mean"
    ),
    probes=("facts",),
    predicts=KNOWN,
    rubrics=("extract", "dual", "simple"),
    source=COVERED,
    departs=LEAVES_OUT,
)
def consistency_covered(
    consultation: Consultation, judge: Judge, rubrics: Rubrics, dual: Rater | None = None, simple: Rater | None = None
) -> Iterator[Mark | Unlabelled]:
    """How far do the items that come out agree with the profile?

    The scores are those of `extraction` or, with `--simple`, those of `consistency`. The result says which.
    """
    learned = extract_items(consultation, judge, rubrics)
    rater = simple or dual
    for item, rating in rater.ratings(consultation, judge, rubrics) if rater else ():
        if learned[item] is NO_LABEL:
            yield Unlabelled(item)
        elif learned[item] is not None:
            score, why = (
                (rating.score, rating.reason) if simple else (rating.extraction_score, rating.extraction_reason)
            )
            yield item_mark(item, score, why, basis_of(simple))


@quadrant_metric(
    "Realistic", formula="conversations with low extraction and high role-play / conversations", better="neither"
)
def quadrant_realistic(
    consultation: Consultation, judge: Judge, rubrics: Rubrics, dual: Rater
) -> Iterator[Mark | Unlabelled]:
    """Is the patient realistic: little comes out, as expected of this persona?"""
    yield from _quadrant("realistic", consultation, judge, rubrics, dual)


@quadrant_metric(
    "Ideal", formula="conversations with high extraction and high role-play / conversations", better="neither"
)
def quadrant_ideal(
    consultation: Consultation, judge: Judge, rubrics: Rubrics, dual: Rater
) -> Iterator[Mark | Unlabelled]:
    """Is the simulation ideal: everything comes out, in the persona's way?"""
    yield from _quadrant("ideal", consultation, judge, rubrics, dual)


@quadrant_metric("Poor", formula="conversations with low extraction and low role-play / conversations", better="lower")
def quadrant_poor(
    consultation: Consultation, judge: Judge, rubrics: Rubrics, dual: Rater
) -> Iterator[Mark | Unlabelled]:
    """Is the simulation poor: little comes out, and not in the persona's way?"""
    yield from _quadrant("poor", consultation, judge, rubrics, dual)


@quadrant_metric(
    "Unreal", formula="conversations with high extraction and low role-play / conversations", better="lower"
)
def quadrant_unrealistic(
    consultation: Consultation, judge: Judge, rubrics: Rubrics, dual: Rater
) -> Iterator[Mark | Unlabelled]:
    """Is the patient unrealistic: does it say more than this persona would?"""
    yield from _quadrant("unrealistic", consultation, judge, rubrics, dual)


def basis_of(simple: Rater | None) -> str:
    """The scores that consistency rests on, in words."""
    return "simple scores" if simple else "extraction scores"


def _quadrant(
    name: str, consultation: Consultation, judge: Judge, rubrics: Rubrics, dual: Rater
) -> Iterator[Mark | Unlabelled]:
    if consultation.persona == NO_PERSONA:
        return
    pairs = [
        (rating.extraction_score, rating.roleplay_score) for _, rating in dual.ratings(consultation, judge, rubrics)
    ]
    labelled = [pair for pair in pairs if NO_LABEL not in pair]
    if labelled:
        mean_extraction, mean_role_play = map(fmean, zip(*labelled, strict=True))
        quadrant = QUADRANTS.word(mean_extraction, mean_role_play)
        why = f"{quadrant}: extraction {mean_extraction:.2f}, role-play {mean_role_play:.2f} (high from {HIGH})"
        yield Mark(float(quadrant == name), "", "", why)
    elif pairs:
        yield Unlabelled()


def item_mark(item: str, points: float | NoLabel, why: str, basis: str = "") -> Mark | Unlabelled:
    """The mark of a profile item; an item that nobody labelled where people judge has none."""
    if isinstance(points, NoLabel):
        return Unlabelled(item)
    return Mark(float(points), item, "", why, group_of(item), basis=basis)
