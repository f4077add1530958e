"""Finds the labels that name the speakers in a transcript."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from msgspec import Struct

from adjudge.suites.patient.data import DOCTOR, PATIENT
from adjudge.suites.patient.lexicon.fields import ProfileItems
from adjudge.suites.patient.read.speakers import CLINICIANS, DOCTORS, PATIENTS, plain, role_of

# The roles of a chat.
CHATTING = ("user", "assistant", "human")
# Relatives. "Mother: diabetes" may list an illness in the family and not name a speaker.
KIN = (
    *("mother", "father", "parent", "mom", "mum", "dad", "wife", "husband", "spouse", "partner", "son", "daughter"),
    *("brother", "sister", "family", "relative"),
)
# Other people who may speak in a consultation.
OTHERS = (
    *(*CLINICIANS, "social worker", "receptionist", "interpreter", "translator"),
    *("caregiver", "carer", "companion", "friend", "guest", *KIN),
)

# Words that do not label a line by themselves: "provider" may be an item of a header, "P: 80" a pulse.
_UNCLEAR = ("provider", "d", "p", "resident")
_SPEAKERS = [word for word in (*DOCTORS, *PATIENTS, *CHATTING, *OTHERS) if word not in _UNCLEAR]
# "Guest_family": only programs write names with an underscore.
_JOINED = r"[^\W\d_]\w{0,30}_\w{1,30}"
# "Jane Roe: Hello.", "P: Hello.", "**Client A**: Hello."
_NAME = re.compile(r"\A\s*\**(?P<speaker>[^\W\d_][\w.'-]{0,30}(?: [^\W_][\w.'-]{0,30}){0,2})\**\s*:\**(?P<text>.*)")
# A name that labels so many lines is a speaker.
_OFTEN = 2
# "[Turn 3] Doctor: How are you?"
_NUMBERED = re.compile(
    r"\A\s*\**\[\s*turn\s*#?(?P<number>\d{1,9})\s*\]\s*+(?P<speaker>[^\s:\[\]][^:\[\]]{0,59}?)\**\s*:\**(?P<text>.*)",
    re.IGNORECASE,
)


class TextLine(Struct, frozen=True, gc=False):
    """A line of a transcript with its number."""

    number: int
    text: str


class SpeakerLabel(Struct, frozen=True):
    """The speaker that a line names, the text on the same line, and the number of the turn if it has one."""

    speaker: str
    text: str
    number: int | None = None


class SpeakerLabels:
    """The way in which a transcript labels its speakers.

    If any line is labelled `[Turn 3] Doctor:`, only such labels count. Otherwise `Doctor:`, `[doctor]` and
    `Guest_family:` do, and also the names of several lines if no line is labelled as the doctor's or none as the
    patient's. `patient` is another name under which the patient speaks.
    """

    def __init__(self, lines: Iterable[TextLine], patient: str = "") -> None:
        words = sorted([*_SPEAKERS, *([patient] if patient else [])], key=len, reverse=True)
        named = "|".join(re.escape(word).replace(r"\ ", "[ _]") for word in words)
        # Only known speakers count as tags, because asides such as [sighs] are in brackets too.
        self._tagged = re.compile(
            rf"\A\s*\[(?P<speaker>(?:\w+_)?(?:{named})(?:_\w+)?)\]\s*:?(?P<text>.*)", re.IGNORECASE
        )
        self._named = re.compile(
            rf"\A\s*\**(?P<speaker>(?:{named})(?: \d{{1,2}})?|dr\.?(?: [^\s:]{{1,40}})?|{_JOINED})\**\s*:"
            r"\**(?P<text>.*)",
            re.IGNORECASE,
        )
        lines = list(lines)
        self.numbered = any(_NUMBERED.fullmatch(line.text) for line in lines)
        self._once = self._relatives_named_once(lines)
        self._names = self._frequent_names(lines, patient)

    def of(self, line: str) -> SpeakerLabel | None:
        """The label of a line; None if it has none."""
        if self.numbered:
            match = _NUMBERED.fullmatch(line)
            return (
                SpeakerLabel(match["speaker"].strip(), match["text"].strip(), int(match["number"])) if match else None
            )
        match = self._match(line) or self._match_name(line)
        return SpeakerLabel(match["speaker"].strip(), match["text"].strip()) if match else None

    def _match(self, line: str) -> re.Match[str] | None:
        match = self._tagged.fullmatch(line) or self._named.fullmatch(line)
        return None if match is None or plain(match["speaker"]) in self._once else match

    def _match_name(self, line: str) -> re.Match[str] | None:
        match = _NAME.fullmatch(line) if self._names else None
        return match if match and match["speaker"] in self._names else None

    def _relatives_named_once(self, lines: Iterable[TextLine]) -> set[str]:
        """Relatives that label only one line: "Mother: diabetes" is then part of a reply and not a speaker."""
        counts = Counter(plain(named["speaker"]) for line in lines if (named := self._named.fullmatch(line.text)))
        return {name for name, count in counts.items() if count == 1 and name in KIN}

    def _frequent_names(self, lines: list[TextLine], patient: str) -> set[str]:
        """The names that label several lines; none if doctor and patient are known by their usual labels."""
        if self.numbered:
            return set()
        known = {plain(match["speaker"]) for line in lines if (match := self._match(line.text))}
        roles = {role_of(name) for name in known} | ({PATIENT} if plain(patient) in known else set())
        if {DOCTOR, PATIENT} <= roles:
            return set()
        counts = Counter(match["speaker"] for line in lines if (match := _NAME.fullmatch(line.text)))
        items = ProfileItems.load()
        return {
            name for name, count in counts.items() if count >= _OFTEN and name[0].isupper() and not items.knows(name)
        }
