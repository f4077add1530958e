"""Triage by rule: what users say and the state it leads to."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from adjudge.suites.service.rules.database import Venues
from adjudge.systems.service.cases import SAMPLE_DB
from adjudge.systems.service.memory import DialogueMemory
from adjudge.systems.service.triage import TriagedTurn, triage

DATA = Path(__file__).parents[2] / "data" / "service_triage.toml"
TURNS = tomllib.loads(DATA.read_text("utf-8"))["turn"]
DB = Venues.load(SAMPLE_DB)


def hear(turn: dict[str, Any]) -> TriagedTurn:
    before = turn.get("before", {})
    domains = tuple(dict.fromkeys(slot.partition("-")[0] for slot in before))
    return triage(DialogueMemory(before, turn.get("focus", ""), order=domains), turn.get("reply", ""), turn["text"], DB)


@pytest.mark.parametrize("turn", TURNS, ids=[turn["text"] for turn in TURNS])
def test_a_turn_changes_the_state(turn: dict[str, Any]) -> None:
    heard = hear(turn)

    assert {slot: heard.state[slot] for slot in heard.changed} == turn["changed"]
    assert heard.state == {**turn.get("before", {}), **turn["changed"]}


def test_questions_are_heard_as_requests() -> None:
    heard = hear({"text": "What's the phone number, and the postcode?", "focus": "hotel"})

    assert heard.requested == ("phone", "postcode")
    assert not heard.books


def test_a_booking_that_is_declined_is_not_wanted() -> None:
    assert hear({"text": "Please book it.", "focus": "hotel"}).books
    assert not hear({"text": "I don't need a booking.", "focus": "hotel"}).books


def test_a_name_that_no_longer_fits_is_dropped() -> None:
    before = {"hotel-name": "rowan lodge"}
    heard = hear({"text": "It has to be in the centre.", "focus": "hotel", "before": before})

    assert heard.state == {"hotel-area": "centre"}


def test_a_farewell_ends_only_where_nothing_else_is_wanted() -> None:
    assert hear({"text": "That is all, thank you.", "focus": "hotel"}).ends
    assert not hear({"text": "Thank you. I also need a train.", "focus": "hotel"}).ends
