"""Planners that are models: one writes the plan, and another one's plan is repaired by the search."""

from __future__ import annotations

from msgspec import Struct, structs, to_builtins

from adjudge.core.play import Ask, Decision, Said, View
from adjudge.core.system import Cast, system
from adjudge.suites.trip.data import Day, Place, Plan
from adjudge.suites.trip.rules.places import slots_of
from adjudge.systems.prompts import Prompts, prompt_for
from adjudge.systems.trip.data import PlannerView, TurnFacts
from adjudge.systems.trip.planning.layout import day_text
from adjudge.systems.trip.searching import plan_turn

SOURCE = "Xie et al. 2024, TravelPlanner: a language model as the planner"


class WrittenPlace(Struct, frozen=True, forbid_unknown_fields=True):
    """A place as a model names it; an empty name for nothing."""

    name: str
    city: str


class WrittenDay(Struct, frozen=True, forbid_unknown_fields=True):
    """A day as a model writes it."""

    city: str
    transport: str
    breakfast: WrittenPlace
    lunch: WrittenPlace
    dinner: WrittenPlace
    attractions: list[WrittenPlace]
    events: list[WrittenPlace]
    lodging: WrittenPlace


class WrittenPlan(Struct, frozen=True, forbid_unknown_fields=True):
    """A plan as a model writes it; no days, and why, where it finds none."""

    reasoning: str
    fault: str
    days: list[WrittenDay]


PARTS = ("planner",)


@system("trip", plays=PARTS, source=SOURCE, parts=PARTS, asks=PARTS, fixed=PARTS, prompts=PARTS)
def written() -> Cast:
    """A model writes the plan; `--planner PROVIDER:MODEL` is short for it.

    Its places are taken as it names them, whether the catalogue has them or not.
    """
    return Cast({"planner": take_step})


@system("trip", plays=PARTS, source=SOURCE, parts=PARTS, asks=PARTS, fixed=PARTS, prompts=PARTS)
def repaired() -> Cast:
    """A model writes a plan, and the search repairs it: `--planner repaired@PROVIDER:MODEL`.

    Places that the catalogue has are kept as far as route, budget, nights, house rules and opening allow; the others
    are searched for what was handed over.
    """
    return Cast({"planner": take_repaired_step})


def take_step(view: View[None], ask: Ask, prompts: Prompts) -> Said[None]:
    """The plan as the model writes it."""
    plan, fault = write_plan(view.facts, ask, prompts)
    if plan is None:
        return Said(f"There is no plan: {fault}.", facts=TurnFacts(fault=fault))
    return Said(plan.raw, facts=TurnFacts(plan=plan))


def take_repaired_step(view: View[None], ask: Ask, prompts: Prompts) -> Said[None]:
    """The plan as the search repairs it."""
    plan, _ = write_plan(view.facts, ask, prompts)
    liked = frozenset(place.name for day in (plan.days if plan else ()) for place, _, _ in slots_of(day))
    turn = plan_turn(view.facts, liked)
    kept = {place.name for day in (turn.facts.plan.days if turn.facts.plan else ()) for place, _, _ in slots_of(day)}
    note = Decision("repair", f"{len(liked & kept)} of {len(liked)} places that were written are kept")
    return structs.replace(turn, decisions=(note, *turn.decisions))


def write_plan(view: PlannerView, ask: Ask, prompts: Prompts) -> tuple[Plan | None, str]:
    """The plan that a model writes; None with the reason where it writes none."""
    material = {
        "request": to_builtins(view.request),
        "people": view.people,
        "wishes": to_builtins(view.brief.claims),
        "rules": view.brief.rules,
        "first": to_builtins(view.brief.first),
        "unmet": view.brief.unmet,
        "places": [structs.asdict(entry) for entry in view.catalogue],
        "legs": to_builtins(view.legs),
    }
    answer: WrittenPlan = ask([prompt_for("planner", prompts.text("planner"), material, WrittenPlan)])[0]
    days = tuple(_day(number, day) for number, day in enumerate(answer.days, 1))
    if not any(True for day in days for _ in slots_of(day)):
        return None, answer.fault or "the planner wrote no places"
    return Plan(days, "\n".join(map(day_text, days))), ""


def _day(number: int, day: WrittenDay) -> Day:
    return Day(
        number,
        day.city,
        transport=day.transport,
        breakfast=_place(day.breakfast),
        lunch=_place(day.lunch),
        dinner=_place(day.dinner),
        attractions=tuple(filter(None, map(_place, day.attractions))),
        events=tuple(filter(None, map(_place, day.events))),
        lodging=_place(day.lodging),
    )


def _place(place: WrittenPlace) -> Place | None:
    return Place(place.name, place.city) if place.name.strip(" -") else None
