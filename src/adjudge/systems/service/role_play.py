"""The customer that a model plays, with the goal as its secret."""

from __future__ import annotations

from msgspec import Struct, to_builtins

from adjudge.core.errors import BadInput
from adjudge.core.play import Ask, Said, View
from adjudge.core.system import Cast, system
from adjudge.systems.prompts import Prompts, dialogue_of, prompt_for


class CustomerTurn(Struct, frozen=True, forbid_unknown_fields=True):
    """What a model says as the customer."""

    reasoning: str
    text: str
    done: bool


@system(
    "service",
    plays=("user",),
    source="Yao et al. 2024, tau-bench: a language model as simulated user",
    parts=("customer",),
    asks=("customer",),
    fixed=("customer",),
    prompts=("customer",),
)
def customer() -> Cast:
    """A model plays the user, with the goal as its secret; `--user PROVIDER:MODEL` is short for it.

    What it says has no gold annotation: success is measured, tracking is not.
    """
    return Cast({"user": take_step})


def take_step(view: View[bool], ask: Ask, prompts: Prompts) -> Said[bool]:
    """One turn of the customer; its notes say whether it has said goodbye."""
    if view.notes:
        return Said(passes=True, ends="said goodbye", notes=True)
    if not view.facts.wishes:
        raise BadInput(f"case {view.case!r} has no goal; expected one in its file or in that of --goals")
    material = {"goal": to_builtins(view.facts.wishes), "dialogue": dialogue_of(view.turns)}
    turn: CustomerTurn = ask([prompt_for("customer", prompts.text("customer"), material, CustomerTurn)])[0]
    return Said(turn.text, notes=turn.done)
