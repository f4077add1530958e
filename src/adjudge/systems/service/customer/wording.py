"""The words of the simulated customer: acts put into sentences with the templates of a wordings file."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from random import Random

from msgspec import structs

from adjudge.suites.service.rules.tables import read_table
from adjudge.systems.service.catalogue import display_name
from adjudge.systems.service.customer.acts import Act

HERE = Path(__file__).parent
WORDINGS = {"first": HERE / "wordings.toml", "second": HERE / "wordings_second.toml"}
Wordings = Mapping[str, Mapping[str, tuple[str, ...]]]

# Values as people say them, where databases write them otherwise.
_SPOKEN = {
    "mutliple sports": "multiple sports",
    "swimmingpool": "swimming pool",
    "concerthall": "concert hall",
    "nightclub": "night club",
    "guesthouse": "guest house",
}
_NAMES = ("name", "departure", "destination")
# "1 people", "1 nights", "1 tickets".
_ONE = re.compile(r"\b1 (people|nights|tickets|guests|stars)\b")
_SINGULARS = {"people": "person", "nights": "night", "tickets": "ticket", "guests": "guest", "stars": "star"}
# "a attraction", "a expensive one", before a vowel; names begin with a capital and are left alone.
_ARTICLE = re.compile(r"\b([Aa]) (?=[aeiou]|8)")


def speak(acts: Sequence[Act], wordings: Wordings, rng: Random) -> str:
    """The acts as an utterance."""
    text = " ".join(_sentence(act, wordings, rng) for act in acts)
    text = _ONE.sub(lambda match: f"1 {_SINGULARS[match[1]]}", text)
    text = _ARTICLE.sub(r"\1n ", text)
    return ". ".join(part[:1].upper() + part[1:] for part in text.split(". "))


def _sentence(act: Act, wordings: Wordings, rng: Random) -> str:
    if act.kind == "request":
        return _questions(act, wordings, rng)
    if act.kind in ("inform", "alternative"):
        return _fill_frame(act, wordings, rng)
    table = wordings[act.kind]
    slot = next(iter(act.pairs), "")
    template = rng.choice(table.get(act.domain) or table.get(slot) or table.get("ends") or table["any"])
    values = {"value": _as_people_say(slot, act.pairs.get(slot, "")), "domain": act.same.get(slot, act.domain)}
    return template.format_map({**values, **_booking(act), **_ends(act, rng)})


def _fill_frame(act: Act, wordings: Wordings, rng: Random) -> str:
    """A frame with the pieces of all slots: "It should be cheap and be in the north."."""
    pieces = []
    for slot, value in act.pairs.items():
        refuses = value == "no" and slot in wordings.get(f"{act.kind}_no", {})
        table = wordings[f"{act.kind}_no"] if refuses else wordings[act.kind]
        pieces.append(rng.choice(table[slot]).format(value=_as_people_say(slot, value)))
    return rng.choice(wordings[act.kind]["frame"]).format(x=_joined_text(pieces))


def _questions(act: Act, wordings: Wordings, rng: Random) -> str:
    alone = wordings["request_alone"]
    framed = structs.replace(act, pairs={slot: value for slot, value in act.pairs.items() if slot not in alone})
    questions = [_fill_frame(framed, wordings, rng)] if framed.pairs else []
    return " ".join([*questions, *(rng.choice(alone[slot]) for slot in act.pairs if slot in alone)])


def _joined_text(pieces: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(pieces[:-1]), pieces[-1])))


def _as_people_say(slot: str, value: str) -> str:
    return display_name(value) if slot in _NAMES else _SPOKEN.get(value, value)


def _booking(act: Act) -> dict[str, str]:
    """The values of a booking; what repeats an earlier one is said so."""
    values = {slot.removeprefix("book"): value for slot, value in act.pairs.items() if slot.startswith("book")}
    if act.kind == "book" and "bookpeople" in act.same:
        values["people"] = "the same group of"
    if act.kind == "book" and "bookday" in act.same:
        values["day"] = "the same day"
    return values


def _ends(act: Act, rng: Random) -> dict[str, str]:
    """The ends of a taxi ride: by name, or as "the hotel" where it was found before."""
    if act.kind != "taxi":
        return {}
    points = rng.random() < 0.5
    return {
        slot: f"the {act.same[slot]}" if points and slot in act.same else display_name(act.pairs[slot])
        for slot in ("departure", "destination")
    }


@cache
def wordings_of(name: str) -> Wordings:
    """The wordings of a name: first or second."""
    return read_table(WORDINGS[name], dict[str, dict[str, tuple[str, ...]]])
