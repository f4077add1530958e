"""Numbers that a patient states about itself and that its profile holds too: its age and its children."""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import inf

from adjudge.suites.patient.data import Reply
from adjudge.suites.patient.lexicon.phrases import in_order, last_question, pattern
from adjudge.suites.patient.rules.numbers import ALONE, FILLERS, Span, Stated, digits, has_digit, told

_OLDEST = 120
_MONTHS = (
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december|spring|summer|autumn"
    r"|fall|winter|christmas|easter)"
)
_NO_UNIT = (
    r"(?=\s*(?:$|[!?;)]|\.(?!\d)|,(?! ?\d))| (?:now|today|already|going on|this (?:year|month|week)|or so|you know)\b"
    r"| (?:and|but|so) (?!an? half|a bit|counting|\d))"
)
_OLD = r"[- ](?:years?|yrs?)[- ](?:old|young|of age)\b|[- ]?(?:y/?o|y\.o\.?)(?!\w)"
_NOT_OTHERS = (
    r"(?! (?:when|son|daughter|boy|girl|child|kid|mother|father|brother|sister|husband|wife|grand\w+|dog|cat|baby)\b)"
)
_ABOUT = (
    r"((?: (?:only|just|now|already|actually|about|around|almost|nearly|over|past|approximately|roughly|like"
    r"|well|still|pushing|approaching|nearing|getting on for|getting close to|coming up (?:on|to|for)|close to"
    r"|knocking on|going on|gone|barely|hardly|not even|not quite|not yet|under|way|some|maybe|probably|aged?))*)"
)
_BARE_AGE = re.compile(rf"\bi am{_ABOUT}(?: an? (?:ripe old|ripe|young|fit|proud))? (\d{{1,3}})(?:\.5)?{_NO_UNIT}")
_FULL_AGE = re.compile(rf"\bi am{_ABOUT}(?: an?)?(?: [a-z]+)?(?: \d+,)? (\d{{1,4}})(?:{_OLD}){_NOT_OTHERS}")
_LISTED_AGE = re.compile(rf"\bi am() an? [a-z -]{{2,40}}, (?:aged? )?(\d{{1,3}})(?:{_OLD})")
_OLD_MAN = re.compile(rf"\bi am() an old (?:man|woman|lady|guy|fellow), (?:aged? )?(\d{{2,3}}){_NO_UNIT}")
_ALONE_AGE = re.compile(
    rf"^(?!\W*(?:\w+,? )?(?:it|that|this) (?:is|was)\b){FILLERS}()(\d{{1,3}})(?:{_OLD}){_NOT_OTHERS}"
)
_AS_AGE = re.compile(rf"\b(?:as an?|my age is|my age,)() (\d{{1,3}})(?:{_OLD}|{_NO_UNIT}){_NOT_OTHERS}")
_FOR_AGE = re.compile(rf"\bfor an?() (\d{{1,3}})(?:{_OLD}),? i\b")
_TURNED = re.compile(
    r"\bi(?: have)?(?: just| only| recently| actually)* turned()(?: the big)? (\d{1,3})\b"
    r"(?! (?:around|degrees|over|and)\b|,? (?:\d+|an?|some|many|a few|a couple(?: of)?) years?\b"
    r"|,? (?:back )?in (?:19|20)\d\d)"
)
_TURNED_AGO = re.compile(
    rf"\bi turned (\d{{1,3}}),? (?:(?:just )?(?:last|this) (?:year|month|week|{_MONTHS})|(\d{{1,2}}) years? ago)\b"
)
_TURNS = re.compile(
    r"(?:\bi (?:will be|will turn|will be turning|am turning|am about to (?:turn|be)|am going to be|turn)|^turning)"
    r" (\d{1,3})(?=$|[.!,;]| (?:next|soon|this|in [a-z]+|on the)\b)(?! in (?:an?|the) )"
)
_BIRTHDAY = re.compile(r"\bmy (\d{1,3})(?:st|nd|rd|th) birthday\b(?=(.{0,30}))")
_BIRTHDAY_WAS = re.compile(rf"\W*(?:was|just|last|yesterday|today|this|a few|\d+ \w+ ago|in {_MONTHS})\b")
_BIRTHDAY_WILL_BE = re.compile(r"\W*(?:is|will be|next|soon|coming|tomorrow)\b")
_DECADE = re.compile(
    r"\bi am (?:an? [a-z]+ |\w+ )?(?:in|into) (?:my|his|her) (early|mid|middle|late)?[- ]*(\d0)'?s\b"
    r"|\bi am() (\d0)[- ](?:something|odd)\b"
)
_ANSWER_DECADE = re.compile(
    rf"{FILLERS}(?:in|into) my (early|mid|middle|late)?[- ]*(\d0)'?s\b|{FILLERS}()(\d0)[- ](?:something|odd)\b"
)
_ANSWER_AGE = re.compile(
    rf"{ALONE}()(\d{{1,3}})(?:,? (?:or )?(?:maybe )?(\d{{1,3}}))?"
    rf"(?: years?(?=\s*(?:$|[.!,;]))|{_OLD}|{_NO_UNIT}|,"
    rf"| (?:last|since|next|as of|in {_MONTHS}|this {_MONTHS}|years? and)\b)(?!\d)"
)
# "At 75 that is not easy": an age that the patient has at present, for what follows is true of the present.
_AT_AGE = re.compile(
    r"(?:^|(?<=[,;.!?]) )(?:(?:yes|no|well|and|but|so|because|oh|now|not)\b,? ){0,20}at(?: the (?:ripe )?age of)?"
    r"((?: (?:nearly|almost|about|over|only|just))*) (\d{2,3})(?: years old)?"
    r"(?:(?=[?!]\W*$)|(?=, (?:hardly|no|never|of course|not|yes|please|really|come on)\b)"
    r"|,?(?= (?:i (?:am|can|do|still|only|should|need|get|take|live|feel|manage|know|have (?:to|no)|sleep|walk"
    r"|drive|swim|run|work|try)|(?:that|it|this|life|everything|nothing|nobody) (?:is|does|gets|takes"
    r"|hurts)|things"
    r"|who|what|you (?:do not|know|can not)|my (?:knees|back|body|bones|memory|eyes|heart) (?:is|are|do|does|can))\b))"
)
_NOT_PRESENT = re.compile(
    r"\b(?:was|were|had|will|would|died|started|began|became|got|retired?|retiring|degrees|percent|miles)\b"
)
_HAD_BIRTHDAY = re.compile(
    r"\bi was()(?: just| only)? (\d{1,3})"
    r"(?=(?: just)? (?:last|this|yesterday|today|on|a (?:few|couple)|\d+ (?:days?|weeks?|months?) ago)\b)"
)
_THEN = re.compile(r"\b(?:when|since|after|before|until|till|once|by the time|if|as soon as|like|as though|wish)$")
_ASKS_AGE = re.compile(
    r"\bhow old (?:are you|you are|does that make you|would (?:you be|that make you)|might you be)\b(?! when)"
    r"|\bwhat age are you\b|\byou are how old\b"
    r"|(?<!\bat )(?<!\bfor )(?<!\bfeel )(?<!\bact )(?<!\blook )(?<!\bwas )(?<!\bthan )(?<!\baround )(?<!\bof )"
    r"\byour (?:current |exact |own )?age\b(?! (?:group|when|at|range|bracket|affect|matter|is [a-z]))"
    r"|\b(?:name|birth),? and (?:your )?age\b|^(?:and |so )*how old\W*$|\byou are (?:about "
    r"|around )?\d{2,3}(?: years old)?(?:, (?:right|correct|yes|is that right|are you not))?\W*$"
    r"|^(?:and |so |okay,? )*(?:your )?age\b[^a-z]*$"
)
_ASKS_SELF = re.compile(r"\bintroduce yourself\b|\babout yourself\b|\babout you\W*$|\bwho are you\b")
_ASKS_OTHER = re.compile(
    r"\b(?:weigh|weight|tall|height|scale|rate|how (?:many|much|far|long)|temperature|size|pulse|sugar|pressure|oxygen"
    r"|how old (?:is|was|were)|weeks|when (?:did|was|were))\b"
)
_DECADES = {"early": (0, 4), "mid": (4, 6), "middle": (4, 6), "late": (6, 9)}


def ages(reply: Reply) -> Iterator[Stated]:
    """The ages that the patient gives as its own and that a person can have."""
    return (one for one in told_ages(reply) if one.span.low <= _OLDEST)


def told_ages(reply: Reply) -> Iterator[Stated]:
    """The ages that the patient gives as its own, however high."""
    question = digits(last_question(reply.asked))
    for one in told(reply):
        if not has_digit(one.said):
            continue
        span = _decade(one.said, question) or _age(one.said, question, early=one.at < 2) or _birthday(one.said)
        if span is not None and span.high > 0:
            yield Stated("age", span, reply.turn, one.text)


def _decade(said: str, question: str) -> Span | None:
    found = _DECADE.search(said) or (_ANSWER_DECADE.search(said) if _ASKS_AGE.search(question) else None)
    if found is None or _THEN.search(said[: found.start()].rstrip()):
        return None
    return _within_decade(found[1], found[2] or found[4])


def _within_decade(part: str | None, decade: str) -> Span:
    """The ages of a decade, or of its beginning, middle or end."""
    low, high = _DECADES.get(part or "", (0, 9))
    return Span(int(decade) + low, int(decade) + high)


def _age(said: str, question: str, early: bool) -> Span | None:
    asked = _ASKS_AGE.search(question) is not None
    forms = [_FULL_AGE, _LISTED_AGE, _OLD_MAN, _AS_AGE, _FOR_AGE, _TURNED]
    if asked or not _ASKS_OTHER.search(question):
        forms += [_BARE_AGE, _ALONE_AGE]
    for form in forms:
        found = form.search(said)
        if found and not _THEN.search(said[: found.start()].rstrip()):
            return _rounded_age(int(found[2]), said[found.start() : found.start(2)])
    if early and (asked or _ASKS_SELF.search(question)):
        return _answered_age(said)
    return None if _ASKS_OTHER.search(question) else _age_at_present(said)


def _answered_age(said: str) -> Span | None:
    """The age in an answer; two numbers, "fifty, fifty-one", are a span."""
    born = _HAD_BIRTHDAY.search(said)
    found = born or _ANSWER_AGE.search(said)
    if found is None or pattern("others").search(said, 0, found.start()):
        return None
    span = _rounded_age(int(found[2]), said[found.start() : found.start(2)])
    return span if born or not found[3] else Span(span.low, max(span.high, float(found[3])))


def _age_at_present(said: str) -> Span | None:
    found = _AT_AGE.search(said)
    if found is None or int(found[2]) < 18 or _NOT_PRESENT.search(said) or pattern("others").search(said):
        return None
    return _rounded_age(int(found[2]), found[1])


def _birthday(said: str) -> Span | None:
    """The ages that a birthday allows, one that was or one that is yet to come."""
    turned = _TURNED_AGO.search(said)
    if turned:
        years = int(turned[2] or 1)
        return Span(int(turned[1]) + years - 1, int(turned[1]) + years + 1)
    turns = _TURNS.search(said)
    if turns:
        return Span(int(turns[1]) - 1, int(turns[1]))
    found = _BIRTHDAY.search(said)
    if found and _BIRTHDAY_WAS.match(found[2]):
        return Span(int(found[1]), int(found[1]) + 1)
    return Span(int(found[1]) - 1, int(found[1])) if found and _BIRTHDAY_WILL_BE.match(found[2]) else None


# How much younger and how much older somebody may be who puts these words before an age.
_ROUNDED = (
    (re.compile(r"\b(?:not even|not yet|under)\b"), -18, 0),
    (re.compile(r"\b(?:pushing|approaching|nearing|getting|coming|close|closer|knocking|almost|nearly)\b"), -5, 0),
    (re.compile(r"\b(?:not quite|going on|turning)\b"), -2, 0),
    (re.compile(r"\b(?:barely|hardly)\b"), -2, 1),
    (re.compile(r"\bjust gone\b"), 0, 1),
    (re.compile(r"\bgone\b"), 0, 5),
    (re.compile(r"\b(?:over|past)\b"), 0, _OLDEST),
    (
        re.compile(r"\b(?:about|around|roughly|approximately|like|maybe|probably|some|somewhere|at least|or so)\b"),
        -3,
        3,
    ),
)


def _rounded_age(age: int, before: str) -> Span:
    """What an age can stand for, by the words before it."""
    below, above = next(((low, high) for words, low, high in _ROUNDED if words.search(before)), (0, 0))
    return Span(age + below, age + above)


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
        return [_within_decade(decade[1], decade[2])]
    over = re.search(r"(?:>=?|over|above)\s*(\d{1,3})", text)
    if over:
        return [Span(int(over[1]), _OLDEST)]
    found = re.search(r"(?<!\d)(\d{1,3})(?:\s*(?:-|to)\s*(\d{1,3}))?(?!\d)", text)
    return [Span.between(found[1], found[2])] if found else []


_CHILD = r"(?:children|child|kids?)"
_KIN = rf"(?:{_CHILD}|sons?|daughters?|boys?|girls?|twins|triplets|little ones)\b(?![- ]in[- ]law)"
_ONE_OF = (
    r"(?:(?:(?:my|our) )?\d{1,2}|an?|my|our|no) (?:(?!step|foster|grand|god|inner)[a-z]+ )?"
    rf"{_KIN}|(?:twins|triplets)\b"
)
_ALSO = (
    r"(?:, and|,| and| plus) (?:(?:\d{1,2}|an?|my|our) )?(?:(?!step|foster|grand|god|his|her|their|the)[a-z]+ )?"
    rf"{_KIN}"
)
_AGED = r"(?: of \d{1,2}|,? (?:aged )?\d{1,2}(?=,| and))?"
_LIST = rf"((?:{_ONE_OF})(?:{_AGED}{_ALSO}){{0,5}})(?=(.{{0,40}}))"
# Other words for having or for being all of one's own, and the plain ones.
_PARENTS = r"(?:mother|father|mom|mum|dad|parent)"
_PLAINLY = (
    (re.compile(r"\bboth (?:of )?(my|our) "), r"\1 2 "),
    (re.compile(r"\ball (\d{1,2}) (?:of )?(my|our) "), r"\2 \1 "),
    (
        re.compile(
            r"^((?:(?:yes|no|well|oh|married|divorced|widowed|single),? ){0,3})with (\d{1,2}) "
            r"(?=(?:kids|children)(?:[,.]|$| (?:at home|to|i|you|it|around)\b))"
        ),
        r"\1i have \2 ",
    ),
    (re.compile(r"\b(my|our) only (?=child\b|kid\b)"), r"\1 1 "),
    (
        re.compile(rf"(?:^|\bi am |\bas |(?<=, ))(?:an? )?(?:[a-z-]+ )?{_PARENTS} (?:of|to) (\d{{1,2}})\b(?! [a-z]+)"),
        r"i have \1 kids",
    ),
    (re.compile(r"\b(i|we) (?:have )?(?:had|got|raised|brought up|have got)\b"), r"\1 have"),
)
_HAS = re.compile(rf"\b(?:i|we) have(?: only| just| actually| already)* {_LIST}")
_MINE = re.compile(rf"\b(?=(?:my|our) ){_LIST}")
_NO_CHILDREN = re.compile(
    rf"\b(?:i|we) (?:do not|never|did not|have not) (?:have|had|got|ever have)(?: any| got any)? ({_CHILD})\b"
    r"(?! (?:with|at|here|living|under|in|around))|\b(?:i am|we are) childless\b"
)
_SOME_OF_THEM = re.compile(
    r"^[\s,]*(?:at home|still|living|with|from|under|who|in the|that|left|and (?:an?|\d)|here|by)\b"
)
_SOME = re.compile(r"\b(?:[a-z]+est|older|elder|younger|other|little|small|grown|adult)\b")
_NOT_OWN = re.compile(r"^ (?:in (?:my|the|our|a) [a-z]+|to (?:teach|look|watch)|at (?:work|school))\b")
_ALL_OF_THEM = re.compile(
    r"\b(?:(?:those|these|they|that) (?:are|is) all|no others?|the only (?:ones|children|kids))\b"
)
_OF_OTHERS = re.compile(
    r"\b(?:brother|sister|friend|cousin|uncle|aunt|neighbou?r|mother|father|mom|mum|dad|parents|colleague|boss)\b"
    r"|\b(?:he|she|they) (?:has|have|had)\b"
)
_ASKS_CHILDREN = re.compile(
    rf"\bhow many {_CHILD}\b"
    rf"|\b(?:do you have|have you got|have you|you have|you got|are there|got)(?: any| a)? {_CHILD}\b"
    rf"|^(?:and |so |okay,? |any )*{_CHILD}\b|\bare you a {_PARENTS}\b|\b(?:big|large|have a) family\b"
)
_ASKS_OTHERS_CHILDREN = re.compile(r"\bwere\b|\byour (?:parents|mother|father|family|sister|brother)\b|\bgrand")
_ASKS_SOME = re.compile(
    in_order(
        rf"{_CHILD}\b",
        r"\b(?:at home|with|living|under|still|in the house|who|that|from|together|here|or|and|ill|sick)\b",
    )
)
_ANSWER_COUNT = re.compile(rf"{ALONE}(\d{{1,2}})(?=\s*$|\s*[.!,;]| of them\b| {_CHILD}\b)")
_ANSWER_LIST = re.compile(rf"{ALONE}(?<!\w)(?:(?:an? |my )?(?:wife|husband|partner)(?:,| and) )?{_LIST}")
_NO_CHILD_OF_MINE = re.compile(r"\b(?:nephews?|nieces?|cousins?|step\w+|god\w+|grand\w+)\b")
_IN_A_LIST = re.compile(rf"{ALONE}(?:with )?(\d{{1,2}}|no) {_CHILD}(?=\s*$|[.,;!]| and )")
_NONE = (
    rf"(?:none|not 1|no {_CHILD}|(?:i|we) (?:do not have any|never had any|have none|have not got any"
    rf"|(?:could|can) not have (?:any|{_CHILD})))"
)
_ANSWER_NONE = re.compile(
    rf"(?:(?:um+|uh+|well|oh|sadly|unfortunately)[\s,.]+)*(?:no|nope|nah|not yet|i do not|we do not|{_NONE})"
    rf"(?:[\s,.]+(?:no|never|not yet|sadly|unfortunately|doctor|sir|i do not|we do not|not at all|{_NONE}))*\W*"
    rf"|(?:no, )?{_NONE}(?:[,;] .*)?\W*"
)
_ANSWER_SOME = re.compile(
    r"(?:yes|yeah|yep|yup|i do|we do|of course)(?:[\s,.]+(?:i do|we do|i have|doctor|sir|of course))*\W*"
)
_COUNTED = re.compile(
    rf"(?:\b(?:(?:my|our) (?=\d))?(\d{{1,4}}|an?|no|my|our) )?(?:(?<![a-z])(?!and\b|plus\b)[a-z]+ )?({_KIN})"
)
_SEVERAL = {"twins": 2, "triplets": 3, "sons": 2, "daughters": 2, "boys": 2, "girls": 2}
_MOST_CHILDREN = 20


def children(reply: Reply) -> Iterator[Stated]:
    """How many children the patient says it has."""
    question = digits(last_question(reply.asked))
    named = len(re.findall(_KIN, digits(reply.text)))
    for one in told(reply):
        said = _plainly(one.said)
        span = (_answered_count(said, question, named) if one.at == 0 else None) or _children(said)
        if span is not None and span.low <= _MOST_CHILDREN:
            yield Stated("children", span, reply.turn, one.text)


def _plainly(said: str) -> str:
    """A sentence with plain words for having children."""
    for words, plain_words in _PLAINLY:
        said = words.sub(plain_words, said)
    return said


def _children(said: str) -> Span | None:
    """How many children a sentence gives the patient, whatever was asked."""
    if _NO_CHILDREN.search(said):
        return Span(0, 0)
    found = _HAS.search(said) or _MINE.search(said)
    if found:
        return _listed(found[1], found[2])
    alone = _IN_A_LIST.search(said) if re.search(r"\b(?:married|single|divorced|widow\w*|i am)\b", said) else None
    return Span(_count(alone[1]), _count(alone[1])) if alone and not _OF_OTHERS.search(said) else None


def _listed(named: str, after: str) -> Span | None:
    """How many children a list gives: two sons may have a sister, and two children at home another who has left."""
    counted = list(_COUNTED.finditer(named))
    together = [one for one in counted if re.fullmatch(_CHILD, one[2])][:1]
    if _NOT_OWN.match(after) or (together and together[0][1] in ("my", "our", None)):
        return None
    total = sum(_number_of(one) for one in together or counted)
    if _ALL_OF_THEM.search(after):
        return Span(total, total)
    if total == 0:
        return Span(0, 0) if together else None
    closed = together and together[0][1].isdigit() and not _SOME_OF_THEM.match(after) and not _SOME.search(named)
    return Span(total, total if closed else inf)


def _answered_count(said: str, question: str, named: int) -> Span | None:
    """How many children an answer gives; those whom the question leaves out or that it names elsewhere may be more."""
    if not _ASKS_CHILDREN.search(question) or _ASKS_OTHERS_CHILDREN.search(question):
        return None
    some = _ASKS_SOME.search(question) is not None
    found = _ANSWER_COUNT.search(said)
    if found and not re.search(_KIN, said[: found.start()]):
        return Span(int(found[1]), inf if some else int(found[1]))
    listed = _answered_list(said, some, named)
    if listed or _ANSWER_SOME.fullmatch(said):
        return listed or Span(1, inf)
    return Span(0, 0) if _ANSWER_NONE.fullmatch(said) and not some else None


def _answered_list(said: str, some: bool, named: int) -> Span | None:
    """How many children a list gives that answers; it has all of them where none is left out or named elsewhere."""
    found = None if _NO_CHILD_OF_MINE.search(said) else _ANSWER_LIST.search(said)
    span = _listed(found[1], found[2]) if found else None
    if found is None or span is None:
        return None
    open_ended = some or named > len(re.findall(_KIN, found[1])) or _SOME_OF_THEM.match(found[2]) is not None
    return Span(span.low, span.high if open_ended else span.low)


def children_of(value: str) -> list[Span]:
    """How many children a profile's value gives; none where it gives no number.

    >>> [str(span) for span in children_of("one son and two daughters")], children_of("yes")
    (['3'], [])
    """
    text = re.sub(r"^\W*(?:yes|has)\b(?=.*\d)", "", digits(value))
    if re.fullmatch(r"\W*(?:none|no|no children|no kids|denies|childless|0)\W*", text):
        return [Span(0, 0)]
    if re.fullmatch(r"\W*\d{1,2}\W*", text):
        return [Span.between(re.sub(r"\D", "", text), None)]
    counted = [one for one in _COUNTED.finditer(text) if one[1]]
    whole = [one for one in counted if re.fullmatch(_CHILD, one[2])][:1] or counted
    total = sum(map(_number_of, whole))
    return [Span(total, total)] if whole else []


def _number_of(found: re.Match[str]) -> int:
    """How many children a part of a list stands for."""
    counted, kin = found.groups()
    return _count(counted) if counted and (counted.isdigit() or counted == "no") else _SEVERAL.get(kin, 1)


def _count(word: str) -> int:
    return 0 if word == "no" else int(word)
