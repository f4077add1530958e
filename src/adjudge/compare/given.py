"""Whether two arms were given the same in the cases they share, by the fingerprints in the runs."""

from __future__ import annotations

from collections.abc import Container, Iterable

import numpy as np

from adjudge.compare.sheet import Place, Sheet
from adjudge.core.errors import BadInput
from adjudge.stats.variance import Ints

# The most changed cases that are named.
NAMED = 5


def check_given(sheet: Sheet, pairs: Iterable[tuple[str, str]]) -> list[str]:
    """A sentence for each pair of arms that was given different things in cases of the same id.

    Raises BadInput with these sentences, unless the sheet is compared nevertheless.
    """
    marks = [mark for pair in pairs if (mark := changed_cases_text(sheet, pair))]
    if marks and not sheet.force:
        raise BadInput(
            f"{'; '.join(marks)}; values on different data cannot be compared; score both arms on the same data, or "
            "compare them anyway with --force, which marks the result"
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
    differing = _differing_places(sheet, a, b)
    if not differing:
        return {}
    ours, theirs = (_read_given(sheet, arm, differing) for arm in (a, b))
    changes: dict[Place, tuple[str, ...]] = {}
    for place in differing:
        first, second = ours[place], theirs[place]
        if parts := tuple(part for part in first if part in second and first[part] != second[part]):
            changes[place] = parts
    return changes


def unchecked_arms(sheet: Sheet, arms: Iterable[str]) -> list[str]:
    """The arms of which the run does not say what they were given, as in runs of an older version."""
    named = (arm for arm in arms if arm not in sheet.unnamed)
    return [arm for arm in named if arm not in sheet.given or sheet.given[arm].is_empty]


def unchecked_text(arms: list[str]) -> str:
    """What was not checked for these arms, in a sentence; empty if there are none."""
    if not arms:
        return ""
    names = ", ".join(arm or "(unnamed)" for arm in arms[:NAMED]) + (" and others" if len(arms) > NAMED else "")
    return f"cases are paired by id alone; their content was not checked: no fingerprints in the run of {names}"


def _differing_places(sheet: Sheet, a: str, b: str) -> dict[Place, None]:
    """The shared places in which the arms were not given the very same, in the order of the first arm."""
    shared, positions = _shared_numbers(sheet, a, b)
    if not len(shared):
        return {}
    ours, theirs = sheet.given[a].digest_rows()[positions[0]], sheet.given[b].digest_rows()[positions[1]]
    return dict.fromkeys(sheet.places.names[place] for place in shared[(ours != theirs).any(axis=1)].tolist())


def _shared_numbers(sheet: Sheet, a: str, b: str) -> tuple[Ints, tuple[Ints, Ints]]:
    """The numbers of the places that both arms have, and their positions in the first arm and in the second."""
    first, second = (np.array(sheet.given[arm].places if arm in sheet.given else (), dtype=np.intp) for arm in (a, b))
    there = sheet.places.positions(second)[first]
    here = np.flatnonzero(there >= 0)
    return first[here], (here, there[here])


def _shared_places(sheet: Sheet, a: str, b: str) -> list[Place]:
    return [sheet.places.names[place] for place in _shared_numbers(sheet, a, b)[0].tolist()]


def _read_given(sheet: Sheet, arm: str, places: Container[Place]) -> dict[Place, dict[str, str]]:
    """The fingerprints of an arm in some places, read again from its run."""
    return {
        (row.case, row.trial): row.given
        for run in sheet.runs
        if arm in (names := sheet.names(run)).values()
        for row in run.summaries()
        if names.get(row.arm, row.arm) == arm and (row.case, row.trial) in places
    }
