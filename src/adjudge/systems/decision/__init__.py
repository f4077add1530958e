"""Decisions by experts and a coordinator: one expert, a vote, one combined round, or deliberation in rounds."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from adjudge.core.play import Limits
from adjudge.core.suite import Option, Options
from adjudge.core.system import Generator, Role, Setup
from adjudge.suites.decision.data import Assessment
from adjudge.systems.decision.cases import SAMPLE, read_cases
from adjudge.systems.decision.data import COORDINATOR, DecisionCase, RoundVerdict
from adjudge.systems.decision.generator import Parameters, generate
from adjudge.systems.decision.meeting import meet
from adjudge.systems.decision.played import participants, record, view
from adjudge.systems.decision.stopping import CONSENSUS, ROUNDS, Stopping


def _tools(options: Options) -> Mapping[str, object]:
    return {"stopping": Stopping.of(options)}


def _scoring(options: Options) -> Options:
    """The experts are the same in all arms, and a majority and a single expert are arms that are played."""
    return {"baselines": "few"}


setup = Setup(
    suite="decision",
    package=__name__,
    case=DecisionCase,
    roles=(
        Role("expert", tested=True, shared_draws=True, facts=Assessment, hidden=("matrix", "truth")),
        Role(COORDINATOR, tested=True, facts=RoundVerdict, hidden=("matrix", "truth")),
    ),
    open=read_cases,
    participants=participants,
    view=view,
    protocol=meet,
    record=record,
    sample=SAMPLE,
    arms=("single", "group", "deliberation", "majority"),
    tools=_tools,
    scoring=_scoring,
    prompts=Path(__file__).parent / "prompts",
    options=(
        Option("profiles", "profiles of the experts, for scenarios with available_actions (JSON)", is_path=True),
        Option("weights", "weight and direction of each criterion, for such scenarios (JSON)", is_path=True),
        Option("experts", "ask only this expert; repeatable", metavar="NAME", repeat=True),
        Option("rounds", f"the most rounds of a deliberation (default: {ROUNDS})", metavar="N"),
        Option("consensus", f"the consensus that ends a deliberation (default: {CONSENSUS})", metavar="SHARE"),
    ),
    limits=Limits(turns=400),
    generator=Generator(Parameters, generate),
)
