"""The rule-based planner, which searches the catalogue."""

from __future__ import annotations

from adjudge.core.play import Decision, Said, View
from adjudge.core.system import Cast, system
from adjudge.systems.trip.data import Brief, PlannerView, TurnFacts
from adjudge.systems.trip.planning.layout import plan_of
from adjudge.systems.trip.planning.objective import Objective
from adjudge.systems.trip.planning.route import NoPlanError
from adjudge.systems.trip.planning.search import FilledRoute, Search

SOURCE = "our own; the constraints are those of TravelPlanner (Xie et al., 2024)"


@system("trip", plays=("planner",), source=SOURCE)
def search() -> Cast:
    """A planner that searches the catalogue for the plan that serves the group best.

    It tries every route, and takes for each the places that meet most of what was handed over, as its objective counts
    it, within the budget. Lodgings keep to house rules, room type and minimum nights where the catalogue has such ones,
    nothing comes twice, and events and places take place and are open on their day. Whether a place meets a wish is
    judged by the rules of satisfaction_strict. Where nothing fits, there is no plan, and it says why.
    """
    return Cast({"planner": take_step})


def take_step(view: View[None]) -> Said[None]:
    """The plan for what was handed over."""
    return plan_turn(view.facts)


def plan_turn(view: PlannerView, liked: frozenset[str] = frozenset()) -> Said[None]:
    """What the planner says: a plan, or why there is none."""
    try:
        draft = Search(view, liked).run()
    except NoPlanError as error:
        return Said(f"There is no plan: {error}.", facts=TurnFacts(fault=str(error)))
    plan = plan_of(view, draft, _turns_of(view.brief))
    return Said(plan.raw, facts=TurnFacts(plan=plan), decisions=(_decision(view, draft),))


def _turns_of(brief: Brief) -> list[int]:
    """The claims of each member, where they take turns by day."""
    objective = Objective(brief)
    slots = [slot for slot, rule in brief.rules.items() if rule == "alternate"]
    wants = [want for want in objective.wants if want.slot in slots]
    return (
        [objective.bits([want for want in wants if want.member == name]) for name in objective.members] if wants else []
    )


def _decision(view: PlannerView, draft: FilledRoute) -> Decision:
    route = " - ".join(stop.city for stop in draft.route.stops)
    budget = "" if view.request.budget is None else f" of {view.request.budget:,.0f}"
    return Decision("search", f"route {route}; {draft.cost:,.0f}{budget} for {view.people}", {"rank": list(draft.rank)})
