"""The cases of files: each dialogue with a goal is one, whether it was held already or not."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct, structs

from adjudge.core.errors import BadInput, Warnings, bad_record
from adjudge.core.play import CaseRow
from adjudge.core.suite import Options
from adjudge.play.cases import gather_cases
from adjudge.read.opening import open_file
from adjudge.suites.service.data import USER, Goal, ServiceDialogue
from adjudge.suites.service.read.source import ServiceSource
from adjudge.suites.service.rules.spelling import slot_name
from adjudge.systems.service.customer.wishes import DomainWish, unknown_parts, wish_of_goal, wishes_of
from adjudge.systems.service.data import RecordedTurn, ServiceCase

SAMPLE = Path(__file__).parent / "sample" / "goals.jsonl"
SAMPLE_DB = SAMPLE.parent / "db"
# The goal of a MultiWOZ dialogue has these by domain; a goal in the shape of --goals has others.
_PARTS = frozenset(("info", "fail_info", "book", "fail_book", "reqt"))


class _OwnGoal(Struct):
    """The goal that a row has itself."""

    goal: dict[str, Any] = {}


_GOAL = msgspec.json.Decoder(_OwnGoal)


def read_cases(files: list[Path], options: Options) -> Iterator[CaseRow[ServiceCase]]:
    """The cases of files; only the sample has a database of its own."""
    for path in files:
        open_file(path).close()  # That a file is missing is said before a database is asked for.
    if files != [SAMPLE] and not options.get("db"):
        raise BadInput("no database was named; give the folder with the databases of these cases with --db")
    source = ServiceSource(files, {"goals": options.get("goals")})

    def make(where: str, row: bytes) -> list[ServiceCase]:
        return [_case(where, row, source.gold_dialogue(where, row, Warnings()))]

    return gather_cases(partial(source.rows, Warnings()), make)


def _case(where: str, row: bytes, dialogue: ServiceDialogue) -> ServiceCase:
    goal = dialogue.goal or {}
    wishes = _wishes(where, row) or {domain: wish_of_goal(part) for domain, part in goal.items()}
    if unknown := next(unknown_parts(wishes), ""):
        raise bad_record(where, f"unknown {unknown}", "goal")
    return ServiceCase(
        id=dialogue.id,
        credentialed=dialogue.credentialed,
        goal={domain: _with_preferences(part, wishes.get(domain, DomainWish())) for domain, part in goal.items()},
        wishes=wishes,
        services=dialogue.services,
        recorded=tuple(_recorded_turns(dialogue)),
    )


def _with_preferences(goal: Goal, wish: DomainWish) -> Goal:
    """The goal with what the user asks for first."""
    return structs.replace(
        goal,
        preferred={slot_name(slot): value for slot, value in wish.first.items()},
        preferred_booking={slot.removeprefix("book"): value for slot, value in wish.first_booking.items()},
    )


def _wishes(where: str, row: bytes) -> dict[str, DomainWish]:
    """The wishes of a row's own goal; none where it has no goal as MultiWOZ writes it."""
    own = _GOAL.decode(row).goal
    parts = [part for part in own.values() if isinstance(part, dict)]
    if not any(_PARTS & part.keys() for part in parts):
        return {}
    try:
        return wishes_of(own)
    except msgspec.ValidationError as fault:
        raise bad_record(
            where, f"{fault}; expected info, fail_info, book, fail_book and reqt by domain", "goal"
        ) from fault


def _recorded_turns(dialogue: ServiceDialogue) -> Iterator[RecordedTurn]:
    """The user turns of a dialogue, each with the reply that follows it."""
    turns = dialogue.turns
    for place, turn in enumerate(turns):
        if turn.speaker != USER:
            continue
        reply = turns[place + 1] if place + 1 < len(turns) and turns[place + 1].speaker != USER else None
        yield RecordedTurn(turn.text, turn.gold, reply.text if reply else "", reply.gold if reply else None)
