"""The MultiWOZ databases: the venues and trains that fit given constraints."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import SequenceMatcher
from functools import wraps
from itertools import accumulate, compress
from operator import or_
from pathlib import Path
from typing import TypeVar
from weakref import WeakKeyDictionary

import msgspec
from rapidfuzz import fuzz, process

from adjudge.core.errors import BadInput
from adjudge.read.opening import refuse_special
from adjudge.suites.service.rules.spelling import database_value, minutes, slot_name, spellings

Row = Mapping[str, str]
T = TypeVar("T")

QUERIED = ("restaurant", "hotel", "attraction", "train")
DOMAINS = (*QUERIED, "police", "hospital", "taxi")
UNKNOWN = "?"
# A cell fits a value from this partial ratio on. The published Inform and Success values were computed with it.
CLOSE = 90

_REQUIRED = {
    "restaurant": ("id", "name"),
    "hotel": ("id", "name"),
    "attraction": ("id", "name"),
    "train": ("trainid", "departure", "destination", "day", "arrive", "leave"),
}
# Columns that are no slots: constraints on them are ignored.
_IGNORED = {
    "attraction": {"location", "openhours"},
    "hotel": {"location", "price", "takesbookings"},
    "restaurant": {"location", "introduction", "signature"},
}
# Slots whose values annotators misspell: nearly equal cells fit too.
_FUZZY = frozenset({"name", "food", "departure", "destination"})
# For a shorter text of up to 64 characters rapidfuzz tries every window, so its ratio is never below `partial_ratio`.
_EXHAUSTIVE = 64
# `partial_ratio` rounds to whole percent, so 89.5 can reach CLOSE. The prefilter lies below and loses no cell.
_PREFILTER = 89.4
# Maps the digits of a binary number to the bytes 0 and 1, which itertools.compress takes as truth values.
_BITS = bytes.maketrans(b"01", b"\0\1")


class Venues:
    """The databases of a folder; `rows` holds them by domain with their columns named as slots are."""

    def __init__(self, rows: Mapping[str, Sequence[Row]]) -> None:
        self.rows = rows
        self._tables = {domain: _Table(domain, rows[domain]) for domain in QUERIED if rows.get(domain)}
        self._answers: dict[tuple[str, frozenset[tuple[str, str]]], frozenset[str]] = {}

    @classmethod
    def load(cls, folder: Path) -> Venues:
        """The databases `restaurant_db.json`, `hotel_db.json` and so on of a folder."""
        present = [domain for domain in DOMAINS if (folder / f"{domain}_db.json").is_file()]
        if not set(present) & set(QUERIED):
            raise BadInput(_nothing_in(folder))
        return cls({domain: _read(folder / f"{domain}_db.json", domain) for domain in present})

    def query(self, domain: str, constraints: Mapping[str, str]) -> frozenset[str]:
        """The ids of the venues (train ids of the trains) that fit all constraints.

        Constraints on columns that the database does not have and values such as `dontcare` constrain
        nothing; a domain without database has no venues.
        """
        table = self._tables.get(domain)
        if table is None:
            return frozenset()
        wanted = frozenset(
            (slot, value) for name, given in constraints.items() for slot, value in table.condition(name, given)
        )
        answer = self._answers.get((domain, wanted))
        if answer is None:
            answer = self._answers[domain, wanted] = table.fitting_ids(wanted)
        return answer


def once_for_each_database(build: Callable[[Venues], T]) -> Callable[[Venues], T]:
    """Compute a function of a database once for each database, and keep the result as long as the database."""
    built: WeakKeyDictionary[Venues, T] = WeakKeyDictionary()

    @wraps(build)
    def build_once(db: Venues) -> T:
        if db not in built:
            built[db] = build(db)
        return built[db]

    return build_once


def partial_ratio(cell: str, value: str) -> int:
    """The similarity of the shorter text to the best window of the longer one, in percent.

    Only windows that begin where difflib aligns a matching block are tried. The published Inform and Success values
    rest on this; an exhaustive search gives other results for a few values.
    """
    if cell == value:
        return 100
    shorter, longer = (cell, value) if len(cell) <= len(value) else (value, cell)
    if not shorter:
        return 0
    blocks = SequenceMatcher(None, shorter, longer).get_matching_blocks()
    starts = {max(block.b - block.a, 0) for block in blocks}
    best = max(SequenceMatcher(None, shorter, longer[start : start + len(shorter)]).ratio() for start in starts)
    # As in the fuzzywuzzy package, which the published values were computed with.
    return 100 if best > 0.995 else round(100 * best)


class _Table:
    """One database. Sets of rows are bit masks; the first row is the lowest bit."""

    def __init__(self, domain: str, rows: Sequence[Row]) -> None:
        key = "trainid" if domain == "train" else "id"
        self.ids = [row[key] for row in rows]
        names = rows[0].keys() - _IGNORED.get(domain, set()) | {key}
        self.columns = {name: _column(name, [row.get(name, UNKNOWN) for row in rows]) for name in names}

    def condition(self, name: str, value: str) -> Iterable[tuple[str, str]]:
        """The slot and canonical value to look for; nothing if the value is no constraint."""
        slot = slot_name(name)
        if slot not in self.columns:
            return
        plain = database_value(slot, value)
        if plain not in spellings().no_constraint:
            yield slot, plain

    def fitting_ids(self, conditions: Iterable[tuple[str, str]]) -> frozenset[str]:
        """The ids of the rows that fit all conditions."""
        mask = (1 << len(self.ids)) - 1
        for slot, value in conditions:
            mask &= self.columns[slot].rows(value)
        bits = format(mask, "b")[::-1].encode().translate(_BITS)
        return frozenset(compress(self.ids, bits))


class _Column:
    """A column that maps each cell text to its rows; an unknown cell fits every value."""

    def __init__(self, cells: Sequence[str]) -> None:
        self.masks: dict[str, int] = {}
        for row, cell in enumerate(cells):
            self.masks[cell] = self.masks.get(cell, 0) | 1 << row
        self.unknown = self.masks.pop(UNKNOWN, 0)

    def rows(self, value: str) -> int:
        """The rows that fit a value."""
        return self.masks.get(value, 0) | self.unknown


class _FuzzyColumn(_Column):
    """A column whose cells fit a value if one text is nearly a part of the other."""

    def __init__(self, cells: Sequence[str]) -> None:
        super().__init__(cells)
        self.short = [cell for cell in self.masks if len(cell) <= _EXHAUSTIVE]
        self.long = [cell for cell in self.masks if len(cell) > _EXHAUSTIVE]
        self.known: dict[str, int] = {}

    def rows(self, value: str) -> int:
        """The rows that fit a value."""
        mask = self.known.get(value)
        if mask is None:
            mask = self.unknown
            for cell in self._candidates(value):
                if partial_ratio(cell, value) >= CLOSE:
                    mask |= self.masks[cell]
            self.known[value] = mask
        return mask

    def _candidates(self, value: str) -> list[str]:
        exhaustive = self.short if len(value) > _EXHAUSTIVE else self.short + self.long
        near = process.extract(value, exhaustive, scorer=fuzz.partial_ratio, score_cutoff=_PREFILTER, limit=None)
        return [cell for cell, _, _ in near] + (self.long if exhaustive is self.short else [])


class _TimeColumn(_Column):
    """A column of times: arrivals fit at or before the given time, departures at or after it."""

    def __init__(self, cells: Sequence[str], *, until: bool) -> None:
        super().__init__(cells)
        self.until = until
        timed = sorted((minutes(cell), mask) for cell, mask in self.masks.items())
        self.times = [time for time, _ in timed]
        masks = [mask for _, mask in timed]
        self.up_to = list(accumulate(masks, or_, initial=0))
        self.onwards = list(accumulate(reversed(masks), or_, initial=0))[::-1]

    def rows(self, value: str) -> int:
        """The rows that fit a time."""
        wanted = minutes(value)
        if self.until:
            return self.up_to[bisect_right(self.times, wanted)] | self.unknown
        return self.onwards[bisect_left(self.times, wanted)] | self.unknown


def _column(name: str, cells: Sequence[str]) -> _Column:
    if name in ("arrive", "leave"):
        return _TimeColumn(cells, until=name == "arrive")
    return _FuzzyColumn(cells) if name in _FUZZY else _Column(cells)


def _nothing_in(folder: Path) -> str:
    expected = ", ".join(f"{domain}_db.json" for domain in QUERIED)
    if not folder.is_dir():
        return f"{folder}: not a folder; expected a folder with at least one of {expected}"
    content = ", ".join(sorted(path.name for path in folder.iterdir())[:20]) or "nothing"
    return f"{folder}: expected at least one of {expected}; found {content}"


def _read(path: Path, domain: str) -> list[Row]:
    try:
        refuse_special(path)
        rows = msgspec.json.decode(path.read_bytes())
    except (OSError, ValueError) as fault:
        raise BadInput(f"{path}: not JSON ({fault}); expected a list of rows") from fault
    if domain == "taxi" and isinstance(rows, dict):
        rows = [rows]
    if not isinstance(rows, list):
        raise BadInput(f"{path}: expected a list of rows, found {type(rows).__name__}")
    return [_row(f"{path}: row {number}", domain, row) for number, row in enumerate(rows, 1)]


def _row(where: str, domain: str, row: object) -> Row:
    if not isinstance(row, dict):
        raise BadInput(f"{where}: expected an object, found {_excerpt(row)}")
    cells = {slot_name(str(name)): cell for name, cell in row.items()}
    for name in _REQUIRED.get(domain, ()):
        if not isinstance(cells.get(name), str | int) or isinstance(cells[name], bool):
            raise BadInput(f"{where}: {name}: expected a text, found {_excerpt(cells.get(name))}")
    return {name: _text(cell) for name, cell in cells.items()}


def _text(cell: object) -> str:
    if isinstance(cell, list) and all(isinstance(part, str) for part in cell):
        return "\n".join(cell)
    return cell if isinstance(cell, str) else msgspec.json.encode(cell).decode()


def _excerpt(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
