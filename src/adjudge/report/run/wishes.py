"""What each member of a group wants, whether the plan has it, and who was heard: a picture for each group and arm."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal

from msgspec import Struct, field

from adjudge.core.card import Card, MemberMarks
from adjudge.core.mark import Mark, ScoreRow
from adjudge.core.record import Key
from adjudge.report.words import count

# The most groups that are drawn, and the most members of each.
GROUPS = 10
MEMBERS = 12

Kind = Literal["met", "partly", "unmet", "heard", "silent"]
SIGNS: dict[Kind, str] = {"met": "✓", "partly": "◐", "unmet": "✗", "heard": "●", "silent": "○"}


class Sign(Struct, frozen=True):
    """What is drawn for a wish or for a member, and why; an `unspoken` wish was never stated."""

    kind: Kind
    why: str
    unspoken: bool = False

    @property
    def symbol(self) -> str:
        """The character that is drawn."""
        return SIGNS[self.kind]

    @property
    def words(self) -> str:
        """The sign in words, with the reason."""
        kind = f"{self.kind}, never spoken of" if self.unspoken else self.kind
        return f"{kind}: {self.why}" if self.why else kind


class MemberSigns(Struct, frozen=True):
    """A member: whether they were heard, and each of their wishes by slot; None where nothing was judged."""

    member: str
    voice: Sign | None
    wishes: list[Sign | None]


class ArmPicture(Struct, frozen=True):
    """The members of a group under one arm, whose first conversation has the key."""

    key: Key
    members: list[MemberSigns]

    def caption(self) -> str:
        """How many of the wishes are met, and how many members were heard."""
        wishes = [sign.kind for member in self.members for sign in member.wishes if sign]
        voices = [member.voice.kind for member in self.members if member.voice]
        met = f"{wishes.count('met')} of {count(len(wishes), 'wish')} met" if wishes else ""
        heard = f"{voices.count('heard')} of {len(voices)} heard" if voices else ""
        return ", ".join(filter(None, (met, heard)))


class GroupPicture(Struct, frozen=True):
    """A group under each arm; `omitted` counts the members that are not drawn."""

    case: str
    slots: list[str]
    arms: list[ArmPicture]
    omitted: int


class WishPictures(Struct, frozen=True):
    """The groups that are drawn, and how many are not; `card` judges wishes, `voice` (if there is one) who is heard."""

    card: Card
    voice: Card | None
    groups: list[GroupPicture]
    omitted: int


class ArmMarks(Struct, frozen=True):
    """The marks of a group under one arm: of wishes by member and slot, of voices by member."""

    key: Key
    wishes: dict[tuple[str, str], list[Mark]] = field(default_factory=dict)
    voices: dict[str, list[Mark]] = field(default_factory=dict)


class WishMarks:
    """What members want and who was heard in the first groups, among the rows taken in."""

    def __init__(self, cards: Mapping[str, Card]) -> None:
        self._card, self._voice = _member_card(cards, "wishes"), _member_card(cards, "voice")
        self._groups: dict[str, dict[str, ArmMarks]] = {}
        self._cases: set[str] = set()

    def take(self, row: ScoreRow) -> None:
        """Take in the marks of a record."""
        if not _marks(row, self._card):
            return
        self._cases.add(row.case)
        if row.case in self._groups or len(self._groups) < GROUPS:
            marks = self._groups.setdefault(row.case, {}).setdefault(row.arm, ArmMarks(row.key))
            _insert(marks, _marks(row, self._card), _marks(row, self._voice))

    def pictures(self) -> WishPictures | None:
        """The first groups of a run in which wishes of members are judged; None for any other run."""
        pictures = [_group_picture(case, arms) for case, arms in self._groups.items()]
        if self._card is None or not pictures:
            return None
        return WishPictures(self._card, self._voice, pictures, len(self._cases) - len(self._groups))


def _member_card(cards: Mapping[str, Card], marks: MemberMarks) -> Card | None:
    return next((card for card in cards.values() if card.members == marks), None)


def _marks(row: ScoreRow, card: Card | None) -> tuple[Mark, ...]:
    score = row.scores.get(card.name) if card else None
    return score.marks if score else ()


def _insert(marks: ArmMarks, wishes: Iterable[Mark], voices: Iterable[Mark]) -> None:
    for mark in wishes:
        member = mark.at.removesuffix(f": {mark.group}")
        marks.wishes.setdefault((member, mark.group), []).append(mark)
    for mark in voices:
        marks.voices.setdefault(mark.at, []).append(mark)


def _group_picture(case: str, arms: Mapping[str, ArmMarks]) -> GroupPicture:
    slots = sorted({slot for marks in arms.values() for _, slot in marks.wishes})
    voices = [member for marks in arms.values() for member in marks.voices]
    members = list(dict.fromkeys([*voices, *(member for marks in arms.values() for member, _ in marks.wishes)]))
    pictures = [ArmPicture(marks.key, _member_signs(marks, members[:MEMBERS], slots)) for marks in arms.values()]
    return GroupPicture(case, slots, pictures, max(len(members) - MEMBERS, 0))


def _member_signs(marks: ArmMarks, members: list[str], slots: list[str]) -> list[MemberSigns]:
    """The members of whom something was judged under an arm."""
    signs = [
        MemberSigns(
            member,
            _voice_sign(marks.voices.get(member, [])),
            [_wish_sign(marks.wishes.get((member, slot), [])) for slot in slots],
        )
        for member in members
    ]
    return [member for member in signs if member.voice or any(member.wishes)]


def _voice_sign(marks: list[Mark]) -> Sign | None:
    """Whether a member was heard, in any trial."""
    if not marks:
        return None
    return Sign("heard" if any(mark.value for mark in marks) else "silent", _reasons(marks))


def _wish_sign(marks: list[Mark]) -> Sign | None:
    """Whether a wish is met in all trials, in some or in none."""
    if not marks:
        return None
    met = [mark.value >= 1.0 for mark in marks]
    kind: Kind = "met" if all(met) else "partly" if any(mark.value > 0.0 for mark in marks) else "unmet"
    return Sign(kind, _reasons(marks), unspoken=not any(mark.turn for mark in marks))


def _reasons(marks: list[Mark]) -> str:
    return "; ".join(dict.fromkeys(mark.why for mark in marks if mark.why))
