"""What a customer wants of each domain, from a goal as MultiWOZ writes it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from adjudge.suites.service.data import REQUESTED, Goal
from adjudge.suites.service.rules.spelling import spellings

# The slots of goals as states and requests name them, where the names differ.
_STATE_SLOTS = {"arriveby": "arriveby", "leaveat": "leaveat", "arrive": "arriveby", "leave": "leaveat"}
_REQUESTS = {"entrancefee": "fee", "price": "cost", "cartype": "car", "arrive": "arriveby", "leave": "leaveat"}
_TOKENS = {token: slot for slot, token in REQUESTED.items()}
# The slots that a customer can constrain in each domain, and those that it can ask for.
INFORMS = {
    "restaurant": ("food", "area", "pricerange", "name"),
    "hotel": ("type", "area", "pricerange", "stars", "internet", "parking", "name"),
    "attraction": ("type", "area", "name"),
    "train": ("departure", "destination", "day", "leaveat", "arriveby"),
    "taxi": ("departure", "destination", "leaveat", "arriveby"),
    "hospital": ("department",),
    "police": (),
}
REQUESTS = (
    *("phone", "address", "postcode", "fee", "area", "type", "stars", "pricerange", "food", "internet", "parking"),
    *("duration", "cost", "leaveat", "arriveby", "trainid", "car", "ref"),
)
# The slots of a booking, in each domain that has bookings.
BOOKINGS = {
    "restaurant": ("bookpeople", "bookday", "booktime"),
    "hotel": ("bookpeople", "bookday", "bookstay"),
    "train": ("bookpeople",),
}
_BOOKED = ("people", "day", "stay", "time")
# What opens a domain in the message that people were given with a goal: "You are looking for a place to stay".
_OPENING = re.compile(
    r"\b(?P<restaurant>restaurants?|place to dine)|(?P<hotel>place to stay|hotel)"
    r"|(?P<attraction>places to go|attraction)|(?P<train>train)|(?P<taxi>taxi)"
    r"|(?P<hospital>hospital|Addenbrookes)|(?P<police>police|robbed)\b"
)
# "the same area as the hotel", "the same day as the restaurant booking".
_SAME = re.compile(r"same (area|price range|day) as the (\w+)")
# "You want to leave the hotel by 08:00", "make sure it arrives the restaurant by the booked time".
_END = re.compile(r"(leave|arrives) the (\w+)")
# MultiWOZ marks slots in the text of goals: "a <span class='emphasis'>cheap</span> hotel".
_TAG = re.compile(r"<[^<>]*>")


class DomainWish(Struct, frozen=True, omit_defaults=True):
    """What a customer wants of one domain.

    `informs` are the constraints, and `booking` what is to be booked; `first` and `first_booking` are what the
    customer asks for first where it would settle for the former. `requests` are the slots it wants to know. `same`
    names the domain whose value a slot repeats, and `ends` the domains whose venues a taxi leaves and reaches.
    """

    informs: dict[str, str] = {}
    first: dict[str, str] = {}
    requests: tuple[str, ...] = ()
    booking: dict[str, str] = {}
    first_booking: dict[str, str] = {}
    same: dict[str, str] = {}
    ends: dict[str, str] = {}


class _GoalParts(Struct):
    """A domain's part of a goal."""

    info: dict[str, Any] = {}
    fail_info: dict[str, Any] = {}
    book: dict[str, Any] = {}
    fail_book: dict[str, Any] = {}
    reqt: tuple[str, ...] = ()
    same: dict[str, str] = {}
    ends: dict[str, str] = {}


def wishes_of(goal: Mapping[str, Any]) -> dict[str, DomainWish]:
    """The wishes of a goal (`info`, `fail_info`, `book`, `fail_book`, `reqt` by domain) in the order of its message.

    Where the goal has a `message`, its alternatives count only if the message speaks of them: MultiWOZ keeps
    alternatives that were never shown to the people who played the goal.
    """
    message = _sentences(goal.get("message", ()))
    parts = {
        domain: msgspec.convert(value, _GoalParts)
        for domain, value in goal.items()
        if domain not in ("message", "topic") and isinstance(value, dict) and value
    }
    order = sorted(parts, key=lambda domain: (domain == "taxi", _place(domain, message)))
    return {domain: _wish(domain, parts[domain], list(_about(domain, message)), message) for domain in order}


def unknown_parts(wishes: Mapping[str, DomainWish]) -> Iterator[str]:
    """What the customer would have no words for: domains, slots and requests, each with what is expected."""
    for domain, wish in wishes.items():
        if domain not in INFORMS:
            yield f"domain {domain!r}; expected one of {', '.join(INFORMS)}"
            continue
        for slot in (*wish.informs, *wish.first):
            if slot not in INFORMS[domain]:
                yield f"{domain}: slot {slot!r} in info; expected one of {', '.join(INFORMS[domain]) or 'none'}"
        for slot in (*wish.booking, *wish.first_booking):
            if slot not in BOOKINGS.get(domain, ()):
                expected = ", ".join(BOOKINGS.get(domain, ())).replace("book", "")
                yield f"{domain}: {slot.removeprefix('book')!r} in book; expected one of {expected or 'none'}"
        for slot in wish.requests:
            if slot not in REQUESTS:
                yield f"{domain}: request {slot!r} in reqt; expected one of {', '.join(REQUESTS)}"


def wish_of_goal(goal: Goal) -> DomainWish:
    """The wish behind a goal in the shape that Inform and Success are computed for."""
    booking = {slot: value for slot, value in goal.booking.items() if isinstance(value, str)}
    requests = tuple(_TOKENS[token] for token in goal.requestable if token in _TOKENS)
    return DomainWish(_state_slots(goal.informable), requests=requests, booking=_booking(booking))


def _wish(domain: str, parts: _GoalParts, message: Sequence[str], whole: Sequence[str]) -> DomainWish:
    has_message = bool(whole)
    text = " ".join(message)
    first = _state_slots(parts.fail_info) if not has_message or "no such" in text else {}
    first_booking = _booking(parts.fail_book) if not has_message or "booking fails" in text else {}
    informs, booking = _state_slots(parts.info), _booking(parts.book)
    return DomainWish(
        informs=informs,
        first={} if "name" in parts.info else _first_choice(first, informs),
        requests=tuple(_request(name) for name in parts.reqt),
        booking=booking,
        first_booking=_first_choice({**booking, **first_booking} if first_booking else {}, booking),
        same={**dict(_repetitions(domain, text)), **parts.same},
        ends={**dict(_ends(text)), **parts.ends} if domain == "taxi" else {},
    )


def _first_choice(first: Mapping[str, str], settled: Mapping[str, str]) -> dict[str, str]:
    """What is asked for first, as far as the customer can settle for something else; none where nothing differs."""
    kept = {slot: value for slot, value in first.items() if slot in settled}
    differs = any(kept.get(slot) != value for slot, value in settled.items())
    return kept if kept and differs else {}


def _state_slots(pairs: Mapping[str, Any]) -> dict[str, str]:
    """The constraints under the names of states; values that constrain nothing are left out."""
    names = {name: name.lower().replace(" ", "") for name in pairs}
    values = {_STATE_SLOTS.get(names[name], names[name]): str(value).lower() for name, value in pairs.items()}
    return {slot: value for slot, value in values.items() if value and value not in spellings().no_constraint}


def _booking(pairs: Mapping[str, Any]) -> dict[str, str]:
    return {f"book{slot}": str(pairs[slot]) for slot in _BOOKED if slot in pairs}


def _request(name: str) -> str:
    plain = name.lower().replace(" ", "")
    return _REQUESTS.get(plain, plain)


def _sentences(message: str | Sequence[str]) -> list[str]:
    texts = [message] if isinstance(message, str) else message
    return [sentence for text in texts for sentence in _TAG.sub("", text).split(". ")]


def _domain_opened(sentence: str) -> str:
    """The domain that a sentence of the message opens; empty where it goes on with the one before."""
    if "looking for" not in sentence and "want to book a taxi" not in sentence and "robbed" not in sentence:
        return ""
    match = _OPENING.search(sentence)
    return next((name for name, text in match.groupdict().items() if text), "") if match else ""


def _about(domain: str, message: Sequence[str]) -> Iterator[str]:
    """The sentences of the message that are about a domain."""
    current = ""
    for sentence in message:
        current = _domain_opened(sentence) or current
        if current == domain:
            yield sentence


def _place(domain: str, message: Sequence[str]) -> int:
    opened = [_domain_opened(sentence) for sentence in message]
    return opened.index(domain) if domain in opened else len(opened)


def _repetitions(domain: str, text: str) -> Iterator[tuple[str, str]]:
    """The slots that repeat the value of another domain; "*" where the text does not say which."""
    for slot, other in _SAME.findall(text):
        name = {"area": "area", "price range": "pricerange", "day": "day"}[slot]
        yield name, other
    if "same group of people" in text:
        yield "bookpeople", "*"
    if "the same day" in text.replace("the same day as", ""):
        yield "bookday", "*"


def _ends(text: str) -> Iterator[tuple[str, str]]:
    for verb, domain in _END.findall(text):
        yield ("departure" if verb == "leave" else "destination"), domain
