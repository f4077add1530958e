"""The page of two conversations side by side."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from adjudge.core.card import Card
from adjudge.report.page.bars import percent_on
from adjudge.report.words import arm_name, count
from adjudge.web.index.reader import ListedConversation
from adjudge.web.opened import OpenedConversation, OpenRun
from adjudge.web.talk.diff import DiffUnit, diff_units, whole_changes
from adjudge.web.talk.units import IN_EXCHANGES

SHOWN = 8


class DiffSide(Struct, frozen=True):
    """One side: its run, its conversation, and its letter and name on the page."""

    run: OpenRun
    conversation: OpenedConversation
    letter: str
    name: str

    @property
    def address(self) -> tuple[str, int]:
        """What stands in addresses for the conversation."""
        return self.run.entry.id, self.conversation.listed.place


class MetricDifference(Struct, frozen=True):
    """The values of both sides by a metric, and where they lie on its scale in percent."""

    card: Card
    a: float
    b: float
    x_a: float
    x_b: float
    verdict: str


def diff_view(first: OpenRun, place: int, second: OpenRun, other: int) -> dict[str, Any]:
    """Everything on the page of two conversations."""
    a, b = first.conversation(place), second.conversation(other)
    same_run = first.entry.id == second.entry.id
    sides = [_side(first, a, "A", same_run), _side(second, b, "B", same_run)]
    cards = {name: card for name, card in first.cards.items() if name in second.cards}
    units = diff_units(a, b, cards, first.entry.suite)
    metrics = metric_differences(a, b, cards)
    changed = [unit for unit in units if unit.difference]
    noun = "exchange" if first.entry.suite in IN_EXCHANGES else "turn"
    before, behind = _neighbours(first, a.listed, second, b.listed)
    return {
        "run": first,
        "sides": sides,
        "units": units,
        "first": units.index(changed[0]) if changed else None,
        "whole": whole_changes(a, b, cards),
        "metrics": metrics[:SHOWN],
        "more_metrics": metrics[SHOWN:],
        "same_metrics": _equal(a, b, cards),
        "heading": heading(sides, metrics, units, noun),
        "flips": sum(len(unit.changes) + len(unit.still) + len(unit.minor) for unit in units),
        "changed": len(changed),
        "noun": noun,
        "before": before,
        "behind": behind,
        "labels": 0,
        "live": False,
    }


def metric_differences(a: OpenedConversation, b: OpenedConversation, cards: dict[str, Card]) -> list[MetricDifference]:
    """The metrics in which two conversations differ, primary ones first."""
    differences = []
    for name in sorted(cards, key=lambda name: not cards[name].primary):
        card = cards[name]
        first, second = (side.scores[name].value if name in side.scores else None for side in (a, b))
        if card.variant or first is None or second is None or abs(first - second) < 1e-9:
            continue
        xs = percent_on(card, first), percent_on(card, second)
        differences.append(MetricDifference(card, first, second, *xs, _verdict(card, second - first)))
    return differences


def heading(sides: list[DiffSide], metrics: list[MetricDifference], units: list[DiffUnit], noun: str) -> str:
    """What is to be said of both conversations in one line."""
    a, b = (side.name for side in sides)
    case = sides[0].conversation.listed.name
    worse = sum(metric.verdict == "worse" for metric in metrics)
    better = sum(metric.verdict == "better" for metric in metrics)
    first = next((unit for unit in units if unit.difference), None)
    where = f"the same up to turn {first.rows[0].turn}; " if first and units.index(first) else ""
    if not metrics:
        return f"{case}: {a} and {b} have the same values" + (f", in {count(len(units), noun)}" if units else "")
    if worse and not better:
        return f"{case}: {where}{b} is worse in {_all(worse, len(metrics))}"
    if better and not worse:
        return f"{case}: {where}{b} is better in {_all(better, len(metrics))}"
    return f"{case}: {where}{b} is worse in {worse} and better in {better} of {len(metrics)} metrics that differ"


def _all(number: int, of: int) -> str:
    return f"all {of} metrics that differ" if number == of > 1 else f"{number} of {count(of, 'metric')} that differ"


def _side(run: OpenRun, conversation: OpenedConversation, letter: str, same_run: bool) -> DiffSide:
    listed = conversation.listed
    name = arm_name(listed.arm) + (f" #{listed.trial}" if listed.trial else "")
    return DiffSide(run, conversation, letter, name if same_run else f"{name} in {run.entry.name}")


def _verdict(card: Card, change: float) -> str:
    if card.better == "neither":
        return "different"
    return "better" if (change > 0) == (card.better == "higher") else "worse"


def _equal(a: OpenedConversation, b: OpenedConversation, cards: dict[str, Card]) -> int:
    """How many metrics have the same value on both sides."""
    pairs = [(a.scores[name].value, b.scores[name].value) for name in cards if name in a.scores and name in b.scores]
    return sum(first is not None and first == second for first, second in pairs)


def _neighbours(
    first: OpenRun, a: ListedConversation, second: OpenRun, b: ListedConversation
) -> tuple[tuple[int, int] | None, tuple[int, int] | None]:
    """The cases before and behind this one that both arms have."""
    return _next(first, a, second, b, -1), _next(first, a, second, b, 1)


def _next(
    first: OpenRun, a: ListedConversation, second: OpenRun, b: ListedConversation, step: int
) -> tuple[int, int] | None:
    place, tried = a.place + step, 0
    while 0 <= place < first.index.count and tried < 500:
        (near,) = first.index.list_conversations([place])
        if near.arm == a.arm:
            others = second.index.list_conversations(second.index.places_of_case(near.case)[:200])
            match = next((each for each in others if each.arm == b.arm and each.trial == near.trial), None)
            if match is not None and (match.place != place or first.entry.id != second.entry.id):
                return place, match.place
        place, tried = place + step, tried + 1
    return None
