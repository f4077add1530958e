"""Questions, and whether anybody answers them."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from adjudge.core.conversation import Conversation
from adjudge.core.memo import once
from adjudge.core.record import Turn
from adjudge.suites.team.lexicon.phrases import is_end_mark
from adjudge.suites.team.rules.parties import speeches
from adjudge.suites.team.rules.repeats import repeats

QUESTION_MARKS = "?\u061f\uff1f"
# What ends the sentence before a question.
ENDS = f".!\n{QUESTION_MARKS}"


class AskedQuestion(Struct, frozen=True):
    """A turn that ends in a question, and why it has no answer; empty where it has one."""

    turn: Turn
    question: str
    missing: str


@once
def asked_questions(conversation: Conversation) -> tuple[AskedQuestion, ...]:
    """All turns of parties that end in a question."""
    turns = speeches(conversation)
    ids = {place: turn.id for place, turn in turns}
    again = {repeat.earlier: ids[repeat.place] for repeat in repeats(conversation) if repeat.earlier is not None}
    last = {turn.speaker: place for place, turn in turns if turn.text.strip() and not is_end_mark(turn.text)}
    return tuple(
        AskedQuestion(turn, question, _missing_answer(place, turn, last, again.get(place, "")))
        for place, turn in turns
        if (question := last_question(turn.text))
    )


def last_question(text: str) -> str:
    """The question that a text ends in; empty where it ends in none.

    >>> last_question("I found two rooms. Shall I book the first?"), last_question("Why? Because it rains.")
    ('Shall I book the first?', '')
    """
    end = max(map(text.rfind, QUESTION_MARKS))
    if end < 0 or any(letter.isalnum() for letter in text[end:]):
        return ""
    start = max(text.rfind(mark, 0, end) for mark in ENDS)
    return " ".join(text[start + 1 : end + 1].split())


def _missing_answer(place: int, asker: Turn, last: Mapping[str, int], again: str) -> str:
    """Why a question has no answer; `last` is the place of the last turn of each speaker."""
    later = {name for name, end in last.items() if end > place and name != asker.speaker}
    if not later:
        return "nobody speaks after it"
    if asker.to and not later & set(asker.to):
        return f"{' and '.join(asker.to)}, to whom it is put, does not speak after it"
    return f"it is asked again in turn {again}" if again else ""
