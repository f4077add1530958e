"""Values that neither the lexicon nor the database lists: cuisines and places, told by the words around them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

# "serves martian food", "something with tuscan cuisine".
_FOOD = re.compile(
    r"\b(?:serv(?:e|es|ing)|offers?|offering|have|has|with|some) ([a-z]{4,}) (?:food|cuisine)\b", re.IGNORECASE
)
_NO_FOOD = frozenset("good great nice tasty their that this those more local different other fresh cheap".split())
# "from 12 Elm Road", "to The Moon": words with capitals after from or to, with a house number before them.
_PLACE = r"((?:\d{1,3} )?[A-Z][\w']*(?: (?:of |the |and )?[A-Z][\w']*)*)"
# "from 12 Elm Road" is where a ride begins, "to The Moon" where it ends.
_ENDS = {"departure": re.compile(rf"\b[Ff]rom {_PLACE}"), "destination": re.compile(rf"\b[Tt]o {_PLACE}")}


def unlisted_values(text: str, focus: str, state: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """The cuisine of a restaurant and the ends of a taxi ride, where the state has none after the turn."""
    if focus == "restaurant" and "restaurant-food" not in state:
        match = _FOOD.search(text)
        if match and match[1].lower() not in _NO_FOOD:
            yield "restaurant-food", match[1].lower()
    if focus == "taxi":
        for slot, pattern in _ENDS.items():
            match = None if f"taxi-{slot}" in state else pattern.search(text)
            if match:
                yield f"taxi-{slot}", match[1].lower()
