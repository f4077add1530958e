"""Counts what the records hold and what they lack, before anything is scored."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence

from msgspec import Struct, field

from adjudge.core.coverage import ArmCoverage, Coverage
from adjudge.core.suite import Survey
from adjudge.suites.patient.data import DOCTOR, NO_PERSONA, PATIENT, Consultation
from adjudge.suites.patient.lexicon.phrases import is_order
from adjudge.suites.patient.lexicon.speech import spoken_text
from adjudge.suites.patient.read.profile_files import Profiles

# The speakers who are named in a remark.
SHOWN = 5
CASES, EMPTY, SILENT = "cases", "empty", "silent"
NO_PROFILE, PLAYS_NOBODY, CREDENTIALED = "profile", "persona", "credentialed"


class PlaceCount(Struct):
    """How many places there are of a kind, and the first of them."""

    count: int = 0
    first: str = ""

    @classmethod
    def of(cls, places: Sequence[str]) -> PlaceCount:
        """The number of these places, and the first."""
        return cls(len(places), places[0] if places else "")

    def merge(self, other: PlaceCount) -> None:
        """Take in places that come later."""
        self.count += other.count
        self.first = self.first or other.first


class ArmCounts(Struct):
    """What was counted in the records of an arm, beside its coverage.

    `others` are the speakers where nobody is the patient, `used` the profiles that belong to a conversation, `orders`
    the replies that look like orders to a judge, and `wordless` those that say nothing.
    """

    coverage: ArmCoverage = field(default_factory=ArmCoverage)
    lacking: Counter[str] = field(default_factory=Counter)
    others: Counter[str] = field(default_factory=Counter)
    used: set[str] = field(default_factory=set)
    orders: PlaceCount = field(default_factory=PlaceCount)
    wordless: PlaceCount = field(default_factory=PlaceCount)

    def merge(self, other: ArmCounts) -> None:
        """Take in what was counted in later records."""
        self.coverage.merge(other.coverage)
        self.lacking.update(other.lacking)
        self.others.update(other.others)
        self.used |= other.used
        self.orders.merge(other.orders)
        self.wordless.merge(other.wordless)


class PatientCounts(Struct):
    """What was counted by arm, and the cases of all arms."""

    arms: dict[str, ArmCounts] = field(default_factory=dict)
    cases: set[str] = field(default_factory=set)


class PatientSurvey(Survey):
    """Counts what each arm brings."""

    def __init__(self, profiles: Profiles) -> None:
        self.profiles = profiles
        self.counts = PatientCounts()

    def add(self, record: Consultation) -> None:
        """Look at one record."""
        replies = [turn for turn in record.turns if turn.speaker == PATIENT]
        wordless = [f"{record.id}, turn {turn.id}" for turn in replies if not spoken_text(turn.text)]
        orders = [f"{record.id}, turn {turn.id}" for turn in replies if is_order(turn.text)]
        key = self.profiles.key(record.id, record.case)
        seen = ArmCounts(
            coverage=ArmCoverage(1, turns=len(replies) - len(wordless), fields=list(_fields(record))),
            lacking=Counter(_lacking(record)),
            others=Counter(_others(record)),
            used={key} if key else set(),
            orders=PlaceCount.of(orders),
            wordless=PlaceCount.of(wordless),
        )
        self.merge(PatientCounts({record.arm: seen}, {record.key.case}))

    def merge(self, counts: PatientCounts) -> None:
        """Take in what was counted in later records."""
        self.counts.cases |= counts.cases
        for arm, seen in counts.arms.items():
            self.counts.arms.setdefault(arm, ArmCounts()).merge(seen)

    def coverage(self) -> Coverage:
        """What each arm has, with remarks on what it lacks."""
        for seen in self.counts.arms.values():
            coverage = seen.coverage
            coverage.expected = max(len(self.counts.cases), coverage.conversations)
            coverage.remarks = [
                *_remarks(seen.lacking, coverage.conversations),
                *_candidates(seen.others),
                *self._unused_profiles(seen.used),
                *_suspicions(seen.orders),
                *_gaps(seen.wordless),
            ]
        return Coverage(arms={arm: seen.coverage for arm, seen in self.counts.arms.items()})

    def _unused_profiles(self, used: Collection[str]) -> Iterator[str]:
        """A remark if some profiles of `--profiles` belong to no conversation of the arm."""
        known = self.profiles.by_id
        unused = [id for id in known if id not in used]
        if unused:
            yield (
                f"{len(unused)} of {len(known)} profiles belong to no conversation, such as {unused[0]!r}; "
                "profiles are found by the id of the conversation"
            )


def _fields(record: Consultation) -> Iterator[str]:
    """The parts that a record has, in the words that metrics use in `predicts`."""
    if record.known_items:
        yield "a profile"
    if record.persona != NO_PERSONA:
        yield "a persona"
    if record.turns:
        yield "a conversation"


def _lacking(record: Consultation) -> Iterator[str]:
    if record.credentialed:
        yield CREDENTIALED
    if not record.turns:
        yield CASES if record.known_items else EMPTY
        return
    if not any(turn.speaker == PATIENT for turn in record.turns):
        yield SILENT
    if not record.known_items:
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


def _suspicions(places: PlaceCount) -> Iterator[str]:
    if places.count:
        looks = "reply looks like an order" if places.count == 1 else "replies look like orders"
        yield (
            f"{places.count} {looks} to a judge (injection suspected), the first in {places.first}: "
            "it is judged as text"
        )


def _gaps(places: PlaceCount) -> Iterator[str]:
    if places.count:
        says = "reply says" if places.count == 1 else "replies say"
        yield f"{places.count} {says} nothing, the first in {places.first}: no metric counts them"
