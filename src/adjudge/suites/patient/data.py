"""The records of the patient suite: a visit, the profile the patient is to be true to, and the persona it plays."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Literal

from msgspec import Struct, field

from adjudge.core.record import Record, Turn
from adjudge.suites.patient.lexicon.fields import HIDDEN, Profile
from adjudge.suites.patient.lexicon.speech import spoken_text, statements

DOCTOR, PATIENT = "doctor", "patient"

Level = Literal["low", "high"]
Confusion = Literal["normal", "moderate", "high"]
Cefr = Literal["A", "B", "C"]


class Persona(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Who the simulated patient is to be; None: not said.

    `personality` is one of those in `personas.toml` or a word of the user's own, for which no limits and expectations
    are known. `language` is the CEFR level, `recall` how well the patient remembers its history, `confusion` whether
    it begins the visit dazed, and how much.
    """

    personality: str | None = None
    language: Cefr | None = None
    recall: Level | None = None
    confusion: Confusion | None = None

    @property
    def has_confusion(self) -> bool:
        """Whether the patient is to be confused, moderately or highly."""
        return self.confusion in ("moderate", "high")

    @property
    def highly_confused(self) -> bool:
        """Whether the patient is to be so confused that its other traits cannot be judged."""
        return self.confusion == "high"


NO_PERSONA = Persona()


class PatientTurn(Turn, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """What doctor or patient said; the speaker is `doctor`, `patient`, or a third person in the room."""


class Sentence(Struct, frozen=True, gc=False):
    """One sentence of a reply, with the turn it stands in and what the doctor had said before it."""

    turn: str
    text: str
    asked: str


class PatientReply(Struct, frozen=True):
    """One turn of the patient and what the doctor said since the turn before; `text` is what was spoken.

    Asides in brackets and *stage directions* are no speech and left out of it. `heard` are the turns of the doctor and
    others since the reply before, beyond turns of the patient in which nothing is spoken.
    """

    turn: str
    asked: str
    text: str
    sentences: tuple[Sentence, ...]
    heard: tuple[str, ...]


class Consultation(Record, frozen=True, kw_only=True, dict=True, omit_defaults=True, forbid_unknown_fields=True):
    """One visit of a patient, simulated or real, with what is known about it.

    `profile` maps items, by their names in `fields.toml` or the user's own, to their values; several values of one item
    are joined by "; ". An item that was not recorded is not there. `note` is what the doctor wrote down afterwards.
    `diagnoses` are those that the doctor named, the likeliest first; None where nobody asked for any.
    """

    profile: Profile = field(default_factory=dict)
    persona: Persona = NO_PERSONA
    turns: tuple[PatientTurn, ...] = ()
    note: str = ""
    diagnoses: tuple[str, ...] | None = None

    @property
    def given_parts(self) -> Mapping[str, object]:
        """The profile and the persona that the patient is to play."""
        return {"profile": self.profile, "persona": None if self.persona == NO_PERSONA else self.persona}

    @property
    def prose(self) -> Iterator[str]:
        """What was said in the visit."""
        return (turn.text for turn in self.turns if turn.kind == "speech")

    @cached_property
    def replies(self) -> tuple[PatientReply, ...]:
        """The turns of the patient in which something was said, in order."""
        replies: list[PatientReply] = []
        asked: list[str] = []
        heard: list[str] = []
        for turn in self.turns:
            if turn.speaker != PATIENT:
                asked.append(turn.text)
                heard.append(turn.text)
                continue
            question, asked = " ".join(asked), []
            text = spoken_text(turn.text)
            if text:
                sentences = tuple(Sentence(turn.id, sentence, question) for sentence in statements(text))
                replies.append(PatientReply(turn.id, question, text, sentences, tuple(heard)))
                heard = []
        return tuple(replies)

    @property
    def sentences(self) -> list[Sentence]:
        """What the patient says, sentence by sentence."""
        return [sentence for reply in self.replies for sentence in reply.sentences]

    @property
    def known_items(self) -> Profile:
        """The profile without what a patient cannot know: the diagnosis and where the visit will end."""
        return {name: value for name, value in self.profile.items() if name not in HIDDEN}
