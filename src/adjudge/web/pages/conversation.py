"""The page of one conversation."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from adjudge.core.card import Card
from adjudge.report.page.facts import record_facts
from adjudge.report.page.speakers import speakers_of
from adjudge.report.page.verdict import Verdict, verdict
from adjudge.report.words import count
from adjudge.web.address import ListState
from adjudge.web.labels.files import label_files
from adjudge.web.opened import OpenedConversation, OpenRun
from adjudge.web.pages.conversations import neighbours
from adjudge.web.pages.members import member_picture
from adjudge.web.talk.lanes import lanes_of
from adjudge.web.talk.units import IN_EXCHANGES, Unit, units_of, whole_marks

# Fields with their own place on the page.
RECORD_FIELDS = ("id", "case", "arm", "trial", "turns", "participants", "facets", "credentialed", "usage", "outcome")
# The data of the case is unfolded at the side, everything else is folded.
GIVEN = ("goal", "request", "scenario", "profile", "persona", "recommended", "truth")
SCORES = 8
# The number of wrong marks of the whole conversation that are unfolded.
OPEN = 40


class ShownScore(Struct, frozen=True):
    """The value of the whole conversation by a metric, or why it has none."""

    card: Card
    value: float | None
    verdict: Verdict | None
    word: str = ""
    why: str = ""


def conversation_view(run: OpenRun, place: int, state: ListState) -> dict[str, Any]:
    """Everything on the page of a conversation."""
    conversation = run.conversation(place)
    units = units_of(conversation, run.cards, run.entry.suite)
    whole = whole_marks(conversation, run.cards)
    before, behind, number, total = neighbours(run, state, place)
    rivals = run.rivals(conversation.listed)
    wrong = [mark for mark in whole if mark.verdict in ("wrong", "partly")]
    primary = {card.name for card in run.primary}
    lines = score_lines(run, conversation)
    return {
        "run": run,
        "state": state,
        "listed": conversation.listed,
        "heading": heading(run, conversation, units, lines),
        "lead": _lead(conversation),
        "scores": lines[:SCORES],
        "more_scores": lines[SCORES:],
        "units": units,
        "whole": whole,
        "whole_wrong": [mark for mark in wrong if mark.metric in primary][:OPEN],
        "whole_minor": [mark for mark in wrong if mark.metric not in primary],
        "wrong_units": sum(unit.is_wrong for unit in units),
        "lanes": lanes_of(units),
        "picture": member_picture(conversation, run.cards),
        "speakers": list(speakers_of(conversation.record).values()),
        "facts": record_facts(conversation.record, RECORD_FIELDS),
        "given": GIVEN,
        "cost": _cost(conversation),
        "outcome": conversation.record.get("outcome"),
        "facets": conversation.record.get("facets") or {},
        "before": before,
        "behind": behind,
        "number": number,
        "total": total,
        "rivals": rivals,
        "labels": sum(file.count for file in label_files(run.entry.folder)),
        "live": False,
    }


def heading(run: OpenRun, conversation: OpenedConversation, units: list[Unit], lines: list[ShownScore]) -> str:
    """What is to be said of the conversation in one line."""
    name, noun = conversation.listed.name, "exchange" if run.entry.suite in IN_EXCHANGES else "turn"
    if not conversation.scores:
        return f"{name}: {count(len(units), noun)}, not scored"
    wrong = sum(bool(unit.wrong or unit.still) for unit in units)
    single = [line for line in lines if [mark.turn for mark in conversation.scores[line.card.name].marks] == [""]]
    judged = [line for line in single if line.verdict in ("right", "wrong")]
    goal = f", {judged[0].card.name} {judged[0].verdict}" if judged else ""
    if units and not any(unit.wrong or unit.still or unit.minor or unit.others for unit in units):
        return f"{name}: {count(len(units), noun)}{goal}"
    if not units:
        return f"{name}: no turns recorded{goal}"
    if not wrong and judged and judged[0].verdict == "wrong":
        return f"{name}: {judged[0].card.name} wrong, with nothing wrong in any of {count(len(units), noun)}"
    if not wrong:
        return f"{name}: nothing wrong in {count(len(units), noun)}{goal}"
    return f"{name}: something wrong in {wrong} of {count(len(units), noun)}{goal}"


def score_lines(run: OpenRun, conversation: OpenedConversation) -> list[ShownScore]:
    """The values of the whole conversation, primary metrics first; variants are left out."""
    primary = [card.name for card in run.primary]
    names = [*primary, *(name for name, card in run.cards.items() if name not in primary and not card.variant)]
    lines = []
    for name in names:
        score = conversation.scores.get(name)
        if score is None:
            continue
        card = run.cards[name]
        if score.value is not None:
            lines.append(ShownScore(card, score.value, verdict(score.value, card)))
        elif score.skipped is not None:
            lines.append(ShownScore(card, None, None, "skipped", score.skipped.why))
        else:
            lines.append(ShownScore(card, None, None, "undefined"))
    return lines


def _lead(conversation: OpenedConversation) -> str:
    """What the conversation is about, where the record says it in words."""
    record = conversation.record
    scenario, request = record.get("scenario"), record.get("request")
    for holder, key in ((scenario, "description"), (request, "text"), (request, "query")):
        if isinstance(holder, dict) and isinstance(holder.get(key), str):
            return str(holder[key])
    return str(record["goal"]) if isinstance(record.get("goal"), str) else ""


def _cost(conversation: OpenedConversation) -> dict[str, str]:
    """What the conversation took, in words: calls, tokens, seconds and cost; empty where nothing is known."""
    usages = [conversation.record.get("usage"), *(turn.get("usage") for turn in _turns(conversation))]
    known = [usage for usage in usages if isinstance(usage, dict)]
    answers = [trace for trace in conversation.traces if trace.kind == "answer"]
    tokens = sum(trace.input_tokens + trace.output_tokens for trace in answers) + sum(
        (usage.get("input_tokens") or 0) + (usage.get("output_tokens") or 0) for usage in known
    )
    cost = sum(trace.cost or 0.0 for trace in answers) + sum(usage.get("cost") or 0.0 for usage in known)
    seconds, calls = sum(trace.seconds for trace in answers), len(conversation.traces) - len(answers)
    words = {
        "answers of models": f"{len(answers):,}" if answers else "",
        "uses of tools": f"{calls:,}" if calls else "",
        "tokens": f"{tokens:,}" if tokens else "",
        "seconds": f"{seconds:.1f}" if seconds else "",
        "cost": f"${cost:.4f}" if cost else "",
    }
    return {name: text for name, text in words.items() if text}


def _turns(conversation: OpenedConversation) -> list[dict[str, Any]]:
    turns = conversation.record.get("turns")
    return [turn for turn in turns if isinstance(turn, dict)] if isinstance(turns, list) else []
