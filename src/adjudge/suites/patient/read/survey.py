"""Counts what the records hold and what they lack, before anything is scored."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from adjudge.core.coverage import ArmCoverage, Coverage
from adjudge.core.errors import Complaint
from adjudge.core.suite import Survey
from adjudge.suites.patient.data import DOCTOR, NO_PERSONA, PATIENT, Consultation
from adjudge.suites.patient.lexicon.phrases import is_order
from adjudge.suites.patient.lexicon.speech import spoken_text
from adjudge.suites.patient.read.profile_files import Profiles

# The speakers who are named in a remark.
SHOWN = 5
CASES, EMPTY, SILENT = "cases", "empty", "silent"
NO_PROFILE, PLAYS_NOBODY, CREDENTIALED = "profile", "persona", "credentialed"


class PatientSurvey(Survey):
    """Counts what each arm brings."""

    def __init__(self, profiles: Profiles) -> None:
        self.profiles = profiles
        self.arms: dict[str, ArmCoverage] = {}
        self.cases: set[str] = set()
        self.lacking: dict[str, Counter[str]] = {}
        self.others: dict[str, Counter[str]] = {}
        self.used: dict[str, set[str]] = {}
        self.orders: dict[str, list[str]] = {}
        self.wordless: dict[str, list[str]] = {}

    def add(self, record: Consultation) -> None:
        """Look at one record."""
        seen = self.arms.setdefault(record.arm, ArmCoverage())
        self.cases.add(record.key.case)
        seen.conversations += 1
        replies = [turn for turn in record.turns if turn.speaker == PATIENT]
        wordless = [f"{record.id}, turn {turn.id}" for turn in replies if not spoken_text(turn.text)]
        seen.turns += len(replies) - len(wordless)
        seen.fields = list(dict.fromkeys([*seen.fields, *_fields(record)]))
        self.lacking.setdefault(record.arm, Counter()).update(_lacking(record))
        self.others.setdefault(record.arm, Counter()).update(_others(record))
        self.orders.setdefault(record.arm, []).extend(_orders(record))
        self.wordless.setdefault(record.arm, []).extend(wordless)
        if key := self.profiles.key(record.id, record.case):
            self.used.setdefault(record.arm, set()).add(key)

    def complaints(self) -> list[Complaint]:
        """No complaints: this suite checks each record on its own."""
        return []

    def coverage(self) -> Coverage:
        """What each arm has, with remarks on what it lacks."""
        for arm, seen in self.arms.items():
            seen.expected = max(len(self.cases), seen.conversations)
            seen.remarks = [
                *_remarks(self.lacking[arm], seen.conversations),
                *_candidates(self.others[arm]),
                *self._unused_profiles(arm),
                *_suspicions(self.orders[arm]),
                *_gaps(self.wordless[arm]),
            ]
        return Coverage(arms=self.arms)

    def _unused_profiles(self, arm: str) -> Iterator[str]:
        """A remark if some profiles of `--profiles` belong to no conversation of the arm."""
        known = self.profiles.by_id
        unused = [id for id in known if id not in self.used.get(arm, ())]
        if unused:
            yield (
                f"{len(unused)} of {len(known)} profiles belong to no conversation, such as {unused[0]!r}; "
                "profiles are found by the id of the conversation"
            )


def _fields(record: Consultation) -> Iterator[str]:
    """The parts that a record has, in the words that metrics use in `predicts`."""
    if record.known:
        yield "a profile"
    if record.persona != NO_PERSONA:
        yield "a persona"
    if record.turns:
        yield "a conversation"


def _lacking(record: Consultation) -> Iterator[str]:
    if record.credentialed:
        yield CREDENTIALED
    if not record.turns:
        yield CASES if record.known else EMPTY
        return
    if not any(turn.speaker == PATIENT for turn in record.turns):
        yield SILENT
    if not record.known:
        yield NO_PROFILE
    if record.persona == NO_PERSONA:
        yield PLAYS_NOBODY


def _remarks(lacking: Counter[str], conversations: int) -> Iterator[str]:
    """A remark for each kind of missing part."""
    items = {
        CASES: "without a conversation: cases to play, or to give with --profiles to the conversations about them",
        EMPTY: "without a conversation and a profile: nothing can be judged there",
        SILENT: "without any turn of the patient: all metrics are undefined there; --patient names who the patient is",
        NO_PROFILE: "without a profile: what the patient says cannot be checked there; give profiles with --profiles",
        PLAYS_NOBODY: "without a persona: nothing is expected of the patient's role there",
        CREDENTIALED: "credentialed: sent only where --allow-credentialed allows it",
    }
    for kind, text in items.items():
        if lacking[kind]:
            yield f"{lacking[kind]} of {conversations} {text}"


def _others(record: Consultation) -> set[str]:
    """Who speaks beside the doctor in a conversation without turns of the patient."""
    speakers = {turn.speaker for turn in record.turns}
    return set() if PATIENT in speakers else speakers - {DOCTOR}


def _candidates(others: Counter[str]) -> Iterator[str]:
    """A remark on who may be the patient where nobody is called so, the most frequent first."""
    if others:
        names = sorted(others, key=lambda name: (-others[name], name))[:SHOWN]
        yield f"speakers where nobody is the patient: {', '.join(f'{name!r} (in {others[name]})' for name in names)}"


def _orders(record: Consultation) -> Iterator[str]:
    """The places of replies that look like orders to a judge."""
    for turn in record.turns:
        if turn.speaker == PATIENT and is_order(turn.text):
            yield f"{record.id}, turn {turn.id}"


def _suspicions(places: list[str]) -> Iterator[str]:
    if places:
        looks = "reply looks like an order" if len(places) == 1 else "replies look like orders"
        yield f"{len(places)} {looks} to a judge (injection suspected), the first in {places[0]}: it is judged as text"


def _gaps(places: list[str]) -> Iterator[str]:
    if places:
        says = "reply says" if len(places) == 1 else "replies say"
        yield f"{len(places)} {says} nothing, the first in {places[0]}: no metric counts them"
