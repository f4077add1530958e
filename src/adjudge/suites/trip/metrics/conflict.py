"""Whether the assistant sees where members disagree, and says how it settled that."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

from adjudge.core.card import metric
from adjudge.core.mark import Mark
from adjudge.english.negation import is_denied
from adjudge.suites.trip.data import Trip, TripTurn
from adjudge.suites.trip.rules.dialogue import SlotPreference, syntheses
from adjudge.suites.trip.rules.divergence import by_slot, first_difference
from adjudge.suites.trip.rules.strategies import is_strategy_named

# A text of at least this many tokens counts as an explanation (metric reference, M3).
EXPLAINING_TOKENS = 6
# How far before a word of conflict a denial may stand, in characters.
SHORTLY = 100

# "These wishes conflict", "we have mixed opinions", "a trade-off".
_CONFLICT = re.compile(
    r"\b(?:conflict\w*|differ(?:s|ed|ent|ently|ing|ence|ences)?|compromis\w*|disagree\w*|diverg\w*|clash\w*|contradict\w*"
    r"|incompatible|at odds|opposing|opposite|mixed (?:views|opinions|preferences|wishes)|trade-?offs?)\b",
    re.IGNORECASE,
)

on_slots = partial(
    metric, unit="slot", pool="conversations", probes=("synthesis",), predicts=("a dialogue",), version=2
)


@on_slots(
    "M2",
    formula="slots where members differ and the synthesis reports a conflict / slots where members differ",
    better="higher",
    source="Metric Reference: Data Sources & Calculations (group travel planning), M2 Conflict Detection Rate",
    departs="The words of the synthesis are read only if it has no conflict flag, and a conflict that they deny does "
    "not count.",
    primary=True,
    english=True,
)
def conflict_detection(trip: Trip) -> Iterator[Mark]:
    """Where members want different things, does the assistant notice?

    Two members differ if one rules out what the other asks for. They also differ if they share less than half of their
    informative words, unless one says the same as the other and more. A slot without a synthesis counts as not noticed.
    Undefined if the assistant never combines wishes (C1, C2), and if no members differ.
    """
    made = syntheses(trip)
    for slot, wishes in by_slot(trip).items() if made else ():
        if pair := first_difference(wishes):
            seen = first_conflict_call(made.get(slot, []))
            why = "" if seen else f"{_quote(pair)}; {'no conflict called' if slot in made else 'no synthesis'}"
            yield Mark(float(seen is not None), at=slot, turn=seen.id if seen else pair[1].turn, why=why, group=slot)


@on_slots(
    "FalseConflicts",
    formula=(
        "slots where members agree and the synthesis reports a conflict / slots with a synthesis where members agree"
    ),
    better="lower",
    source="our own",
    english=True,
)
def false_conflicts(trip: Trip) -> Iterator[Mark]:
    """Does the assistant report a conflict where members want the same?

    Undefined for slots without a synthesis, and for slots that nobody spoke about.
    """
    made = syntheses(trip)
    for slot, wishes in by_slot(trip).items():
        if slot in made and not first_difference(wishes):
            seen = first_conflict_call(made[slot])
            why = f"a conflict is called; members said {_quote(wishes)}" if seen else ""
            yield Mark(float(seen is not None), at=slot, turn=(seen or made[slot][0]).id, why=why, group=slot)


@on_slots(
    "M3",
    formula="slots whose synthesis has an explanation, or a text of 6 tokens or more / slots with a synthesis",
    better="higher",
    source="Metric Reference: Data Sources & Calculations (group travel planning), M3 Resolution Explanation Rate",
)
def resolution_explained(trip: Trip) -> Iterator[Mark]:
    """When the assistant combines wishes, does it say why it chose this solution?

    Nearly every text has 6 tokens, so the value is seldom below 1. resolution_explained_strict requires an explanation.
    Undefined if the assistant never combines wishes (C1, C2).
    """
    for slot, turns in syntheses(trip).items():
        explained = [turn for turn in turns if _explanation(turn) or len(turn.text.split()) >= EXPLAINING_TOKENS]
        why = "" if explained else f"no explanation, and a text of fewer than {EXPLAINING_TOKENS} tokens"
        yield Mark(float(bool(explained)), at=slot, turn=(explained or turns)[0].id, why=why, group=slot)


@on_slots(
    "M3 strict",
    formula="slots whose synthesis has an explanation in its metadata / slots with a synthesis",
    better="higher",
    source="our own",
    primary=True,
)
def resolution_explained_strict(trip: Trip) -> Iterator[Mark]:
    """When the assistant combines wishes, does it record why it chose this solution?

    "N/A" and similar entries are not explanations. Undefined if no synthesis of the dialogue has metadata.
    """
    made = syntheses(trip)
    if not any(turn.synthesis for turns in made.values() for turn in turns):
        return
    for slot, turns in made.items():
        explained = [turn for turn in turns if is_strategy_named(_explanation(turn))]
        why = _explanation(explained[0]) if explained else "no resolution_explanation"
        yield Mark(float(bool(explained)), at=slot, turn=(explained or turns)[0].id, why=why, group=slot)


def first_conflict_call(turns: list[TripTurn]) -> TripTurn | None:
    """The first of these syntheses that calls a conflict, by its flag or, where it has none, in its words."""
    return next((turn for turn in turns if _calls_conflict(turn)), None)


def _calls_conflict(turn: TripTurn) -> bool:
    noted = turn.synthesis
    if noted is not None and noted.has_conflict is not None:
        return noted.has_conflict
    text = f"{turn.text}\n{noted.conflict_description if noted else ''}"
    return any(not is_denied(_sentence_before(text, match.start())) for match in _CONFLICT.finditer(text))


def _sentence_before(text: str, place: int) -> str:
    """The words of the same sentence shortly before a place."""
    return re.split(r"[.!?;\n]", text[max(place - SHORTLY, 0) : place])[-1]


def _explanation(turn: TripTurn) -> str:
    return turn.synthesis.resolution_explanation.strip() if turn.synthesis else ""


def _quote(wishes: list[SlotPreference] | tuple[SlotPreference, ...]) -> str:
    return ", ".join(f"{wish.member} {wish.text!r}" for wish in wishes)
