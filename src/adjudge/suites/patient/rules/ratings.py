"""A judge first extracts profile items from a visit without seeing the profile, then rates each against it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from adjudge.core.ask import About, Judge, NoLabel, Question
from adjudge.suites.patient.data import Consultation, Persona
from adjudge.suites.patient.lexicon.fields import HIDDEN, default_fields, is_recorded
from adjudge.suites.patient.rules.answers import answer_of, ask_in_portions, item_codes, names_of_items
from adjudge.suites.patient.rules.personas import AXES, expectations
from adjudge.tools.rubrics import Rubrics

Points = Annotated[int, Meta(ge=1, le=4)]

# The most items in one question. More would make the answer longer than the limit on a judge's answer.
ITEMS_A_QUESTION = 6
# An extraction answers with a few words for each item, so it may ask for more.
ITEMS_AN_EXTRACTION = 24
DIAGNOSIS = "diagnosis"


class Dual(Struct, frozen=True, forbid_unknown_fields=True):
    """The scores of one item in dual mode: how complete it is in the visit, and how well that fits the persona."""

    extraction_reason: str
    extraction_score: Points
    roleplay_reason: str
    roleplay_score: Points


class Simple(Struct, frozen=True, forbid_unknown_fields=True):
    """The score of one item in simple mode: how close its meaning in the visit is to the profile."""

    reason: str
    score: Points


class Rater:
    """A way to rate profile items: its rubric, the type of its verdict on one item, and its metrics.

    `scores` maps each score of a verdict to the metric that reports it.
    """

    def __init__(self, rubric: str, verdict: type[Any], scores: Mapping[str, str]) -> None:
        self.rubric = rubric
        self.scores = scores
        fields = [(f"item_{number}", verdict) for number in range(1, ITEMS_A_QUESTION + 1)]
        self._answers = [answer_of("Ratings", dict(fields[:items])) for items in range(ITEMS_A_QUESTION + 1)]

    def answer_type(self, items: int) -> Any:
        """The type of the answer to a question about this number of items, with a verdict on each."""
        return self._answers[items]

    def ratings(self, consultation: Consultation, judge: Judge, rubrics: Rubrics) -> list[tuple[str, Any]]:
        """Each profile item that the patient can know, with the judge's verdict; empty without a profile or a reply."""
        return self._rate(consultation, extract_items(consultation, judge, rubrics), judge, rubrics)

    def ratings_with_diagnosis(
        self, consultation: Consultation, judge: Judge, rubrics: Rubrics
    ) -> list[tuple[str, Any]]:
        """The same with the diagnosis; empty if the profile has none."""
        rated = self.ratings(consultation, judge, rubrics) if DIAGNOSIS in consultation.profile else []
        if not rated:
            return []
        learned = _extract(consultation, (DIAGNOSIS,), judge, rubrics)
        return [*rated, *self._rate(consultation, learned, judge, rubrics)]

    def _rate(
        self, consultation: Consultation, learned: Mapping[str, str | NoLabel | None], judge: Judge, rubrics: Rubrics
    ) -> list[tuple[str, Any]]:
        """The profile items of which something may have been learned, each with the judge's verdict."""
        items = [item for item in consultation.profile if item in learned]
        rubric = rubrics.text(self.rubric)

        def question(portion: Sequence[str]) -> Question[Any]:
            material = _comparison(consultation, learned, portion)
            about = tuple(self._about(consultation, portion))
            return Question(rubric, self.answer_type(len(portion)), material, about=about)

        return ask_in_portions(judge, items, ITEMS_A_QUESTION, question)

    def _about(self, consultation: Consultation, items: Sequence[str]) -> Iterator[About]:
        item_names = names_of_items(consultation)
        for number, item in enumerate(items, 1):
            for field, metric in self.scores.items():
                yield About(f"item_{number}.{field}", consultation.key, at=item, label=metric, keys=item_names)


def extract_items(consultation: Consultation, judge: Judge, rubrics: Rubrics) -> dict[str, str | NoLabel | None]:
    """What the visit says about each profile item, or None if it says nothing; empty without a profile or a reply.

    With human labels, an item that nobody labelled is NO_LABEL. The judge sees the names of items and never their
    values (docs/methods/patient.md).
    """
    if not consultation.known_items or not consultation.replies:
        return {}
    return _extract(consultation, items_to_extract(consultation), judge, rubrics)


def _extract(
    consultation: Consultation, items: Sequence[str], judge: Judge, rubrics: Rubrics
) -> dict[str, str | NoLabel | None]:
    rubric = rubrics.text("extract")
    codes, keys = item_codes(items), names_of_items(consultation)

    def question(portion: Sequence[str]) -> Question[Any]:
        about = tuple(About(codes[item], consultation.key, at=item, label="coverage", keys=keys) for item in portion)
        answer = _extraction(tuple(codes[item] for item in portion))
        return Question(rubric, answer, _visit(consultation, portion, codes), about=about)

    return {item: _recorded_text(text) for item, text in ask_in_portions(judge, items, ITEMS_AN_EXTRACTION, question)}


def items_to_extract(consultation: Consultation) -> tuple[str, ...]:
    """The items that the judge is asked to extract.

    All known items are listed, so that the list does not show which of them the profile has.
    """
    usual = [name for name in default_fields() if name not in HIDDEN]
    return tuple(dict.fromkeys([*usual, *consultation.known_items]))


def _recorded_text(text: str | NoLabel | None) -> str | NoLabel | None:
    """The extracted text; None if it only says that nothing was recorded."""
    if isinstance(text, NoLabel):
        return text
    bare = (text or "").strip().strip("`*\"'_. ")
    return text if is_recorded(bare) and not bare.lower().startswith("not recorded") else None


def dialogue(consultation: Consultation) -> list[dict[str, str]]:
    """The visit as a judge sees it."""
    return [{"speaker": turn.speaker, "text": turn.text} for turn in consultation.turns]


def persona_shown(persona: Persona) -> dict[str, object]:
    """The persona as a judge sees it, with what such a patient may leave out."""
    axes = {axis: value for axis in AXES if (value := getattr(persona, axis)) is not None}
    return {
        **axes,
        "expected": [
            f"{expectation.axis} {expectation.value}: {expectation.allows}" for expectation in expectations(persona)
        ],
    }


@cache
def _extraction(items: tuple[str, ...]) -> Any:
    """The type of an extraction's answer: a text or null for each item."""
    return answer_of("Extraction", dict.fromkeys(items, str | None))


def _visit(consultation: Consultation, items: Sequence[str], codes: Mapping[str, str]) -> str:
    named = {codes[item]: item.replace("_", " ") for item in items}
    return msgspec.json.encode({"items": named, "visit": dialogue(consultation)}).decode()


def _comparison(consultation: Consultation, learned: Mapping[str, str | NoLabel | None], items: Sequence[str]) -> str:
    shown = {
        "persona": persona_shown(consultation.persona),
        "items": {
            f"item_{number}": {
                "name": item,
                "profile": consultation.profile[item],
                "visit": _text_or_none(learned[item]),
            }
            for number, item in enumerate(items, 1)
        },
        "visit": dialogue(consultation),
    }
    return msgspec.json.encode(shown).decode()


def _text_or_none(learned: str | NoLabel | None) -> str | None:
    return None if isinstance(learned, NoLabel) else learned


DUAL = Rater("dual", Dual, {"extraction_score": "extraction", "roleplay_score": "role_play"})
SIMPLE = Rater("simple", Simple, {"score": "consistency"})
