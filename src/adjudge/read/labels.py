"""Labels: what people said, read from CSV, JSON or JSONL."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from math import isfinite
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from adjudge.core.errors import BadInput, BadRecord, Complaint, Warnings, bad_record, listing
from adjudge.read.decode import check_depth, decode
from adjudge.read.files import Refuse, rows
from adjudge.read.tables import is_table, table_rows

COLUMNS = ("case", "arm", "trial", "metric", "turn", "at", "field", "label", "rater", "why")

METRICS_SHOWN = 5

OBJECT: msgspec.json.Decoder[Mapping[str, Any]] = msgspec.json.Decoder(Mapping[str, Any])
# "2" or "2.0": spreadsheets and data frames write whole numbers so where a cell of the column is empty.
_WHOLE = re.compile(r"(\d+)(\.0+)?")

Cells = Mapping[str, Any]


class Label(Struct, frozen=True, kw_only=True):
    """What one person said of one thing, and where that stands.

    The thing is the mark of a metric where `turn` or `at` names one, else the conversation. `arm` and `trial` are None
    where they are left out. `field` names the field of a judge's answer that the label is for; where it is empty, that
    is the one named as the metric. `metric` may be empty where there is a field. `why` is the rater's reason.
    """

    where: str
    case: str
    metric: str
    label: str | float
    arm: str | None = None
    trial: int | None = None
    turn: str = ""
    at: str = ""
    rater: str = ""
    field: str = ""
    why: str = ""

    @property
    def whole_turn(self) -> str:
        """The turn as the whole number it probably is (2 for 2.0), else as it is written."""
        whole = _WHOLE.fullmatch(self.turn)
        return whole[1] if whole else self.turn

    @property
    def thing(self) -> str:
        """What was labelled, in words."""
        parts = (
            f"case {self.case!r}",
            f"arm {self.arm!r}" if self.arm else "",
            f"trial {self.trial}" if self.trial is not None else "",
            f"turn {self.turn!r}" if self.turn else "",
            f"at {self.at!r}" if self.at else "",
        )
        return ", ".join(filter(None, parts))


class Labels(Struct, frozen=True):
    """The labels of a file, and what stands there beside them.

    `blank` counts rows whose label is empty, `others` labels of metrics that were not asked for, by metric; `unused`
    names the columns that are not read; `remarks` are what was accepted with a remark.
    """

    entries: list[Label]
    blank: int = 0
    others: dict[str, int] = {}
    unused: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()


class Layout(Struct, frozen=True):
    """How a labels file is to be read: the metric of rows that name none, and how a table is separated and encoded."""

    metric: str = ""
    delimiter: str | None = None
    encoding: str = "utf-8"


PLAIN = Layout()


def read_labels(path: Path, layout: Layout = PLAIN) -> Labels:
    """The labels of a file; raises BadInput with all that is wrong in it.

    A metric given by the layout stands for every row that names none; rows that name another are counted and left out,
    and refused where there are no others.
    """
    reading = _Reading(layout)
    for where, cells in _cells(path, reading):
        reading.add(where, cells)
    if fault := _column_fault(reading.columns, layout):
        raise BadInput(f"{path}: {fault}")
    if reading.complaints:
        raise BadInput(listing(reading.complaints))
    if reading.others and not reading.entries:
        counts = by_metric(reading.others)
        raise BadInput(f"{path}: no label of {layout.metric!r}; found {counts}; name another --metric, or none")
    return reading.labels()


def by_metric(counts: Mapping[str, int]) -> str:
    """How many labels there are of which metric, those with most labels first.

    >>> by_metric({"inform": 1, "success": 12})
    "12 labels of 'success', 1 label of 'inform'"
    """
    most = sorted(counts.items(), key=lambda item: -item[1])
    named = most[:METRICS_SHOWN]
    shown = [f"{number} {'label' if number == 1 else 'labels'} of {metric!r}" for metric, number in named]
    rest = len(most) - METRICS_SHOWN
    return ", ".join([*shown, f"and those of {rest} more"] if rest > 0 else shown)


class _Reading:
    """A labels file while it is read."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.warnings = Warnings()
        self.complaints: list[Complaint] = []
        self.entries: list[Label] = []
        self.blank = 0
        self.others: dict[str, int] = {}
        self.columns: dict[str, None] = {}

    def add(self, where: str, cells: Cells) -> None:
        """Take in one row."""
        self.columns |= dict.fromkeys(cells)
        try:
            label = _label(where, cells, self.layout.metric)
        except BadRecord as error:
            self.complaints.append(error.complaint)
            return
        if label is None:
            self.blank += 1
        elif self.layout.metric and label.metric != self.layout.metric:
            self.others[label.metric] = self.others.get(label.metric, 0) + 1
        else:
            self.entries.append(label)

    def labels(self) -> Labels:
        """What was read."""
        unused = tuple(name for name in self.columns if name not in COLUMNS)
        return Labels(self.entries, self.blank, self.others, unused, tuple(self.warnings.lines()))


def _cells(path: Path, reading: _Reading) -> Iterator[tuple[str, Cells]]:
    refuse: Refuse = reading.complaints.append
    if not is_table(path):
        return _objects(path, reading.warnings, refuse)
    return table_rows(
        path,
        reading.warnings,
        required=("case", "label"),
        delimiter=reading.layout.delimiter,
        encoding=reading.layout.encoding,
        refuse=refuse,
    )


def _objects(path: Path, warnings: Warnings, refuse: Refuse) -> Iterator[tuple[str, Cells]]:
    for where, raw in rows(path, warnings, refuse=refuse):
        try:
            check_depth(where, raw)
            yield where, decode(where, raw, OBJECT)
        except BadRecord as error:
            refuse(error.complaint)


def _label(where: str, cells: Cells, metric: str) -> Label | None:
    """The label of a row, None where it is blank; raises BadRecord."""
    label = _label_value(where, cells.get("label"))
    if label is None:
        return None
    case, named = _text(where, cells, "case"), _text(where, cells, "metric") or metric
    if not case:
        raise bad_record(where, "empty; expected the case that was labelled", "case")
    field = _text(where, cells, "field")
    if not named and not field:
        raise bad_record(where, "empty; expected a metric's name, or one for all labels with --metric", "metric")
    return Label(
        where=where,
        case=case,
        metric=named,
        label=label,
        arm=_text(where, cells, "arm") or None,
        trial=_trial(where, _text(where, cells, "trial")),
        turn=_text(where, cells, "turn"),
        at=_text(where, cells, "at"),
        rater=_text(where, cells, "rater"),
        field=field,
        why=_text(where, cells, "why"),
    )


def _label_value(where: str, value: Any) -> str | float | None:
    """A label as a number where it is one, else as a word; None where nothing was said."""
    if value is None:
        return None
    if isinstance(value, bool):
        return float(value)
    text = _plain(where, value, "label")
    number = _number(text)
    return (text or None) if number is None else number


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if isfinite(number) else None


def _trial(where: str, text: str) -> int | None:
    if not text:
        return None
    whole = _WHOLE.fullmatch(text)
    if whole is None:
        raise bad_record(where, f"found {text!r}; expected a whole number from 0", "trial")
    return int(whole[1])


def _text(where: str, cells: Cells, name: str) -> str:
    return _plain(where, cells.get(name), name)


def _plain(where: str, value: Any, name: str) -> str:
    if isinstance(value, dict | list):
        kind = "an object" if isinstance(value, dict) else "a list"
        raise bad_record(where, f"found {kind}; expected a number or text", name)
    return "" if value is None else str(value).strip()


def _column_fault(columns: Mapping[str, None], layout: Layout) -> str:
    """What is wrong with the names of the columns; empty where nothing is.

    A column that is one of ours by another spelling is refused: left unread it would change what was labelled.
    """
    for name in columns:
        # "Case ID", "turn_number" and "labels" become "case", "turn" and "label".
        meant = re.sub(r"(_?(id|name|number|no)|s)\Z", "", re.sub(r"[\s-]+", "_", name.strip().casefold()))
        if name not in COLUMNS and meant in COLUMNS and meant not in columns:
            return f"column {name!r}; did you mean {meant!r}? Rename it"
    for name in ("case", "label") if columns else ():
        if name not in columns:
            return f"no field {name!r}; found {', '.join(map(repr, columns))}; name it so in every object"
    if columns and not {"metric", "field"} & columns.keys() and not layout.metric:
        return "no column 'metric'; add it, or name one metric for all labels with --metric"
    return ""
