"""Whether what the patient says is true to its profile, sentence by sentence, as a judge sees it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial

from adjudge.core.ask import NO_LABEL, Judge
from adjudge.core.card import Band, metric
from adjudge.core.mark import Mark, Unlabelled
from adjudge.suites.patient.data import Consultation
from adjudge.suites.patient.rules.verdicts import JudgedSentence, judge_sentences
from adjudge.tools.rubrics import Rubrics

ENTAIL = "Dialogue-Level Evaluation Guide, Entail(%), after PatientSim (Kyung et al. 2025, arXiv 2505.17818)"
# A sentence that gives information, or Unlabelled where people judge and did not label it.
InformingSentence = JudgedSentence | Unlabelled
# The values of `sentence_verdict`.
VALUES = {"entail": 1.0, "neutral": 0.0, "contradict": -1.0}

sentence_metric = partial(
    metric,
    unit="sentence",
    probes=("facts",),
    predicts=("a conversation", "a profile"),
    rubrics=("sentences",),
)


@sentence_metric(
    "Entail",
    formula="information sentences that a profile item entails / information sentences",
    better="higher",
    bands=(Band(0.0, "low"), Band(0.5, "medium"), Band(0.8, "high", above=True)),
    source=f"{ENTAIL}, equation 2",
    primary=True,
)
def entailment(consultation: Consultation, judge: Judge, rubrics: Rubrics) -> Iterator[Mark | Unlabelled]:
    """How much of what the patient says does its profile support?

    A sentence counts if at least one profile item entails it. A sentence that the profile says nothing about counts
    against the patient here, but not in `entailment_supported`. Sentences without information are not judged. All
    sentence metrics come from the same questions, one for eight sentences.
    """
    yield from _marks(related_sentences(consultation, judge, rubrics), _is_entailed)


@sentence_metric(
    "EntailSup",
    formula=(
        "information sentences with an entailed item / information sentences with an entailed or contradicted item"
    ),
    better="higher",
    source=f"{ENTAIL}; the published table divides by supported sentences",
)
def entailment_supported(consultation: Consultation, judge: Judge, rubrics: Rubrics) -> Iterator[Mark | Unlabelled]:
    """How much of what can be checked against the profile does the profile support?

    Sentences that no profile item entails or contradicts are left out. On the same data this is much higher than
    `entailment`: 97.9 % against 74.7 % for the published counts.
    """
    for judged in related_sentences(consultation, judge, rubrics):
        if isinstance(judged, Unlabelled):
            yield judged
        elif judged.relation != "neutral":
            yield _mark(judged, _is_entailed(judged), group=judged.group)


@sentence_metric(
    "Contra",
    formula="information sentences that contradict a profile item / information sentences",
    better="lower",
    source=ENTAIL,
)
def contradiction(consultation: Consultation, judge: Judge, rubrics: Rubrics) -> Iterator[Mark | Unlabelled]:
    """How much of what the patient says contradicts its profile?

    A sentence that one item entails and another contradicts counts both here and in `entailment`.
    """
    for judged in related_sentences(consultation, judge, rubrics):
        if isinstance(judged, Unlabelled):
            yield judged
            continue
        against = judged.items("contradict")
        named = ", ".join(filter(None, against)) or "the profile"
        why = ": ".join(filter(None, (f"contradicts {named}", judged.verdict.reasoning)))
        yield _mark(judged, bool(against), why if against else "")


@sentence_metric(
    "NLI",
    formula="information sentences: 1 entailed, 0 neutral, -1 contradicted; mean",
    better="higher",
    scale=(-1.0, 1.0),
    bands=(Band(-1.0, "contradict"), Band(-0.5, "neutral"), Band(0.5, "entail")),
    source=ENTAIL,
)
def sentence_verdict(consultation: Consultation, judge: Judge, rubrics: Rubrics) -> Iterator[Mark | Unlabelled]:
    """How does each sentence relate to the profile, from contradicted (-1) to entailed (1)?

    These are the verdicts themselves. `adjudge calibrate` compares them with the verdicts of people.
    """
    yield from _marks(related_sentences(consultation, judge, rubrics), lambda judged: VALUES[judged.relation])


@sentence_metric(
    "Info",
    formula="information sentences / sentences",
    better="neither",
    source="PatientSim (Kyung et al. 2025, arXiv 2505.17818), sentence level: kinds of sentences",
)
def information_share(consultation: Consultation, judge: Judge, rubrics: Rubrics) -> Iterator[Mark | Unlabelled]:
    """How many of the patient's sentences give information?

    The other sentences express politeness or emotion, ask a question, or are about the conversation itself.
    """
    for judged in judge_sentences(consultation, judge, rubrics):
        yield _without_label(judged) if judged.kind is NO_LABEL else _mark(judged, judged.informs, judged.kind)


@sentence_metric(
    "Unsup",
    formula="information sentences with information that is not in the profile / information sentences",
    better="neither",
    source="PatientSim (Kyung et al. 2025, arXiv 2505.17818), sentence level: information that is not in the profile",
)
def unsupported_information(consultation: Consultation, judge: Judge, rubrics: Rubrics) -> Iterator[Mark | Unlabelled]:
    """How much of what the patient says is not in its profile?

    Some additions make a patient lifelike; `plausibility` measures whether they fit.
    """
    yield from _marks(rated_sentences(consultation, judge, rubrics), _adds_information)


@sentence_metric(
    "Plaus",
    formula="information sentences with information that is not in the profile: the judge's score 1 to 4; mean",
    better="higher",
    scale=(1.0, 4.0),
    source="PatientSim (Kyung et al. 2025, arXiv 2505.17818), sentence level: plausibility from 1 to 4",
)
def plausibility(consultation: Consultation, judge: Judge, rubrics: Rubrics) -> Iterator[Mark | Unlabelled]:
    """How plausible is what the patient adds to its profile?"""
    for judged in rated_sentences(consultation, judge, rubrics):
        if isinstance(judged, Unlabelled):
            yield judged
        elif isinstance(points := judged.verdict.unsupported, int | float):
            yield _mark(judged, points)


def related_sentences(consultation: Consultation, judge: Judge, rubrics: Rubrics) -> Iterator[InformingSentence]:
    """The sentences that give information, each with its relation to the profile."""
    for judged in judge_sentences(consultation, judge, rubrics):
        yield from _informing(judged, judged.related is not NO_LABEL)


def rated_sentences(consultation: Consultation, judge: Judge, rubrics: Rubrics) -> Iterator[InformingSentence]:
    """The sentences that give information, each with what it adds to the profile."""
    for judged in judge_sentences(consultation, judge, rubrics):
        yield from _informing(judged, judged.verdict.unsupported is not NO_LABEL)


def _informing(judged: JudgedSentence, is_labelled: bool) -> Iterator[InformingSentence]:
    """The sentence if it gives information; Unlabelled if people did not label its kind or what is asked of it."""
    if judged.kind is NO_LABEL or (judged.informs and not is_labelled):
        yield _without_label(judged)
    elif judged.informs:
        yield judged


def _is_entailed(judged: JudgedSentence) -> bool:
    return judged.relation == "entail"


def _adds_information(judged: JudgedSentence) -> bool:
    return judged.verdict.unsupported is not None


def _marks(
    sentences: Iterable[InformingSentence], value: Callable[[JudgedSentence], float]
) -> Iterator[Mark | Unlabelled]:
    """A mark with this value for each sentence that is labelled."""
    for judged in sentences:
        yield judged if isinstance(judged, Unlabelled) else _mark(judged, value(judged))


def _mark(judged: JudgedSentence, value: float, why: str = "", group: str = "") -> Mark:
    return Mark(float(value), judged.sentence.text, judged.sentence.turn, why or judged.why, group)


def _without_label(judged: JudgedSentence) -> Unlabelled:
    return Unlabelled(judged.sentence.text, judged.sentence.turn)
