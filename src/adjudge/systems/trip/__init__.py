"""Group travel planning under conditions C1 to C5: members with hidden wishes, a mediator, and a planner."""

from __future__ import annotations

from pathlib import Path

from adjudge.core.play import Limits
from adjudge.core.suite import Option
from adjudge.core.system import Generator, Role, Setup
from adjudge.systems.trip.cases import SAMPLE, read_cases
from adjudge.systems.trip.data import TripCase, TurnFacts
from adjudge.systems.trip.floor import MEDIATOR, MEMBER, PLANNER, call_upon
from adjudge.systems.trip.generation.groups import Groups, make_groups
from adjudge.systems.trip.played import participants, record, view

HERE = Path(__file__).parent

setup = Setup(
    suite="trip",
    package=__name__,
    case=TripCase,
    roles=(
        Role(MEMBER, "simulated", default="honest", shared_draws=True, facts=TurnFacts, hidden=("conflicts",)),
        Role(MEDIATOR, tested=True, facts=TurnFacts, hidden=("wishes", "conflicts")),
        Role(PLANNER, default="search", facts=TurnFacts, hidden=("wishes", "conflicts")),
    ),
    open=read_cases,
    participants=participants,
    view=view,
    protocol=call_upon,
    record=record,
    sample=SAMPLE,
    arms=("C1", "C2", "C3", "C4", "C5"),
    options=(
        Option("catalogue", "reference information for requests that have none: one for all, or by idx", is_path=True),
    ),
    prompts=HERE / "prompts",
    limits=Limits(turns=400),
    generator=Generator(Groups, make_groups),
)
