"""The header of a table: which names it must have, and what to say where it does not."""

from __future__ import annotations

from collections.abc import Sequence

from adjudge.core.errors import did_you_mean

NAME_SHOWN = 40
NAMES_SHOWN = 12


def header_fault(names: Sequence[str], required: Sequence[str]) -> str:
    """Why a header cannot be used, empty if it can."""
    return _missing(names, required) or _repeated_name(names)


def quote_columns(names: Sequence[str]) -> str:
    """The names of columns in quotes; of many, the first."""
    shown = ", ".join(quote_short(name, NAME_SHOWN) for name in names[:NAMES_SHOWN])
    rest = len(names) - NAMES_SHOWN
    return f"{shown} and {rest} more" if rest > 0 else shown


def quote_short(text: str, size: int) -> str:
    """A text in quotes, cut where it is long."""
    return repr(text if len(text) <= size else f"{text[:size]}...")


def _missing(names: Sequence[str], required: Sequence[str]) -> str:
    missing = [name for name in required if name not in names]
    if not missing:
        return ""
    wanted = ", ".join(f"{name!r}{_closest_column(name, names)}" for name in missing)
    return f"no column {wanted}; found {quote_columns(names)}; name the columns so in the header"


def _closest_column(name: str, names: Sequence[str]) -> str:
    same = [column for column in names if column.strip().casefold() == name.casefold()]
    hint = f"did you mean {same[0]!r}?" if same else did_you_mean(name, list(names)).removeprefix("; ")
    return f" ({hint})" if hint else ""


def _repeated_name(names: Sequence[str]) -> str:
    first: dict[str, int] = {}
    for number, name in enumerate(names, 1):
        if first.setdefault(name, number) < number:
            return (
                f"columns {first[name]} and {number} are both called {quote_short(name, NAME_SHOWN)}; "
                "expected each name once; rename one"
            )
    return ""
