"""Whether the numbers that the patient states are those of its profile, and the same each time."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import groupby
from math import inf

from adjudge.core.card import metric
from adjudge.core.mark import Mark
from adjudge.english.normalise import plain_speech as plain
from adjudge.suites.patient.data import Consultation, Reply, Sentence
from adjudge.suites.patient.lexicon.fields import group_of
from adjudge.suites.patient.lexicon.phrases import last_question, pattern
from adjudge.suites.patient.rules.checks import quality
from adjudge.suites.patient.rules.numbers import Span, Stated
from adjudge.suites.patient.rules.personas import shift
from adjudge.suites.patient.rules.quantities import OLDEST, age_of, ages, amounts, children, children_of, pain_of, pains

Reader = Callable[[Reply], Iterator[Stated]]

CHECKED: dict[str, tuple[Callable[[str], Sequence[Span]], Reader]] = {
    "age": (age_of, ages),
    "pain": (pain_of, pains),
    "children": (children_of, children),
}
# How far off, as a share of it, an amount may be that people round.
_ROUNDED = 0.25
_A_PACK = 20
# Two glasses a week may be of milk or of wine.
_UNNAMED = ("glass a", "bottle a", "can a", "pint a", "drink a")
# "How much was it at the most?", "And before?": the answer is not what the patient takes at present.
_OTHER_TIME = re.compile(
    r"\b(?:weekends?|before|ever|used to|lately|recently|most|worst|back then|normally|in the past|did you|were you"
    r"|was it|start(?:ed)?|previously)\b"
)
# Who takes back what was said does not contradict it.
_CORRECTS = re.compile(r"\b(?:sorry|misspoke|my mistake|i was wrong|i meant|to correct|come to think of it)\b")

contradiction = partial(metric, better="lower", probes=("facts",), source="our own")


@contradiction(
    "Number",
    formula="stated numbers that the profile contradicts / stated numbers that it can be held against",
    unit="number",
    predicts=("a conversation", "a profile"),
    departs=quality("number_contradiction"),
    version=2,
)
def number_contradiction(visit: Consultation) -> Iterator[Mark]:
    """Do the age, the pain and the number of children that the patient states contradict its profile?

    Ages of others, durations, and pain at other times than the present are not held against it. A number within the
    profile's range is right, and so is one that the patient only rounds ("almost 70", "in my mid-forties"). Less pain
    than there is contradicts nothing where the persona plays it down, nor more where it makes it larger. Undefined
    where no such number was stated.
    """
    for item, (allowed_by, stated_in) in CHECKED.items():
        allowed = allowed_by(visit.profile.get(item, ""))
        for stated in (stated for reply in visit.replies for stated in stated_in(reply)) if allowed else ():
            if item == "age" and stated.span.low > OLDEST:
                continue
            right = any(_meets(span, stated.span, shift(visit.persona, item)) for span in allowed)
            why = f"says {stated.span} ({stated.text!r}); the profile says {visit.profile[item]}"
            yield Mark(float(not right), item, stated.turn, why, group=group_of(item))


def _meets(true: Span, stated: Span, shifted: str) -> bool:
    """Whether a stated number can be the true one, or is off to the side to which the persona shifts it."""
    off = {"down": stated.high < true.low, "up": stated.low > true.high}
    return true.meets(stated) or off.get(shifted, False)


@contradiction(
    "Drift",
    formula="quantities that a later statement contradicts / quantities stated more than once",
    unit="quantity",
    predicts=("a conversation",),
    departs=quality("self_contradiction_numbers"),
    version=2,
)
def self_contradiction_numbers(visit: Consultation) -> Iterator[Mark]:
    """Does the patient contradict the numbers that it stated before?

    One mark for each quantity stated in more than one reply: its age, its children, and how much it smokes, drinks or
    takes of a thing in a day, week or month. Only statements about the same thing in the same unit are compared, a pack
    being 20 cigarettes, and rounding is allowed for. Pain may change and is left out, and so is what the patient takes
    back. Since when a complaint is there and in which year something happened are for a judge to compare.
    """
    stated: dict[str, list[Stated]] = {}
    for one in _repeatable(visit.replies):
        if not _CORRECTS.search(plain(one.text)):
            stated.setdefault(one.of, []).append(one)
    for of, found in stated.items():
        if len({one.turn for one in found}) > 1:
            yield _compared(of, found)


def _repeatable(replies: Sequence[Reply]) -> Iterator[Stated]:
    """The numbers that stay the same, whenever the patient states them."""
    for reply in replies:
        yield from (stated for stated in ages(reply) if stated.span.low <= OLDEST)
        yield from children(reply)
        yield from _habits(reply)


def _habits(reply: Reply) -> Iterator[Stated]:
    """How much the patient takes of a thing in a day, week or month, at present and as a rule."""
    if _OTHER_TIME.search(last_question(reply.asked)):
        return
    for sentence in reply.sentences:
        text = plain(sentence.text)
        if pattern("partial_amount").search(text) or pattern("others").search(text):
            continue
        for of, span in amounts(sentence.text):
            if " a " in of and not of.startswith(_UNNAMED):
                yield _habit(of, span, sentence)


def _habit(of: str, span: Span, sentence: Sentence) -> Stated:
    """An amount with room for rounding; packs as cigarettes."""
    many = 1
    if of.startswith("pack"):
        of, many = f"cigarette a {of.rpartition(' a ')[2]}", _A_PACK
    rounded = Span(span.low * many * (1 - _ROUNDED), span.high * many * (1 + _ROUNDED))
    return Stated(of, rounded, sentence.turn, sentence.text)


def _compared(of: str, found: list[Stated]) -> Mark:
    """The first statement that an earlier reply contradicts, or that none does."""
    later = _contradicted(found)
    if later is None:
        return Mark(0.0, of, found[-1].turn, f"stated {len(found)} times without contradiction")
    earlier = next(one for one in found if one.turn != later.turn and not one.span.meets(later.span))
    return Mark(1.0, of, later.turn, f"says {later.text!r}, having said {earlier.text!r} in turn {earlier.turn}")


def _contradicted(found: list[Stated]) -> Stated | None:
    """The first statement that does not meet one of an earlier reply; None where all meet."""
    most, least = inf, -inf
    for _, reply in groupby(found, key=lambda one: one.turn):
        stated = list(reply)
        for later in stated:
            if later.span.low > most or later.span.high < least:
                return later
        most = min(most, *(one.span.high for one in stated))
        least = max(least, *(one.span.low for one in stated))
    return None
