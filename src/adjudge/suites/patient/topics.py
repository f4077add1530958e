"""What a patient's sentence claims once it is read together with the doctor's question."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache
from typing import Any, Literal

from msgspec import Struct, structs

from adjudge.suites.patient.fields import default_fields
from adjudge.suites.patient.numbers import ONES, TENS, has_digit
from adjudge.suites.patient.tables import table_of
from adjudge.tools.statement import Statement

Answer = Literal["yes", "no", ""]
Person = Literal["self", "family", "other"]

# Of a longer question, what stands before is not looked at.
QUESTION_WORDS = 40
# A question with fewer words ("Have you?") is read with the sentence before it.
SHORT_QUESTION = 3
# A sentence with as many words that carry meaning is embedded without the question.
FULL_WORDS = 3

_NUMBERS = TENS | ONES
_COMPOUND = re.compile(rf"\b({'|'.join(TENS)})[ -]({'|'.join(list(ONES)[1:10])})\b")
_SINGLE = re.compile(rf"\b({'|'.join(_NUMBERS)})\b")
_HALF = re.compile(r"\bhalf (?:a|an) (?=\w)")
# "This one" counts nothing.
_ONE = re.compile(r"\bone\b")
_HUNDRED = re.compile(r"\b(?:a|one) hundred\b")
_COUNTED = re.compile(r"\b(?:a|an|one) (?=(?:pack|glass|bottle|beer|can|drink|cigarette|joint|pill|tablet)\b)")
_COUPLE = re.compile(r"\ba couple(?: of)? ")
_UNITS = r"(?:day|week|month|year|hour)"
_LASTED = re.compile(
    rf"\b(for|about|almost|nearly|over|past|last|around|within|than) (?:a|an|the last|the past) (?={_UNITS}\b)"
)
_ONE_AGO = re.compile(rf"\b(?:a|an) (?={_UNITS} (?:ago|or so|or more|now|back|already)\b)")
_RANGE = re.compile(r"\b(\d+)(?:-| to | or )(\d+) ([a-z]+)")
_OR_MORE = re.compile(r"\b(\d+) ([a-z]+) or (\d+)\b(?! \2)")

# Words by which one speaks of oneself, and those of others about one.
_POSSESSIVES = {
    "my": ("your", "his", "her", "the"),
    "i": ("you", "he", "she"),
    "myself": ("yourself", "himself", "herself"),
}

_SOUNDS = re.compile(r"^(?:(?:um+|uh+|uhm+|er+m?|ah+|oh+|hmm*|mm+|well|so|ok(?:ay)?|honestly|look|actually)\b[ ,.-]+)+")
_ADDRESS = re.compile(r",? (?:doctor|doc|dr|sir|ma'am|nurse)(?=[.!]*$)")
_SAID_YES = re.compile(
    r"(?:yes|yeah|yep|yup|aye|uh-huh|mm-hm+|correct|that's (?:right|true|correct)|right|sure|definitely|of course"
    r"|absolutely|exactly|indeed|i do|i have|i am|i did|afraid so|i'm afraid so|i think so|i guess so)\b"
    r"(?:[,.;!]|$|(?= since| for| every| with| when| but))"
)
_SAID_NO = re.compile(
    r"(?:(?:god|oh|heavens|hell|absolutely|certainly|definitely|of course) )?"
    r"(?:no|no and no|nope|nah|none|never|nothing|neither|nobody|no one|not one|no way|nay"
    r"|not (?:really|at all|now|yet|any ?more|either|(?:that|as far as) i\b[^,.;]*)|none (?:that|of|i)\b[^,.;]*"
    r"|neither of (?:those|them|these)"
    r"|i (?:don't|do not|haven't|have not|didn't|am not)(?: (?:have|got|take|use|get))?(?: (?:any|one|it|that|them))?"
    r"|i'm not|never in my life|not in the (?:least|slightest)"
    r"|nothing (?:like that|yet|so far|at all|else|really))(?:[,.;!]|$)"
)
_HOW_OFTEN = re.compile(
    r"(?:(?:only|just|maybe|oh|quite|very|too|unfortunately|about) )*(?:all the time|sometimes|often|occasionally"
    r"|now and (?:then|again)|every (?:day|night|morning|evening|week|now and then|so often|time)"
    r"|most (?:days|nights|mornings)|a (?:lot|bit|little|few)|quite a (?:bit|lot)|constantly|once|twice"
    r"|(?:a few|several|many|two|three|four|five|a couple of) times|from time to time|unfortunately|off and on"
    r"|on and off|very much|always|regularly)\b|(?:only|just) (?:for|when|at|on|a|the|some|in|with)\b"
)
_WHETHER = re.compile(
    r"(?:and |so |okay,? |but |well,? )*"
    r"(?:do|does|did|have|has|had|is|are|was|were|can|could|any|ever|been|will|would)\b"
)
_SAID_LAST = re.compile(r", (yes|yeah|no)(?:, i (?:suppose|guess|think|believe))?\W*$")
_STANDS_FOR = re.compile(
    r"\b(?:had|have|has|got|took|take|takes|use|uses|used) (?:one|1|it|that|them|those|both|the same)\b"
    r"|\b(?:in|with|on|from) (?:it|them)\b"
    r"|^(?:my|our|both my) (?:\w+ ){1,2}(?:does|did|do|has|had|have|is|was)(?: (?:too|as well|also|though|once))?"
    r"\b\W*(?:$|,|and\b)"
)
_SUBJECT = re.compile(
    r"^(?:i|i'm|i've|i'd|i'll|my|we|we've|he|she|there|there's|our)\b|^\w+ (?:makes|gives|made|gave) (?:me|my)\b"
)
_CLAUSES = re.compile(
    r"\s*;\s*|,?\s+\b(?:but|however|although|though|except|while|whereas)\b\s*|[.!?]\s+|,\s+so\b\s*"
    r"|,?\s+(?:other than that|apart from that|otherwise)\s*"
    r"|,\s+(?=(?:and )?(?:i|i'm|i've|my|it|it's|we|he|she|there|there's|that|that's|they)\b)"
    r"|,?\s+(?:and|because)\s+(?=(?:i|i'm|i've|i'd|my|it|it's|we|he|she|there|there's)\b)"
    r"|,\s+(?=(?:and |or )?(?:no|not|never|nothing|none) \w)"
)
# A clause that begins so speaks of no other person: "it", "to cats", "with my wife".
_OF_SELF = [[word] for word in "i it we to with from by in at of for only just".split()]
_WHOSE = re.compile(r"(?:and |well |so |yes |no )*(?:(?:my|our|the|his|her|both my) )?((?:\w+ )?\w+)(?:'s \w+)?\b")
_WELL = re.compile(
    r"\b(?:fine|normal|normally|okay|ok|all right|alright|healthy|(?:is|are|was|were|all) clear|nothing wrong"
    r"|no problem|as (?:good|strong|well|steady) as|the same as (?:always|ever)|same as always)\b"
)
_NOT_WELL = re.compile(
    r"\b(?:not|n't|hardly|never|far from|anything but) (?:fine|normal|okay|ok|all right)|, (?:fine|okay|ok|all right)$"
)
# Words of denial that deny nothing: "I never miss my pill", "I couldn't stop shivering", "never had it this bad".
_NO_DENIAL = re.compile(
    r"\bnever (?:miss|forg|skip)\w*|\bnothing like (?:when|it|this)\b|\bno matter\b|\bnot (?:only|just)\b"
    r"|\b(?:can't|cannot|couldn't|won't|wouldn't) (?:stop|get rid|shake|help)\b"
    r"|\b(?:not|n't|never) (?:feel(?:ing|s)? )?(?:\w+ )?(?:good|well|great|myself|right)\b"
    r"|\b(?:never|n't|not) (?:ever )?(?:had|felt|been|experienced|have) (?:\w+ ){0,6}"
    r"(?:like (?:this|that)|this bad|so bad|as bad)\b"
)


class Clause(Struct, frozen=True):
    """A part of a sentence with one verb: its words and quantities, whether it denies, and of whom it speaks."""

    text: str
    statement: Statement
    denies: bool
    person: Person

    @property
    def words(self) -> frozenset[str]:
        """The words that carry meaning, lay words by their medical terms, in stems."""
        return self.statement.words


class Claim(Struct, frozen=True):
    """A sentence in the light of the question it answers.

    `answer` is the yes or no it begins with; `clauses` what it says beyond that; `leans` whether it can only be
    understood with the question. `said` and `asked` are sentence and question in medical terms, `raw` is the sentence
    in its own words, `text` what is embedded; `full` says that this is the sentence without the question.
    """

    said: str
    raw: str
    asked: str
    answer: Answer
    clauses: tuple[Clause, ...]
    leans: bool
    text: str
    full: bool = True

    @property
    def question(self) -> Statement:
        """What the doctor asked."""
        return taken_apart(self.asked)

    @property
    def words(self) -> frozenset[str]:
        """The words of all clauses."""
        return frozenset[str]().union(*(clause.words for clause in self.clauses))

    @property
    def denies(self) -> bool:
        """Whether the sentence as a whole says no."""
        return self.answer == "no" or (self.answer == "" and any(clause.denies for clause in self.clauses))

    @property
    def of_family(self) -> bool:
        """Whether it speaks of relatives, by itself or because it was asked about them."""
        if any(clause.person == "family" for clause in self.clauses):
            return True
        return self._no_subject and _mentions(self.asked, words()["persons"]["family"])

    @property
    def of_self(self) -> bool:
        """Whether it speaks of the patient."""
        if self.clauses and all(clause.person != "self" for clause in self.clauses):
            return False
        return not (self._no_subject and _mentions(self.asked, words()["persons"]["family"]))

    @property
    def of_others(self) -> bool:
        """Whether it speaks of others alone who are no relatives by blood."""
        return bool(self.clauses) and all(clause.person == "other" for clause in self.clauses)

    @property
    def _no_subject(self) -> bool:
        return all(not _SUBJECT.match(clause.text) for clause in self.clauses)

    def about(self, item: str) -> bool:
        """Whether sentence or question has a word of the item's topic."""
        return self.names(item) or (asks_for(self.asked, item) and not vetoed(self.said, item))

    def names(self, item: str) -> bool:
        """Whether the sentence itself has a word of the item's topic."""
        return asks_for(self.said, item)


@lru_cache(maxsize=100_000)
def claim_of(sentence: str, asked: str) -> Claim:
    """What a sentence claims, read with what the doctor asked."""
    start = _bare(plain(sentence))
    question = _asked_last(asked)
    said, answer = termed(start), _answer(start) or _implied(start, question)
    rest = _rest(said, answer)
    leans = not _SUBJECT.match(rest) or len(rest.split()) < 3 or _STANDS_FOR.search(rest) is not None
    clauses = tuple(_clauses(rest))
    full = not leans or sum(len(clause.words) for clause in clauses) >= FULL_WORDS
    text = sentence if full else f"{question} {sentence}".strip()
    return Claim(said, in_digits(start), termed(question), answer, clauses, leans, text, full)


@lru_cache(maxsize=100_000)
def asks_for(asked: str, item: str) -> bool:
    """Whether a text in medical terms has a word of the item's topic, and none that shows another meaning of it."""
    topics = _topics().get(item)
    return topics is not None and topics.search(asked) is not None and not vetoed(asked, item)


def vetoed(said: str, item: str) -> bool:
    """Whether a text has a word that shows that the words of the item's topic mean something else."""
    vetoes = _vetoes().get(item)
    return vetoes is not None and vetoes.search(said) is not None


def has_fact(text: str) -> bool:
    """Whether a text has a medical term, a number or a word of some item's topic."""
    said = termed(_ONE.sub("some", text))
    return has_digit(said) or _fact_words().search(said) is not None


def medical(said: str) -> bool:
    """Whether a text in medical terms has one of them."""
    return _term_words().search(said) is not None


def plain(text: str) -> str:
    """The text in small letters with straight quotes and single spaces."""
    return " ".join(text.lower().replace("\u2019", "'").replace("\u2018", "'").split())


@lru_cache(maxsize=100_000)
def termed(text: str) -> str:
    """The text in small letters, numbers in digits, and lay words replaced by medical terms.

    >>> termed("I've had high blood pressure for twenty-two years.")
    "i've had hypertension for 22 years."
    """
    return _terms().lay.sub(lambda found: _term(found[0]), in_digits(plain(text)))


def in_digits(text: str) -> str:
    """Small text with numbers in digits: "seventy-one" is 71, "half a pack" 0.5 pack, "a couple of" 2."""
    text = _HUNDRED.sub("100", text)
    text = _COMPOUND.sub(lambda found: str(TENS[found[1]] + ONES[found[2]]), text)
    text = _COUPLE.sub("2 ", _COUNTED.sub("1 ", _HALF.sub("0.5 ", text)))
    text = _ONE_AGO.sub("1 ", _LASTED.sub(r"\1 1 ", text))
    text = _SINGLE.sub(lambda found: str(_NUMBERS[found[1]]), text)
    return _OR_MORE.sub(r"\1 \2 or \3 \2", _RANGE.sub(r"\1 \3 or \2 \3", text))


@lru_cache(maxsize=100_000)
def taken_apart(text: str) -> Statement:
    """A text in medical terms taken apart, with the words that its terms are made of.

    Who had a hernia repair had a hernia.
    """
    statement = Statement.of(text)
    inside = {word for term in statement.words if "_" in term for word in Statement.of(term.replace("_", " ")).words}
    return structs.replace(statement, words=statement.words | inside)


def phrases(entries: Iterable[str]) -> re.Pattern[str]:
    """One of several phrases as whole words, the longest first; a star stands for any ending."""
    ordered = sorted(entries, key=lambda entry: (-len(entry), entry))
    return re.compile(r"(?<![\w'])(?:" + "|".join(_pattern(one) for one in ordered) + r")(?!\w)")


def or_termed(entries: Iterable[str]) -> set[str]:
    """Phrases as they stand and in medical terms, for texts of either kind."""
    return {form for entry in entries for form in (entry, termed(entry))}


@cache
def named_in(table: str) -> Mapping[str, re.Pattern[str]]:
    """The entries of a table of `offline_words.toml`, each with the pattern of its words."""
    return {name: phrases(some) for name, some in words()[table].items()}


class _Terms(Struct, frozen=True):
    """Lay words: the pattern of them all, the term of each, and patterns for the terms that have starred words."""

    lay: re.Pattern[str]
    exact: Mapping[str, str]
    starred: Mapping[str, re.Pattern[str]]


@cache
def _terms() -> _Terms:
    exact = {form: term for term, word in _lay_words() for form in _forms(word)}
    starred: dict[str, list[str]] = {}
    for word, term in exact.items():
        if "*" in word:
            starred.setdefault(term, []).append(word)
    return _Terms(phrases(exact), exact, {term: phrases(some) for term, some in starred.items()})


def _lay_words() -> Iterator[tuple[str, str]]:
    """Each term with each word for it; who is well in some way denies a complaint."""
    for line in words()["terms"]:
        yield from ((_name(line[0]), word) for word in line)
    for complaint, some in words()["well"].items():
        yield from ((f"no {complaint.replace(' ', '_')}", word) for word in some)


def _name(entry: str) -> str:
    """A term as it stands in a text: "heart attack" is heart_attack."""
    return entry.rstrip("*").replace(" ", "_")


def _forms(phrase: str) -> set[str]:
    """A phrase about oneself, and as a doctor asks for it or a record has it: "hit my head", "hit your head"."""
    found = {phrase}
    for mine, others in _POSSESSIVES.items():
        found |= {re.sub(rf"(?<![\w'*]){mine}(?![\w'*])", other, one) for one in found for other in others}
    return found


def _term(found: str) -> str:
    terms, phrase = _terms(), " ".join(found.split())
    if phrase in terms.exact:
        return terms.exact[phrase]
    return next(term for term, pattern in terms.starred.items() if pattern.fullmatch(phrase))


def _bare(said: str) -> str:
    """The sentence without the sounds it begins with and the address it ends with."""
    return _ADDRESS.sub("", _SOUNDS.sub("", said))


def _answer(said: str) -> Answer:
    if _SAID_NO.match(said):
        return "no"
    if _SAID_YES.match(said):
        return "yes"
    last = _SAID_LAST.search(said)
    return "" if last is None else "no" if last[1] == "no" else "yes"


def _implied(said: str, question: str) -> Answer:
    """The yes of somebody who was asked whether and says how often: "all the time", "now and then"."""
    return "yes" if _HOW_OFTEN.match(said) and _WHETHER.match(plain(question)) else ""


@lru_cache(maxsize=10_000)
def _asked_last(asked: str) -> str:
    """The end of the last question in what the doctor said, or of all of it where there is none."""
    end = asked.rfind("?")
    start = max(asked.rfind(mark, 0, end) for mark in ".?!") + 1
    if len(asked[start:end].split()) < SHORT_QUESTION:
        start = max(asked.rfind(mark, 0, max(start - 1, 0)) for mark in ".?!") + 1
    question = asked[start : end + 1] if end >= 0 else asked
    return " ".join(question.split()[-QUESTION_WORDS:])


def _rest(said: str, answer: Answer) -> str:
    """What is said beyond the yes or no that it begins with."""
    if not answer:
        return said
    found = (_SAID_NO if answer == "no" else _SAID_YES).match(said)
    return said[found.end() :].strip(" ,.;!") if found else said


def _clauses(text: str) -> Iterator[Clause]:
    for part in filter(None, (found.strip(" ,.;!") for found in _CLAUSES.split(text))):
        statement = taken_apart(part)
        ill = _NOT_WELL.search(part) is not None
        negated = statement.negated and taken_apart(_NO_DENIAL.sub(" ", _NOT_WELL.sub(" ", part))).negated
        well = _WELL.search(part) is not None and not ill
        yield Clause(part, statement, negated or well, _person(part))


def _person(clause: str) -> Person:
    """Of whom a clause speaks: of a relative or another person if that is its subject."""
    found = _WHOSE.match(clause)
    subject = found[1] if found else ""
    if subject.split()[:1] in _OF_SELF:
        return "self"
    persons = words()["persons"]
    if _mentions(subject, persons["others"]):
        return "other"
    return "family" if _mentions(subject, persons["family"]) or " family" in f" {clause}" else "self"


def _mentions(text: str, persons: Iterable[str]) -> bool:
    return phrases_of(tuple(persons)).search(text) is not None


@cache
def phrases_of(some: tuple[str, ...]) -> re.Pattern[str]:
    """The pattern of some words and their plurals."""
    return phrases([form for word in some for form in (word, f"{word}s")])


@cache
def _topics() -> Mapping[str, re.Pattern[str]]:
    return {
        name: phrases_of(tuple(or_termed(field.topics))) for name, field in default_fields().items() if field.topics
    }


@cache
def _vetoes() -> Mapping[str, re.Pattern[str]]:
    return {name: phrases(or_termed(some)) for name, some in words()["vetoes"].items()}


@cache
def _term_words() -> re.Pattern[str]:
    return phrases({_name(line[0]) for line in words()["terms"]} - set(words()["plain_terms"]))


@cache
def _fact_words() -> re.Pattern[str]:
    topics = {word for field in default_fields().values() for word in field.topics}
    return re.compile(f"{_term_words().pattern}|{phrases(topics).pattern}")


@cache
def words() -> Mapping[str, Any]:
    """The tables of `offline_words.toml`."""
    return table_of("offline_words")


def _pattern(phrase: str) -> str:
    return r"\s+".join(re.escape(word).replace(r"\*", r"[\w'/.-]{0,40}") for word in phrase.split())
