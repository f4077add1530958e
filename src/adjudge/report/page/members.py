"""How each member of a group fared: members of each case down, arms across."""

from __future__ import annotations

from msgspec import Struct

from adjudge.core.card import Card
from adjudge.report.summary import Summary
from adjudge.run import Run

MEMBER = "member"
ROWS = 60


class Fate(Struct, frozen=True):
    """One member of one case: its mean value under each arm, None where there is none."""

    case: str
    member: str
    values: list[float | None]

    @property
    def lowest(self) -> float | None:
        """The lowest of its values, where they differ."""
        known = [value for value in self.values if value is not None]
        return min(known) if len(set(known)) > 1 else None


class Fates(Struct, frozen=True):
    """One metric of members; `omitted` counts those that are not shown."""

    card: Card
    arms: list[str]
    rows: list[Fate]
    omitted: int


def fates(run: Run, summary: Summary) -> list[Fates]:
    """The metrics whose marks are about members, each member under each arm."""
    cards = [card for card in summary.cards.values() if card.unit == MEMBER and not card.variant]
    found: dict[str, dict[tuple[str, str], dict[str, list[float]]]] = {card.name: {} for card in cards}
    for row in run.rows() if cards else ():
        for name, members in found.items():
            score = row.scores.get(name)
            for mark in score.marks if score else ():
                members.setdefault((row.case, mark.at), {}).setdefault(row.arm, []).append(mark.value)
    return [_fates(card, found[card.name], summary.arms) for card in cards if found[card.name]]


def _fates(card: Card, members: dict[tuple[str, str], dict[str, list[float]]], arms: list[str]) -> Fates:
    shown = [arm for arm in arms if any(arm in values for values in members.values())]
    rows = [
        Fate(case, member, [sum(those) / len(those) if (those := values.get(arm)) else None for arm in shown])
        for (case, member), values in sorted(members.items())
    ]
    return Fates(card, shown, rows[:ROWS], max(len(rows) - ROWS, 0))
