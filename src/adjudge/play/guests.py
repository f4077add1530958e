"""Systems that a user brings as an arm: a Python function, a server that speaks the OpenAI protocol, a command."""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple, get_type_hints

import msgspec
from msgspec import structs

from adjudge.core.errors import Unanswered
from adjudge.core.play import Ask, Message, Prompt, Said, View
from adjudge.core.system import Role, Setup, Step
from adjudge.play.arms import Player
from adjudge.play.command import OwnCommand
from adjudge.play.function import OwnFunction, as_said, load_function
from adjudge.play.models import Models
from adjudge.play.own import OwnTurn
from adjudge.play.spec import ArmSpec

# A function that takes one of these is a step like those of our own systems: it asks through the engine.
STEP_PARAMETERS = frozenset(("ask", "rng"))


def own_players(spec: ArmSpec, setup: Setup, models: Models, asked: Mapping[str, str]) -> dict[str, Player]:
    """A player for every role under test."""
    roles = [role for role in setup.roles if role.tested]
    name = f"{spec.own}:{spec.system}"
    if spec.own == "url":
        tool = models.add(spec.model or "default", spec.system)
        return {role.name: Player(name, reply_from_server, models={"": tool}) for role in roles}
    if spec.own == "cmd":
        tool = models.add_own(name, OwnCommand(spec.system))
        return {role.name: Player(name, _background_step(role), models={"": tool}) for role in roles}
    code = OwnCode(name, load_function(spec.system), _hash_of(spec.system))
    return function_players(code, setup, models, asked)


class OwnCode(NamedTuple):
    """A user's own function, its name in the records, and a hash of its source: other source is another system."""

    name: str
    function: Callable[..., Any]
    digest: str

    @classmethod
    def of(cls, function: Callable[..., Any]) -> OwnCode:
        """A function of this program; the hash is empty where its source is not known, as in a terminal."""
        name = getattr(function, "__qualname__", type(function).__qualname__)
        try:
            source = inspect.getsource(function)
        except (OSError, TypeError):
            source = ""
        digest = hashlib.sha256(source.encode()).hexdigest()[:12] if source else ""
        return cls(f"function:{name}", function, digest)


def function_players(code: OwnCode, setup: Setup, models: Models, asked: Mapping[str, str]) -> dict[str, Player]:
    """A player for every role under test that calls a function."""
    name, function, digest = code
    roles = [role for role in setup.roles if role.tested]
    if STEP_PARAMETERS & inspect.signature(function).parameters.keys():
        chosen = {part: models.add(model) for part, model in asked.items()}
        return {role.name: Player(name, _asking_step(name, function, role), models=chosen) for role in roles}
    tool = models.add_own(f"{name} ({digest})" if digest else name, OwnFunction(name, function))
    return {role.name: Player(name, _background_step(role), models={"": tool}) for role in roles}


def reply_from_server(view: View[Any], ask: Ask) -> Said[None]:
    """The reply of a server, which gets the whole conversation and the name of the case."""
    messages = tuple(
        Message("assistant" if turn.speaker == view.participant else "user", turn.text) for turn in view.turns
    )
    session = (("case", view.case), ("conversation", view.conversation), ("turn", str(view.turn)))
    return Said(ask([Prompt(messages, str, session=session)])[0])


def _background_step(role: Role) -> Step:
    """A step that a function or a command makes in the background."""

    def step(view: View[Any], own: Callable[[OwnTurn], Said[Any]]) -> Said[Any]:
        content = own(OwnTurn(view.conversation, view.turn, view))
        return structs.replace(content, facts=_facts(content.facts, role))

    return step


def _asking_step(name: str, function: Callable[..., Any], role: Role) -> Step:
    """A step by a function that asks its models through the engine."""
    parameters = list(inspect.signature(function).parameters)
    tools = [each for each in parameters if each in STEP_PARAMETERS]
    own = [each for each in parameters if each not in STEP_PARAMETERS]

    def step(view: View[Any], **given: Any) -> Said[Any]:
        turn = OwnTurn(view.conversation, view.turn, view)
        content = as_said(function(**turn.arguments(own), **given), name, turn)
        return structs.replace(content, facts=_facts(content.facts, role))

    # The engine matches the parameters of a step by name, and reads the type of its notes from what it returns.
    taken = [inspect.Parameter(each, inspect.Parameter.KEYWORD_ONLY) for each in tools]
    view = inspect.signature(step).parameters["view"]
    step.__signature__ = inspect.Signature([view, *taken])  # type: ignore[attr-defined]
    step.__annotations__ = {"return": get_type_hints(function).get("return", Any)}
    return step


def _facts(facts: object, role: Role) -> object:
    """Facts in the type of the role, which a user's own system may give as plain values."""
    if facts is None:
        return None
    try:
        return msgspec.convert(facts, role.facts, from_attributes=True)
    except msgspec.ValidationError as error:
        raise Unanswered("parse_error", f"facts: {error}") from None


def _hash_of(text: str) -> str:
    """A hash of the function's file: another file is another system."""
    return hashlib.sha256(Path(text.rpartition(":")[0]).read_bytes()).hexdigest()[:12]
