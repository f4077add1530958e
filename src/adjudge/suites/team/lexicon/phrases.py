"""What ends a conversation and what claims success, from `phrases.toml`."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib.resources import files
from typing import Any

from adjudge.english.normalise import plain_speech

# A sentence in running text: up to a full stop, a mark or a line break.
_SENTENCE = re.compile(r"[^.!?\n]+")
# Longer turns say something else as well.
LONGEST_COURTESY = 120
# Endings of a text after its last word: "TERMINATE.", "**TERMINATE**"
_TRIM = " \t\r\n.!*`\"'_"


def announces_end(text: str) -> bool:
    """Whether a turn says that the conversation is over: by a mark at its end, or in a sentence.

    >>> announces_end("All is booked.\\nTERMINATE"), announces_end("Thank you, goodbye!")
    (True, True)
    >>> announces_end("Reply TERMINATE when you are finished"), announces_end("Is the task complete?")
    (False, False)
    """
    trimmed = text.rstrip(_TRIM)
    if trimmed.endswith(_end_marks()) and any(_stands_alone(trimmed, mark) for mark in _end_marks()):
        return True
    return _states(text, "end_phrases")


def is_end_mark(text: str) -> bool:
    """Whether a turn is a mark for programs and nothing else.

    >>> is_end_mark("**TERMINATE**"), is_end_mark("It is done. TERMINATE")
    (True, False)
    """
    return text.strip(_TRIM) in _end_marks()


def is_courtesy(text: str) -> bool:
    """Whether a turn is thanks or a farewell and nothing else.

    >>> is_courtesy("Thanks, you too!"), is_courtesy("Thanks. Now book the train.")
    (True, False)
    """
    if len(text) > LONGEST_COURTESY:
        return False
    left = _pattern("courtesies").sub(" ", plain_speech(text))
    return sum(letter.isalnum() for letter in left) <= 12


def claims_success(text: str) -> bool:
    """Whether a turn says that something worked.

    >>> claims_success("Your room has been booked."), claims_success("It has not been booked, sorry.")
    (True, False)
    """
    return _states(text, "success")


def assumes(text: str) -> bool:
    """Whether a turn says that something was made up to go on.

    >>> assumes("Let us assume the red numbers are 12 and 15."), assumes("The red numbers are 12 and 15.")
    (True, False)
    """
    return _mentions(text, "assumptions")


def _states(text: str, name: str) -> bool:
    """Whether a sentence of a text has a phrase, and none that turns it around."""
    if not _mentions(text, name):
        return False
    phrases, doubts = _pattern(name), _pattern("doubts")
    return any(phrases.search(sentence) and not doubts.search(sentence) for sentence in _statements(text))


def _mentions(text: str, name: str) -> bool:
    """Whether a text has a phrase, in any case."""
    small = text.lower()
    # Searching for plain texts is three times as fast as the pattern, which most turns then need not pass.
    return any(phrase in small for phrase in _phrases(name)) and _pattern(name).search(small) is not None


def _stands_alone(text: str, mark: str) -> bool:
    """Whether the mark is a line of its own or comes after a full sentence: no "reply with TERMINATE"."""
    if not text.endswith(mark):
        return False
    before = text.removesuffix(mark).rstrip(" \t*`\"'_")
    return not before or before[-1] in ".!?\n:)]}"


def _statements(text: str) -> list[str]:
    """The sentences of a text that are no questions, in plain words."""
    plain = plain_speech(text)
    return [match[0] for match in _SENTENCE.finditer(plain) if plain[match.end() : match.end() + 1] != "?"]


@cache
def _pattern(name: str) -> re.Pattern[str]:
    phrases = "|".join(map(re.escape, sorted(_phrases(name), key=len, reverse=True)))
    return re.compile(rf"\b(?:{phrases})\b")


@cache
def _phrases(name: str) -> tuple[str, ...]:
    return tuple(_table()[name]["phrases"])


@cache
def _end_marks() -> tuple[str, ...]:
    return tuple(mark.strip(_TRIM) for mark in _table()["end_marks"]["words"])


@cache
def _table() -> dict[str, Any]:
    return tomllib.loads(files("adjudge.suites.team").joinpath("lexicon", "phrases.toml").read_text("utf-8"))
