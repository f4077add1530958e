"""Replies by template: a move put into words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from random import Random

from adjudge.suites.service.rules.database import UNKNOWN
from adjudge.suites.service.rules.tables import read_table
from adjudge.systems.service.catalogue import VenueIndex, display_name
from adjudge.systems.service.lexicon import LEXICON
from adjudge.systems.service.moves import Move

# A placeholder of a template: {name}.
_FIELD = re.compile(r"\{(\w+)\}")
# Facts that stand in the sentence of a booking or offer already.
_IN_SENTENCE = {"taxi": ("car", "phone")}
# How slots are called in replies, where not by their own name.
_NAMES = {"fee": "entrance fee", "pricerange": "price range", "cost": "price", "internet": "information about wifi"}


def word_reply(move: Move, catalogue: VenueIndex, rng: Random) -> str:
    """The reply that a move amounts to."""
    return " ".join(_sentences(move, catalogue, rng))


def _sentences(move: Move, catalogue: VenueIndex, rng: Random) -> Iterator[str]:
    values = _values(move, catalogue)
    if move.act != "ask" and not (move.act == "inform" and not move.facts):
        yield _sentence(move.act, move.domain, values, rng)
    for slot, value in move.facts.items():
        if slot not in _IN_SENTENCE.get(move.domain, ()) and slot not in ("name", "department"):
            yield _fact(slot, value, rng)
    if move.act == "ask" and move.choices:
        yield _sentence("count", move.domain, values, rng)
    if move.act in ("ask", "offer"):
        for slot in move.slots:
            yield _sentence("ask", slot, values, rng)
    if not (move.act == "offer" and move.slots) and move.act in _templates()["next"]:
        yield _sentence("next", move.act, values, rng)


def _sentence(act: str, name: str, values: Mapping[str, str], rng: Random) -> str:
    """A sentence for an act: a template whose values are known, else the first one with what is known."""
    table = _templates()[act]
    templates = table.get(name) or table["any"]
    known = [template for template in templates if all(values.get(field) for field in _FIELD.findall(template))]
    chosen = rng.choice(known) if known else templates[0]
    return " ".join(_FIELD.sub(lambda field: values.get(field[1], ""), chosen).split())


def _fact(slot: str, value: str, rng: Random) -> str:
    if not value:
        return _sentence("unknown", "any", {"slot": _NAMES.get(slot, slot)}, rng)
    return _sentence("fact", slot, {"value": value}, rng)


def _values(move: Move, catalogue: VenueIndex) -> dict[str, str]:
    row = catalogue.row(move.domain, move.id, move.state) if move.id else {}
    values = {slot: value for slot, value in row.items() if value != UNKNOWN} | move.facts
    if "name" in values:
        values["name"] = display_name(values["name"])
    for station in ("departure", "destination"):
        if station in values:
            values[station] = display_name(values[station])
    return values | {"domain": move.domain, "reference": move.reference, "choices": str(move.choices)}


@cache
def _templates() -> dict[str, dict[str, tuple[str, ...]]]:
    return read_table(LEXICON / "replies.toml", dict[str, dict[str, tuple[str, ...]]])
