"""Whether members accept the plan."""

from __future__ import annotations

from collections.abc import Iterator

from adjudge.core.card import metric
from adjudge.core.mark import BY_DESIGN, Mark
from adjudge.suites.trip.data import Trip, TripTurn
from adjudge.suites.trip.rules.dialogue import SYSTEM

ACCEPTING = ("user_accept_plan", "user_approve_approach")
# Fewer equal words may be chance: "Sounds good to me".
SCRIPT_WORDS = 4


@metric(
    "M6",
    formula="members whose last decision is to accept / members who accept or reject",
    unit="member",
    better="higher",
    pool="conversations",
    probes=("plan",),
    predicts=("a dialogue",),
    source="Metric Reference: Data Sources & Calculations (group travel planning), M6 Member Acceptance Rate",
    departs="Rejections count. If acceptance is scripted, the value is marked as being by design.",
)
def acceptance(trip: Trip) -> Iterator[Mark]:
    """Do the members accept the plan in the end?

    The last turn in which a member accepts (user_accept_plan), approves (user_approve_approach) or rejects (a user
    intent that contains "reject") decides. Members without such a turn are not judged.

    The value is marked as being by design if the record says that acceptance is scripted. It is also marked if nobody
    rejects and at least two members all accept in the same words, four or more.
    """
    decisions = [turn for turn in trip.turns if turn.speaker != SYSTEM and (_accepts(turn) or _rejects(turn))]
    basis = BY_DESIGN if trip.scripted_acceptance or _is_scripted(decisions) else ""
    for member, turn in {turn.speaker: turn for turn in decisions}.items():
        yield Mark(float(_accepts(turn)), at=member, turn=turn.id, why=turn.text if _rejects(turn) else "", basis=basis)


def _accepts(turn: TripTurn) -> bool:
    return turn.intent.startswith(ACCEPTING)


def _rejects(turn: TripTurn) -> bool:
    return turn.intent.startswith("user_") and "reject" in turn.intent


def _is_scripted(decisions: list[TripTurn]) -> bool:
    """Whether several members accept, all in the same words and more than chance would have, and nobody rejects."""
    voices = {turn.speaker: tuple(turn.text.casefold().split()) for turn in decisions}
    alike = len(voices) > 1 and len(set(voices.values())) == 1
    return alike and not any(map(_rejects, decisions)) and all(len(words) >= SCRIPT_WORDS for words in voices.values())
