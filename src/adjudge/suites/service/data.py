"""The records of the service suite: customer-service dialogues with gold and predicted annotations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Literal, get_args

from msgspec import Struct, structs

from adjudge.core.mark import Mark
from adjudge.core.record import Record, Turn

USER = "user"
# The facet that says where the gold annotation comes from, if not from the data: a simulated user knows what it said.
GOLD, SIMULATOR = "gold", "simulator"
NO_INTENT = "NONE"
NO_INTENTS = frozenset({"NONE", "None", "none", ""})
_NOTHING = ("", " ", "none", "None", "NONE", "not mentioned", "Not mentioned", "Not Mentioned", "NOT MENTIONED")
ABSENT: frozenset[str | tuple[str, ...]] = frozenset({*_NOTHING, *((word,) for word in _NOTHING), ()})

# The slots that goals ask for, with their tokens in goals. Placeholders in replies map to the same tokens.
REQUESTED = {"phone": "PHONE", "address": "ADDRESS", "postcode": "POST", "trainid": "TRAINID"}

PlaceholderStyle = Literal["none", "plain", "prefixed"]
DomainSource = Literal["state", "predicted", "placeholders"]
DOMAIN_SOURCES: tuple[DomainSource, ...] = get_args(DomainSource)
Value = str | tuple[str, ...]
State = Mapping[str, Value]


class Annotation(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """The annotation of one turn, by the gold data or by the arm under test.

    None means not annotated; an empty tuple or dict means annotated as empty. `state` maps `domain-slot` to a value.
    Several gold values are alternatives, any of which is right; several predicted values must all be among them. An
    empty value, "none" and "not mentioned" are no value; `hotel-` with an empty value means that the domain is there
    without slots. `acts` maps an act type such as `Hotel-Inform` to its slot-value pairs. `action` is what the system
    did (search, book, request, inform). `booked` are the domains booked so far. `unparsed` holds an output that could
    not be read: it counts as predicted and wrong.
    """

    domains: tuple[str, ...] | None = None
    intents: tuple[str, ...] | None = None
    state: dict[str, str | tuple[str, ...]] | None = None
    requested: tuple[str, ...] | None = None
    acts: dict[str, tuple[tuple[str, str], ...]] | None = None
    action: str | None = None
    booked: tuple[str, ...] | None = None
    unparsed: str | None = None


NO_PREDICTION = Annotation()


class ServiceTurn(Turn, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """A turn with its annotations; `reference` is the gold reply where `text` is the arm's own.

    `booked` are the domains in which the booking desk of a play made the bookings that the reply confirms; None where
    there is no desk.
    """

    gold: Annotation | None = None
    predicted: Annotation | None = None
    reference: str | None = None
    booked: tuple[str, ...] | None = None

    @property
    def has_known_bookings(self) -> bool:
        """Whether it is known what was booked, from a play or from the annotation."""
        return self.booked is not None or (self.gold is not None and self.gold.booked is not None)


class Goal(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What the user wants of one domain: constraints, information to be given, and a booking.

    `requestable` holds the tokens PHONE, ADDRESS, POST, REFERENCE, TRAINID; `booking` is empty where
    nothing is to be booked. `preferred` and `preferred_booking` are what the user asks for first, where it would settle
    for `informable` and `booking`.
    """

    informable: dict[str, str] = {}
    requestable: tuple[str, ...] = ()
    booking: dict[str, str | bool] = {}
    preferred: dict[str, str] = {}
    preferred_booking: dict[str, str] = {}


class Exchange(Struct, frozen=True, gc=False):
    """The unit that is scored: a user turn with the reply that follows and the gold reply to it.

    `gold` and `predicted` join what is annotated on both turns; `predicted` is None where the arm says
    nothing about this turn at all. `active` are the domains the turn is about by the gold annotation,
    carried over from the turn before where it names none; `group` is the one under which tables list the turn.
    `one_mark` and `zero_mark` are the turn's marks of 1 and 0 without evidence, made once for all metrics. `results`
    are the texts that tools returned before the reply, `booked` the domains in which a play's desk booked.
    """

    turn: str
    user: str
    reply: str
    reference: str
    gold: Annotation | None
    predicted: Annotation | None
    active: tuple[str, ...]
    group: str
    one_mark: Mark
    zero_mark: Mark
    results: tuple[str, ...] = ()
    booked: tuple[str, ...] | None = None


class ServiceDialogue(Record, frozen=True, kw_only=True, dict=True, omit_defaults=True, forbid_unknown_fields=True):
    """A customer-service dialogue of one arm.

    Turns by the speaker `user` are the user's; all others are the system's, of which those of the kind `speech` are its
    reply. `placeholders` says whether
    replies hold values ("none"), placeholders such as `[value_name]` in their place ("plain"), or
    placeholders that name their domain, `[hotel_name]` ("prefixed"); None: look at the replies.
    `gold_state` marks records whose predicted states were filled in from the gold ones; `domain_source` says from
    what a reply's domains are taken for Inform, as decided for the whole file (None: look at the dialogue).
    `can_book` is false for a system in a play that has no access to the booking desk.
    """

    turns: tuple[ServiceTurn, ...] = ()
    services: tuple[str, ...] = ()
    goal: dict[str, Goal] | None = None
    placeholders: PlaceholderStyle | None = None
    gold_state: bool = False
    domain_source: DomainSource | None = None
    can_book: bool = True

    @property
    def given_parts(self) -> Mapping[str, object]:
        """The goal, and the annotated turns with what the user says in them.

        What a simulated user says depends on the arm that it talks to, so only its goal is given.
        """
        if self.facets.get(GOLD) == SIMULATOR:
            return {"goal": self.goal}
        annotated = [
            (turn.id, turn.text if turn.speaker == USER else "", turn.gold) for turn in self.turns if turn.gold
        ]
        return {"goal": self.goal, "gold": annotated}

    @cached_property
    def exchanges(self) -> tuple[Exchange, ...]:
        """The scored units in order; what the system says before the first user turn is left out."""
        exchanges: list[Exchange] = []
        active: tuple[str, ...] = ()
        before: Mapping[str, object] = {}
        start = None
        turns = self.turns
        for position in range(len(turns) + 1):
            if position < len(turns) and turns[position].speaker != USER:
                continue
            if start is not None:
                exchange = _exchange(turns[start], turns[start + 1 : position], active, before)
                active = exchange.active
                before = (exchange.gold and exchange.gold.state) or before
                exchanges.append(exchange)
            start = position
        return tuple(exchanges)


@lru_cache(maxsize=1 << 14)
def domain_of(name: str) -> str:
    """The domain in a name such as `hotel-area`, `find_hotel` or `Hotel-Inform`; empty where there is none.

    >>> domain_of("hotel-area"), domain_of("book_train"), domain_of("Hotel-Inform"), domain_of("FindBus")
    ('hotel', 'train', 'hotel', '')
    """
    if "-" in name:
        return name.partition("-")[0].lower()
    return name.partition("_")[2].lower()


@lru_cache(maxsize=1 << 14)
def domains_of(names: tuple[str, ...]) -> frozenset[str]:
    """The domains in several names, such as the slots of a state. Combinations of names recur, so results are cached.

    >>> sorted(domains_of(("hotel-area", "hotel-stars", "train-day")))
    ['hotel', 'train']
    """
    return frozenset(map(domain_of, names))


@lru_cache(maxsize=1 << 14)
def domains_named(intents: tuple[str, ...]) -> frozenset[str]:
    """The domains that intents name; an intent may name none.

    >>> sorted(domains_named(("find_hotel", "FindBus")))
    ['hotel']
    """
    return domains_of(intents) - {""}


def _exchange(
    user: ServiceTurn,
    replies: tuple[ServiceTurn, ...],
    active: tuple[str, ...],
    before: Mapping[str, object],
) -> Exchange:
    gold, predicted = user.gold, user.predicted
    for reply in replies:
        if reply.gold is not None:
            gold = join(gold, reply.gold)
        if reply.predicted is not None:
            predicted = join(predicted, reply.predicted)
    gold, predicted = gold and tidy(gold), predicted and tidy(predicted)
    results: tuple[str, ...] = ()
    if len(replies) == 1 and replies[0].kind == "speech":
        reply = replies[0]
        text, booked = reply.text, reply.booked
        reference = text if reply.reference is None else reply.reference
    else:
        results = tuple([reply.text for reply in replies if reply.kind == "result"])
        replies = tuple([reply for reply in replies if reply.kind == "speech"])
        text = "\n".join([reply.text for reply in replies])
        reference = "\n".join([reply.text if reply.reference is None else reply.reference for reply in replies])
        booked = _bookings(replies)
    active = _active(gold, before) or active
    group = active[0] if active else ""
    return Exchange(
        user.id,
        user.text,
        text,
        reference,
        gold,
        predicted,
        active,
        group,
        Mark(1.0, "", user.id, "", group),
        Mark(0.0, "", user.id, "", group),
        results,
        booked,
    )


def _bookings(replies: Sequence[ServiceTurn]) -> tuple[str, ...] | None:
    known = [reply.booked for reply in replies if reply.booked is not None]
    return tuple(domain for booked in known for domain in booked) if known else None


def _active(gold: Annotation | None, before: Mapping[str, object]) -> tuple[str, ...]:
    if gold is None:
        return ()
    if gold.domains is not None:
        return gold.domains
    if gold.intents is not None:
        return tuple(dict.fromkeys(map(domain_of, gold.intents))) if gold.intents else ()
    if gold.state is None:
        return ()
    changed = [slot for slot, value in gold.state.items() if before.get(slot) != value]
    return tuple(dict.fromkeys(map(domain_of, changed)))


def tidy(annotation: Annotation) -> Annotation:
    """The annotation with domains in lower case and without intents that mean none, such as NONE."""
    if annotation.intents and not NO_INTENTS.isdisjoint(annotation.intents):
        annotation = structs.replace(
            annotation, intents=tuple(intent for intent in annotation.intents if intent not in NO_INTENTS)
        )
    if annotation.domains and not all(map(str.islower, annotation.domains)):
        annotation = structs.replace(annotation, domains=tuple(map(str.lower, annotation.domains)))
    return annotation


def join(first: Annotation | None, second: Annotation) -> Annotation:
    """Two annotations of the same exchange as one; the second wins where both have a field, and acts are merged."""
    if first is None:
        return second
    acts = first.acts
    if second.acts is not None:
        acts = {**(acts or {}), **second.acts}
    return Annotation(
        second.domains if second.domains is not None else first.domains,
        second.intents if second.intents is not None else first.intents,
        second.state if second.state is not None else first.state,
        second.requested if second.requested is not None else first.requested,
        acts,
        second.action if second.action is not None else first.action,
        second.booked if second.booked is not None else first.booked,
        second.unparsed if second.unparsed is not None else first.unparsed,
    )
