"""The pages of the files that adjudge reads and writes, from their JSON Schemas."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from adjudge.cli.schema import schema

MADE = "<!-- Made by docs/generate.py from the JSON Schemas: change the types, then run `make docs`. -->"
FILES = {
    "run": "run.json of a run folder",
    "scores": "a line of scores.jsonl of a run folder",
    "play": "play.json of a played run",
    "turns": "a line of turns.jsonl of a played run",
    "traces": "a line of traces.jsonl of a played run",
    "ends": "a line of ends.jsonl of a played run",
}
NAMES = {"string": "text", "array": "list"}
INTRODUCTION = """\
Every command that reads JSON lines also reads one JSON document, a list, and gzip or zip of either. What each suite
reads beside its own records (data sets, predictions, tables, transcripts) is on the page of the suite;
[Logs of other tools](../formats.md) has chat messages, traces and logs. `adjudge validate SUITE FILE` says what is
wrong with a file, and where. `adjudge schema NAME` prints the JSON Schema of a file below.
"""


def schema_pages(suites: list[str]) -> dict[str, str]:
    """The content of every page of files by its file name."""
    kinds = {suite: f"a record of the suite {suite}" for suite in suites} | FILES
    return {"index.md": schema_index(kinds)} | {f"{name}.md": schema_page(name, kind) for name, kind in kinds.items()}


def schema_index(kinds: dict[str, str]) -> str:
    """The page that lists the files."""
    rows = [f"| [`{name}`]({name}.md) | {kind} |" for name, kind in kinds.items()]
    return "\n".join([MADE, "", "# Files", "", INTRODUCTION, "| schema | of |", "|---|---|", *rows]) + "\n"


def schema_page(name: str, kind: str) -> str:
    """The page of one file: a table of fields for each type in it, the outermost first."""
    made = schema(name)
    types: dict[str, Any] = made.get("$defs", {})
    outer = made["$ref"].rpartition("/")[2]
    parts = [MADE, "", f"# {name}", "", f"{kind[0].upper()}{kind[1:]}. Fields without a default are required.", ""]
    for title in [outer, *sorted(types.keys() - {outer})]:
        parts += _type_section(title, types[title])
    return "\n".join([*parts, "[All files](index.md)"]) + "\n"


def _type_section(title: str, type_: dict[str, Any]) -> Iterator[str]:
    yield from (f"## {title}", "")
    if description := type_.get("description", ""):
        yield from (" ".join(description.split()).replace("|", "\\|"), "")
    if "properties" not in type_:
        yield from (f"Type: {_words(type_)}.", "")
        return
    required = type_.get("required", ())
    yield from ("| field | type | default |", "|---|---|---|")
    for field, value in type_["properties"].items():
        default = "" if field in required else f"`{json.dumps(value.get('default'))}`"
        yield f"| `{field}` | {_words(value)} | {default} |"
    yield ""


def _words(type_: dict[str, Any]) -> str:
    """A type in words: `list of Turn`, `text or null`, `agent, human, simulated or tool`."""
    if "$ref" in type_:
        name = type_["$ref"].rpartition("/")[2]
        return f"[{name}](#{name.lower()})"
    if "anyOf" in type_:
        return " or ".join(dict.fromkeys(map(_words, type_["anyOf"])))
    if "enum" in type_:
        return " or ".join(f"`{json.dumps(word)}`" for word in type_["enum"])
    if "items" in type_ and type_["items"] is not False:
        return f"list of {_words(type_['items'])}"
    if isinstance(values := type_.get("additionalProperties"), dict) and values:
        return f"object of {_words(values)} by name"
    name = str(type_.get("type", "any value"))
    return NAMES.get(name, name)
