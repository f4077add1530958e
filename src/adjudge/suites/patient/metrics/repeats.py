"""Whether the patient says the same again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from unicodedata import east_asian_width

from rapidfuzz import fuzz, process

from adjudge.core.card import metric
from adjudge.core.mark import Mark
from adjudge.suites.patient.data import Consultation
from adjudge.suites.patient.numbers import digits
from adjudge.suites.patient.phrases import table, words
from adjudge.suites.patient.speech import opening

FEWEST_WORDS = 5
# A reply as wide as this tells something, in however few words: some scripts part none.
WIDE = 20
# Replies that share this many words beside small ones, and have no others, say the same.
SAME_WORDS = 4
# A reply of this many words that differs from another in one word answers the same, whatever the word.
MANY_WORDS = 20
ALIKE = 90.0


@metric(
    "Repeat",
    formula="replies with the words of an earlier reply, or nearly / replies after the first",
    unit="reply",
    better="lower",
    probes=("drift",),
    predicts=("a conversation",),
    source="our own",
)
def repeated_reply(visit: Consultation) -> Iterator[Mark]:
    """Does the patient repeat an earlier reply word for word, or nearly?

    Replies are alike at a ratio of 90 or more (rapidfuzz), unless they differ in a word that answers ("no pain in my
    chest", "no pain in my back"), and where they differ in small words alone. Replies of fewer than 5 words that are
    narrower than 20 letters ("No, doctor."; a letter of East Asia is as wide as two) and those that only say yes, no
    or that the patient does not know ("No, I really don't know.") may come again. Undefined where there is only one
    reply.
    """
    earlier = Earlier()
    for place, reply in enumerate(visit.replies):
        text = " ".join(words(digits(reply.text)))
        tells = _tells(text, len(words(reply.text)))
        same = earlier.like(text) if tells else ""
        if place:
            why = f"as in turn {same}; expected other words" if same else "not said before"
            yield Mark(float(same != ""), opening(reply.text), reply.turn, why)
        if tells:
            earlier.add(text, reply.turn)


class Earlier:
    """The replies of a visit so far, each with its turn: by its words, and by its words without small ones."""

    def __init__(self) -> None:
        self._turns: dict[str, str] = {}
        self._bare: dict[str, str] = {}

    def add(self, text: str, turn: str) -> None:
        """Keep a reply; of several that are the same the first stays."""
        self._turns.setdefault(text, turn)
        self._bare.setdefault(_bare(text), turn)

    def like(self, text: str) -> str:
        """The turn of a reply that says the same; empty where none does."""
        if text in self._turns:
            return self._turns[text]
        bare = _bare(text)
        if len(bare.split()) >= SAME_WORDS and bare in self._bare:
            return self._bare[bare]
        return next((self._turns[known] for known in _alike(text, list(self._turns)) if _says_no_more(text, known)), "")


def _tells(text: str, number: int) -> bool:
    """Whether a reply of so many words says something that need not be said again."""
    long = (
        number >= FEWEST_WORDS
        or sum(1 + (east_asian_width(letter) in "WF") for letter in text if letter != " ") >= WIDE
    )
    return long and not set(text.split()) <= set(table()["stock_words"])


def _bare(text: str) -> str:
    """The words of a reply that are not small."""
    return " ".join(word for word in text.split() if word not in table()["small_words"])


def _alike(text: str, earlier: Sequence[str]) -> list[str]:
    """The earlier replies that are like this one, the most alike first."""
    return [known for known, _, _ in process.extract(text, earlier, scorer=fuzz.ratio, score_cutoff=ALIKE, limit=None)]


def _says_no_more(text: str, known: str) -> bool:
    """Whether two replies differ in small words alone, or are so long that a word does not matter."""
    one, other = text.split(), known.split()
    if one == other or min(len(one), len(other)) >= MANY_WORDS:
        return True
    return not (set(one) ^ set(other)) - set(table()["small_words"])
