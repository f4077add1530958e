"""The predicted dialogue state against the gold one, slot by slot."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec import Struct

from adjudge.suites.service.data import ABSENT, Exchange, ServiceDialogue, State
from adjudge.suites.service.rules.values import Match


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


def pair_list(slots: Iterable[str], state: State) -> str:
    """Slot-value pairs for people to read."""
    return "; ".join(f"{slot}: {_shown(state[slot])}" for slot in slots)


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


def _shown(value: str | tuple[str, ...]) -> str:
    return value if isinstance(value, str) else " | ".join(value)
