"""Tables that users hold in Python: rows that are structs, shown as text and HTML, and handed to other libraries."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload

import msgspec
from msgspec import Struct

from adjudge.api.shown import Shown, html_table
from adjudge.core.errors import BadInput
from adjudge.core.install import install_command
from adjudge.report.table import Column, TextTable, tabulate

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow
    from rich.console import Console

T = TypeVar("T", bound=Struct)

# The most rows that are shown; `len` counts all rows, and the other libraries get all.
SHOWN = 30
_ARROW_TYPES = {"str": "string", "int": "int64", "float": "double", "float | None": "double", "int | None": "int64"}


class Table(Shown, Sequence[T], Generic[T]):
    """Rows of a run: a sequence of structs, which shows itself and becomes a data frame.

    >>> import adjudge as aj
    >>> table = aj.demo("service", only="task_completion").table()
    >>> len(table), table[0].metric
    (2, 'task_completion')
    >>> list(table.to_pandas().columns[:3])
    ['metric', 'arm', 'value']
    """

    def __init__(self, kind: type[T], rows: Iterable[T], columns: Sequence[Column[T]] = ()) -> None:
        self.kind = kind
        self.rows = list(rows)
        self._columns = list(columns) or [_field_column(name) for name in kind.__struct_fields__]

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[T]:
        return iter(self.rows)

    @overload
    def __getitem__(self, place: int) -> T: ...

    @overload
    def __getitem__(self, place: slice) -> Table[T]: ...

    def __getitem__(self, place: int | slice) -> T | Table[T]:
        """A row, or a table of several."""
        return Table(self.kind, self.rows[place], self._columns) if isinstance(place, slice) else self.rows[place]

    def to_dicts(self) -> list[dict[str, Any]]:
        """Each row as a dict of plain values."""
        return [msgspec.to_builtins(row) for row in self.rows]

    def to_pandas(self) -> pandas.DataFrame:
        """The rows as a pandas DataFrame."""
        try:
            import pandas
        except ImportError as error:
            raise _missing("pandas") from error
        return pandas.DataFrame(self.to_dicts(), columns=list(self.kind.__struct_fields__))

    def to_polars(self) -> polars.DataFrame:
        """The rows as a polars DataFrame."""
        try:
            import polars
        except ImportError as error:
            raise _missing("polars") from error
        return polars.DataFrame(self._flat_columns(), strict=False)

    def to_arrow(self) -> pyarrow.Table:
        """The rows as an Arrow table."""
        try:
            import pyarrow
        except ImportError as error:
            raise _missing("pyarrow", "parquet") from error
        types = [_ARROW_TYPES.get(word, "string") for word in _type_words(self.kind)]
        fields = zip(self.kind.__struct_fields__, types, strict=True)
        schema = pyarrow.schema([(name, pyarrow.type_for_alias(kind)) for name, kind in fields])
        return pyarrow.table(self._flat_columns(), schema=schema)

    def text_table(self) -> TextTable:
        """The first rows as they are shown."""
        return tabulate(self._columns, self.rows[:SHOWN])

    def _flat_columns(self) -> dict[str, list[Any]]:
        """The values of each field; those that are neither text nor numbers as JSON."""
        rows = [list(map(_flat, msgspec.structs.astuple(row))) for row in self.rows]
        return {name: [row[place] for row in rows] for place, name in enumerate(self.kind.__struct_fields__)}

    def _print(self, console: Console) -> None:
        from adjudge.report.console import Out

        out = Out(console)
        out.table(out.new_table(self.text_table()))
        if rest := self._rest():
            out.line(rest)

    def _repr_html_(self) -> str:
        return html_table(self.text_table(), self._rest())

    def _rest(self) -> str:
        return f"... and {len(self) - SHOWN:,} more rows" if len(self) > SHOWN else ""


def _field_column(name: str) -> Column[Any]:
    return Column(name, lambda row: _cell(getattr(row, name)))


def _cell(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.3f}"
    return "" if value is None else str(value)


def _flat(value: object) -> object:
    if value is None or isinstance(value, str | int | float):
        return value
    return msgspec.json.encode(value).decode()


def _type_words(kind: type[Struct]) -> list[str]:
    """The annotation of each field, as it is written in the source."""
    words: dict[str, str] = {}
    for base in reversed(kind.__mro__):
        words |= getattr(base, "__annotations__", {})
    return [str(words.get(name, "")) for name in kind.__struct_fields__]


def _missing(package: str, extra: str = "") -> BadInput:
    return BadInput(f"{package} is not installed; {install_command(extra or package)}")
