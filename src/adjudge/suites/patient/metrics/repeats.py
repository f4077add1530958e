"""Whether the patient says the same again."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from unicodedata import east_asian_width

from rapidfuzz import fuzz, process

from adjudge.core.card import metric
from adjudge.core.mark import Mark
from adjudge.english.normalise import plain_speech as plain
from adjudge.english.tokens import bare_words as words
from adjudge.suites.patient.data import Consultation
from adjudge.suites.patient.lexicon import words_of
from adjudge.suites.patient.lexicon.phrases import pattern
from adjudge.suites.patient.lexicon.speech import opening
from adjudge.suites.patient.rules.checks import quality
from adjudge.suites.patient.rules.numbers import digits

# Shorter replies ("No, doctor, not really") come again in every visit.
FEWEST_WORDS = 5
# A reply as wide as this tells something, in however few words: some scripts part none.
WIDE = 20
# Replies that share this many words beside small ones, and have no others, say the same.
SAME_WORDS = 3
# A reply of this many words that differs from another in one word answers the same, whatever the word.
MANY_WORDS = 20
# The ratio of rapidfuzz, of 100; with it no reply of PriMock57 and ACI-Bench is a repetition.
ALIKE = 90.0
# A clause of more words is not looked at from another of its words.
LONGEST_TURNED = 20
# A yes, a no or a sigh in front of a reply.
_LEAD = re.compile(
    r"^(?:(?:no|nope|yes|yeah|yep|well|oh|um|uh|er|ah|hm+|ok|okay|look|listen|sorry|right|so|doctor|and)[,.;:!]+ )+"
)
# "It hurts, and I feel sick" has two clauses.
_CLAUSES = re.compile(r"(?<![.,;:!?])[.,;:!?]+(?:\s|$)| and ")
# "Sorry, what was that?", "I did not catch that".
_AGAIN = re.compile(
    r"\bpardon\b|\bcome again\b|\brepeat\b|\bsay (?:that |it )?(?:once |one more |again)"
    r"|\bwhat (?:was that|did you say)\b"
    r"|\b(?:did|do|could|can) not (?:\w+ )?(?:catch|hear|get that)\b|\bsorry,? (?:what|you|could you|can you|say)\b"
    r"|\bsorry\?"
)
# "Stopping" ends as "stop" does.
_DOUBLED = re.compile(r"(?<=\w{2})([bdgmnprt])\1ing$")
# "Aches" and "aching" end as "ach" does.
_ENDING = re.compile(r"(?<=\w{3})(?:ing|es|s|e)$")


@metric(
    "Repeat",
    formula="replies that repeat an earlier reply, exactly or nearly / replies after the first",
    unit="reply",
    better="lower",
    probes=("drift",),
    predicts=("a conversation",),
    source="our own",
    departs=quality("repeated_reply"),
    version=2,
)
def repeated_reply(visit: Consultation) -> Iterator[Mark]:
    """Does the patient repeat an earlier reply word for word, or nearly?

    Two replies are alike if they differ only in function words, fillers ("you know", "like I said") and the order of
    clauses. From 20 words on, a ratio of 90 (rapidfuzz) is enough. They are not alike if they differ in a word that
    answers ("no pain in my chest", "no pain in my back").

    Three kinds of reply may be repeated: replies of fewer than 5 words that are narrower than 20 letters ("No,
    doctor."; an East Asian letter counts as two); replies that only say yes, no or that the patient does not know ("No,
    I really don't know."); and what the doctor asks to hear again ("What was that?"). Undefined if there is only one
    reply.
    """
    earlier = EarlierReplies()
    for place, reply in enumerate(visit.replies):
        text = _LEAD.sub("", digits(reply.text))
        tells = _tells(reply.text)
        same = earlier.like(text) if tells and not _AGAIN.search(plain(reply.asked)) else ""
        if place:
            why = f"as in turn {same}; expected other words" if same else "not said before"
            yield Mark(float(same != ""), opening(reply.text), reply.turn, why)
        if tells:
            earlier.add(text, reply.turn)


class EarlierReplies:
    """The replies of a visit so far, each with its turn: by its words, and by its clauses without small words."""

    def __init__(self) -> None:
        self._turns: dict[str, str] = {}
        self._bare: dict[tuple[str, ...], str] = {}

    def add(self, text: str, turn: str) -> None:
        """Keep a reply; the first of several equal ones stays."""
        self._turns.setdefault(" ".join(words(text)), turn)
        for bare in _bare(text):
            self._bare.setdefault(bare, turn)

    def like(self, text: str) -> str:
        """The turn of an earlier reply that says the same; empty if there is none."""
        reply_words = " ".join(words(text))
        if reply_words in self._turns:
            return self._turns[reply_words]
        same = next((self._bare[bare] for bare in _bare(text) if bare in self._bare), "")
        alike = (known for known in _alike(reply_words, list(self._turns)) if _says_no_more(reply_words, known))
        return same or next((self._turns[known] for known in alike), "")


def _tells(text: str) -> bool:
    """Whether a reply says enough for its repetition to count."""
    reply_words = words(digits(text))
    long = len(words(text)) >= FEWEST_WORDS or sum(map(_width, "".join(reply_words))) >= WIDE
    return long and not set(reply_words) <= words_of("phrases", "stock_words")


def _width(letter: str) -> int:
    """How wide a letter is: those of East Asia count twice."""
    return 1 + (east_asian_width(letter) in "WF")


def _bare(text: str) -> list[tuple[str, ...]]:
    """A reply without fillers and small words, in its order and with sorted clauses; none if little is left."""
    clauses = [_content(clause) for clause in _CLAUSES.split(pattern("fillers").sub("", text))]
    running = tuple(word for clause in clauses for word in clause)
    if len(running) < SAME_WORDS:
        return []
    return [running, ("", *sorted(" ".join(_rotate_clause(clause)) for clause in clauses if clause))]


def _rotate_clause(clause: tuple[str, ...]) -> tuple[str, ...]:
    """The first rotation of a clause in sort order: "at night my hands go numb" becomes "my hands go numb at night"."""
    if "than" in clause or len(clause) > LONGEST_TURNED:
        return clause
    return min(clause[at:] + clause[:at] for at in range(len(clause)))


@lru_cache(maxsize=50_000)
def _content(clause: str) -> tuple[str, ...]:
    """The words of a clause that are not small, without endings that change no meaning."""
    content = (word for word in words(clause) if word not in words_of("phrases", "small_words"))
    return tuple(_ENDING.sub("", _DOUBLED.sub(r"\1", word)) for word in content)


def _alike(text: str, earlier: Sequence[str]) -> list[str]:
    """The earlier replies that are like this one, the most alike first."""
    return [known for known, _, _ in process.extract(text, earlier, scorer=fuzz.ratio, score_cutoff=ALIKE, limit=None)]


def _says_no_more(text: str, known: str) -> bool:
    """Whether two replies differ only in small words, or are so long that one word does not matter."""
    first, second = text.split(), known.split()
    if first == second or min(len(first), len(second)) >= MANY_WORDS:
        return True
    return not (set(first) ^ set(second)) - words_of("phrases", "small_words")
