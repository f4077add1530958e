"""The predicted dialogue state against the gold one, slot by slot."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec import Struct

from adjudge.core.memo import once
from adjudge.suites.service.data import ABSENT, NO_PREDICTION, Exchange, ServiceDialogue, State, domain_of, domains_of
from adjudge.suites.service.rules.values import Match


class TrackedTurn(Struct, frozen=True, gc=False):
    """The predicted state of one turn against the gold one.

    `extra` are predicted slots that gold lacks or has with another value, `missed` gold slots that are
    not predicted or predicted with another value; a wrong value is both. `stated` is false where no state was
    predicted, not even an empty one. `exact` says whether the state is right as a whole. `gold_domains` are the domains
    of the gold slots.
    """

    exchange: Exchange
    predicted: State
    gold: State
    extra: tuple[str, ...]
    missed: tuple[str, ...]
    stated: bool
    exact: bool
    gold_domains: frozenset[str]

    @property
    def right(self) -> int:
        """How many predicted pairs are right."""
        return len(self.predicted) - len(self.extra)

    @property
    def active_domains(self) -> tuple[str, ...]:
        """The domains a turn is about, by gold and by the arm's own routing."""
        predicted = self.exchange.predicted or NO_PREDICTION
        return self.exchange.active + (predicted.domains or tuple(map(domain_of, predicted.intents or ())))

    @property
    def examined_slots(self) -> list[str]:
        """The predicted slots that hallucination looks at: all but those of domains that gold remembers from before."""
        remembered = self.gold_domains.difference(self.active_domains)
        if not remembered:
            return list(self.predicted)
        return [slot for slot in self.predicted if domain_of(slot) not in remembered]

    @property
    def invented_slots(self) -> list[str]:
        """The examined slots that gold lacks or has with another value."""
        return [slot for slot in self.examined_slots if slot in self.extra] if self.extra else []

    def evidence(self) -> str:
        """What is wrong, pair by pair."""
        if not self.stated:
            return "no state predicted"
        wrong = [
            f"{slot}: {_value_text(self.predicted[slot])}, gold {_value_text(self.gold[slot])}"
            if slot in self.gold
            else f"{slot}: {_value_text(self.predicted[slot])}, not in gold"
            for slot in self.extra
        ]
        return "; ".join(
            wrong
            + [
                f"{slot}: gold {_value_text(self.gold[slot])}, not predicted"
                for slot in self.missed
                if slot not in self.predicted
            ]
        )


# A turn, and the slots whose values differ to the letter.
Comparison = tuple[TrackedTurn, tuple[str, ...]]

_NO_STATE: dict[str, Any] = {}


@once
def tracked_turns(dialogue: ServiceDialogue, match: Match) -> list[TrackedTurn]:
    """The turns that have a gold state and a prediction, compared under a policy."""
    comparisons = _literal_comparisons(dialogue, match.ignored)
    return [_under_policy(match, turn, unequal) if unequal else turn for turn, unequal in comparisons]


def pair_list(slots: Iterable[str], state: State) -> str:
    """Slot-value pairs for people to read."""
    return "; ".join(f"{slot}: {_value_text(state[slot])}" for slot in slots)


@once
def _literal_comparisons(dialogue: ServiceDialogue, ignored: frozenset[str]) -> list[Comparison]:
    """The turns compared literally, once for all policies that ignore the same values in gold.

    Each turn comes with the slots whose values differ.
    """
    if ignored:
        return [_without_ignored(comparison, ignored) for comparison in _literal_comparisons(dialogue, frozenset())]
    return [
        _compare_literally(exchange, _without_absent(exchange.predicted.state), _without_absent(exchange.gold.state))
        for exchange in dialogue.exchanges
        if exchange.predicted is not None and exchange.gold is not None and exchange.gold.state is not None
    ]


def _compare_literally(exchange: Exchange, ours: State, theirs: State) -> Comparison:
    stated = exchange.predicted is not None and exchange.predicted.state is not None
    domains = domains_of(tuple(theirs))
    if ours == theirs:
        return TrackedTurn(exchange, ours, theirs, (), (), stated, stated, domains), ()
    differing = [slot for slot, value in ours.items() if theirs.get(slot) != value]
    foreign = tuple([slot for slot in differing if slot not in theirs])
    unequal = tuple([slot for slot in differing if slot in theirs])
    missed = tuple([slot for slot in theirs if slot not in ours])
    exact = stated and not foreign and not missed
    return TrackedTurn(exchange, ours, theirs, foreign, missed, stated, exact, domains), unequal


def _under_policy(match: Match, turn: TrackedTurn, unequal: tuple[str, ...]) -> TrackedTurn:
    """The turn with unequal values counted as wrong, unless the policy takes them as the same."""
    ours, theirs = turn.predicted, turn.gold
    wrong = tuple([slot for slot in unequal if not match.right(slot, ours[slot], theirs[slot])])
    if not wrong:
        return turn
    return TrackedTurn(
        turn.exchange, ours, theirs, turn.extra + wrong, turn.missed + wrong, turn.stated, False, turn.gold_domains
    )


def _without_absent(state: State | None) -> State:
    """The state without slots that are there but hold no value."""
    if not state:
        return _NO_STATE
    if ABSENT.isdisjoint(state.values()):
        return state
    return {slot: value for slot, value in state.items() if value not in ABSENT}


def _without_ignored(comparison: Comparison, ignored: frozenset[str]) -> Comparison:
    """The comparison without gold slots that have an ignored value among their alternatives."""
    turn, _ = comparison
    values = turn.gold.values()
    if ignored.isdisjoint(values) and tuple not in map(type, values):
        return comparison
    kept = {
        slot: value
        for slot, value in turn.gold.items()
        if (value not in ignored if isinstance(value, str) else ignored.isdisjoint(value))
    }
    return comparison if len(kept) == len(turn.gold) else _compare_literally(turn.exchange, turn.predicted, kept)


def _value_text(value: str | tuple[str, ...]) -> str:
    return value if isinstance(value, str) else " | ".join(value)
