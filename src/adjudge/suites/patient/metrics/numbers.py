"""Whether the numbers that the patient states are those of its profile."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from adjudge.core.card import metric
from adjudge.core.mark import Mark
from adjudge.suites.patient.data import Consultation, PatientReply
from adjudge.suites.patient.lexicon.fields import group_of
from adjudge.suites.patient.rules.checks import quality
from adjudge.suites.patient.rules.children import children, children_of
from adjudge.suites.patient.rules.numbers import StatedNumber, ValueRange
from adjudge.suites.patient.rules.personas import shift
from adjudge.suites.patient.rules.quantities import OLDEST, age_of, ages, pain_of, pains

Reader = Callable[[PatientReply], Iterator[StatedNumber]]

CHECKED: dict[str, tuple[Callable[[str], Sequence[ValueRange]], Reader]] = {
    "age": (age_of, ages),
    "pain": (pain_of, pains),
    "children": (children_of, children),
}


@metric(
    "Number",
    formula="stated numbers that contradict the profile / stated numbers that can be compared with it",
    unit="number",
    better="lower",
    probes=("facts",),
    predicts=("a conversation", "a profile"),
    source="our own",
    departs=quality("number_contradiction"),
    version=2,
    primary=True,
    english=True,
)
def number_contradiction(visit: Consultation) -> Iterator[Mark]:
    """Do the stated age, pain and number of children contradict the profile?

    Ages of other people, durations, and pain at other times do not count. A number within the profile's range is right,
    and so is a rounded one ("almost 70", "in my mid-forties"). Less pain is no contradiction if the persona plays pain
    down, and more pain is none if the persona exaggerates. Undefined if no such number is stated.
    """
    for item, (allowed_by, stated_in) in CHECKED.items():
        allowed = allowed_by(visit.profile.get(item, ""))
        for stated in (stated for reply in visit.replies for stated in stated_in(reply)) if allowed else ():
            if item == "age" and stated.span.low > OLDEST:
                continue
            right = any(_meets(span, stated.span, shift(visit.persona, item)) for span in allowed)
            why = f"says {stated.span} ({stated.text!r}); the profile says {visit.profile[item]}"
            yield Mark(float(not right), item, stated.turn, why, group=group_of(item))


def _meets(true: ValueRange, stated: ValueRange, shifted: str) -> bool:
    """Whether a stated number can be the true one, or is off to the side to which the persona shifts it."""
    off = {"down": stated.high < true.low, "up": stated.low > true.high}
    return true.meets(stated) or off.get(shifted, False)
