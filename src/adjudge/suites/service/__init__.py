"""Customer-service dialogue: routing, intents, acts, slots, memory, policy, completion, quality."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from adjudge.core.suite import Missing, Option, Options, Suite
from adjudge.suites.service.data import DOMAIN_SOURCES, ServiceDialogue
from adjudge.suites.service.read.source import ServiceSource
from adjudge.suites.service.rules.actions import DEFAULT_ACTIONS, Actions
from adjudge.suites.service.rules.canaries import canaries
from adjudge.suites.service.rules.database import Venues
from adjudge.suites.service.rules.policy import DEFAULT_POLICY, Policy
from adjudge.suites.service.rules.values import POLICIES
from adjudge.tools.rubrics import Rubrics

HERE = Path(__file__).parent


def _tools(options: Options) -> Mapping[str, object]:
    db, rubrics = options.get("db"), options.get("rubrics")
    return {
        "rubrics": Rubrics(HERE / "rubrics", Path(rubrics) if rubrics else None),
        "match": POLICIES[options.get("match") or "canonical"],
        "policy": Policy.load(Path(options.get("policy") or DEFAULT_POLICY)),
        "actions": Actions.load(Path(options.get("actions") or DEFAULT_ACTIONS)),
        "db": Venues.load(Path(db)) if db else Missing("no database was named; give its folder with --db"),
    }


suite = Suite(
    name="service",
    title="Customer-service dialogue on MultiWOZ 2.2, SGD and files like them",
    record=ServiceDialogue,
    package=__name__,
    open=ServiceSource,
    tools=_tools,
    sample=HERE / "sample" / "sample.jsonl",
    options=(
        Option(
            "predictions",
            "a system's predictions (MultiWOZ_Evaluation convention); once for each arm",
            repeat=True,
            is_path=True,
        ),
        Option(
            "arm",
            "the name of an arm, in the order of --predictions (default: the name of the file)",
            metavar="NAME",
            repeat=True,
        ),
        Option("goals", "user goals by dialogue id", is_path=True),
        Option("booked", "booked domains by dialogue id and reply", is_path=True),
        Option(
            "db",
            "the folder with the MultiWOZ databases, for inform, success and facts in replies",
            metavar="DIR",
            is_path=True,
        ),
        Option("map", "rename a predicted slot: old=new, with or without domain", metavar="OLD=NEW", repeat=True),
        Option(
            "match",
            "the rule that decides whether two values are equal",
            choices=tuple(POLICIES),
            default="canonical",
        ),
        Option(
            "state",
            "the states to use where an arm predicts none",
            choices=("predicted", "gold"),
            default="predicted",
        ),
        Option(
            "domains",
            "the source of the domains of replies, for inform and success; once for all arms, or once for each in the "
            "order of --predictions (default: detected in each file)",
            repeat=True,
            choices=DOMAIN_SOURCES,
        ),
        Option(
            "missing",
            "how dialogues and turns without a prediction count",
            choices=("unscored", "wrong"),
            default="unscored",
        ),
        Option("policy", "booking rules (TOML) instead of those of MultiWOZ", is_path=True),
        Option("actions", "act-to-action table (TOML) instead of that of MultiWOZ", is_path=True),
    ),
    settings=("match", "state", "domains", "missing", "map", "policy", "actions"),
    canaries=canaries,
    example="test.jsonl.gz --predictions mine.json --goals goals.json --db db -o runs/mine",
)
