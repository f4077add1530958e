"""User goals as MultiWOZ writes them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from adjudge.core.errors import bad_record
from adjudge.suites.service.data import REQUESTED, Goal
from adjudge.suites.service.read.decoding import text_of
from adjudge.suites.service.read.layouts import GoalParts
from adjudge.suites.service.rules.spelling import slot_name


def goal_of(goal: Mapping[str, Any]) -> dict[str, Goal]:
    """The goal of a MultiWOZ dialogue (`info`, `reqt`, `book` by domain) as ours; raises ValidationError.

    The keys `message` and `topic` beside the domains are ignored.
    """
    return {
        domain: _domain_goal(msgspec.convert(parts, GoalParts))
        for domain, parts in goal.items()
        if isinstance(parts, dict) and parts.keys() & set(GoalParts.__struct_fields__)
    }


def read_goal(where: str, goal: Mapping[str, Any], field: str) -> dict[str, Goal]:
    """The goal of a dialogue in a file; raises BadRecord with the name of its field."""
    try:
        return goal_of(goal)
    except msgspec.ValidationError as error:
        raise bad_record(where, f"{error}; expected `info`, `reqt` and `book` of each domain", field) from None


def _domain_goal(parts: GoalParts) -> Goal:
    informable = {slot_name(slot): text_of(value) for slot, value in (parts.info or {}).items()}
    requestable = [REQUESTED[slot_name(slot)] for slot in parts.reqt or () if slot_name(slot) in REQUESTED]
    booking = {slot: value if isinstance(value, bool) else text_of(value) for slot, value in (parts.book or {}).items()}
    if booking:
        requestable.append("REFERENCE")
    return Goal(informable, tuple(requestable), booking)
