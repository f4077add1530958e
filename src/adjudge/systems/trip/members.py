"""Rule-based members, who state their wishes, vote by them, and accept a plan that meets enough of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from zlib import crc32

from adjudge.core.play import Said, View
from adjudge.core.system import Cast, system
from adjudge.suites.trip.data import ACTIONABLE, Wish
from adjudge.suites.trip.rules.dialogue import slot_of
from adjudge.systems.trip.data import MemberView, SpokenWish, TurnFacts, TurnPart
from adjudge.systems.trip.lexicon import table_of
from adjudge.systems.trip.planning.matching import Matcher, Want, wants_of
from adjudge.systems.trip.votes import ballot_of

# A plan is accepted if it meets this share of a member's wishes, and breaks none that it insists on.
ENOUGH = 0.5
INSISTENT = ("must", "reject")


@system("trip", plays=("member",), source="our own, after the simulated travellers of the metric reference")
def honest() -> Cast:
    """Members who say what they wish, vote by it, and accept a plan that gives them enough of it.

    A member says the same words in every arm. It accepts a plan that meets half of its wishes and breaks none on which
    it insists (must, reject), judged by the rules of satisfaction_strict. So acceptance is a choice.
    """
    return Cast({"member": take_step})


def take_step(view: View[None], rng: Random) -> Said[None]:
    """What a member answers to each part of the mediator's turn."""
    lines = tuple(answers(view.facts, view.case, rng))
    return Said(" ".join(line.text for line in lines), passes=not lines, facts=TurnFacts(lines))


def answers(view: MemberView, case: str, rng: Random) -> Iterator[TurnPart]:
    """The parts of a member's answer."""
    intents = [line.intent for line in view.asked]
    for line in view.asked:
        slot = slot_of(line.intent)
        if line.intent.startswith("sys_request_vote_"):
            yield _vote(view, slot, line.options, rng)
        elif line.intent.startswith("sys_request_"):
            yield from _provide(view, slot, f"{case}/{view.person.id}/{slot}")
    if "sys_present_plan" in intents:
        slots = [slot_of(intent) for intent in intents if intent.startswith("sys_feedback_")]
        yield from _comment(view, slots, rng) if slots else [_decide(view, rng)]


def provide_text(wish: Wish, key: str) -> str:
    """A wish as a member says it; `key` decides the wording, so that it is the same in every arm."""
    wordings = table_of("members")["provide"][wish.strength or "open"]
    return _fill(wordings[crc32(key.encode()) % len(wordings)], wish.text)


def _provide(view: MemberView, slot: str, key: str) -> Iterator[TurnPart]:
    wishes = [wish for wish in view.wishes if wish.slot == slot]
    for wish in wishes:
        yield TurnPart(provide_text(wish, key), f"user_provide_{slot}", wish.strength)
    if not wishes:
        wordings = table_of("members")["provide"]["none"]
        yield TurnPart(wordings[crc32(key.encode()) % len(wordings)], f"user_provide_{slot}")


def _vote(view: MemberView, slot: str, options: Sequence[str], rng: Random) -> TurnPart:
    ballot = ballot_of(view.person, slot, view.wishes, options, rng)
    kind = "top" if ballot.top_choice else "none"
    text = rng.choice(table_of("members")["vote"][kind]).format(choice=ballot.top_choice)
    return TurnPart(_capitalise(text), f"user_vote_{slot}", ballots=(ballot,))


def _comment(view: MemberView, slots: Sequence[str], rng: Random) -> Iterator[TurnPart]:
    """What a member lacks in a draft, slot by slot; where it lacks nothing, that it goes along."""
    wordings = table_of("members")["feedback"]
    lacking = [want for want in _unmet(view) if want.slot in slots]
    for want in lacking:
        yield TurnPart(_fill(rng.choice(wordings["unmet"]), want.preference.text), f"user_feedback_{want.slot}")
    if not lacking:
        yield TurnPart(rng.choice(wordings["fine"]), "user_approve_approach")


def _decide(view: MemberView, rng: Random) -> TurnPart:
    """Whether a member accepts the plan, and why."""
    wants, unmet = _wants(view), _unmet(view)
    accepts = len(wants) - len(unmet) >= ENOUGH * len(wants) and not any(map(_is_insisted_on, unmet))
    if not accepts:
        broken = next(filter(_is_insisted_on, unmet), unmet[0])
        return TurnPart(
            _fill(rng.choice(table_of("members")["reject"]["some"]), broken.preference.text), "user_reject_plan"
        )
    kind, about = ("some", unmet) if unmet else ("full", wants) if wants else ("bare", [])
    text = about[0].preference.text if about else ""
    return TurnPart(_fill(rng.choice(table_of("members")["accept"][kind]), text), "user_accept_plan")


def _wants(view: MemberView) -> list[Want]:
    return wants_of(SpokenWish(view.person.id, wish.slot, wish.text, wish.strength) for wish in view.wishes)


def _unmet(view: MemberView) -> list[Want]:
    """The wishes that the plan does not meet."""
    matcher = Matcher(view.places)
    return [want for want in _wants(view) if want.slot in ACTIONABLE and not matcher.is_met(want, view.places)]


def _is_insisted_on(want: Want) -> bool:
    parts = want.preference.parts or (want.preference,)
    return any(part.strength in INSISTENT for part in parts)


def _fill(template: str, wish: str) -> str:
    return template.format(wish=wish, Wish=_capitalise(wish))


def _capitalise(text: str) -> str:
    return text[:1].upper() + text[1:]
