"""Whether what the patient says is true to its profile, as a model of entailment that the user names sees it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from msgspec import Struct

from adjudge.core.ask import Entailment, Nli, Pair, Relation
from adjudge.core.card import metric
from adjudge.core.mark import Mark
from adjudge.english.clauses import last_question
from adjudge.english.normalise import label_key
from adjudge.english.tokens import words
from adjudge.suites.patient.data import Consultation, Sentence
from adjudge.suites.patient.lexicon.fields import group_of

# "No." and "Since last night." say nothing without the question that they answer.
SHORT = 3

model_metric = partial(
    metric,
    unit="sentence",
    probes=("facts",),
    predicts=("a conversation", "a profile"),
    source="Dialogue-Level Evaluation Guide, Entail(%), after PatientSim (Kyung et al. 2025, arXiv 2505.17818)",
    departs="The relations come from an entailment model, which does not separate information from other sentences.",
)


@model_metric("EntailModel", formula="sentences entailed / sentences entailed or contradicted", better="higher")
def entailment_by_model(consultation: Consultation, nli: Nli) -> Iterator[Mark]:
    """How much of what can be checked against the profile does it support, by an entailment model?

    Each sentence is the hypothesis, and each profile item is a premise ("tobacco: never"). A sentence is entailed if
    any item entails it; otherwise it is contradicted if any item contradicts it. A sentence that no item entails or
    contradicts is left out, as in `entailment_supported`. A reply of up to three words is read together with the
    doctor's question. The patient's questions are not judged. The diagnosis and the disposition, which the patient
    cannot know, are not premises.
    """
    for verdict in model_verdicts(consultation, nli):
        if verdict.relation != "neutral":
            yield verdict.mark(verdict.relation == "entail")


@model_metric("ContraModel", formula="sentences contradicted / sentences", better="lower")
def contradiction_by_model(consultation: Consultation, nli: Nli) -> Iterator[Mark]:
    """How much of what the patient says contradicts its profile, by an entailment model?

    Read as in `entailment_by_model`, over all sentences of the patient except its questions.
    """
    for verdict in model_verdicts(consultation, nli):
        yield verdict.mark(verdict.relation == "contradict")


class ModelVerdict(Struct, frozen=True):
    """A sentence with the profile item that decides how it stands to the profile; no item: neutral to all."""

    sentence: Sentence
    item: str
    entailment: Entailment

    @property
    def relation(self) -> Relation:
        """How the sentence stands to the profile."""
        return self.entailment.relation

    def mark(self, value: bool) -> Mark:
        """A mark on the sentence, with the item and how sure the model is."""
        why = (
            f"{self.relation} ({self.item}, {self.entailment.confidence:.2f})" if self.item else "neutral to all items"
        )
        group = group_of(self.item) if self.item else ""
        return Mark(float(value), self.sentence.text, self.sentence.turn, why, group)


def model_verdicts(consultation: Consultation, nli: Nli) -> list[ModelVerdict]:
    """Every sentence of the patient that is no question, with how it stands to the profile; none without a profile."""
    sentences = [each for each in consultation.sentences if not each.text.endswith("?")]
    items = consultation.known_items
    if not items or not sentences:
        return []
    premises = [f"{label_key(item)}: {value}" for item, value in items.items()]
    relations = iter(nli([Pair(premise, _hypothesis(sentence)) for sentence in sentences for premise in premises]))
    return [_decide(sentence, {item: next(relations) for item in items}) for sentence in sentences]


def _hypothesis(sentence: Sentence) -> str:
    if len(words(sentence.text)) > SHORT or not sentence.asked:
        return sentence.text
    return f"{last_question(sentence.asked)} {sentence.text}"


def _decide(sentence: Sentence, relations: dict[str, Entailment]) -> ModelVerdict:
    """The verdict of the surest item that entails the sentence, then of the surest that contradicts it."""
    for relation in ("entail", "contradict"):
        deciding = [item for item, entailment in relations.items() if entailment.relation == relation]
        if deciding:
            item = max(deciding, key=lambda name: relations[name].confidence)
            return ModelVerdict(sentence, item, relations[item])
    surest = max(relations.values(), key=lambda entailment: entailment.confidence)
    return ModelVerdict(sentence, "", surest)
