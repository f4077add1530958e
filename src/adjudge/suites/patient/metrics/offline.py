"""What can be said about facts without a judge: a heuristic whose measured quality stands on every card."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

from adjudge.core.ask import Embedder, Relation
from adjudge.core.card import Band, metric
from adjudge.core.mark import Mark
from adjudge.suites.patient.data import Consultation
from adjudge.suites.patient.fields import group_of
from adjudge.suites.patient.offline import Reading, coverage_quality, kind_quality, kinds, quality, readings

SOURCE = "Dialogue-Level Evaluation Guide, Sentence-Level Evaluation"
Thresholds = Mapping[str, float]

_VERDICTS: dict[Relation, float] = {"entail": 1.0, "neutral": 0.0, "contradict": -1.0}

offline = partial(
    metric,
    unit="sentence",
    better="higher",
    probes=("facts",),
    predicts=("a conversation", "a profile"),
    source=SOURCE,
    departs=quality(),
)


@metric(
    "Info (rules)",
    formula="sentences that hold information / sentences of the patient",
    unit="sentence",
    better="neither",
    probes=("facts",),
    predicts=("a conversation",),
    source=SOURCE,
    departs=kind_quality(),
)
def information_share_offline(consultation: Consultation) -> Iterator[Mark]:
    """Which share of the patient's sentences holds information, told by rules?"""
    for sentence, kind in kinds(consultation):
        yield Mark(float(kind == "information"), sentence.text, sentence.turn, kind)


@offline("Entail (rules)", formula="information sentences that entail an item of the profile / information sentences")
def entailment_offline(consultation: Consultation, embed: Embedder, thresholds: Thresholds) -> Iterator[Mark]:
    """Which share of what the patient tells stands in its profile, as far as rules and cosines see?

    Undefined without information sentences and without a profile.
    """
    for reading in readings(consultation, embed, thresholds):
        yield _mark(reading, float(reading.relation == "entail"))


@offline(
    "Entail-S (rules)",
    formula="sentences that entail an item of the profile / sentences that entail or contradict one",
)
def entailment_supported_offline(consultation: Consultation, embed: Embedder, thresholds: Thresholds) -> Iterator[Mark]:
    """Of what the patient tells about items of its profile, which share agrees with them, as far as rules see?

    Undefined where no sentence entails or contradicts an item. A contradiction found wrongly makes it too low.
    """
    for reading in readings(consultation, embed, thresholds):
        if reading.relation != "neutral":
            yield _mark(reading, float(reading.relation == "entail"), reading.group)


@offline(
    "Verdict (rules)",
    formula="sentence: 1 entail, 0 neutral, -1 contradict; data set: mean over information sentences",
    scale=(-1.0, 1.0),
    bands=(Band(-1.0, "contradict"), Band(-0.5, "neutral"), Band(0.5, "entail")),
)
def sentence_verdict_offline(consultation: Consultation, embed: Embedder, thresholds: Thresholds) -> Iterator[Mark]:
    """How does each sentence relate to the profile, as far as rules and cosines see?

    One entailed item makes a sentence entailed, else one contradicted item contradicted; somebody mentioned in passing
    ("my wife drove me") counts where nothing else does. Set it beside labels of your own with `adjudge calibrate`: that
    is how good the heuristic is on your data. There is no rate of contradictions: too many of those found are none.
    """
    for reading in readings(consultation, embed, thresholds):
        yield _mark(reading, _VERDICTS[reading.relation])


@offline(
    "Coverage (rules)",
    formula="items of the profile that some sentence entails / items of the profile that the patient can know",
    unit="profile item",
    probes=("information",),
    departs=coverage_quality(),
)
def coverage_offline(consultation: Consultation, embed: Embedder, thresholds: Thresholds) -> Iterator[Mark]:
    """Which share of its profile does the patient bring up truly, as far as rules and cosines see?

    Diagnosis and disposition are left out: the patient cannot know them. Undefined without a profile and where the
    patient tells nothing.
    """
    read = readings(consultation, embed, thresholds)
    for item in consultation.known if read else ():
        told = [one for one in read if item in one.findings]
        first = next((one for one in told if one.findings[item].relation == "entail"), None)
        against = told[0] if told and first is None else None
        said = first or against
        why = "not told" if said is None else f"{'against the profile: ' if against else ''}{said.sentence.text}"
        yield Mark(float(first is not None), item, said.sentence.turn if said else "", why, group_of(item))


def _mark(reading: Reading, value: float, group: str = "") -> Mark:
    """A mark at the sentence; by the group of the item that decides it only where every sentence has one."""
    sentence = reading.sentence
    return Mark(value, sentence.text, sentence.turn, reading.why, group)
