"""The user that a model plays, with the goal as its secret."""

from __future__ import annotations

import msgspec
from msgspec import Struct

from adjudge.core.play import Ask, Message, Prompt, Said, View
from adjudge.core.system import Cast, system
from adjudge.systems.prompts import Prompts, dialogue_of
from adjudge.systems.team.data import SIMULATED, ScenarioCase
from adjudge.systems.team.script import Script, is_over


class UserTurn(Struct, frozen=True, forbid_unknown_fields=True):
    """What a model says as the user."""

    reasoning: str
    text: str
    done: bool


@system(
    "team",
    plays=("user",),
    source="Yao et al. 2024, tau-bench: a language model as simulated user",
    parts=("user",),
    asks=("user",),
    fixed=("user",),
    prompts=("user",),
)
def simulated() -> Cast:
    """A model plays the user, with the goal as its secret; `--user PROVIDER:MODEL` is short for it.

    Scripted turns are said as they stand; the model words the turns `...` and those after the script.
    """
    return Cast({"user": speak})


def speak(view: View[Script], ask: Ask, prompts: Prompts) -> Said[Script]:
    """The next turn of the user; its notes say how far the script has come, and whether it has said goodbye."""
    case: ScenarioCase = view.facts
    done = view.notes or Script()
    if done.answered or is_over(view):
        return Said(passes=True, ends="said goodbye" if done.answered else "an agent said what ends the scenario")
    if done.place < len(case.script) and case.script[done.place] != SIMULATED:
        return Said(case.script[done.place], notes=Script(done.place + 1))
    material = {
        "goal": case.goal,
        "situation": case.situation,
        "persona": case.persona,
        "wordings": case.wordings,
        "answers": case.answers,
        "dialogue": dialogue_of(view.turns),
    }
    message = Message("user", prompts.text("user"), msgspec.json.encode(material).decode())
    (turn,) = ask([Prompt((message,), UserTurn, part="user")])
    more = any(text != SIMULATED for text in case.script[done.place + 1 :])
    return Said(turn.text, notes=Script(done.place + 1, answered=("goodbye",) if turn.done and not more else ()))
