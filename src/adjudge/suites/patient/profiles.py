"""Profiles and personas in any words, as ours; and profiles that stand in a file of their own."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, cast

import msgspec
from msgspec import Struct

from adjudge.core.complaint import BadInput, Warnings, bad_record, did_you_mean
from adjudge.read.decode import check_depth, decode, duplicate_keys, lenient_row
from adjudge.read.files import rows
from adjudge.suites.patient.cases import CASE, case_id, case_profile
from adjudge.suites.patient.data import NO_PERSONA, Cefr, Confusion, Consultation, Level, Persona
from adjudge.suites.patient.drafts import Trait
from adjudge.suites.patient.fields import SEPARATOR, Fields, Profile, recorded
from adjudge.suites.patient.personas import AXES, canonical, values

# Who holds such a number holds data under an agreement: they are the keys of MIMIC.
CREDENTIALS = ("hadm_id", "subject_id", "stay_id")
IDS = ("id", "conversation_id", "dialogue_id", "record_id", "case", "case_id", "hadm_id", "patient_id")
PROFILES = ("patient_profile", "profile", "patient_info")
# What stands beside the items of a profile and is none.
BESIDE = frozenset(
    (*IDS, *CREDENTIALS, "credentialed", "arm", "trial", "persona", "persona_config", "messages", "dialog_history")
)
ROWS = msgspec.json.Decoder(dict[str, Any])

AXIS_NAMES = {
    "personality": ("personality", "personality_type"),
    "language": (
        *("language", "language_proficiency", "language_level", "proficiency", "proficiency_level"),
        *("cefr", "cefr_type", "cefr_level", "language_proficiency_level"),
    ),
    "recall": ("recall", "recall_level", "recall_level_type", "memory_recall", "memory_recall_level"),
    "confusion": (
        *("confusion", "confusion_level", "confusion_level_type", "dazed", "dazed_level", "dazed_level_type"),
        *("cognitive_confusion", "cognitive_confusion_level"),
    ),
}
AXIS_OF = {name.replace("_", ""): axis for axis, names in AXIS_NAMES.items() for name in names}


def profile_of(raw: Mapping[str, Any], fields: Fields) -> Profile:
    """The items of a profile by our names, each as text; what was not recorded is not there.

    >>> profile_of({"Smoking": False, "allergies": ["nuts", "latex"], "pain": None}, Fields.load())
    {'tobacco': 'no', 'allergies': 'nuts; latex'}
    """
    found: dict[str, list[str]] = {}
    for name, value in _items(raw, fields):
        text = as_text(value)
        if name and recorded(text) and text not in found.setdefault(name, []):
            found[name].append(text)
    return {name: SEPARATOR.join(texts) for name, texts in found.items() if texts}


def as_text(value: Any) -> str:
    """A value of JSON as text: lists are joined, objects become `key: value`.

    >>> as_text(["nuts", {"drug": "penicillin", "since": None}, 3.0])
    'nuts; drug: penicillin; 3'
    """
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, Mapping):
        value = [f"{key}: {text}" for key, one in value.items() if recorded(text := as_text(one))]
    if isinstance(value, list | tuple):
        return SEPARATOR.join(text for one in value if recorded(text := as_text(one)))
    return str(value).strip()


def is_credentialed(raw: Mapping[str, Any]) -> bool:
    """Whether a record or a profile holds a number that only data under an agreement has."""
    found = {_key(name) for name, value in raw.items() if value not in (None, "")}
    return bool(found & {_key(name) for name in CREDENTIALS})


def persona_of(traits: Iterable[Trait], warnings: Warnings) -> Persona:
    """The persona in our words; raises BadRecord for a word on language, recall or confusion that nobody knows."""
    found: dict[str, str] = {}
    for trait in traits:
        axis = AXIS_OF.get(_key(trait.name))
        if axis is None:
            hint = did_you_mean(trait.name.lower(), AXES)
            warnings.add("persona", _at(trait, f"not read{hint}; a persona has {', '.join(AXES)}"))
        elif (value := _on_axis(axis, trait, warnings)) is not None:
            found[axis] = value
    return (
        NO_PERSONA
        if not found
        else Persona(
            found.get("personality"),
            cast(Cefr | None, found.get("language")),
            cast(Level | None, found.get("recall")),
            cast(Confusion | None, found.get("confusion")),
        )
    )


class Beside(Struct, frozen=True):
    """A profile of `--profiles` and whether it comes from data under an agreement."""

    profile: Profile
    credentialed: bool = False


class Profiles:
    """The profiles of a file, by the id of the conversation they belong to."""

    def __init__(self, path: Path | None, fields: Fields, warnings: Warnings, lenient: bool = False) -> None:
        self.path = path
        self.by_id: dict[str, Beside] = {}
        for where, row in rows(path, warnings) if path else ():
            row = lenient_row(where, row, warnings) if lenient else row
            for id, raw in _by_id(where, row):
                self._add(where, id, raw, fields)

    def key(self, record: Consultation) -> str | None:
        """The id under which a record's profile stands; None where there is none."""
        names = (record.id, record.case, record.id.removeprefix("patient_"))
        return next((name for name in names if name and name in self.by_id), None)

    def _add(self, where: str, id: str, raw: Mapping[str, Any], fields: Fields) -> None:
        own = next((raw[name] for name in PROFILES if isinstance(raw.get(name), Mapping)), None)
        items = own if own is not None else {name: value for name, value in raw.items() if _key(name) not in _BESIDE}
        found = Beside(profile_of(items, fields), is_credentialed(raw) or is_credentialed(items))
        if not found.profile:
            raise BadInput(f"{where}: {id}: nothing recorded; expected profile items, such as age and chief_complaint")
        if self.by_id.setdefault(id, found) != found:
            raise BadInput(f"{where}: {id}: stands twice with other content; expected one profile for each id")


def _by_id(where: str, row: bytes) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The profiles of a row: a case, one profile that names its id, or a dict of profiles by id."""
    check_depth(where, row)
    if repeated := duplicate_keys(row):
        raise bad_record(where, "this key stands twice in one object; expected it once", repeated[0])
    raw = decode(where, row, ROWS)
    if CASE in raw:
        yield case_id(where), case_profile(where, row)
    elif ids := [raw[name] for name in IDS if isinstance(raw.get(name), str | int)]:
        yield str(ids[0]), raw
    elif raw and all(isinstance(value, Mapping) for value in raw.values()):
        yield from raw.items()
    else:
        names = ", ".join(map(repr, list(raw)[:5])) or "nothing"
        raise BadInput(
            f"{where}: found {names}; expected profiles by the id of the conversation: {{id: profile}}, or an `id` in "
            "each profile"
        )


def _items(raw: Mapping[str, Any], fields: Fields) -> Iterator[tuple[str, Any]]:
    """The items of a profile; those in groups such as `present_illness: {positive, negative}` are taken out of them."""
    for name, value in raw.items():
        if _key(name) in _IDENTIFIERS:
            continue
        if not isinstance(value, Mapping):
            yield fields.name(name), value
            continue
        rest = dict(value)
        for inner in value:
            if fields.knows(f"{name}_{inner}"):
                yield fields.name(f"{name}_{inner}"), rest.pop(inner)
            elif not fields.knows(name) and fields.knows(inner):
                yield fields.name(inner), rest.pop(inner)
        yield fields.name(name), rest


def _on_axis(axis: str, trait: Trait, warnings: Warnings) -> str | None:
    """The value of an axis that a trait names; None where it names none."""
    if isinstance(trait.value, Mapping | list):
        raise bad_record(trait.where, f"found {as_text(trait.value)!r}; expected a word", trait.field or trait.name)
    word = as_text(trait.value)
    if found := _canonical(axis, word):
        return found
    if not recorded(word):
        return None
    known = ", ".join(values(axis))
    if axis != "personality":
        hint = did_you_mean(word.lower(), values(axis))
        raise bad_record(
            trait.where, f"found {word!r}; expected one of {known}, or leave it out{hint}", trait.field or trait.name
        )
    warnings.add("personality", _at(trait, f"{word!r} is not known, so nothing is expected of it (known are {known})"))
    return word.lower()


def _canonical(axis: str, word: str) -> str | None:
    """The value that a word stands for, with or without what is explained in brackets after it."""
    return canonical(axis, word) or canonical(axis, re.sub(r"\s*[(\[].*", "", word))


def _key(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())


def _at(trait: Trait, text: str) -> str:
    return f"{trait.where}: {trait.field or trait.name}: {text}"


_BESIDE = frozenset(map(_key, BESIDE))
_IDENTIFIERS = frozenset(map(_key, (*CREDENTIALS, "id", "patient_id", "conversation_id")))
