"""A customer-service system after MAS4CS: triage, policy, action, supervisor and memory, each a function."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from adjudge.core.errors import BadInput
from adjudge.core.play import Limits
from adjudge.core.suite import Option, Options
from adjudge.core.system import Role, Setup
from adjudge.play.protocols import alternate
from adjudge.suites.service.data import Annotation
from adjudge.suites.service.rules.database import Venues
from adjudge.suites.service.rules.policy import DEFAULT_POLICY, Policy
from adjudge.systems.service.bookings import BookingDesk
from adjudge.systems.service.cases import SAMPLE, SAMPLE_DB, read_cases
from adjudge.systems.service.customer.wording import wordings_of
from adjudge.systems.service.data import ServiceCase, UserFacts
from adjudge.systems.service.played import participants, record, view

HERE = Path(__file__).parent


def _tools(options: Options) -> Mapping[str, object]:
    return {
        "db": Venues.load(Path(options.get("db") or SAMPLE_DB)),
        "policy": Policy.load(Path(options.get("policy") or DEFAULT_POLICY)),
        "desk": BookingDesk(_share(options.get("availability") or "1")),
        "wordings": wordings_of(options.get("wordings") or "first"),
    }


def _share(text: str) -> float:
    try:
        share = float(text)
    except ValueError:
        share = -1.0
    if not 0 <= share <= 1:
        raise BadInput(f"--availability: found {text!r}; expected a number from 0 to 1")
    return share


def _scoring(options: Options) -> Options:
    """The options with which the played dialogues are scored."""
    policy = {"policy": options["policy"]} if options.get("policy") else {}
    return {"db": str(options.get("db") or SAMPLE_DB), **policy}


setup = Setup(
    suite="service",
    package=__name__,
    case=ServiceCase,
    roles=(
        Role("user", "simulated", default="agenda", shared_draws=True, facts=UserFacts),
        Role("system", tested=True, facts=Annotation, hidden=("goal", "wishes", "recorded", "services")),
    ),
    open=read_cases,
    participants=participants,
    view=view,
    protocol=alternate("user", "system"),
    record=record,
    sample=SAMPLE,
    arms=("rules", "rules-memory"),
    tools=_tools,
    options=(
        Option("goals", "user goals by dialogue id, in the format of inform and success", is_path=True),
        Option("db", "the folder with the databases (default: those of the sample)", metavar="DIR", is_path=True),
        Option("policy", "booking rules (TOML) instead of those of MultiWOZ", is_path=True),
        Option(
            "availability", "the share of venues that are free at a given day and time (default: 1)", metavar="SHARE"
        ),
        Option(
            "wordings",
            "the words of the simulated user; no system was developed on the second set",
            choices=("first", "second"),
            default="first",
        ),
    ),
    scoring=_scoring,
    prompts=HERE / "prompts",
    limits=Limits(turns=60),
)
