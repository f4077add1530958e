"""The rules of a service desk: what a booking needs, what acts amount to, what a turn calls for."""

from __future__ import annotations

import fnmatch
import tomllib
from collections.abc import Iterable
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from adjudge.core.errors import BadInput
from adjudge.suites.service.data import ABSENT, Annotation, Exchange, ServiceDialogue, State, domain_of
from adjudge.suites.service.values import Match

HERE = Path(__file__).parent

T = TypeVar("T")
TRANSFERABLE = ("area", "pricerange")
ACTIONS = ("search", "book", "request", "inform")


class Requirement(Struct, frozen=True, forbid_unknown_fields=True):
    """The slots a booking needs: all of `all` and, where given, one of `any`."""

    all: tuple[str, ...] = ()
    any: tuple[str, ...] = ()


class Policy(Struct, frozen=True, eq=False, forbid_unknown_fields=True):
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
        missing = [slot for slot in needed.all if state.get(f"{domain}-{slot}", "") in ABSENT]
        if needed.any and all(state.get(f"{domain}-{slot}", "") in ABSENT for slot in needed.any):
            missing.append(" or ".join(needed.any))
        return missing


class Actions(Struct, frozen=True, eq=False, forbid_unknown_fields=True, dict=True):
    """Which dialogue acts amount to which action."""

    actions: dict[str, tuple[str, ...]]

    @classmethod
    def load(cls, path: Path) -> Actions:
        """Read an act-to-action table; it must say what each of the four actions is."""
        table = _toml(path, cls)
        if missing := [name for name in ACTIONS if name not in table.actions]:
            raise BadInput(f"{path}: no acts for {', '.join(missing)}; expected [actions] with {', '.join(ACTIONS)}")
        return table

    def of(self, said: Annotation) -> frozenset[str]:
        """The actions of a reply: the one it names, or those its acts amount to."""
        if said.action is not None:
            return _alone(action_word(said.action))
        return self.of_acts(tuple(said.acts)) if said.acts else _alone("")

    def of_acts(self, acts: tuple[str, ...]) -> frozenset[str]:
        """The actions that acts amount to; combinations of acts recur, so each is looked up once."""
        known = self._known
        found = known.get(acts)
        if found is None:
            if len(known) >= 1 << 16:
                known.clear()
            found = known[acts] = frozenset(
                action
                for action, patterns in self.actions.items()
                if any(_fits(act, pattern) for act in acts for pattern in patterns)
            )
        return found

    @cached_property
    def _known(self) -> dict[tuple[str, ...], frozenset[str]]:
        return {}


@lru_cache(maxsize=1024)
def action_word(action: str) -> str:
    """The action as the table names it.

    >>> action_word("Book"), action_word("book_hotel"), action_word("request_info")
    ('book', 'book', 'request')
    """
    return action.strip().lower().partition("_")[0]


@lru_cache(maxsize=1024)
def _alone(action: str) -> frozenset[str]:
    return frozenset((action,)) if action else frozenset()


@lru_cache(maxsize=4096)
def _fits(act: str, pattern: str) -> bool:
    return fnmatch.fnmatchcase(act.lower(), pattern.lower())


def expected_actions(dialogue: ServiceDialogue, policy: Policy) -> list[str]:
    """What each exchange calls for; computed once."""
    return dialogue.once(
        ("expected", policy), lambda: [expected_action(exchange, policy) for exchange in dialogue.exchanges]
    )


def booked_domains(exchange: Exchange, said: Annotation, actions: Actions) -> tuple[str, ...]:
    """The domains that a reply books: none if it does not book.

    Named by the act, else by a book_x intent, else by the domain the turn is about.
    """
    if "book" not in actions.of(said):
        return ()
    acted = tuple(
        domain_of(act)
        for act in said.acts or ()
        if "book" in actions.of_acts((act,)) and domain_of(act) not in ("booking", "general", "")
    )
    if acted:
        return acted
    intended = tuple(domain_of(intent) for intent in said.intents or () if intent.startswith("book_"))
    return intended or (said.domains or exchange.active)[:1]


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
    not predicted or predicted with another value; a wrong value is both. `stated` is false where no state was
    predicted, not even an empty one.
    """

    exchange: Exchange
    predicted: State
    gold: State
    extra: tuple[str, ...]
    missed: tuple[str, ...]
    stated: bool

    @property
    def exact(self) -> bool:
        """Whether the state is right as a whole."""
        return self.stated and not self.extra and not self.missed

    @property
    def right(self) -> int:
        """How many predicted pairs are right."""
        return len(self.predicted) - len(self.extra)

    def evidence(self) -> str:
        """What is wrong, pair by pair."""
        if not self.stated:
            return "no state predicted"
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
    return dialogue.once(
        ("tracked", match.name),
        lambda: [_under(match, turn, unequal) if unequal else turn for turn, unequal in _compared(dialogue)],
    )


def _compared(dialogue: ServiceDialogue) -> list[tuple[Tracked, tuple[str, ...]]]:
    """The turns compared to the letter, once for all policies, each with the slots whose values differ."""
    return dialogue.once(
        "compared",
        lambda: [
            _to_the_letter(exchange, _filled(exchange.predicted.state), _filled(exchange.gold.state))
            for exchange in dialogue.exchanges
            if exchange.predicted is not None and exchange.gold is not None and exchange.gold.state is not None
        ],
    )


def _to_the_letter(exchange: Exchange, ours: State, theirs: State) -> tuple[Tracked, tuple[str, ...]]:
    stated = exchange.predicted is not None and exchange.predicted.state is not None
    if ours == theirs:
        return Tracked(exchange, ours, theirs, (), (), stated), ()
    foreign = tuple([slot for slot in ours if slot not in theirs])
    missed = tuple([slot for slot in theirs if slot not in ours])
    unequal = tuple([slot for slot, value in ours.items() if slot in theirs and theirs[slot] != value])
    return Tracked(exchange, ours, theirs, foreign, missed, stated), unequal


def _under(match: Match, turn: Tracked, unequal: tuple[str, ...]) -> Tracked:
    """The turn with those unequal values counted as wrong that the policy does not take as the same."""
    ours, theirs = turn.predicted, turn.gold
    wrong = tuple([slot for slot in unequal if not match.right(slot, ours[slot], theirs[slot])])
    return Tracked(turn.exchange, ours, theirs, turn.extra + wrong, turn.missed + wrong, turn.stated) if wrong else turn


def _filled(state: State | None) -> State:
    """The state without slots that are there but hold no value."""
    if not state:
        return _NOTHING
    if ABSENT.isdisjoint(state.values()):
        return state
    return {slot: value for slot, value in state.items() if value not in ABSENT}


def pair_list(slots: Iterable[str], state: State) -> str:
    """Slot-value pairs for people to read."""
    return "; ".join(f"{slot}: {_shown(state[slot])}" for slot in slots)


def _shown(value: str | tuple[str, ...]) -> str:
    return value if isinstance(value, str) else " | ".join(value)


def _toml(path: Path, kind: type[T]) -> T:
    try:
        return msgspec.convert(tomllib.loads(path.read_text("utf-8")), kind)
    except OSError as error:
        raise BadInput(f"{path}: {error.strerror}; expected a TOML file") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, msgspec.ValidationError) as error:
        example = HERE / f"{kind.__name__.lower()}.toml"
        raise BadInput(f"{path}: {error}; see {example.name} of the suite for the format") from error
