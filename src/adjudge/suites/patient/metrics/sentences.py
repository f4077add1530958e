"""Whether what the patient says is true to its profile, sentence by sentence, as a judge sees it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from adjudge.core.ask import NO_LABEL, Judge
from adjudge.core.card import Band, metric
from adjudge.core.mark import Mark, Unlabelled
from adjudge.suites.patient.data import Consultation
from adjudge.suites.patient.rules.verdicts import Judged, judge_sentences
from adjudge.tools.rubrics import Rubrics

ENTAIL = "Dialogue-level evaluation guide, Entail(%)"
VALUES = {"entail": 1.0, "neutral": 0.0, "contradict": -1.0}

sentence_metric = partial(
    metric,
    unit="sentence",
    probes=("facts",),
    predicts=("a conversation", "a profile"),
)


@sentence_metric(
    "Entail",
    formula="information sentences with an entailed profile item / information sentences",
    better="higher",
    bands=(Band(0.0, "low"), Band(0.5, "medium"), Band(0.8, "high", above=True)),
    source=f"{ENTAIL}, equation 2",
    primary=True,
)
def entailment(consultation: Consultation, judge: Judge, rubrics: Rubrics) -> Iterator[Mark | Unlabelled]:
    """How much of what the patient tells is borne out by its profile?

    A sentence counts where at least one profile item entails it. What the profile leaves open counts against the
    patient here and not in `entailment_supported`. Sentences that give no information are not judged. All metrics of
    sentences come from the same questions, one for eight sentences.
    """
    for judged_sentence in informing(consultation, judge, rubrics):
        yield (
            judged_sentence
            if isinstance(judged_sentence, Unlabelled)
            else _mark(judged_sentence, judged_sentence.relation == "entail")
        )


@sentence_metric(
    "EntailSup",
    formula="information sentences with an entailed item / information sentences with an entailed or contradicted one",
    better="higher",
    source=f"{ENTAIL}; the published table divides by supported sentences",
)
def entailment_supported(consultation: Consultation, judge: Judge, rubrics: Rubrics) -> Iterator[Mark | Unlabelled]:
    """How much of what can be checked against the profile is borne out by it?

    Sentences that no profile item entails or contradicts are left out. On the same data it is much higher than
    `entailment`: 97.9 % against 74.7 % for the published counts.
    """
    for judged_sentence in informing(consultation, judge, rubrics):
        if isinstance(judged_sentence, Unlabelled):
            yield judged_sentence
        elif judged_sentence.relation != "neutral":
            yield _mark(judged_sentence, judged_sentence.relation == "entail", group=judged_sentence.group)


@sentence_metric(
    "Contra",
    formula="information sentences with a contradicted profile item / information sentences",
    better="lower",
    source=ENTAIL,
)
def contradiction(consultation: Consultation, judge: Judge, rubrics: Rubrics) -> Iterator[Mark | Unlabelled]:
    """How much of what the patient tells contradicts its profile?

    A sentence that one item entails and another contradicts counts here as well as in `entailment`.
    """
    for judged_sentence in informing(consultation, judge, rubrics):
        if isinstance(judged_sentence, Unlabelled):
            yield judged_sentence
            continue
        against = judged_sentence.items("contradict")
        named = ", ".join(filter(None, against)) or "the profile"
        why = ": ".join(filter(None, (f"contradicts {named}", judged_sentence.verdict.reasoning)))
        yield _mark(judged_sentence, bool(against), why if against else "")


@sentence_metric(
    "NLI",
    formula="information sentences: 1 entailed, 0 neutral, -1 contradicted; mean",
    better="higher",
    scale=(-1.0, 1.0),
    bands=(Band(-1.0, "contradict"), Band(-0.5, "neutral"), Band(0.5, "entail")),
    source=ENTAIL,
)
def sentence_verdict(consultation: Consultation, judge: Judge, rubrics: Rubrics) -> Iterator[Mark | Unlabelled]:
    """How does each sentence stand to the profile, from contradicted (-1) to entailed (1)?

    The verdicts themselves, as `adjudge calibrate` sets them beside the words of people.
    """
    for judged_sentence in informing(consultation, judge, rubrics):
        yield (
            judged_sentence
            if isinstance(judged_sentence, Unlabelled)
            else _mark(judged_sentence, VALUES[judged_sentence.relation])
        )


@sentence_metric(
    "Info",
    formula="information sentences / sentences",
    better="neither",
    source="Dialogue-level evaluation guide, sentence types",
)
def information_share(consultation: Consultation, judge: Judge, rubrics: Rubrics) -> Iterator[Mark | Unlabelled]:
    """How many of the patient's sentences give information?

    The others are politeness, emotion, inquiry or talk about the talk.
    """
    for judged_sentence in judge_sentences(consultation, judge, rubrics):
        if judged_sentence.kind is NO_LABEL:
            yield Unlabelled(judged_sentence.sentence.text, judged_sentence.sentence.turn)
        else:
            yield Mark(
                float(judged_sentence.informs),
                judged_sentence.sentence.text,
                judged_sentence.sentence.turn,
                judged_sentence.kind,
            )


@sentence_metric(
    "Unsup",
    formula="information sentences that hold information the profile does not / information sentences",
    better="neither",
    source="RULINGS, patient: judge questions per sentence",
)
def unsupported_information(consultation: Consultation, judge: Judge, rubrics: Rubrics) -> Iterator[Mark | Unlabelled]:
    """How much of what the patient tells is not in its profile?

    Some of it is what makes a patient alive; `plausibility` says whether it fits.
    """
    for judged_sentence in adding(consultation, judge, rubrics):
        yield (
            judged_sentence
            if isinstance(judged_sentence, Unlabelled)
            else _mark(judged_sentence, judged_sentence.verdict.unsupported is not None)
        )


@sentence_metric(
    "Plaus",
    formula="information sentences that hold information the profile does not: the judge's 1 to 4; mean",
    better="higher",
    scale=(1.0, 4.0),
    source="RULINGS, patient: plausibility 1-4",
)
def plausibility(consultation: Consultation, judge: Judge, rubrics: Rubrics) -> Iterator[Mark | Unlabelled]:
    """How plausible is what the patient adds to its profile?"""
    for judged_sentence in adding(consultation, judge, rubrics):
        if isinstance(judged_sentence, Unlabelled):
            yield judged_sentence
        elif isinstance(points := judged_sentence.verdict.unsupported, int | float):
            yield _mark(judged_sentence, points)


def informing(consultation: Consultation, judge: Judge, rubrics: Rubrics) -> Iterator[Judged | Unlabelled]:
    """The sentences that give information, with how they stand to the profile as far as that is labelled."""
    for judged_sentence in judge_sentences(consultation, judge, rubrics):
        if judged_sentence.kind is NO_LABEL or (judged_sentence.informs and judged_sentence.related is NO_LABEL):
            yield Unlabelled(judged_sentence.sentence.text, judged_sentence.sentence.turn)
        elif judged_sentence.informs:
            yield judged_sentence


def adding(consultation: Consultation, judge: Judge, rubrics: Rubrics) -> Iterator[Judged | Unlabelled]:
    """The sentences that give information, with what they add to the profile as far as that is labelled."""
    for judged_sentence in judge_sentences(consultation, judge, rubrics):
        if judged_sentence.kind is NO_LABEL or (
            judged_sentence.informs and judged_sentence.verdict.unsupported is NO_LABEL
        ):
            yield Unlabelled(judged_sentence.sentence.text, judged_sentence.sentence.turn)
        elif judged_sentence.informs:
            yield judged_sentence


def _mark(judged_sentence: Judged, value: float, why: str = "", group: str = "") -> Mark:
    return Mark(
        float(value), judged_sentence.sentence.text, judged_sentence.sentence.turn, why or judged_sentence.why, group
    )
