"""How an arm is written on the command line: `[LABEL=]SYSTEM[-PART...][@MODEL]`, or a system of the user's own."""

from __future__ import annotations

import re
from typing import NamedTuple

from adjudge.core.errors import BadInput

OWN_KINDS = ("py", "url", "cmd")
# A function of this program, which no text can name.
FUNCTION = "function"
# "small=team@openai:gpt-4.1-mini": the label; "cmd:run --port=80" and "url:http://a/?b=c" have none.
_LABEL = re.compile(r"([^\s:=/@]+)=(.+)", re.DOTALL)
# "cmd:run --port", "team@http": what stands before = is no label.
_NO_LABEL = re.compile(r"[:@]")


class ArmSpec(NamedTuple):
    """An arm as it was written: a system without some parts and with a model, or a system of the user's own.

    `own` is "py", "url" or "cmd", and then `system` is what follows it; or "function", for one of this program.
    """

    label: str
    system: str
    without: tuple[str, ...] = ()
    model: str = ""
    own: str = ""


def parse_arm(text: str) -> ArmSpec:
    """The arm that a text means.

    >>> parse_arm("small=team-memory@openai:gpt-4.1-mini")
    ArmSpec(label='small', system='team', without=('memory',), model='openai:gpt-4.1-mini', own='')
    >>> parse_arm("mine=py:my_agent.py:reply").system
    'my_agent.py:reply'
    """
    label, equals, _ = text.partition("=")
    if equals and not _NO_LABEL.search(label) and not _LABEL.fullmatch(text):
        raise BadInput(
            f"--arm {text}: found the label {label!r}; expected a name without spaces and slashes, then =SYSTEM"
        )
    matched = _LABEL.fullmatch(text)
    label, rest = matched.groups() if matched else ("", text)
    kind, colon, target = rest.partition(":")
    if colon and kind in OWN_KINDS:
        return _own_arm(label, kind, target)
    name, _, model = rest.partition("@")
    system, *without = name.split("-")
    return ArmSpec(label or rest, system, tuple(without), model)


def _own_arm(label: str, kind: str, target: str) -> ArmSpec:
    if kind == "url":
        address, _, model = target.rpartition("@") if "@" in target else (target, "", "")
        return ArmSpec(label or target, address, (), model, kind)
    name = target.rpartition(":")[2] if kind == "py" else target
    return ArmSpec(label or name, target, (), "", kind)
