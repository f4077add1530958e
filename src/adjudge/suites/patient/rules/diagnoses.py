"""The names of a diagnosis, in the words of profiles and in the words of patients."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache

from msgspec import Struct

from adjudge.english.negation import NEGATION
from adjudge.english.normalise import plain_speech as plain
from adjudge.english.normalise import strip_accents
from adjudge.english.tokens import bare_words as words
from adjudge.english.tokens import singular
from adjudge.suites.patient.lexicon import table_of, words_of

Phrase = tuple[str, ...]

# Parts of a value that do not belong to the name: "(left)", "[R]", "M71.9", "ICD-10", "2. ", "274.9".
_BRACKETS = re.compile(
    r"\([^()]*\)|\[[^\[\]]*\]|\b[A-Z]\d{2}(?:\.\w{1,4})?\b|\bICD[- ]?\d+\S*|^\s*\d+[.)]\s|\b\d{3}\.\d{1,2}\b"
)
# The abbreviation in "Deep vein thrombosis (DVT)".
_SHORT = re.compile(r"\(([A-Z]{2,6})\)")
# These words begin details that are not part of the name: "pneumonia [with effusion]", "sepsis [due to UTI]".
_TAIL = re.compile(
    r"\b(?:with|without|due to|secondary to|status post|s/p|not otherwise|vs|needs? to|despite|but)\b.*|\s-\s.*",
    re.IGNORECASE,
)
# The name without its place ends before these words: "fracture [of the hip]".
_WHERE = frozenset(("of", "in", "at", "after", "following", "from", "on", "involving"))
# Endings of words that name a disease on their own: "appendicitis", "lymphoma", "anemia". Arthritis, dermatitis,
# sinusitis and bronchitis are excluded because they are everyday complaints.
_DISEASE = re.compile(
    r"(?<!arthr)(?<!dermat)(?<!sinus)(?<!bronch)itis$|oma$|emia$|pneumonia$|sepsis$|cancer$|tuberculosis$"
)
# Endings of a noun and of its adjective: "anemia" and "anemic", "sepsis" and "septic".
_ADJECTIVES = (("emia", "emic"), ("osis", "otic"), ("psis", "ptic"), ("phrenia", "phrenic"), ("hydration", "hydrated"))
# Parts of words that are spelt in two ways.
_AMERICAN = {
    "aem": "em",
    "oedem": "edem",
    "oeso": "eso",
    "coeli": "celi",
    "rrhoe": "rrhe",
    "disk": "disc",
    "tumour": "tumor",
}
# "oedem" in "oedema".
_BRITISH = re.compile("|".join(_AMERICAN), re.IGNORECASE)
# Initials that are not taken for a diagnosis, because they have another meaning in a hospital.
_OTHER_LETTERS = frozenset(("AMA", "CPR", "ECG", "EKG", "ICU", "IUD", "MRI", "USA", "DOA", "ERS"))
# Words that a patient may put between the words of a name: "[clots in] both of my [lungs]".
_BETWEEN = (
    r" (?:(?:my|the|a|an|this|that|these|those|both|of|left|right|lower|upper|one|two|some|your|its|big|small|bad"
    r"|little|acute|severe|whole|own) ){0,6}"
)
# Up to four words between a part of the body and its state: "my [pancreas] is badly [inflamed]".
_GAP = (
    rf"(?:,(?= (?:it|they|which|that)\b))?(?: (?!{NEGATION}|(?:and|but|or|because|when|while|so|after|since|if|near"
    r"|like|hurts?|aches?|pain|with|hospital)\b)\w+){0,4} "
)


class Diagnosis(Struct, frozen=True):
    """The names of one diagnosis as two patterns.

    `ways` is searched in text that `level` has normalised. `capitals` holds abbreviations, which are searched in the
    original text because they count only in capitals. An empty pattern matches nothing.
    """

    ways: str
    capitals: str

    @classmethod
    def of(cls, value: str) -> Diagnosis:
        """The patterns for the diagnosis in a profile's value."""
        value = one_spelling(value)
        called = tuple(dict.fromkeys(names(value)))
        small = [name for name in called if not _in_capitals(name)]
        after = rf"(?! (?:{'|'.join(table_of('diagnoses')['of_others']['follows'])})\b)"
        spoken_of = (value, *(name for illness in illnesses_in(value) for name in illness.written))
        ways = [*map(_phrase, small), *_reversed_names(small), *(way for name in spoken_of for way in _parts(name))]
        capitals = {name[0] for name in called if _in_capitals(name)} | set(_initials(value))
        joined = rf"\b(?:{'|'.join(ways)})\b{after}" if ways else ""
        return cls(joined, rf"\b(?:{'|'.join(sorted(capitals))})\b{after}" if capitals else "")

    def find_in(self, text: str) -> re.Match[str] | None:
        """The first mention of the diagnosis in a text, whoever it is about; None if there is none.

        The match is in the normalised text, or in the original text if an abbreviation matched.
        """
        inside = _compile(self.ways).search(level(text)) if self.ways else None
        if inside or not self.capitals or text.isupper():
            return inside
        return _compile(self.capitals).search(text)

    def __bool__(self) -> bool:
        return bool(self.ways or self.capitals)


class Illness(Struct, frozen=True):
    """An illness: how diagnoses write it (a star stands for any ending), and what else patients call it."""

    written: tuple[str, ...]
    spoken: tuple[str, ...]

    @classmethod
    def of(cls, line: str) -> Illness:
        """The illness of a line of the table.

        >>> Illness.of("herpes zoster, zoster: shingles")
        Illness(written=('herpes zoster', 'zoster'), spoken=('shingles',))
        """
        written, _, spoken = line.partition(":")
        return cls(*(tuple(filter(None, map(str.strip, part.split(",")))) for part in (written, spoken)))


def names(diagnosis: str) -> Iterator[Phrase]:
    """The names of a diagnosis: the value itself, the value without qualifiers, and patients' words for it.

    A diagnosis that is only a complaint, such as chest pain, has no name, because saying it reveals nothing.

    >>> [" ".join(name) for name in names("Acute urticaria (L50.9)")]
    ['acute urticaria', 'urticaria', 'hives']
    """
    own = [phrase for phrase in _forms(diagnosis) if _specific(phrase)]
    yield from dict.fromkeys((*own, *_other_names(diagnosis)))


def _other_names(diagnosis: str) -> Iterator[Phrase]:
    """Other names for the illnesses in a diagnosis, from the table of illnesses."""
    for illness in illnesses_in(diagnosis):
        yield from (tuple(name.replace("*", "").split()) for name in (*illness.written, *illness.spoken))


@lru_cache(maxsize=4096)
def illnesses_in(diagnosis: str) -> tuple[Illness, ...]:
    """The illnesses of the table that a diagnosis holds, by any of their names."""
    plainly = " ".join(words(_TAIL.sub("", _BRACKETS.sub(" ", diagnosis))))
    return tuple(
        illness
        for illness in _illnesses()
        if any(_means(name).search(plainly) for name in illness.written) or _is_called(plainly, illness.spoken)
    )


def _forms(diagnosis: str) -> Iterator[Phrase]:
    """The diagnosis with and without its tail, turned round if inverted ("fracture, hip"), and without qualifiers."""
    bare = _BRACKETS.sub(" ", diagnosis)
    first, *rest = bare.split(",")
    whole, inverted = words(_TAIL.sub("", first)), words(_TAIL.sub("", " ".join((*rest, first))))
    yield from (whole, inverted, _strip_qualifiers(whole), _strip_qualifiers(inverted))
    if len(words(bare)) > 2:
        yield words(first)
    yield from _short_forms(diagnosis, whole)


def _short_forms(diagnosis: str, whole: Phrase) -> Iterator[Phrase]:
    """The abbreviation in brackets, the disease without its kind or place, and its adjective ("anemic")."""
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
    """The initials of a name of three to five words, such as DVT."""
    whole = words(_TAIL.sub("", _BRACKETS.sub(" ", diagnosis).split(",")[0]))
    letters = "".join(word[0] for word in whole if word not in _WHERE).upper()
    short = 3 <= len(whole) <= 5 and len(letters) > 2 and letters.isalpha() and letters not in _OTHER_LETTERS
    if short and _specific(whole):
        yield letters


def _strip_qualifiers(phrase: Phrase) -> Phrase:
    """A phrase without the qualifying words at its start and end."""
    qualifiers = words_of("phrases", "qualifiers")
    names = [at for at, word in enumerate(phrase) if word not in qualifiers and not word.isdigit()]
    return phrase[names[0] : names[-1] + 1] if names else ()


def _specific(phrase: Phrase) -> bool:
    """Whether a phrase names a disease; a complaint or a very short word does not."""
    bare = _strip_qualifiers(phrase)
    if not bare or (len("".join(bare)) < 3 and not _in_capitals(bare)):
        return False
    felt = bare[-1] in words_of("phrases", "complaints")
    return not felt or (len(bare) > 1 and bare[-1] in words_of("phrases", "named_by_more"))


def _in_capitals(name: Phrase) -> bool:
    return len(name) == 1 and name[0].isupper()


def _reversed_names(phrases: Iterable[Phrase]) -> Iterator[str]:
    """Names of two words said the other way round: "the pregnancy is ectopic"."""
    for phrase in phrases:
        if len(phrase) == 2 and phrase[1] not in words_of("phrases", "complaints"):
            yield rf"{re.escape(phrase[1])} (?:is|was|are|being)(?: (?!not)\w+)? {re.escape(phrase[0])}"


def _parts(diagnosis: str) -> Iterator[str]:
    """Patterns for a part of the body and its state, in either order: "my pancreas is inflamed" is pancreatitis."""
    diagnosis_words = words(_BRACKETS.sub(" ", diagnosis))
    organs, states = _organs(diagnosis_words), _states(diagnosis_words)
    if organs and states:
        part, state = rf"(?:{'|'.join(organs)})", rf"(?:{'|'.join(states)})"
        yield from (rf"{part}{_GAP}{state}", rf"{state}{_GAP}{part}")


def _organs(diagnosis_words: Phrase) -> list[str]:
    """Patients' words for the parts of the body in a diagnosis."""
    organs = table_of("diagnoses")["organs"].values()
    named = (organ for organ in organs if any(word.startswith(tuple(organ["roots"])) for word in diagnosis_words))
    return [name for organ in named for name in organ["says"]]


def _states(diagnosis_words: Phrase) -> list[str]:
    """Patients' words for the state of a part of the body in a diagnosis, such as "inflamed" for an -itis."""
    states, text = table_of("diagnoses")["states"].values(), " ".join(diagnosis_words)
    named = (state for state in states if _compile(rf"\b(?:{state['means']})\b").search(text))
    return [sign for state in named for sign in state["says"]]


def _phrase(name: Phrase) -> str:
    """A pattern for a name in normalised text; it accepts singular and plural."""
    return _BETWEEN.join(rf"{re.escape(singular(word))}{'s?' if len(word) > 2 else ''}" for word in name)


@cache
def _means(name: str) -> re.Pattern[str]:
    """A pattern for a name of the table in a diagnosis; a star matches any ending."""
    ending = r"\w*"
    return re.compile(rf"\b{name.lower().replace('*', ending)}\b")


def _is_called(plainly: str, names: Sequence[str]) -> bool:
    bare = " ".join(map(singular, _strip_qualifiers(tuple(plainly.split()))))
    return any(bare == " ".join(map(singular, name.split())) for name in names)


@lru_cache(maxsize=50_000)
def level(text: str) -> str:
    """Plain text without accents and apostrophes; hyphens and slashes become spaces.

    >>> level("It's Guillain-Barr\u00e9.")
    'it is guillain barre.'
    """
    text = one_spelling(strip_accents(plain(text).replace("'", "")))
    return re.sub(r"[-/\"()*_ ]+", " ", text).strip()


def one_spelling(text: str) -> str:
    """A text with the British spellings of diseases made American.

    >>> one_spelling("haemorrhage, oedema of the oesophagus, a slipped disk")
    'hemorrhage, edema of the esophagus, a slipped disc'
    """
    return _BRITISH.sub(lambda match: _AMERICAN[match[0].lower()], text)


@lru_cache(maxsize=4096)
def diagnosis_of(value: str) -> Diagnosis:
    """The patterns for a diagnosis, cached because many visits share one."""
    return Diagnosis.of(value)


@lru_cache(maxsize=8192)
def _compile(source: str) -> re.Pattern[str]:
    return re.compile(source)


@cache
def _illnesses() -> tuple[Illness, ...]:
    return tuple(map(Illness.of, table_of("diagnoses")["illnesses"]))
