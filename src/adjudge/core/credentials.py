"""How records under a data use agreement are recognised: by identifiers, by numbers and by the names of data sets.

The rule is the same for every suite. It prefers a false alarm to a leak: a record that is held back by mistake is sent
as soon as the user allows it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import PurePath
from typing import Any

import msgspec

# Endings of the names of identifiers in MIMIC and eICU, as `key_of` gives them.
IDENTIFIERS = ("hadmid", "subjectid", "stayid", "admissionid", "patienthealthsystemstayid")
# Keys under which a record may name its data set.
ORIGINS = frozenset(("source", "dataset", "datasource", "origin", "corpus", "collection", "database", "provenance"))
# Keys that hold the number of a patient or a visit, besides those that end in "id".
NUMBERED = frozenset(("case", "patient", "subject", "admission", "hadm", "stay", "encounter", "visit"))

# Data sets whose names are no other words, in any text: "MIMIC-IV", "mimiciii", "MIMIC CXR", "eICU", "i2b2 2010".
_DATA_SET = re.compile(
    r"""(?<![a-z])(?:
        mimic[-_.\u2010-\u2015\u2212]?(?:i{2,3}|iv|[2-4](?!\d)|cxr|ed|ext|note|bhc|demo)(?![a-z])
      | eicu(?![a-z])
      | physionet
      | i2b2 | n2c2
    )""",
    re.IGNORECASE | re.VERBOSE,
)
# The name in capitals, unless all words around it are: "taken from MIMIC", not "A STROKE CAN MIMIC A MIGRAINE".
_IN_CAPITALS = re.compile(r"(?<![A-Z])(?<![A-Z][ ])MIMIC(?![A-Z])(?![ ][A-Z]{2})|(?<![A-Z])MIMIC[ ](?:I{2,3}|IV)\b")
# Where only a data set can be meant, the word is enough: the source "mimic", the file "mimic.jsonl".
_AS_ORIGIN = re.compile(r"(?<![a-z])mimic(?![a-z])|mimic(?:iii|iv)", re.IGNORECASE)
# "mimic-12345", "hadm_28651902"
_WORD_WITH_NUMBER = re.compile(
    r"(?<![a-z])(?:mimic|hadm|subject|stay|icustay|admission)(?![a-z])(?=.{0,200}?\d{5})", re.IGNORECASE
)
# Numbers of MIMIC-IV have eight digits and begin with 1, 2 or 3; studies of MIMIC-CXR are "s50414267". Spreadsheets
# turn them into "22595853.0", "2.2595853e+07" and "0022595853". "10000032-DS-21" is a note, "p10000032" a folder.
_NUMBER = re.compile(
    r"(?<![0-9a-z.])(?P<word>[a-z]*)[_-]?0*(?P<digits>[123]\d{7}|(?<=s)5\d{7})(?:\.0+)?(?![0-9a-z])", re.IGNORECASE
)
# "2.2595853e+07".
_SCIENTIFIC = re.compile(r"(?<![0-9a-z.])[123]\.\d{1,7}e\+?0?7(?![0-9a-z])", re.IGNORECASE)
# "10000032-DS-21".
_NOTE = re.compile(r"(?<!\d)1\d{7}-(?:DS|RR|AD|AR)-\d", re.IGNORECASE)
# "20240131", "31012024" and "01312024" are days. After "patient" eight digits are a number all the same.
_DAY = re.compile(
    r"20[0-4]\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])"
    r"|(?:(?:0[1-9]|[12]\d|3[01])(?:0[1-9]|1[0-2])|(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01]))20[0-4]\d"
)
_OF_PATIENTS = frozenset(("patient", "hadm", "subject", "admission"))
# "12345678-9abc-4def-8123-456789abcdef" is a random identifier that may begin with eight digits.
_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
# All that can be recognised in a row matches one of these in its bytes, once letters are small and every digit is a
# zero. A row without a match is not decoded a second time. Each pattern begins with the rarest letter of its words,
# which is found fast; a single pattern for all words reads 3 MB a second. `_ID` is the rest of "stay_id" and, within
# one text, of "stay 12345".
_ID = rb"(?:[\W_]?id|(?![a-z])[^\x22]{0,200}?0{5})"
_HINTS = tuple(
    re.compile(hint)
    for hint in (
        rb"m(?:imic|(?<=hadm)|(?<=adm)ission" + _ID + rb")",
        rb"y(?:(?<=stay)" + _ID + rb"|(?<=phy)sionet)",
        rb"ject(?<=subject)" + _ID,
        rb"u(?<=eicu)",
        rb"0[bc]0(?<=i0b0|n0c0)",  # "i2b2", "n2c2"
        rb"\.0{1,7}e\+?0",  # "2.2595853e+07"
    )
)
_SMALL_WITH_ZEROS = bytes(range(256)).lower().translate(bytes.maketrans(b"123456789", b"000000000"))
_EIGHT_ZEROS = b"0" * 8
# Digits that `_NUMBER` may take: eight after any zeros, all in one piece. Phone numbers are longer.
_HINT_NUMBER = re.compile(rb"0*[1235]\d{7}(?!\d)")
_DIGITS = re.compile(rb"\d+")
# An id that can be recognised has one of these in it.
_HINT_NAME = re.compile(r"\d{5}|[123]\.\d{1,7}e|mimic|eicu|physionet|i2b2|n2c2", re.IGNORECASE)


def may_be_protected(row: bytes) -> bool:
    """Whether a row holds anything that can be recognised; a quick look that lets most rows pass."""
    small = row.translate(_SMALL_WITH_ZEROS)
    for hint in _HINTS:
        if hint.search(small):
            return True
    return _has_hint_number(row, small)


def protection_of(raw: Any) -> str:
    """Why what was read may be under an agreement, in a few words with what was found; empty where nothing says so.

    `raw` is JSON, or a text. Identifiers, sources and names of data sets count at any depth. Numbers count in the
    fields of the whole record only, where "id" and "case" are.

    >>> protection_of({"metadata": [{"HADM_ID": 7}]}), protection_of({"note": "of MIMIC-IV"}), protection_of({"id": 7})
    ("the field 'HADM_ID'", "the name 'MIMIC-IV'", '')
    """
    return next(_signs(raw), "") or next(_numbers(raw), "")


def protection_of_row(row: bytes) -> str:
    """Why an undecoded row may be under an agreement; empty where nothing says so."""
    return protection_of(_decode(row)) if may_be_protected(row) else ""


def protection_of_place(where: str, *ids: str) -> str:
    """Why what was read there may be under an agreement, by the name of its file and its ids; empty if it is not."""
    path, _, line = where.rpartition(":")
    if name := _data_set_in_name_of(path if line.isdigit() else where):
        return f"the name {name!r} of the file {PurePath(where).name!r}"
    return next(filter(None, map(protection_of_name, dict.fromkeys(ids))), "")


def protection_of_name(name: str) -> str:
    """Why the id of a record may be a number of MIMIC; empty where it is none.

    >>> [bool(protection_of_name(id)) for id in ("10000032-DS-21", "0022595853", "MUL0012.json", "visit-20240131")]
    [True, True, False, False]
    """
    if not _HINT_NAME.search(name):
        return ""
    shown = f"the id {name!r}, which looks like an admission of MIMIC"
    if _WORD_WITH_NUMBER.search(name) or _DATA_SET.search(name) or _NOTE.search(name) or _SCIENTIFIC.search(name):
        return shown
    return shown if any(map(_is_number, _NUMBER.finditer(_UUID.sub("", name)))) else ""


@lru_cache(maxsize=4096)
def is_identifier(name: str) -> bool:
    """Whether a name is that of an identifier that only data under an agreement has, such as `hadm_id`."""
    return key_of(name).endswith(IDENTIFIERS)


@lru_cache(maxsize=4096)
def key_of(name: str) -> str:
    """A name without case, spaces and punctuation: "HADM_ID" is "hadmid"."""
    return "".join(filter(str.isalnum, name.casefold()))


@lru_cache(maxsize=4096)
def _data_set_in_name_of(path: str) -> str:
    """The name of a data set in the name of a file; empty where there is none."""
    file = PurePath(path).name
    match = _AS_ORIGIN.search(file) or _DATA_SET.search(file)
    return match[0] if match else ""


def _has_hint_number(row: bytes, small: bytes) -> bool:
    """Whether a row holds eight digits that may be the number of a patient or an admission.

    In `small` they are eight zeros, which are found twenty times as fast as by a pattern.
    """
    start = small.find(_EIGHT_ZEROS)
    while start >= 0:
        if _HINT_NUMBER.match(row, start):
            return True
        digits = _DIGITS.match(row, start)
        start = small.find(_EIGHT_ZEROS, digits.end() if digits else len(row))
    return False


def _decode(row: bytes) -> object:
    """A row as JSON, or as text where it is none."""
    try:
        return msgspec.json.decode(row)
    except (msgspec.DecodeError, RecursionError):
        return row.decode(errors="replace")


def _is_number(match: re.Match[str]) -> bool:
    return match["word"].lower() in _OF_PATIENTS or not _DAY.fullmatch(match["digits"])


def _signs(raw: Any, key: str = "") -> Iterator[str]:
    """Identifiers, sources and names of data sets at any depth."""
    if isinstance(raw, Mapping):
        for name, value in raw.items():
            if is_identifier(name) and not _is_empty(value):
                yield f"the field {name!r}"
            yield from _signs(name)
            yield from _signs(value, key_of(name))
    elif isinstance(raw, list | tuple):
        for value in raw:
            yield from _signs(value, key)
    elif isinstance(raw, str):
        match = _DATA_SET.search(raw) or _IN_CAPITALS.search(raw) or (key in ORIGINS and _AS_ORIGIN.search(raw))
        if match:
            yield f"the name {match[0]!r}"


def _numbers(raw: Any, inner: bool = True) -> Iterator[str]:
    """Numbers of patients in the fields of the whole record, and in objects such as its metadata."""
    for name, value in raw.items() if isinstance(raw, Mapping) else ():
        if isinstance(value, Mapping) and inner:
            yield from _numbers(value, inner=False)
        elif isinstance(value, str | int | float) and _is_numbered(name) and protection_of_name(str(value)):
            yield f"the number {value!r} in {name!r}, which looks like an admission of MIMIC"


@lru_cache(maxsize=4096)
def _is_numbered(name: str) -> bool:
    return key_of(name).endswith("id") or key_of(name) in NUMBERED


def _is_empty(value: object) -> bool:
    return value is None or value in ("", [], {}) or value != value
