"""Who takes the next step, as a function of the turns so far."""

from __future__ import annotations

from adjudge.core.play import Floor, PlayedTurn, Said, TurnTaking
from adjudge.core.record import Participant
from adjudge.play.protocols import alternate, at_once, phases, poll, round_robin

ANN, BEN, CID = (Participant(name, "member") for name in ("ann", "ben", "cid"))


def turn(number: int, speaker: str, *to: str, passes: bool = False) -> PlayedTurn:
    return PlayedTurn(number, speaker, Said("" if passes else "hello", to, passes))


def speakers(protocol: TurnTaking, *participants: Participant, most: int = 12) -> list[tuple[str, ...]]:
    """Who steps in each round when everybody speaks and nobody passes."""
    turns: tuple[PlayedTurn, ...] = ()
    rounds = []
    while len(rounds) < most and (names := protocol(Floor(participants, turns))):
        rounds.append(names)
        turns += tuple(turn(len(turns) + place, name) for place, name in enumerate(names))
    return rounds


def test_roles_alternate_without_end() -> None:
    user, system = Participant("u1", "user"), Participant("s1", "system")
    assert speakers(alternate("user", "system"), system, user, most=3) == [("u1",), ("s1",), ("u1",)]


def test_everybody_speaks_once_a_round() -> None:
    assert speakers(round_robin(2), ANN, BEN) == [("ann",), ("ben",), ("ann",), ("ben",)]


def test_all_step_at_once_on_the_same_view() -> None:
    chair = Participant("chair", "chair")
    assert speakers(at_once(2, "member"), ANN, chair, BEN) == [("ann", "ben"), ("ann", "ben")]


def test_a_phase_follows_when_the_one_before_is_over() -> None:
    said_twice = (round_robin(9), lambda turns: len(turns) == 2)
    protocol = phases(said_twice, (at_once(1, "member"), lambda turns: False))
    assert speakers(protocol, ANN, BEN, CID) == [("ann",), ("ben",), ("ann", "ben", "cid")]


def test_who_is_addressed_is_polled_first() -> None:
    floor = Floor((ANN, BEN, CID), (turn(0, "ann", "cid"),))
    assert poll(floor) == ("cid",)


def test_others_are_polled_in_order_after_the_last_speaker() -> None:
    turns = (turn(0, "ben"), turn(1, "cid", passes=True))
    assert poll(Floor((ANN, BEN, CID), turns)) == ("ann",)


def test_a_conversation_is_over_when_all_pass() -> None:
    passes = (turn(0, "ann"), turn(1, "ben", passes=True), turn(2, "cid", passes=True))
    assert poll(Floor((ANN, BEN, CID), passes)) == ()
    nobody_began = tuple(turn(place, name, passes=True) for place, name in enumerate(("ann", "ben", "cid")))
    assert poll(Floor((ANN, BEN, CID), nobody_began)) == ()
