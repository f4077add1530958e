"""What is wrong with JSON that is not of the expected type: the field, what was found, what was expected."""

from __future__ import annotations

import difflib
import enum
import re
import types
import typing
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from adjudge.core.errors import Complaint

SHOWN = 40
NAMES_SHOWN = 12
WORDS = {
    "array": "a list",
    "object": "an object",
    "str": "a string",
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "null": "null",
    "bytes": "a base64 string",
    "datetime": "a date and time",
    "date": "a date",
    "time": "a time",
}
SIMPLE = {None: "null", True: "true", False: "false"}

# Messages of msgspec: "Expected `int`, got `str` - at `$.turns[0].id`", "... - at `key` in `$.slots`".
PLACE = re.compile(r"(?P<text>.*) - at (?P<key>`key` in )?`\$(?P<path>(?:(?! - at `).)*)`", re.DOTALL)
# One step of a path: ".turns", "[0]", or "[...]" for a key that is not named.
STEP = re.compile(r"\.(?P<field>[^.\[]+)|\[(?P<index>\d+)\]|(?P<any>\[\.\.\.\])")
# "Expected `int` >= 0, got `str`".
EXPECTED = re.compile(r"Expected `(?P<kind>[^`]*)`(?P<more>.*?)(?:, got (?P<got>[^,]*))?", re.DOTALL)
# "Object missing required field `id`".
MISSING = re.compile(r"Object missing required field `(?P<name>.*)`")
# "Object contains unknown field `turn`".
UNKNOWN = re.compile(r"Object contains unknown field `(?P<name>.*)`")

Step = str | int
UNKNOWN_KEY = "..."


class FieldValue(Struct, frozen=True):
    """A place in a record: its path, the type expected there, and the value found (UNSET if none is)."""

    field: str
    kind: Any
    value: Any


def mismatch(where: str, raw: bytes, kind: Any, message: str) -> Complaint:
    """The complaint for a validation message of the struct library about `raw`, decoded as `kind`."""
    place = PLACE.fullmatch(message)
    text, path, of_key = (place["text"], place["path"], place["key"]) if place else (message, "", None)
    at = _follow(raw, kind, path)
    if missing := MISSING.fullmatch(text):
        return Complaint(where, _missing(at), _field_path(at.field, missing["name"]))
    if unknown := UNKNOWN.fullmatch(text):
        name = unknown["name"]
        return Complaint(where, _unknown(name, at.kind), _field_path(at.field, name))
    if of_key:
        return Complaint(where, f"a key: {_sentence(text, FieldValue('', Any, msgspec.UNSET))}", at.field)
    return Complaint(where, _sentence(text, at), at.field)


def _sentence(text: str, at: FieldValue) -> str:
    shown = "" if at.value is msgspec.UNSET else _short_repr(at.value)
    if expected := EXPECTED.fullmatch(text):
        got = _words((expected["got"] or "").strip("`"))
        what = shown or got
        return f"expected {_words(expected['kind'])}{expected['more']}" + (f", found {what}" if what else "")
    if text.startswith("Invalid enum value") and (allowed := _allowed_values(at.kind)):
        return f"expected one of {_name_list(allowed)}, found {shown or text.removeprefix('Invalid enum value ')}"
    return text if not shown or shown in text else f"{text}, found {shown}"


def _missing(at: FieldValue) -> str:
    if isinstance(at.value, dict) and at.value:
        return f"required but missing; found only {_name_list(at.value)}"
    return "required but missing"


def _unknown(name: str, kind: Any) -> str:
    known = [field.encode_name for struct in _structs(kind) for field in msgspec.structs.fields(struct)]
    if close := difflib.get_close_matches(name, known, n=1):
        return f"unknown field; did you mean {close[0]!r}?"
    return f"unknown field; expected {_name_list(known)}" if known else "unknown field"


def _follow(raw: bytes, kind: Any, path: str) -> FieldValue:
    """Follow a path such as `.turns[0].gold[...]` through the types and, where `raw` is whole, the values."""
    value, field = _value(raw), ""
    for step in _steps(path):
        kind = _inside(kind, step)
        if step == UNKNOWN_KEY:
            step = _culprit(value, kind)
        value = _child(value, step)
        field = f"{field}[{step}]" if isinstance(step, int) or step == UNKNOWN_KEY else _field_path(field, step)
    return FieldValue(field, kind, value)


def _steps(path: str) -> Iterator[Step]:
    for match in STEP.finditer(path):
        if match["any"]:
            yield UNKNOWN_KEY
        else:
            yield match["field"] or int(match["index"])


def _value(raw: bytes) -> Any:
    try:
        return msgspec.json.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return msgspec.UNSET


def _child(value: Any, step: Step) -> Any:
    try:
        return value[step]
    except (LookupError, TypeError):
        return msgspec.UNSET


def _culprit(value: Any, kind: Any) -> str:
    """The first key whose value is not of a kind; the struct library does not name it."""
    for key, item in value.items() if isinstance(value, dict) else ():
        try:
            msgspec.convert(item, kind, str_keys=True)
        except msgspec.ValidationError:
            return str(key)
    return UNKNOWN_KEY


def _inside(kind: Any, step: Step) -> Any:
    """The type one step further in; Any where it cannot be told."""
    for choice in _choices(kind):
        origin, args = typing.get_origin(choice) or choice, typing.get_args(choice)
        if not isinstance(origin, type):
            continue
        if step == UNKNOWN_KEY and issubclass(origin, Mapping) and len(args) == 2:
            return args[1]
        if isinstance(step, int) and issubclass(origin, Sequence | set | frozenset) and args:
            fixed = issubclass(origin, tuple) and args[-1] is not Ellipsis
            return args[step] if fixed and step < len(args) else args[0]
        if issubclass(origin, Struct):
            for field in msgspec.structs.fields(choice):
                if field.encode_name == step:
                    return field.type
    return Any


def _choices(kind: Any) -> Iterator[Any]:
    """The alternatives of a union, without annotations."""
    origin = typing.get_origin(kind)
    if origin is typing.Annotated:
        yield from _choices(typing.get_args(kind)[0])
    elif origin in (typing.Union, types.UnionType):
        for choice in typing.get_args(kind):
            yield from _choices(choice)
    else:
        yield kind


def _structs(kind: Any) -> Iterator[type[Struct]]:
    for choice in _choices(kind):
        origin = typing.get_origin(choice) or choice
        if isinstance(origin, type) and issubclass(origin, Struct):
            yield choice


def _allowed_values(kind: Any) -> list[Any]:
    """The values of a literal or an enumeration."""
    values: list[Any] = []
    for choice in _choices(kind):
        if typing.get_origin(choice) is typing.Literal:
            values += typing.get_args(choice)
        elif isinstance(choice, type) and issubclass(choice, enum.Enum):
            values += [member.value for member in choice]
    return values


def _words(kinds: str) -> str:
    """Type names of the struct library in words: `int | str | null` is a whole number, a string or null."""
    names = kinds.split(" | ")
    names = [name for name in names if not (name == "int" and "float" in names)]
    words = [WORDS.get(name, name) for name in names]
    return " or ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def _short_repr(value: Any) -> str:
    text = SIMPLE[value] if value is None or isinstance(value, bool) else repr(value)
    return text if len(text) <= SHOWN else text[: SHOWN - 3] + "..."


def _name_list(values: Any) -> str:
    names = [_short_repr(value) for value in values]
    return ", ".join(names[:NAMES_SHOWN] + (["..."] if len(names) > NAMES_SHOWN else []))


def _field_path(field: str, name: str) -> str:
    return f"{field}.{name}" if field else name
