"""How much of the profile the visit echoes: a coverage by words, and by meaning where there is an embedder."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache

from adjudge.core.ask import Embedder
from adjudge.core.card import metric
from adjudge.core.mark import Mark
from adjudge.english.normalise import label_key
from adjudge.english.tokens import bare_words, stem
from adjudge.suites.patient.data import Consultation, Sentence
from adjudge.suites.patient.lexicon import words_of
from adjudge.suites.patient.lexicon.fields import SEPARATOR, group_of
from adjudge.suites.patient.rules.numbers import digits
from adjudge.tools.embed import cosine

# Values that deny an item as a whole: whether it comes up at all is seen by its name, "allergies" or "tobacco".
_DENIES = frozenset(map(stem, ("none", "no", "not", "never", "denies", "denied", "without", "yes", "negative")))


@metric(
    "Overlap",
    formula="profile item: its content words that occur in the visit / its content words; mean over items",
    unit="profile item",
    better="neither",
    probes=("information",),
    predicts=("a conversation", "a profile"),
    source="our own",
    english=True,
)
def profile_overlap(
    visit: Consultation, embed: Embedder | None = None, thresholds: Mapping[str, float] | None = None
) -> Iterator[Mark]:
    """How many words of the profile occur in the visit?

    This is coverage by words, never a verdict on truth: a patient that denies what its profile affirms repeats its
    words too. Words are compared by their stems and numbers by their digits; function words are left out. The doctor's
    words count, because "Do you smoke?" and "No." cover the item together. With an embedder, an item counts in full if
    the patient says each of its values in other words. If an item only denies ("none"), its name is searched for.
    Diagnosis and disposition are left out, since the patient cannot know them. Undefined without a profile or a reply.
    """
    if not visit.replies:
        return
    heard = frozenset(word for turn in visit.turns for word in content_words(turn.text))
    meanings = _meanings(visit, embed, (thresholds or {}).get("same")) if embed else {}
    for item, value in visit.known_items.items():
        words = content_words(value) - _DENIES or content_words(label_key(item))
        sentence = meanings.get(item)
        share = 1.0 if sentence else len(words & heard) / len(words) if words else 0.0
        yield Mark(share, item, sentence.turn if sentence else "", _reason(words, heard, sentence), group_of(item))


@lru_cache(maxsize=20_000)
def content_words(text: str) -> frozenset[str]:
    """The stems of a text's words without small ones, numbers as digits.

    >>> sorted(content_words("She has had forty-five headaches, and takes lisinopril"))
    ['45', 'headach', 'lisinopril', 'she', 'tak']
    """
    return frozenset(stem(word) for word in bare_words(digits(text)) if word not in words_of("phrases", "small_words"))


def _meanings(visit: Consultation, embed: Embedder, same: float | None) -> dict[str, Sentence]:
    """The items all of whose values the patient says in other words, with the sentence nearest to the first value."""
    sentences = visit.sentences
    parts = [(item, part) for item, value in visit.known_items.items() for part in value.split(SEPARATOR)]
    if same is None or not parts:
        return {}
    vectors = embed([*(f"{label_key(item)}: {part}" for item, part in parts), *(each.text for each in sentences)])
    values, spoken = vectors[: len(parts)], vectors[len(parts) :]
    nearest: dict[str, list[int]] = {}
    for (item, _), value in zip(parts, values, strict=True):
        likeness, place = max((cosine(value, other), -place) for place, other in enumerate(spoken))
        nearest.setdefault(item, []).append(-place if likeness >= same else -1)
    return {item: sentences[places[0]] for item, places in nearest.items() if min(places) >= 0}


def _reason(words: frozenset[str], heard: frozenset[str], sentence: Sentence | None) -> str:
    if sentence:
        return f"in other words: {sentence.text!r}"
    missing = ", ".join(sorted(words - heard))
    return f"{len(words & heard)} of {len(words)} words echoed" + (f"; not: {missing}" if missing else "")
