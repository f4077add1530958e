"""The pages of labelling: the choice of a plan, one item after the other, and the end."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from typing import Any

from msgspec import Struct

from adjudge.core.card import Card
from adjudge.core.errors import BadInput
from adjudge.report.page.facts import objects, record_facts
from adjudge.report.page.speakers import speakers_of
from adjudge.web.labels.agreement import rater_pairs
from adjudge.web.labels.files import LabelRow, append_row, label_files, label_path, read_rows, remove_last
from adjudge.web.labels.queue import (
    PLANS,
    LabelItem,
    LabelPlan,
    Standing,
    choices_of,
    draw_items,
    mark_values,
    parse_plan,
    plan_query,
    standing,
)
from adjudge.web.memory import remember
from adjudge.web.opened import OpenRun
from adjudge.web.pages.conversation import GIVEN, RECORD_FIELDS
from adjudge.web.talk.units import Utterance, group_turns, make_utterance

# Fields that are hidden from raters: what the arm produced beside its words, and other people's judgements of it.
LONGEST_NOTE = 2000
LONGEST_NAME = 60
# A pause longer than this does not count as time spent on an item.
LONGEST_SECONDS = 3600


class Desk(Struct, frozen=True):
    """A rater at work: the plan, the name, and how far they have come."""

    plan: LabelPlan
    rater: str
    standing: Standing


def label_view(run: OpenRun, asked: dict[str, str]) -> dict[str, Any]:
    """The item that is next, the end of the queue, or the choice of a plan."""
    desk = open_desk(run, asked)
    files = label_files(run.entry.folder)
    shared = {
        "run": run,
        "files": files,
        "labels": sum(file.count for file in files),
        "pairs": rater_pairs(run.entry.folder),
        "live": False,
        "failed": "",
        "answered": {},
    }
    if desk is None:
        return shared | {"desk": None, "plans": PLANS, "cards": _cards(run), "asked": asked}
    path = label_path(run.entry.folder, desk.rater)
    shared |= {"desk": desk, "path": path, "query": plan_query(desk.plan, desk.rater)}
    item = desk.standing.next
    return shared | _item_view(run, desk, item) if item is not None else shared


def open_desk(run: OpenRun, asked: dict[str, str]) -> Desk | None:
    """The desk that an address names; None where it names no plan or no rater."""
    plan, rater = parse_plan(asked, run.cards), " ".join(asked.get("rater", "").split())[:LONGEST_NAME]
    if plan is None or not rater:
        return None
    items = remember(run, f"items {plan}", lambda: draw_items(run, plan))
    return Desk(plan, rater, standing(items, read_rows(label_path(run.entry.folder, rater))))


def take_answer(run: OpenRun, asked: dict[str, str], form: dict[str, str]) -> None:
    """Keep the answer of a form, or take the last one back; raises BadInput where it cannot be kept."""
    desk = open_desk(run, asked)
    if desk is None:
        raise BadInput("the address names no metric of the run, or no rater; start again from the page of labels")
    path = label_path(run.entry.folder, desk.rater)
    if form.get("action") == "undo":
        remove_last(path)
        return
    item = _item_of(desk, form.get("item", ""))
    label = form.get("label", "").strip()
    if form.get("action") == "skip" or label == "cannot tell":
        reason = "cannot tell" if label == "cannot tell" else "skipped"
        append_row(path, _row(desk, item, "", form, reason))
        return
    _check_label(run.cards[desk.plan.metric], label)
    append_row(path, _row(desk, item, label, form))


def _item_of(desk: Desk, number: str) -> LabelItem:
    items = desk.standing.items
    if not (number.isascii() and number.isdigit()) or int(number) >= len(items):
        raise BadInput("the form names no item of this queue; load the page again")
    return items[int(number)]


def _check_label(card: Card, label: str) -> None:
    low, high = card.scale
    try:
        number = float(label)
    except ValueError:
        raise BadInput("no answer was chosen; choose one, or skip the item") from None
    if not (low is None or number >= low) or not (high is None or number <= high) or abs(number) > 1e12:
        raise BadInput(f"found {label!r}; {card.name} goes from {low} to {high}")


def _row(desk: Desk, item: LabelItem, label: str, form: dict[str, str], reason: str = "") -> LabelRow:
    note = " ".join(form.get("note", "").split())[:LONGEST_NOTE]
    return LabelRow(
        case=item.case,
        arm=item.arm,
        trial=str(item.trial),
        metric=item.metric,
        turn=item.turn,
        at=item.at,
        label=label,
        rater=desk.rater,
        why=": ".join(filter(None, (reason, note))),
        time=datetime.now(UTC).isoformat(timespec="seconds"),
        seconds=_seconds(form.get("shown", "")),
        plan=desk.plan.words,
    )


def _seconds(shown: str) -> str:
    """The seconds since an item was shown; empty where that is not known."""
    try:
        spent = time.time() - float(shown)
    except ValueError:
        return ""
    return f"{spent:.1f}" if 0 <= spent <= LONGEST_SECONDS else ""


def _item_view(run: OpenRun, desk: Desk, item: LabelItem) -> dict[str, Any]:
    card, record = run.cards[item.metric], run.record(item.place)
    before, target = _units(record, item, run.entry.suite)
    hidden = [name for name in record if name not in GIVEN]
    return {
        "card": card,
        "rubrics": _rubrics(run, card),
        "item": item,
        "number": desk.standing.items.index(item),
        "choices": choices_of(card, mark_values(run, desk.standing.items)),
        "before": before,
        "target": target,
        "facts": record_facts(record, [*RECORD_FIELDS, *hidden]),
        "shown": f"{time.time():.1f}",
        "of": int(run.index.column(f"n:{item.metric}").sum()),
    }


def _rubrics(run: OpenRun, card: Card) -> dict[str, str]:
    """What the judge was told, so that people and judge answer the same; none in a run without a judge."""
    texts = run.entry.manifest.rubrics if run.entry.manifest is not None else {}
    return {name: texts[name] for name in card.rubrics if name in texts}


def _units(record: dict[str, Any], item: LabelItem, suite: str) -> tuple[list[list[Utterance]], list[Utterance]]:
    """The units before the one that is judged, and that one; what comes after it is not sent."""
    speakers = speakers_of(record)
    units = [
        [_words_only(make_utterance(turn, speakers)) for turn in group]
        for group in group_turns(objects(record.get("turns")), speakers, suite)
    ]
    for number, unit in enumerate(units):
        if item.turn and any(turn.turn == item.turn for turn in unit):
            return units[:number], unit
    return units, []


def _words_only(turn: Utterance) -> Utterance:
    """A turn without what its record holds: that may tell the arm or the verdict."""
    return Utterance(turn.turn, turn.speaker, turn.text, turn.kind, turn.call, turn.to)


def _cards(run: OpenRun) -> list[Card]:
    """The metrics that have marks to be labelled, those that ask a judge first."""
    cards = [card for name, card in run.cards.items() if run.index.column(f"n:{name}").sum() and not card.variant]
    return sorted(cards, key=lambda card: ("judge" not in card.needs + card.optional, not card.primary))
