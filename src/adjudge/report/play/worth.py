"""What a part of a system is worth: the system with it against the same system without it."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct, structs

from adjudge.compare.comparison import ComparisonRequest, compare
from adjudge.compare.contrast import Contrast
from adjudge.compare.sheet import Sheet
from adjudge.core.errors import BadInput
from adjudge.run import Run
from adjudge.run.played import PlayedArm


class PartWorth(Struct, frozen=True):
    """The parts that one arm lacks and the other has, and the difference that they make by each primary metric.

    A contrast's difference is the value with the parts minus the value without. `why` says why there are none.
    """

    whole: str
    without: str
    parts: tuple[str, ...]
    contrasts: tuple[Contrast, ...] = ()
    why: str = ""


def part_worths(run: Run, arms: dict[str, PlayedArm]) -> list[PartWorth]:
    """What each part is worth that an arm was played with and another without."""
    pairs = list(pairs_without_parts(arms))
    if not pairs:
        return []
    try:
        sheet = Sheet([run])
    except BadInput as error:  # A run that keeps tallies only cannot be compared.
        return [structs.replace(pair, why=str(error)) for pair in pairs]
    return [_with_contrasts(sheet, pair) for pair in pairs]


def pairs_without_parts(arms: dict[str, PlayedArm]) -> Iterator[PartWorth]:
    """Pairs of arms of the same systems in which one lacks parts that the other has.

    An arm without parts is paired with the arm that has the fewest parts more.
    """
    for label, arm in arms.items():
        fuller = {
            other: set(arm.without) - set(entry.without)
            for other, entry in arms.items()
            if entry.systems == arm.systems
            and set(entry.without) < set(arm.without)
            and arm.models.items() <= entry.models.items()
        }
        if fuller:
            whole = min(fuller, key=lambda other: len(fuller[other]))
            yield PartWorth(whole, label, tuple(sorted(fuller[whole])))


def _with_contrasts(sheet: Sheet, pair: PartWorth) -> PartWorth:
    try:
        compared = compare(sheet, ComparisonRequest(arms=(pair.whole, pair.without), baseline=pair.without))
    except BadInput as error:
        return PartWorth(pair.whole, pair.without, pair.parts, why=str(error))
    return PartWorth(pair.whole, pair.without, pair.parts, tuple(compared.contrasts))
