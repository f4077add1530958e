"""What the simulated customer says next: it works through its wishes domain by domain."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from msgspec import structs

from adjudge.systems.service.customer.acts import VENUES, Act, Agenda, CustomerMove
from adjudge.systems.service.customer.reading import ReplyReading
from adjudge.systems.service.customer.wishes import BOOKINGS, INFORMS, DomainWish

DONTCARE = "dontcare"
# How often the customer asks for the same thing, how often for another venue, and how long it stays with a domain.
_TRIES, _OTHERS, _PATIENCE = 3, 2, 12
_TIMES = ("leaveat", "arriveby")
# Slots about which every customer has a preference.
_NEEDED = ("name", "departure", "destination", "day", "leaveat", "arriveby", "department")


def take_turn(
    agenda: Agenda, wishes: Mapping[str, DomainWish], reading: ReplyReading | None, rng: Random
) -> CustomerMove:
    """The next turn of the customer; `reading` is None before the first reply."""
    if reading is None or not agenda.domain:
        return _open_next(agenda, wishes, rng)
    agenda, wish = _absorb(agenda, reading), wishes[agenda.domain]
    plan = _go_on(agenda, wish, reading, rng)
    if plan is not None and agenda.turns <= _PATIENCE:
        return plan
    following = _open_next(agenda, wishes, rng)
    if "book" in reading.asks and not wish.booking:
        return CustomerMove(
            following.agenda, (Act("decline"), *(act for act in following.acts if act.kind != "thanks"))
        )
    return following


def _absorb(agenda: Agenda, reading: ReplyReading) -> Agenda:
    """The agenda after a reply was read."""
    venues = {**agenda.venues, agenda.domain: reading.venue} if reading.venue else agenda.venues
    given = tuple(sorted({*agenda.given, *(reading.facts & agenda.requested.keys())}))
    booked = agenda.booked or (reading.confirms and agenda.tries > 0)
    return structs.replace(agenda, venues=venues, given=given, booked=booked, turns=agenda.turns + 1)


def _go_on(agenda: Agenda, wish: DomainWish, reading: ReplyReading, rng: Random) -> CustomerMove | None:
    """What to say within the domain in hand; None where nothing is left to do."""
    if reading.finds_nothing:
        return _settle(agenda, wish)
    if reading.refuses and agenda.tries and not agenda.booked:
        return _rebook(agenda, wish)
    return (
        _answer(agenda, wish, reading)
        or _inform(agenda, wish, rng)
        or _request(agenda, wish, rng)
        or _book(agenda, wish, rng)
    )


def _constraints(agenda: Agenda, wish: DomainWish) -> dict[str, str]:
    return wish.first if wish.first and not agenda.settled else wish.informs


def _booking(agenda: Agenda, wish: DomainWish) -> dict[str, str]:
    return wish.first_booking if wish.first_booking and not agenda.rebooked else wish.booking


def _constraints_left(agenda: Agenda, wish: DomainWish) -> dict[str, str]:
    wanted = _constraints(agenda, wish)
    return {slot: value for slot, value in wanted.items() if agenda.state.get(f"{agenda.domain}-{slot}") != value}


def _settle(agenda: Agenda, wish: DomainWish) -> CustomerMove | None:
    """Take the goal's alternative where nothing was found; without one, say the wish again, then give up."""
    domain = agenda.domain
    if wish.first and not agenda.settled:
        agenda = structs.replace(agenda, settled=True)
        changed = {slot: value for slot, value in wish.informs.items() if wish.first.get(slot) != value}
        return CustomerMove(agenda.say(domain, changed), (Act("alternative", domain, changed),))
    if agenda.others < 1:
        again = structs.replace(agenda, others=agenda.others + 1).say(domain, _constraints(agenda, wish))
        return CustomerMove(again, (Act("repeat"), *_informs(again, wish, _constraints(agenda, wish))))
    return None


def _rebook(agenda: Agenda, wish: DomainWish) -> CustomerMove | None:
    """Take the goal's alternative where a booking is refused, else ask for another venue, else give up."""
    domain = agenda.domain
    if wish.first_booking and not agenda.rebooked:
        agenda = structs.replace(agenda, rebooked=True)
        changed = {slot: value for slot, value in wish.booking.items() if wish.first_booking.get(slot) != value}
        return CustomerMove(agenda.say(domain, changed), (Act("alternative", domain, changed),))
    if "name" in wish.informs or agenda.others >= _OTHERS:
        return None
    state = {slot: value for slot, value in agenda.state.items() if slot != f"{domain}-name"}
    agenda = structs.replace(agenda, others=agenda.others + 1, state=state, tries=0)
    return CustomerMove(agenda, (Act("another", domain),))


def _answer(agenda: Agenda, wish: DomainWish, reading: ReplyReading) -> CustomerMove | None:
    """Answer the questions of a reply: from the goal, or with no preference where the goal is silent."""
    domain = agenda.domain
    wanted, booking = _constraints(agenda, wish), _booking(agenda, wish)
    asked = [_own_slot(domain, slot) for slot in reading.asks]
    known = {slot: wanted[slot] for slot in asked if slot in wanted}
    known |= {slot: booking[slot] for slot in asked if slot in booking and agenda.tries}
    if known:
        kept = dict(list(known.items())[:3])
        if all(agenda.state.get(f"{domain}-{slot}") == value for slot, value in kept.items()):
            agenda = structs.replace(agenda, repeats=agenda.repeats + 1)
        if agenda.repeats > _TRIES:
            return None
        return CustomerMove(
            agenda.say(domain, kept), tuple(_answer_act(agenda, wish, slot, kept[slot]) for slot in kept)
        )
    silent = [slot for slot in asked if slot in INFORMS[domain] and slot not in _NEEDED]
    if not silent or reading.venue or _constraints_left(agenda, wish):
        return None
    pairs = dict.fromkeys(silent, DONTCARE)
    return CustomerMove(agenda.say(domain, pairs), (Act("dontcare", domain, pairs),))


def _answer_act(agenda: Agenda, wish: DomainWish, slot: str, value: str) -> Act:
    if _repeats(agenda, wish, slot):
        return Act("same", agenda.domain, {slot: value}, {slot: wish.same[slot]})
    return Act("answer", agenda.domain, {slot: value})


def _own_slot(domain: str, slot: str) -> str:
    """The slot that a question is for: days and times of restaurants and hotels belong to the booking."""
    if domain in ("restaurant", "hotel") and slot == "day":
        return "bookday"
    return slot


def _repeats(agenda: Agenda, wish: DomainWish, slot: str) -> bool:
    """Whether the customer can say that a slot is the same as in a domain before."""
    other = wish.same.get(slot, "")
    if slot not in ("area", "pricerange", "day") or not other:
        return False
    value = agenda.state.get(f"{other}-{slot}") or agenda.state.get(f"{other}-book{slot}")
    return value is not None and value == wish.informs.get(slot)


def _inform(agenda: Agenda, wish: DomainWish, rng: Random) -> CustomerMove | None:
    """Say one to three constraints that were not said yet."""
    unsaid = _constraints_left(agenda, wish)
    if not unsaid:
        return None
    pairs = dict(list(unsaid.items())[: rng.randint(1, 3)])
    return CustomerMove(agenda.say(agenda.domain, pairs), _informs(agenda, wish, pairs))


def _informs(agenda: Agenda, wish: DomainWish, pairs: Mapping[str, str]) -> tuple[Act, ...]:
    """The acts that say some constraints: those that repeat another domain's in sentences of their own."""
    same = [slot for slot in pairs if _repeats(agenda, wish, slot)]
    plain = {slot: value for slot, value in pairs.items() if slot not in same and slot != "name"}
    acts = [Act("open_name", agenda.domain, {"name": pairs["name"]})] if "name" in pairs else []
    acts += [Act("inform", agenda.domain, plain)] if plain else []
    return (*acts, *(Act("same", agenda.domain, {slot: pairs[slot]}, {slot: wish.same[slot]}) for slot in same))


def _request(agenda: Agenda, wish: DomainWish, rng: Random) -> CustomerMove | None:
    """Ask for what the customer wants to know, once a venue was offered."""
    has_venue = agenda.domain in agenda.venues or agenda.domain in ("taxi", "hospital", "police")
    if not has_venue and "name" not in wish.informs:
        return _insist(agenda, wish)
    wanted = [slot for slot in wish.requests if slot not in agenda.given and agenda.requested.get(slot, 0) < _TRIES]
    if not wanted:
        return None
    chosen = wanted[: rng.randint(1, 3)]
    requested = agenda.requested | {slot: agenda.requested.get(slot, 0) + 1 for slot in chosen}
    agenda = structs.replace(agenda.choose(wish), requested=requested)
    return CustomerMove(agenda, (Act("request", agenda.domain, dict.fromkeys(chosen, "?")),))


def _insist(agenda: Agenda, wish: DomainWish) -> CustomerMove | None:
    """Say the whole wish again where no venue was offered."""
    if agenda.others >= _OTHERS:
        return None
    agenda = structs.replace(agenda, others=agenda.others + 1)
    return CustomerMove(
        agenda, (Act("repeat"), Act("open", agenda.domain), *_informs(agenda, wish, _constraints(agenda, wish)))
    )


def _book(agenda: Agenda, wish: DomainWish, rng: Random) -> CustomerMove | None:
    booking = _booking(agenda, wish)
    if not booking or agenda.booked or agenda.tries >= _TRIES:
        return None
    agenda = structs.replace(agenda.choose(wish), tries=agenda.tries + 1)
    is_short = agenda.tries == 1 and rng.random() < 0.25
    if is_short or len(booking) < len(BOOKINGS[agenda.domain]):
        return CustomerMove(agenda, (Act("book_short", agenda.domain),))
    same = {slot: other for slot, other in wish.same.items() if _is_booked_before(agenda, slot, booking)}
    return CustomerMove(agenda.say(agenda.domain, booking), (Act("book", agenda.domain, booking, same),))


def _is_booked_before(agenda: Agenda, slot: str, booking: Mapping[str, str]) -> bool:
    """Whether the domain booked last has the same value, so that "the same group" means it."""
    before = [domain for domain in agenda.done if f"{domain}-{slot}" in agenda.state]
    return slot in booking and bool(before) and agenda.state[f"{before[-1]}-{slot}"] == booking[slot]


def _open_next(agenda: Agenda, wishes: Mapping[str, DomainWish], rng: Random) -> CustomerMove:
    """Open the next domain, or say goodbye."""
    done = (*agenda.done, agenda.domain) if agenda.domain else ()
    left = [domain for domain in wishes if domain not in done]
    fresh = Agenda(done=done, state=agenda.state, venues=agenda.venues)
    for domain in left:
        plan = _open(structs.replace(fresh, domain=domain), wishes[domain], rng)
        if plan is not None:
            thanks = (Act("thanks"),) if done else ()
            return CustomerMove(plan.agenda, (*thanks, *plan.acts))
        fresh = structs.replace(fresh, done=(*fresh.done, domain))
    return CustomerMove(fresh, (Act("bye"),))


def _open(agenda: Agenda, wish: DomainWish, rng: Random) -> CustomerMove | None:
    """The first turn of a domain; None for a taxi whose ends are not known."""
    domain = agenda.domain
    if domain == "taxi":
        return _open_taxi(agenda, wish)
    wanted = _constraints(agenda, wish)
    pairs = dict(list(wanted.items())[: rng.randint(1, 3)])
    opening = () if "name" in pairs else (Act("open", domain),)
    return CustomerMove(agenda.say(domain, pairs), (*opening, *_informs(agenda, wish, pairs)))


def _open_taxi(agenda: Agenda, wish: DomainWish) -> CustomerMove | None:
    """A ride between places that the goal names, or venues that were found before."""
    known = {slot: place for slot, place in wish.informs.items() if slot in ("departure", "destination")}
    ends = {slot: domain for slot, domain in wish.ends.items() if domain in agenda.venues}
    for slot in ("departure", "destination"):
        free = [domain for domain in agenda.done if domain in VENUES and domain in agenda.venues]
        free = [domain for domain in free if domain not in ends.values()]
        if slot not in known and slot not in ends and free:
            ends[slot] = free[0]
    places = known | {slot: agenda.venues[domain] for slot, domain in ends.items()}
    if len(places) < 2:
        return None
    times = {slot: wish.informs[slot] for slot in _TIMES if slot in wish.informs}
    acts = (Act("taxi", "taxi", places, ends), *([Act("inform", "taxi", times)] if times else []))
    return CustomerMove(agenda.say("taxi", {**places, **times}), acts)
