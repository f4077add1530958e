"""How a transcript says who speaks."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from msgspec import Struct

from adjudge.suites.patient.read.speakers import DOCTORS, PATIENTS, plain

# The roles of a chat.
CHATTING = ("user", "assistant", "human")
# Whose illnesses are listed in a line that begins as if they spoke.
KIN = (
    *("mother", "father", "parent", "mom", "mum", "dad", "wife", "husband", "spouse", "partner", "son", "daughter"),
    *("brother", "sister", "family", "relative"),
)
# Who else speaks in a consultation.
OTHERS = (
    *("nurse", "triage nurse", "paramedic", "midwife", "pharmacist", "therapist", "social worker", "receptionist"),
    *("interpreter", "translator", "caregiver", "carer", "companion", "friend", "guest", *KIN),
)

_SPEAKERS = [word for word in (*DOCTORS, *PATIENTS, *CHATTING, *OTHERS) if word != "provider"]
# "[Turn 3] Doctor: How are you?"
_NUMBERED = re.compile(
    r"\A\s*\**\[\s*turn\s*#?(?P<number>\d{1,9})\s*\]\s*(?P<speaker>[^:\[\]]{1,60}?)\**\s*:\**(?P<text>.*)",
    re.IGNORECASE,
)


class Line(Struct, frozen=True, gc=False):
    """A line of a transcript with its number."""

    number: int
    text: str


class Label(Struct, frozen=True):
    """What says who speaks, the turn's number where it has one, and what is said on the same line."""

    speaker: str
    text: str
    number: int | None = None


class Labels:
    """How a transcript says who speaks: `[Turn 3] Doctor:` where it does so anywhere, else `Doctor:` or `[doctor]`.

    A patient that speaks under another name can be named.
    """

    def __init__(self, lines: Iterable[Line], patient: str = "") -> None:
        words = sorted([*_SPEAKERS, *([patient] if patient else [])], key=len, reverse=True)
        named = "|".join(re.escape(word).replace(r"\ ", "[ _]") for word in words)
        # Asides such as [sighs] stand in brackets too, so a tag has to be a speaker's.
        self._tagged = re.compile(rf"\s*\[(?P<speaker>(?:\w+_)?(?:{named})(?:_\w+)?)\]\s*:?(?P<text>.*)", re.IGNORECASE)
        self._named = re.compile(
            rf"\s*\**(?P<speaker>{named}|dr\.?(?: [^\s:]{{1,40}})?)\**\s*:\**(?P<text>.*)", re.IGNORECASE
        )
        lines = list(lines)
        self.numbered = any(_NUMBERED.fullmatch(line.text) for line in lines)
        self._once = self._said_once(lines)

    def of(self, line: str) -> Label | None:
        """What a line says about who speaks; None where it says nothing."""
        if self.numbered:
            match = _NUMBERED.fullmatch(line)
            return Label(match["speaker"].strip(), match["text"].strip(), int(match["number"])) if match else None
        match = self._tagged.fullmatch(line) or self._named.fullmatch(line)
        if match is None or plain(match["speaker"]) in self._once:
            return None
        return Label(match["speaker"].strip(), match["text"].strip())

    def _said_once(self, lines: Iterable[Line]) -> set[str]:
        """Relatives that are named once: "Mother: diabetes" is a line of a reply rather than a speaker."""
        counts = Counter(plain(named["speaker"]) for line in lines if (named := self._named.fullmatch(line.text)))
        return {name for name, count in counts.items() if count == 1 and name in KIN}
