"""The fields of a JSON object while a reader takes them: what has another type, or is not taken, is named."""

from __future__ import annotations

import ast
import json
from collections.abc import Mapping, Sequence
from math import isfinite
from typing import Any

from adjudge.core.errors import Complaint, Warnings
from adjudge.core.suite import Refuse

SHOWN = 60
NOT_READ = "(not read)"
# Longer Python literals are not parsed, which takes 100 times the memory.
LITERAL_LENGTH = 1 << 20
NOTHING: Mapping[str, Any] = {}


class ReadingNotes:
    """What a reader could not understand: refusals of whole rows, and remarks that are counted by kind.

    `format` is the name of the format that is read.
    """

    def __init__(self, format: str, warnings: Warnings, refuse: Refuse) -> None:
        self.format = format
        self.warnings = warnings
        self.refuse = refuse

    def unread(self, where: str, what: str, detail: str = "") -> None:
        """Report something that is not understood, such as `the field 'audio' of a message`, once with its count."""
        text = f"{where}: {what}{': ' if detail else ''}{detail}"
        self.warnings.add(f"{self.format}: {what}", f"{text} {NOT_READ}")

    def remark(self, where: str, what: str) -> None:
        """Report an assumption that was made in reading, because the file does not say it."""
        self.warnings.add(f"{self.format}: {what}", f"{where}: {what}")

    def complain(self, complaint: Complaint) -> None:
        """Refuse a row."""
        self.refuse(complaint)


class ObjectFields:
    """A JSON object whose fields are taken by name; `close` names those that nobody took.

    Each getter takes all the names it is given, and gives the first value that is not null or empty. A value of another
    type than asked for is named, and counts as missing.
    """

    def __init__(self, value: Any, what: str, where: str, notes: ReadingNotes) -> None:
        self.what = what
        self.where = where
        self.notes = notes
        self.values: Mapping[str, Any] = value if isinstance(value, dict) else NOTHING
        self.rest = {name for name, item in self.values.items() if item not in (None, "", [], {}, False)}
        if value is not None and not isinstance(value, dict):
            notes.unread(where, f"{what} that is not an object", short(value))

    def take(self, *names: str) -> Any:
        """The value as it is; None where there is none."""
        present = [name for name in names if name in self.values]
        if not present:
            return None
        self.rest.difference_update(present)
        values = [value for name in present if (value := self.values[name]) is not None]
        return next((value for value in values if value not in ("", [], {})), values[0] if values else None)

    def leave(self, *names: str) -> None:
        """Pass over fields that say nothing about the conversation, such as the id of a request."""
        self.rest.difference_update(names)

    def text(self, *names: str) -> str:
        """A text; a number counts as one."""
        value = self.take(*names)
        if value is None:
            return ""
        if isinstance(value, int | float) and not isinstance(value, bool):
            return str(value)
        return value if isinstance(value, str) else self._mismatch(names, value, "")

    def number(self, *names: str) -> float | None:
        """A number, also one that is written as text; None where there is none."""
        value = self.take(*names)
        if value is None:
            return None
        number = number_of(value)
        return number if number is not None else self._mismatch(names, value, None)

    def flag(self, *names: str) -> bool | None:
        """True, false, or None where neither stands there."""
        value = self.take(*names)
        return value if isinstance(value, bool) else self._mismatch(names, value, None)

    def object(self, *names: str) -> ObjectFields:
        """An object; an empty one where there is none. JSON text of an object counts as one."""
        value = parse_json(self.take(*names))
        kept = value if isinstance(value, dict) else self._mismatch(names, value, {})
        return ObjectFields(kept, f"{self.what}.{names[0]}", self.where, self.notes)

    def mapping(self, *names: str) -> Mapping[str, Any]:
        """An object as a plain mapping; its fields are not reported, read or not."""
        value = parse_json(self.take(*names))
        kept: Mapping[str, Any] = value if isinstance(value, dict) else self._mismatch(names, value, {})
        return kept

    def items(self, *names: str) -> Sequence[Any]:
        """A list; an empty one where there is none. JSON text of a list counts as one."""
        value = parse_json(self.take(*names))
        kept: Sequence[Any] = value if isinstance(value, list) else self._mismatch(names, value, [])
        return kept

    def objects(self, *names: str) -> list[dict[str, Any]]:
        """The objects of a list; other items are named."""
        items = self.items(*names)
        for item in items:
            if not isinstance(item, dict):
                self.notes.unread(self.where, f"an item of {self.what}.{names[0]} that is not an object", short(item))
        return [item for item in items if isinstance(item, dict)]

    def close(self) -> None:
        """Name the fields that nobody took."""
        for name in sorted(self.rest):
            self.notes.unread(self.where, f"the field {name!r} of {self.what}")
        self.rest.clear()

    def _mismatch(self, names: Sequence[str], value: Any, default: Any) -> Any:
        if value not in (None, "", [], {}):
            kind = type(value).__name__
            self.notes.unread(self.where, f"the field {names[0]!r} of {self.what}, a {kind}", short(value))
        return default


def short(value: Any) -> str:
    """The start of a value, for messages."""
    text = repr(value)
    return text if len(text) <= SHOWN else f"{text[: SHOWN - 3]}..."


def number_of(value: Any) -> float | None:
    """A finite number, also one that is written as text; None for anything else.

    >>> number_of("12"), number_of(1.5), number_of(True), number_of("many")
    (12.0, 1.5, None, None)
    """
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if isfinite(number) else None


def parse_json(value: Any) -> Any:
    """The value of JSON text that holds an object or a list, else the value itself.

    >>> parse_json('{"a": 1}'), parse_json("[5"), parse_json(7)
    ({'a': 1}, '[5', 7)
    """
    if not isinstance(value, str) or value.lstrip()[:1] not in ("{", "["):
        return value
    try:
        return json.loads(value, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        return value


def parse_loosely(value: Any) -> Any:
    """The value of JSON text or of a Python literal, as some loggers write lists and objects; else the value itself.

    >>> parse_loosely("{'role': 'user', 'content': None}"), parse_loosely("{not so}"), parse_loosely('"twice"')
    ({'role': 'user', 'content': None}, '{not so}', 'twice')
    """
    parsed = parse_json(value)
    if isinstance(parsed, str) and len(parsed) > 1 and parsed[0] == parsed[-1] == '"':
        return _unquote(parsed)
    if not isinstance(parsed, str) or parsed.lstrip()[:1] not in ("{", "[") or len(parsed) > LITERAL_LENGTH:
        return parsed
    try:
        literal = ast.literal_eval(parsed.strip())
        json.dumps(literal, allow_nan=False)
    except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError):
        return parsed
    return literal


def _unquote(text: str) -> Any:
    """The text that JSON text of a text holds, once more parsed where it holds JSON; else the text itself."""
    try:
        inner = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return parse_json(inner) if isinstance(inner, str) else text


def json_text(value: Any) -> str:
    """A value as text: text as it is, else JSON."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _no_constant(name: str) -> Any:
    raise ValueError(name)
