"""The condition and the scenario of a dialogue, read from flags, columns and names."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import PurePath
from typing import Any, get_args

from adjudge.core.errors import Warnings, bad_record, did_you_mean
from adjudge.english.normalise import label_key
from adjudge.suites.trip.data import Condition

CONDITIONS: tuple[Condition, ...] = get_args(Condition)
GROUP_TYPES = ("family", "elder_young", "spouses", "colleagues", "strangers")
FLAGS = ("multi_user", "enable_synthesis", "use_social_theory", "enable_feedback")
THEORY = "use_social_theory"

# "family_C4", "c3-run"; not "C12".
NAMED = re.compile(r"(?:(?<=[_\-. ])|\A)[cC](?P<number>[1-5])(?=[_\-. ]|\Z)")
SEPARATORS = "_-. "
# "family_01_C1.csv.gz".
TABLE_ENDING = re.compile(r"(\.(csv|tsv|txt|json|jsonl|xlsx))?(\.gz)?\Z", re.IGNORECASE)
TRUE, FALSE = {"true", "1", "1.0", "yes", "on"}, {"false", "0", "0.0", "no", "off"}


def named_condition(name: str) -> Condition | None:
    """The condition in a name, where it is a separate part of the name.

    >>> named_condition("family_C4"), named_condition("dialogue_c3_family"), named_condition("C12_alpha")
    ('C4', 'C3', None)
    """
    match = NAMED.search(name)
    return CONDITIONS[int(match["number"]) - 1] if match else None


def without_condition(name: str) -> str:
    """A name without the condition in it.

    >>> without_condition("family_01_C3"), without_condition("dialogue_C3_family"), without_condition("s01-C3")
    ('family_01', 'dialogue_family', 's01')
    """
    match = NAMED.search(name)
    if not match:
        return name
    before, after = name[: match.start()].rstrip(SEPARATORS), name[match.end() :]
    return (before + after) if before else after.lstrip(SEPARATORS)


def stem_of(file: str) -> str:
    """The name of a file without folder and ending.

    >>> stem_of("runs/family_01_C1.csv.gz")
    'family_01_C1'
    """
    return TABLE_ENDING.sub("", PurePath(file).name)


def scenario_of(file: str) -> str:
    """The scenario of a file: its name without ending and condition; if nothing is left, the name of its folder.

    >>> scenario_of("runs/family_01_C1.csv.gz"), scenario_of("runs/trip7/C2.csv")
    ('family_01', 'trip7')
    """
    return without_condition(stem_of(file)) or PurePath(file).parent.name or "trip"


def condition_of_file(file: str) -> Condition | None:
    """The condition in the name of a file, or in the name of its folder if that is only a condition ("C2")."""
    folder = PurePath(file).parent.name
    return named_condition(stem_of(file)) or (named_condition(folder) if len(folder) == len("C1") else None)


def group_type_of(name: str) -> str:
    """The known type of group in a name; empty if there is none.

    >>> group_type_of("elder_young_02_C3"), group_type_of("run7")
    ('elder_young', '')
    """
    plain = label_key(name).replace(" ", "_")
    return next((kind for kind in GROUP_TYPES if re.search(rf"(?<![a-z]){kind}(?![a-z])", plain)), "")


def condition_of_flags(where: str, flags: Mapping[str, bool], warnings: Warnings) -> Condition | None:
    """The condition that the flags describe; None if they do not say, or describe none of the five.

    Each flag adds to the one before: feedback without social theory is not C5.
    """
    adds = [name for name in FLAGS[1:] if flags.get(name)]
    if flags.get("multi_user") is False:
        if adds:
            warnings.add("flags", f"{where}: multi_user is false but {adds[0]} is true: taken as C1")
        return "C1"
    if not adds:
        return "C2" if flags.get("multi_user") else None
    last = FLAGS.index(adds[-1])
    if lacking := [name for name in FLAGS[1:last] if not flags.get(name, name != THEORY)]:
        none = "that is none of C1 to C5, and the dialogue has no condition"
        warnings.add("flags", f"{where}: {adds[-1]} is true without {lacking[0]}: {none}; name its arm with --arm")
        return None
    return CONDITIONS[last + 1]


def fits_flags(condition: Condition, flags: Mapping[str, bool]) -> bool:
    """Whether no flag contradicts a condition.

    >>> fits_flags("C5", {"use_social_theory": False}), fits_flags("C5", {"multi_user": True})
    (False, True)
    """
    raised = FLAGS[: CONDITIONS.index(condition)]
    return all(value == (name in raised) for name, value in flags.items() if name in FLAGS)


def checked_condition(where: str, stated: Any) -> Condition:
    """The condition that a record states; raises BadRecord for any other than the five."""
    for condition in CONDITIONS:
        if stated == condition:
            return condition
    meant = next((condition for condition in CONDITIONS if condition[1:] in str(stated)), None)
    hint = f"; did you mean {meant!r}?" if meant else ""
    raise bad_record(where, f"found {stated!r}; expected one of {', '.join(CONDITIONS)}{hint}", "condition")


def remark_group_type(where: str, kind: str, warnings: Warnings) -> None:
    """Warn of an unknown type of group."""
    if kind and kind not in GROUP_TYPES:
        warnings.add(
            "group type",
            f"{where}: group_type: {kind!r} is not known{did_you_mean(kind, GROUP_TYPES)}; known are "
            f"{', '.join(GROUP_TYPES)}: tables show it unchanged",
        )


def parse_flag(where: str, field: str, value: Any) -> bool:
    """The truth value of "yes", "1.0", "off" and the like; raises BadRecord for anything else."""
    word = str(value).strip().lower()
    if word in TRUE or word in FALSE:
        return word in TRUE
    raise bad_record(where, f"found {value!r}; expected true or false", field)
