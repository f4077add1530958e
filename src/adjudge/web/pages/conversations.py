"""The list of all conversations of a run, filtered, sorted and in pages."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

import numpy as np
from msgspec import Struct, structs

from adjudge.core.card import Card
from adjudge.report.page.verdict import Verdict, is_wrong, verdict
from adjudge.run import RECORDS
from adjudge.web.address import CHOICES, COMPARISONS, FACET, ListState
from adjudge.web.index.build import JOINT
from adjudge.web.index.columns import SKIPPED, is_value
from adjudge.web.index.reader import ListedConversation
from adjudge.web.labels.files import label_files
from adjudge.web.memory import Memory
from adjudge.web.opened import OpenRun
from adjudge.web.query import in_order, select
from adjudge.web.search import search

PAGE = 50
# A field with more values than so many is not offered as a list of boxes.
VALUES = 14
COLUMNS = 3
# A list of a million conversations has 4 MB.
_LISTS = Memory(4)


class ValueCell(Struct, frozen=True):
    """The value of a conversation by a metric; a word where it has none."""

    metric: str
    value: float | None
    verdict: Verdict | None
    word: str = ""


class ConversationLine(Struct, frozen=True):
    """A conversation as the list shows it; `strip` has the number of wrong marks in each turn that was judged."""

    listed: ListedConversation
    values: list[ValueCell]
    strip: list[int]
    rival: ListedConversation | None
    hit: str = ""


class FilterField(Struct, frozen=True):
    """A field that can be filtered by, and how many conversations have each of its values."""

    name: str
    title: str
    values: list[tuple[str, int]]


def conversations_view(run: OpenRun, state: ListState) -> dict[str, Any]:
    """The page of the list that the address asks for."""
    cards = shown_cards(run, state)
    view = {
        "run": run,
        "state": state,
        "cards": cards,
        "fields": filter_fields(run),
        "comparisons": COMPARISONS,
        "all_cards": [card for card in run.cards.values() if not card.variant],
        "labels": sum(file.count for file in label_files(run.entry.folder)),
        "has_ends": len(run.index.words("end")) > 1,
        "live": run.entry.status in ("running", "playing"),
        "page_size": PAGE,
        "hits": None,
        "empty": "",
    }
    if state.text:
        return view | {"hits": _hits(run, state, cards), "total": None, "lines": [], "pages": 0}
    places = ordered_places(run, state)
    first = (state.page - 1) * PAGE
    lines = [_line(run, place, cards) for place in places[first : first + PAGE].tolist()]
    pages = max(-(-len(places) // PAGE), 1)
    view |= {"total": len(places), "lines": lines, "pages": pages, "first": first + 1}
    return view | {"empty": _emptiness(run, state)} if not len(places) else view


def neighbours(run: OpenRun, state: ListState, place: int) -> tuple[int | None, int | None, int, int]:
    """The conversations before and behind one in a list, its number in it, and how many the list has."""
    if state.text:
        return None, None, 0, 0
    places = ordered_places(run, state)
    (where,) = np.nonzero(places == place)
    if not len(where):
        return None, None, 0, len(places)
    at = int(where[0])
    before = int(places[at - 1]) if at else None
    behind = int(places[at + 1]) if at + 1 < len(places) else None
    return before, behind, at + 1, len(places)


def ordered_places(run: OpenRun, state: ListState) -> np.ndarray[Any, Any]:
    """The conversations of a list in its order; the last lists are kept, as one goes through them page by page."""

    def order() -> np.ndarray[Any, Any]:
        return in_order(run.index, np.flatnonzero(select(run.index, state, run.cards)), state.sort).astype("i4")

    return _LISTS.remember(run, f"list {structs.replace(state, page=1).query()}", order)


def shown_cards(run: OpenRun, state: ListState) -> list[Card]:
    """The metrics that have a column: those that are filtered or sorted by, then the first primary ones."""
    asked = [condition.metric for condition in state.conditions] + [state.sort.removeprefix("-")]
    names = [*asked, *(card.name for card in run.primary)]
    known = list(dict.fromkeys(name for name in names if name in run.cards))
    return [run.cards[name] for name in known[: max(COLUMNS, len(dict.fromkeys(asked)))]]


def filter_fields(run: OpenRun) -> list[FilterField]:
    """The fields that are worth filtering by."""
    titles = {"arm": "Arm", "group": "Group", "end": "Ended with", "who": "Participant"}
    names = [*CHOICES, *(f"{FACET}{name}" for name in run.index.facets())]
    fields = []
    for name in names:
        column = f"facet:{name.removeprefix(FACET)}" if name.startswith(FACET) else name
        counts = _counts(run, column)
        if 1 < len(counts) <= VALUES or (name == "arm" and counts):
            title = titles.get(name, name.removeprefix(FACET).replace("_", " ").capitalize())
            fields.append(FilterField(name, title, sorted(counts.items(), key=lambda item: -item[1])))
    return fields


def _counts(run: OpenRun, column: str) -> dict[str, int]:
    """How many conversations have each value of a column."""
    words = run.index.words(column)
    numbers = np.bincount(run.index.column(column).astype(int), minlength=len(words)).tolist()
    counts: dict[str, int] = {}
    for word, number in zip(words, numbers, strict=False):
        parts = word.split(JOINT) if column in ("group", "who") else [word]
        for part in parts:
            if number and (part or column == "arm"):
                counts[part] = counts.get(part, 0) + int(number)
    everywhere = [value for value, number in counts.items() if number == run.index.count]
    return counts if column == "arm" else {value: counts[value] for value in counts if value not in everywhere}


def _hits(run: OpenRun, state: ListState, cards: list[Card]) -> Iterator[ConversationLine]:
    """The lines of a page of hits, as they are found in the order of the file; one more says that there are others."""
    hits = search(run.entry.folder / RECORDS, state.text, select(run.index, state, run.cards))
    first = (state.page - 1) * PAGE
    for place, hit in islice(hits, first, first + PAGE + 1):
        yield structs.replace(_line(run, place, cards), hit=hit)


def _line(run: OpenRun, place: int, cards: list[Card]) -> ConversationLine:
    (listed,) = run.index.list_conversations([place])
    values = [_cell(card, run.index.numbers(f"value:{card.name}", [place])[0]) for card in cards]
    rival = next(iter(run.rivals(listed)), None) if len(run.arms) > 1 else None
    return ConversationLine(listed, values, _strip(run, place), rival)


def _cell(card: Card, number: float) -> ValueCell:
    if is_value(number):
        return ValueCell(card.name, number, verdict(number, card))
    return ValueCell(card.name, None, None, "skipped" if number == SKIPPED else "undefined")


def _strip(run: OpenRun, place: int) -> list[int]:
    """How many marks are wrong in each turn of which something was judged, at most 24 of them."""
    turns: dict[str, int] = {}
    for name, score in run.scores(place).items():
        card = run.cards.get(name)
        if card is None or card.variant:
            continue
        for mark in score.marks:
            if mark.turn:
                turns[mark.turn] = turns.get(mark.turn, 0) + is_wrong(mark.value, card)
    order = sorted(turns, key=lambda turn: (not turn.isdigit(), int(turn) if turn.isdigit() else 0, turn))
    return [turns[turn] for turn in order[:24]]


def _emptiness(run: OpenRun, state: ListState) -> str:
    """Which filters let nothing through, and what dropping the last would leave."""
    parts = state.parts()
    if not parts and not run.keeps_all:
        return (
            f"All {run.records:,} were scored, and the run keeps tables only. Score the data again with --keep worst "
            "or --keep all to look at conversations."
        )
    if not parts:
        return "They appear here as soon as they are scored."
    names = ", ".join(f"{name} {value}" for name, value, _ in parts)
    left = int(select(run.index, parts[-1][2], run.cards).sum())
    return f"{names}: without the last, {left:,} would be left."
