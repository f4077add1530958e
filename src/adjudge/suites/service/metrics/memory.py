"""What is remembered across a change of domain."""

from collections.abc import Iterator

from adjudge.core.card import metric
from adjudge.core.mark import Mark
from adjudge.suites.service.data import ServiceDialogue, State, Value, domain_of
from adjudge.suites.service.rules.tracking import TrackedTurn, tracked_turns
from adjudge.suites.service.rules.values import Match

SOURCE = "Evaluation Choices for MAS4CS (repository GiX007/mas4cs), 7 Cross-Domain Memory Transfer Accuracy"
# The constraints that mean the same in every domain.
TRANSFERABLE = ("area", "pricerange")
# A constraint may be taken over in the turn in which it comes or in the next two; see `departs`.
PATIENCE = 3


@metric(
    "MemoryAcc",
    formula=(
        "dialogue: constraints the system carries over / constraints the user carries over; dataset: mean over "
        "dialogues with any"
    ),
    unit="slot",
    better="higher",
    pool="conversations",
    probes=("memory", "triage"),
    predicts=("state",),
    source=SOURCE,
    departs=(
        "An opportunity is an area or pricerange that gold itself repeats in the new domain. The system may carry it "
        "over in that turn or in the next two."
    ),
    primary=True,
)
def memory_transfer(dialogue: ServiceDialogue, match: Match) -> Iterator[Mark]:
    """When the user carries a constraint over to a new domain, does the system carry it over too?

    The dialogue enters a domain at the first turn whose gold state has one of its slots. The constraint may appear in
    that turn or in the next two. Dialogues in which the user carries no constraint over are undefined.
    """
    turns = tracked_turns(dialogue, match)
    for entry, domain in _entries(turns):
        for slot in TRANSFERABLE:
            name = f"{domain}-{slot}"
            place = _first_mention(turns, entry, name)
            if place is None or not _is_held(name, turns[place].gold[name], turns[entry - 1].gold, match):
                continue
            wanted = turns[place].gold[name]
            taken = any(
                match.right(name, turn.predicted[name], wanted)
                for turn in turns[place : place + PATIENCE]
                if name in turn.predicted
            )
            why = "" if taken else f"{_first(wanted)} was not taken over within {PATIENCE} turns"
            yield Mark(float(taken), name, turns[place].exchange.turn, why, domain)


def _first_mention(turns: list[TrackedTurn], entry: int, name: str) -> int | None:
    """The turn in which gold first has the slot, if that is soon after the domain was entered."""
    soon = range(entry, min(entry + PATIENCE, len(turns)))
    return next((place for place in soon if name in turns[place].gold), None)


@metric(
    "MemoryCarry",
    formula="dialogue: slots of the previous predicted domain found in the new one / such slots",
    unit="slot",
    better="neither",
    pool="conversations",
    probes=("memory",),
    predicts=("state",),
    source=SOURCE,
    variant=True,
)
def memory_carryover(dialogue: ServiceDialogue, match: Match) -> Iterator[Mark]:
    """How often does a constraint of the previous domain appear in the next one?

    This is the literal reading of the source: every area and pricerange in the predicted state of the previous domain
    is an opportunity, whether or not the user wants it again. Neither direction is better.
    """
    before: TrackedTurn | None = None
    for turn in tracked_turns(dialogue, match):
        if before is not None and turn.exchange.group != before.exchange.group and before.exchange.group:
            yield from _carryovers(before, turn, match)
        before = turn


def _carryovers(before: TrackedTurn, turn: TrackedTurn, match: Match) -> Iterator[Mark]:
    old, new = before.exchange.group, turn.exchange.group
    for slot in TRANSFERABLE:
        held = before.predicted.get(f"{old}-{slot}")
        if held is not None:
            name = f"{new}-{slot}"
            carried = name in turn.predicted and match.right(name, turn.predicted[name], held)
            yield Mark(float(carried), name, turn.exchange.turn, "", new)


def _entries(turns: list[TrackedTurn]) -> Iterator[tuple[int, str]]:
    """Where the gold state first has a domain after it had another: position and new domain."""
    domains: set[str] = set()
    for position, turn in enumerate(turns):
        if turn.gold_domains <= domains:
            continue
        entered = [domain for domain in dict.fromkeys(map(domain_of, turn.gold)) if domain not in domains]
        if domains:
            for domain in entered:
                yield position, domain
        domains.update(entered)


def _is_held(name: str, wanted: Value, before: State, match: Match) -> bool:
    """Whether the state before holds the value of a slot in the slot of another domain."""
    domain, _, slot = name.partition("-")
    return any(
        other.endswith(f"-{slot}") and domain_of(other) != domain and match.right(other, alternative, wanted)
        for other, value in before.items()
        for alternative in ((value,) if isinstance(value, str) else value)
    )


def _first(value: Value) -> str:
    return value if isinstance(value, str) else value[0]
