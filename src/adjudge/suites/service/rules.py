"""The rules of a service desk: what a booking needs, what acts amount to, what a turn calls for."""

from __future__ import annotations

import fnmatch
import tomllib
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from adjudge.core.complaint import BadInput
from adjudge.suites.service.data import ABSENT, Annotation, Exchange, ServiceDialogue, State, domain_of
from adjudge.suites.service.values import Match

HERE = Path(__file__).parent
TRANSFERABLE = ("area", "pricerange")


class Requirement(Struct, frozen=True, forbid_unknown_fields=True):
    """The slots a booking needs: all of `all` and, where given, one of `any`."""

    all: tuple[str, ...] = ()
    any: tuple[str, ...] = ()


class Policy(Struct, frozen=True, forbid_unknown_fields=True):
    """What a booking in each domain needs before it may be made."""

    book: dict[str, Requirement]

    @classmethod
    def load(cls, path: Path) -> Policy:
        """Read a policy file."""
        return _toml(path, cls)

    def lacks(self, domain: str, state: State) -> list[str]:
        """The slots that a booking in the domain still needs; empty where nothing is missing."""
        needed = self.book.get(domain)
        if needed is None:
            return []
        missing = [slot for slot in needed.all if f"{domain}-{slot}" not in state]
        if needed.any and not any(f"{domain}-{slot}" in state for slot in needed.any):
            missing.append(" or ".join(needed.any))
        return missing


class Actions(Struct, frozen=True, forbid_unknown_fields=True, dict=True):
    """Which dialogue acts amount to which action."""

    actions: dict[str, tuple[str, ...]]

    @classmethod
    def load(cls, path: Path) -> Actions:
        """Read an act-to-action table."""
        return _toml(path, cls)

    def of(self, said: Annotation) -> frozenset[str]:
        """The actions of a reply: the one it names, or those its acts amount to."""
        if said.action is not None:
            return frozenset((said.action,))
        return self._of_acts(tuple(said.acts or ()))

    def _of_acts(self, acts: tuple[str, ...]) -> frozenset[str]:
        known: dict[tuple[str, ...], frozenset[str]] = self.__dict__.setdefault("known", {})
        if acts not in known:
            if len(known) >= 1 << 16:
                known.clear()
            known[acts] = frozenset(
                action
                for action, patterns in self.actions.items()
                if any(_fits(act, pattern) for act in acts for pattern in patterns)
            )
        return known[acts]


@lru_cache(maxsize=4096)
def _fits(act: str, pattern: str) -> bool:
    return fnmatch.fnmatchcase(act.lower(), pattern.lower())


def booked_domains(exchange: Exchange, said: Annotation, actions: Actions) -> tuple[str, ...]:
    """The domains that a reply books: none if it does not book.

    Named by a book_x intent, else by the domain of the act, else by the domain the turn is about.
    """
    if "book" not in actions.of(said):
        return ()
    intended = tuple(domain_of(intent) for intent in said.intents or () if intent.startswith("book_"))
    if intended:
        return intended
    acted = tuple(
        domain_of(act)
        for act in said.acts or ()
        if "book" in actions._of_acts((act,)) and domain_of(act) not in ("booking", "general", "")
    )
    return acted or said.domains or exchange.active


def expected_action(exchange: Exchange, policy: Policy) -> str:
    """What the gold intents and state of a turn call for: search, book, request or inform.

    Empty where gold says nothing about intents, or has only intents that are neither find_x nor book_x.
    """
    gold = exchange.gold
    if gold is None or gold.intents is None:
        return ""
    for intent in gold.intents:
        if intent.startswith("book_"):
            return "request" if policy.lacks(domain_of(intent), gold.state or {}) else "book"
    if not gold.intents:
        return "inform"
    return "search" if any(intent.startswith("find_") for intent in gold.intents) else ""


class Tracked(Struct, frozen=True, gc=False):
    """The predicted state of one turn against the gold one.

    `extra` are predicted slots that gold lacks or has with another value, `missed` gold slots that are
    not predicted or predicted with another value; a wrong value is both.
    """

    exchange: Exchange
    predicted: State
    gold: State
    extra: tuple[str, ...]
    missed: tuple[str, ...]

    @property
    def right(self) -> int:
        """How many predicted pairs are right."""
        return len(self.predicted) - len(self.extra)

    def evidence(self) -> str:
        """What is wrong, pair by pair."""
        wrong = [
            f"{slot}: {_shown(self.predicted[slot])}, gold {_shown(self.gold[slot])}"
            if slot in self.gold
            else f"{slot}: {_shown(self.predicted[slot])}, not in gold"
            for slot in self.extra
        ]
        return "; ".join(
            wrong
            + [
                f"{slot}: gold {_shown(self.gold[slot])}, not predicted"
                for slot in self.missed
                if slot not in self.predicted
            ]
        )


_NOTHING: dict[str, Any] = {}


def tracked(dialogue: ServiceDialogue, match: Match) -> list[Tracked]:
    """The turns that have a gold state and a prediction, compared under a policy; computed once."""
    known: dict[str, list[Tracked]] = dialogue.__dict__.setdefault("tracked", {})
    if match.name not in known:
        known[match.name] = [_tracked(*difference, match) for difference in _differences(dialogue)]
    return known[match.name]


Difference = tuple[Exchange, State, State, tuple[str, ...], tuple[str, ...], tuple[str, ...]]


def _differences(dialogue: ServiceDialogue) -> list[Difference]:
    """What differs to the letter, once for all policies: slots not in gold, other values, slots missed."""
    known: list[Difference] | None = dialogue.__dict__.get("differences")
    if known is None:
        known = [
            (exchange, ours, theirs, *_difference(ours, theirs))
            for exchange in dialogue.exchanges
            if exchange.predicted is not None and exchange.gold is not None and exchange.gold.state is not None
            for ours, theirs in ((_filled(exchange.predicted.state), _filled(exchange.gold.state)),)
        ]
        dialogue.__dict__["differences"] = known
    return known


def _filled(state: State | None) -> State:
    """The state without slots that are there but hold no value."""
    if not state:
        return _NOTHING
    if ABSENT.isdisjoint(state.values()):
        return state
    return {slot: value for slot, value in state.items() if value not in ABSENT}


def _difference(ours: State, theirs: State) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    if ours == theirs:
        return (), (), ()
    foreign = tuple([slot for slot in ours if slot not in theirs])
    other = tuple([slot for slot, value in ours.items() if slot in theirs and theirs[slot] != value])
    missed = tuple([slot for slot in theirs if slot not in ours])
    return foreign, other, missed


def _tracked(
    exchange: Exchange,
    ours: State,
    theirs: State,
    foreign: tuple[str, ...],
    other: tuple[str, ...],
    missed: tuple[str, ...],
    match: Match,
) -> Tracked:
    wrong = tuple([slot for slot in other if not match.right(slot, ours[slot], theirs[slot])]) if other else ()
    return Tracked(exchange, ours, theirs, foreign + wrong, missed + wrong)


def pair_list(slots: Iterable[str], state: State) -> str:
    """Slot-value pairs for people to read."""
    return "; ".join(f"{slot}: {_shown(state[slot])}" for slot in slots)


def _shown(value: str | tuple[str, ...]) -> str:
    return value if isinstance(value, str) else " | ".join(value)


def _toml(path: Path, kind: type[Any]) -> Any:
    try:
        return msgspec.convert(tomllib.loads(path.read_text("utf-8")), kind)
    except OSError as error:
        raise BadInput(f"{path}: {error.strerror}; expected a TOML file") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, msgspec.ValidationError) as error:
        example = HERE / f"{kind.__name__.lower()}.toml"
        raise BadInput(f"{path}: {error}; see {example.name} of the suite for the format") from error
