"""Scenarios: a user with a goal talks to agents under test, and what must hold is checked."""

from __future__ import annotations

from pathlib import Path

from adjudge.core.play import Limits
from adjudge.core.system import Role, Setup
from adjudge.systems.team.cases import read_scenarios
from adjudge.systems.team.data import HIDDEN, ScenarioCase
from adjudge.systems.team.played import in_turn, participants, record, view

HERE = Path(__file__).parent

setup = Setup(
    suite="team",
    package=__name__,
    case=ScenarioCase,
    roles=(
        Role("user", "simulated", default="script", shared_draws=True),
        Role("agent", tested=True, hidden=HIDDEN),
    ),
    open=read_scenarios,
    participants=participants,
    view=view,
    protocol=in_turn,
    record=record,
    sample=HERE / "sample" / "scenarios.toml",
    arms=("clerk", "clerk-lookup"),
    prompts=HERE / "prompts",
    limits=Limits(turns=40),
)
