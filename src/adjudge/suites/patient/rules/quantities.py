"""The age and the pain that a patient states in numbers.

The meaning of a number comes from the unit or noun after it ("45 years old", "two sons", "6 out of 10") or from the
verb before it ("I am 45"). The meaning of a number that stands alone in an answer comes from the doctor's question.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from adjudge.suites.patient.data import PatientReply
from adjudge.suites.patient.lexicon import table_of, words_of
from adjudge.suites.patient.lexicon.phrases import last_question
from adjudge.suites.patient.rules.numbers import (
    NUMBER,
    Figure,
    PlainSentence,
    StatedNumber,
    ValueRange,
    digits,
    figures_of,
    lines_of,
)

# Higher ages are left to `impossible_value`.
OLDEST = 120
# The pain scale ends at 10; higher numbers are not read as pain.
_MOST_PAIN = 10
# Only the first two sentences of a reply are read as an answer to the question.
_ANSWERING = 2

# "45 years old", "45-year-old", "45 y/o"; not "a 9-year-old son".
_YEARS_OLD = re.compile(
    r"[- ]?(?:(?:years?|yrs?)[- ](?:old|young|of age)\b|y/?o\b)"
    r"(?! (?:when|son|daughter|boy|girl|child|kid|mother|father|brother|sister|husband|wife|dog|cat|baby)\b)"
)
# "I turned 55 in March" is 55 or 56; not "I turned 40 and stopped".
_TURNED = re.compile(r"(?<!\bwhen )(?<!since )\bi (?:just |have (?:just )?)?turned$")
# "I turn 56 in June" is 55 or 56.
_TURNS = re.compile(r"\bi (?:will be|will turn|will be turning|am turning|turn)$|^turning$")
# "I turned 50 [5 years ago]", "[in 1998]": not the present age.
_LONG_AGO = re.compile(r"\byears? ago\b|\bin (?:19|20)\d\d\b|^(?:and|when|i)\b")
# "I turn 56 [in June]", "[next week]".
_SOON = re.compile(r"(?:in [a-z]+|next|this|soon)\b|$")
# "It is 300 years old" is said of a thing, such as a house.
_OF_A_THING = re.compile(r"\b(?:it|that|this) (?:is|was)\b")
# "I am in my mid-forties", "for someone in his late thirties".
_DECADE = re.compile(
    r"\b(?:i am|for someone)\b[a-z ]{0,12} in(?:to)? (?:my|his|her) (early|mid|middle|late)?[- ]?(\d0)s\b"
)
# As an answer: "Well into my 70s", "70-odd".
_ANSWERED_DECADE = re.compile(
    r"^(?:[a-z]+,? ){0,3}?in(?:to)? my (early|mid|middle|late)?[- ]?(\d0)s\b|^()(\d0)[- ](?:odd|something)\b"
)
# First and last year within the decade: "late sixties" is 66 to 69.
_PARTS_OF_DECADE = {"early": (0, 4), "mid": (4, 6), "middle": (4, 6), "late": (6, 9)}

# "6/10" is "6 out of 10"; "6/10/2020" is a date.
_TENTHS = re.compile(r"(?<![\d/])(?<!\bon )(?<!since )(\d{1,2}) ?/ ?10\b(?![/.]\d)")
# "6 [out of 10]"; not "9 out of 10 times".
_OUT_OF_TEN = re.compile(r",? ?out of (?:a )?10\b(?! (?:times|people|days|nights)\b)")
# "the pain is still at (a 7)", "my pain right now is about (7)".
_PAIN_IS = re.compile(
    r"\bpain(?: (?:level|score|right|now|today)){0,3}"
    r"(?: (?:is|at|has|gone|up|to|still|about|around|like|an?|now|solid|good)){1,6}$"
)
# Words that show that a number out of ten rates pain: "it hurts, a 6 out of 10".
_PAIN = re.compile(r"\b(?:pain|hurts?|hurting|aches?|aching|headache|sore|cramps?)\b")
# "My energy is 3 out of 10" does not rate pain.
_OTHER_SCALES = re.compile(
    r"\b(?:energy|stress\w*|anxi\w+|mood|itch\w*|breath\w*|sleep\w*|nausea\w*|fatigue|tired\w*|worr\w+|appetite|phone)\b"
)
# "A 7 when I walk" is not the pain at present.
_CONDITION = re.compile(r"\b(?:if|when|while|after|without|at rest)\b")
# "10 is the worst pain" explains the scale and does not ask for the worst.
_SCALE_ENDS = re.compile(r"\b10(?: being| is| means| as)? the worst\b[^?,]*")
# "And are you in any pain right now?"
_ASKS_ANY_PAIN = re.compile(
    r"(?:and |so )?(?:are you in|do you have|have you got)? ?(?:any |much )?pain"
    r"(?: (?:right now|now|at the moment))?\W*"
)
# "No, none at all."
_NO_PAIN = re.compile(r"(?:no|none|nothing|not)(?: (?:pain|at all|now|right now|at the moment|doctor)|,)*\W*")


def ages(reply: PatientReply) -> Iterator[StatedNumber]:
    """The ages that the patient gives as its own, however high."""
    question = digits(last_question(reply.asked))
    of_other = asks_for("other", question) or asks_for("others", question)
    for line in lines_of(reply):
        answers = line.at < _ANSWERING and asks_for("age", question)
        span = _decade(line.plain, answers) or _age_in(line.plain, answers, of_other)
        if span is not None and span.high > 0:
            yield StatedNumber(span, reply.turn, line.text)


def pains(reply: PatientReply) -> Iterator[StatedNumber]:
    """The ratings from 0 to 10 that the patient gives its present pain.

    A plain "no" to the question for pain is read as 0 to 1, because it may hide a slight pain.
    """
    question = _SCALE_ENDS.sub("", digits(last_question(reply.asked)))
    elsewhere = _OTHER_SCALES.search(question) or _CONDITION.search(question)
    if elsewhere or (asks_for("pain", question) and _has_word_of(question, "not_now")):
        return
    for line in lines_of(reply):
        span = _pain_in(line, question)
        if span is not None and span.high <= _MOST_PAIN:
            yield StatedNumber(span, reply.turn, line.text)


def age_of(value: str) -> list[ValueRange]:
    """The ages that a profile's value allows; an empty list if it gives none in years.

    >>> [str(span) for span in age_of("late 60s")], age_of("18 months")
    (['66 to 69'], [])
    """
    text = digits(value)
    if re.search(r"\b(?:months?|weeks?|days?)\b", text):
        return []
    if decade := re.search(r"\b(?:(early|mid|middle|late)[- ]?)?(\d0)'?s\b", text):
        return [_within_decade(decade[1], decade[2])]
    if over := re.search(r"(?:>=?|over|above) ?(\d{1,3})", text):
        return [ValueRange(int(over[1]), OLDEST)]
    years = re.search(r"(?<!\d)(\d{1,3})(?: ?(?:-|to) ?(\d{1,3}))?(?!\d)", text)
    return [ValueRange.between(years[1], years[2])] if years else []


def pain_of(value: str) -> list[ValueRange]:
    """The pain ratings from 0 to 10 that a profile's value allows; an empty list if it gives none.

    >>> [str(span) for span in pain_of("6-8")], pain_of("unknown"), pain_of("13")
    (['6 to 8'], [], [])
    """
    text = re.sub(r"(?:/|out of) ?10\b", " ", digits(value))
    if re.fullmatch(r"\W*(?:none|no pain|denies(?: pain)?|pain free)\W*", text):
        return [ValueRange(0, 0)]
    numbers = re.finditer(rf"(?<![\d.]){NUMBER}(?: ?(?:-|to) ?{NUMBER})?", text)
    spans = [ValueRange.between(match[1], match[2]).whole for match in numbers]
    return spans if all(span.high <= _MOST_PAIN for span in spans) else []


def _age_in(text: str, answers: bool, of_other: bool) -> ValueRange | None:
    """The patient's age in a sentence; None if no number in it is the age."""
    spans = (_age_of_figure(figure, answers, of_other) for figure in figures_of(text))
    return next((span for span in spans if span is not None), None)


def _age_of_figure(figure: Figure, answers: bool, of_other: bool) -> ValueRange | None:
    old, bare = _YEARS_OLD.match(figure.after), is_bare(figure.after)
    if _follows_i_am(figure.before) and (old or (bare and (answers or not of_other))):
        return _age_span(figure)
    if _TURNED.search(figure.before) and not _LONG_AGO.search(figure.after):
        return ValueRange(figure.span.low, figure.span.high + 1)
    if _TURNS.search(figure.before) and _SOON.match(figure.after):
        return ValueRange(figure.span.low - 1, figure.span.high)
    alone = is_filler(figure.before.removeprefix("my age is"))
    if alone and answers and (bare or figure.after.startswith("year")):
        return _age_span(figure)
    if alone and old and not of_other and not _OF_A_THING.search(figure.before):
        return _age_span(figure)
    return _age_span(figure) if figure.earlier.endswith("at my age,") and not figure.before else None


def _decade(text: str, answers: bool) -> ValueRange | None:
    match = _DECADE.search(text) or (_ANSWERED_DECADE.search(text) if answers else None)
    return _within_decade(match[1], match[2] or match[4]) if match else None


def _within_decade(part: str | None, decade: str) -> ValueRange:
    """The ages of a decade, or of its beginning, middle or end."""
    low, high = _PARTS_OF_DECADE.get(part or "", (0, 9))
    return ValueRange(int(decade) + low, int(decade) + high)


def _age_span(figure: Figure) -> ValueRange:
    """The range of ages that a number can mean, given rounding words before it such as "almost"."""
    rounded = table_of("numbers")["rounded"].items()
    offsets = (offset for words, offset in rounded if re.search(rf"\b(?:{words})\b", figure.before))
    below, above = next(offsets, (0, 0))
    return ValueRange(figure.span.low + below, figure.span.high + above)


def _follows_i_am(before: str) -> bool:
    """Whether only hedges stand between "I am" and a number: "I am almost", not "when I am" and "I am down to"."""
    head, verb, tail = before.rpartition("i am")
    return (
        bool(verb)
        and set(tail.split()) <= words_of("numbers", "hedges")
        and not set(head.split()[-1:]) & words_of("numbers", "then")
    )


def _pain_in(line: PlainSentence, question: str) -> ValueRange | None:
    """The present pain that a sentence states; None if it states none."""
    asked = line.at < _ANSWERING and asks_for("pain", question) and not asks_for("others", question)
    if line.at == 0 and _ASKS_ANY_PAIN.fullmatch(question) and _NO_PAIN.fullmatch(line.plain):
        return ValueRange(0, 1)
    if _OTHER_SCALES.search(line.plain):
        return None
    of_pain = asked or _PAIN.search(f"{question} {line.plain}") is not None
    for figure in figures_of(_TENTHS.sub(r"\1 out of 10", line.plain)):
        if _is_present(figure) and _is_pain(figure, asked, of_pain):
            return figure.span.whole
    return None


def _is_pain(figure: Figure, asked: bool, of_pain: bool) -> bool:
    if _OUT_OF_TEN.match(figure.after):
        return of_pain
    answers = asked and is_filler(figure.before.replace("up to", ""))
    return is_bare(figure.after) and (answers or _PAIN_IS.search(figure.before) is not None)


def _is_present(figure: Figure) -> bool:
    """Whether a number rates the present pain: "now a 4", not "last night a 9" or "if I lie still, a 1"."""
    kind = "on_condition" if re.search(r"\b(?:now|at the moment|today)\b", figure.clause) else "not_now"
    return not _has_word_of(figure.clause, kind) and not _CONDITION.search(figure.earlier)


def _has_word_of(text: str, kind: str) -> bool:
    return not words_of("numbers", kind).isdisjoint(re.findall(r"[a-z]+", text))


def asks_for(quantity: str, question: str) -> bool:
    """Whether a question in plain text with digits asks for a quantity of the table `asks`."""
    return _asking(quantity).search(question) is not None


def is_filler(before: str) -> bool:
    """Whether the text before a number holds only filler words, such as "well, about"."""
    return set(re.findall(r"[a-z]+", before)) <= words_of("numbers", "fillers")


def is_bare(after: str) -> bool:
    """Whether a number is followed by no noun that it counts."""
    return not after or after.split(maxsplit=1)[0].strip(",.") in words_of("numbers", "bare")


@cache
def alone() -> str:
    """A pattern for the start of a clause, with at most eight filler words before a number."""
    return rf"(?:^|(?<=[,;:.!?]) )(?:(?:{'|'.join(sorted(words_of('numbers', 'fillers')))}) ){{0,8}}"


@cache
def _asking(quantity: str) -> re.Pattern[str]:
    return re.compile("|".join(table_of("numbers")["asks"][quantity].values()))
