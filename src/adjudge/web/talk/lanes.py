"""Lanes: a row for each speaker, a column for each turn, and a triangle under turns with something wrong."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from adjudge.report.page.speakers import Speaker
from adjudge.report.text import column_count, label
from adjudge.web.talk.units import Unit

# The most speakers and turns that are drawn.
ROWS = 12
TURNS = 200
ROW_HEIGHT = 22
TOP = 6
NAME_ROOM = 18
LETTER = 7.2


class LaneCell(Struct, frozen=True):
    """A turn: where its column begins, whose it is, and whether something is wrong in it."""

    turn: str
    x: float
    y: float
    speaker: Speaker
    flag: str = ""


class Lanes(Struct, frozen=True):
    """The picture: its size, the rows of speakers, and the turns."""

    width: float
    height: float
    left: float
    step: float
    rows: list[tuple[Speaker, float]]
    cells: list[LaneCell]
    omitted: int = 0

    @property
    def bottom(self) -> float:
        """Where the rows end."""
        return TOP + len(self.rows) * ROW_HEIGHT


def lanes_of(units: Sequence[Unit]) -> Lanes | None:
    """The lanes of a conversation; None where a picture would show nothing."""
    turns = [(unit, place, turn) for unit in units for place, turn in enumerate(unit.turns)]
    speakers = list({turn.speaker.name: turn.speaker for _, _, turn in turns}.values())[:ROWS]
    if len(turns) < 2 or not speakers:
        return None
    rows = [(speaker, TOP + ROW_HEIGHT * (place + 0.5)) for place, speaker in enumerate(speakers)]
    heights = {speaker.name: y for speaker, y in rows}
    shown = turns[:TURNS]
    step = max(14.0, min(30.0, 820.0 / len(shown)))
    left = 28 + LETTER * max(column_count(label(speaker.name, NAME_ROOM)) for speaker in speakers)
    cells = [
        LaneCell(turn.turn, left + step * number, heights[turn.speaker.name], turn.speaker, _flag(unit, place))
        for number, (unit, place, turn) in enumerate(shown)
        if turn.speaker.name in heights
    ]
    height = TOP + ROW_HEIGHT * len(rows) + 36
    return Lanes(left + step * len(shown) + 8, height, left, step, rows, cells, len(turns) - len(shown))


def _flag(unit: Unit, place: int) -> str:
    """What is drawn below a turn; a unit has its triangle below its first turn."""
    if place:
        return ""
    return "wrong" if unit.wrong else "still" if unit.still else ""
