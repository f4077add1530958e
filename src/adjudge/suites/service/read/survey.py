"""A survey of the records before scoring: what they hold and what is missing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from difflib import SequenceMatcher
from typing import Protocol

from msgspec import Struct, field

from adjudge.core.coverage import ArmCoverage, Coverage
from adjudge.core.errors import Complaint, Warnings
from adjudge.core.suite import Survey
from adjudge.suites.service.data import ABSENT, USER, Annotation, DomainSource, ServiceDialogue, domain_of
from adjudge.suites.service.read.gold import Gold, GoldDialogue
from adjudge.suites.service.read.predictions import Predictions
from adjudge.suites.service.rules.actions import action_word
from adjudge.suites.service.rules.offers import domain_source_of

# Names this alike are taken for spellings of one slot: destnation/destination has 0.95, stay/days 0.5.
SIMILAR = 0.7

_DOMAINS_FROM: dict[DomainSource, str] = {
    "state": "the domains of replies are estimated from changes of the state (--domains state)",
    "predicted": "the domains of replies are those the arm names (--domains predicted)",
    "placeholders": "the domains of replies are those their placeholders name (--domains placeholders)",
}


class DialogueCounts(Struct):
    """The counts of one arm so far.

    `asked` counts the user turns of its dialogues, `turns` those predicted, `slots` in how many dialogues a slot
    is predicted.
    """

    conversations: int = 0
    asked: int = 0
    turns: int = 0
    fields: set[str] = field(default_factory=set)
    slots: Counter[str] = field(default_factory=Counter)
    gold_state: bool = False
    actions: Counter[str] = field(default_factory=Counter)
    domain_sources: set[DomainSource] = field(default_factory=set)

    def merge(self, other: DialogueCounts) -> None:
        """Take in what was counted in later dialogues."""
        self.conversations += other.conversations
        self.asked += other.asked
        self.turns += other.turns
        self.fields |= other.fields
        self.slots.update(other.slots)
        self.gold_state = self.gold_state or other.gold_state
        self.actions.update(other.actions)
        self.domain_sources |= other.domain_sources


class GoldFiles(Protocol):
    """The part of a source that a survey needs.

    `arms` are the prediction files; `gold_arms` the names under which gold dialogues without predictions are scored;
    `goal_ids` the dialogues of the file of goals, None where none was given; `has_database` says whether Inform and
    Success are computed, which ask for bookings and for the domains of replies.
    """

    arms: list[Predictions]
    has_database: bool

    @property
    def gold_arms(self) -> Collection[str]:
        """The names under which gold dialogues without predictions are scored."""

    @property
    def goal_ids(self) -> Collection[str] | None:
        """The dialogues of the file of goals; None where no such file was given."""

    def gold_dialogue(self, where: str, row: bytes, warnings: Warnings) -> ServiceDialogue:
        """The dialogue of a row without predictions."""


class ServiceCounts(Struct):
    """What was counted: by arm, and what gold holds of each dialogue."""

    arms: dict[str, DialogueCounts]
    gold: dict[str, GoldDialogue]


class ServiceSurvey(Survey):
    """Counts dialogues, turns, predicted fields and slot names of each arm against gold."""

    def __init__(self, source: GoldFiles, actions: Collection[str]) -> None:
        self._source = source
        self._predictions = {arm.arm: arm for arm in source.arms}
        self._gold = Gold(source.goal_ids, source.has_database)
        self._actions = actions
        self._arms: dict[str, DialogueCounts] = {arm: DialogueCounts() for arm in self._predictions}

    def add(self, record: ServiceDialogue) -> None:
        """Look at one record."""
        self._gold.add(record)
        seen = self._arms.get(record.arm)
        if seen is None:
            seen = self._arms[record.arm] = DialogueCounts()
        seen.conversations += 1
        seen.gold_state = seen.gold_state or record.gold_state
        if self._source.has_database:
            seen.domain_sources.add(domain_source_of(record))
        slots: set[str] = set()
        for turn in record.turns:
            if turn.speaker == USER:
                seen.asked += 1
                seen.turns += turn.predicted is not None
            elif turn.text or turn.predicted is not None:
                seen.fields.add("reply")
            if turn.predicted is not None:
                _note(turn.predicted, seen, slots)
        seen.slots.update(slots)

    @property
    def counts(self) -> ServiceCounts:
        """What has been counted."""
        return ServiceCounts(self._arms, self._gold.dialogues)

    def merge(self, counts: ServiceCounts) -> None:
        """Take in what was counted in later records."""
        self._gold.merge(counts.gold)
        for arm, seen in counts.arms.items():
            self._arms.setdefault(arm, DialogueCounts()).merge(seen)

    def add_unscored(self, where: str, row: bytes) -> None:
        """Count a dialogue that no arm predicts among those of gold."""
        self._gold.add(self._source.gold_dialogue(where, row, Warnings()))

    def complaints(self) -> list[Complaint]:
        """Predictions for dialogues that the gold files do not have."""
        return [
            Complaint(
                f"{arm.path}:{arm.lines[id]}",
                "no such dialogue in the gold files; take it out, or leave it out with --skip-bad",
                id,
            )
            for arm in self._predictions.values()
            for id in arm.turns
            if id not in self._gold.dialogues
        ]

    def coverage(self) -> Coverage:
        """Coverage by arm, with remarks on misaligned turns and on slot names that differ from gold."""
        return Coverage(arms={arm: self._arm(arm, seen) for arm, seen in self._arms.items()})

    def _arm(self, arm: str, seen: DialogueCounts) -> ArmCoverage:
        fields = _with_implied(seen.fields - ({"state"} if seen.gold_state else set()))
        if arm in self._source.gold_arms:
            fields.discard("reply")  # The replies of a gold file are gold.
        joined = arm in self._predictions
        if joined and self._predictions[arm].replies:
            fields.add("reply")
        remarks = [
            *self._alignment(arm),
            *(_DOMAINS_FROM[source] for source in sorted(seen.domain_sources) if "reply" in fields),
            *self._words(seen),
            *self._gold.remarks(),
            *self._names(seen, fields),
        ]
        if joined:
            return self._joined_coverage(arm, sorted(fields), remarks)
        turns = seen.turns if fields - {"reply"} else seen.asked
        return ArmCoverage(seen.conversations, seen.conversations, turns, seen.asked, sorted(fields), remarks)

    def _joined_coverage(self, arm: str, fields: list[str], remarks: list[str]) -> ArmCoverage:
        """The share of gold that a prediction file covers, whatever --missing says."""
        gold = self._gold.dialogues
        predicted = {id: len(turns) for id, turns in self._predictions[arm].turns.items() if id in gold}
        turns = sum(min(count, gold[id].turns) for id, count in predicted.items())
        expected = sum(dialogue.turns for dialogue in gold.values())
        return ArmCoverage(len(predicted), len(gold), turns, expected, fields, remarks)

    def _words(self, seen: DialogueCounts) -> list[str]:
        strange = {word: count for word, count in seen.actions.items() if action_word(word) not in self._actions}
        if not strange:
            return []
        shown = ", ".join(f"{word!r} ({count})" for word, count in sorted(strange.items())[:5])
        return [f"actions that are not in the action table, so they never match an expected one: {shown}"]

    def _alignment(self, arm: str) -> list[str]:
        if arm not in self._predictions:
            return []
        gold = self._gold.dialogues
        predicted = {id: len(turns) for id, turns in self._predictions[arm].turns.items() if id in gold}
        longer = [id for id, count in predicted.items() if count > gold[id].turns]
        shorter = [id for id, count in predicted.items() if count < gold[id].turns]
        remarks = self._predictions[arm].remarks()
        if longer:
            remarks.append(f"{_dialogues(longer)} more turns than gold, the rest is left out: {_few(longer)}")
        if shorter:
            remarks.append(f"{_dialogues(shorter)} fewer turns than gold: {_few(shorter)}")
        return remarks

    def _names(self, seen: DialogueCounts, fields: set[str]) -> list[str]:
        if seen.gold_state:
            return ["states were filled in from gold (--state gold): inform and success are marked so"]
        gold = self._gold.slots() if "state" in fields else Counter()
        if not gold:
            return []
        strangers = [slot for slot in _by_frequency(seen.slots) if slot not in gold]
        unused = [slot for slot in _by_frequency(gold) if slot not in seen.slots]
        remarks = []
        if strangers:
            remarks.append(f"predicted but never in gold, by dialogues: {_slot_list(strangers, seen.slots)}")
        if unused:
            remarks.append(f"in gold but never predicted, by dialogues: {_slot_list(unused, gold)}")
        if repair := repairs(strangers, unused):
            remarks.append("to map them: " + " ".join(f"--map {old}={new}" for old, new in repair.items()))
        return remarks


def repairs(strangers: Iterable[str], unused: Iterable[str]) -> dict[str, str]:
    """The probable gold name of each unknown predicted slot, without the domain.

    >>> repairs(["hotel-people", "train-leave"], ["hotel-bookpeople", "train-leaveat"])
    {'people': 'bookpeople', 'leave': 'leaveat'}
    """
    renames: dict[str, str] = {}
    wanted = list(unused)
    for stranger in strangers:
        domain, _, slot = stranger.partition("-")
        candidates = [name.partition("-")[2] for name in wanted if domain_of(name) == domain]
        ranked = sorted(candidates, key=lambda name: _likeness(slot, name), reverse=True)
        if ranked and _likeness(slot, ranked[0]) >= SIMILAR:
            renames.setdefault(slot, ranked[0])
    return renames


def _likeness(slot: str, name: str) -> float:
    """1 where one name contains the other, else the similarity of their spelling."""
    if len(slot) > 2 and (slot in name or name in slot):
        return 1.0
    return SequenceMatcher(None, slot, name).ratio()


def _note(annotation: Annotation, seen: DialogueCounts, slots: set[str]) -> None:
    fields = seen.fields
    if annotation.state is not None:
        fields.add("state")
        if ABSENT.isdisjoint(annotation.state.values()):
            slots.update(annotation.state)
        else:
            slots.update(slot for slot, value in annotation.state.items() if value not in ABSENT)
    if annotation.domains is not None:
        fields.add("domains")
    if annotation.intents is not None:
        fields.add("intents")
    if annotation.acts is not None:
        fields.add("acts")
    if annotation.action is not None:
        fields.add("action")
        seen.actions[annotation.action] += 1


def _with_implied(fields: set[str]) -> set[str]:
    """The fields with those that others imply: intents imply domains, acts imply an action."""
    return fields | ({"domains"} if "intents" in fields else set()) | ({"action"} if "acts" in fields else set())


def _by_frequency(slots: Counter[str]) -> list[str]:
    return sorted(slots, key=lambda slot: (-slots[slot], slot))


def _dialogues(names: list[str]) -> str:
    return "1 dialogue has" if len(names) == 1 else f"{len(names)} dialogues have"


def _few(names: list[str]) -> str:
    return ", ".join(names[:5]) + (" ..." if len(names) > 5 else "")


def _slot_list(slots: list[str], counts: Counter[str]) -> str:
    shown = ", ".join(f"{slot} (in {counts[slot]})" for slot in slots[:8])
    return shown + (f" and {len(slots) - 8} more" if len(slots) > 8 else "")
