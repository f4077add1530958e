"""Claims of natural replies that databases can confirm: venues, phones, addresses, postcodes, trains, references."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Literal, NamedTuple

from adjudge.suites.service.rules.linking import references_in
from adjudge.suites.service.rules.phrases import reply_words, words_of

Kind = Literal["venue", "phone", "address", "postcode", "train", "reference"]

# Nine to thirteen digits in groups or not: 01223 351-880, 123-456-7890, +44 1223 351880.
_PHONE_NUMBER = re.compile(r"(?<![\w.+])\+?\d(?:[ ()-]{0,2}\d){8,12}(?!\w)")
# Postcodes of the United Kingdom: cb2 1uj, CB17DY.
_POSTCODE = re.compile(r"\b[a-z]{1,2}\d{1,2}[a-z]? ?\d[a-z]{2}\b", re.IGNORECASE)
# A reply without a digit states no number and no code.
_DIGIT = re.compile(r"\d")
# TR1234, tr 1234.
_TRAIN_ID = re.compile(r"\btr ?\d{4}\b", re.IGNORECASE)
# Words with a capital, joined by small ones: "The Golden Dragon", "Sedgwick Museum of Earth Sciences".
_NAME = r"(?>(?:The +)?[A-Z][\w'’&-]*(?: +(?:(?:and|of|the|de|du|la|by|&|'s?) +)?[A-Z0-9&][\w'’&-]*)*)"
# The only thing on the line of a numbered list: "2. Coe Fen", "1) Name: Vinyl Nightclub", "3. **Ask** (Italian)".
_ITEM = re.compile(rf"^[ \t]*\d+[.)] +(?:Name: |\*\*)?({_NAME})(?=\*\*| *$| - | \()", re.MULTILINE)
# Digits by which numbers are compared, without the codes of country and long distance: 0871 550 1010, 871 550 1010.
_DIGITS = 9


class ReplyClaim(NamedTuple):
    """Something that a reply states as a fact, as the reply writes it."""

    kind: Kind
    text: str


@lru_cache(maxsize=1 << 14)
def claims_of(reply: str) -> tuple[ReplyClaim, ...]:
    """The claims of a reply, in no order. Arms are compared on the same gold replies, so results are cached."""
    return (*_coded_claims(reply), *(ReplyClaim("venue", name) for name in _names_in(reply)))


def phone_key(phone: str) -> str:
    """The last digits of a phone number, by which two spellings of it are compared.

    >>> phone_key("+44 1223 351-880") == phone_key("01223351880")
    True
    """
    return re.sub(r"\D", "", phone)[-_DIGITS:]


def code_key(code: str) -> str:
    """A postcode or train id without case, blanks and dots.

    >>> code_key("C.B 2, 1 U.F"), code_key("TR 1234")
    ('cb21uf', 'tr1234')
    """
    return re.sub(r"[\W_]", "", code).lower()


def address_key(address: str) -> str:
    """The words of an address with its kind of street written out.

    >>> address_key("154 Chesterton Rd."), address_key("23 High St")
    ('154 chesterton road', '23 high street')
    """
    streets = reply_words().streets
    *words, last = re.sub(r"[\W_]+", " ", address).split() or [""]
    written = streets.get(last.lower(), last)
    return " ".join(words_of(" ".join([*words, written])))


def _coded_claims(reply: str) -> Iterator[ReplyClaim]:
    """The claims that are known by their form."""
    references = references_in(reply)
    for reference in references:
        yield ReplyClaim("reference", reference)
    if not _DIGIT.search(reply):
        return
    yield from (ReplyClaim("phone", phone) for phone in _PHONE_NUMBER.findall(reply))
    yield from (ReplyClaim("postcode", code) for code in _POSTCODE.findall(reply) if code not in references)
    yield from (ReplyClaim("train", code) for code in _TRAIN_ID.findall(reply))
    yield from (ReplyClaim("address", address) for address in _address().findall(reply))


def _names_in(reply: str) -> Iterator[str]:
    """The names that a reply introduces as venues; other names are not looked at."""
    lowered = reply.lower()
    is_introduced = any(words in lowered for words in reply_words().introductions)
    names = _introduction().findall(reply) if is_introduced else []
    if "\n" in reply or reply[:1].isdigit():
        names += _ITEM.findall(reply)
    yield from (name for name in names if not _TRAIN_ID.fullmatch(name))


@cache
def _introduction() -> re.Pattern[str]:
    """Finds a name after the words that introduce one: "I recommend The Golden Dragon"."""
    words = "|".join(map(re.escape, reply_words().introductions))
    return re.compile(rf"(?i:\b(?:{words})) +(?:(?:the|a) +)?({_NAME})")


@cache
def _address() -> re.Pattern[str]:
    """Finds a number with a street: "98 King Street", "15-17 Regent St", but not "09:01 for New Street"."""
    streets = reply_words().streets
    kinds = "|".join(sorted({*streets, *streets.values()}))
    return re.compile(rf"(?<![\w:.])\d+[a-z]?(?: ?- ?\d+)? (?:[a-z']+ ){{1,3}}(?:{kinds})\b", re.IGNORECASE)
