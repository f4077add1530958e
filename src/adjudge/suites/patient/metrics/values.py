"""Whether the patient states what can be measured on a person."""

from __future__ import annotations

from collections.abc import Iterator

from adjudge.core.card import metric
from adjudge.core.mark import Mark
from adjudge.suites.patient.data import Consultation
from adjudge.suites.patient.rules.checks import quality
from adjudge.suites.patient.rules.vitals import stated_values


@metric(
    "Impossible",
    formula="stated vital signs and other measures that no person can have / stated vital signs and other measures",
    unit="value",
    better="lower",
    probes=("facts",),
    predicts=("a conversation",),
    source="our own; the ranges are in lexicon/vitals.toml",
    departs=quality("impossible_value"),
    version=3,
    english=True,
)
def impossible_value(visit: Consultation) -> Iterator[Mark]:
    """Does the patient state values that no person can have?

    Blood pressure, temperature, heart rate, breathing rate, oxygen saturation, blood sugar, age, pain on a scale to 10,
    weight and height count, if the words say plainly what was measured. The ranges are wide, so rare values pass. More
    than 10 points of 10 counts, although people exaggerate in this way. Undefined if no such value is stated.
    """
    for reply in visit.replies:
        for value in stated_values(reply):
            why = f"says {str(value)!r} ({value.text!r}); expected {value.expected_values}"
            yield Mark(float(not value.possible), str(value), value.turn, why)
