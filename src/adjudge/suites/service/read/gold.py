"""What the gold files hold of each dialogue, for the survey of the arms."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping

from msgspec import Struct

from adjudge.suites.service.data import USER, ServiceDialogue
from adjudge.suites.service.read.booked_domains import bookings_with_reference
from adjudge.suites.service.read.names import dialogue_key

# Fewer bookings than this say nothing about the whole list.
FEW_BOOKINGS = 3


class GoldDialogue(Struct, frozen=True):
    """What gold holds of a dialogue: the number of user turns, the slots, and the bookings if a metric asks for them.

    `references` says of each booking whether its gold reply gives a reference.
    """

    turns: int
    slots: frozenset[str] = frozenset()
    has_bookings: bool = False
    references: tuple[bool, ...] = ()


class Gold:
    """The dialogues of the gold files by key.

    `goal_ids` are the dialogues of the file of goals, None where none was given; `needs_bookings` says whether a metric
    asks for bookings.
    """

    def __init__(self, goal_ids: Collection[str] | None = None, needs_bookings: bool = False) -> None:
        self.dialogues: dict[str, GoldDialogue] = {}
        self._goal_ids = goal_ids
        self._needs_bookings = needs_bookings
        # Many dialogues have the same slots. Each content is kept once.
        self._contents: dict[GoldDialogue, GoldDialogue] = {}

    def add(self, dialogue: ServiceDialogue) -> None:
        """Note what gold holds of a dialogue, once however many arms have it."""
        key = dialogue_key(dialogue.id)
        if key not in self.dialogues:
            content = self._content(dialogue)
            self.dialogues[key] = self._contents.setdefault(content, content)

    def merge(self, dialogues: Mapping[str, GoldDialogue]) -> None:
        """Take in dialogues that come later in the input."""
        for key, content in dialogues.items():
            if key not in self.dialogues:
                self.dialogues[key] = self._contents.setdefault(content, content)

    def slots(self) -> Counter[str]:
        """The slots by the number of dialogues that have them."""
        return Counter(slot for content in self.dialogues.values() for slot in content.slots)

    def remarks(self) -> list[str]:
        """Remarks on goals and bookings that some dialogues lack."""
        return [*self._goal_remarks(), *(self._booking_remarks() if self._needs_bookings else ())]

    def _content(self, dialogue: ServiceDialogue) -> GoldDialogue:
        turns = [turn.speaker for turn in dialogue.turns].count(USER)
        slots = frozenset().union(*[turn.gold.state for turn in dialogue.turns if turn.gold and turn.gold.state])
        if not self._needs_bookings:
            return GoldDialogue(turns, slots)
        known = any(turn.has_known_bookings for turn in dialogue.turns)
        return GoldDialogue(turns, slots, known, tuple(bookings_with_reference(dialogue)))

    def _goal_remarks(self) -> list[str]:
        if self._goal_ids is None:
            return []
        goals = sum(key in self._goal_ids for key in self.dialogues)
        return [f"--goals has {goals} of {len(self.dialogues)} dialogues"] if goals < len(self.dialogues) else []

    def _booking_remarks(self) -> list[str]:
        remarks = []
        booked = sum(content.has_bookings for content in self.dialogues.values())
        if booked < len(self.dialogues):
            remarks.append(
                f"bookings are known of {booked} of {len(self.dialogues)} dialogues (--booked); "
                "in the others success takes a booking reference as given wherever it stands"
            )
        references = [given for content in self.dialogues.values() for given in content.references]
        if len(references) >= FEW_BOOKINGS and sum(references) < len(references) / 2:
            remarks.append(
                f"only {sum(references)} of {len(references)} bookings (--booked) stand at a gold reply that gives a "
                "reference; is the list shifted?"
            )
        return remarks
