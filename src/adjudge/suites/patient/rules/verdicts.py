"""What a judge says about the sentences of a patient: a typed question for eight of them, whoever asks."""

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
from adjudge.suites.patient.rules.answers import answer_of, item_codes
from adjudge.tools.rubrics import Rubrics

Kind = Literal["information", "politeness", "emotion", "inquiry", "meta"]
Plausibility = Annotated[int, Meta(ge=1, le=4)]

INFORMATION: Kind = "information"
# With more, the answer would not fit into what a judge may say at once.
SENTENCES_A_QUESTION = 8


class Related(Struct, frozen=True):
    """A profile item that a sentence is about, and how the sentence stands to it."""

    item: str
    relation: Relation


class Verdict(Protocol):
    """A judge's verdict on one sentence; `unsupported`: how plausible what it holds beyond the profile is.

    `related` holds a model's pairs of item and relation, or people's labels.
    """

    reasoning: str
    kind: Kind | NoLabel
    related: tuple[Any, ...]
    unsupported: float | NoLabel | None


class Judged(Struct, frozen=True):
    """A sentence with its verdict, and the items of the profile that the verdict relates it to.

    `related` is NO_LABEL where people judge and nobody said how the sentence stands to the profile. They may say so
    without an item: then its name is empty.
    """

    sentence: Sentence
    verdict: Verdict
    related: tuple[Related, ...] | NoLabel

    @property
    def kind(self) -> Kind | NoLabel:
        """What kind of sentence it is; one that stands to the profile in some way gives information."""
        if self.verdict.kind is NO_LABEL and self.related is not NO_LABEL:
            return INFORMATION
        return self.verdict.kind

    @property
    def informs(self) -> bool:
        """Whether the sentence gives information."""
        return self.kind == INFORMATION

    def items(self, relation: Relation) -> list[str]:
        """The profile items to which the sentence stands so."""
        related = () if self.related is NO_LABEL else self.related
        return [pair.item for pair in related if pair.relation == relation]

    @property
    def relation(self) -> Relation:
        """How the sentence stands to the profile: one entailed item is enough, then one contradicted."""
        return "entail" if self.items("entail") else "contradict" if self.items("contradict") else "neutral"

    @property
    def group(self) -> str:
        """The group of the first profile item that decides the relation; empty where none does."""
        deciding = self.items(self.relation)
        return group_of(deciding[0]) if deciding else ""

    @property
    def why(self) -> str:
        """The relation, the items that decide it, and the judge's reason."""
        deciding = ", ".join(filter(None, self.items(self.relation)))
        return f"{self.relation}{f' ({deciding})' if deciding else ''}: {self.verdict.reasoning}"


def judge_sentences(consultation: Consultation, judge: Judge, rubrics: Rubrics) -> list[Judged]:
    """Every sentence of the patient with the judge's verdict on it; none without a profile to be true to.

    What a patient cannot know is not shown: a patient that names its diagnosis gains nothing by it.
    """
    sentences = [sentence for reply in consultation.replies for sentence in reply.sentences]
    if not consultation.known or not sentences:
        return []
    portions = [sentences[at : at + SENTENCES_A_QUESTION] for at in range(0, len(sentences), SENTENCES_A_QUESTION)]
    answers = judge([question_about(consultation, portion, rubrics) for portion in portions])
    return [
        _with_verdict(sentence, getattr(answer, name), consultation)
        for portion, answer in zip(portions, answers, strict=True)
        for sentence, name in zip(portion, answer.__struct_fields__, strict=True)
    ]


def _with_verdict(sentence: Sentence, verdict: Verdict, consultation: Consultation) -> Judged:
    """The sentence with its verdict; to an item that the profile does not have, nothing stands in any way."""
    if verdict.related and isinstance(verdict.related[0], Labelled):
        return Judged(sentence, verdict, _labelled_relations(verdict.related, consultation))
    names = {code: item for item, code in item_codes(consultation.known).items()}
    related = tuple(Related(names[pair.item], pair.relation) for pair in verdict.related if pair.item in names)
    return Judged(sentence, verdict, related)


def _labelled_relations(labels: Iterable[Labelled], consultation: Consultation) -> tuple[Related, ...] | NoLabel:
    """The known items that people relate a sentence to, by their own names; NO_LABEL where nobody said anything."""
    given = [label for label in labels if label.value is not NO_LABEL]
    known = tuple(Related(label.key, label.value) for label in given if label.key in ("", *consultation.known))
    return known if given else NO_LABEL


def question_about(consultation: Consultation, sentences: Sequence[Sentence], rubrics: Rubrics) -> Question[Any]:
    """The question about some sentences: the profile, and the sentences by number below what the doctor said."""
    numbered = [(f"sentence_{number}", sentence) for number, sentence in enumerate(sentences, 1)]
    exchanges = [
        {"doctor": asked, "patient": {name: sentence.text for name, sentence in portion}}
        for (_, asked), portion in groupby(numbered, key=lambda pair: (pair[1].turn, pair[1].asked))
    ]
    codes = item_codes(consultation.known)
    profile = {code: _item_text(item, code, consultation.profile[item]) for item, code in codes.items()}
    material = msgspec.json.encode({"profile": profile, "exchanges": exchanges}).decode()
    own = sum(item != code for item, code in codes.items())
    about = tuple(about for name, sentence in numbered for about in _about(consultation, name, sentence))
    return Question(rubrics.text("sentences"), answer_type(len(sentences), own), material, about=about)


def _about(consultation: Consultation, name: str, sentence: Sentence) -> Iterator[About]:
    """What the fields of one sentence's verdict are about; items may be labelled each, or the sentence as a whole."""
    fields = (
        ("kind", "kind"),
        ("related.relation", "related"),
        ("related.relation", "sentence_verdict"),
        ("unsupported", "unsupported"),
        ("unsupported", "plausibility"),
    )
    items = (*default_fields(), *consultation.profile)
    for field, label in fields:
        yield About(f"{name}.{field}", consultation.key, sentence.turn, sentence.text, label, items)


def _item_text(item: str, code: str, value: str) -> str:
    return value if item == code else f"{item}: {value}"


@cache
def answer_type(sentences: int, own: int = 0) -> Any:
    """The answer about so many sentences: a verdict on each, with items by the usual names or the codes of own ones.

    The names are part of the type, so that a judge that makes one up is asked again.
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
