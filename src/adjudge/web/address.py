"""The state of a list as it stands in the address: what is filtered, how it is sorted, which page is shown."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal
from urllib.parse import urlencode

from msgspec import Struct, structs

from adjudge.core.card import Card

Comparison = Literal["below", "above", "undefined", "skipped", "wrong", "differs"]
COMPARISONS: dict[Comparison, str] = {
    "below": "below",
    "above": "above",
    "wrong": "short of its best value",
    "undefined": "undefined",
    "skipped": "skipped",
    "differs": "different between arms",
}
FACET = "facet."
# The fields of which any of several values may hold.
CHOICES = ("arm", "group", "end", "who")


class Condition(Struct, frozen=True):
    """What has to hold for the value of a metric."""

    metric: str
    comparison: Comparison
    than: float | None = None

    def __str__(self) -> str:
        return f"{self.metric}:{self.comparison}" + ("" if self.than is None else f":{self.than:g}")

    @property
    def words(self) -> str:
        """What is asked of the metric."""
        return COMPARISONS[self.comparison] + ("" if self.than is None else f" {self.than:g}")


class Choice(Struct, frozen=True):
    """A value that a field has to have."""

    field: str
    value: str


class ListState(Struct, frozen=True, kw_only=True):
    """Filters, order and page of a list of conversations."""

    conditions: tuple[Condition, ...] = ()
    choices: tuple[Choice, ...] = ()
    case: str = ""
    text: str = ""
    sort: str = ""
    page: int = 1

    @property
    def filters(self) -> int:
        """How many filters are in use."""
        return len(self.conditions) + len(self.choices) + bool(self.case) + bool(self.text)

    def values_of(self, field: str) -> list[str]:
        """The values that a field may have; none where any will do."""
        return [choice.value for choice in self.choices if choice.field == field]

    def pairs(self) -> list[tuple[str, str]]:
        """The fields of the address; what is empty is left out."""
        pairs = [("when", str(condition)) for condition in self.conditions]
        pairs += [(choice.field, choice.value) for choice in self.choices]
        pairs += [("case", self.case), ("q", self.text), ("sort", self.sort)]
        pairs.append(("page", str(self.page) if self.page > 1 else ""))
        return [(name, value) for name, value in pairs if value]

    def query(self) -> str:
        """The address behind the path, with its question mark; empty where nothing is asked for."""
        pairs = self.pairs()
        return f"?{urlencode(pairs, errors='surrogatepass')}" if pairs else ""

    def sorted_by(self, name: str) -> ListState:
        """The first page, sorted by a column; downwards where it is sorted upwards by it already."""
        return structs.replace(self, sort=f"-{name}" if self.sort == name else name, page=1)

    def at_page(self, page: int) -> ListState:
        """Another page."""
        return structs.replace(self, page=page)

    def without(self, part: Condition | Choice | str) -> ListState:
        """The first page without one of the filters; a text names the field `case` or `text`."""
        if isinstance(part, Condition):
            return structs.replace(self, conditions=tuple(each for each in self.conditions if each != part), page=1)
        if isinstance(part, Choice):
            return structs.replace(self, choices=tuple(each for each in self.choices if each != part), page=1)
        return structs.replace(self, **{part: ""}, page=1)

    def parts(self) -> list[tuple[str, str, ListState]]:
        """Each filter in words, as name and value, with the list without it."""
        parts = [(each.metric, each.words, self.without(each)) for each in self.conditions]
        parts += [(each.field.removeprefix(FACET), each.value, self.without(each)) for each in self.choices]
        texts = [("case", self.case, "case"), ("text", self.text, "text")]
        return parts + [(name, value, self.without(field)) for name, value, field in texts if value]


def parse_state(pairs: Iterable[tuple[str, str]]) -> ListState:
    """The state that an address holds; what it does not understand is left out."""
    conditions, choices, fields = [], [], {}
    form: dict[str, str] = {}
    for name, value in pairs:
        if name == "when" and (condition := _condition(*value.rsplit(":", 2))):
            conditions.append(condition)
        elif (name in CHOICES or name.startswith(FACET)) and value:
            choices.append(Choice(name, value))
        elif name in ("metric", "is", "than"):
            form[name] = value
        else:
            fields[name] = value
    if added := _condition(form.get("metric", ""), form.get("is", ""), form.get("than", "")):
        conditions.append(added)
    page = fields.get("page", "")
    return ListState(
        conditions=tuple(dict.fromkeys(conditions)),
        choices=tuple(dict.fromkeys(choices)),
        case=fields.get("case", "").strip(),
        text=fields.get("q", "").strip(),
        sort=fields.get("sort", ""),
        page=min(max(int(page), 1), 10**6) if page.isascii() and page.isdigit() and len(page) < 9 else 1,
    )


def is_from_form(pairs: Iterable[tuple[str, str]]) -> bool:
    """Whether an address comes from the form of filters, and another one says the same shorter."""
    return any(name in ("metric", "is", "than") or not value for name, value in pairs)


def _condition(metric: str = "", comparison: str = "", than: str = "") -> Condition | None:
    """A condition of its parts; None where they make none."""
    if comparison not in COMPARISONS:  # "metric:undefined" has two parts.
        metric, comparison, than = f"{metric}", than, ""
    if not metric or comparison not in COMPARISONS:
        return None
    if comparison not in ("below", "above"):
        return Condition(metric, comparison)
    try:
        number = float(than)
    except ValueError:
        return None
    return Condition(metric, comparison, number) if abs(number) < 1e15 else None


def worst_first(card: Card) -> str:
    """How a list is sorted by a metric so that the worst conversation comes first."""
    return f"-{card.name}" if card.better == "lower" else card.name
