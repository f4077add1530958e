"""Who of a group got what they wished for, and who was heard: the picture of one conversation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from adjudge.core.card import Card, MemberMarks
from adjudge.core.mark import Mark
from adjudge.report.page.facts import objects
from adjudge.report.page.speakers import Speaker, speakers_of
from adjudge.report.page.verdict import Verdict, verdict
from adjudge.web.opened import OpenedConversation, Scores

# The steps of blue for how close the plan comes to a wish.
SHADES = 4
CLOSENESS = "semantic_satisfaction"


class WishCell(Struct, frozen=True):
    """A wish: the verdict on it, the reason, what was wished, in which turn, and how blue the cell is."""

    verdict: Verdict
    why: str
    wish: str
    strength: str
    turn: str
    shade: int


class MemberLine(Struct, frozen=True):
    """A member: the wishes by slot, the share that is met, and how much they said."""

    speaker: Speaker
    wishes: list[WishCell | None]
    met: str
    turns: int
    words: int
    first: str
    heard: bool | None


class MemberPicture(Struct, frozen=True):
    """The members of a group by slot; `most` is the largest number of words of one of them."""

    card: Card
    slots: list[str]
    members: list[MemberLine]
    most: int


def member_picture(conversation: OpenedConversation, cards: Mapping[str, Card]) -> MemberPicture | None:
    """The picture of a conversation of which a metric judges the wishes of members; None for any other."""
    card = _card(cards, "wishes")
    marks = conversation.scores[card.name].marks if card and card.name in conversation.scores else ()
    if card is None or not marks:
        return None
    wishes = {(mark.at.removesuffix(f": {mark.group}"), mark.group): mark for mark in marks}
    close = _closeness(conversation.scores)
    voices = _voices(conversation.scores, _card(cards, "voice"))
    speakers = speakers_of(conversation.record)
    slots = list(dict.fromkeys(mark.group for mark in marks))
    names = list(dict.fromkeys([*voices, *(member for member, _ in wishes)]))
    hidden = _hidden_wishes(conversation.record)
    members = []
    for name in names:
        speaker = speakers.get(name, Speaker(name, 1, name[:1].upper()))
        cells = [_cell(wishes.get((name, slot)), card, hidden.get((name, slot), {}), close) for slot in slots]
        members.append(_line(conversation, speaker, cells, voices.get(name)))
    return MemberPicture(card, slots, members, max((member.words for member in members), default=1) or 1)


def _card(cards: Mapping[str, Card], marks: MemberMarks) -> Card | None:
    return next((card for card in cards.values() if card.members == marks), None)


def _closeness(scores: Scores) -> dict[str, float]:
    return {mark.at: mark.value for mark in scores[CLOSENESS].marks} if CLOSENESS in scores else {}


def _voices(scores: Scores, card: Card | None) -> dict[str, bool]:
    return {mark.at: mark.value > 0 for mark in scores[card.name].marks} if card and card.name in scores else {}


def _hidden_wishes(record: dict[str, Any]) -> dict[tuple[str, str], dict[str, Any]]:
    """The wish that a member was given for a slot."""
    return {
        (str(member.get("id")), str(wish.get("slot"))): wish
        for member in objects(record.get("members"))
        for wish in objects(member.get("hidden"))
    }


def _cell(mark: Mark | None, card: Card, hidden: dict[str, Any], close: dict[str, float]) -> WishCell | None:
    if mark is None:
        return None
    nearness = close.get(mark.at, mark.value)
    shade = min(max(int(nearness * 2 * SHADES), 1), SHADES)
    wish, strength = str(hidden.get("text") or ""), str(hidden.get("strength") or "")
    return WishCell(verdict(mark.value, card), mark.why, wish, strength, mark.turn, shade)


def _line(
    conversation: OpenedConversation, speaker: Speaker, cells: list[WishCell | None], heard: bool | None
) -> MemberLine:
    turns = [turn for turn in objects(conversation.record.get("turns")) if turn.get("speaker") == speaker.name]
    judged = [cell for cell in cells if cell]
    met = sum(cell.verdict == "right" for cell in judged)
    return MemberLine(
        speaker=speaker,
        wishes=cells,
        met=f"{met} of {len(judged)}" if judged else "",
        turns=len(turns),
        words=sum(len(str(turn.get("text") or "").split()) for turn in turns),
        first=str(turns[0].get("id", "")) if turns else "",
        heard=heard,
    )
