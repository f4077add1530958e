"""What agents say about the results of tools, where a rule can check it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

import msgspec
from msgspec import Struct

from adjudge.core.conversation import Conversation
from adjudge.core.memo import once
from adjudge.core.record import Turn
from adjudge.english.tokens import bare_words
from adjudge.suites.team.lexicon.phrases import claims_success
from adjudge.suites.team.rules.calls import ToolUse, tool_uses
from adjudge.suites.team.rules.parties import agents, speeches
from adjudge.suites.team.rules.wording import wordings

# "412.50", "1,200"
_NUMBER = re.compile(r"\d[\d,.]*")
# A sentence: up to a full stop that no digit follows, a mark, or a line break.
_SENTENCE = re.compile(r"(?:[^.!?\n]|\.(?=\d))+")
# Results are read as JSON up to this size.
LARGEST_RESULT = 100_000
# Shorter names of fields ("id", "no") occur in sentences that mean something else.
SHORTEST_FIELD = 4


class ResultClaim(Struct, frozen=True):
    """Something said about a result: the turn, what it is about, and how the result contradicts it, if it does."""

    turn: Turn
    place: int
    about: str
    contradiction: str


@once
def success_claims(conversation: Conversation) -> tuple[ResultClaim, ...]:
    """What agents say first after each failed use of a tool, before any other use."""
    return tuple(_claims_after_failures(conversation))


@once
def number_claims(conversation: Conversation) -> tuple[ResultClaim, ...]:
    """Sentences of agents that name a field of the last JSON result and hold one number."""
    return tuple(_number_claims(conversation))


def _claims_after_failures(conversation: Conversation) -> Iterator[ResultClaim]:
    failures = {use.end: use for use in tool_uses(conversation) if use.failed}
    known, use_ends = set(agents(conversation)), {use.end: use for use in tool_uses(conversation)}
    open_failure: ToolUse | None = None
    for place, turn in enumerate(conversation.turns):
        if place in use_ends:
            open_failure = failures.get(place)
        elif open_failure and turn.kind == "speech" and turn.speaker in known and turn.text.strip():
            claimed = claims_success(turn.text)
            why = f"says that it worked; {open_failure.name} failed in turn {open_failure.turn}" if claimed else ""
            yield ResultClaim(turn, place, open_failure.name, why)
            open_failure = None


def _number_claims(conversation: Conversation) -> Iterator[ResultClaim]:
    known = set(agents(conversation))
    results = {use.end: use for use in tool_uses(conversation) if use.result is not None and not use.failed}
    fields: Mapping[str, float] = {}
    words = wordings(conversation)
    speech = {place for place, turn in speeches(conversation) if turn.speaker in known}
    for place, turn in enumerate(conversation.turns):
        if place in results:
            fields = _numeric_fields(turn.text) or fields
        elif place in speech and not fields.keys().isdisjoint(words[place]):
            yield from _sentence_claims(turn, place, fields)


def _sentence_claims(turn: Turn, place: int, fields: Mapping[str, float]) -> Iterator[ResultClaim]:
    for match in _SENTENCE.finditer(turn.text):
        named, numbers = fields.keys() & set(bare_words(match[0])), _numbers(match[0])
        if len(named) == 1 and len(numbers) == 1:
            (field,), (number,) = named, numbers
            wrong = f"says {number:g}; the result has {fields[field]:g}" if number != fields[field] else ""
            yield ResultClaim(turn, place, field, wrong)


def _numeric_fields(text: str) -> dict[str, float]:
    """The fields of a JSON object that are one word and hold a number, at its top or one level down.

    A name with several numbers is left out.
    """
    if not text.lstrip().startswith("{") or len(text) > LARGEST_RESULT:
        return {}
    try:
        content = msgspec.json.decode(text)
    except msgspec.DecodeError:
        return {}
    inner = [value for value in content.values() if isinstance(value, dict)]
    values: dict[str, set[float]] = {}
    for table in (content, *inner):
        for name, value in table.items():
            if isinstance(value, int | float) and not isinstance(value, bool) and _is_word(name):
                values.setdefault(name.lower(), set()).add(float(value))
    return {name: next(iter(numbers)) for name, numbers in values.items() if len(numbers) == 1}


def _is_word(name: str) -> bool:
    return len(name) >= SHORTEST_FIELD and name.isalpha()


def _numbers(sentence: str) -> list[float]:
    """The plain numbers of a sentence, without those that belong to a name ("A320") and percentages."""
    plain = [
        match[0].rstrip(",.")
        for match in _NUMBER.finditer(sentence)
        if not _is_joined(sentence[match.start() - 1 : match.start()]) and not _is_joined(sentence[match.end() :][:1])
    ]
    return [float(number.replace(",", "")) for number in plain if number.count(".") < 2]


def _is_joined(neighbour: str) -> bool:
    return neighbour.isalnum() or neighbour in ("%", "_", "-", "#", ":")
