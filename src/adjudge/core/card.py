"""Cards: all that can be said about a metric, declared once beside its function."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from typing import Any, Literal, cast

from msgspec import Struct

from adjudge.core.mark import Mark, Scale, Unlabelled

Better = Literal["higher", "lower", "neither"]
Pool = Literal["marks", "conversations", "groups"]
MemberMarks = Literal["", "wishes", "voice"]


class Band(Struct, frozen=True, gc=False):
    """A word for the values from `low` up to the next band; `low` itself is included unless `above` is set.

    >>> from adjudge import Band
    >>> Band(0.8, "good").word
    'good'
    """

    low: float
    word: str
    above: bool = False


class Quadrants(Struct, frozen=True):
    """How a conversation's value reads together with its value by another metric, each low or, from `cut` on, high.

    `words` are for: both low; high here and low there; low here and high there; both high.
    """

    against: str
    cut: float
    words: tuple[str, str, str, str]

    def word(self, here: float, there: float) -> str:
        """The word for two values.

        >>> Quadrants("role_play", 2.5, ("poor", "unrealistic", "realistic", "ideal")).word(1.71, 2.57)
        'realistic'
        """
        return self.words[(here >= self.cut) + 2 * (there >= self.cut)]


class Card(Struct, frozen=True, omit_defaults=False):
    """What a metric measures, how, in which direction, and where it comes from.

    `unit` is what one mark stands for (turn, slot, conversation). `scale` is the lowest and highest value (None:
    unbounded). `pool` says how the headline value is made: the mean over marks; the mean over conversations; or, for
    groups, the mean distance of each group's mean from 0, as in a calibration error. `probes` names the parts of the
    system that the metric looks at. `predicts` names the predicted fields that it judges: an arm that never predicts
    one of them is skipped. `needs` names the tools it requires, `optional` those it can do without, `rubrics` the
    rubrics that its judge may be told. `departs` says how it departs from its source. A `variant` is a literal reading
    of the source, kept beside the main metric. A metric that is not `compared` is left out of comparisons, even if it
    is named there. The `primary` metrics of a suite, at most twelve, are the family that is compared unless others are
    named. `quadrants` says how to read the value beside that of another metric. `members` says what marks tell of the
    members of a group, for a picture of the group: in `wishes` each mark is what one member wants (`at` is "member:
    group", with the group of the mark; the turn is empty if they never spoke of it), in `voice` each mark is a member
    (`at`), above 0 if they were heard. A metric that knows only `english` is skipped on text in another language.

    >>> import adjudge as aj
    >>> card = aj.demo("service", only="joint_goal_accuracy").manifest.cards["joint_goal_accuracy"]
    >>> card.symbol, card.unit, card.better
    ('JGA', 'turn', 'higher')
    """

    name: str
    symbol: str
    question: str
    formula: str
    unit: str
    better: Better
    scale: Scale
    pool: Pool
    source: str
    notes: str = ""
    bands: tuple[Band, ...] = ()
    probes: tuple[str, ...] = ()
    predicts: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()
    rubrics: tuple[str, ...] = ()
    departs: str = ""
    variant: bool = False
    compared: bool = True
    primary: bool = False
    version: int = 1
    quadrants: Quadrants | None = None
    members: MemberMarks = ""
    english: bool = False

    def band(self, value: float) -> str:
        """The word for a value, empty where the card has no bands."""
        words = [band.word for band in self.bands if value > band.low or (value == band.low and not band.above)]
        return words[-1] if words else ""


class Metric:
    """A card with its function; calling the metric calls the function.

    >>> from adjudge import Mark, Metric, metric
    >>> @metric("W", formula="words", unit="turn", better="neither", scale=(0, None), source="own")
    ... def words(record):
    ...     '''How many words has a turn?'''
    ...     for turn in record.turns:
    ...         yield Mark(len(turn.text.split()), turn=turn.id)
    >>> isinstance(words, Metric), words.card.question
    (True, 'How many words has a turn?')
    """

    def __init__(self, card: Card, function: Callable[..., Iterable[Mark | Unlabelled]]) -> None:
        self.card = card
        self.function = function
        self.__doc__ = function.__doc__

    def __call__(self, *args: Any, **tools: Any) -> Iterable[Mark]:
        """Judge one record; with a judge that leaves items without a label, some are `Unlabelled`."""
        return cast("Iterable[Mark]", self.function(*args, **tools))

    def __repr__(self) -> str:
        return f"<metric {self.card.name} v{self.card.version}>"


def metric(
    symbol: str,
    *,
    formula: str,
    unit: str,
    better: Better,
    source: str,
    scale: Scale = (0.0, 1.0),
    pool: Pool = "marks",
    bands: tuple[Band, ...] = (),
    probes: tuple[str, ...] = (),
    predicts: tuple[str, ...] = (),
    rubrics: tuple[str, ...] = (),
    departs: str = "",
    variant: bool = False,
    compared: bool = True,
    primary: bool = False,
    version: int = 1,
    quadrants: Quadrants | None = None,
    members: MemberMarks = "",
    english: bool = False,
) -> Callable[[Callable[..., Iterable[Mark | Unlabelled]]], Metric]:
    """Declare a function a metric.

    The function takes a record and, by name, the tools it needs (a parameter with a default is a tool it
    can do without), and yields marks. Its name is the metric's name; the first line of its docstring is
    the question it answers and ends in "?"; the rest are notes.

    >>> from adjudge import Mark, metric
    >>> @metric("W", formula="words", unit="turn", better="neither", scale=(0, None), source="own")
    ... def words(record):
    ...     '''How many words has a turn?'''
    ...     for turn in record.turns:
    ...         yield Mark(len(turn.text.split()), turn=turn.id)
    >>> words.card.name, words.card.needs
    ('words', ())
    """

    def declare(function: Callable[..., Iterable[Mark | Unlabelled]]) -> Metric:
        question, _, notes = (inspect.getdoc(function) or "").partition("\n")
        if not question.endswith("?"):
            raise ValueError(f"{function.__name__}: the docstring's first line must be a question, found {question!r}")
        _, *tools = inspect.signature(function).parameters.values()
        card = Card(
            name=function.__name__,
            symbol=symbol,
            question=question,
            formula=formula,
            unit=unit,
            better=better,
            scale=scale,
            pool=pool,
            source=source,
            notes=notes.strip(),
            bands=bands,
            probes=probes,
            predicts=predicts,
            needs=tuple(tool.name for tool in tools if tool.default is tool.empty),
            optional=tuple(tool.name for tool in tools if tool.default is not tool.empty),
            rubrics=rubrics,
            departs=departs,
            variant=variant,
            compared=compared,
            primary=primary,
            version=version,
            quadrants=quadrants,
            members=members,
            english=english,
        )
        return Metric(card, function)

    return declare
