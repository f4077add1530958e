"""Units: the turns that are judged together, with their marks and what happened inside them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
from msgspec import Struct

from adjudge.core.card import Card
from adjudge.core.mark import Mark
from adjudge.core.play import Decision
from adjudge.report.page.facts import Fact, objects, record_facts
from adjudge.report.page.speakers import Speaker, speakers_of
from adjudge.report.page.verdict import Verdict, verdict
from adjudge.report.play.work import effort_text
from adjudge.report.text import Passage, passage
from adjudge.run.played import TraceLine, TurnLine
from adjudge.web.opened import OpenedConversation, Scores

# In these suites what is judged in a turn is the reply to it: both make a unit.
IN_EXCHANGES = ("service",)
# Fields with their own place on the page.
TURN_FIELDS = ("id", "speaker", "text", "kind", "call", "usage", "time", "to", "reference")
LONGEST_TEXT = 6000
LONGEST_STEP = 600
NOBODY = Speaker("", 1, "?")


class ShownMark(Struct, frozen=True):
    """A mark with the verdict on it; `since` is the turn in which the same was wrong for the same reason before."""

    metric: str
    mark: Mark
    verdict: Verdict
    since: str = ""


class Step(Struct, frozen=True):
    """What happened inside a turn: which part, in words, a tool with its arguments, and what it took."""

    part: str
    text: Passage
    call: str = ""
    outcome: str = ""
    took: str = ""


class Utterance(Struct, frozen=True):
    """A turn: who, what kind, the words, and what is folded under it."""

    turn: str
    speaker: Speaker
    text: Passage
    kind: str = "speech"
    call: str = ""
    to: str = ""
    reference: Passage | None = None
    facts: list[Fact] = []
    steps: list[Step] = []
    took: str = ""


class Unit(Struct, frozen=True):
    """Turns that are judged together, and their marks.

    `wrong` are wrong by a leading metric and were not before, `still` are wrong for the same reason as before, `minor`
    are wrong by other metrics, and `others` are right or neutral.
    """

    turns: list[Utterance]
    wrong: list[ShownMark]
    still: list[ShownMark]
    minor: list[ShownMark]
    others: list[ShownMark]

    @property
    def is_wrong(self) -> bool:
        """Whether something is wrong here that was not wrong before."""
        return bool(self.wrong)

    @property
    def since(self) -> str:
        """The turns from which on the still wrong marks are wrong."""
        return ", ".join(dict.fromkeys(mark.since for mark in self.still))

    def tally(self, kind: Verdict) -> int:
        """How many of the other marks have a verdict."""
        return sum(mark.verdict == kind for mark in self.others)


def shown_marks(scores: Scores, cards: Mapping[str, Card]) -> list[ShownMark]:
    """All marks of a conversation but those of variants, primary metrics first."""
    names = sorted((name for name in scores if name in cards), key=lambda name: not cards[name].primary)
    return [
        ShownMark(name, mark, verdict(mark.value, cards[name]))
        for name in names
        if not cards[name].variant
        for mark in scores[name].marks
    ]


def units_of(conversation: OpenedConversation, cards: Mapping[str, Card], suite: str) -> list[Unit]:
    """The units of a conversation in order."""
    speakers = speakers_of(conversation.record)
    steps = _steps_by_turn(conversation.turn_lines, conversation.traces)
    marks = shown_marks(conversation.scores, cards)
    leading = leading_metrics(marks, cards)
    by_turn: dict[str, list[ShownMark]] = {}
    for mark in marks:
        by_turn.setdefault(mark.mark.turn, []).append(mark)
    units: list[Unit] = []
    before: dict[tuple[str, str, str], str] = {}
    for group in group_turns(objects(conversation.record.get("turns")), speakers, suite):
        turns = [make_utterance(turn, speakers, steps) for turn in group]
        there = [mark for name in dict.fromkeys(turn.turn for turn in turns) for mark in by_turn.pop(name, [])]
        units.append(_unit(turns, there, before, leading))
    return units


def leading_metrics(marks: Iterable[ShownMark], cards: Mapping[str, Card]) -> set[str]:
    """The metrics whose wrong marks stand open: the primary ones and those of members, if they judge any turn."""
    names = {mark.metric for mark in marks if mark.mark.turn}
    return {name for name in names if cards[name].primary or cards[name].members} or names


def whole_marks(conversation: OpenedConversation, cards: Mapping[str, Card]) -> list[ShownMark]:
    """The marks that belong to no turn of the record, wrong ones first."""
    turns = {str(turn.get("id", "")) for turn in objects(conversation.record.get("turns"))} - {""}
    marks = [mark for mark in shown_marks(conversation.scores, cards) if mark.mark.turn not in turns]
    order = {"wrong": 0, "partly": 1, "right": 2, "neutral": 3}
    return sorted(marks, key=lambda mark: order[mark.verdict])


def group_turns(
    turns: list[dict[str, Any]], speakers: Mapping[str, Speaker], suite: str
) -> Iterable[list[dict[str, Any]]]:
    """Turns as they are judged together."""
    groups: list[list[dict[str, Any]]] = []
    for turn in turns:
        speaker = speakers.get(str(turn.get("speaker") or ""), NOBODY)
        if suite in IN_EXCHANGES and groups and speaker.is_assistant and len(groups[-1]) == 1:
            groups[-1].append(turn)
        else:
            groups.append([turn])
    return groups


def make_utterance(
    turn: dict[str, Any], speakers: Mapping[str, Speaker], steps: Mapping[str, list[Step]] | None = None
) -> Utterance:
    """A turn as it is shown."""
    name, usage = str(turn.get("id", "")), turn.get("usage")
    addressed = turn.get("to")
    inside = (steps or {}).get(name, [])
    return Utterance(
        turn=name,
        speaker=speakers.get(str(turn.get("speaker") or ""), NOBODY),
        text=passage(str(turn.get("text") or ""), LONGEST_TEXT),
        kind=str(turn.get("kind") or "speech"),
        call=_call_text(turn.get("call")),
        to=", ".join(map(str, addressed)) if isinstance(addressed, list) else "",
        reference=passage(str(turn["reference"]), LONGEST_TEXT) if turn.get("reference") else None,
        facts=record_facts(turn, TURN_FIELDS),
        steps=inside,
        took=_usage_text(usage) if isinstance(usage, dict) else "",
    )


def _unit(
    turns: list[Utterance], marks: list[ShownMark], before: dict[tuple[str, str, str], str], leading: set[str]
) -> Unit:
    wrong, still, minor, others = [], [], [], []
    for mark in marks:
        if mark.verdict not in ("wrong", "partly"):
            others.append(mark)
            continue
        if mark.metric not in leading:
            minor.append(mark)
            continue
        key = (mark.metric, mark.mark.at, mark.mark.why)
        since = before.get(key, "") if mark.mark.why else ""
        if since:
            still.append(ShownMark(mark.metric, mark.mark, mark.verdict, since))
        else:
            wrong.append(mark)
            before[key] = mark.mark.turn
    wrong.sort(key=lambda mark: mark.verdict != "wrong")
    return Unit(turns, wrong, still, minor, others)


def _steps_by_turn(turns: Iterable[TurnLine], traces: Iterable[TraceLine]) -> dict[str, list[Step]]:
    steps: dict[str, list[Step]] = {}
    for line in turns:
        steps.setdefault(str(line.turn), []).extend(map(_decision_step, line.decisions))
    for trace in traces:
        if trace.kind == "answer":
            outcome = "" if trace.status == "ok" else f"{trace.status}: {trace.why}"
            took = "from the cache" if trace.cached else effort_text(trace)
            step = Step(trace.agent, passage(trace.name, LONGEST_STEP), outcome=outcome, took=took)
            steps.setdefault(str(trace.turn), []).append(step)
    return steps


def _decision_step(decision: Decision) -> Step:
    data = "; ".join(f"{key}: {_plain(value)}" for key, value in decision.data.items())
    again = f"attempt {decision.attempt}" if decision.attempt > 1 else ""
    call = _call_text(msgspec.to_builtins(decision.call)) if decision.call else ""
    text = passage(". ".join(filter(None, (decision.text, data))), LONGEST_STEP)
    return Step(decision.part, text, call, (decision.call.status or "") if decision.call else "", again)


def _call_text(call: Any) -> str:
    """A use of a tool as it would be written in code: find_hotel(area="west")."""
    if not isinstance(call, dict):
        return ""
    arguments = call.get("arguments", "")
    inside = (
        ", ".join(f"{key}={_plain(value)}" for key, value in arguments.items())
        if isinstance(arguments, dict)
        else str(arguments)
    )
    return passage(f"{call.get('name', '')}({inside})", LONGEST_STEP).text


def _plain(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def _usage_text(usage: dict[str, Any]) -> str:
    tokens = sum(usage.get(name) or 0 for name in ("input_tokens", "output_tokens"))
    cost = usage.get("cost")
    return " · ".join(filter(None, (f"{tokens:,} tokens" if tokens else "", f"${cost:.4f}" if cost else "")))
