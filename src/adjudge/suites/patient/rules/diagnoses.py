"""The names of a diagnosis, as a profile writes it and as patients say it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from typing import Any

from msgspec import Struct

from adjudge.english.normalise import plain_speech as plain
from adjudge.english.tokens import bare_words as words
from adjudge.english.tokens import singular
from adjudge.suites.patient.lexicon.phrases import table
from adjudge.suites.patient.lexicon.tables import table_of

Phrase = tuple[str, ...]

# What is no part of a name: "(left)", "[R]", "M71.9", "ICD-10", "2. ", "274.9".
_BRACKETS = re.compile(
    r"\([^()]*\)|\[[^\[\]]*\]|\b[A-Z]\d{2}(?:\.\w{1,4})?\b|\bICD[- ]?\d+\S*|^\s*\d+[.)]\s|\b\d{3}\.\d{1,2}\b"
)
# "Deep vein thrombosis (DVT)".
_SHORT = re.compile(r"\(([A-Z]{2,6})\)")
# What follows one of these says more about a disease and does not name it.
_TAIL = re.compile(
    r"\b(?:with|without|due to|secondary to|status post|s/p|not otherwise|vs|needs? to|despite|but)\b.*|\s-\s.*",
    re.IGNORECASE,
)
# "Fracture of the hip": before these words stands the name without its place.
_WHERE = frozenset(("of", "in", "at", "after", "following", "from", "on", "involving"))
# Words that name a disease whatever stands before them; not the joints, skin and airways that everybody complains of.
_DISEASE = re.compile(
    r"(?<!arthr)(?<!dermat)(?<!sinus)(?<!bronch)itis$|oma$|emia$|pneumonia$|sepsis$|cancer$|tuberculosis$"
)
# "Anemia" makes a patient anemic, "sepsis" septic.
_ADJECTIVES = (("emia", "emic"), ("osis", "otic"), ("psis", "ptic"), ("phrenia", "phrenic"), ("hydration", "hydrated"))
# Letters that stand for something else in a hospital.
_OTHER_LETTERS = frozenset(("AMA", "CPR", "ECG", "EKG", "ICU", "IUD", "MRI", "USA", "DOA", "ERS"))
# What may stand between the words of a name: "clots in both of my lungs".
_BETWEEN = (
    r" (?:(?:my|the|a|an|this|that|these|those|both|of|left|right|lower|upper|one|two|some|your|its|big|small|bad"
    r"|little|acute|severe|whole|own) )*"
)
# Up to four words between a part of the body and its state: "my [pancreas] is badly [inflamed]".
_GAP = (
    r"(?:,(?= (?:it|they|which|that)\b))?(?: (?!(?:and|but|or|because|when|while|so|not|no|never|after|since|if|near"
    r"|like|hurts?|aches?|pain|with|hospital)\b)\w+){0,4} "
)


class Diagnosis(Struct, frozen=True):
    """The ways to tell one diagnosis: a pattern for level text, and abbreviations that are only found in capitals."""

    ways: str
    capitals: str

    @classmethod
    def of(cls, value: str) -> Diagnosis:
        """The ways to tell what stands in a profile as a diagnosis."""
        called = tuple(dict.fromkeys(names(value)))
        small = [name for name in called if not _in_capitals(name)]
        after = rf"(?! (?:{'|'.join(_diagnoses()['of_others']['follows'])})\b)"
        ways = [*map(_phrase, small), *_reversed_names(small), *_parts(value)]
        capitals = {name[0] for name in called if _in_capitals(name)} | set(_initials(value))
        joined = rf"\b(?:{'|'.join(ways)})\b{after}" if ways else ""
        return cls(joined, rf"\b(?:{'|'.join(sorted(capitals))})\b{after}" if capitals else "")

    def find_in(self, text: str) -> re.Match[str] | None:
        """Where a text tells the diagnosis, be it said of whom it may; found in the level text or as it stands."""
        inside = _compile(self.ways).search(level(text)) if self.ways else None
        if inside or not self.capitals or text.isupper():
            return inside
        return _compile(self.capitals).search(text)

    def __bool__(self) -> bool:
        return bool(self.ways or self.capitals)


def names(diagnosis: str) -> Iterator[Phrase]:
    """What a diagnosis may be called: as it stands, without what only qualifies it, and in patients' words.

    A diagnosis that is a complaint, such as chest pain, has no name that could give it away.

    >>> [" ".join(name) for name in names("Acute bursitis (M71.9)")]
    ['acute bursitis', 'bursitis', 'inflamed bursa', 'infected bursa']
    """
    own = [phrase for phrase in _forms(diagnosis) if _specific(phrase)]
    yield from dict.fromkeys((*own, *_other_names(diagnosis)))


def _other_names(diagnosis: str) -> Iterator[Phrase]:
    """What else the illnesses are called that a diagnosis names."""
    plainly = " ".join(words(_TAIL.sub("", _BRACKETS.sub(" ", diagnosis))))
    for illness in _diagnoses()["illnesses"]:
        says = illness.get("says", ())
        if any(_means(name).search(plainly) for name in illness["is"]) or _is_called(plainly, says):
            yield from (tuple(name.replace("*", "").split()) for name in (*illness["is"], *says))


def _forms(diagnosis: str) -> Iterator[Phrase]:
    """The diagnosis in full, without its tail, turned where it is inverted, and without what only qualifies it."""
    bare = _BRACKETS.sub(" ", diagnosis)
    first, *rest = bare.split(",")
    whole, inverted = words(_TAIL.sub("", first)), words(_TAIL.sub("", " ".join((*rest, first))))
    yield from (whole, inverted, _strip_qualifiers(whole), _strip_qualifiers(inverted))
    if len(words(bare)) > 2:
        yield words(first)
    yield from _short_forms(diagnosis, whole)


def _short_forms(diagnosis: str, whole: Phrase) -> Iterator[Phrase]:
    """The abbreviation in brackets, the disease without its kind or its place, and as what the patient is."""
    yield from ((short,) if len(short) < 3 else words(short) for short in _SHORT.findall(diagnosis))
    named = [word for word in whole if _DISEASE.search(word)]
    yield from ((word,) for word in named)
    yield from ((word.removesuffix(end) + other,) for word in whole for end, other in _ADJECTIVES if word.endswith(end))
    place = next((at for at, word in enumerate(whole) if word in _WHERE), 0)
    if place > 1:
        yield from (whole[:place], _strip_qualifiers(whole[:place]))
    if len(whole) > 2 and whole[-1] in ("syndrome", "disorder"):
        yield whole[:-1]


def _initials(diagnosis: str) -> Iterator[str]:
    """The first letters of a name of three words or more, as in DVT."""
    whole = words(_TAIL.sub("", _BRACKETS.sub(" ", diagnosis).split(",")[0]))
    letters = "".join(word[0] for word in whole if word not in _WHERE).upper()
    short = 3 <= len(whole) <= 5 and len(letters) > 2 and letters.isalpha() and letters not in _OTHER_LETTERS
    if short and _specific(whole):
        yield letters


def _strip_qualifiers(phrase: Phrase) -> Phrase:
    """A phrase without the qualifying words at its start and end."""
    names = [at for at, word in enumerate(phrase) if word not in table()["qualifiers"] and not word.isdigit()]
    return phrase[names[0] : names[-1] + 1] if names else ()


def _specific(phrase: Phrase) -> bool:
    """Whether a phrase names a disease; one word that every patient says, or a complaint, does not."""
    bare = _strip_qualifiers(phrase)
    if not bare or (len("".join(bare)) < 3 and not _in_capitals(bare)):
        return False
    felt = bare[-1] in table()["complaints"]
    return not felt or (len(bare) > 1 and bare[-1] in table()["named_by_more"])


def _in_capitals(name: Phrase) -> bool:
    return len(name) == 1 and name[0].isupper()


def _reversed_names(phrases: Iterable[Phrase]) -> Iterator[str]:
    """Names of two words said the other way round: "the pregnancy is ectopic"."""
    for phrase in phrases:
        if len(phrase) == 2 and phrase[1] not in table()["complaints"]:
            yield rf"{re.escape(phrase[1])} (?:is|was|are|being)(?: (?!not)\w+)? {re.escape(phrase[0])}"


def _parts(diagnosis: str) -> Iterator[str]:
    """A part of the body with what is the matter with it: "my pancreas is inflamed" is pancreatitis."""
    diagnosis_words = words(_BRACKETS.sub(" ", diagnosis))
    organs, states = _organs(diagnosis_words), _states(diagnosis_words)
    if organs and states:
        part, state = rf"(?:{'|'.join(organs)})", rf"(?:{'|'.join(states)})"
        yield from (rf"{part}{_GAP}{state}", rf"{state}{_GAP}{part}")


def _organs(diagnosis_words: Phrase) -> list[str]:
    """What patients call the parts of the body that a diagnosis names."""
    organs = _diagnoses()["organs"].values()
    named = (organ for organ in organs if any(word.startswith(tuple(organ["roots"])) for word in diagnosis_words))
    return [name for organ in named for name in organ["says"]]


def _states(diagnosis_words: Phrase) -> list[str]:
    """How patients say what a diagnosis tells to be the matter with a part of the body."""
    states, text = _diagnoses()["states"].values(), " ".join(diagnosis_words)
    named = (state for state in states if _compile(rf"\b(?:{state['means']})\b").search(text))
    return [sign for state in named for sign in state["says"]]


def _phrase(name: Phrase) -> str:
    """A pattern for a name in level text; one plural s more or less is no other word."""
    return _BETWEEN.join(rf"{re.escape(singular(word))}{'s?' if len(word) > 2 else ''}" for word in name)


@cache
def _means(name: str) -> re.Pattern[str]:
    """A pattern for a name in a diagnosis; a star stands for any ending."""
    ending = r"\w*"
    return re.compile(rf"\b{name.lower().replace('*', ending)}\b")


def _is_called(plainly: str, names: Sequence[str]) -> bool:
    bare = " ".join(map(singular, _strip_qualifiers(tuple(plainly.split()))))
    return any(bare == " ".join(map(singular, name.split())) for name in names)


@lru_cache(maxsize=50_000)
def level(text: str) -> str:
    """Plain text without accents and apostrophes, with a space where a hyphen or a stroke joins words.

    >>> level("It's Guillain-Barr\u00e9.")
    'it is guillain barre.'
    """
    text = unicodedata.normalize("NFKD", plain(text).replace("'", ""))
    text = re.sub(r"[-/\"()*_]+", " ", "".join(letter for letter in text if not unicodedata.combining(letter)))
    return re.sub(r" +", " ", text).strip()


@lru_cache(maxsize=4096)
def diagnosis_of(value: str) -> Diagnosis:
    """The ways to tell a diagnosis; kept, since many visits share one."""
    return Diagnosis.of(value)


@lru_cache(maxsize=8192)
def _compile(source: str) -> re.Pattern[str]:
    return re.compile(source)


@cache
def _diagnoses() -> Mapping[str, Any]:
    return table_of("diagnoses")
