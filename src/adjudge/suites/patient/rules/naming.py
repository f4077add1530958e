"""Whether two names of a diagnosis mean the same illness."""

from __future__ import annotations

import re

from adjudge.english.tokens import bare_words, singular, stem
from adjudge.suites.patient.lexicon import words_of
from adjudge.suites.patient.rules.diagnoses import Illness, illnesses_in, one_spelling

# "(PML)", "[left]", "(I50.9)".
_BRACKETS = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")


def is_same_diagnosis(named: str, true: str) -> bool:
    """Whether a doctor's diagnosis is the right one: the same words but for qualifiers, or the same illness.

    The table of illnesses (`diagnoses.toml`) has the names that mean one illness.

    >>> is_same_diagnosis("heart attack", "Acute myocardial infarction"), is_same_diagnosis("Sprain", "Ankle fracture")
    (True, False)
    """
    if _bare_name(named) and _bare_name(named) == _bare_name(true):
        return True
    return not _illnesses(named).isdisjoint(_illnesses(true))


def _illnesses(name: str) -> frozenset[Illness]:
    """The illnesses of the table that a name means, also in the plural ("kidney stones")."""
    name = one_spelling(name)
    return frozenset((*illnesses_in(name), *illnesses_in(" ".join(map(singular, bare_words(name))))))


def _bare_name(name: str) -> frozenset[str]:
    """The stems of a name's words, in one spelling, without brackets and qualifiers such as "acute"."""
    words = bare_words(one_spelling(_BRACKETS.sub(" ", name)))
    return frozenset(stem(word) for word in words if word not in words_of("phrases", "qualifiers"))
