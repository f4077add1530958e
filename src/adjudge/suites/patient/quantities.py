"""Numbers that a patient states about itself and that its profile holds too: age, pain, children."""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import inf

from msgspec import Struct

from adjudge.suites.patient.data import Reply
from adjudge.suites.patient.numbers import Span, digits
from adjudge.suites.patient.phrases import last_question


class Stated(Struct, frozen=True):
    """A number that a patient stated: of what, what it can stand for, and where it was said."""

    of: str
    span: Span
    turn: str
    text: str


NUMBER = r"(\d+(?:\.\d+)?)"
# What may stand before a number that answers a question.
FILLERS = (
    r"^(?:(?:no|um+|uh+|er+|eh|ah|well|yes|yeah|so|oh|hi|hello|ok|okay|sure|doctor|hmm+|i would|i am|i have"
    r"|say|it is|that is|i think|i guess|probably|maybe|about|around|like|roughly|right now|now|just|only"
    r"|at least|got|we have|give it|call it|rate it|it|the pain is|my pain is|my age is|a solid|a good|at|an?"
    r"|perhaps|let me see|and|definitely|easily|honestly|almost|nearly)\b[\s,.]*)*"
)
_OLDEST = 120

_NO_UNIT = (
    r"(?=\s*(?:$|[!?;)]|\.(?!\d)|,(?! ?\d))| (?:now|today|going on|this (?:year|month|week))\b"
    r"| (?:and|but|so) (?!an? half|a bit|counting|\d))"
)
_OLD = r"[- ](?:years?|yrs?)[- ](?:old|young|of age)\b|[- ]?(?:y/?o|y\.o\.?)(?!\w)"
_NOT_OTHERS = (
    r"(?! (?:when|son|daughter|boy|girl|child|kid|mother|father|brother|sister|husband|wife|grand\w+|dog|cat|baby)\b)"
)
_ABOUT = (
    r"((?: (?:only|just|now|already|actually|about|around|almost|nearly|over|past|approximately|roughly|like|well))*)"
)
_BARE_AGE = re.compile(rf"\bi am{_ABOUT} (\d{{1,3}}){_NO_UNIT}")
_FULL_AGE = re.compile(rf"\bi am{_ABOUT}(?: an?)?(?: [a-z]+)?(?: \d+,)? (\d{{1,3}})(?:{_OLD}){_NOT_OTHERS}")
_ALONE_AGE = re.compile(rf"{FILLERS}()(\d{{1,3}})(?:{_OLD}){_NOT_OTHERS}")
_AS_AGE = re.compile(rf"\b(?:as an?|my age is|my age,)() (\d{{1,3}})(?:{_OLD}|{_NO_UNIT}){_NOT_OTHERS}")
_TURNED = re.compile(
    r"\bi(?: have)?(?: just| only| recently| actually)* turned()(?: the big)? (\d{1,3})\b(?! (?:around|degrees|over))"
)
_TURNS = re.compile(
    r"(?:\bi (?:will be|will turn|am turning|am about to (?:turn|be)|am going to be|turn)|^turning) (\d{1,3})"
    r"(?=$|[.!,;]| (?:next|soon|this|in [a-z]+|on the)\b)(?! in (?:an?|the) )"
)
_DECADE = re.compile(r"\bi am (?:\w+ )?(?:in|into) my (early|mid|middle|late)?[- ]*(\d0)'?s\b")
_ANSWER_AGE = re.compile(
    rf"{FILLERS}(?:[a-z]+(?: [a-z]+)?, )?()(\d{{1,3}})(?: years?(?=\s*(?:$|[.!,;]))|{_NO_UNIT}|{_OLD})"
)
_HAD_BIRTHDAY = re.compile(
    r"\bi was()(?: just| only)? (\d{1,3})"
    r"(?=(?: just)? (?:last|this|yesterday|today|on|a (?:few|couple)|\d+ (?:days?|weeks?|months?) ago)\b)"
)
_THEN = re.compile(r"\b(?:when|since|after|before|until|till|once|by the time|if|as soon as|like)$")
_ASKS_AGE = re.compile(
    r"\bhow old (?:are you|you are)\b(?! when)|\bwhat age are you\b|\byour age\?"
    r"|\b(?:what is|tell me|confirm|give me|about|and|state) your (?:current )?age\b(?! group)"
    r"|^(?:and |so |okay,? )*(?:your )?age\b[^a-z]*$|\byou are how old\b"
)
_ASKS_OTHER = re.compile(
    r"\b(?:weigh|weight|tall|height|scale|rate|how (?:many|much|far|long)|pregnan\w+|temperature|size"
    r"|how old (?:is|was|were))\b"
)
_DECADES = {"early": (0, 4), "mid": (4, 6), "middle": (4, 6), "late": (6, 9)}


def ages(reply: Reply) -> Iterator[Stated]:
    """The ages that the patient gives as its own."""
    question = digits(last_question(reply.asked))
    for at, sentence in enumerate(reply.sentences):
        said = digits(sentence.text)
        span = _decade(said) or _age(said, question, first=at == 0) or _birthday(said)
        if span is not None:
            yield Stated("age", span, reply.turn, sentence.text)


def _decade(said: str) -> Span | None:
    found = _DECADE.search(said)
    if found is None or _THEN.search(said[: found.start()].rstrip()):
        return None
    low, high = _DECADES.get(found[1] or "", (0, 9))
    return Span(int(found[2]) + low, int(found[2]) + high)


def _age(said: str, question: str, first: bool) -> Span | None:
    asked = _ASKS_AGE.search(question) is not None
    forms = [_FULL_AGE, _AS_AGE, _TURNED]
    if asked or not _ASKS_OTHER.search(question):
        forms += [_BARE_AGE, _ALONE_AGE]
    if first and asked:
        forms += [_ANSWER_AGE, _HAD_BIRTHDAY]
    for form in forms:
        found = form.search(said)
        if found and not _THEN.search(said[: found.start()].rstrip()):
            return _rounded_age(int(found[2]), said[found.start() : found.start(2)])
    return None


def _birthday(said: str) -> Span | None:
    """The age before and after a birthday that is yet to come."""
    found = _TURNS.search(said)
    return Span(int(found[1]) - 1, int(found[1])) if found and 0 < int(found[1]) <= _OLDEST else None


def _rounded_age(age: int, before: str) -> Span | None:
    """What an age can stand for, by the words before it; none where nobody is so old."""
    if not 0 < age <= _OLDEST:
        return None
    if re.search(r"\b(?:almost|nearly)\b", before):
        return Span(age - 2, age)
    if re.search(r"\b(?:over|past)\b", before):
        return Span(age, _OLDEST)
    if re.search(r"\b(?:about|around|roughly|approximately|like|maybe|probably)\b", before):
        return Span(age - 3, age + 3)
    return Span(age, age)


def age_of(value: str) -> list[Span]:
    """The ages that a profile's value allows; none where it gives none in years.

    >>> [str(span) for span in age_of("late 60s")], age_of("18 months")
    (['66 to 69'], [])
    """
    text = digits(value)
    if re.search(r"\b(?:months?|weeks?|days?)\b", text):
        return []
    decade = re.search(r"\b(?:(early|mid|middle|late)[- ]*)?(\d0)'?s\b", text)
    if decade:
        low, high = _DECADES.get(decade[1] or "", (0, 9))
        return [Span(int(decade[2]) + low, int(decade[2]) + high)]
    over = re.search(r"(?:>=?|over|above)\s*(\d{1,3})", text)
    if over:
        return [Span(int(over[1]), _OLDEST)]
    found = re.search(r"(?<!\d)(\d{1,3})(?:\s*(?:-|to)\s*(\d{1,3}))?(?!\d)", text)
    return [_span(found[1], found[2])] if found else []


RANGE = (
    rf"{NUMBER}(?:\s*(?:-|to\b|or\b|,|and\b|maybe\b|perhaps\b|\.\.+)+"
    rf"(?: (?:maybe|or|even|perhaps|a|an|like|sometimes|to))*\s*{NUMBER})?"
)
# Not "9 out of 10 times", and not the third of October.
_OF_THINGS = r"(?! (?!is\b|was\b|this\b|always\b|has\b|as\b|perhaps\b)[a-z]+s\b| people\b)"
_OUT_OF_TEN = re.compile(
    rf"(?<![\d./])(?<!\bon )(?<!\bsince ){RANGE}(?:\s*/\s*10\b(?![/.]\d)|,? out of (?:a )?10\b){_OF_THINGS}"
)
_IS_A = re.compile(
    r"\bpain\b[^.;]{0,60}?\b(?:is|at)(?: now| currently| about| around| like| probably| maybe| at)* an? (?:[a-z]+ )?"
    rf"{RANGE}(?=$|[.,;!]| right now| now\b| at the moment)"
)
_IS_AT = re.compile(
    r"\bpain(?: level| score| right now| now| currently| today| at the moment)? (?:is(?: at)?|at)"
    r"(?: now| currently| about| around| like| probably| maybe| easily| still)*"
    rf" {RANGE}(?=\s*(?:$|[.;!]|,(?! ?\d))| right now| now\b| at the moment| today)"
)
_ANSWER_RATING = re.compile(
    rf"{FILLERS}{RANGE}(?=\s*$|\s*[.,;!?]"
    r"| (?:right now|now|at the moment|today|i would|i think|i guess|maybe|doctor|on)\b)"
)
_PAIN = re.compile(r"\b(?:pain|hurt\w*|ache\w*|aching|discomfort|sore\w*|headache|cramp\w*)\b")
_RATES = re.compile(
    r"\bscale\b|\brate\b|\brating\b|\bout of 10\b|\b[01] to 10\b|\bscore\b|\b(?:what|which) number\b"
    r"|\bhow (?:bad|strong|severe|intense|painful) (?:is|are)"
    r" (?:it|that|this|(?:the|your|this|that) (?:\w+ )?(?:pain|ache|headache|cramps?|discomfort))\b"
    r"|\bhow (?:much|badly|bad) (?:does it|do you|is it|are you)\b[^?]*\b(?:hurt\w*|pain)\b|\bhow much pain\b"
)
_RATES_OTHER = re.compile(
    r"\b(?:energy|stress\w*|anxi\w+|mood|itch\w*|breath\w*|sleep\w*|nausea\w*|confident|confidence|fatigue|tired\w*|happy"
    r"|worr\w+|appetite|motivat\w+|ready|willing|important|satisf\w+|depress\w+|dizz\w+|function\w*|health)\b"
)
_NOT_NOW = re.compile(
    r"\b(?:worst|best|was|were|used to|yesterday|last|earlier|before|when|if|after|gets?|got|getting|goes|went"
    r"|sometimes|been|this morning|at first|initially|with the|without|usually|normally|can|at rest|days?|nights?|then"
    r"|started|until|would be|up to|average|typical\w*|walk\w*|mov\w+|once|during|while|start)\b"
)
# "10 is the worst pain" explains the scale and does not ask for the worst, nor does "can you" ask for what can be.
_SCALE_ENDS = re.compile(
    r"\b(?:10|highest)(?: being| is| means| as| meaning)? the worst\b[^?,]*|\bthe worst being 10\b|\bcan you\b"
)


def pains(reply: Reply) -> Iterator[Stated]:
    """The points on the scale from 0 to 10 that the patient gives its pain at present."""
    question = digits(last_question(reply.asked))
    if _RATES_OTHER.search(question) or (_RATES.search(question) and _NOT_NOW.search(_SCALE_ENDS.sub("", question))):
        return
    for at, sentence in enumerate(reply.sentences):
        said = digits(sentence.text)
        found = _rating(said, question, first=at == 0)
        if found and not _RATES_OTHER.search(said) and not _NOT_NOW.search(_clause(said, found)):
            span = _span(found[1], found[2])
            if span.high <= 10:
                yield Stated("pain", span, reply.turn, sentence.text)


def _rating(said: str, question: str, first: bool) -> re.Match[str] | None:
    found = _OUT_OF_TEN.search(said)
    if found:
        return found if _PAIN.search(said) or _PAIN.search(question) or _RATES.search(question) else None
    answered = _ANSWER_RATING.search(said) if first and _RATES.search(question) else None
    return answered or _IS_A.search(said) or _IS_AT.search(said)


def _clause(said: str, found: re.Match[str]) -> str:
    """What stands between the commas and conjunctions around a match, and the match."""
    before = re.split(r"[,;]| but | and | though ", said[: found.start(1)])[-1]
    after = re.split(r"[,;.]| but | and | though ", said[found.end() :])[0]
    return f"{before}{said[found.start(1) : found.end()]}{after}"


def pain_of(value: str) -> list[Span]:
    """The points from 0 to 10 that a profile's value allows; none where it gives none.

    >>> [str(span) for span in pain_of("6-8")], pain_of("unknown"), pain_of("13")
    (['6 to 8'], [], [])
    """
    text = re.sub(r"(?:/|out of)\s*10\b", " ", digits(value))
    if re.fullmatch(r"\W*(?:none|no pain|denies(?: pain)?|pain free)\W*", text):
        return [Span(0, 0)]
    spans = [_span(*found.groups()) for found in re.finditer(rf"(?<![\d.]){NUMBER}(?:\s*(?:-|to)\s*{NUMBER})?", text)]
    return spans if all(span.high <= 10 for span in spans) else []


_CHILD = r"(?:children|child|kids?)"
_SON = r"(?:sons?|daughters?|boys?|girls?)"
_HAS_CHILDREN = re.compile(
    rf"\b(?:i|we) (?:have|got|have got)(?: only| just)? (\d{{1,2}}|an?|no)(?: [a-z]+)? ({_CHILD}|{_SON})\b(.{{0,30}})"
)
_MY_CHILDREN = re.compile(rf"\b(?:my|our) (\d{{1,2}}) ({_CHILD})\b(.{{0,30}})")
_NO_CHILDREN = re.compile(
    rf"\b(?:i|we) (?:do not|never) (?:have|had)(?: any| got any)? ({_CHILD})\b"
    r"(?! (?:with|at|here|living|under|in|around))"
)
_SOME_OF_THEM = re.compile(
    r"^[\s,]*(?:at home|still|living|with|from|under|who|in the|that|left|and (?:an?|\d)|here|by)\b"
)
_ASKS_CHILDREN = re.compile(
    rf"\bhow many {_CHILD}\b"
    rf"|\b(?:do you have|have you got|have you|you have|you got|are there|got)(?: any| a)? {_CHILD}\b"
    rf"|^(?:and |so |okay,? )*any {_CHILD}\b"
)
_ASKS_SOME = re.compile(
    rf"{_CHILD}\b[^?]*\b(?:at home|with|living|under|still|in the house|who|that|from|together|here|or|and|ill|sick)\b"
)
_ANSWER_COUNT = re.compile(rf"{FILLERS}(?:the )?(\d{{1,2}})(?=\s*$|\s*[.!,;]| of them| {_CHILD}\b)")
_ANSWER_NONE = re.compile(
    r"(?:(?:um+|uh+|well|oh|sadly|unfortunately)[\s,.]+)*"
    rf"(?:no|nope|nah|none|not yet|no {_CHILD}|i do not|we do not|i have none)"
    rf"(?:[\s,.]+(?:no|none|never|not yet|sadly|unfortunately|doctor|sir|i do not|we do not|not at all|no {_CHILD}"
    rf"|i do not have any|i have none|(?:i|we) never had any))*\W*"
)
_ANSWER_SOME = re.compile(
    r"(?:yes|yeah|yep|yup|i do|we do|of course)(?:[\s,.]+(?:i do|we do|i have|doctor|sir|of course))*\W*"
)
_COUNTED = re.compile(rf"\b(\d+|an?|no)(?: [a-z]+)? ({_CHILD}|{_SON})\b")
_COUNTS = {"a": 1, "an": 1, "no": 0}
_MOST_CHILDREN = 20


def children(reply: Reply) -> Iterator[Stated]:
    """How many children the patient says it has."""
    question = digits(last_question(reply.asked))
    for at, sentence in enumerate(reply.sentences):
        said = digits(sentence.text)
        span = _children(said) or (_answered_count(said, question) if at == 0 else None)
        if span is not None and span.low <= _MOST_CHILDREN:
            yield Stated("children", span, reply.turn, sentence.text)


def _children(said: str) -> Span | None:
    if _NO_CHILDREN.search(said):
        return Span(0, 0)
    found = _HAS_CHILDREN.search(said) or _MY_CHILDREN.search(said)
    if found is None:
        return None
    only_sons = re.fullmatch(_SON, found[2]) is not None
    # Two sons may have a sister, and two children at home another who has left.
    if only_sons or found[1] in ("a", "an") or _SOME_OF_THEM.match(found[3]):
        return Span(_count(found[1]), inf) if found[1] != "no" else None
    return Span(_count(found[1]), _count(found[1]))


def _answered_count(said: str, question: str) -> Span | None:
    """How many children an answer gives; those that the question leaves out may be more."""
    if not _ASKS_CHILDREN.search(question):
        return None
    some = _ASKS_SOME.search(question) is not None
    found = _ANSWER_COUNT.search(said)
    if found:
        return Span(int(found[1]), inf if some else int(found[1]))
    if _ANSWER_SOME.fullmatch(said):
        return Span(1, inf)
    return Span(0, 0) if _ANSWER_NONE.fullmatch(said) and not some else None


def children_of(value: str) -> list[Span]:
    """How many children a profile's value gives; none where it gives no number.

    >>> [str(span) for span in children_of("one son and two daughters")], children_of("yes")
    (['3'], [])
    """
    text = re.sub(r"^\W*(?:yes|has)\b(?=.*\d)", "", digits(value))
    if re.fullmatch(r"\W*(?:none|no|no children|no kids|denies|childless|0)\W*", text):
        return [Span(0, 0)]
    if re.fullmatch(r"\W*\d{1,2}\W*", text):
        return [_span(re.sub(r"\D", "", text), None)]
    counted = [(_count(found[1]), re.fullmatch(_CHILD, found[2]) is not None) for found in _COUNTED.finditer(text)]
    whole = [count for count, of_all in counted if of_all][:1] or [count for count, _ in counted]
    return [Span(sum(whole), sum(whole))] if whole else []


def _count(word: str) -> int:
    return int(word) if word.isdigit() else _COUNTS[word]


def _span(low: str, high: str | None) -> Span:
    """The span from a number to another, or of one alone; a half stands for either neighbour."""
    first, last = sorted((float(low), float(high or low)))
    return Span(first // 1, -(-last // 1))
