"""The names under which files of visits hold identifiers and sources of data under an agreement."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from adjudge.core.credentials import ORIGINS, is_identifier, key_of, protection_of

# Identifiers of MIMIC and eICU. A record with one of them is under a data use agreement.
CREDENTIALS = ("hadm_id", "subject_id", "stay_id", "admission_id")


def is_credentialed(raw: Any) -> bool:
    """Whether a record holds, at any depth, an identifier or the name of data under an agreement.

    >>> is_credentialed({"metadata": [{"HADM_ID": 7}]}), is_credentialed({"hadm_id": None, "id": 7})
    (True, False)
    """
    return bool(protection_of(raw))


def is_number_of_patient(name: str) -> bool:
    """Whether a name is that of an identifier that only data under an agreement has, such as `hadm_id`."""
    return is_identifier(name)


@lru_cache(maxsize=4096)
def is_origin(name: str) -> bool:
    """Whether a record may name its data set under this key."""
    return key_of(name) in ORIGINS
