"""What an utterance mentions: slots with values, domains, times, places and consent, in order."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from adjudge.english.normalise import write_out
from adjudge.english.numbers import UNITS
from adjudge.suites.service.rules.phrases import name_pattern, words_of
from adjudge.suites.service.rules.values import canonical
from adjudge.systems.service.lexicon import NUMBER, PLACE, TIME, Lexicon, Meaning, Node

# A time of day (17:15, 5:15 pm, 5pm, 5 o'clock, noon) or a mark that ends a sentence or part of one. 1.5 is no time.
_PARTS = re.compile(
    r"(\d{1,2}[:.]\d{2}(?:\s?[ap]\.?m\b\.?)?|\b\d{1,2}\s?[ap]\.?m\b\.?|\b\d{1,2} o'?clock|\bnoon\b|\bmidnight\b"
    r"|[.?!;]{1,5}(?=\s|$)|,)"
)
_MARKS = frozenset(".?!;,")
# Determiners that make a domain word a venue spoken of before: "the hotel", "my restaurant".
_POINTING = frozenset(("the", "my", "our", "that", "this", "your", "said"))
_POINTED = {
    "hotel": "hotel", "guesthouse": "hotel", "restaurant": "restaurant", "attraction": "attraction",
    "museum": "attraction", "college": "attraction", "park": "attraction", "theatre": "attraction",
    "nightclub": "attraction", "pool": "attraction", "church": "attraction", "cinema": "attraction",
    "club": "attraction", "gallery": "attraction", "swimmingpool": "attraction", "entertainment": "attraction",
}  # fmt: skip


class Token(NamedTuple):
    """A word, a mark, a number, a time or a place; `sense` is its class in phrases where it has one."""

    word: str
    sense: str = ""
    value: str = ""
    places: tuple[Meaning, ...] = ()


class Mention(NamedTuple):
    """A phrase of an utterance with its meaning; `value` is filled from the number, time or place in it."""

    meaning: Meaning
    value: str
    start: int
    end: int
    sentence: int
    places: tuple[Meaning, ...] = ()


class UserUtterance(NamedTuple):
    """An utterance as triage reads it."""

    tokens: tuple[Token, ...]
    mentions: tuple[Mention, ...]
    questions: frozenset[int]

    def of(self, kind: str) -> Iterator[Mention]:
        """The mentions from one table of the lexicon."""
        return (mention for mention in self.mentions if mention.meaning.kind == kind)


def read_utterance(text: str, lexicon: Lexicon) -> UserUtterance:
    """The mentions of a text, longest phrases first."""
    tokens = tuple(_with_places(_tokens(text), text, lexicon))
    sentences, questions = _sentences(tokens)
    return UserUtterance(tokens, tuple(_mentions(tokens, sentences, lexicon)), questions)


def _tokens(text: str) -> list[Token]:
    tokens: list[Token] = []
    for part in _PARTS.split(write_out(text)):
        if not part or part.isspace():
            continue
        if part[0] in _MARKS:
            tokens.append(Token(part[0]))
        elif _PARTS.fullmatch(part):
            tokens.append(Token(part, TIME, canonical("train-leaveat", part)))
        else:
            tokens += map(_word, words_of(part))
    return tokens


def _word(word: str) -> Token:
    if word.isdecimal() and len(word) == 4 and word[:2] < "24" and word[2:] < "60":
        return Token(word, TIME, f"{word[:2]}:{word[2:]}")
    if word.isdecimal() and len(word) < 3:
        return Token(word, NUMBER, str(int(word)))
    if UNITS.get(word):
        return Token(word, NUMBER, str(UNITS[word]))
    return Token(word)


def _with_places(tokens: list[Token], text: str, lexicon: Lexicon) -> Iterator[Token]:
    """The tokens with each name of a venue or station, and each venue spoken of before, as one token."""
    position = 0
    while position < len(tokens):
        place, end = _place(tokens, position, lexicon)
        if not place.places and tokens[position].word == "the":
            # "to the blue heron" is read as "to blue heron".
            place, end = _place(tokens, position + 1, lexicon)
        if place.places and _is_name(place, text, lexicon):
            yield place
            position = end
            continue
        if end := _pointer_end(tokens, position):
            domain = _POINTED[tokens[end - 1].word]
            yield Token(f"the {tokens[end - 1].word}", PLACE, "", (Meaning("pointer", domain),))
            position = end
            continue
        yield tokens[position]
        position += 1


def _place(tokens: list[Token], position: int, lexicon: Lexicon) -> tuple[Token, int]:
    node: Node | None = lexicon.places
    best, end = Token(""), position
    for place in range(position, len(tokens)):
        node = node.longer.get(tokens[place].word) if node else None
        if node is None:
            break
        if node.meanings:
            words = " ".join(token.word for token in tokens[position : place + 1])
            best, end = Token(words, PLACE, node.meanings[0].value, tuple(node.meanings)), place + 1
    return best, end


def _is_name(place: Token, text: str, lexicon: Lexicon) -> bool:
    """Whether a name that is an ordinary word is written as a name."""
    core = place.word.removeprefix("the ")
    return core not in lexicon.ordinary or name_pattern(core).search(text) is not None


def _pointer_end(tokens: list[Token], position: int) -> int:
    """The end of a phrase such as "the hotel" or "the guesthouse"; 0 where none begins here."""
    if tokens[position].word not in _POINTING or position + 1 >= len(tokens):
        return 0
    return position + 2 if tokens[position + 1].word in _POINTED else 0


def _sentences(tokens: Sequence[Token]) -> tuple[list[int], frozenset[int]]:
    """The number of the sentence that each token is in, and the sentences that are questions."""
    numbers: list[int] = []
    questions: set[int] = set()
    current = 0
    for token in tokens:
        numbers.append(current)
        if token.word in ("?", ".", "!", ";"):
            if token.word == "?":
                questions.add(current)
            current += 1
    return numbers, frozenset(questions)


def _mentions(tokens: Sequence[Token], sentences: Sequence[int], lexicon: Lexicon) -> Iterator[Mention]:
    position = 0
    while position < len(tokens):
        meanings, end, filler = _longest(tokens, position, lexicon.phrases)
        token = tokens[position]
        if not meanings:
            if token.sense in (TIME, PLACE, NUMBER):
                meaning = Meaning("bare", token.sense)
                yield Mention(meaning, token.value, position, position + 1, sentences[position], token.places)
            position += 1
            continue
        for meaning in meanings:
            value = meaning.value or (filler.value if filler else "")
            places = filler.places if filler else ()
            yield Mention(meaning, value, position, end, sentences[position], places)
        position = end


def _longest(tokens: Sequence[Token], position: int, tree: Node) -> tuple[list[Meaning], int, Token | None]:
    """The meanings of the longest phrase that begins at a token, its end, and the number or place in it."""
    best: tuple[list[Meaning], int, Token | None] = ([], position, None)
    paths: list[tuple[Node, Token | None]] = [(tree, None)]
    for place in range(position, len(tokens)):
        token = tokens[place]
        steps = [(node.longer.get(token.word), filler) for node, filler in paths]
        if token.sense:
            steps += [(node.longer.get(token.sense), token) for node, _ in paths]
        paths = [(node, filler) for node, filler in steps if node is not None]
        if not paths:
            break
        for node, filler in paths:
            if node.meanings:
                best = (node.meanings, place + 1, filler)
    return best
