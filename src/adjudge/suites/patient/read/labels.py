"""Finds the labels that name the speakers in a transcript."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from msgspec import Struct

from adjudge.suites.patient.read.speakers import DOCTORS, PATIENTS, plain

# The roles of a chat.
CHATTING = ("user", "assistant", "human")
# Relatives. "Mother: diabetes" may list an illness in the family and not name a speaker.
KIN = (
    *("mother", "father", "parent", "mom", "mum", "dad", "wife", "husband", "spouse", "partner", "son", "daughter"),
    *("brother", "sister", "family", "relative"),
)
# Other people who may speak in a consultation.
OTHERS = (
    *("nurse", "triage nurse", "paramedic", "midwife", "pharmacist", "therapist", "social worker", "receptionist"),
    *("interpreter", "translator", "caregiver", "carer", "companion", "friend", "guest", *KIN),
)

# Every word that may label a line, except "provider".
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
    """The speaker that a line names, the text on the same line, and the number of the turn if it has one."""

    speaker: str
    text: str
    number: int | None = None


class Labels:
    """The way in which a transcript labels its speakers.

    If any line is labelled `[Turn 3] Doctor:`, only such labels count; otherwise `Doctor:` and `[doctor]` do. `patient`
    is another name under which the patient speaks.
    """

    def __init__(self, lines: Iterable[Line], patient: str = "") -> None:
        words = sorted([*_SPEAKERS, *([patient] if patient else [])], key=len, reverse=True)
        named = "|".join(re.escape(word).replace(r"\ ", "[ _]") for word in words)
        # Only known speakers count as tags, because asides such as [sighs] are in brackets too.
        self._tagged = re.compile(rf"\s*\[(?P<speaker>(?:\w+_)?(?:{named})(?:_\w+)?)\]\s*:?(?P<text>.*)", re.IGNORECASE)
        self._named = re.compile(
            rf"\s*\**(?P<speaker>{named}|dr\.?(?: [^\s:]{{1,40}})?)\**\s*:\**(?P<text>.*)", re.IGNORECASE
        )
        lines = list(lines)
        self.numbered = any(_NUMBERED.fullmatch(line.text) for line in lines)
        self._once = self._said_once(lines)

    def of(self, line: str) -> Label | None:
        """The label of a line; None if it has none."""
        if self.numbered:
            match = _NUMBERED.fullmatch(line)
            return Label(match["speaker"].strip(), match["text"].strip(), int(match["number"])) if match else None
        match = self._tagged.fullmatch(line) or self._named.fullmatch(line)
        if match is None or plain(match["speaker"]) in self._once:
            return None
        return Label(match["speaker"].strip(), match["text"].strip())

    def _said_once(self, lines: Iterable[Line]) -> set[str]:
        """Relatives that label only one line: "Mother: diabetes" is then part of a reply and not a speaker."""
        counts = Counter(plain(named["speaker"]) for line in lines if (named := self._named.fullmatch(line.text)))
        return {name for name, count in counts.items() if count == 1 and name in KIN}
