"""Systems: casts that play the roles of a conversation, declared once beside their functions."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from msgspec import Struct

from adjudge.core.play import Case, CaseRow, Limits, PlayedConversation, PlayedTurn, Said, TurnTaking, Utterance
from adjudge.core.record import Participant, ParticipantKind, Record
from adjudge.core.suite import Option, Options

# A step of a participant: `step(view, ...) -> Said`. It is a pure function: it reads only its arguments, and changes
# none of them. It takes the view first and, by name, what it needs: `ask` (an `Ask`), `rng` (a seeded
# `random.Random`), `parts` (the names of the system's parts that are not left out), `asking` (those of them that have a
# model to ask), `prompts` (the prompt files: `prompts.text(name)`), and any tool of the setup (`db`, `policy`).
Step = Callable[..., Said[Any]]


@dataclass(frozen=True)
class Cast:
    """Who plays: a step for every role that the system takes, and who speaks next if not as the setup says.

    >>> from adjudge import Cast, Said
    >>> def echo(view):
    ...     return Said(view.turns[-1].text)
    >>> list(Cast({"agent": echo}).steps)
    ['agent']
    """

    steps: Mapping[str, Step]
    protocol: TurnTaking | None = None


class SystemCard(Struct, frozen=True):
    """What a system is: the suite, the roles it plays, its parts, which of them ask a model, and its source.

    Every name in `parts` can be left out of an arm (`--arm rules-memory`), except those in `fixed`. The parts in
    `by_rule` are among those that ask: each asks a model where the user names one, and goes by rule otherwise.
    """

    name: str
    suite: str
    title: str
    plays: tuple[str, ...]
    source: str
    notes: str = ""
    parts: tuple[str, ...] = ()
    asks: tuple[str, ...] = ()
    by_rule: tuple[str, ...] = ()
    fixed: tuple[str, ...] = ()
    prompts: tuple[str, ...] = ()
    version: int = 1


class System:
    """A card with the function that makes the cast.

    >>> from adjudge import Cast, Said, system
    >>> @system("service", plays=("system",), source="own")
    ... def polite():
    ...     '''Thanks the user, whatever they say.'''
    ...     return Cast({"system": lambda view: Said("Thank you.")})
    >>> polite
    <system service/polite v1>
    """

    def __init__(self, card: SystemCard, function: Callable[[], Cast]) -> None:
        self.card = card
        self.function = function
        self.__doc__ = function.__doc__

    def cast(self) -> Cast:
        """The steps of the roles that this system plays."""
        return self.function()

    def __repr__(self) -> str:
        return f"<system {self.card.suite}/{self.card.name} v{self.card.version}>"


def system(
    suite: str,
    *,
    plays: tuple[str, ...],
    source: str,
    parts: tuple[str, ...] = (),
    asks: tuple[str, ...] = (),
    by_rule: tuple[str, ...] = (),
    fixed: tuple[str, ...] = (),
    prompts: tuple[str, ...] = (),
    version: int = 1,
) -> Callable[[Callable[[], Cast]], System]:
    """Declare a function that makes a cast a system.

    The function's name is the system's name. The first line of its docstring says what the system is, the rest are
    notes. `asks` names the parts that ask a model, and `prompts` the prompt files they use (without `.md`). Those of
    them in `by_rule` need no model: the step's argument `asking` says which parts have one.

    >>> from adjudge import Cast, Said, system
    >>> @system("service", plays=("system",), source="own")
    ... def polite():
    ...     '''Thanks the user, whatever they say.'''
    ...     return Cast({"system": lambda view: Said("Thank you.")})
    >>> polite.card.title
    'Thanks the user, whatever they say.'
    """

    def declare(function: Callable[[], Cast]) -> System:
        title, _, notes = (inspect.getdoc(function) or "").partition("\n")
        if not title:
            raise ValueError(f"{function.__name__}: no docstring; its first line must say what the system is")
        if unknown := [name for name in (*asks, *fixed) if name not in parts]:
            raise ValueError(f"{function.__name__}: {', '.join(unknown)} not among its parts {', '.join(parts)}")
        if unknown := [name for name in by_rule if name not in asks]:
            raise ValueError(f"{function.__name__}: {', '.join(unknown)} in by_rule, but not in asks")
        card = SystemCard(
            name=function.__name__,
            suite=suite,
            title=title,
            plays=plays,
            source=source,
            notes=notes.strip(),
            parts=parts,
            asks=asks,
            by_rule=by_rule,
            fixed=fixed,
            prompts=prompts,
            version=version,
        )
        return System(card, function)

    return declare


@dataclass(frozen=True)
class Role:
    """A role in the conversations of a suite.

    `tested` roles are played by the arms; every other role has an option of its name (`--user agenda`), whose default
    is `default`. With `shared_draws`, the random numbers do not depend on the arm, so that all arms meet the same user.
    `facts` is the type of `Said.facts`. `hidden` names the fields of the case that this role must not know.

    >>> from adjudge import Role
    >>> Role("user", kind="simulated", default="script").tested
    False
    """

    name: str
    kind: ParticipantKind = "agent"
    tested: bool = False
    default: str = ""
    shared_draws: bool = False
    facts: Any = Any
    hidden: tuple[str, ...] = ()


class Seen(Struct, frozen=True):
    """What a participant may know: facts of the case, and the turns that it hears."""

    facts: Any
    turns: tuple[Utterance, ...]


@dataclass(frozen=True)
class Generator:
    """Makes cases: `--generate n=200,seed=1`.

    `parameters` is a struct with a default for every field; what the user writes is checked against its types. `make`
    yields the cases of such parameters, always the same ones for the same parameters.
    """

    parameters: type[Struct]
    make: Callable[[Any], Iterator[Case]]


def no_variants(case: Any, options: Options) -> Iterator[Case]:
    """The case as it is."""
    yield case


@dataclass(frozen=True)
class Setup:
    """How the conversations of a suite are played; the entry point `adjudge.systems` of the suite's name.

    `open` reads the cases of files (`sample` where none are named), each with its row, and raises BadInput.
    `participants` says who takes part in a case; each participant's `role` is the name of a role. `view` is the only
    way from a case to a participant: it says what a participant may know, given the turns so far. `record` makes the
    suite's record of a conversation; its place (case, arm, trial), the case's facets, and the participants where it
    lists none are filled in afterwards. `tools` makes what steps take by name: a `Missing` if an option was not given.
    `package` is the package whose modules declare the systems. `scoring` makes the suite's options for scoring from
    those of the play. `generator` makes cases where the user asks for generated ones. `variants` makes the cases that
    are played from one that was read or generated, such as one for each persona, by the options of the play.

    >>> from adjudge.play.registry import find_setup
    >>> [role.name for role in find_setup("service").roles]
    ['user', 'system']
    """

    suite: str
    package: str
    case: type[Case]
    roles: tuple[Role, ...]
    open: Callable[[list[Path], Options], Iterator[CaseRow[Any]]]
    participants: Callable[[Any], tuple[Participant, ...]]
    view: Callable[[Any, Participant, tuple[PlayedTurn, ...]], Seen]
    protocol: TurnTaking
    record: Callable[[PlayedConversation], Record]
    sample: Path
    arms: tuple[str, ...]
    tools: Callable[[Options], Mapping[str, object]] = lambda options: {}
    prompts: Path | None = None
    options: tuple[Option, ...] = ()
    scoring: Callable[[Options], Options] = lambda options: {}
    limits: Limits = field(default_factory=Limits)
    generator: Generator | None = None
    variants: Callable[[Any, Options], Iterator[Case]] = no_variants

    def role(self, name: str) -> Role:
        """The role of a name."""
        return next(role for role in self.roles if role.name == name)

    def systems(self) -> list[System]:
        """The systems that the modules of the package declare, in the order of the modules."""
        package = importlib.import_module(self.package)
        names = [info.name for info in pkgutil.iter_modules(package.__path__)]
        modules = [importlib.import_module(f"{self.package}.{name}") for name in names]
        return [system for module in modules for system in declared_systems(vars(module))]


def declared_systems(names: Mapping[str, object]) -> list[System]:
    """The systems among a module's names that the module itself declares."""
    return [
        value
        for value in names.values()
        if isinstance(value, System) and value.function.__module__ == names.get("__name__")
    ]


def hear(turns: tuple[PlayedTurn, ...]) -> tuple[Utterance, ...]:
    """What everybody hears of the turns: those that were no pass, without facts, notes and decisions."""
    return tuple(
        Utterance(turn.number, turn.speaker, turn.content.text, turn.content.to)
        for turn in turns
        if not turn.content.passes
    )
