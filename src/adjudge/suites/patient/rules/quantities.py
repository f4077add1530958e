"""What a patient states in numbers about itself: its age, its children, its pain, and how much it takes of a thing.

A number is told by the unit or noun after it ("45 years old", "two sons", "6 out of 10"), by the verb before it ("I am
45"), or, where it stands alone in an answer, by what the doctor has just asked for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from math import inf
from typing import Any

from adjudge.suites.patient.data import Reply
from adjudge.suites.patient.lexicon.phrases import last_question
from adjudge.suites.patient.lexicon.tables import table_of
from adjudge.suites.patient.rules.numbers import NUMBER, RANGE, Figure, Line, Span, Stated, digits, figures_of, lines_of

OLDEST, _MOST_CHILDREN, _MOST_PAIN = 120, 20, 10
# An answer comes in the first two sentences of a reply.
_ANSWERING = 2

# "45 years old", "45-year-old", "45 y/o"; not "a 9-year-old son".
_YEARS_OLD = re.compile(
    r"[- ]?(?:(?:years?|yrs?)[- ](?:old|young|of age)\b|y/?o\b)"
    r"(?! (?:when|son|daughter|boy|girl|child|kid|mother|father|brother|sister|husband|wife|dog|cat|baby)\b)"
)
# "I turned 55 in March" is 55 or 56; "I turn 56 in June" is 55 or 56; not "I turned 40 and stopped".
_TURNED = re.compile(r"(?<!\bwhen )(?<!since )\bi (?:just |have (?:just )?)?turned$")
_TURNS = re.compile(r"\bi (?:will be|will turn|will be turning|am turning|turn)$|^turning$")
_LONG_AGO = re.compile(r"\byears? ago\b|\bin (?:19|20)\d\d\b|^(?:and|when|i)\b")
_SOON = re.compile(r"(?:in [a-z]+|next|this|soon)\b|$")
# "It is 300 years old": a house.
_OF_A_THING = re.compile(r"\b(?:it|that|this) (?:is|was)\b")
# "I am in my mid-forties", "for someone in his late thirties", and as an answer "Well into my 70s", "70-odd".
_DECADE = re.compile(
    r"\b(?:i am|for someone)\b[a-z ]{0,12} in(?:to)? (?:my|his|her) (early|mid|middle|late)?[- ]?(\d0)s\b"
)
_ANSWERED_DECADE = re.compile(
    r"^(?:[a-z]+,? ){0,3}?in(?:to)? my (early|mid|middle|late)?[- ]?(\d0)s\b|^()(\d0)[- ](?:odd|something)\b"
)
_PARTS_OF_DECADE = {"early": (0, 4), "mid": (4, 6), "middle": (4, 6), "late": (6, 9)}

# "6/10" is "6 out of 10"; "6/10/2020" is a date.
_TENTHS = re.compile(r"(?<![\d/])(?<!\bon )(?<!since )(\d{1,2}) ?/ ?10\b(?![/.]\d)")
_OUT_OF_TEN = re.compile(r",? ?out of (?:a )?10\b(?! (?:times|people|days|nights)\b)")
# "the pain is still at (a 7)", "my pain right now is about (7)".
_PAIN_IS = re.compile(
    r"\bpain(?: (?:level|score|right|now|today)){0,3}"
    r"(?: (?:is|at|has|gone|up|to|still|about|around|like|an?|now|solid|good)){1,6}$"
)
_PAIN = re.compile(r"\b(?:pain|hurts?|hurting|aches?|aching|headache|sore|cramps?)\b")
_OTHER_SCALES = re.compile(
    r"\b(?:energy|stress\w*|anxi\w+|mood|itch\w*|breath\w*|sleep\w*|nausea\w*|fatigue|tired\w*|worr\w+|appetite|phone)\b"
)
_CONDITION = re.compile(r"\b(?:if|when|while|after|without|at rest)\b")
# "10 is the worst pain" explains the scale and does not ask for the worst.
_SCALE_ENDS = re.compile(r"\b10(?: being| is| means| as)? the worst\b[^?,]*")
_ASKS_ANY_PAIN = re.compile(
    r"(?:and |so )?(?:are you in|do you have|have you got)? ?(?:any |much )?pain"
    r"(?: (?:right now|now|at the moment))?\W*"
)
_NO_PAIN = re.compile(r"(?:no|none|nothing|not)(?: (?:pain|at all|now|right now|at the moment|doctor)|,)*\W*")

_CHILD = r"(?:children|child|kids?)"
_KIN = re.compile(rf"\b(?:{_CHILD}|sons?|daughters?|boys?|girls?|twins)\b(?![- ]in[- ]law)")
# "2 boys", "a little girl", "my only son", "no kids"; not "2 grandchildren", "a stepson", "2 of my kids".
_COUNTED = re.compile(
    rf"\b(\d{{1,2}}|an?|my|our|no|only)(?: (only|(?!step|foster|god|of\b|and\b)[a-z]+))? ({_KIN.pattern[2:]})"
)
# What makes children the patient's own: "I have 2 sons", "my 2 sons", "a mother of 3".
_OWN = re.compile(r"\b(?:(?:i|we) (?:have|got|had|raised)|my|our|all)\b|^(?:yes, |no, )?with(?= \d)")
_PARENT_OF = re.compile(r"\b(?:mother|father|mum|mom|dad|parent) (?:of|to)$")
_NO_CHILDREN = re.compile(
    rf"\b(?:i|we) (?:do not|never|did not|could not) (?:have|had)(?: any)? {_CHILD}\b(?! (?:with|at|here|in))"
    rf"|\b(?:i|we) have no {_CHILD}\b(?! (?:with|at|here|in))|^(?:no, )?no {_CHILD}\b"
)
_NONE = re.compile(
    r"(?:no|nope|none|not yet|i do not|we do not)(?:,? (?:no|none|not yet|doctor|sadly|i do not|we do not|we could not"
    r" have any)){0,4}\W*"
)
_SOME_CHILDREN = re.compile(r"(?:yes|yeah|yep|i do|we do|of course)(?:,? (?:i do|we do|doctor|of course)){0,2}\W*")
_MANY = ("children", "kids")
# Children of others, or only some of one's own: "my sister's kids", "2 of them", "one of our kids", "my oldest son".
_NOT_ALL = re.compile(
    r"\b(?:step\w+|nephews?|nieces?|brothers?|sisters?|cousins?|neighbou?rs?|parents|friends?|class|school|teach"
    r"|look after|his|her|their|he|she|they|were|[a-z]+est|older|elder|younger|other|first|lost|died|between|from"
    r"|at home|of (?:my|our|them|the))\b"
)

_EACH = (
    r"(?:[\s,]{0,3}(?:an?|per|each|every|/|in an?) ?(?:single )?(day|night|evening|week|month|year)\b"
    r"|[\s,]{0,3}(daily|nightly|weekly|monthly)\b)"
)
_SO_MANY = rf"(?:(?<![\d.]){RANGE}|\b(an?|a couple(?: of)?))(?: (?!few|lot|couple|bit|of|day|week)[a-z]+)?"
# "6 beers a day", "half a pack of cigarettes daily"; what is smoked or drunk also without a time, "6 beers".
_CONSUMED = re.compile(
    rf"{_SO_MANY} (packs?|cigarettes?|cigs?|smokes|drinks?|beers?|glass(?:es)?|bottles?|cans?|shots?|pints?|units?"
    rf"|joints?|grams?|partners?|bags?)\b(?: of (\w+))?{_EACH}?"
)
_COUNTED_BY_TIME = re.compile(
    rf"{_SO_MANY} (?!(?:few|lots?|couple|bit|little)\b)([a-z]+)(?: of (?:[a-z]+ )?([a-z]+))?{_EACH}"
)
PERIODS = {"daily": "day", "nightly": "day", "night": "day", "evening": "day", "weekly": "week", "monthly": "month"}
_NOUNS = {"cigs": "cigarette", "cig": "cigarette", "smokes": "cigarette", "glasses": "glass", "glass": "glass"}
# Vessels by which people count the drink in them: "two cups of coffee" are two coffees.
_VESSELS = ("cup", "mug")
_SOME = {"a": (1.0, 1.0), "an": (1.0, 1.0), "a couple": (2.0, 3.0), "a couple of": (2.0, 3.0)}


def ages(reply: Reply) -> Iterator[Stated]:
    """The ages that the patient gives as its own, however high."""
    question = digits(last_question(reply.asked))
    for line in lines_of(reply):
        answers = line.at < _ANSWERING and asks_for("age", question)
        span = _decade(line.plain, answers) or _age_in(line.plain, answers, asks_for("other", question))
        if span is not None and span.high > 0:
            yield Stated("age", span, reply.turn, line.text)


def children(reply: Reply) -> Iterator[Stated]:
    """How many children the patient says it has."""
    asked = asks_for("children", digits(last_question(reply.asked)))
    mentioned = len(_KIN.findall(digits(reply.text)))
    for line in lines_of(reply):
        span = (_answered_children(line.plain, mentioned) if asked and line.at == 0 else None) or _own_children(
            line.plain
        )
        if span is not None and span.low <= _MOST_CHILDREN:
            yield Stated("children", span, reply.turn, line.text)


def pains(reply: Reply) -> Iterator[Stated]:
    """The points on the scale from 0 to 10 that the patient gives its pain at present; no pain may be a slight one."""
    question = _SCALE_ENDS.sub("", digits(last_question(reply.asked)))
    elsewhere = _OTHER_SCALES.search(question) or _CONDITION.search(question)
    if elsewhere or (asks_for("pain", question) and _moves(question, "not_now")):
        return
    for line in lines_of(reply):
        span = _pain_in(line, question)
        if span is not None and span.high <= _MOST_PAIN:
            yield Stated("pain", span, reply.turn, line.text)


def amounts(text: str) -> Iterator[tuple[str, Span]]:
    """What is smoked, drunk or taken and how much of it, with the time where one is given.

    Things of any kind count where a time is given.

    >>> [(of, str(span)) for of, span in amounts("Six beers a day and half a pack of cigarettes daily")]
    [('beer a day', '6'), ('pack of cigarettes a day', '0.5')]
    >>> [(of, str(span)) for of, span in amounts("Two cups of strong coffee a day")]
    [('coffee a day', '2')]
    """
    plain = re.sub(r"\bppd\b", "packs a day", digits(text))
    consumed = list(_CONSUMED.finditer(plain))
    yield from map(_amount_of, consumed)
    starts = {match.start() for match in consumed}
    for match in _COUNTED_BY_TIME.finditer(plain):
        if match.start() not in starts:
            yield _amount_of(match)


def age_of(value: str) -> list[Span]:
    """The ages that a profile's value allows; none where it gives none in years.

    >>> [str(span) for span in age_of("late 60s")], age_of("18 months")
    (['66 to 69'], [])
    """
    text = digits(value)
    if re.search(r"\b(?:months?|weeks?|days?)\b", text):
        return []
    if decade := re.search(r"\b(?:(early|mid|middle|late)[- ]?)?(\d0)'?s\b", text):
        return [_within_decade(decade[1], decade[2])]
    if over := re.search(r"(?:>=?|over|above) ?(\d{1,3})", text):
        return [Span(int(over[1]), OLDEST)]
    years = re.search(r"(?<!\d)(\d{1,3})(?: ?(?:-|to) ?(\d{1,3}))?(?!\d)", text)
    return [Span.between(years[1], years[2])] if years else []


def children_of(value: str) -> list[Span]:
    """How many children a profile's value gives; none where it gives no number.

    >>> [str(span) for span in children_of("one son and two daughters")], children_of("yes")
    (['3'], [])
    """
    text = digits(value).removeprefix("yes").strip(" .,")
    if text in ("none", "no", "no children", "no kids", "denies", "childless"):
        return [Span(0, 0)]
    if text.isdigit():
        return [Span.between(text, None)]
    counted = [match for match in _COUNTED.finditer(text) if match[1] not in ("my", "our", "only")]
    total = _total(counted)
    return [Span(total, total)] if counted else []


def pain_of(value: str) -> list[Span]:
    """The points from 0 to 10 that a profile's value allows; none where it gives none.

    >>> [str(span) for span in pain_of("6-8")], pain_of("unknown"), pain_of("13")
    (['6 to 8'], [], [])
    """
    text = re.sub(r"(?:/|out of) ?10\b", " ", digits(value))
    if re.fullmatch(r"\W*(?:none|no pain|denies(?: pain)?|pain free)\W*", text):
        return [Span(0, 0)]
    numbers = re.finditer(rf"(?<![\d.]){NUMBER}(?: ?(?:-|to) ?{NUMBER})?", text)
    spans = [Span.between(match[1], match[2]).whole for match in numbers]
    return spans if all(span.high <= _MOST_PAIN for span in spans) else []


def _age_in(text: str, answers: bool, of_other: bool) -> Span | None:
    """The patient's age in a sentence; None where no number in it is one."""
    spans = (_age_of_figure(figure, answers, of_other) for figure in figures_of(text))
    return next((span for span in spans if span is not None), None)


def _age_of_figure(figure: Figure, answers: bool, of_other: bool) -> Span | None:
    old, bare = _YEARS_OLD.match(figure.after), _is_bare(figure.after)
    if _follows_i_am(figure.before) and (old or (bare and (answers or not of_other))):
        return _age_span(figure)
    if _TURNED.search(figure.before) and not _LONG_AGO.search(figure.after):
        return Span(figure.span.low, figure.span.high + 1)
    if _TURNS.search(figure.before) and _SOON.match(figure.after):
        return Span(figure.span.low - 1, figure.span.high)
    alone = _is_filler(figure.before.removeprefix("my age is"))
    if alone and answers and (bare or figure.after.startswith("year")):
        return _age_span(figure)
    if alone and old and not of_other and not _OF_A_THING.search(figure.before):
        return _age_span(figure)
    return _age_span(figure) if figure.earlier.endswith("at my age,") and not figure.before else None


def _decade(text: str, answers: bool) -> Span | None:
    match = _DECADE.search(text) or (_ANSWERED_DECADE.search(text) if answers else None)
    return _within_decade(match[1], match[2] or match[4]) if match else None


def _within_decade(part: str | None, decade: str) -> Span:
    """The ages of a decade, or of its beginning, middle or end."""
    low, high = _PARTS_OF_DECADE.get(part or "", (0, 9))
    return Span(int(decade) + low, int(decade) + high)


def _age_span(figure: Figure) -> Span:
    """What an age can stand for, by the words before it."""
    offsets = (offset for words, offset in _table()["rounded"].items() if re.search(rf"\b(?:{words})\b", figure.before))
    below, above = next(offsets, (0, 0))
    return Span(figure.span.low + below, figure.span.high + above)


def _follows_i_am(before: str) -> bool:
    """Whether only hedges stand between "I am" and a number: "I am almost", not "when I am" and "I am down to"."""
    head, verb, tail = before.rpartition("i am")
    return bool(verb) and set(tail.split()) <= words_of("hedges") and not set(head.split()[-1:]) & words_of("then")


def _answered_children(text: str, mentioned: int) -> Span | None:
    """How many children an answer gives; those whom it mentions elsewhere in the reply may be more."""
    if _NONE.fullmatch(text):
        return Span(0, 0)
    figure = next(figures_of(text), None)
    if figure and _answers_how_many(figure):
        return figure.span
    if _SOME_CHILDREN.fullmatch(text):
        return Span(1, inf)
    counted = _list_of_children(text)
    if not counted or _NOT_ALL.search(text):
        return None
    return Span(_total(counted), _total(counted) if len(counted) >= mentioned else inf)


def _answers_how_many(figure: Figure) -> bool:
    """Whether a number stands alone in an answer: "Five of them", "Yes, just the one"."""
    first = _is_filler(figure.before) and figure.earlier.strip(" ,") in ("", "yes", "no")
    return first and (_is_bare(figure.after) or figure.after.startswith(("of them", "of each")))


def _own_children(text: str) -> Span | None:
    """How many children a sentence gives the patient, whatever was asked."""
    if _NO_CHILDREN.search(text):
        return Span(0, 0)
    parent = next((figure for figure in figures_of(text) if _PARENT_OF.search(figure.before)), None)
    if parent and not parent.after:
        return parent.span
    counted = _list_of_children(text)
    if not counted or _NOT_ALL.search(text) or not _OWN.search(text):
        return None
    exact = any(match[1].isdigit() or "only" in match.groups() for match in counted if re.match(_CHILD, match[3]))
    return Span(_total(counted), _total(counted) if exact else inf) if _total(counted) else None


def _list_of_children(text: str) -> list[re.Match[str]]:
    """The children that a text counts, "2 boys and a girl"; "my kids" counts none."""
    return [
        match for match in _COUNTED.finditer(text) if match[1] not in ("my", "our") or not match[3].startswith(_MANY)
    ]


def _total(counted: list[re.Match[str]]) -> int:
    """How many children a list names: "3 children, a son and 2 daughters" are 3."""
    whole = [match for match in counted if re.match(_CHILD, match[3]) and match[1].isdigit()][:1]
    return sum(int(match[1]) if match[1].isdigit() else 0 if match[1] == "no" else 1 for match in whole or counted)


def _pain_in(line: Line, question: str) -> Span | None:
    """How strong a sentence says the present pain is."""
    asked = line.at < _ANSWERING and asks_for("pain", question) and not asks_for_others(question)
    if line.at == 0 and _ASKS_ANY_PAIN.fullmatch(question) and _NO_PAIN.fullmatch(line.plain):
        return Span(0, 1)
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
    answers = asked and _is_filler(figure.before.replace("up to", ""))
    return _is_bare(figure.after) and (answers or _PAIN_IS.search(figure.before) is not None)


def _is_present(figure: Figure) -> bool:
    """Whether a pain is that of the present: "now a 4", not "last night a 9" and not "if I lie still, a 1"."""
    kind = "on_condition" if re.search(r"\b(?:now|at the moment|today)\b", figure.clause) else "not_now"
    return not _moves(figure.clause, kind) and not _CONDITION.search(figure.earlier)


def _moves(text: str, kind: str) -> bool:
    return not words_of(kind).isdisjoint(re.findall(r"[a-z]+", text))


def asks_for(quantity: str, question: str) -> bool:
    """Whether a question in plain text with digits asks for a quantity of the table `asks`."""
    return _asking(quantity).search(question) is not None


def asks_for_others(question: str) -> bool:
    """Whether a question is about somebody else: "and your wife?"."""
    return re.search(list(_table()["asks"]["other"].values())[-1], question) is not None


def _is_filler(before: str) -> bool:
    return set(re.findall(r"[a-z]+", before)) <= words_of("fillers")


def _is_bare(after: str) -> bool:
    """Whether nothing that is counted follows a number."""
    return not after or after.split(maxsplit=1)[0].strip(",.") in words_of("bare")


def _amount_of(match: re.Match[str]) -> tuple[str, Span]:
    """What an amount is of, in one spelling, and how much of it."""
    low, high, some, noun, what, per, often = match.groups()
    span = Span.between(low, high) if low else Span(*_SOME[some])
    period = per or often or ""
    of = _NOUNS.get(noun, noun.rstrip("s"))
    if of in _VESSELS and what:
        of, what = what.rstrip("s"), ""
    return " ".join(filter(None, (of, what and f"of {what}", period and f"a {PERIODS.get(period, period)}"))), span


@cache
def alone() -> str:
    """A pattern for the beginning of a clause with nothing but fillers before a number."""
    return rf"(?:^|(?<=[,;:.!?]) )(?:(?:{'|'.join(sorted(words_of('fillers')))}) ){{0,8}}"


@cache
def words_of(name: str) -> frozenset[str]:
    """The words that the table holds under a name."""
    return frozenset(_table()[name].split())


@cache
def _asking(quantity: str) -> re.Pattern[str]:
    return re.compile("|".join(_table()["asks"][quantity].values()))


@cache
def _table() -> Mapping[str, Any]:
    return table_of("numbers")
