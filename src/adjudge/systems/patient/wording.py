"""The sentences of the rule-based patient: facts in the first person, in the length and language of its persona."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from random import Random

from adjudge.suites.patient.data import Persona
from adjudge.suites.patient.rules.diagnoses import illnesses_in
from adjudge.suites.patient.rules.personas import limits
from adjudge.systems.patient.answers import AnswerFacts, is_denial
from adjudge.systems.patient.first_person import in_first_person
from adjudge.systems.patient.tables import read_table
from adjudge.systems.patient.topics import NEGATIVE, ProfileFact

# The most words in a sentence by level of language (CEFR); the personas' own limit is 20.
WORDS = {"A": 8, "B": 14}
MOST_WORDS, MOST_SENTENCES = 20, 3
# How often a personality shows in a remark.
REMARKS = 0.35
# How often a patient who is still somewhat confused shows it.
DAZED = 0.5
# A sentence may be parted after a comma, and before these words.
_SEAMS = re.compile(r"(?<=[,;:]) | (?=(?:and|but|which|with|when|while|after|in|on|of|to|at|from|for) )")
# Values that are sentences already: "I take aspirin", "My father had gout", "No history of falls".
_SENTENCE = re.compile(r"(?:i|my|no|none|not|there|it)\b", re.IGNORECASE)

Wordings = Mapping[str, tuple[str, ...]]


def speak(answer: AnswerFacts, gender: str, persona: Persona, level: str, rng: Random) -> str:
    """An answer in the words of a patient who is confused to this level."""
    most = limits(persona)
    words = WORDS.get(persona.language or "", MOST_WORDS)
    before = [daze(level, rng)] if level != "normal" and rng.random() < DAZED else []
    after = _remarks(persona, rng)
    room = (most.sentences if most else MOST_SENTENCES) - len(before) - len(after)
    spoken = [part for sentence in _sentences(answer, gender, persona, rng) for part in _fit(sentence, words)]
    return " ".join([*before, *spoken[:room], *after])


def read_out(answer: AnswerFacts, rng: Random) -> str:
    """An answer in the words of the profile, as somebody else wrote them."""
    texts = [
        _as_sentence(f"Denies {fact.text}" if fact.item == NEGATIVE else fact.text)
        for fact in answer.facts[:MOST_SENTENCES]
    ]
    return " ".join(texts) or _silence(answer, rng)


def daze(level: str, rng: Random) -> str:
    """What a patient says who has not found its bearings."""
    return rng.choice(wordings("dazed")[level])


def _remarks(persona: Persona, rng: Random) -> list[str]:
    remarks = wordings("remarks").get(persona.personality or "", ())
    return [rng.choice(remarks)] if remarks and rng.random() < REMARKS else []


@cache
def wordings(name: str) -> Wordings:
    """The wordings of a section of `replies.toml`."""
    return read_table("replies", dict[str, dict[str, tuple[str, ...]]])[name]


def _sentences(answer: AnswerFacts, gender: str, persona: Persona, rng: Random) -> Iterator[str]:
    if not answer.facts:
        yield _silence(answer, rng)
    for fact in answer.facts:
        yield _tell(fact, gender, persona, rng)


def _silence(answer: AnswerFacts, rng: Random) -> str:
    if answer.held_back:
        return rng.choice(wordings("held_back")[answer.held_back])
    return rng.choice(wordings("silences")[answer.silence])


def _tell(fact: ProfileFact, gender: str, persona: Persona, rng: Random) -> str:
    if is_denial(fact):
        denials = wordings("denials")
        return rng.choice(denials.get(fact.item, denials["any"]))
    text = in_first_person(fact.text.rstrip(" ."), gender)
    text = _plain_words(text) if persona.language == "A" else text
    if _SENTENCE.match(text):
        return _as_sentence(text)
    if fact.item == NEGATIVE:
        return rng.choice(wordings("denials")[NEGATIVE]).format(x=_lower(text))
    frames = wordings("frames")
    frame = rng.choice(frames.get(fact.item, frames["any"]))
    return _as_sentence(frame.format(x=text if frame.startswith("{") else _lower(text)))


def _plain_words(text: str) -> str:
    """The text with the first everyday name of an illness in place of the medical one, where it is nothing else."""
    spoken = [name for illness in illnesses_in(text) for name in illness.spoken]
    return spoken[0].capitalize() if spoken and len(text.split()) <= 3 else text


def _fit(sentence: str, most: int) -> list[str]:
    """A sentence in parts of at most so many words, parted where it may be, or else cut."""
    if len(sentence.split()) <= most:
        return [sentence]
    parts: list[list[str]] = [[]]
    for piece in (piece.split() for piece in _SEAMS.split(sentence)):
        if parts[-1] and len(parts[-1]) + len(piece) > most:
            parts.append([])
        parts[-1] += piece
    return [_as_sentence(" ".join(part[:most])) for part in parts]


def _as_sentence(text: str) -> str:
    text = text.strip(" ,;:-")
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "?", "!")) else ".")


def _lower(text: str) -> str:
    """The text with a small first letter, unless it is an abbreviation or "I"."""
    return text[0].lower() + text[1:] if text[1:2].islower() or text.startswith("A ") else text
