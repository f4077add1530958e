"""The rule-based doctor, who works through the topics of a visit, one question a turn, and names common causes."""

from __future__ import annotations

import re
from functools import cache
from random import Random

from msgspec import Struct

from adjudge.core.play import Decision, Said, View
from adjudge.core.system import Cast, system
from adjudge.english.normalise import plain_speech
from adjudge.suites.patient.data import PATIENT
from adjudge.systems.patient.data import DoctorFacts
from adjudge.systems.patient.tables import read_table
from adjudge.systems.patient.topics import OTHERS, is_about, topics

MOST_DIAGNOSES = 5
# How often "anything else?" is asked as long as the patient has more to tell.
MOST_OTHERS = 4


class DoctorTable(Struct, frozen=True, forbid_unknown_fields=True):
    """The wordings and causes of `doctor.toml`."""

    says: dict[str, tuple[str, ...]]
    nothing_more: dict[str, str]
    causes: dict[str, tuple[str, ...]]


@system("patient", plays=("doctor",), source="our own, after the order in which histories are taken")
def questions() -> Cast:
    """A rule-based doctor who asks one thing a turn and ends when nothing is left to ask.

    It asks for the complaint (onset, place, duration, character, what makes it worse or better, spread, time,
    severity), other symptoms, history, medicines, allergies, family and daily life, and leaves out what it has heard
    already. Its diagnoses are the common causes of the complaint that it hears first: a table of 25 complaints and no
    reasoning, a floor for doctors that a model plays.
    """
    return Cast({"doctor": ask_next})


def ask_next(view: View[tuple[str, ...]], rng: Random) -> Said[tuple[str, ...]]:
    """One turn of the doctor; its notes are the topics that it has asked for."""
    asked = view.notes or ()
    replies = [turn.text for turn in view.turns if turn.speaker == PATIENT]
    topic = _next_topic(asked, replies)
    says = _table().says
    if not topic:
        diagnoses = likely_causes(" ".join(replies))
        why = f"common causes of the complaint: {', '.join(diagnoses) or 'none known'}"
        return Said(
            rng.choice(says["closings"]),
            ends="no questions are left",
            facts=DoctorFacts(diagnoses),
            notes=asked,
            decisions=(Decision("causes", why),),
        )
    lead = rng.choice(says["thanks"] if asked else says["greetings"])
    question = rng.choice(topics()[topic].asks)
    return Said(f"{lead}{question}", facts=DoctorFacts(), notes=(*asked, topic))


def likely_causes(text: str) -> tuple[str, ...]:
    """The common causes of the complaint that a text names first; none where it names none of the table.

    >>> likely_causes("I came because of the knee pain.")[0]
    'Osteoarthritis'
    """
    plain = plain_speech(text)
    places = {pattern: match.start() for pattern in _table().causes if (match := _compile(pattern).search(plain))}
    if not places:
        return ()
    return _table().causes[min(places, key=lambda pattern: places[pattern])][:MOST_DIAGNOSES]


def _next_topic(asked: tuple[str, ...], replies: list[str]) -> str:
    """The first topic that was neither asked for nor told already; empty where none is left."""
    if asked and asked[-1] == OTHERS and asked.count(OTHERS) < MOST_OTHERS and not _is_done(replies[-1]):
        return OTHERS
    text = " ".join(replies)
    for name, topic in topics().items():
        if name in asked or not topic.asks:
            continue
        if topic.items or not topic.parts or not is_about(topic, text):
            return name
    return ""


def _is_done(text: str) -> bool:
    return _compile(_table().nothing_more["pattern"]).search(plain_speech(text)) is not None


@cache
def _table() -> DoctorTable:
    return read_table("doctor", DoctorTable)


@cache
def _compile(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)
