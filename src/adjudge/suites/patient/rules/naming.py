"""Whether two names of a diagnosis mean the same illness."""

from __future__ import annotations

import re

from adjudge.english.tokens import bare_words, stem
from adjudge.suites.patient.lexicon.phrases import table
from adjudge.suites.patient.rules.diagnoses import illnesses_in, one_spelling

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
    known = {illness for name in (named, one_spelling(named)) for illness in illnesses_in(name)}
    return any(illness in known for illness in illnesses_in(one_spelling(true)))


def _bare_name(name: str) -> frozenset[str]:
    """The stems of a name's words, in one spelling, without brackets and qualifiers such as "acute"."""
    words = bare_words(one_spelling(_BRACKETS.sub(" ", name)))
    return frozenset(stem(word) for word in words if word not in table()["qualifiers"])
