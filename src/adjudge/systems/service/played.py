"""What participants may know of a case, and the record of a played conversation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest

from msgspec import structs

from adjudge.core.play import PlayedConversation, PlayedTurn, Utterance
from adjudge.core.record import Participant
from adjudge.core.system import Seen, hear
from adjudge.suites.service.data import GOLD, SIMULATOR, USER, Annotation, ServiceDialogue, ServiceTurn
from adjudge.suites.service.rules.linking import references_in
from adjudge.systems.service.bookings import booked_domains
from adjudge.systems.service.data import ServiceCase, UserFacts

PARTICIPANTS = (Participant(USER, "user", "simulated"), Participant("system", "system", "agent"))


def participants(case: ServiceCase) -> tuple[Participant, ...]:
    """A user and the system."""
    return PARTICIPANTS


def view(case: ServiceCase, participant: Participant, turns: tuple[PlayedTurn, ...]) -> Seen:
    """The user knows its case. The system knows nothing of it; to a recorded user it hears the recorded replies."""
    if participant.role == "user":
        return Seen(case, hear(turns))
    return Seen({}, tuple(_with_recorded_replies(turns)))


def _with_recorded_replies(turns: Sequence[PlayedTurn]) -> Iterator[Utterance]:
    for turn, following in zip_longest(turns, turns[1:]):
        if turn.content.passes:
            continue
        facts = following.content.facts if following else None
        heard = facts.heard if isinstance(facts, UserFacts) else None
        yield Utterance(turn.number, turn.speaker, turn.content.text if heard is None else heard)


def record(played: PlayedConversation) -> ServiceDialogue:
    """The dialogue of a conversation; what a simulated user has said is its gold annotation."""
    case: ServiceCase = played.case
    return ServiceDialogue(
        id=played.id,
        facets=_gold_facet(played.turns),
        turns=tuple(_turns(case, played.turns)),
        services=case.services or tuple(case.wishes),
        goal=case.goal or None,
        placeholders="none",
        can_book="desk" in played.tools,
    )


def _gold_facet(turns: Sequence[PlayedTurn]) -> dict[str, str]:
    """Who annotated: the simulator, where a simulated user knows what it has said."""
    facts = [_user_facts(turn) for turn in turns]
    is_simulated = any(fact.gold is not None and fact.heard is None for fact in facts)
    return {GOLD: SIMULATOR} if is_simulated else {}


def _turns(case: ServiceCase, turns: Sequence[PlayedTurn]) -> Iterator[ServiceTurn]:
    """The turns that were no pass. What the system made of a user turn stands there, what it did at its own turn."""
    before = UserFacts()
    for turn, following in zip_longest(turns, turns[1:]):
        number, content = str(turn.number), turn.content
        if content.passes:
            continue
        if turn.speaker == USER:
            before = _user_facts(turn)
            understood = _understanding(following) if following else None
            yield ServiceTurn(number, USER, content.text, before.gold, understood)
        else:
            booked = _bookings(case, content.text)
            yield ServiceTurn(
                number,
                turn.speaker,
                content.text,
                before.reply_gold,
                _own_annotation(turn),
                before.reply,
                booked=booked,
            )


def _bookings(case: ServiceCase, reply: str) -> tuple[str, ...]:
    """The domains for which a reply gives a reference number of the booking desk."""
    references = references_in(reply)
    return tuple(domain for text in references for domain in booked_domains(case.id, case.goal, text))


def _understanding(turn: PlayedTurn) -> Annotation | None:
    """What the system says of the user turn that it answers."""
    own = _prediction(turn)
    return structs.replace(own, acts=None, action=None) if own else None


def _own_annotation(turn: PlayedTurn) -> Annotation | None:
    """What the system says of its own turn."""
    own = _prediction(turn)
    return Annotation(acts=own.acts, action=own.action) if own else None


def _prediction(turn: PlayedTurn) -> Annotation | None:
    return turn.content.facts if isinstance(turn.content.facts, Annotation) else None


def _user_facts(turn: PlayedTurn) -> UserFacts:
    return turn.content.facts if isinstance(turn.content.facts, UserFacts) else UserFacts()
