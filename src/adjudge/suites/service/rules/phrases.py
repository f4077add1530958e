"""The ways in which natural replies write the names, addresses and codes of the databases."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, cached_property

from msgspec import Struct

from adjudge.suites.service.rules.spelling import spellings
from adjudge.suites.service.rules.tables import LEXICON, read_table

# The ending of "all saint's", "christ 's" and "lovell’s", and other apostrophes.
_POSSESSIVE = re.compile(r"\s?['’]\s?s\b|['’]")
# Letters and digits: "christ", "17", "cb17dy".
_WORD = re.compile(r"[^\W_]+")


class ReplyWords(Struct, frozen=True, forbid_unknown_fields=True, dict=True):
    """The words of `lexicon/replies.toml`, which says what each table holds."""

    taxi: frozenset[str]
    introductions: tuple[str, ...]
    ordinary: frozenset[str]
    streets: dict[str, str]
    words: dict[str, str]
    phrases: dict[str, str]

    @cached_property
    def variants(self) -> frozenset[str]:
        """The words at which a variant spelling may start, and the s of a possessive."""
        return frozenset({*self.words, "s", *(phrase.split()[0] for phrase in self.phrases)})


@cache
def reply_words() -> ReplyWords:
    """The words by which replies are linked, read once."""
    return read_table(LEXICON / "replies.toml", ReplyWords)


def words_of(text: str) -> list[str]:
    """The words of a text without case, punctuation, possessive s and variant spelling."""
    plain = text.lower().replace("&", " and ")
    if "'" in plain or "’" in plain:
        plain = _POSSESSIVE.sub("", plain)
    words = _WORD.findall(plain)
    known = reply_words()
    if not known.variants.isdisjoint(words):
        words = _with_short_forms([known.words.get(word, word) for word in words if word != "s"])
    return words


def _with_short_forms(words: list[str]) -> list[str]:
    text = f" {' '.join(words)} "
    for long, short in reply_words().phrases.items():
        text = text.replace(f" {long} ", f" {short} ")
    return text.split()


def name_pattern(word: str) -> re.Pattern[str]:
    """Finds an ordinary word used as a name: "the hotel Ask" or "a place called ask", not "Ask me" at the start."""
    return re.compile(rf"\w\s+{word.capitalize()}\b|(?i:\b(?:called|named)\W+(?:the\s+)?{word}\b)")


def name_forms(name: str) -> set[str]:
    """The ways a venue's name is written: known misspellings, with and without "the" and apostrophes."""
    written = {name, name.replace("'s", "s")}
    phrases = {tuple(words_of(form)) for form in written}
    for wrong, right in spellings().name.items():
        if tuple(words_of(right)) in phrases:
            written |= {wrong, wrong.replace("'s", "s")}
    written |= {possessive for form in written for possessive in _possessives(form)}
    shorter = {form.lower().removeprefix("the ") for form in written}
    return written | {form for form in shorter if len(form.split()) > 1}


def _possessives(name: str) -> Iterator[str]:
    """The name with an apostrophe before the final s of each of its words in turn: "all saint's church"."""
    words = name.split()
    for place, word in enumerate(words):
        if len(word) > 4 and word.endswith("s"):
            yield " ".join([*words[:place], f"{word[:-1]}'s", *words[place + 1 :]])


def address_forms(address: str) -> set[str]:
    """The ways an address is written: with and without apostrophes and the city centre at its end."""
    written = {address, address.replace("'s", "s"), address.replace(" s ", "s ")}
    streets = {form.lower().removesuffix(" city centre") for form in written}
    return written | {street for street in streets if len(street.split()) > 1}


def halves(code: str, split: int) -> tuple[str, str]:
    """A code in one word and in two: cb17dy, cb1 7dy."""
    return code, f"{code[:split]} {code[split:]}"
