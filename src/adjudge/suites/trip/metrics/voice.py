"""Whether every member is heard, and how evenly."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count, islice

from adjudge.core.card import metric
from adjudge.core.errors import Unanswered
from adjudge.core.mark import BY_DESIGN, Mark
from adjudge.english.language import foreign_language
from adjudge.stats.inequality import gini
from adjudge.suites.trip.data import Trip, TripTurn
from adjudge.suites.trip.rules.dialogue import BY_RULE, SINGLE_USER, SYSTEM, turns_with


@metric(
    "M1",
    formula="members who state a preference / members of the group",
    unit="member",
    better="higher",
    pool="conversations",
    probes=("dialogue",),
    predicts=("a dialogue",),
    source="Metric Reference: Data Sources & Calculations (group travel planning), M1 Member Voice Coverage",
    departs="Only speakers who are members of the group count. In C1 the value is marked as being by design.",
    primary=True,
    version=2,
    members="voice",
)
def voice_coverage(trip: Trip) -> Iterator[Mark]:
    """Did every member of the group get to state a preference?

    A member who speaks but is not listed takes the place of a member whom the record counts without a name. If no such
    place is left, the speaker is not counted. Members who are counted but neither listed nor heard appear as "member N"
    and are silent. In C1 the first speaker speaks for the whole group and counts as one of its members, whatever the
    name. Undefined if the size of the group is not known, because the speakers do not reveal who is silent. Skipped if
    intents are assigned by rule and the text is not English.
    """
    if trip.facets.get("intents") == BY_RULE and (language := foreign_language(trip.prose)):
        raise Unanswered("not_english", f"the text is in {language}; intents by rule are for English only")
    spoke: dict[str, TripTurn] = {}
    for turn in turns_with(trip, "user_provide_"):
        if turn.speaker != SYSTEM and turn.text.strip():
            spoke.setdefault(turn.speaker, turn)
    if trip.condition == SINGLE_USER:
        spoke = dict(islice(spoke.items(), 1))
    basis = BY_DESIGN if trip.condition == SINGLE_USER else ""
    for member in seats(trip, list(spoke)) if trip.size else ():
        if member in spoke:
            yield Mark(1.0, at=member, turn=spoke[member].id, basis=basis)
        else:
            yield Mark(0.0, at=member, why="stated no preference", basis=basis)


@metric(
    "Balance",
    formula="1 - Gini over members of the words they spoke",
    unit="conversation",
    better="higher",
    pool="conversations",
    probes=("dialogue",),
    predicts=("a dialogue",),
    source="our own",
)
def speaking_balance(trip: Trip) -> Iterator[Mark]:
    """How evenly do the members of the group speak?

    All words of a member count, whatever the intent of the turn. Silent members count with zero words. The members are
    those of voice_coverage; if the size of the group is not known, they are the people who speak. Undefined with fewer
    than two members, and if nobody says anything. In C1 only one member speaks by design, and the value is marked so.
    """
    spoken: dict[str, int] = {}
    for turn in trip.turns:
        if turn.speaker != SYSTEM and turn.intent.startswith("user_"):
            spoken[turn.speaker] = spoken.get(turn.speaker, 0) + len(turn.text.split())
    words = {member: spoken.get(member, 0) for member in seats(trip, list(spoken))}
    uneven = gini(words.values()) if len(words) > 1 else None
    if uneven is not None:
        why = ", ".join(f"{member} {count}" for member, count in words.items())
        yield Mark(1 - uneven, why=why, basis=BY_DESIGN if trip.condition == SINGLE_USER else "")


def seats(trip: Trip, speakers: list[str]) -> list[str]:
    """The members of the group by name: listed ones, then others who speak, then the rest of the stated group size."""
    listed = [member.id for member in trip.members]
    strangers = [name for name in speakers if name not in listed]
    if not trip.size:
        return strangers
    if trip.condition == SINGLE_USER and listed and strangers and not set(speakers) & set(listed):
        # The one who speaks for the group is one of those listed; which one is not known.
        listed = []
    named = [*listed, *strangers[: trip.size - len(listed)]]
    unnamed = (name for number in count(len(named) + 1) if (name := f"member {number}") not in named)
    return [*named, *islice(unnamed, trip.size - len(named))]
