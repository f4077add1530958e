"""How strong a patient says its pain is at present."""

from __future__ import annotations

import re
from collections.abc import Iterator

from adjudge.suites.patient.data import Reply
from adjudge.suites.patient.lexicon.phrases import in_order, last_question
from adjudge.suites.patient.rules.numbers import ALONE, ASKS_OF_OTHERS, NUMBER, RANGE, Span, Stated, digits, told

# Not "9 out of 10 times", and not the third of October.
_OF_THINGS = r"(?! (?!is\b|was\b|this\b|always\b|has\b|as\b|perhaps\b)[a-z]+s\b| people\b)"
_OUT_OF_TEN = re.compile(
    rf"(?<![\d./])(?<!\bon )(?<!\bsince ){RANGE}(?:\s*/\s*10\b(?![/.]\d)|,? out of (?:a )?10\b){_OF_THINGS}"
)
# What follows a number that rates a pain.
_RATED = (
    r"(?=\s*(?:$|[.;!?)]|,(?! ?\d))| (?:right now|now|at the moment|today|currently|or so|if that"
    r"|i (?:think|guess|would)|maybe|doctor|sitting|lying|on|at most|at best|tops|for me|for now|but|though)\b"
    r"| and (?!\d|an? half))"
)
_TO = (
    r"(?: (?:it|that|this|the|my|pain|level|score|is|has|gone|went|at|as|with|for|about|around|like|maybe|probably"
    r"|now|right|moment|currently|today|only|just|an?|solid|good|strong|definite|somewhere|between|up|down|to|still"
    r"|easily|really|hovering|sitting|closer|back|more|of|there|very|high|low|say|would|i)){0,8}"
)
_PAIN_IS = re.compile(rf"\bpain(?= (?:[a-z]+ ){{0,5}}(?:is|at|to)\b){_TO} {RANGE}{_RATED}")
_IT_IS = re.compile(rf"\b(?:it|that|now){_TO} {RANGE}{_RATED}")
_GIVEN = re.compile(rf"\b(?:say|give|put|rate|call|go|make){_TO} {RANGE}{_RATED}")
_ANSWER_RATING = re.compile(rf"{ALONE}{RANGE}{_RATED}")
_PAIN = re.compile(r"\b(?:pain|hurt\w*|ache\w*|aching|discomfort|sore\w*|headache|cramp\w*)\b")
_HOW_MUCH, _HURTS = r"\bhow (?:much|badly|bad) (?:does it|do you|is it|are you)\b", r"\b(?:hurt\w*|pain)\b"
_RATES = re.compile(
    r"\bscale\b|\brate\b|\brating\b|\bout of 10\b|\b[01] to 10\b|\bscore\b|\b(?:what|which) number\b"
    r"|\ba number(?: (?:on|for the pain|from|between)\b|\W*$)|\bpain level\b"
    r"|\bhow (?:bad|strong|severe|intense|painful) (?:is|are)"
    r" (?:it|that|this|(?:the|your|this|that) (?:\w+ )?(?:pain|ache|headache|cramps?|discomfort))\b"
    rf"|{in_order(_HOW_MUCH, _HURTS)}|\bhow much pain\b"
    r"|\b(?:in|any|the|your) (?:\w+ )?pain(?: is)?(?: at)?"
    r" (?:right now|now|at (?:the|this) moment|today|currently|like)\b"
    r"|\bare you in (?:\w+ )?pain\b|\bhurt(?:ing)? (?:right )?now\b"
    r"|\bhow(?: is|'s) (?:the|your) pain\b|\bis (?:the|your) pain (?:bad|strong|severe|mild)\b"
    r"|^(?:and |so |any |the |your |what about )*pain(?: level)?\W*$"
)
_RATES_OTHER = re.compile(
    r"\b(?:energy|stress\w*|anxi\w+|mood|itch\w*|breath\w*|sleep\w*|nausea\w*|confident|confidence|fatigue"
    r"|tired\w*|happy|worr\w+|appetite|motivat\w+|ready|willing|important|satisf\w+|depress\w+|dizz\w+|function\w*|health|phone)\b"
)
# "If I must give a number" is no condition.
_IF = r"if(?! i (?:must|have to|had to))"
_ON_CONDITION = re.compile(
    rf"\b(?:worst|best|used to|when|{_IF}|after|gets?|getting|goes|sometimes|with the|without|usually|normally|can"
    r"|at rest|days?|nights?|then|until|would be|average|typical\w*|walk\w*|mov\w+|once|during|while|start|at times|he"
    r"|she|his|her|takes?|brings?|medic\w+|tablets?|pills?|painkillers?|injection|press(?:ed|es|ing)?|acceptable)\b"
)
_NOT_NOW = re.compile(
    rf"{_ON_CONDITION.pattern}|\b(?:was|were|yesterday|(?<!it )last|earlier|before|got|went|been|this morning|at first"
    r"|initially|started|(?<!is )up to|(?<!is )down to)\b"
)
_ASKS_ON_CONDITION = re.compile(r"\b(?:if|when|while|as) (?:i|you|we|it)\b(?! speak)")
# "If I lie still, it is a one."
_CONDITION_BEFORE = re.compile(
    rf"(?:^|[,;])(?>[^,;]*?\b(?:{_IF}|when\w*|while|as long as|once|after|with|without|at rest)\b)[^,;]*,[^,;]*$"
)
_NOW = re.compile(r"\b(?:now|at (?:the|this) moment|currently|at present|today|still)\b")
# "10 is the worst pain" explains the scale and does not ask for the worst, nor does "can you" ask for what can be.
_SCALE_ENDS = re.compile(
    r"\b(?:10|highest)(?: being| is| means| as| meaning)? the worst\b[^?,]*|\bthe worst being 10\b|\bcan you\b"
)
_AT_PRESENT = r"(?:right now|now|at (?:the|this) moment|currently|at present|any ?more)"
_NO_PAIN = re.compile(
    rf"\b(?:no|not (?:in |have |feel )?any|not in(?: any)?) pain(?: at all| whatsoever)?,? {_AT_PRESENT}\b"
    rf"|^(?:no, )?{_AT_PRESENT},? i (?:have|am in|feel|have got) no pain\b(?! (?:in|there|when|if))"
    rf"|\bi am (?:completely |totally )?pain[- ]free,? {_AT_PRESENT}\b"
    rf"|\b(?:it|nothing) (?:does not |)hurts?(?: at all)? {_AT_PRESENT}\b"
)
_ASKS_ANY_PAIN = re.compile(
    rf"^(?:and |so |okay,? )*(?:are you in|do you have|have you got|is there|you are in)?\s?(?:any |much )?pain"
    rf" {_AT_PRESENT}\W*$|^(?:and |so )*are you in (?:any |much )?pain\W*$"
)
_ANSWER_NO_PAIN = re.compile(
    r"(?:(?:no|nope|none|nothing|not at all|at all|no pain|i am not|thank (?:god|goodness|you)|doctor"
    r"|right now|now|sir|not right now|not now|not at the moment|i do not|i have none)\b[\s,.!]*)+"
)


def pains(reply: Reply) -> Iterator[Stated]:
    """The points on the scale from 0 to 10 that the patient gives its pain at present; no pain may be a slight one."""
    question = digits(last_question(reply.asked))
    for one in () if _asks_of_another_pain(question) else told(reply):
        rated = _rated(one.said, question, early=one.at < 2)
        if rated or _tells_no_pain(one.said, question, first=one.at == 0):
            span = Span.between(rated[1], rated[2]).rounded if rated else Span(0, 1)
            if span.high <= 10:
                yield Stated("pain", span, reply.turn, one.text)


def _asks_of_another_pain(question: str) -> bool:
    """Whether a question is about others, about something else than pain, or about pain at another time."""
    if any(words.search(question) for words in (ASKS_OF_OTHERS, _RATES_OTHER, _ASKS_ON_CONDITION)):
        return True
    return _RATES.search(question) is not None and _NOT_NOW.search(_SCALE_ENDS.sub("", question)) is not None


def _rated(said: str, question: str, early: bool) -> re.Match[str] | None:
    """Where a sentence rates the present pain."""
    forms = [_OUT_OF_TEN] if _of_pain(said, question) else []
    if early and _RATES.search(question) and not _OUT_OF_TEN.search(said):
        forms += [_ANSWER_RATING, _GIVEN, _IT_IS]
    matches = (found for form in (*forms, _PAIN_IS) for found in form.finditer(said))
    return None if _RATES_OTHER.search(said) else next((one for one in matches if _at_present(said, one)), None)


def _of_pain(said: str, question: str) -> bool:
    return any(_PAIN.search(text) for text in (said, question)) or _RATES.search(question) is not None


def _at_present(said: str, found: re.Match[str]) -> bool:
    clause = _clause(said, found)
    if _CONDITION_BEFORE.search(said, 0, found.start(1)):
        return False
    return (_ON_CONDITION if _NOW.search(clause) else _NOT_NOW).search(clause) is None


def _tells_no_pain(said: str, question: str, first: bool) -> bool:
    found = _NO_PAIN.search(said)
    if found:
        return _ON_CONDITION.search(_after(said, found)) is None
    return first and _ASKS_ANY_PAIN.search(question) is not None and _ANSWER_NO_PAIN.fullmatch(said) is not None


_PARTS = re.compile(r"[,;]| but | and | though ")
_ENDS = re.compile(rf"\.|{_PARTS.pattern}")


def _clause(said: str, found: re.Match[str]) -> str:
    """What stands between the commas and conjunctions around a match, and the match."""
    before = _PARTS.split(said[: found.start(1)])[-1]
    return f"{before}{said[found.start(1) : found.end()]}{_after(said, found)}"


def _after(said: str, found: re.Match[str]) -> str:
    return _ENDS.split(said[found.end() :], maxsplit=1)[0]


def pain_of(value: str) -> list[Span]:
    """The points from 0 to 10 that a profile's value allows; none where it gives none.

    >>> [str(span) for span in pain_of("6-8")], pain_of("unknown"), pain_of("13")
    (['6 to 8'], [], [])
    """
    text = re.sub(r"(?:/|out of)\s*10\b", " ", digits(value))
    if re.fullmatch(r"\W*(?:none|no pain|denies(?: pain)?|pain free)\W*", text):
        return [Span(0, 0)]
    numbers = re.finditer(rf"(?<![\d.]){NUMBER}(?:\s*(?:-|to)\s*{NUMBER})?", text)
    spans = [Span.between(found[1], found[2]).rounded for found in numbers]
    return spans if all(span.high <= 10 for span in spans) else []
