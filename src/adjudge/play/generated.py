"""Cases that are generated: `--generate n=200,seed=1`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal, get_args, get_origin

import msgspec
from msgspec import structs

from adjudge.core.errors import BadInput, did_you_mean
from adjudge.core.play import Case, CaseRow
from adjudge.core.system import Setup


def generated_cases(setup: Setup, text: str) -> Iterator[CaseRow[Case]]:
    """The cases that a text such as "n=200,seed=1" asks for; raises BadInput where it asks for something unknown."""
    parameters = parse_parameters(setup, text)
    assert setup.generator is not None
    for case in setup.generator.make(parameters):
        yield CaseRow(f"--generate {text}: {case.id}", msgspec.json.encode(case), case)


def parse_parameters(setup: Setup, text: str) -> Any:
    """The parameters that a text gives, with the defaults of the others."""
    if setup.generator is None:
        raise BadInput(f"--generate: cases of {setup.suite} cannot be generated; name files of cases")
    kind = setup.generator.parameters
    pairs = [part.strip() for part in text.split(",") if part.strip()]
    values = dict(_parse_pair(pair, kind) for pair in pairs)
    try:
        return msgspec.convert(values, kind, strict=False)
    except msgspec.ValidationError as error:
        raise BadInput(f"--generate {text}: {error}; expected {describe_parameters(kind)}") from error


def describe_parameters(kind: type[msgspec.Struct]) -> str:
    """The parameters with their defaults, as a user writes them; all words of a fixed list, the default first.

    >>> class Draw(msgspec.Struct):
    ...     kind: Literal["plain", "odd"] = "plain"
    ...     n: int = 200
    >>> describe_parameters(Draw)
    'kind=plain|odd,n=200'
    """
    return ",".join(f"{field.name}={_values(field)}" for field in structs.fields(kind))


def _values(field: structs.FieldInfo) -> str:
    words = get_args(field.type) if get_origin(field.type) is Literal else ()
    return "|".join(map(str, dict.fromkeys((field.default, *words))))


def _parse_pair(pair: str, kind: type[msgspec.Struct]) -> tuple[str, str]:
    name, equals, value = (part.strip() for part in pair.partition("="))
    names = [field.name for field in structs.fields(kind)]
    if not equals:
        raise BadInput(f"--generate: found {pair!r}; expected NAME=VALUE, such as {describe_parameters(kind)}")
    if name not in names:
        raise BadInput(
            f"--generate: no parameter {name!r}{did_you_mean(name, names)}; expected {describe_parameters(kind)}"
        )
    return name, value
