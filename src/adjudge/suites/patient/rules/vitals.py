"""Vital signs and other measures that a patient states, and whether they are possible for a person."""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import pairwise

import msgspec
from msgspec import Struct, structs

from adjudge.english.normalise import plain_speech as plain
from adjudge.english.patterns import fill_parts
from adjudge.suites.patient.data import PatientReply, Sentence
from adjudge.suites.patient.lexicon import table_of
from adjudge.suites.patient.lexicon.phrases import last_question
from adjudge.suites.patient.rules.numbers import ValueRange, digits, has_digit, without_corrections
from adjudge.suites.patient.rules.quantities import ages, alone

Range = tuple[float, float]

# "37.5", and "1 40" for "one forty", which is 140. Parts of dates, times and numbers with separators do not match.
_FIGURE = r"(?:[1-4] \d\d|\d{1,7}(?:\.\d+)?)"
_NUMBER = rf"(?<![\d.,/:-])(?<!\d )(?P<number>{_FIGURE})(?!\d|[.,:]\d| \d\d\b)"
# The second number of "140 over [90]".
_LOWER = r"(?P<lower>\d{2,3})(?!\d|[.,:/]\d)"
# "It was not 40", "it should be 120": the patient states no measured value.
_UNSTATED = re.compile(r"\b(?:not|never|if|unless|as though|should be|supposed to be|normal is|feels? like)\b")
# "A thousand times a minute" and "it feels like 200" exaggerate. "My dog has 39" is about an animal.
_NOT_MEANT = re.compile(
    r"\ba (?:thousand|million|zillion)\b|\bf(?:eels?|elt) like\b|\bmy (?:dog|cat|horse|bird|rabbit|hamster)\b"
)
# The end of a clause, beyond which the words of _UNSTATED do not reach.
_CLAUSE = re.compile(r"[,;]| (?:but|and|so) ")
# The words before a number that was read from a device or a scale: "the cuff showed about", "it went up to".
_READS = (
    r"\b(?:\w+ (?:showed|shows|said|says|reads?)|(?:it|that|they|mine|this|scales?|i)"
    r"(?: (?:have|has|just|only|last|usually|then|even))?"
    r" (?:is|was|were|are|had|got|have|measured|counted|reached|hit|weigh|weighed|am|been"
    r"|(?:came|went|gone|rose|dropped|fell|jumped)(?: up| down| out)? (?:to|at)))"
    r"(?: (?:to|at|about|around|like|as|only|just|over|nearly|almost|roughly|maybe|exactly|high|low|an?)){0,6} "
)
# The text that may follow such a number: "now", "this morning", or the end of the sentence.
_READ = (
    r"(?=\s*(?:$|[.!,;?)])| (?:now|today|this|last|yesterday|on|at|when|i think|or so|all|doctor|and|but|with"
    r"|under|for|by|tall|in my)\b)"
)


class MeasureUnit(Struct, frozen=True, forbid_unknown_fields=True):
    """A unit of a measure: its name, a pattern for its words (empty: it is not said), and the possible values."""

    name: str
    says: str
    within: tuple[Range, ...]


class Measure(Struct, frozen=True, forbid_unknown_fields=True):
    """A measure of a person in one unit, with its possible values and the patterns by which patients state it."""

    of: str
    within: tuple[Range, ...] = ()
    patterns: tuple[str, ...] = ()
    unit: str = ""
    lower: Range | None = None
    about: str = ""
    answers: str = ""
    suffix: str = ""
    unless: str = ""
    units: tuple[MeasureUnit, ...] = ()

    def in_units(self, parts: Mapping[str, str]) -> Iterator[Measure]:
        """The measure in each of its units, with the parts of its patterns put in their places."""
        for unit in self.units or (MeasureUnit(self.unit, "", self.within),):
            known = {**parts, "number": _NUMBER, "lower": _LOWER, "unit": unit.says}
            patterns = [pattern for pattern in self.patterns if unit.says or "<unit>" not in pattern]
            yield structs.replace(
                self,
                unit=unit.name,
                within=unit.within,
                patterns=tuple(fill_parts(pattern, known) for pattern in patterns),
                suffix=fill_parts(self.suffix, known) if unit.says or "<unit>" not in self.suffix else "",
                unless=fill_parts(self.unless, known),
                units=(),
            )


class Value(Struct, frozen=True):
    """A value that a patient stated for a measure; `lower` is the second number of "140 over 90"."""

    measure: Measure
    number: float
    lower: float | None
    turn: str
    text: str

    @property
    def possible(self) -> bool:
        """Whether a person can have the value; `lower` must not exceed `number`."""
        fits = any(low <= self.number <= high for low, high in self.measure.within)
        if self.lower is None or self.measure.lower is None:
            return fits
        low, high = self.measure.lower
        return fits and low <= self.lower <= min(high, self.number)

    def __str__(self) -> str:
        stated = f"{self.number:g}" if self.lower is None else f"{self.number:g} over {self.lower:g}"
        return f"{self.measure.of} {stated} {self.measure.unit}".rstrip()

    @property
    def expected_values(self) -> str:
        """The values that a person can have, in words."""
        spans = " or ".join(str(ValueRange(*span)) for span in self.measure.within)
        return f"{spans} over {ValueRange(*self.measure.lower)}" if self.measure.lower else spans


def stated_values(reply: PatientReply) -> Iterator[Value]:
    """The measures that a patient states in a reply; questions, conditions and denials state none."""
    question = digits(last_question(reply.asked))
    context = f"{digits(reply.asked)} {digits(reply.text)}"
    spoken_of = [each for each in measures() if not each.about or re.search(each.about, context)]
    for at, sentence in enumerate(reply.sentences):
        plain_text = without_corrections(sentence.text)
        if plain_text.endswith("?") or not has_digit(plain_text) or _NOT_MEANT.search(plain(sentence.text)):
            continue
        for measure in measures():
            matches = _find_stated(measure, plain_text) if measure in spoken_of else []
            matches = matches or (_find_answer(measure, plain_text, question) if at < 2 else [])
            yield from (_value(measure, each, sentence) for each in matches if not _means_else(measure, plain_text))
    yield from _ages(reply)


def _means_else(measure: Measure, sentence: str) -> bool:
    """Whether a sentence holds words that rule the measure out."""
    return measure.unless != "" and re.search(measure.unless, sentence) is not None


def _ages(reply: PatientReply) -> Iterator[Value]:
    """The ages that the patient gives as its own."""
    (measure,) = (each for each in measures() if each.of == "age")
    for stated in ages(reply):
        if not _means_else(measure, digits(stated.text)):
            yield Value(measure, max(stated.span.low, 0), None, stated.turn, stated.text)


def _find_stated(measure: Measure, sentence: str) -> list[re.Match[str]]:
    """The matches in a sentence that state the measure."""
    matches = [match for pattern in _patterns(measure) for match in pattern.finditer(sentence)]
    begins = [0, *(parted.end() for parted in _CLAUSE.finditer(sentence))] if matches else []
    denials = [_UNSTATED.search(sentence, *clause) for clause in pairwise([*begins, len(sentence)])]
    return [match for match in matches if not _is_before(denials[bisect(begins, match.end()) - 1], match)]


def _is_before(denial: re.Match[str] | None, match: re.Match[str]) -> bool:
    return denial is not None and denial.end() <= match.end()


def _find_answer(measure: Measure, sentence: str, question: str) -> list[re.Match[str]]:
    """The number in an answer to a question for the measure, alone or after words such as "it was"."""
    if not measure.answers or not re.search(measure.answers, question):
        return []
    match = _answer(measure).search(sentence)
    return [match] if match and not _UNSTATED.search(sentence, 0, match.end()) else []


@cache
def _answer(measure: Measure) -> re.Pattern[str]:
    return re.compile(f"(?:{alone()}|{_READS}){_NUMBER}{measure.suffix}{_READ}")


def _value(measure: Measure, match: re.Match[str], sentence: Sentence) -> Value:
    lower = match.groupdict().get("lower")
    number = float(match["number"].replace(" ", ""))
    return Value(measure, number, float(lower) if lower else None, sentence.turn, sentence.text)


@cache
def _patterns(measure: Measure) -> tuple[re.Pattern[str], ...]:
    return tuple(map(re.compile, measure.patterns))


@cache
def measures() -> tuple[Measure, ...]:
    """The measures of `vitals.toml`, in each of their units."""
    raw = table_of("vitals")
    listed = msgspec.convert(raw["measures"], list[Measure])
    return tuple(each for measure in listed for each in measure.in_units(raw["parts"]))
