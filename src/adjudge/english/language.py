"""Which language a conversation is in, so that rules for English are not applied to another language.

The library is py3langid (a naive Bayes classifier on byte n-grams, 139 languages).
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from adjudge.english.tokens import words

if TYPE_CHECKING:
    from py3langid.langid import LanguageIdentifier

# How much of a conversation is looked at, in characters.
LONGEST = 4_000
# Texts with fewer bytes of letters in UTF-8 do not show their language; a Chinese character has three.
FEWEST_BYTES = 100
# Text is in another language if English is less likely than this. With 100 bytes of letters, names of foreign dishes
# and places give English 5e-3, and talk in each of 17 other languages at most 1.2e-8.
LIKELY_ENGLISH = 1e-6
# Labels that make no difference to the rules: slang is taken for Nigerian Pidgin, and lists for no language at all.
ENGLISH = ("en", "pcm", "zxx")
# A text of which these are this share of all words is English, and the model, 0.5 s to load, is not asked. Other
# languages hardly have them.
COMMON = frozenset("the and you that with this what have but your".split())
COMMON_SHARE = 0.05

NAMES: dict[str, str] = dict(
    pair.split()
    for pair in (
        "ar Arabic, bn Bengali, cs Czech, da Danish, de German, el Greek, es Spanish, fa Persian, fi Finnish, "
        "fr French, he Hebrew, hi Hindi, hu Hungarian, id Indonesian, it Italian, ja Japanese, ko Korean, nl Dutch, "
        "no Norwegian, pl Polish, pt Portuguese, ro Romanian, ru Russian, sv Swedish, th Thai, tr Turkish, "
        "uk Ukrainian, ur Urdu, vi Vietnamese, zh Chinese"
    ).split(", ")
)


def foreign_language(texts: Iterable[str]) -> str:
    """The language that texts are in together, "Spanish (es)"; empty for English and where it is not clear.

    >>> foreign_language(["Doctor, me duele mucho la cabeza desde hace tres días, y por la noche no puedo dormir.",
    ...     "¿Ha tenido usted fiebre, tos, mareos o náuseas?"])
    'Spanish (es)'
    >>> foreign_language(["My head hurts, and I have had a fever for three days."]), foreign_language(["¡Hola!"])
    ('', '')
    """
    return _foreign_language("\n".join(texts)[:LONGEST])


@lru_cache(maxsize=8)
def _foreign_language(text: str) -> str:
    if _has_common_words(text):
        return ""
    letters = "".join(filter(str.isalpha, text))
    if len(letters.encode("utf-8", "replace")) < FEWEST_BYTES:
        return ""
    likelihood = dict(_identifier().rank(text))
    likeliest = max(likelihood, key=lambda code: likelihood[code])
    if likeliest in ENGLISH or likelihood["en"] >= LIKELY_ENGLISH:
        return ""
    return f"{NAMES.get(likeliest, 'another language')} ({likeliest})"


def _has_common_words(text: str) -> bool:
    spoken = words(text)
    return sum(map(COMMON.__contains__, spoken)) >= COMMON_SHARE * len(spoken)


@cache
def _identifier() -> LanguageIdentifier:
    # Imported here because the model takes time and memory, and English text seldom needs it.
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
