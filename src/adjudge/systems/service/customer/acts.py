"""The acts of the simulated customer, and the agenda that it works through."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct, structs

from adjudge.systems.service.customer.wishes import DomainWish

ActKind = Literal[
    "open", "open_name", "taxi", "inform", "same", "answer", "dontcare", "alternative", "request", "book", "book_short",
    "decline", "another", "repeat", "thanks", "bye",
]  # fmt: skip
# Domains with venues that have names.
VENUES = ("restaurant", "hotel", "attraction")


class Act(Struct, frozen=True):
    """One thing that the customer says: a kind of act with the slots and values it is about.

    `same` names, by slot, the domain whose value it repeats or whose venue it means.
    """

    kind: ActKind
    domain: str = ""
    pairs: dict[str, str] = {}
    same: dict[str, str] = {}


class Agenda(Struct, frozen=True, omit_defaults=True):
    """How far the customer is.

    `domain` is the domain in hand and `done` those before it. `state` is what the customer has said so far, as the
    gold state of the dialogue; `venues` are the names of the venues (ids of trains) that it was offered, by domain.
    The rest is about the domain in hand: facts given, how often each was asked for, whether the customer has settled
    for its alternative, how often it has asked for the booking and for another venue, the turns it took,
    and how often it has answered a question again.
    """

    domain: str = ""
    done: tuple[str, ...] = ()
    state: dict[str, str] = {}
    venues: dict[str, str] = {}
    given: tuple[str, ...] = ()
    requested: dict[str, int] = {}
    settled: bool = False
    rebooked: bool = False
    booked: bool = False
    tries: int = 0
    others: int = 0
    turns: int = 0
    repeats: int = 0

    @property
    def is_over(self) -> bool:
        """Whether the customer has said goodbye."""
        return bool(self.done) and not self.domain

    def say(self, domain: str, pairs: Mapping[str, str]) -> Agenda:
        """The agenda after the customer has said some slots of a domain."""
        added = {f"{domain}-{slot}": value for slot, value in pairs.items()}
        return structs.replace(self, state={**self.state, **added})

    def choose(self, wish: DomainWish) -> Agenda:
        """The agenda after the customer has taken up the venue that it was offered; a name in its wish stays."""
        if self.domain not in VENUES or self.domain not in self.venues or "name" in wish.informs:
            return self
        return self.say(self.domain, {"name": self.venues[self.domain]})


class CustomerMove(Struct, frozen=True):
    """What the customer says in a turn, and its agenda after it."""

    agenda: Agenda
    acts: tuple[Act, ...]
