"""Service dialogues from short tuples, and what a metric says of them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from adjudge.core.card import Metric
from adjudge.core.mark import Mark, Score
from adjudge.engines.local import Job, execute
from adjudge.score import Plan
from adjudge.suites.service.data import Annotation, Goal, ServiceDialogue, ServiceTurn
from adjudge.suites.service.rules.actions import DEFAULT_ACTIONS, Actions
from adjudge.suites.service.rules.policy import DEFAULT_POLICY, Policy
from adjudge.suites.service.rules.values import CANONICAL

POLICY = Policy.load(DEFAULT_POLICY)
ACTIONS = Actions.load(DEFAULT_ACTIONS)
TOOLS: dict[str, Any] = {"match": CANONICAL, "policy": POLICY, "actions": ACTIONS}

Said = Mapping[str, Any]
# What gold says of a user turn and the reply to it, what the arm says (None: nothing), and the arm's reply.
Exchanged = tuple[Said, Said | None] | tuple[Said, Said | None, str]


def dialogue(*exchanges: Exchanged, goal: dict[str, Goal] | None = None) -> ServiceDialogue:
    """A dialogue of user turns "0", "2", ... each followed by a reply; gold acts stand on the reply."""
    turns: list[ServiceTurn] = []
    for place, (gold, predicted, *reply) in enumerate(exchanges):
        annotation = None if predicted is None else Annotation(**predicted)
        stated = Annotation(**{name: value for name, value in gold.items() if name != "acts"})
        acted = Annotation(acts=gold["acts"]) if "acts" in gold else None
        turns.append(ServiceTurn(str(2 * place), "user", gold=stated, predicted=annotation))
        turns.append(ServiceTurn(str(2 * place + 1), "system", "".join(reply), acted))
    return ServiceDialogue(id="d", arm="ours", turns=tuple(turns), goal=goal)


def acts(*names: str) -> dict[str, tuple[tuple[str, str], ...]]:
    """Act types without slots."""
    return dict.fromkeys(names, ())


def marks(metric: Metric, record: ServiceDialogue, **tools: Any) -> list[Mark]:
    """The marks of a metric under MultiWOZ's rules and the canonical policy, or the tools given instead."""
    taken = {*metric.card.needs, *metric.card.optional}
    wanted = {name: tool for name, tool in {**TOOLS, **tools}.items() if name in taken}
    return list(metric(record, **wanted))


def values(metric: Metric, *exchanges: Exchanged, **tools: Any) -> list[float]:
    """The values of the marks a metric gives to a dialogue of these exchanges."""
    return [mark.value for mark in marks(metric, dialogue(*exchanges), **tools)]


def scored_from_file(folder: Path, record: ServiceDialogue) -> dict[str, Score]:
    """The scores of a record that was written to a file and read again, as a user's are."""
    file = folder / "ours.jsonl"
    file.write_bytes(msgspec.json.encode(record) + b"\n")
    (row,) = execute(Job.open(Plan(suite="service", files=(str(file),))), folder / "run").rows()
    return row.scores
