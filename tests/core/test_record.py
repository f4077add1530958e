"""Turns: what they hold beside speech, and that plain ones look as they always did."""

from datetime import UTC, datetime

import msgspec
import pytest

from adjudge.core.record import Call, Turn
from adjudge.core.usage import Usage
from adjudge.suites.decision.data import DecisionTurn
from adjudge.suites.patient.data import PatientTurn
from adjudge.suites.service.data import ServiceTurn
from adjudge.suites.trip.data import TripTurn

OWN_TYPES = [Turn, DecisionTurn, PatientTurn, ServiceTurn, TripTurn]

FULL = {
    "id": "3",
    "speaker": "agent",
    "to": ["tool"],
    "kind": "call",
    "call": {"name": "find_hotel", "arguments": {"area": "west"}, "status": "ok"},
    "usage": {"calls": 1, "input_tokens": 20, "output_tokens": 5, "cost": None},
    "time": "2026-05-01T10:00:00Z",
}


@pytest.mark.parametrize("kind", OWN_TYPES)
def test_a_plain_turn_is_written_without_the_optional_fields(kind: type[Turn]) -> None:
    written = b'{"id":"1","speaker":"user","text":"Hello"}'
    turn = msgspec.json.decode(written, type=kind)
    assert turn == kind("1", "user", "Hello")
    assert (turn.to, turn.kind, turn.call, turn.usage, turn.time) == ((), "speech", None, None, None)
    assert msgspec.json.encode(turn) == written


@pytest.mark.parametrize("kind", OWN_TYPES)
def test_every_suite_reads_the_optional_fields(kind: type[Turn]) -> None:
    turn = msgspec.convert(FULL, kind)
    assert turn.call == Call("find_hotel", {"area": "west"}, "ok")
    assert turn.usage == Usage(1, 20, 5)
    assert turn.time == datetime(2026, 5, 1, 10, tzinfo=UTC)
    assert msgspec.json.decode(msgspec.json.encode(turn)) == FULL


def test_arguments_that_are_no_json_object_stay_text() -> None:
    call = msgspec.json.decode(b'{"name":"find_hotel","arguments":"{area: west"}', type=Call)
    assert call == Call("find_hotel", "{area: west")


@pytest.mark.parametrize("field", [{"kind": "shout"}, {"time": "yesterday"}, {"to": "all"}, {"call": {}}])
def test_what_is_no_such_field_is_refused(field: dict[str, object]) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"id": "1", "speaker": "user", **field}, Turn)
