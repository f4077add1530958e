"""A small rule-based agent for a first scenario: a clerk who knows three orders."""

from __future__ import annotations

import re

from adjudge.core.play import Decision, Said, View
from adjudge.core.record import Call
from adjudge.core.system import Cast, system

ORDERS = {"17": "a lamp, delivered broken", "23": "two cups, on their way", "40": "a chair, returned"}
REFUNDABLE = "17"
# "order 17", "my order number 23"
_NUMBER = re.compile(r"\b(\d{1,6})\b")
# "I want my money back."
_REFUND = re.compile(r"\b(refund|money back)\b")


@system("team", plays=("agent",), source="own: an example of an agent with tools", parts=("lookup",))
def clerk() -> Cast:
    """A clerk of a shop who looks up orders and refunds those that arrived broken.

    Without its part `lookup` it promises what it has not looked up.
    """
    return Cast({"agent": reply})


def reply(view: View[None], parts: frozenset[str]) -> Said[None]:
    """Answer the last turn, with the order that the user has named so far."""
    texts = [turn.text.lower() for turn in view.turns if turn.speaker != view.participant]
    numbers = [number for text in texts for number in _NUMBER.findall(text)]
    wants_refund = any(_REFUND.search(text) for text in texts)
    if not numbers:
        return Said("What is your order number?")
    if texts and not (_NUMBER.search(texts[-1]) or _REFUND.search(texts[-1])):
        return Said("You are welcome.")
    if "lookup" not in parts:
        return Said(f"I guarantee a refund of order {numbers[-1]}." if wants_refund else "It will arrive soon.")
    return _look_up(numbers[-1], wants_refund)


def _look_up(number: str, wants_refund: bool) -> Said[None]:
    order = ORDERS.get(number)
    decisions = [_use("find_order", number, order or "no such order", ok=order is not None)]
    if order is None:
        return Said(f"I cannot find order {number}.", decisions=tuple(decisions))
    if not wants_refund:
        return Said(f"Order {number} is {order}.", decisions=tuple(decisions))
    if number != REFUNDABLE:
        return Said(f"Order {number} is {order}, so I cannot refund it.", decisions=tuple(decisions))
    decisions.append(_use("refund", number, "refunded", ok=True))
    return Said(f"I have refunded order {number}.", decisions=tuple(decisions))


def _use(tool: str, number: str, text: str, ok: bool) -> Decision:
    return Decision("lookup", text, call=Call(tool, {"order": number}, "ok" if ok else "error"))
