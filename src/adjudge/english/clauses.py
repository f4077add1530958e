"""Split text into sentences and clauses at punctuation marks and conjunctions."""

from __future__ import annotations

import re

from msgspec import Struct

from adjudge.english.negation import NEGATION

# The space between "Hello." and "How are you?".
_SENTENCE_END = re.compile(r"(?<=[.?!])\s+")
# A clause ends at a punctuation mark, or at a conjunction that begins a new statement: "Thai, but no curry",
# "jazz and I'd love tea". It does not end at "1,200", "anything but", "instead of" or "and wine", or within
# "opera and I don't mix".
_CLAUSE_END = re.compile(
    r"([.;!?:\n()]+|\s-+\s|(?<!\d)\s?[\u2013\u2014]+\s?|,(?!\d)|(?<!thing)(?<!\ball)\sbut\b"
    r"|\s(?:though|although|however|instead(?!\sof)|yet)\b"
    r"|\s(?=because\b|since\b)|\sso\b"
    rf"|\sand\s(?=(?:i(?!(?: do)? {NEGATION} (?:get|mix|agree|go|click))"
    r"|i'd|we|we'd|want|would|prefer|love|need|give|let|no|not|never|nothing|avoid|skip|please)\b))",
    re.IGNORECASE,
)


class Clause(Struct, frozen=True, gc=False):
    """A part of a sentence; `goes_on` says that only a comma separates it from the clause before."""

    text: str
    goes_on: bool = False


def split_sentences(text: str) -> list[str]:
    """The sentences of a short text, split after every full stop, question mark and exclamation mark.

    `adjudge.english.sentences` knows abbreviations; this is for questions and requests.

    >>> split_sentences("Hello. How are you?")
    ['Hello.', 'How are you?']
    """
    return _SENTENCE_END.split(text)


def last_question(text: str) -> str:
    """The last question in a text, or the whole text if it has no question.

    >>> last_question("Any pain? How long? Tell me.")
    'How long?'
    """
    return next((part for part in reversed(split_sentences(text)) if part.endswith("?")), text)


def split_clauses(text: str) -> list[Clause]:
    """The clauses of a text, which must have single spaces and straight quotes.

    >>> [clause.text for clause in split_clauses("Thai or Greek, but no curry and I'd love wine")]
    ['Thai or Greek', 'no curry', "I'd love wine"]
    """
    pieces = [",", *_CLAUSE_END.split(text)]
    pairs = zip(pieces[::2], pieces[1::2], strict=True)
    clauses = (Clause(piece.strip(" ,\"'"), mark == ",") for mark, piece in pairs)
    return [clause for clause in clauses if clause.text]
