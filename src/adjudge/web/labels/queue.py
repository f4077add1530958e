"""The queue of a rater: which items are drawn by a plan, and which of them is next."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import zip_longest
from typing import Literal

import numpy as np
from msgspec import Struct

from adjudge.core.card import Card
from adjudge.core.mark import Mark
from adjudge.web.labels.files import LabelRow
from adjudge.web.opened import OpenRun

PlanKind = Literal["random", "stratified", "disagreement"]
PLANS: dict[PlanKind, str] = {
    "random": "at random",
    "stratified": "as many from each arm, and right and wrong by the metric in turns",
    "disagreement": "where several judges or samples disagree, most first",
}
# The most items of a queue, and the most conversations that are searched for disagreement.
MOST = 500
LOOKED_THROUGH = 20_000


class LabelPlan(Struct, frozen=True):
    """What a rater labels: a metric, how its items are drawn, how many, and the seed of the draw."""

    metric: str
    kind: PlanKind = "random"
    size: int = 20
    seed: int = 1

    @property
    def words(self) -> str:
        """The plan as it is kept beside each label."""
        return f"{self.kind} {self.size} seed {self.seed}"


class LabelItem(Struct, frozen=True):
    """An item: a mark of a conversation, or the whole conversation where its mark names no turn and no thing."""

    place: int
    case: str
    arm: str
    trial: int
    metric: str
    turn: str
    at: str

    @property
    def key(self) -> tuple[str, ...]:
        """What identifies the item in a file of labels."""
        return (self.case, self.arm, str(self.trial), self.metric, self.turn, self.at)


class Standing(Struct, frozen=True):
    """How far a rater has come: the items, how many are done, and the next one; None where all are done."""

    items: list[LabelItem]
    done: int
    next: LabelItem | None


def parse_plan(asked: dict[str, str], cards: dict[str, Card]) -> LabelPlan | None:
    """The plan that an address names; None where it names no metric of the run."""
    metric, kind = asked.get("metric", ""), asked.get("plan", "random")
    if metric not in cards or kind not in PLANS:
        return None
    return LabelPlan(metric, kind, _number(asked.get("n", ""), 20, MOST), _number(asked.get("seed", ""), 1, 10**6))


def draw_items(run: OpenRun, plan: LabelPlan) -> list[LabelItem]:
    """The items of a plan, the same for every rater."""
    draws = {"random": _draw_at_random, "stratified": _draw_from_strata, "disagreement": _draw_disagreement}
    items = [_item(run, place, plan.metric, mark) for place, mark in draws[plan.kind](run, plan)]
    return list({item.key: item for item in items}.values())


def standing(items: list[LabelItem], rows: list[LabelRow]) -> Standing:
    """What a rater has done of the items."""
    labelled = {row.item for row in rows}
    left = [item for item in items if item.key not in labelled]
    return Standing(items, len(items) - len(left), left[0] if left else None)


def _draw_at_random(run: OpenRun, plan: LabelPlan) -> Iterator[tuple[int, Mark]]:
    """Marks drawn without replacement, each with the same chance."""
    counts = run.index.column(f"n:{plan.metric}").astype("i8")
    ends = np.cumsum(counts)
    total = int(ends[-1]) if len(ends) else 0
    for number in random.Random(plan.seed).sample(range(total), min(plan.size, total)):
        place = int(np.searchsorted(ends, number, side="right"))
        marks = run.scores(place)[plan.metric].marks
        yield place, marks[(number - int(ends[place] - counts[place])) % len(marks)]


def _draw_from_strata(run: OpenRun, plan: LabelPlan) -> Iterator[tuple[int, Mark]]:
    """Marks from each arm and from conversations above and below the middle value, in turns."""
    values, arms = run.index.column(f"value:{plan.metric}"), run.index.column("arm")
    known = np.isfinite(values)
    middle = float(np.median(values[known])) if known.any() else 0.0
    dice = random.Random(plan.seed)
    strata: list[list[int]] = []
    for arm in np.unique(arms):
        for part in (values < middle, values >= middle):
            places = np.flatnonzero(known & part & (arms == arm)).tolist()
            strata.append(dice.sample(places, min(len(places), plan.size)))
    places = [place for turn in zip_longest(*strata) for place in turn if place is not None]
    for place in places[: plan.size]:
        yield place, dice.choice(run.scores(place)[plan.metric].marks)


def _draw_disagreement(run: OpenRun, plan: LabelPlan) -> Iterator[tuple[int, Mark]]:
    """The marks whose judges or samples lie farthest apart."""
    places = np.flatnonzero(np.isfinite(run.index.column(f"value:{plan.metric}")))[:LOOKED_THROUGH]
    apart: list[tuple[float, int, Mark]] = []
    for place in places.tolist():
        apart += [(mark.spread, place, mark) for mark in run.scores(place)[plan.metric].marks if mark.spread > 0]
    apart.sort(key=lambda entry: (-entry[0], entry[1]))
    yield from ((place, mark) for _, place, mark in apart[: plan.size])


def _item(run: OpenRun, place: int, metric: str, mark: Mark) -> LabelItem:
    (listed,) = run.index.list_conversations([place])
    return LabelItem(place, listed.case, listed.arm, listed.trial, metric, mark.turn, mark.at)


def _number(text: str, default: int, most: int) -> int:
    whole = text.isascii() and text.isdigit() and len(text) < 9
    return min(max(int(text), 1), most) if whole else default


def plan_query(plan: LabelPlan, rater: str) -> dict[str, str]:
    """The plan and the rater as fields of an address."""
    return {"metric": plan.metric, "plan": plan.kind, "n": str(plan.size), "seed": str(plan.seed), "rater": rater}


def choices_of(card: Card, values: list[float]) -> list[tuple[str, str, str]]:
    """The answers that a rater can give: what is kept, the word for it, and its key; none where any number fits.

    A metric whose marks are 0 or 1 asks for yes or no, a share for quarters, a rating for its points.
    """
    low, high = card.scale
    if low is None or high is None:
        return []
    if (low, high) == (0.0, 1.0):
        if all(value in (0.0, 1.0) for value in values):
            return [("1", "Yes", "y"), ("0", "No", "n")]
        return [(f"{quarter / 4:g}", f"{quarter / 4:g}", str(quarter + 1)) for quarter in range(5)]
    if low == int(low) and high == int(high) and 2 <= high - low <= 8:
        points = range(int(low), int(high) + 1)
        return [(str(point), str(point), str(point)) for point in points]
    return []


def mark_values(run: OpenRun, items: list[LabelItem]) -> list[float]:
    """The values of the metric in the conversations that are drawn, by which the kind of answer is told."""
    places = list(dict.fromkeys(item.place for item in items))[:40]
    return [mark.value for place in places for mark in run.scores(place)[items[0].metric].marks] if items else []
