"""The values of each member of a group: members of each case down, arms across."""

from __future__ import annotations

from msgspec import Struct

from adjudge.core.card import Card
from adjudge.core.record import Key
from adjudge.report.run.summary import RunSummary
from adjudge.run import Run

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


def member_tables(run: Run, summary: RunSummary) -> list[MemberTable]:
    """The metrics of members, each member under each arm; those that say more than yes or no come first."""
    cards = [card for card in summary.cards.values() if card.unit == MEMBER and not card.variant]
    values: dict[str, Members] = {card.name: {} for card in cards}
    first: dict[str, Key] = {}
    for row in run.rows() if cards else ():
        for name, members in values.items():
            score = row.scores.get(name)
            for mark in score.marks if score else ():
                members.setdefault((first.setdefault(row.case, row.key), mark.at), {}).setdefault(row.arm, []).append(
                    mark.value
                )
    tables = [_member_table(card, values[card.name], summary.arms) for card in cards if values[card.name]]
    return sorted(tables, key=_is_binary)


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
