"""How much a patient smokes, drinks and takes, since when it is unwell, and in which year something happened."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from math import inf

from msgspec import Struct

from adjudge.suites.patient.data import Reply
from adjudge.suites.patient.lexicon.phrases import any_word, in_order, last_question, pattern, table
from adjudge.suites.patient.rules.numbers import (
    ALONE,
    ASKS_OF_OTHERS,
    FILLERS,
    NUMBER,
    RANGE,
    Span,
    Stated,
    Told,
    digits,
    told,
)

_SO_MANY = rf"(?<![\d.])(?:{RANGE}|\b(an?|a couple(?: of)?))(?: (?!few|lot|couple|bit|of|day|week)[a-z]+)?"
_EACH = (
    r"(?:[\s,]*(?:u[hm]+[\s,]*)?(?:a|an|per|each|every|/|in an?)\s*(?:single )?(day|night|evening|week|month|year)\b"
    r"|[\s,]*(daily|nightly|weekly|monthly)\b)"
)
_AMOUNT = re.compile(
    rf"{_SO_MANY} (packs?|cigarettes?|cigs?|smokes|drinks?|beers?|glass(?:es)?|bottles?|cans?|shots?|pints?|units?"
    rf"|joints?|grams?|partners?|bags?)\b(?: of (\w+))?{_EACH}?"
)
_ANY_AMOUNT = re.compile(
    rf"{_SO_MANY} (?!(?:few|lots?|couple|bit|little)\b)([a-z]+)(?: of (?:[a-z]+ )?([a-z]+))?{_EACH}"
)
# Vessels by which people count the drink in them: "two cups of coffee" are two coffees.
_VESSELS = ("cup", "mug")
PERIODS = {"daily": "day", "nightly": "day", "night": "day", "evening": "day", "weekly": "week", "monthly": "month"}
_NOUNS = {"cigs": "cigarette", "cig": "cigarette", "smokes": "cigarette", "glasses": "glass", "glass": "glass"}
_SOME = {"a": (1.0, 1.0), "an": (1.0, 1.0), "a couple": (2.0, 3.0), "a couple of": (2.0, 3.0), "a few": (2.0, 7.0)}
# How far off, as a share of it, an amount may be that people round.
_ROUNDED = 0.25


def amounts(text: str) -> Iterator[tuple[str, Span]]:
    """What is smoked, drunk or taken and how much of it, with the time where one is given.

    Things of any kind count where a time is given, unless their word does not tell what they are ("three times a day").

    >>> [(of, str(span)) for of, span in amounts("Six beers a day and half a pack of cigarettes daily")]
    [('beer a day', '6'), ('pack of cigarettes a day', '0.5')]
    >>> [(of, str(span)) for of, span in amounts("Two cups of strong coffee a day, and three pills a day")]
    [('coffee a day', '2')]
    """
    said = re.sub(r"\bppd\b", "packs a day", digits(text))
    known = list(_AMOUNT.finditer(said))
    yield from map(_amount, known)
    taken = {found.start() for found in known}
    yield from (
        _amount(found)
        for found in _ANY_AMOUNT.finditer(said)
        if found.start() not in taken and (found[5] or not any_word("counted_of_anything").fullmatch(found[4]))
    )


def _amount(found: re.Match[str]) -> tuple[str, Span]:
    """What an amount is of, in one spelling, and how much of it."""
    low, high, some, noun, what, per, often = found.groups()
    span = Span.between(low, high) if low else Span(*_SOME[some])
    period = per or often or ""
    of = _NOUNS.get(noun, noun.rstrip("s"))
    if of in _VESSELS and what:
        of, what = what.rstrip("s"), ""
    return " ".join(filter(None, (of, what and f"of {what}", period and f"a {PERIODS.get(period, period)}"))), span


class Detailed(Struct, frozen=True):
    """A number with what it is of, and of which kind where the patient says so; "" where it does not."""

    of: str
    kind: str
    span: Span
    turn: str
    text: str


def same_kind(found: Iterable[Detailed], shared: re.Pattern[str]) -> Iterator[Stated]:
    """The numbers by what they are of; one of no kind is of the only kind told elsewhere, if that is a shared one."""
    found = list(found)
    kinds: dict[str, set[str]] = {}
    for one in found:
        kinds.setdefault(one.of, set()).update({one.kind} - {""})
    for one in found:
        only = next(iter(kinds[one.of])) if len(kinds[one.of]) == 1 else ""
        kind = one.kind or (only if shared.fullmatch(only) else "")
        yield Stated(" ".join(one.of.replace("{}", kind).split()), one.span, one.turn, one.text)


_UP_AT_NIGHT = re.compile(
    r"\b(?:get(?:ting)? up|wak\w+|up|urinat\w*|pee\w*|pass(?:ing)? (?:water|urine)|bathroom|toilet|loo)\b"
)
_AWAKE = re.compile(r"\b(?:work\w*|shifts?|driv\w+|watch\w*|study\w*|on call|awake|cough\w*|play\w*)\b")
_OTHER_TIME = re.compile(
    r"\b(?:weekends?|before|ever|used to|lately|recently|most|worst|back then|normally|in the past|did you"
    r"|were you|was it|maximum|bad days?|start(?:ed)?|previously)\b"
)
_ASKS_AMOUNT = re.compile(r"\bhow (?:often|many|much|frequently)\b")
_FOLLOWS = re.compile(r"^(?!and\b|any\b|what about|how\b|when\b|other).*\b(?:it|that|this|them|those|these)\b|^with\b")
_SUBJECT = re.compile(r"\b(?:i|we|it|my|they)\b")
_OF_ALCOHOL = re.compile(r"wine|beer|whisk\w+|vodka|gin|rum|cider|sherry|spirits|liquor")
_VAGUE_COUNT = re.compile(
    rf"(?<![\d.])(?:{RANGE}|\ban?) (times?|hours?|tablets?|pills?|capsules?|puffs?|doses?|lit(?:er|re)s?"
    rf"|cups?|mugs?){_EACH}"
)
_BARE_COUNT = re.compile(rf"(?<![\d.]){RANGE}{_EACH}")
_ASKS_COUNT = re.compile(in_order(r"\bhow many ([a-z]+)\b", r"\b(?:an?|per|each|every|at) (day|night|week)\b"))
_COUNT = re.compile(rf"{ALONE}(?:{RANGE}|once)(?: times)?(?=\s*(?:$|[.,;!]))")
_SMOKES = re.compile(r"\b(?:smok\w+|cigarettes?|cigs?)\b")
_A_PACK = 20
_DRUNK_FROM = ("glass", "bottle", "can", "pint")
# A question of so few words names what it asks for and little else.
_BRIEF = 3


class Amount(Struct, frozen=True):
    """How much of what, by the time, with a gap for the kind of it, and the kind; "" where none is told."""

    of: str
    kind: str
    span: Span

    def said_in(self, reply: Reply, text: str) -> Detailed:
        """The amount where it was said, with room for rounding."""
        rounded = Span(self.span.low * (1 - _ROUNDED), self.span.high * (1 + _ROUNDED))
        return Detailed(self.of, self.kind, rounded, reply.turn, text)


def habits(replies: Sequence[Reply]) -> Iterator[Stated]:
    """How much or how often the patient says it does something in a day, week or month, at present and as a rule."""
    return same_kind(_habits(replies), _OF_ALCOHOL)


def _habits(replies: Sequence[Reply]) -> Iterator[Detailed]:
    before = ""
    for reply in replies:
        question = digits(last_question(reply.asked))
        asked = before if _FOLLOWS.search(question) and not _ASKS_AMOUNT.search(question) else question
        before = asked
        for one in () if _OTHER_TIME.search(question) else told(reply):
            if _as_a_rule(one.said, question):
                found = (*_amounts_of(one.text, asked), *_counts(one.said, asked), *_bare_counts(one.said, asked))
                yield from (amount.said_in(reply, one.text) for amount in found)


def _as_a_rule(said: str, question: str) -> bool:
    """Whether a sentence tells what this patient does at present and as a rule."""
    if pattern("partial_amount").search(said) or pattern("others").search(said):
        return False
    return not ASKS_OF_OTHERS.search(question) or _SUBJECT.search(said) is not None


def _amounts_of(text: str, asked: str) -> Iterator[Amount]:
    """Amounts of what their word tells: a pack holds cigarettes, and a glass of wine is a glass of the kind wine."""
    for of, span in amounts(text):
        noun, _, period = of.rpartition(" a ")
        thing, _, kind = noun.partition(" of ")
        if period not in ("day", "week", "month"):
            continue
        if thing == "pack":
            yield Amount(f"cigarette a {period}", "", Span(span.low * _A_PACK, span.high * _A_PACK))
        elif kind and _of_anything(thing):
            yield Amount(f"{thing} a {period} ({{}})", kind, span)
        else:
            yield Amount(f"{thing} {{}} a {period}", kind or _drink(thing, period, asked), span)


def _of_anything(noun: str) -> bool:
    return any_word("counted_of_anything").fullmatch(noun) is not None


def _drink(vessel: str, period: str, asked: str) -> str:
    """What is drunk from a glass or the like, if a brief question names it."""
    brief = asked if len(asked.split()) <= _BRIEF else ""
    return _kind(vessel, period, brief) if vessel in _DRUNK_FROM else ""


def _counts(said: str, asked: str) -> Iterator[Amount]:
    """Times, hours, tablets and the like, of the kind that the sentence names, or the question where it is brief."""
    for found in _VAGUE_COUNT.finditer(said):
        noun, period = found[3].rstrip("s"), _period(found[4] or found[5])
        kind = _kind_in(noun, period, _clause(said, found), asked)
        of = f"{{}} a {period}" if noun in _VESSELS else f"{noun} a {period} ({{}})"
        if kind:
            yield Amount(of, kind, _span_of(found))


def _clause(said: str, found: re.Match[str]) -> str:
    """What stands between the commas around a match."""
    ends = said.find(",", found.end())
    return said[said.rfind(",", 0, found.start()) + 1 : ends if ends >= 0 else len(said)]


def _bare_counts(said: str, asked: str) -> Iterator[Amount]:
    """Cigarettes or what else was asked for, in answers that only count: "ten a day", "ten"."""
    if _SMOKES.search(asked) or _SMOKES.search(said):
        for found in _BARE_COUNT.finditer(said):
            yield Amount(f"cigarette a {_period(found[3] or found[4])}", "", _span_of(found))
    asks, count = _ASKS_COUNT.search(asked), _COUNT.search(said)
    if asks and count and not _SUBJECT.search(said):
        yield _counted(asks[1], asks[2], asked, _span_of(count))


def _counted(things: str, period: str, asked: str, span: Span) -> Amount:
    """How many of the things that a question asks for by the day, night or week."""
    noun = _NOUNS.get(things, things.rstrip("s"))
    if _of_anything(noun):
        return Amount(f"{noun} a {period} ({{}})", _kind(noun, period, asked), span)
    return Amount(f"{noun} {{}} a {PERIODS.get(period, period)}", "", span)


@lru_cache(maxsize=1_000)
def _kind_in(noun: str, period: str, clause: str, asked: str) -> str:
    """What is counted in a clause, by the clause itself if it has a subject, else by the question."""
    return _kind(noun, period, clause if _SUBJECT.search(clause) else asked)


def _kind(noun: str, period: str, text: str) -> str:
    """What something is done or taken for, by the words of a text that tell it; "" where none does."""
    if period == "night" and noun == "time" and _UP_AT_NIGHT.search(text):
        return "up at night"
    if period == "night" and noun == "hour":
        return "" if _AWAKE.search(text) else "asleep"
    found = {re.sub(r"(?:ing|s)$", "", word) for word in re.findall(r"[a-z]{3,}", text)}
    return " ".join(sorted(found - set(table()["uncounted_words"]) - {noun, period}))


def _period(word: str) -> str:
    return {"daily": "day", "nightly": "night", "weekly": "week", "monthly": "month"}.get(word, word)


def _span_of(found: re.Match[str]) -> Span:
    """The numbers of a match; "a" and "once" are one."""
    return Span.between(found[1] or "1", found[2])


_DAYS = {"minute": 1 / 1440, "hour": 1 / 24, "day": 1.0, "week": 7.0, "month": 30.4, "year": 365.0}
_UNITS = r"(minute|hour|day|week|month|year)s?\b"
_LENGTH = rf"(?:(?<!\d){NUMBER}(?:\s*(?:-|to|or|,)\s*{NUMBER})?|\b(an?|a couple(?: of)?|a few)) {_UNITS}"
_WEEKDAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
# How many days ago each was, at least and at most.
_TIMES: tuple[tuple[str, Span], ...] = (
    (r"this morning|today|tonight|this afternoon|this evening", Span(0, 1)),
    (r"last night|yesterday(?: \w+ing| afternoon| night)?", Span(0.3, 2.2)),
    (rf"(?:last|this past) {_WEEKDAY}", Span(0, 15)),
    (_WEEKDAY, Span(0, 8)),
    (r"(?:the|last|this) weekend", Span(0, 10)),
    (r"this week", Span(0, 8)),
    (r"last week", Span(1, 16)),
    (r"last month", Span(2, 75)),
    (r"last year", Span(10, 760)),
    (r"(?<=for )(?:many |several )?weeks", Span(8, 150)),
    (r"(?<=for )(?:many |several )?months", Span(35, 1500)),
    (r"(?<=for )(?:many |several )?years", Span(400, inf)),
)
_TIME = "|".join(time for time, _ in _TIMES)
_WHEN = rf"(?:{_LENGTH}|\b(?:{_TIME})\b)"
_A_WHEN = re.compile(_WHEN)
_SO_LONG = (
    r"(?:(?:about|around|like|maybe|probably|roughly|almost|just|over|let's say|say|the|past|last|at least"
    r"|nearly|now|only|quite|for|since|on|all)[\s,]+){0,8}"
)
_BEGAN = re.compile(
    rf"\b(?:start(?:ed)?|began|begun|came on|notice[ds]?|felt"
    rf"|appeared)\b[^.;?]{{0,60}}?\b{_SO_LONG}(?:{_LENGTH} ago\b|(?:{_TIME})\b)"
)
_BEEN = re.compile(
    r"\b(?:have|has|had|been|having|going on|is)\b[^.;?]{0,60}?\b(?:for|over|since|these|the (?:past|last))\b[\s,]+"
    rf"{_SO_LONG}{_WHEN}(?! (?:ago|old|later|after))"
)
_ALL_THE_TIME = re.compile(
    rf"{_LENGTH} (?:(?:that )?i have (?:been|had)|of [a-z]+|is (?:a long time|too long|long enough))\b"
)
_ANSWER = re.compile(rf"{FILLERS}(?:for |over |since |on )?{_SO_LONG}{_WHEN}(?! (?:old|later|after|before|each|every))")
_WHEN_DID, _BEGIN = r"\bwhen did\b", r"\b(?:start|begin|notice|appear|come)"
_ASKS_LENGTH = re.compile(
    rf"\bhow long (?:have|has|did|is|was)\b|{in_order(_WHEN_DID, _BEGIN)}"
    r"|\bhow long ago\b|\bhow long(?: exactly)?\W*$|\bsince when\b"
)
_MEANS_IT = re.compile(
    r"\b(?:it|they|this|that|these)(?: (?:all|just|only|first))* (?:started|began|came on|(?:has"
    r"|have) been (?:going|there|like)|is going on)\b"
)
_ASKS_OF_IT = re.compile(
    r"\bhow long (?:has|have|did|is) (?:it|this|that|these|those)\b|\bwhen did (?:it|this|that|these|they|all this)\b"
    r"|\bhow long(?: exactly)?\W*$|\bhave you (?:had|felt|been feeling) (?:it|this|that|these)\b"
)
_ASKS_BEFORE = re.compile(r"\b(?:before|previous\w*|ever|in the past|last time|similar)\b")
# A complaint and the part of the body, "" where none was named.
Complaint = tuple[str, str]
_TROUBLE: Complaint = ("trouble", "")
# People round: three days may be five, but hardly two weeks.
_SHORTEST, _LONGEST = 0.6, 1.7
_ANY_PART = re.compile(r".+")
_CONJUNCTION = re.compile(r" (?:and|but) |; ")


def onsets(replies: Sequence[Reply]) -> Iterator[Stated]:
    """How many days ago the patient says a complaint began; people round, so a span around it."""
    return same_kind(_onsets(replies), _ANY_PART)


def _onsets(replies: Sequence[Reply]) -> Iterator[Detailed]:
    spoken_of: Complaint | None = _TROUBLE
    for reply in replies:
        question = digits(last_question(reply.asked))
        asked = question if _ASKS_LENGTH.search(question) and not _asks_in_part(question) else ""
        heard = f"{digits(reply.asked)} {digits(reply.text)}"
        for one in () if _ASKS_BEFORE.search(question) else told(reply):
            span = _lasting(one.said, answers=bool(asked) and one.at == 0)
            complaint = span and (_named(one.said, reply, asked) or _meant(one.said, asked, heard, spoken_of))
            if span and complaint:
                yield Detailed(f"days since the {{}} {complaint[0]} began", complaint[1], span, reply.turn, one.text)
        if any_word("symptoms").search(heard):
            spoken_of = _complaint(heard)


def _asks_in_part(question: str) -> bool:
    return any(words.search(question) for words in (pattern("partial_time"), ASKS_OF_OTHERS))


def _named(said: str, reply: Reply, asked: str) -> Complaint | None:
    """The complaint that a sentence names, or the whole reply, or the question."""
    return _complaint(said) or _complaint(digits(reply.text)) or _complaint(asked)


def _meant(said: str, asked: str, heard: str, spoken_of: Complaint | None) -> Complaint | None:
    """The complaint spoken of before, where "it" stands for one and no other was named."""
    if any_word("symptoms").search(heard) or any_word("body").search(heard):
        return None
    return spoken_of if _MEANS_IT.search(said) or _ASKS_OF_IT.search(asked) else None


def _lasting(said: str, answers: bool) -> Span | None:
    """How many days ago a complaint as a whole began, where a sentence says so."""
    found = _BEGAN.search(said) or _BEEN.search(said) or _ALL_THE_TIME.search(said)
    found = found or (_ANSWER.search(said) if answers else None)
    if found is None or not _tells_all(_part(said, found)):
        return None
    spans = [_days_ago(one) for one in _A_WHEN.finditer(said)]
    narrow = min(spans, key=lambda span: span.high - span.low)
    return narrow if all(span.meets(narrow) for span in spans) and len(spans) <= 2 else None


def _part(said: str, found: re.Match[str]) -> str:
    """What stands between the conjunctions around a match."""
    before, after = said[: found.start()], said[found.end() :]
    return f"{_CONJUNCTION.split(before)[-1]}{found[0]}{_CONJUNCTION.split(after, maxsplit=1)[0]}"


def _days_ago(found: re.Match[str]) -> Span:
    if found[4] is None:
        return next(span for time, span in _TIMES if re.fullmatch(time.replace("(?<=for )", ""), found[0]))
    low, high = (float(found[1]), float(found[2] or found[1])) if found[1] else _SOME[found[3]]
    return Span(min(low, high) * _DAYS[found[4]] * _SHORTEST, max(low, high) * _DAYS[found[4]] * _LONGEST)


# What a complaint is called whose word, without its ending, is another or no word.
_CALLED = {
    "hurt": "pain", "ache": "pain", "ach": "pain", "swell": "swelling", "swollen": "swelling", "nauseou": "nausea",
    "bleed": "bleeding", "dizz": "dizziness", "dizzi": "dizziness", "tingl": "tingling", "vomit": "vomiting",
    "numb": "numbness", "itch": "itching", "wheez": "wheezing", "wheeze": "wheezing", "tired": "tiredness",
}  # fmt: skip


def _complaint(text: str) -> Complaint | None:
    """The one complaint that a text names and the part of the body, if any; None where it names several or none."""
    named = [found[0] for found in any_word("symptoms").finditer(text)]
    stems = {re.sub(r"(?:ness|ing|s|y)$", "", word) for word in named}
    symptoms = {_CALLED.get(stem, stem) for stem in stems}
    parts = {found[0] for found in any_word("body").finditer(text)} - {part for word in named for part in word.split()}
    if len(symptoms) != 1 or len(parts) > 1:
        return None
    return symptoms.pop(), next(iter(parts), "")


def _tells_all(said: str) -> bool:
    """Whether a duration is that of the complaint as a whole, and of this patient."""
    return not pattern("partial_time").search(said) and not pattern("others").search(said)


_YEAR = re.compile(r"\b((?:19|20)\d\d)\b")
_ASKS_MORE = re.compile(
    r"^(?:(?:and|in|at) )?(?:which|where|who|why|what)\b(?!.*\b(?:others?|else|before|another|about)\b)"
)


def years(replies: Sequence[Reply]) -> Iterator[Stated]:
    """The years that the patient gives for what happens once in a life, or for the one time that was asked about."""
    before = ""
    for reply in replies:
        asked = before = _asked_event(digits(last_question(reply.asked)), before)
        for one in told(reply):
            found = set(_YEAR.findall(one.said))
            event = _told_event(one, asked) if len(found) == 1 else ""
            if event:
                year = int(found.pop())
                yield Stated(f"year ({event})", Span(year, year), reply.turn, one.text)


_SEVERAL, _OPERATION = "several", "operation"


def _asked_event(question: str, before: str) -> str:
    """The event that a question asks for; that of the question before it, where it only asks for more about it."""
    if ASKS_OF_OTHERS.search(question) or any_word("which_of_several").search(question):
        return _SEVERAL
    return _event(question) or (before if _ASKS_MORE.search(question) else "")


def _told_event(one: Told, asked: str) -> str:
    """The one event that a sentence is about, as it says or as an answer; "" where it may be about another.

    A part of the body that it names may have had an operation of its own.
    """
    event = _event(one.said) or (asked if one.at == 0 and not any_word("body").search(one.said) else "")
    among_others = any_word("which_of_several").search(one.said) or pattern("others").search(one.said)
    return "" if event == _SEVERAL or among_others else event


@cache
def _events() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((name, re.compile(rf"\b(?:{words})\b")) for name, words in table()["events"].items())


@lru_cache(maxsize=10_000)
def _event(text: str) -> str:
    """The event that a text names, by its name in the table; "" where it names none."""
    named = [name for name, words in _events() if words.search(text)]
    named = [name for name in named if name != _OPERATION] or named
    parts = sorted({found[0] for found in any_word("body").finditer(text)}) if named == [_OPERATION] else []
    return " ".join([*parts, *named]) if len(named) == 1 else _SEVERAL if named else ""
