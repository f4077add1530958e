"""Placeholders of delexicalised replies: which kinds of value a reply gives."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from msgspec import Struct

from adjudge.suites.service.rules.database import DOMAINS
from adjudge.suites.service.rules.tables import LEXICON, read_table

# The tokens that goals ask for, with the two that are offers.
KEPT = frozenset({"NAME", "TRAINID", "PHONE", "ADDRESS", "POST", "REFERENCE"})

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
    known = _known_names()
    whole = known.whole_names.get(name) or known.names.get(name)
    if whole:
        return whole
    prefix, _, base = name.partition("_")
    return known.names.get(base, "") if prefix == "value" or prefix in DOMAINS else ""


class _Names(Struct, frozen=True, forbid_unknown_fields=True):
    """The names of `lexicon/placeholders.toml` with the tokens they stand for, after a domain and as a whole."""

    names: dict[str, str]
    whole_names: dict[str, str]


@cache
def _known_names() -> _Names:
    return read_table(LEXICON / "placeholders.toml", _Names)
