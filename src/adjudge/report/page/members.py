"""How each member of a group fared: members of each case down, arms across."""

from __future__ import annotations

from msgspec import Struct

from adjudge.core.card import Card
from adjudge.report.summary import Summary
from adjudge.run import Run

MEMBER = "member"
ROWS = 60


class Fate(Struct, frozen=True):
    """One member of one case: its mean value under each arm, None where there is none.

    `least` is the least good of them where they differ and one direction is better.
    """

    case: str
    member: str
    values: list[float | None]
    least: float | None


class Fates(Struct, frozen=True):
    """One metric of members; `omitted` counts those that are not shown."""

    card: Card
    arms: list[str]
    rows: list[Fate]
    omitted: int


def fates(run: Run, summary: Summary) -> list[Fates]:
    """The metrics of members, each member under each arm; those that say more than yes or no come first."""
    cards = [card for card in summary.cards.values() if card.unit == MEMBER and not card.variant]
    found: dict[str, dict[tuple[str, str], dict[str, list[float]]]] = {card.name: {} for card in cards}
    for row in run.rows() if cards else ():
        for name, members in found.items():
            score = row.scores.get(name)
            for mark in score.marks if score else ():
                members.setdefault((row.case, mark.at), {}).setdefault(row.arm, []).append(mark.value)
    made = [_fates(card, found[card.name], summary.arms) for card in cards if found[card.name]]
    return sorted(made, key=lambda one: all(value in (0.0, 1.0, None) for row in one.rows for value in row.values))


def _fates(card: Card, members: dict[tuple[str, str], dict[str, list[float]]], arms: list[str]) -> Fates:
    shown = [arm for arm in arms if any(arm in values for values in members.values())]
    rows = [_fate(card, *key, [values.get(arm, []) for arm in shown]) for key, values in sorted(members.items())]
    return Fates(card, shown, rows[:ROWS], max(len(rows) - ROWS, 0))


def _fate(card: Card, case: str, member: str, found: list[list[float]]) -> Fate:
    values = [sum(those) / len(those) if those else None for those in found]
    known = [value for value in values if value is not None]
    if len(set(known)) < 2 or card.better == "neither":
        return Fate(case, member, values, None)
    return Fate(case, member, values, min(known) if card.better == "higher" else max(known))
