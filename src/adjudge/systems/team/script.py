"""The rule-based user, who says only what the scenario provides."""

from __future__ import annotations

from msgspec import Struct

from adjudge.core.play import Said, View
from adjudge.core.system import Cast, system
from adjudge.systems.team.data import SIMULATED, ScenarioCase


class Script(Struct, frozen=True):
    """How far the user has come: in the script, in the wordings, and which answers were given."""

    place: int = 0
    worded: int = 0
    answered: tuple[str, ...] = ()


@system("team", plays=("user",), source="own: the goal in given wordings, so that a scenario runs without a model")
def script() -> Cast:
    """Says the scripted turns, tells the goal in given wordings, and answers questions by their words.

    A turn `...` of the script, and every turn after the script, is worded by rule: an answer that an agent asked for,
    else the next wording. The user ends the conversation when nothing is left to say, or an agent says `until`.
    """
    return Cast({"user": speak})


def speak(view: View[Script]) -> Said[Script]:
    """The next turn of the user."""
    case: ScenarioCase = view.facts
    done = view.notes or Script()
    if is_over(view):
        return Said(passes=True, ends="an agent said what ends the scenario", notes=done)
    if done.place < len(case.script) and case.script[done.place] != SIMULATED:
        return Said(case.script[done.place], notes=Script(done.place + 1, done.worded, done.answered))
    return _word(view, case, done)


def is_over(view: View[Script]) -> bool:
    """Whether an agent has said what ends the scenario."""
    until = view.facts.until.casefold()
    return bool(until) and until in reply_of(view).casefold()


def reply_of(view: View[Script]) -> str:
    """What agents have said since the user last spoke."""
    texts: list[str] = []
    for turn in reversed(view.turns):
        if turn.speaker == view.participant:
            break
        texts.append(turn.text)
    return "\n".join(reversed(texts))


def _word(view: View[Script], case: ScenarioCase, done: Script) -> Said[Script]:
    reply, place = reply_of(view).casefold(), done.place + 1
    for words, answer in case.answers.items():
        if words.casefold() in reply and words not in done.answered:
            return Said(answer, notes=Script(place, done.worded, (*done.answered, words)))
    wordings = case.wordings or (case.goal,) * bool(case.goal)
    if done.worded < len(wordings):
        return Said(wordings[done.worded], notes=Script(place, done.worded + 1, done.answered))
    if any(text != SIMULATED for text in case.script[place:]):
        return speak_from(case, Script(place, done.worded, done.answered))
    return Said(passes=True, ends="nothing is left to say", notes=done)


def speak_from(case: ScenarioCase, done: Script) -> Said[Script]:
    """The next scripted turn, if the rule-based user has nothing left to say."""
    place = next(place for place in range(done.place, len(case.script)) if case.script[place] != SIMULATED)
    return Said(case.script[place], notes=Script(place + 1, done.worded, done.answered))
