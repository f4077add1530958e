"""Translates profiles and personas to the names of the suite."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec
from msgspec import Struct

from adjudge.core.credentials import is_identifier
from adjudge.core.errors import Warnings, bad_record, did_you_mean
from adjudge.suites.patient.data import Persona
from adjudge.suites.patient.lexicon.fields import SEPARATOR, Profile, ProfileItems, is_recorded, key_of
from adjudge.suites.patient.read.drafts import Trait, as_text
from adjudge.suites.patient.rules.personas import AXES, canonical, values

IDS = ("id", "conversation_id", "dialogue_id", "record_id", "case", "case_id", "hadm_id", "patient_id")
PROFILES = ("patient_profile", "profile", "patient_info")
PERSONAS = ("persona_config", "persona", "persona_configuration", "patient_persona")
IDENTIFIERS = frozenset(map(key_of, ("id", "patient_id", "conversation_id")))
# PatientSim keeps words that a patient of each language level understands in its profiles: cefr_A1 to cefr_C2, med_A to
# med_C.
WORD_LISTS = re.compile(r"cefr[abc][12]?|med[abc]")
# Names of items that may also be groups which hold other items.
GROUPS = ("history",)
ROWS = msgspec.json.Decoder(dict[str, Any])
# Python writes None for a missing trait. For confusion, "none" is a value and means no confusion.
UNSAID = "none"

# The axes of a persona, with the keys that files use for them.
AXIS_NAMES = {
    "personality": ("personality", "personality_type", "personality_option"),
    "language": (
        *("language", "language_proficiency", "language_level", "proficiency", "proficiency_level"),
        *("cefr", "cefr_type", "cefr_level", "cefr_option", "language_proficiency_level", "lang_proficiency_level"),
    ),
    "recall": (
        *("recall", "recall_level", "recall_level_type", "recall_level_option", "memory_recall", "memory_recall_level"),
    ),
    "confusion": (
        *("confusion", "confusion_level", "confusion_level_type", "cognitive_confusion", "cognitive_confusion_level"),
        *("dazed", "dazed_level", "dazed_level_type", "dazed_level_option"),
    ),
}
AXIS_OF = {key_of(name): axis for axis, names in AXIS_NAMES.items() for name in names}


class ProfileValue(Struct, frozen=True):
    """A value of a profile: its path in the profile, its name in the file, and the value."""

    path: str
    name: str
    value: Any


def profile_of(where: str, raw: Mapping[str, Any], fields: ProfileItems, warnings: Warnings) -> Profile:
    """The items of a profile under the names of the suite, each as text; unrecorded items are dropped.

    Raises BadRecord for an item whose name has no letter and no digit.

    >>> raw = {"Smoking": False, "allergies": ["nuts", "latex"], "pain": None, "life": {"work": {"job": "baker"}}}
    >>> profile_of("one.jsonl:1", raw, ProfileItems.load(), Warnings())
    {'tobacco': 'no', 'allergies': 'nuts; latex', 'occupation': 'job: baker'}
    """
    texts_by_name: dict[str, dict[str, str]] = {}
    for entry in _entries(_without_ids(raw), fields):
        if not is_recorded(text := as_text(entry.value)):
            continue
        if not (name := fields.name(entry.name)):
            expected = "expected a name with a letter or a digit"
            raise bad_record(where, f"an item is called {entry.name!r}; {expected}", "profile")
        _remark_trait(where, entry, text, warnings)
        _remark_joined(where, entry.path, name, texts_by_name.setdefault(name, {}), warnings)
        texts_by_name[name][entry.path] = text
    return {name: SEPARATOR.join(dict.fromkeys(texts.values())) for name, texts in texts_by_name.items()}


def persona_of(traits: Iterable[Trait], warnings: Warnings) -> Persona:
    """The persona in the words of the suite; raises BadRecord for an unknown language, recall or confusion."""
    by_axis: dict[str, str] = {}
    for trait in traits:
        axis = AXIS_OF.get(key_of(trait.name))
        if axis is None:
            hint = did_you_mean(trait.name.lower(), AXES)
            warnings.add("persona", _at(trait, f"not read{hint}; a persona has {', '.join(AXES)}"))
        elif (value := _on_axis(axis, trait, warnings)) is not None:
            by_axis[axis] = value
    return msgspec.convert(by_axis, Persona)


def is_trait(name: str, value: Any) -> bool:
    """Whether an item is a trait of a persona; `language` may also name the language that the patient speaks."""
    axis = AXIS_OF.get(key_of(name))
    return axis is not None and (key_of(name) != "language" or _canonical(axis, as_text(value)) is not None)


def _without_ids(value: Any) -> Any:
    """A value without the identifiers of the patient and without lists of words, at any depth."""
    if isinstance(value, Mapping):
        return {name: _without_ids(part) for name, part in value.items() if not _is_no_item(name)}
    return [_without_ids(part) for part in value] if isinstance(value, list | tuple) else value


def _is_no_item(name: str) -> bool:
    key = key_of(name)
    return key in IDENTIFIERS or is_identifier(name) or WORD_LISTS.fullmatch(key) is not None


def _entries(raw: Mapping[str, Any], fields: ProfileItems) -> Iterator[ProfileValue]:
    """The items of a profile, with those inside groups such as `social: {habits: {smoking}}` taken out."""
    for name, value in raw.items():
        yield from _open_groups(ProfileValue(name, name, value), fields)


def _open_groups(entry: ProfileValue, fields: ProfileItems) -> list[ProfileValue]:
    """The item itself, or for a group the items inside it and then the rest of the group."""
    if not isinstance(entry.value, Mapping):
        return [entry]
    taken, rest = _split_group(entry, (entry.name,), fields)
    return [*taken, ProfileValue(entry.path, entry.name, rest)]


def _split_group(
    group: ProfileValue, within: tuple[str, ...], fields: ProfileItems
) -> tuple[list[ProfileValue], dict[str, Any]]:
    """The items inside a group at any depth, and the rest of the group."""
    taken: list[ProfileValue] = []
    rest: dict[str, Any] = {}
    for name, value in group.value.items():
        inner = ProfileValue(f"{group.path}.{name}", _item_inside(name, within, fields), value)
        if inner.name:
            taken += _open_groups(inner, fields)
        elif isinstance(value, Mapping):
            deeper, rest[name] = _split_group(inner, (*within, name), fields)
            taken += deeper
        else:
            rest[name] = value
    return taken, rest


def _item_inside(name: str, within: tuple[str, ...], fields: ProfileItems) -> str:
    """The item that a name inside groups means; empty if it is only a part of the group.

    Inside an item, a name gives details of that item: `allergies: {drugs}` does not list drugs that the patient takes.
    """
    joined = f"{within[-1]}_{name}"
    if key_of(name) and fields.knows(joined):
        return joined
    inside_an_item = any(fields.knows(part) and key_of(part) not in GROUPS for part in within)
    return name if fields.knows(name) and not inside_an_item else ""


def _remark_trait(where: str, entry: ProfileValue, text: str, warnings: Warnings) -> None:
    """Warn about an item with the name of a trait."""
    if is_trait(entry.name, text):
        kept = "kept as an item of the profile; put traits that the patient plays into the persona"
        warnings.add("trait", f"{where}: profile: {entry.path!r} is a trait of a persona; {kept}")


def _remark_joined(where: str, path: str, name: str, texts: Mapping[str, str], warnings: Warnings) -> None:
    if texts:
        both = f"{next(iter(texts))!r} and {path!r} are both {name!r}"
        warnings.add("joined", f"{where}: profile: {both}; their values are joined by {SEPARATOR!r}")


def _on_axis(axis: str, trait: Trait, warnings: Warnings) -> str | None:
    """The value of an axis that a trait gives; None if it gives none."""
    if isinstance(trait.value, Mapping | list):
        raise bad_record(trait.where, f"found {as_text(trait.value)!r}; expected a word", trait.field or trait.name)
    word = as_text(trait.value)
    if value := _canonical(axis, word):
        return value
    if not is_recorded(word) or word.lower() == UNSAID:
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
    """The value that a word means, with or without an explanation in brackets: "B (intermediate)"."""
    return canonical(axis, word) or canonical(axis, re.sub(r"(?<!\s)\s*[(\[].*", "", word))


def _at(trait: Trait, text: str) -> str:
    return f"{trait.where}: {trait.field or trait.name}: {text}"
