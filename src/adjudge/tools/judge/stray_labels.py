"""Labels of turns or items that a run does not have: they look like labels and answer nothing."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePath

from adjudge.core.ask import About
from adjudge.core.record import Key
from adjudge.read.labels import Label

# The number of labels that a remark names.
LABELS_SHOWN = 3


class AskedPlaces:
    """The places that questions were about, by case and name of the label: of which record, which turn and item.

    `keys` of a question are items that the record has, also where no metric of the run asks about them.
    """

    def __init__(self) -> None:
        self._places: dict[tuple[str, str], dict[Key, set[tuple[str, str]]]] = {}
        self._keys: dict[str, set[str]] = {}

    def add(self, about: About, name: str) -> None:
        """Note what a question is about, and the name of its labels."""
        records = self._places.setdefault((about.record.case, name), {})
        records.setdefault(about.record, set()).add((about.turn, about.at))
        if about.keys:
            self._keys.setdefault(about.record.case, set()).update(about.keys)

    def lacks(self, label: Label) -> bool:
        """Whether the label's record was asked about, but nowhere where the label is."""
        if not label.whole_turn and label.at in self._keys.get(label.case, ()):
            return False
        name = (label.field or label.metric).partition(".")[0]
        places = [
            place
            for record, asked in self._places.get((label.case, name), {}).items()
            if label.arm in (None, record.arm) and label.trial in (None, record.trial)
            for place in asked
        ]
        return bool(places) and not any(label.whole_turn in ("", turn) and label.at in ("", at) for turn, at in places)


def stray_remark(file: str, labels: Iterable[Label], asked: AskedPlaces) -> list[str]:
    """A sentence about the labels that are nowhere in the run, with the first of them and their places in the file."""
    stray = [label for label in labels if asked.lacks(label)]
    if not stray:
        return []
    shown = "; ".join(f"{PurePath(label.where).name}: {label.thing}" for label in stray[:LABELS_SHOWN])
    more = f"; and {len(stray) - LABELS_SHOWN} more" if len(stray) > LABELS_SHOWN else ""
    subject = "1 label is of a turn or item" if len(stray) == 1 else f"{len(stray)} labels are of turns or items"
    return [f"{file}: {subject} that the run does not have, and not used ({shown}{more}); check `turn` and `at`"]
