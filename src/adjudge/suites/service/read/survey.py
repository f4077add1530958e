"""What is there and what is missing, before anything is scored."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from difflib import SequenceMatcher

from msgspec import Struct, field

from adjudge.core.coverage import ArmCoverage, Coverage
from adjudge.core.errors import Complaint
from adjudge.suites.service.data import ABSENT, USER, Annotation, ServiceDialogue, domain_of
from adjudge.suites.service.read.predictions import Predictions
from adjudge.suites.service.rules.actions import action_word

SIMILAR = 0.7


class Seen(Struct):
    """What one arm brought so far.

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


class Gold:
    """What the gold files hold: user turns by dialogue, slots by the number of dialogues that have them.

    `arms` are the names under which gold dialogues are scored that have no predictions; `goals` counts the dialogues
    that the file of goals has, None where none was given; `booked` those whose bookings are known, None where nobody
    asks for them.
    """

    def __init__(self) -> None:
        self.turns: dict[str, int] = {}
        self.slots: Counter[str] = Counter()
        self.arms: set[str] = set()
        self.goals: int | None = None
        self.booked: int | None = None

    def remarks(self) -> list[str]:
        """What is not known of all dialogues."""
        remarks = []
        if self.goals is not None and self.goals < len(self.turns):
            remarks.append(f"--goals has {self.goals} of {len(self.turns)} dialogues")
        if self.booked is not None and self.booked < len(self.turns):
            remarks.append(
                f"bookings are known of {self.booked} of {len(self.turns)} dialogues (--booked); "
                "in the others success takes a booking reference as given wherever it stands"
            )
        return remarks


class ServiceSurvey:
    """Counts dialogues, turns, predicted fields and slot names of each arm against gold."""

    def __init__(self, predictions: list[Predictions], gold: Gold, actions: Collection[str] = ()) -> None:
        self._predictions = {arm.arm: arm for arm in predictions}
        self._gold = gold
        self._actions = actions
        self._arms: dict[str, Seen] = {arm: Seen() for arm in self._predictions}

    def add(self, record: ServiceDialogue) -> None:
        """Look at one record."""
        seen = self._arms.get(record.arm)
        if seen is None:
            seen = self._arms[record.arm] = Seen()
        seen.conversations += 1
        seen.gold_state = seen.gold_state or record.gold_state
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
            if id not in self._gold.turns
        ]

    def coverage(self) -> Coverage:
        """Coverage by arm, with remarks on what does not align and slot names that never meet."""
        return Coverage(arms={arm: self._arm(arm, seen) for arm, seen in self._arms.items()})

    def _arm(self, arm: str, seen: Seen) -> ArmCoverage:
        fields = _implied(seen.fields - ({"state"} if seen.gold_state else set()))
        if arm in self._gold.arms:
            fields.discard("reply")  # The replies of a gold file are gold.
        joined = arm in self._predictions
        if joined and self._predictions[arm].replies:
            fields.add("reply")
        remarks = [*self._alignment(arm), *self._words(seen), *self._gold.remarks(), *self._names(seen, fields)]
        if joined:
            return self._joined(arm, sorted(fields), remarks)
        turns = seen.turns if fields - {"reply"} else seen.asked
        return ArmCoverage(seen.conversations, seen.conversations, turns, seen.asked, sorted(fields), remarks)

    def _joined(self, arm: str, fields: list[str], remarks: list[str]) -> ArmCoverage:
        """What a prediction file has of what gold has, whatever missing predictions are taken for."""
        gold = self._gold.turns
        found = {id: len(turns) for id, turns in self._predictions[arm].turns.items() if id in gold}
        turns = sum(min(count, gold[id]) for id, count in found.items())
        return ArmCoverage(len(found), len(gold), turns, sum(gold.values()), fields, remarks)

    def _words(self, seen: Seen) -> list[str]:
        strange = {word: count for word, count in seen.actions.items() if action_word(word) not in self._actions}
        if not strange:
            return []
        shown = ", ".join(f"{word!r} ({count})" for word, count in sorted(strange.items())[:5])
        return [f"actions that the table does not know, so they are none of its actions: {shown}"]

    def _alignment(self, arm: str) -> list[str]:
        if arm not in self._predictions:
            return []
        predicted = self._predictions[arm].turns
        longer = [id for id, turns in predicted.items() if len(turns) > self._gold.turns.get(id, len(turns))]
        shorter = [id for id, turns in predicted.items() if len(turns) < self._gold.turns.get(id, 0)]
        remarks = list(self._predictions[arm].remarks)
        if longer:
            remarks.append(f"{_dialogues(longer)} more turns than gold, the rest is left out: {_few(longer)}")
        if shorter:
            remarks.append(f"{_dialogues(shorter)} fewer turns than gold: {_few(shorter)}")
        return remarks

    def _names(self, seen: Seen, fields: set[str]) -> list[str]:
        if seen.gold_state:
            return ["states were filled in from gold (--state gold): inform and success are marked so"]
        if "state" not in fields or not self._gold.slots:
            return []
        strangers = [slot for slot in _by_frequency(seen.slots) if slot not in self._gold.slots]
        unused = [slot for slot in _by_frequency(self._gold.slots) if slot not in seen.slots]
        remarks = []
        if strangers:
            remarks.append(f"predicted but never in gold, by dialogues: {_listed(strangers, seen.slots)}")
        if unused:
            remarks.append(f"in gold but never predicted, by dialogues: {_listed(unused, self._gold.slots)}")
        if repair := repairs(strangers, unused):
            remarks.append("to let them meet: " + " ".join(f"--map {old}={new}" for old, new in repair.items()))
        return remarks


def repairs(strangers: Iterable[str], unused: Iterable[str]) -> dict[str, str]:
    """Which predicted slot name probably means which gold one, without the domain.

    >>> repairs(["hotel-people", "train-leave"], ["hotel-bookpeople", "train-leaveat"])
    {'people': 'bookpeople', 'leave': 'leaveat'}
    """
    found: dict[str, str] = {}
    wanted = list(unused)
    for stranger in strangers:
        domain, _, slot = stranger.partition("-")
        candidates = [name.partition("-")[2] for name in wanted if domain_of(name) == domain]
        ranked = sorted(candidates, key=lambda name: _likeness(slot, name), reverse=True)
        if ranked and _likeness(slot, ranked[0]) >= SIMILAR:
            found.setdefault(slot, ranked[0])
    return found


def _likeness(slot: str, name: str) -> float:
    """1 where one name holds the other whole, else how similar they are spelt."""
    if len(slot) > 2 and (slot in name or name in slot):
        return 1.0
    return SequenceMatcher(None, slot, name).ratio()


def _note(said: Annotation, seen: Seen, slots: set[str]) -> None:
    fields = seen.fields
    if said.state is not None:
        fields.add("state")
        if ABSENT.isdisjoint(said.state.values()):
            slots.update(said.state)
        else:
            slots.update(slot for slot, value in said.state.items() if value not in ABSENT)
    if said.domains is not None:
        fields.add("domains")
    if said.intents is not None:
        fields.add("intents")
    if said.acts is not None:
        fields.add("acts")
    if said.action is not None:
        fields.add("action")
        seen.actions[said.action] += 1


def _implied(fields: set[str]) -> set[str]:
    """With intents come domains, with acts an action."""
    return fields | ({"domains"} if "intents" in fields else set()) | ({"action"} if "acts" in fields else set())


def _by_frequency(slots: Counter[str]) -> list[str]:
    return sorted(slots, key=lambda slot: (-slots[slot], slot))


def _dialogues(names: list[str]) -> str:
    return "1 dialogue has" if len(names) == 1 else f"{len(names)} dialogues have"


def _few(names: list[str]) -> str:
    return ", ".join(names[:5]) + (" ..." if len(names) > 5 else "")


def _listed(slots: list[str], counts: Counter[str]) -> str:
    shown = ", ".join(f"{slot} (in {counts[slot]})" for slot in slots[:8])
    return shown + (f" and {len(slots) - 8} more" if len(slots) > 8 else "")
