"""The words of wishes and records: which are informative, their stems, and the categories they stand for."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from functools import cache, lru_cache

from msgspec import Struct

from adjudge.english.patterns import any_phrase
from adjudge.english.tokens import Phrase, stem, stems, words
from adjudge.suites.trip.lexicon import table_of

# Only the first six informative words of a wish are searched for (metric reference, M8 and M10).
TOP = 6
# The longest phrase of the lexicon, in words.
LONGEST_PHRASE = 3

# The boundary between two parts of a wish: "concerts, ideally jazz". A category in one part does not narrow the other.
_PART = re.compile(
    r"[,;.!?/]|\b(?:or|and|ideally|preferably|maybe|perhaps|possibly|especially|such as|like|if)\b", re.IGNORECASE
)


class Sense(Struct, frozen=True, gc=False):
    """The categories that a phrase names, and those that offer it: Italian restaurants give pizza."""

    phrase: Phrase
    names: frozenset[str]
    givers: frozenset[str] = frozenset()

    def only_named(self) -> Sense:
        """The sense without the categories that are not named."""
        return Sense(self.phrase, self.names)


class CategoryPhrases(dict[Phrase, Sense]):
    """Phrases with the categories they stand for.

    It is never changed and hashed by identity, so that what texts say by it can be remembered.
    """

    __hash__ = object.__hash__  # type: ignore[assignment]


@lru_cache(maxsize=16384)
def informative(text: str, slot: str = "") -> tuple[str, ...]:
    """The stems of the words that say what is wanted, each once, in order; those general to the slot are left out.

    >>> informative("I'd love some live jazz, please")
    ('liv', 'jazz')
    """
    telling = (word for word in words(text) if len(word) > 1 and word not in _stop_words())
    return tuple(dict.fromkeys(stemmed for stemmed in map(stem, telling) if stemmed not in _generic_stems(slot)))


@cache
def _stop_words() -> frozenset[str]:
    return frozenset(table_of("wishes")["stop_words"])


@cache
def _generic_stems(slot: str) -> frozenset[str]:
    return frozenset(stem(word) for word in table_of("wishes")["generic"].get(slot, ()))


def top(text: str, slot: str = "") -> tuple[str, ...]:
    """The first six informative stems of a wish."""
    return informative(text, slot)[:TOP]


def is_mention(hits: int, of: int) -> bool:
    """Whether the number of hits counts as a mention: two, or one if there is only one word to find.

    The rule is the source's (metric reference, M8).
    """
    return hits >= 2 or hits == of == 1


@cache
def lexicon(slot: str) -> CategoryPhrases:
    """The known phrases of a slot, each with the categories it stands for."""
    names: dict[Phrase, set[str]] = {}
    givers: dict[Phrase, set[str]] = {}
    for kind, others in table_of("categories")["kinds"].get(slot, {}).items():
        for phrase in (kind, *others):
            names.setdefault(stems(phrase), set()).add(kind)
        for phrase in table_of("categories")["gives"].get(kind, ()):
            givers.setdefault(stems(phrase), set()).add(kind)
    return CategoryPhrases(
        (phrase, Sense(phrase, _itself(phrase) | names.get(phrase, set()), frozenset(givers.get(phrase, ()))))
        for phrase in {**names, **givers}
    )


def _itself(phrase: Phrase) -> frozenset[str]:
    return frozenset([" ".join(phrase)])


def with_categories(slot: str, categories: Iterable[str]) -> CategoryPhrases:
    """The known phrases of a slot, and the categories of a catalogue as phrases that name only themselves."""
    own = {stems(part) for category in categories for part in parts(category)}
    known = lexicon(slot)
    named = {
        phrase: known[phrase].only_named() if phrase in known else Sense(phrase, _itself(phrase)) for phrase in own
    }
    return CategoryPhrases({**known, **named})


def parts(category: str) -> list[str]:
    """What a category names: "Arts & Theatre" names two.

    >>> parts("Arts & Theatre")
    ['Arts', 'Theatre']
    """
    return [part.strip() for part in re.split(r"[&/,;|]|\band\b", category) if words(part)]


@lru_cache(maxsize=4096)
def senses(text: str, known: CategoryPhrases) -> tuple[Sense, ...]:
    """What a text says of categories, by the longest phrases that are known."""
    stemmed, meanings, place = stems(_no_kinds().sub(" ", text)), list[Sense](), 0
    while place < len(stemmed):
        length = next((n for n in range(LONGEST_PHRASE, 0, -1) if stemmed[place : place + n] in known), 0)
        meanings += [known[stemmed[place : place + length]]] if length else []
        place += max(length, 1)
    return tuple(meanings)


@cache
def _no_kinds() -> re.Pattern[str]:
    return any_phrase(table_of("categories")["no_kinds"])


@lru_cache(maxsize=4096)
def sought_senses(text: str, known: CategoryPhrases) -> tuple[tuple[Sense, ...], ...]:
    """What each part of a wish says of categories, the narrowest alone: a classical concert is no concert of any kind.

    >>> parts = sought_senses("a classical concert or some sport", lexicon("event"))
    >>> [[sorted(sense.names) for sense in part] for part in parts]
    [[['classical']], [['sport']]]
    """
    by_part = (senses(part, known) for part in _PART.split(text))
    return tuple(
        tuple(_narrow(sense, beside) for sense in beside if not _is_wider(sense, beside))
        for beside in by_part
        if beside
    )


def _is_wider(sense: Sense, beside: Sequence[Sense]) -> bool:
    return any(sense.names & wider(other.names) for other in beside if not sense.names & other.names)


def _narrow(sense: Sense, beside: Sequence[Sense]) -> Sense:
    """A sense without the categories that offer it, if one of them is named beside it: "Indian curry"."""
    named = frozenset[str]().union(*(other.names for other in beside))
    return sense.only_named() if sense.givers & named else sense


@lru_cache(maxsize=4096)
def wider(narrow: frozenset[str]) -> frozenset[str]:
    """The wider categories that categories belong to."""
    wide = frozenset(kind for kind, narrower in table_of("categories")["within"].items() if narrow & set(narrower))
    return wide | wider(wide) if wide else wide


@cache
def phrases(table: str, key: str) -> tuple[Phrase, ...]:
    """The phrases about lodgings of a list of the lexicon, as stems."""
    return tuple(stems(phrase) for phrase in table_of("lodging")[table][key])


def as_said(text: str, wanted: Collection[str]) -> str:
    """The words of a text whose stems are in `wanted`, as the text writes them.

    >>> as_said("Hiking trails, and hikes", {"hik", "trail"})
    'hiking, trails'
    """
    first_forms = {stem(word): word for word in reversed(words(text))}
    return ", ".join(sorted(word for stemmed, word in first_forms.items() if stemmed in wanted))
