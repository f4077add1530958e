"""Options of a suite and of tools, given by name."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, NamedTuple

from adjudge.api.tools import Asking
from adjudge.core.errors import BadInput, did_you_mean
from adjudge.core.suite import Option
from adjudge.tools.settings import ToolSettings


class GivenOptions(NamedTuple):
    """Options by whom they are for: the suite, the tools, and how these are asked."""

    suite: dict[str, Any]
    tools: dict[str, Any]
    asking: Asking


def split_options(
    given: Mapping[str, Any], options: Sequence[Option], suite: str, function: Callable[..., Any]
) -> GivenOptions:
    """The options that were given; raises BadInput for an unknown one, and for a value that is no choice.

    A misspelled parameter of the function is among the options, too, so that it is hinted at as well.
    """
    known = {option.name.replace("-", "_"): option for option in options}
    tools: Collection[str] = ToolSettings.__struct_fields__
    asking: Collection[str] = Asking.__struct_fields__
    for name in given:
        if name not in known and name not in (*tools, *asking):
            names = [*known, *tools, *asking, *inspect.signature(function).parameters]
            hint = did_you_mean(name, names) or f" (there are: {', '.join(known)})"
            raise BadInput(f"{name}: no such option of the suite {suite}{hint}")
    return GivenOptions(
        {option.name: _checked_value(name, option, given[name]) for name, option in known.items() if name in given},
        {name: value for name, value in given.items() if name in tools and name not in known},
        Asking(**{name: value for name, value in given.items() if name in asking}),
    )


def as_names(given: str | Sequence[str] | None) -> tuple[str, ...]:
    """One name, or several."""
    return (given,) if isinstance(given, str) else tuple(given or ())


def _checked_value(name: str, option: Option, value: Any) -> Any:
    if option.choices and value is not None and value not in option.choices:
        raise BadInput(f"{name}: found {value!r}; expected one of {', '.join(option.choices)}")
    return [value] if option.repeat and isinstance(value, str | os.PathLike) else value
