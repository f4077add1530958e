"""Whether the numbers that the patient states are those of its profile, and the same each time."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import groupby
from math import inf

from adjudge.core.card import metric
from adjudge.core.mark import Mark
from adjudge.suites.patient.data import Consultation, Reply
from adjudge.suites.patient.lexicon.fields import group_of
from adjudge.suites.patient.lexicon.phrases import plain
from adjudge.suites.patient.rules.checks import quality
from adjudge.suites.patient.rules.habits import habits, onsets, years
from adjudge.suites.patient.rules.numbers import Span, Stated
from adjudge.suites.patient.rules.pains import pain_of, pains
from adjudge.suites.patient.rules.personas import shift
from adjudge.suites.patient.rules.quantities import age_of, ages, children, children_of

Found = Callable[[Reply], Iterator[Stated]]

CHECKED: dict[str, tuple[Callable[[str], Sequence[Span]], Found]] = {
    "age": (age_of, ages),
    "pain": (pain_of, pains),
    "children": (children_of, children),
}
OF_EACH: tuple[Found, ...] = (ages, children)
OF_ALL: tuple[Callable[[Sequence[Reply]], Iterator[Stated]], ...] = (habits, onsets, years)

# Who takes back what was said does not contradict it.
_CORRECTS = re.compile(r"\b(?:sorry|misspoke|my mistake|i was wrong|i meant|to correct|come to think of it)\b")

contradiction = partial(metric, better="lower", probes=("facts",), source="our own")


@contradiction(
    "Number",
    formula="stated numbers that the profile contradicts / stated numbers that it can be held against",
    unit="number",
    predicts=("a conversation", "a profile"),
    departs=quality("number_contradiction"),
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
        for stated in (one for reply in visit.replies for one in stated_in(reply)) if allowed else ():
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
)
def self_contradiction_numbers(visit: Consultation) -> Iterator[Mark]:
    """Does the patient contradict the numbers that it stated before?

    One mark for each quantity stated in more than one reply: its age, its children, how much it smokes, drinks or
    takes of a thing and how often it does one in a day or week, how long ago a complaint began, and the year of what
    happens once. Only statements about the same thing in the same unit are compared, a pack being 20 cigarettes, and
    rounding is allowed for. A brief answer is about what the question names, "it" about the complaint spoken of. Pain
    may change and is left out, and so is what the patient takes back.
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
        for find in OF_EACH:
            yield from find(reply)
    for find_all in OF_ALL:
        yield from find_all(replies)


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
