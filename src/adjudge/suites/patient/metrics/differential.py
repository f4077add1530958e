"""Whether the doctor names the right diagnosis."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from adjudge.core.card import metric
from adjudge.core.mark import Mark
from adjudge.suites.patient.data import Consultation
from adjudge.suites.patient.rules.hidden import hidden_values
from adjudge.suites.patient.rules.naming import is_same_diagnosis

FIVE = 5

named_metric = partial(
    metric,
    unit="conversation",
    better="higher",
    pool="conversations",
    probes=("information",),
    predicts=("a conversation", "a profile"),
    source="our own; top-k accuracy, as in AgentClinic (Schmidgall et al. 2024, arXiv 2405.07960)",
    english=True,
)


@named_metric("Top1", formula="1 if the first diagnosis that the doctor names is the right one")
def diagnosis_top1(visit: Consultation) -> Iterator[Mark]:
    """Is the doctor's first diagnosis the right one?

    This measures the doctor, and the patient insofar as it says what the doctor needs. Names are compared by rule. Two
    names are equal if they have the same words except qualifiers ("acute", "left"), or if the suite's table lists them
    as one illness. Other synonyms and broader or narrower names are missed. Illnesses on one line of the table, such as
    kinds of pneumonia, count as one. A doctor who names nothing is wrong. Undefined if the profile has no diagnosis,
    and if the record has no `diagnoses`.
    """
    yield from _judge_names(visit, 1)


@named_metric("Top5", formula="1 if one of the first five diagnoses that the doctor names is the right one")
def diagnosis_top5(visit: Consultation) -> Iterator[Mark]:
    """Is the right diagnosis among the doctor's first five?

    Names are compared as for `diagnosis_top1`.
    """
    yield from _judge_names(visit, FIVE)


def _judge_names(visit: Consultation, most: int) -> Iterator[Mark]:
    true = hidden_values(visit.profile, "diagnosis")
    if visit.diagnoses is None or not true:
        return
    named = visit.diagnoses[:most]
    right = next((name for name in named if any(is_same_diagnosis(name, value) for value in true)), "")
    why = f"named {', '.join(named) or 'nothing'}; the profile says {visit.profile['diagnosis']}"
    yield Mark(float(right != ""), right or ", ".join(named), why=why)
