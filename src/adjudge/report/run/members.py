"""The values of each member of a group: members of each case down, arms across."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from adjudge.core.card import Card
from adjudge.core.mark import ScoreRow
from adjudge.core.record import Key

# The unit of metrics that judge members.
MEMBER = "member"
# About ten groups of six: a page that opens fast.
ROWS = 60

# By the first conversation of a case and by member, the values of its marks under each arm.
Members = dict[tuple[Key, str], dict[str, list[float]]]


class MemberRow(Struct, frozen=True):
    """One member of one case: its mean value under each arm, None where there is none.

    `key` is of the first conversation of the case. `least` is the least good value where values differ and one
    direction is better.
    """

    key: Key
    member: str
    values: list[float | None]
    least: float | None


class MemberTable(Struct, frozen=True):
    """One metric of members; `omitted` counts those that are not shown."""

    card: Card
    arms: list[str]
    rows: list[MemberRow]
    omitted: int


class MemberMarks:
    """The values of each member by the metrics of members, among the rows taken in."""

    def __init__(self, cards: Mapping[str, Card]) -> None:
        self._cards = [card for card in cards.values() if card.unit == MEMBER and not card.variant]
        self._values: dict[str, Members] = {card.name: {} for card in self._cards}
        self._first: dict[str, Key] = {}

    def take(self, row: ScoreRow) -> None:
        """Take in the marks of a record."""
        for name, members in self._values.items():
            score = row.scores.get(name)
            for mark in score.marks if score else ():
                key = self._first.setdefault(row.case, row.key), mark.at
                members.setdefault(key, {}).setdefault(row.arm, []).append(mark.value)

    def tables(self, arms: list[str]) -> list[MemberTable]:
        """The metrics of members, each member under each arm; those that say more than yes or no come first."""
        valued = [(card, self._values[card.name]) for card in self._cards if self._values[card.name]]
        return sorted((_member_table(card, members, arms) for card, members in valued), key=_is_binary)


def _is_binary(table: MemberTable) -> bool:
    return all(value in (0.0, 1.0, None) for row in table.rows for value in row.values)


def _member_table(card: Card, members: Members, arms: list[str]) -> MemberTable:
    shown = [arm for arm in arms if any(arm in values for values in members.values())]
    rows = [_member_row(card, *key, [values.get(arm, []) for arm in shown]) for key, values in sorted(members.items())]
    return MemberTable(card, shown, rows[:ROWS], max(len(rows) - ROWS, 0))


def _member_row(card: Card, key: Key, member: str, by_arm: list[list[float]]) -> MemberRow:
    means = [sum(values) / len(values) if values else None for values in by_arm]
    defined = [mean for mean in means if mean is not None]
    if len(set(defined)) < 2 or card.better == "neither":
        return MemberRow(key, member, means, None)
    return MemberRow(key, member, means, min(defined) if card.better == "higher" else max(defined))
