"""A judge's verdicts on the sentences of a patient, asked for in typed questions of up to eight sentences."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import groupby
from typing import Annotated, Any, Literal, Protocol

import msgspec
from msgspec import Meta, Struct

from adjudge.core.ask import NO_LABEL, About, Judge, Labelled, NoLabel, Question, Relation
from adjudge.suites.patient.data import Consultation, Sentence
from adjudge.suites.patient.lexicon.fields import HIDDEN, default_fields, group_of
from adjudge.suites.patient.rules.answers import answer_of, ask_in_portions, item_codes, names_of_items
from adjudge.tools.rubrics import Rubrics

Kind = Literal["information", "politeness", "emotion", "inquiry", "meta"]
Plausibility = Annotated[int, Meta(ge=1, le=4)]

INFORMATION: Kind = "information"
# The most sentences in one question. More would make the answer longer than the limit on a judge's answer.
SENTENCES_A_QUESTION = 8


class ItemRelation(Struct, frozen=True):
    """A profile item that a sentence is about, and the relation between the two."""

    item: str
    relation: Relation


class SentenceVerdict(Protocol):
    """A judge's verdict on one sentence.

    `related` holds pairs of item and relation from a model, or labels from people. `unsupported` is the plausibility
    of information that is not in the profile, and None if the sentence has none.
    """

    reasoning: str
    kind: Kind | NoLabel
    related: tuple[Any, ...]
    unsupported: float | NoLabel | None


class JudgedSentence(Struct, frozen=True):
    """A sentence with its verdict, and the profile items that the verdict relates it to.

    With human labels, `related` is NO_LABEL if nobody labelled the relation of the sentence to the profile. A label may
    give the relation without an item; the name of the item is then empty.
    """

    sentence: Sentence
    verdict: SentenceVerdict
    related: tuple[ItemRelation, ...] | NoLabel

    @property
    def kind(self) -> Kind | NoLabel:
        """The kind of sentence; one with a labelled relation but no labelled kind counts as information."""
        if self.verdict.kind is NO_LABEL and self.related is not NO_LABEL:
            return INFORMATION
        return self.verdict.kind

    @property
    def informs(self) -> bool:
        """Whether the sentence gives information."""
        return self.kind == INFORMATION

    def items(self, relation: Relation) -> list[str]:
        """The profile items that have this relation to the sentence."""
        related = () if self.related is NO_LABEL else self.related
        return [pair.item for pair in related if pair.relation == relation]

    @property
    def relation(self) -> Relation:
        """The relation to the whole profile: "entail" if any item entails, else "contradict" if any contradicts."""
        return "entail" if self.items("entail") else "contradict" if self.items("contradict") else "neutral"

    @property
    def group(self) -> str:
        """The group of the first profile item that decides the relation; empty if none does."""
        deciding = self.items(self.relation)
        return group_of(deciding[0]) if deciding else ""

    @property
    def why(self) -> str:
        """The relation, the items that decide it, and the judge's reason."""
        deciding = ", ".join(filter(None, self.items(self.relation)))
        relation = f"{self.relation} ({deciding})" if deciding else self.relation
        return ": ".join(filter(None, (relation, self.verdict.reasoning)))


def judge_sentences(consultation: Consultation, judge: Judge, rubrics: Rubrics) -> list[JudgedSentence]:
    """Every sentence of the patient with the judge's verdict; empty without a profile or a sentence.

    The judge does not see items that the patient cannot know, so a patient that names its diagnosis gains nothing.
    """
    if not consultation.known_items:
        return []

    def question(portion: Sequence[Sentence]) -> Question[Any]:
        return question_about(consultation, portion, rubrics)

    verdicts = ask_in_portions(judge, consultation.sentences, SENTENCES_A_QUESTION, question)
    return [_with_verdict(sentence, verdict, consultation) for sentence, verdict in verdicts]


def _with_verdict(sentence: Sentence, verdict: SentenceVerdict, consultation: Consultation) -> JudgedSentence:
    """The sentence with its verdict; relations to items that the profile does not have are dropped."""
    if verdict.related and isinstance(verdict.related[0], Labelled):
        return JudgedSentence(sentence, verdict, _labelled_relations(verdict.related, consultation))
    names = {code: item for item, code in item_codes(consultation.known_items).items()}
    related = tuple(ItemRelation(names[pair.item], pair.relation) for pair in verdict.related if pair.item in names)
    return JudgedSentence(sentence, verdict, related)


def _labelled_relations(labels: Iterable[Labelled], consultation: Consultation) -> tuple[ItemRelation, ...] | NoLabel:
    """The relations that people labelled, without unknown items; NO_LABEL if nobody labelled a relation."""
    given = [label for label in labels if label.value is not NO_LABEL]
    known = tuple(
        ItemRelation(label.key, label.value) for label in given if label.key in ("", *consultation.known_items)
    )
    return known if given else NO_LABEL


def question_about(consultation: Consultation, sentences: Sequence[Sentence], rubrics: Rubrics) -> Question[Any]:
    """The question about some sentences, with the profile and the numbered sentences after the doctor's words."""
    numbered = [(f"sentence_{number}", sentence) for number, sentence in enumerate(sentences, 1)]
    exchanges = [
        {"doctor": asked, "patient": {name: sentence.text for name, sentence in portion}}
        for (_, asked), portion in groupby(numbered, key=lambda pair: (pair[1].turn, pair[1].asked))
    ]
    codes = item_codes(consultation.known_items)
    profile = {code: _item_text(item, code, consultation.profile[item]) for item, code in codes.items()}
    material = msgspec.json.encode({"profile": profile, "exchanges": exchanges}).decode()
    own = sum(item != code for item, code in codes.items())
    about = tuple(about for name, sentence in numbered for about in _about(consultation, name, sentence))
    return Question(rubrics.text("sentences"), answer_type(len(sentences), own), material, about=about)


def _about(consultation: Consultation, name: str, sentence: Sentence) -> Iterator[About]:
    """The labels for the fields of one sentence's verdict; people may label each item or the sentence as a whole."""
    fields = (
        ("kind", "kind"),
        ("related.relation", "related"),
        ("related.relation", "sentence_verdict"),
        ("unsupported", "unsupported"),
        ("unsupported", "plausibility"),
    )
    items = names_of_items(consultation)
    for field, label in fields:
        yield About(f"{name}.{field}", consultation.key, sentence.turn, sentence.text, label, items)


def _item_text(item: str, code: str, value: str) -> str:
    return value if item == code else f"{item}: {value}"


@cache
def answer_type(sentences: int, own: int = 0) -> Any:
    """The type of the answer about this number of sentences, with a verdict on each.

    `own` is the number of items of the user's own. The names of items are part of the type, so a judge that invents a
    name is asked again.
    """
    usual = (item for item in default_fields() if item not in HIDDEN)
    verdict = _verdict_type((*usual, *(f"own_{number}" for number in range(1, own + 1))))
    return answer_of("Verdicts", {f"sentence_{number}": verdict for number in range(1, sentences + 1)})


@cache
def _verdict_type(items: tuple[str, ...]) -> Any:
    related: Any = answer_of("Related", {"item": Literal[items], "relation": Relation})
    fields = {
        "reasoning": str,
        "kind": Kind,
        "related": tuple[related, ...],
        "unsupported": Plausibility | None,
    }
    return answer_of("Verdict", fields)
