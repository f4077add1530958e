"""Whether two arms were given the same in the cases they share, by the fingerprints in the runs."""

from __future__ import annotations

from collections.abc import Iterable

from adjudge.compare.sheet import Place, Sheet
from adjudge.core.errors import BadInput

# So many changed cases are named.
NAMED = 5


def check_given(sheet: Sheet, pairs: Iterable[tuple[str, str]]) -> list[str]:
    """A sentence for each pair of arms that was given different things in cases of the same id.

    Raises BadInput with these sentences, unless the sheet is compared nevertheless.
    """
    marks = [mark for pair in pairs if (mark := changed_cases_text(sheet, pair))]
    if marks and not sheet.force:
        raise BadInput(
            f"{'; '.join(marks)}; values on different data cannot be compared; score both arms on the same data, or "
            "compare them nevertheless with --force, which marks the result"
        )
    return marks


def changed_cases_text(sheet: Sheet, pair: tuple[str, str]) -> str:
    """How many cases of a pair of arms changed, in what, and which; empty if none."""
    changed = changed_cases(sheet, *pair)
    if not changed:
        return ""
    cases = list(dict.fromkeys(case for case, _ in changed))
    parts = list(dict.fromkeys(part for parts in changed.values() for part in parts))
    more = f" and {len(cases) - NAMED} more" if len(cases) > NAMED else ""
    shared = len({case for case, _ in _shared_places(sheet, *pair)})
    a, b = pair
    return (
        f"what is given differs between {a or '(unnamed)'} and {b or '(unnamed)'} in {len(cases)} of {shared} shared "
        f"cases ({', '.join(parts)}): {', '.join(cases[:NAMED])}{more}"
    )


def changed_cases(sheet: Sheet, a: str, b: str) -> dict[Place, tuple[str, ...]]:
    """The shared cases in which a part that both arms have differs, with these parts."""
    ours, theirs = sheet.given.get(a, {}), sheet.given.get(b, {})
    changes: dict[Place, tuple[str, ...]] = {}
    for place in _shared_places(sheet, a, b):
        first, second = ours[place], theirs[place]
        if parts := tuple(part for part in first if part in second and first[part] != second[part]):
            changes[place] = parts
    return changes


def unchecked_arms(sheet: Sheet, arms: Iterable[str]) -> list[str]:
    """The arms of which the run does not say what they were given, as in runs of an older version."""
    return [arm for arm in arms if not any(sheet.given.get(arm, {}).values())]


def unchecked_text(arms: list[str]) -> str:
    """What was not checked for these arms, in a sentence; empty if there are none."""
    if not arms:
        return ""
    names = ", ".join(arm or "(unnamed)" for arm in arms[:NAMED]) + (" and others" if len(arms) > NAMED else "")
    return f"whether cases of one id are the same was not checked: no fingerprints in the run of {names}"


def _shared_places(sheet: Sheet, a: str, b: str) -> list[Place]:
    theirs = sheet.given.get(b, {})
    return [place for place in sheet.given.get(a, {}) if place in theirs]
