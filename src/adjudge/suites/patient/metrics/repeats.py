"""Whether the patient says the same again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rapidfuzz import fuzz, process

from adjudge.core.card import metric
from adjudge.core.mark import Mark
from adjudge.suites.patient.data import Consultation
from adjudge.suites.patient.phrases import plain, table, words
from adjudge.suites.patient.speech import opening

FEWEST_WORDS = 5
# A reply of this many words that differs from another in one word answers the same, whatever the word.
MANY_WORDS = 20
ALIKE = 90.0


@metric(
    "Repeat",
    formula="replies with the words of an earlier reply, or nearly / replies after the first",
    unit="reply",
    better="lower",
    probes=("end-to-end",),
    predicts=("a conversation",),
    source="our own",
)
def repeated_reply(visit: Consultation) -> Iterator[Mark]:
    """Does the patient repeat an earlier reply word for word, or nearly?

    Replies are alike at a ratio of 90 or more (rapidfuzz), unless they differ in a word that answers ("no pain in my
    chest", "no pain in my back"). Replies of fewer than 5 words ("No, doctor.") and those that only say yes, no or
    that the patient does not know ("No, I really don't know.") may come again. Undefined where there is only one reply.
    """
    earlier: dict[str, str] = {}
    for place, reply in enumerate(visit.replies):
        text = " ".join(words(plain(reply.text)))
        tells = len(words(reply.text)) >= FEWEST_WORDS and not set(text.split()) <= set(table()["stock_words"])
        same = next((known for known in _alike(text, list(earlier)) if _says_no_more(text, known)), "") if tells else ""
        if place:
            why = f"as in turn {earlier[same]}; expected other words" if same else "not said before"
            yield Mark(float(same != ""), opening(reply.text), reply.turn, why)
        if tells:
            earlier.setdefault(text, reply.turn)


def _alike(text: str, earlier: Sequence[str]) -> list[str]:
    """The earlier replies that are like this one, the most alike first."""
    return [known for known, _, _ in process.extract(text, earlier, scorer=fuzz.ratio, score_cutoff=ALIKE, limit=None)]


def _says_no_more(text: str, known: str) -> bool:
    """Whether two replies differ in small words alone, or are so long that a word does not matter."""
    one, other = text.split(), known.split()
    if one == other or min(len(one), len(other)) >= MANY_WORDS:
        return True
    return not (set(one) ^ set(other)) - set(table()["small_words"])
