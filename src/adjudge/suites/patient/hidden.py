"""What a patient cannot know, as it might say it: the names of its diagnosis and the end of its visit."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from adjudge.suites.patient.data import PATIENT, Consultation, Reply
from adjudge.suites.patient.fields import SEPARATOR, recorded
from adjudge.suites.patient.phrases import Disposition, dispositions, either, holds, pattern, plain, table, words

Phrase = tuple[str, ...]

_BRACKETS = re.compile(
    r"\([^()]*\)|\[[^\[\]]*\]|\b[A-Z]\d{2}(?:\.\w{1,4})?\b|\bICD[- ]?\d+\S*|^\s*\d+[.)]\s|\b\d{3}\.\d{1,2}\b"
)
_SHORT = re.compile(r"\(([A-Z]{3,6})\)")
# What follows one of these says more about a disease and does not name it.
_TAIL = re.compile(
    r"\b(?:with|without|due to|secondary to|status post|s/p|not otherwise|vs|needs? to|despite|but)\b.*|\s-\s.*",
    re.IGNORECASE,
)
# Words that name a disease whatever stands before them; not the joints, skin and airways that everybody complains of.
_DISEASE = re.compile(
    r"(?<!arthr)(?<!dermat)(?<!sinus)(?<!bronch)itis$|oma$|emia$|pneumonia$|sepsis$|cancer$|tuberculosis$"
)
_CLAUSE = re.compile(r"[,;:]|\b(?:because|but|and|since|so)\b")
_DENIED = re.compile(r"\b(?:not|never|without|no|nobody|none|nothing|neither|nor)\b")


# Several diagnoses in one value: "UTI/cystitis", "sepsis; ? pneumonia".
_ALTERNATIVES = re.compile(rf"{SEPARATOR.strip()}|\+/-|\?|(?<=\w{{3}})/(?=\w{{3}})|\.\s|\n")


class Secrets(Struct, frozen=True):
    """What this visit hides: the names of each diagnosis, and the ends of the visit."""

    names: tuple[Phrase, ...]
    ends: tuple[Disposition, ...]

    @classmethod
    def of(cls, visit: Consultation) -> Secrets:
        """The secrets of a visit, without what the rest of its profile says."""
        known = [words(value) for value in visit.known.values()]
        named = dict.fromkeys(name for value in _values(visit.profile, "diagnosis") for name in names(value))
        secret = tuple(name for name in named if not any(holds(item, name) for item in known))
        ends = [plain(value) for value in _values(visit.profile, "disposition")]
        return cls(secret, tuple(one for one in dispositions() if any(either(one.named).search(end) for end in ends)))

    def without(self, texts: Sequence[str]) -> Secrets:
        """The secrets that these texts do not tell."""
        heard, announced = [words(text) for text in texts], [plain(text) for text in texts]
        names = [name for name in self.names if not any(holds(text, name) for text in heard)]
        ends = [end for end in self.ends if not any(either(end.announced).search(text) for text in announced)]
        return Secrets(tuple(names), tuple(ends))

    def __bool__(self) -> bool:
        return bool(self.names or self.ends)


def names(diagnosis: str) -> Iterator[Phrase]:
    """What a diagnosis may be called: as it stands, without what only qualifies it, and in patients' words.

    A diagnosis that is a complaint, such as chest pain, has no name that could give it away.

    >>> [" ".join(name) for name in names("Acute appendicitis (K35.80)")]
    ['acute appendicitis', 'appendicitis']
    """
    first, *rest = _BRACKETS.sub(" ", diagnosis).split(",")
    whole = words(_TAIL.sub("", first))
    inverted = words(_TAIL.sub("", " ".join((*rest, first))))
    forms = (whole, inverted, _unqualified(whole), _unqualified(inverted), *_shortened(diagnosis, whole))
    for phrase in dict.fromkeys(forms):
        if _specific(phrase):
            yield phrase
        yield from (words(other) for other in table()["synonyms"].get(" ".join(phrase), ()))


def _shortened(diagnosis: str, whole: Phrase) -> Iterator[Phrase]:
    """The abbreviation in brackets, the disease without its kind, and two words or more without "syndrome" behind."""
    yield from (words(short) for short in _SHORT.findall(diagnosis))
    yield from ((word,) for word in whole[-1:] if _DISEASE.search(word))
    if len(whole) > 2 and whole[-1] in ("syndrome", "disorder"):
        yield whole[:-1]


def _unqualified(phrase: Phrase) -> Phrase:
    """A phrase without the qualifying words at its start and end."""
    bare = list(phrase)
    while bare and (bare[0] in table()["qualifiers"] or bare[0].isdigit()):
        bare = bare[1:]
    while bare and (bare[-1] in table()["qualifiers"] or bare[-1].isdigit()):
        bare = bare[:-1]
    return tuple(bare)


def _specific(phrase: Phrase) -> bool:
    """Whether a phrase names a disease; one word that every patient says, or a complaint, does not."""
    bare = _unqualified(phrase)
    if not bare or len("".join(bare)) < 3:
        return False
    felt = bare[-1] in table()["complaints"]
    return not felt or (len(bare) > 1 and bare[-1] in table()["named_by_more"])


def told(visit: Consultation) -> Iterator[tuple[Reply, list[str]]]:
    """Each reply with what the doctor and others said since the reply before it."""
    since: list[str] = []
    replies = {reply.turn: reply for reply in visit.replies}
    for turn in visit.turns:
        if turn.speaker != PATIENT:
            since.append(turn.text)
        elif turn.id in replies:
            yield replies[turn.id], since
            since = []


def leaked(reply: Reply, secrets: Secrets) -> tuple[str, str] | None:
    """The secret that a reply tells, and the sentence that does; None where it tells none."""
    for sentence in reply.sentences:
        said = plain(sentence.text)
        if said.endswith("?") or pattern("unasserted").search(said):
            continue
        named = next((name for name in secrets.names if _named(said, name)), None)
        if named:
            return f"the diagnosis {' '.join(named)!r}", sentence.text
        if any(either(end.told).search(said) for end in secrets.ends):
            return "how the visit ends", sentence.text
    return None


def _named(said: str, name: Phrase) -> bool:
    """Whether a sentence says of the patient, at present, that it has what the phrase names."""
    if not holds(words(said), name) or pattern("others").search(said) or pattern("history").search(said):
        return False
    before = re.split(re.escape(name[0]), said, maxsplit=1)[0]
    return not _DENIED.search(_CLAUSE.split(before)[-1])


def _values(profile: Mapping[str, str], item: str) -> list[str]:
    return [value for value in _ALTERNATIVES.split(profile.get(item, "")) if recorded(value)]
