"""How often intents by rule are right on turns that people wrote for others.

    python benchmarks/trip_intents.py                 # the half that the rules were tried on, and the other
    python benchmarks/trip_intents.py --wrong 20      # with the first wrong turns of the first half

Two sources have gold intents. (1) The dev part of MultiWOZ 2.2: what its users say about restaurants, hotels and
attractions is a wish for cuisine, lodging or attraction (dialogue acts `X-Inform`); all else is none. The rules were
tried on the dialogues with an even number and never looked at the others. (2) The sample of the suite, whose wording
the rules were not made on: all slots, what the assistant does, and who accepts or rejects.
Precision and recall are over pairs of a turn and an intent; a turn is right if it has exactly its intents.
"""

from __future__ import annotations

import argparse
import csv
import gzip
from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path

import msgspec

from adjudge.stats.interval import wilson
from adjudge.suites.trip import suite
from adjudge.suites.trip.data import Trip, TripTurn
from adjudge.suites.trip.rules.dialogue import PART
from adjudge.suites.trip.rules.intents import assign_intents

TURNS = Path(__file__).parents[2] / "shared" / "data" / "multiwoz" / "mw22_dev_turns_gold_intents.csv.gz"
PREFIXES = (
    *("user_provide_", "user_accept_plan", "user_reject_plan"),
    *("sys_request_", "sys_synthesize_", "sys_present_plan"),
)
SLOTS = {"Restaurant": "cuisine", "Hotel": "lodging", "Attraction": "attraction"}

# A turn's text, its gold intents, and those by rule.
Compared = tuple[str, set[str], set[str]]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--wrong", type=int, default=0, metavar="N", help="show the first N wrong turns of dev")
    shown = parser.parse_args().wrong
    if TURNS.exists():
        halves: dict[bool, list[Compared]] = {True: [], False: []}
        for number, dialogue in enumerate(multiwoz()):
            halves[number % 2 == 0] += compare(dialogue)
        report("MultiWOZ, tried on", halves[True])
        for text, gold, given in [each for each in halves[True] if each[1] != each[2]][:shown]:
            print(f"    {text!r}: gold {sorted(gold)}, by rule {sorted(given)}")
        report("MultiWOZ, never looked at", halves[False])
    for prefix in PREFIXES:
        report(f"sample, {prefix.strip('_')}", [each for trip in sample() for each in compare(trip, prefix)])


def multiwoz() -> Iterator[list[TripTurn]]:
    """The dialogues of MultiWOZ, with wishes as intents."""
    with gzip.open(TURNS, "rt", encoding="utf-8", newline="") as table:
        for _, rows in groupby(csv.DictReader(table), key=lambda row: row["dialogue_id"]):
            yield [turn for row in rows for turn in labelled(row)]


def labelled(row: dict[str, str]) -> Iterator[TripTurn]:
    """A turn for each of its gold intents."""
    speaker = "system" if row["speaker"] == "SYSTEM" else "user"
    acts = row["dialogue_act"].replace(";", ",").split(",") if speaker == "user" else []
    informs = {act.strip().removesuffix("-Inform") for act in acts if act.strip().endswith("-Inform")}
    intents = [f"user_provide_{SLOTS[domain]}" for domain in sorted(informs) if domain in SLOTS]
    for number, intent in enumerate(intents or [""], 1):
        yield TripTurn(f"{row['turn']}{PART}{number}" if number > 1 else row["turn"], speaker, row["utterance"], intent)


def sample() -> list[list[TripTurn]]:
    """The dialogues of the sample."""
    lines = Path(suite.sample).read_bytes().splitlines()
    return [list(msgspec.json.decode(line, type=Trip).turns) for line in lines]


def compare(turns: list[TripTurn], prefix: str = "user_provide_") -> Iterator[Compared]:
    """Each turn with its gold intents and those by rule, of those that begin with the prefix."""
    bare = [msgspec.structs.replace(turn, intent="") for turn in turns if PART not in turn.id]
    gold, given = intents_of(turns), intents_of(assign_intents(bare))
    wanted = set(SLOTS.values()) if any(turn.speaker == "user" for turn in turns) else None
    for turn in bare:
        if (turn.speaker == "system") == prefix.startswith("sys_"):
            kept = [
                {
                    intent
                    for intent in side.get(turn.id, ())
                    if intent.startswith(prefix) and (wanted is None or intent.rpartition("_")[2] in wanted)
                }
                for side in (gold, given)
            ]
            yield turn.text, kept[0], kept[1]


def intents_of(turns: Iterable[TripTurn]) -> dict[str, set[str]]:
    """The intents of each message."""
    intents: dict[str, set[str]] = {}
    for turn in turns:
        intents.setdefault(turn.id.partition(PART)[0], set()).update([turn.intent] if turn.intent else [])
    return intents


def report(name: str, compared: list[Compared]) -> None:
    """Print how often the rules are right."""
    right = sum(gold == given for _, gold, given in compared)
    hits = sum(len(gold & given) for _, gold, given in compared)
    all_given, all_gold = sum(len(given) for *_, given in compared), sum(len(gold) for _, gold, _ in compared)
    low, high = wilson(right / len(compared), len(compared))
    precision, recall = hits / max(all_given, 1), hits / max(all_gold, 1)
    print(
        f"{name:<26} turns right {right / len(compared):.3f} [{low:.3f}, {high:.3f}] of {len(compared):,}; "
        f"precision {precision:.3f} of {all_given:,}, recall {recall:.3f} of {all_gold:,}"
    )


if __name__ == "__main__":
    main()
