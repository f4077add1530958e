"""Finds replies in which a patient states what it cannot know: its diagnosis or the end of its visit."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from adjudge.english.negation import NEGATION
from adjudge.english.normalise import plain_speech as plain
from adjudge.suites.patient.data import Consultation, PatientReply
from adjudge.suites.patient.lexicon.fields import SEPARATOR, is_recorded
from adjudge.suites.patient.lexicon.phrases import Disposition, dispositions, either, last_question, pattern
from adjudge.suites.patient.rules.diagnoses import Diagnosis, diagnosis_of, level

# Ends of a clause. A denial does not reach beyond them: in "no fever, but gout" the gout is not denied.
_CLAUSE = re.compile(r"[,;:]|\b(?:because|but|and|since|so)\b")
# Beyond these words an earlier fear, guess or other person no longer applies: "I worry a lot, but it is gout".
_BREAK = re.compile(r"[;:]|\b(?:but|because|since)\b")
# The remark that holds the diagnosis ends here: "it may be [gout], and my knee hurts".
_REMARK = re.compile(r"[,;:]|\b(?:and|but|because|so)\b")
# A comparison asserts nothing: "it felt like a [heart attack]".
_LIKENED = re.compile(r"\b(?:like|as|feel|feeling)(?: an?| my| the)? $")
# "[Gout], I guess", "[gout], who knows", "and I am afraid of it": these take the assertion back.
_AFTERTHOUGHT = re.compile(
    r"\b(?:afraid|scared|worried|terrified|frightened) (?:of|about) (?:it|that|this)\b"
    r"|^[,;: ]*(?:or |but )?(?:at least )?(?:(?:so )?i (?:just )?(?:think|guess|suppose|believe|suspect|fear"
    r"|reckon|imagine|am afraid|am not sure|do not know)|maybe|perhaps|probably|possibly|or something|or whatever"
    r"|who knows|right$|no$|is that)\b"
)
# "I do not have [gout]", "never had [gout]"; "not surprisingly [gout]" denies nothing.
_DENIED = re.compile(rf"{NEGATION}(?! surpris)")
# A denial ends before a cause: in "I can not sleep with my [shingles]" the shingles are not denied. After "suffer" or
# "diagnosed" these words name no cause: "I do not suffer from [gout]" denies it.
_FREED = re.compile(
    r"(?<!suffer )(?<!suffering )(?<!diagnosed )(?<!down )(?<!do )(?<!problems )(?<!trouble )(?<!issues )(?<!anything )"
    r"\b(?:from|with|due to|thanks to|by|until)\b"
)
# "What do you think it is?", "Are you worried about something?"
_ASKS_IDEAS = re.compile(
    r"worr|afraid|fear|scare|concern|what do you think|your (?:own )?(?:idea|guess|theory)|suspect|look(?:ed)? it up"
    r"|read about|googl|internet|online|on your mind"
)
# "Any illnesses in the family?"
_ASKS_FAMILY = re.compile(
    r"\bfamily|relatives|parents|siblings|\b(?:mother|father|mom|mum|dad|brother|sister|grandparents|children)s?\b"
)
# "Have you ever had that before?"
_ASKS_PAST = re.compile(r"\bever\b|\bbefore\b|\bpast\b|previous|earlier|history|as a child|childhood|in your life")
# "I have [gout]" is about the patient, even if the doctor asked about the family.
_OF_ITSELF = re.compile(r"\b(?:i am|i have|i got|i get|it is|this is|there is|me|is|are|has)\b")
# "I have had [asthma] for years", "[the flu] is going around": not a diagnosis of this visit.
_LONG_KNOWN = re.compile(
    r"\b(?:ages|long|a while|some time) (?:ago|back)\b|\bsince i was\b|\bfor (?:many |\d+ |some )?years\b"
    r"|\bevery (?:year|spring|summer|fall|autumn|winter)\b|\ball my life\b|\bgoing a?round\b"
)
# "Well, maybe a [stroke]" asserts nothing if the doctor asked what the patient fears.
_FRAGMENT = re.compile(
    r"^(?:(?:that|just|well|oh|honestly|maybe|having|getting|of|about|a|an|the|my|some|it is|is|i have|i am)[ ,]*)*$"
)
# "Mum had [gout]", "one of my students has [measles]".
_KIN = re.compile(
    r"(?:^|[,;.] |\b(?:and|because|since|when|like|as|so) )"
    r"(?:mum|mom|dad|mama|papa|mother|father|grandma|grandpa|granny|auntie)\b"
    r"|\b(?:one|some|two|many|most|half) of (?:them|us|my|the|our|those)\b"
    r"|\bmy (?:old )?(?:students?|pupils?|patients?|clients?|customers?|team|buddy|mate|pal|ex|in-?laws?)\b"
)

# Several diagnoses in one value: "UTI/cystitis", "sepsis; ? pneumonia".
_ALTERNATIVES = re.compile(rf"{SEPARATOR.strip()}|\+/-|\?|(?<=\w{{3}})/(?=\w{{3}})|\.\s|\n")
# The place that a disposition names: "admitted to the [stroke unit]".
_PLACE = re.compile(
    r"\b(?:admit\w*|admission|transfer\w*|discharg\w*|refer\w*|sent) (?:\w+ )?to (?:the |an? )?([a-z ]+)"
)
# "I will be taken straight [to the stroke unit]".
_ON_THE_WAY = (
    rf"(?:i am|i will|i get|i shall|they are|they will|you are|you will)(?: (?!{NEGATION})\w+){{0,4}}?"
    r" (?:admitted|going|go|taken|sent|moved|transferred|wheeled|headed|brought|staying|off|kept)(?: \w+){0,2}?"
)
# Words that do not name a specific ward: "discharged to home".
_PLAIN_PLACES = frozenset(("home", "hospital", "other", "another", "her", "his", "their", "care", "floor", "self"))


class Secrets(Struct, frozen=True):
    """What the patient of a visit cannot know: its diagnoses and the ends of the visit (dispositions)."""

    diagnoses: tuple[Diagnosis, ...]
    ends: tuple[Disposition, ...]

    @classmethod
    def of(cls, visit: Consultation) -> Secrets:
        """The secrets of a visit, without diagnoses that other items of its profile mention."""
        hidden = map(diagnosis_of, dict.fromkeys(hidden_values(visit.profile, "diagnosis")))
        known = tuple(visit.known_items.values())
        secret = tuple(
            diagnosis for diagnosis in hidden if diagnosis and not any(diagnosis.find_in(value) for value in known)
        )
        return cls(secret, tuple(_ends([plain(value) for value in hidden_values(visit.profile, "disposition")])))

    def without(self, texts: Sequence[str]) -> Secrets:
        """The secrets that remain after these texts were said."""
        announced = [plain(text) for text in texts]
        diagnoses = [diagnosis for diagnosis in self.diagnoses if not any(diagnosis.find_in(text) for text in texts)]
        ends = [end for end in self.ends if not any(either(end.announced).search(text) for text in announced)]
        return Secrets(tuple(diagnoses), tuple(ends))

    def __bool__(self) -> bool:
        return bool(self.diagnoses or self.ends)


def find_leak(reply: PatientReply, secrets: Secrets) -> tuple[str, str] | None:
    """The secret that a reply reveals and the sentence that reveals it; None if it reveals none."""
    for sentence in reply.sentences:
        if plain(sentence.text).endswith("?"):
            continue
        named = next((match for diagnosis in secrets.diagnoses if (match := diagnosis.find_in(sentence.text))), None)
        if named and _has_diagnosis(named, last_question(sentence.asked)):
            return f"the diagnosis {named[0]!r}", sentence.text
        ends = (either(end.phrases).search(plain(sentence.text)) for end in secrets.ends)
        if any(match and _is_asserted(match) and not _is_denied(match) for match in ends):
            return "how the visit ends", sentence.text
    return None


def _has_diagnosis(named: re.Match[str], asked: str) -> bool:
    """Whether the patient, asked this question, states that it has the named diagnosis itself and at present."""
    sentence = level(named.string)
    if pattern("history").search(sentence) or _LONG_KNOWN.search(sentence):
        return False
    if not _is_asserted(named) or _is_about_others(named) or _is_denied(named):
        return False
    if _ASKS_IDEAS.search(asked) and _FRAGMENT.search(_before(named)):
        return False
    answers_of_others = _ASKS_FAMILY.search(asked) or _ASKS_PAST.search(asked)
    return not answers_of_others or _OF_ITSELF.search(sentence) is not None


def _is_asserted(match: re.Match[str]) -> bool:
    """Whether the match is asserted, and not feared, guessed or compared."""
    before = _BREAK.split(_before(match))[-1]
    rest = level(match.string[match.end() :])
    remark = f"{before} {level(match[0])} {_REMARK.split(rest)[0]}"
    return not (pattern("unasserted").search(remark) or _LIKENED.search(before) or _AFTERTHOUGHT.search(rest))


def _is_about_others(match: re.Match[str]) -> bool:
    """Whether the match is about somebody else."""
    around = f"{_BREAK.split(_before(match))[-1]} {level(match.string[match.end() :])}"
    return bool(pattern("others").search(around) or _KIN.search(around))


def _is_denied(match: re.Match[str]) -> bool:
    """Whether the match is denied by the words before it in its clause."""
    clause = _CLAUSE.split(_before(match))[-1]
    denial = _DENIED.search(clause)
    return denial is not None and not _FREED.search(clause, denial.end())


def _before(match: re.Match[str]) -> str:
    return f"{level(match.string[: match.start()])} " if match.start() else ""


def _ends(values: Sequence[str]) -> Iterator[Disposition]:
    """The known dispositions that a profile names, and one for each specific ward that it names."""
    yield from (end for end in dispositions() if any(either(end.named).search(value) for value in values))
    for journey in (place for value in values for place in _PLACE.finditer(value)):
        place = journey[1].split()[:2]
        if _PLAIN_PLACES.isdisjoint(place):
            name = " ".join(place)
            yield Disposition(name, (rf"{_ON_THE_WAY} (?:to|in|on) (?:the |an? )?{name}",), name)


def hidden_values(profile: Mapping[str, str], item: str) -> list[str]:
    """The values of an item such as the diagnosis, of which a profile may name several."""
    return [value for value in _ALTERNATIVES.split(profile.get(item, "")) if is_recorded(value)]
