"""What a patient cannot know, as it might say it: the names of its diagnosis and the end of its visit."""

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
from adjudge.suites.patient.data import PATIENT, Consultation, Reply
from adjudge.suites.patient.lexicon.fields import SEPARATOR, is_recorded
from adjudge.suites.patient.lexicon.phrases import Disposition, dispositions, either, last_question, pattern, table
from adjudge.suites.patient.lexicon.tables import table_of

Phrase = tuple[str, ...]

_BRACKETS = re.compile(
    r"\([^()]*\)|\[[^\[\]]*\]|\b[A-Z]\d{2}(?:\.\w{1,4})?\b|\bICD[- ]?\d+\S*|^\s*\d+[.)]\s|\b\d{3}\.\d{1,2}\b"
)
_SHORT = re.compile(r"\(([A-Z]{2,6})\)")
# What follows one of these says more about a disease and does not name it.
_TAIL = re.compile(
    r"\b(?:with|without|due to|secondary to|status post|s/p|not otherwise|vs|needs? to|despite|but)\b.*|\s-\s.*",
    re.IGNORECASE,
)
_WHERE = frozenset(("of", "in", "at", "after", "following", "from", "on", "involving"))
# Words that name a disease whatever stands before them; not the joints, skin and airways that everybody complains of.
_DISEASE = re.compile(
    r"(?<!arthr)(?<!dermat)(?<!sinus)(?<!bronch)itis$|oma$|emia$|pneumonia$|sepsis$|cancer$|tuberculosis$"
)
_ADJECTIVES = (("emia", "emic"), ("osis", "otic"), ("psis", "ptic"), ("phrenia", "phrenic"), ("hydration", "hydrated"))
# Letters that stand for something else in a hospital.
_OTHER_LETTERS = frozenset(("AMA", "CPR", "ECG", "EKG", "ICU", "IUD", "MRI", "USA", "DOA", "ERS"))
# What may stand between the words of a name: "clots in both of my lungs".
_BETWEEN = (
    r" (?:(?:my|the|a|an|this|that|these|those|both|of|left|right|lower|upper|one|two|some|your|its|big|small|bad"
    r"|little|acute|severe|whole|own) )*"
)
_GAP = (
    r"(?:,(?= (?:it|they|which|that)\b))?(?: (?!(?:and|but|or|because|when|while|so|not|no|never|after|since|if|near"
    r"|like|hurts?|aches?|pain|with|hospital)\b)\w+){0,4} "
)
_CLAUSE = re.compile(r"[,;:]|\b(?:because|but|and|since|so)\b")
# Where a fear, a guess or somebody else that was spoken of no longer governs what follows, and where a remark begins.
_BREAK = re.compile(r"[;:]|\b(?:but|because|since)\b")
_REMARK = re.compile(r"[,;:]|\b(?:and|but|because|so)\b")
_LIKENED = re.compile(r"\b(?:like|as|feel|feeling)(?: an?| my| the)? $")
_AFTERTHOUGHT = re.compile(
    r"\b(?:afraid|scared|worried|terrified|frightened) (?:of|about) (?:it|that|this)\b"
    r"|^[,;: ]*(?:or |but )?(?:at least )?(?:(?:so )?i (?:just )?(?:think|guess|suppose|believe|suspect|fear"
    r"|reckon|imagine|am afraid|am not sure|do not know)|maybe|perhaps|probably|possibly|or something|or whatever"
    r"|who knows|right$|no$|is that)\b"
)
# A denial reaches as far as what it denies: "I can not sleep with my shingles" has them.
_DENIED = re.compile(r"\b(?:not|never|without|no|nobody|none|nothing|neither|nor)\b(?! (?:just|only|merely|surpris))")
_FREED = re.compile(
    r"(?<!suffer )(?<!suffering )(?<!diagnosed )(?<!down )(?<!do )(?<!problems )(?<!trouble )(?<!issues )(?<!anything )"
    r"\b(?:from|with|due to|thanks to|by|until)\b"
)
_ASKS_IDEAS = re.compile(
    r"worr|afraid|fear|scare|concern|what do you think|your (?:own )?(?:idea|guess|theory)|suspect|look(?:ed)? it up"
    r"|read about|googl|internet|online|on your mind"
)
_ASKS_FAMILY = re.compile(
    r"\bfamily|relatives|parents|siblings|\b(?:mother|father|mom|mum|dad|brother|sister|grandparents|children)s?\b"
)
_ASKS_PAST = re.compile(r"\bever\b|\bbefore\b|\bpast\b|previous|earlier|history|as a child|childhood|in your life")
_OF_ITSELF = re.compile(r"\b(?:i am|i have|i got|i get|it is|this is|there is|me|is|are|has)\b")
_LONG_KNOWN = re.compile(
    r"\b(?:ages|long|a while|some time) (?:ago|back)\b|\bsince i was\b|\bfor (?:many |\d+ |some )?years\b"
    r"|\bevery (?:year|spring|summer|fall|autumn|winter)\b|\ball my life\b|\bgoing a?round\b"
)
_FRAGMENT = re.compile(
    r"^(?:(?:that|just|well|oh|honestly|maybe|having|getting|of|about|a|an|the|my|some|it is|is|i have|i am)[ ,]*)*$"
)
_KIN = re.compile(
    r"(?:^|[,;.] |\b(?:and|because|since|when|like|as|so) )"
    r"(?:mum|mom|dad|mama|papa|mother|father|grandma|grandpa|granny|auntie)\b"
    r"|\b(?:one|some|two|many|most|half) of (?:them|us|my|the|our|those)\b"
    r"|\bmy (?:old )?(?:students?|pupils?|patients?|clients?|customers?|team|buddy|mate|pal|ex|in-?laws?)\b"
)

# Several diagnoses in one value: "UTI/cystitis", "sepsis; ? pneumonia".
_ALTERNATIVES = re.compile(rf"{SEPARATOR.strip()}|\+/-|\?|(?<=\w{{3}})/(?=\w{{3}})|\.\s|\n")
# Where a visit leads to: "admitted to the stroke unit".
_PLACE = re.compile(
    r"\b(?:admit\w*|admission|transfer\w*|discharg\w*|refer\w*|sent) (?:\w+ )?to (?:the |an? )?([a-z ]+)"
)
_ON_THE_WAY = (
    r"(?:i am|i will|i get|i shall|they are|they will|you are|you will)(?: (?!not\b)\w+){0,4}?"
    r" (?:admitted|going|go|taken|sent|moved|transferred|wheeled|headed|brought|staying|off|kept)(?: \w+){0,2}?"
)
_PLAIN_PLACES = frozenset(("home", "hospital", "other", "another", "her", "his", "their", "care", "floor", "self"))


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


class Secrets(Struct, frozen=True):
    """What this visit hides: each diagnosis, and the ends of the visit."""

    diagnoses: tuple[Diagnosis, ...]
    ends: tuple[Disposition, ...]

    @classmethod
    def of(cls, visit: Consultation) -> Secrets:
        """The secrets of a visit, without what the rest of its profile says."""
        hidden = map(_diagnosis, dict.fromkeys(_values(visit.profile, "diagnosis")))
        known = tuple(visit.known.values())
        secret = tuple(
            diagnosis for diagnosis in hidden if diagnosis and not any(diagnosis.find_in(value) for value in known)
        )
        return cls(secret, tuple(_ends([plain(value) for value in _values(visit.profile, "disposition")])))

    def without(self, texts: Sequence[str]) -> Secrets:
        """The secrets that these texts do not tell."""
        announced = [plain(text) for text in texts]
        diagnoses = [diagnosis for diagnosis in self.diagnoses if not any(diagnosis.find_in(text) for text in texts)]
        ends = [end for end in self.ends if not any(either(end.announced).search(text) for text in announced)]
        return Secrets(tuple(diagnoses), tuple(ends))

    def __bool__(self) -> bool:
        return bool(self.diagnoses or self.ends)


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
        if any(_means(name).search(plainly) for name in illness["is"]) or _is_called(plainly, illness["says"]):
            yield from (tuple(name.replace("*", "").split()) for name in (*illness["is"], *illness["says"]))


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


def exchanges(visit: Consultation) -> Iterator[tuple[Reply, list[str]]]:
    """Each reply with what the doctor and others said since the reply before it."""
    since: list[str] = []
    replies = {reply.turn: reply for reply in visit.replies}
    for turn in visit.turns:
        if turn.speaker != PATIENT:
            since.append(turn.text)
        elif turn.id in replies:
            yield replies[turn.id], since
            since = []


def find_leak(reply: Reply, secrets: Secrets) -> tuple[str, str] | None:
    """The secret that a reply tells, and the sentence that does; None where it tells none."""
    for sentence in reply.sentences:
        if plain(sentence.text).endswith("?"):
            continue
        named = next((match for diagnosis in secrets.diagnoses if (match := diagnosis.find_in(sentence.text))), None)
        if named and _has(named, last_question(sentence.asked)):
            return f"the diagnosis {named[0]!r}", sentence.text
        ends = (either(end.phrases).search(plain(sentence.text)) for end in secrets.ends)
        if any(match and _is_asserted(match) and not _is_denied(match) for match in ends):
            return "how the visit ends", sentence.text
    return None


def _has(named: re.Match[str], asked: str) -> bool:
    """Whether somebody who was asked so says that he himself has, at present, what is named."""
    sentence = level(named.string)
    if pattern("history").search(sentence) or _LONG_KNOWN.search(sentence):
        return False
    if not _is_asserted(named) or _of_others(named) or _is_denied(named):
        return False
    if _ASKS_IDEAS.search(asked) and _FRAGMENT.search(_before(named)):
        return False
    answers_of_others = _ASKS_FAMILY.search(asked) or _ASKS_PAST.search(asked)
    return not answers_of_others or _OF_ITSELF.search(sentence) is not None


def _is_asserted(match: re.Match[str]) -> bool:
    """Whether what was found is no fear and no guess."""
    before = _BREAK.split(_before(match))[-1]
    rest = level(match.string[match.end() :])
    remark = f"{before} {level(match[0])} {_REMARK.split(rest)[0]}"
    return not (pattern("unasserted").search(remark) or _LIKENED.search(before) or _AFTERTHOUGHT.search(rest))


def _of_others(match: re.Match[str]) -> bool:
    """Whether what was found is said of somebody else."""
    around = f"{_BREAK.split(_before(match))[-1]} {level(match.string[match.end() :])}"
    return bool(pattern("others").search(around) or _KIN.search(around))


def _is_denied(match: re.Match[str]) -> bool:
    """Whether the clause before what was found denies it."""
    clause = _CLAUSE.split(_before(match))[-1]
    denial = _DENIED.search(clause)
    return denial is not None and not _FREED.search(clause, denial.end())


def _before(match: re.Match[str]) -> str:
    return f"{level(match.string[: match.start()])} " if match.start() else ""


def _ends(values: Sequence[str]) -> Iterator[Disposition]:
    """The ends of the visit that a profile names, and the way to the place that it names."""
    yield from (end for end in dispositions() if any(either(end.named).search(value) for value in values))
    for journey in (place for value in values for place in _PLACE.finditer(value)):
        place = journey[1].split()[:2]
        if _PLAIN_PLACES.isdisjoint(place):
            name = " ".join(place)
            yield Disposition(name, (rf"{_ON_THE_WAY} (?:to|in|on) (?:the |an? )?{name}",), name)


@lru_cache(maxsize=4096)
def _diagnosis(value: str) -> Diagnosis:
    return Diagnosis.of(value)


@lru_cache(maxsize=8192)
def _compile(source: str) -> re.Pattern[str]:
    return re.compile(source)


@cache
def _diagnoses() -> Mapping[str, Any]:
    return table_of("diagnoses")


def _values(profile: Mapping[str, str], item: str) -> list[str]:
    return [value for value in _ALTERNATIVES.split(profile.get(item, "")) if is_recorded(value)]
