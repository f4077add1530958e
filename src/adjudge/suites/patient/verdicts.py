"""What a judge says about the sentences of a reply: one typed question for a reply, whatever number of metrics ask."""

from __future__ import annotations

from functools import cache
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from adjudge.core.ask import Judge, Question, Relation, Unanswered
from adjudge.suites.patient.data import Consultation, Sentence
from adjudge.suites.patient.fields import Fields, group_of
from adjudge.tools.rubrics import Rubrics

Kind = Literal["information", "politeness", "emotion", "inquiry", "meta"]
Plausibility = Annotated[int, Meta(ge=1, le=4)]

INFORMATION: Kind = "information"
# A reply with more sentences is put in several questions, so that the answer fits into what a judge may say at once.
SENTENCES_A_QUESTION = 8


class Related(Struct, frozen=True, forbid_unknown_fields=True):
    """A profile item that a sentence is about, and how the sentence stands to it."""

    item: str
    relation: Relation


class Verdict(Struct, frozen=True, forbid_unknown_fields=True):
    """A judge's verdict on one sentence; a plausibility is given for information that the profile does not hold."""

    reasoning: str
    kind: Kind
    related: tuple[Related, ...]
    unsupported: bool
    plausibility: Plausibility | None

    def __post_init__(self) -> None:
        if self.unsupported and self.plausibility is None:
            raise ValueError("plausibility: expected 1 to 4 where unsupported is true")


class Judged(Struct, frozen=True):
    """A sentence with its verdict."""

    sentence: Sentence
    verdict: Verdict

    @property
    def informs(self) -> bool:
        """Whether the sentence gives information."""
        return self.verdict.kind == INFORMATION

    def items(self, relation: Relation) -> list[str]:
        """The profile items to which the sentence stands so."""
        return [one.item for one in self.verdict.related if one.relation == relation]

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
        deciding = ", ".join(self.items(self.relation))
        return f"{self.relation}{f' ({deciding})' if deciding else ''}: {self.verdict.reasoning}"


def judged(consultation: Consultation, judge: Judge, rubrics: Rubrics) -> list[Judged]:
    """Every sentence of the patient with the judge's verdict on it; none without a profile to be true to."""
    if not consultation.profile:
        return []
    portions = [
        reply.sentences[start : start + SENTENCES_A_QUESTION]
        for reply in consultation.replies
        for start in range(0, len(reply.sentences), SENTENCES_A_QUESTION)
    ]
    rubric = rubrics.text("sentences")
    questions: list[Question[Any]] = [
        Question(rubric, answer_type(len(portion)), material(consultation, portion)) for portion in portions
    ]
    answers = judge(questions) if questions else []
    return [
        Judged(sentence, _known(getattr(answer, name), consultation))
        for portion, answer in zip(portions, answers, strict=True)
        for sentence, name in zip(portion, answer.__struct_fields__, strict=True)
    ]


def material(consultation: Consultation, sentences: tuple[Sentence, ...]) -> str:
    """What the judge looks at: the profile, the doctor's words before the reply, and the sentences by number."""
    shown = {
        "profile": consultation.profile,
        "doctor": sentences[0].asked,
        "sentences": {f"sentence_{number}": one.text for number, one in enumerate(sentences, 1)},
    }
    return msgspec.json.encode(shown).decode()


@cache
def answer_type(sentences: int) -> type[Any]:
    """The answer to a question about so many sentences: a verdict on each."""
    fields = [(f"sentence_{number}", Verdict) for number in range(1, sentences + 1)]
    return msgspec.defstruct("Verdicts", fields, frozen=True, forbid_unknown_fields=True, module=__name__)


def _known(verdict: Verdict, consultation: Consultation) -> Verdict:
    """The verdict with items by the names of the profile; one that is not in the profile spoils the answer."""
    related = tuple(Related(_item(one.item, consultation), one.relation) for one in verdict.related)
    return msgspec.structs.replace(verdict, related=related)


def _item(name: str, consultation: Consultation) -> str:
    if name in consultation.profile:
        return name
    known = _fields().name(name)
    if known not in consultation.profile:
        raise Unanswered("parse_error", f"the judge relates a sentence to {name!r}, which is no item of the profile")
    return known


@cache
def _fields() -> Fields:
    return Fields.load()
