"""Placeholders of delexicalised replies: which kinds of value a reply gives."""

from __future__ import annotations

import re
from functools import lru_cache

DOMAINS = ("restaurant", "hotel", "attraction", "train", "taxi", "police", "hospital")
# The tokens that goals ask for, with the two that are offers.
KEPT = frozenset({"NAME", "TRAINID", "PHONE", "ADDRESS", "POST", "REFERENCE"})

_BASES = {
    "ADDRESS": ("address",),
    "AREA": ("area",),
    "TIME": (
        *("booktime", "time", "duration"),
        *("arriveby", "arrive", "arrive by", "leaveat", "leave", "leave at"),
    ),
    "DAY": ("day", "bookday"),
    "PLACE": ("destination", "departure", "place"),
    "FOOD": ("food",),
    "NAME": ("name",),
    "PHONE": ("phone",),
    "POST": ("postcode",),
    "PRICE": ("price", "pricerange", "price range", "entrancefee", "entrance fee"),
    "REFERENCE": ("ref", "reference"),
    "COUNT": ("stars", "stay", "bookstay", "people", "bookpeople", "choice", "count"),
    "TYPE": ("type", "car"),
    "TRAINID": ("trainid", "train_id", "id", "train"),
    "INTERNET": ("internet",),
    "PARKING": ("parking",),
    "DEPARTMENT": ("department",),
    "OPEN": ("openhours",),
}
_TOKENS = {base: token for token, bases in _BASES.items() for base in bases}
_WHOLE = {"hospital_id": "ID", "attraction_id": "ID", "restaurant_id": "ID"}
_PREFIXES = (*DOMAINS, "value")
# [hotel_name], [value_phone], [train id]. A plural ending after the bracket, "[value_type]s", changes nothing.
_SLOT = re.compile(r"\[([\w\s\d]+)\]")


@lru_cache(maxsize=1 << 14)
def tokens(reply: str) -> frozenset[str]:
    """Those of NAME, TRAINID, PHONE, ADDRESS, POST and REFERENCE that a reply gives.

    >>> sorted(tokens("[hotel_name] is at [value_address], phone [phone]s"))
    ['ADDRESS', 'NAME', 'PHONE']
    """
    return frozenset(map(_token, _names(reply))) & KEPT


@lru_cache(maxsize=1 << 14)
def is_delexicalised(reply: str) -> bool:
    """Whether a reply has a placeholder that is known."""
    return any(map(_token, _names(reply)))


def unknown(reply: str) -> list[str]:
    """The placeholder names of a reply that stand for nothing known, in order.

    >>> unknown("the [hotel_colour] one near [value_name]")
    ['hotel_colour']
    """
    return [name for name in _names(reply) if not _token(name)]


@lru_cache(maxsize=1 << 14)
def domains_in(reply: str) -> tuple[str, ...]:
    """The domains that prefix placeholders of a reply, in order, each once.

    >>> domains_in("[hotel_name] and [restaurant_name], ref [hotel_reference] on [value_day]")
    ('hotel', 'restaurant')
    """
    prefixes = (name.partition("_")[0] for name in _names(reply))
    return tuple(dict.fromkeys(prefix for prefix in prefixes if prefix in DOMAINS))


def _names(reply: str) -> list[str]:
    return _SLOT.findall(reply.lower()) if "[" in reply else []


@lru_cache(maxsize=4096)
def _token(name: str) -> str:
    """The token a placeholder name stands for, empty where it is unknown."""
    if name in _WHOLE:
        return _WHOLE[name]
    if name in _TOKENS:
        return _TOKENS[name]
    prefix, _, base = name.partition("_")
    return _TOKENS.get(base, "") if prefix in _PREFIXES else ""
