"""Read the attachments of a turn: the synthesis of a slot, ballots, the outcome of a vote, and promises."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

from adjudge.suites.trip.data import Ballot, OptionCount, Promise, Synthesis, Vote
from adjudge.suites.trip.read.conditions import parse_flag
from adjudge.suites.trip.read.facts import RowFacts, first, numeric_value, objects_of, slot_name, text_of, texts_of
from adjudge.suites.trip.rules.dialogue import SYSTEM, slot_of

SYNTHESIS = ("has_conflict", "conflict_description", "resolution_strategy", "resolution_explanation")
BALLOT = ("top_choice", "acceptable", "hard_no")
PROMISES = ("promises", "coverage_commitments", "commitments", "feedback_decisions", "decisions", "feedback_decision")
PROMISED = ("text", "commitment", "decision", "description", "promise", "action", "")


class TurnAttachments(Struct, frozen=True):
    """The attachments of one turn."""

    synthesis: Synthesis | None = None
    ballots: tuple[Ballot, ...] = ()
    vote: Vote | None = None
    promises: tuple[Promise, ...] = ()


def read_attachments(facts: RowFacts, speaker: str, intent: str, ids: Mapping[str, str]) -> TurnAttachments:
    """The attachments in a row that concern the slot of its intent."""
    slot = slot_of(intent)
    if speaker != SYSTEM:
        return TurnAttachments(ballots=tuple(_own_ballots(facts, speaker, slot, ids)))
    # Every row repeats the state of the dialogue, so it counts only in turns that combine wishes.
    states = intent.startswith(("sys_synthesize_", "sys_resolve_conflict_", "sys_feedback_"))
    return TurnAttachments(
        synthesis=_synthesis(facts, slot) if states else None,
        ballots=tuple(_ballots(facts.find("ballots", slot=slot), ids)) if slot else (),
        vote=_vote(facts.find("vote_summary", "vote", slot=slot), ids) if slot else None,
        promises=tuple(_promises(facts.find(*PROMISES, slot=slot), slot, ids)),
    )


def _synthesis(facts: RowFacts, slot: str) -> Synthesis | None:
    notes = {name: facts.find(name, slot=slot) for name in SYNTHESIS}
    if all(value is None for value in notes.values()):
        return None
    conflict = notes["has_conflict"]
    return Synthesis(
        has_conflict=None if conflict is None else parse_flag(facts.where, "has_conflict", conflict),
        conflict_description=text_of(notes["conflict_description"]),
        resolution_strategy=text_of(notes["resolution_strategy"]),
        resolution_explanation=text_of(notes["resolution_explanation"]),
    )


def _own_ballots(facts: RowFacts, speaker: str, slot: str, ids: Mapping[str, str]) -> Iterator[Ballot]:
    """The speaker's own ballot: the one with the speaker's name in a list, or the fields of a single ballot."""
    listed = [ballot for ballot in _ballots(facts.find("ballots", slot=slot), ids) if ballot.member == speaker]
    alone = {name: value for name in BALLOT if (value := facts.find(name, slot=slot)) is not None}
    yield from listed or ([_ballot({**alone, "member": speaker}, ids)] if alone else [])


def _ballots(value: Any, ids: Mapping[str, str]) -> Iterator[Ballot]:
    for item in objects_of(value, "member"):
        if first(item, *BALLOT) is not None:
            yield _ballot(item, ids)


def _ballot(item: Mapping[str, Any], ids: Mapping[str, str]) -> Ballot:
    return Ballot(
        member=_member_id(item, ids),
        top_choice=text_of(item.get("top_choice")),
        acceptable=texts_of(item.get("acceptable")),
        hard_no=texts_of(item.get("hard_no")),
    )


def _member_id(item: Mapping[str, Any], ids: Mapping[str, str]) -> str:
    name = text_of(first(item, "member", "member_id"))
    return ids.get(name, name)


def _vote(value: Any, ids: Mapping[str, str]) -> Vote | None:
    if not isinstance(value, dict):
        return None
    return Vote(
        method=text_of(value.get("method")),
        strategy_id=text_of(value.get("strategy_id")),
        selected_option=text_of(value.get("selected_option")),
        option_details=tuple(_count(item, ids) for item in objects_of(value.get("option_details"), "option")),
        minority_members=tuple(ids.get(name, name) for name in texts_of(value.get("minority_members"))),
    )


def _count(item: Mapping[str, Any], ids: Mapping[str, str]) -> OptionCount:
    scores = item.get("member_scores")
    named = scores.items() if isinstance(scores, dict) else ()
    rejecting = item.get("strong_rejections")
    rejections = len(rejecting) if isinstance(rejecting, list) else numeric_value(rejecting)
    return OptionCount(
        option=text_of(item.get("option")),
        total_score=numeric_value(item.get("total_score")),
        member_scores={ids.get(name, name): score for name, raw in named if (score := numeric_value(raw)) is not None},
        strong_rejections=None if rejections is None else int(rejections),
    )


def _promises(value: Any, slot: str, ids: Mapping[str, str]) -> Iterator[Promise]:
    """The promises in a value: texts, objects with the member and the slot, or texts by member or slot."""
    if isinstance(value, dict) and first(value, *PROMISED) is not None:
        value = [value]
    for item in [{"text": value}] if isinstance(value, str) else objects_of(value, "key"):
        key, text = text_of(item.get("key")), text_of(first(item, *PROMISED))
        about = slot_name(key) if key and slot_of(f"_{slot_name(key)}") else ""
        by_text = isinstance(value, list) and not text
        member = "" if about or by_text else (_member_id(item, ids) or ids.get(key, key))
        if text or key:
            yield Promise(text or key, slot_name(text_of(item.get("slot"))) or about or slot, member)
