"""How records under a data use agreement are recognised: by their identifiers, and by the name of their data set."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from adjudge.suites.patient.lexicon.fields import key_of
from adjudge.suites.patient.read.drafts import as_text

# Endings of the identifier names of MIMIC and eICU. A record with one of them is under a data use agreement.
CREDENTIALS = ("hadm_id", "subject_id", "stay_id", "admission_id")
# Keys under which a record may name its data set.
ORIGINS = ("source", "dataset", "data_source", "origin", "corpus", "collection")
# Data sets under a data use agreement: "MIMIC-IV", "eICU", "i2b2 2010".
_UNDER_AGREEMENT = re.compile(r"mimic|eicu\b|physionet|\bi2b2\b|\bn2c2\b", re.IGNORECASE)


def is_credentialed(raw: Any) -> bool:
    """Whether a record holds, at any depth, an identifier or the name of data under an agreement.

    >>> is_credentialed({"metadata": [{"HADM_ID": 7}]}), is_credentialed({"hadm_id": None, "id": 7})
    (True, False)
    """
    if isinstance(raw, Mapping):
        numbered = any(is_number_of_patient(name) and as_text(value) for name, value in raw.items())
        origins = (as_text(value) for name, value in raw.items() if is_origin(name))
        return numbered or any(map(_UNDER_AGREEMENT.search, origins)) or any(map(is_credentialed, raw.values()))
    return isinstance(raw, list | tuple) and any(map(is_credentialed, raw))


@lru_cache(maxsize=4096)
def is_number_of_patient(name: str) -> bool:
    """Whether a name is that of an identifier that only data under an agreement has, such as `hadm_id`."""
    return key_of(name).endswith(_CREDENTIALS)


@lru_cache(maxsize=4096)
def is_origin(name: str) -> bool:
    """Whether a record may name its data set under this key."""
    return key_of(name) in _ORIGINS


_CREDENTIALS = tuple(map(key_of, CREDENTIALS))
_ORIGINS = frozenset(map(key_of, ORIGINS))
