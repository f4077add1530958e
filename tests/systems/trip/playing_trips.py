"""What the tests of the trip systems share: small groups, and trips that are played without a run folder."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from statistics import fmean, stdev
from typing import Any

from adjudge.core.ask import Answerer
from adjudge.core.card import Metric
from adjudge.core.play import End, PlayedConversation, PlayedTurn
from adjudge.play.arms import Arm, Player
from adjudge.play.conversation import OngoingConversation, Stage
from adjudge.play.models import Models
from adjudge.play.records import suite_record
from adjudge.play.replies import AnsweredRequest
from adjudge.score.pending import PendingLoop
from adjudge.suites.trip.data import CatalogueEntry, Leg, Trip, TripRequest, Wish
from adjudge.systems.trip import setup
from adjudge.systems.trip.data import Person, TripCase
from adjudge.systems.trip.floor import call_upon
from adjudge.tools.rubrics import Rubrics
from adjudge.tools.settings import ToolSettings

CONDITIONS = ("C1", "C2", "C3", "C4", "C5")
SYSTEMS = {system.card.name: system for system in setup.systems()}


class Nowhere:
    """A journal that keeps nothing."""

    def commit(
        self, conversation: OngoingConversation, turns: Sequence[PlayedTurn], answered: Sequence[AnsweredRequest]
    ) -> None:
        pass

    def end(self, conversation: OngoingConversation, end: End, answered: Sequence[AnsweredRequest]) -> None:
        pass


def played_trips(cases: Iterable[TripCase], *conditions: str, without: str = "") -> Iterator[Trip]:
    """The trips of cases under conditions, by rule."""
    assert setup.prompts is not None
    tools = {"prompts": Rubrics(setup.prompts)}
    stage = Stage(setup, tools, 0, setup.limits, Nowhere(), Models(ToolSettings(), {}))
    no_models: dict[str, Answerer] = {}
    for case in cases:
        for condition in conditions or CONDITIONS:
            loop: PendingLoop[OngoingConversation] = PendingLoop(no_models)
            [done] = loop.run([OngoingConversation(stage, case, arm_of(condition, without), 0)])
            assert done.end is not None
            assert done.end.reason == "participant", done.end
            turns = PlayedConversation(done.id, case, condition, 0, done.participants, done.turns, done.end)
            yield suite_record(setup, turns)  # type: ignore[misc]


def arm_of(condition: str, without: str = "") -> Arm:
    names = {"mediator": condition, "member": "honest", "planner": "search"}
    players = {
        role: Player(name, SYSTEMS[name].cast().steps[role], frozenset(SYSTEMS[name].card.parts) - {without})
        for role, name in names.items()
    }
    return Arm(condition, players, call_upon)


def group(*wishes: tuple[str, str, str], group_type: str = "colleagues", **request: Any) -> TripCase:
    """A group of as many members as there are names, with wishes (member, slot, words), two days in Bend."""
    names = list(dict.fromkeys(name for name, _, _ in wishes))
    own = {name: tuple(Wish(slot, text, "prefer") for who, slot, text in wishes if who == name) for name in names}
    asked = {"budget": 900.0, "people": len(names), "origin": "Ames", "days": 3, "start": "2026-05-04", **request}
    return TripCase(
        id="small",
        group_type=group_type,
        members=tuple(map(Person, names)),
        wishes=own,
        request=TripRequest("A short trip", **asked),
        catalogue=tuple(BEND),
        legs=(Leg("self-driving", "Ames", "Bend", 20.0), Leg("self-driving", "Bend", "Ames", 20.0)),
    )


def restaurant(name: str, price: float, *cuisines: str, city: str = "Bend") -> CatalogueEntry:
    return CatalogueEntry("restaurant", name, city, price, cuisines=cuisines)


# Bend has a dear Thai and a cheap Greek restaurant, two lodgings, and a museum that is closed on the only whole day.
BEND = [
    restaurant("Lotus", 30.0, "Thai"),
    restaurant("Olive", 10.0, "Mediterranean"),
    *(restaurant(f"Corner {number}", 12.0, "Diner") for number in range(6)),
    CatalogueEntry("lodging", "Gable", "Bend", 80.0, room_type="Entire home/apt", occupancy=2, minimum_nights=1),
    CatalogueEntry(
        "lodging", "Dorm", "Bend", 20.0, room_type="Shared room", occupancy=4, minimum_nights=2, rules=("No pets",)
    ),
    CatalogueEntry("attraction", "Old Hall", "Bend", 5.0, categories=("Museum",), about="Closed on Tuesdays."),
    CatalogueEntry("attraction", "Fox Hollow", "Bend", 0.0, categories=("Park",)),
    CatalogueEntry("event", "Late Bell", "Bend", 15.0, categories=("Jazz",), date="2026-05-05"),
]


def values(metric: Metric, trips: Iterable[Trip]) -> dict[str, list[float]]:
    """The value of a metric for each trip in which it is defined, by condition."""
    by_arm: dict[str, list[float]] = {}
    for trip in trips:
        marks = [mark.value for mark in metric.function(trip)]
        if marks:
            by_arm.setdefault(trip.arm, []).append(fmean(marks))
    return by_arm


def interval(before: Sequence[float], after: Sequence[float]) -> tuple[float, float]:
    """A 95 % interval of the mean difference of pairs."""
    differences = [later - earlier for earlier, later in zip(before, after, strict=True)]
    half = 1.96 * stdev(differences) / len(differences) ** 0.5
    return fmean(differences) - half, fmean(differences) + half
