"""Rubrics of the user's own: a question, a scale and what it is asked about, from a Markdown or a TOML file.

A Markdown file has settings between two lines `---`, then the question, then guidance for the judge:

    ---
    scale: 1 to 5
    per: turn
    who: agents
    ---
    # How polite is this turn?
    5 is friendly throughout, 1 is rude.

In a TOML file each table under `rubric` is one: `[rubric.politeness]` with `question`, `guidance` and the settings.
"""

from __future__ import annotations

import hashlib
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from msgspec import Struct

from adjudge.core.errors import BadInput, did_you_mean

Per = Literal["turn", "conversation"]
Who = Literal["agents", "people", "all"]

SETTINGS = {"name": "", "scale": "1 to 5", "per": "conversation", "who": "all", "better": "higher"}
CHOICES = {
    "per": ("turn", "conversation"),
    "who": ("agents", "people", "all"),
    "better": ("higher", "lower", "neither"),
}
TABLE = "rubric"
# A longer scale is a mistake: no judge tells a hundred grades apart.
LARGEST_SCALE = 100
LINE = "---"
# "1 to 5", "0-10"
_SCALE = re.compile(r"(-?\d{1,4})\s{0,5}(?:to|-|\u2013)\s{0,5}(-?\d{1,4})")
_YES_NO = ("yes or no", "yes/no", "no or yes")


class OwnRubric(Struct, frozen=True):
    """A question of the user's own to a judge.

    `yes_no` is a scale of yes (1) and no (0). `digest` is a hash of the file that it comes from.
    """

    name: str
    question: str
    guidance: str
    low: int
    high: int
    yes_no: bool
    per: Per
    who: Who
    better: Literal["higher", "lower", "neither"]
    file: str
    digest: str


def read_rubrics(path: Path) -> list[OwnRubric]:
    """The rubrics of a file; raises BadInput with the place of a fault."""
    text = _read(path)
    if path.suffix == ".toml":
        return _from_toml(path, text)
    settings, body = _front_matter(path, text)
    heading, _, guidance = body.strip().partition("\n")
    settings = {"name": path.stem, **settings, "question": heading.lstrip("# "), "guidance": guidance.strip()}
    return [_rubric(str(path), settings, text)]


def _read(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except FileNotFoundError as error:
        raise BadInput(
            f"{path}: no such file; expected a rubric in Markdown, or TOML with tables [rubric.NAME]"
        ) from error
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"{path}: cannot be read as a rubric ({error}); expected Markdown or TOML in UTF-8") from error


def _front_matter(path: Path, text: str) -> tuple[dict[str, str], str]:
    """The settings of a Markdown file and the text after them; a file without settings has the defaults."""
    lines = text.removeprefix("\ufeff").splitlines()
    if not lines or lines[0].strip() != LINE:
        return {}, "\n".join(lines)
    end = next((number for number, line in enumerate(lines[1:], 1) if line.strip() == LINE), None)
    if end is None:
        raise BadInput(f"{path}:1: settings begin with {LINE!r} and do not end; expected another line {LINE!r}")
    settings = {}
    for number, line in enumerate(lines[1:end], 2):
        name, colon, value = line.partition(":")
        if line.strip() and not colon:
            raise BadInput(f"{path}:{number}: found {line!r}; expected a setting such as 'scale: 1 to 5'")
        if colon:
            settings[_check_setting(f"{path}:{number}", name.strip().lower())] = value.strip().strip("\"'")
    return settings, "\n".join(lines[end + 1 :])


def _from_toml(path: Path, text: str) -> list[OwnRubric]:
    try:
        tables = tomllib.loads(text).get(TABLE)
    except tomllib.TOMLDecodeError as error:
        raise BadInput(f"{path}: not TOML: {error}") from error
    if not isinstance(tables, dict) or not all(isinstance(table, dict) for table in tables.values()):
        raise BadInput(f"{path}: {TABLE}: expected tables such as [rubric.politeness], each with a question")
    return [_from_table(f"{path}: {TABLE}.{name}", name, table) for name, table in tables.items()]


def _from_table(where: str, name: str, table: Mapping[str, Any]) -> OwnRubric:
    for key, value in table.items():
        if key not in ("question", "guidance"):
            _check_setting(where, key)
        if not isinstance(value, str | list):
            raise BadInput(f"{where}: {key}: found {value!r}; expected text")
    texts = {key: " to ".join(map(str, value)) if isinstance(value, list) else value for key, value in table.items()}
    return _rubric(where, {"name": name, **texts}, repr(sorted(texts.items())))


def _check_setting(where: str, name: str) -> str:
    if name not in SETTINGS:
        raise BadInput(f"{where}: no setting {name!r}{did_you_mean(name, SETTINGS)} (there are: {', '.join(SETTINGS)})")
    return name


def _rubric(where: str, given: Mapping[str, str], text: str) -> OwnRubric:
    settings: dict[str, Any] = {**SETTINGS, "question": "", "guidance": "", **given}
    for key, words in CHOICES.items():
        if settings[key] not in words:
            raise BadInput(f"{where}: {key}: found {settings[key]!r}; expected one of {', '.join(words)}")
    if not settings["question"].endswith("?"):
        question = repr(settings["question"]) if settings["question"] else "nothing"
        raise BadInput(f"{where}: question: found {question}; expected a question, ending in '?', after the settings")
    low, high, yes_no = _scale(where, settings.pop("scale"))
    name = re.sub(r"\W", "_", settings.pop("name").strip().lower())
    if not name.isidentifier():
        raise BadInput(f"{where}: name: found {name!r}; expected letters, digits and _ that do not begin with a digit")
    digest = hashlib.sha256(text.encode()).hexdigest()[:16]
    file = where.partition(": ")[0]
    return OwnRubric(name=name, low=low, high=high, yes_no=yes_no, file=Path(file).name, digest=digest, **settings)


def _scale(where: str, text: str) -> tuple[int, int, bool]:
    if text.lower() in _YES_NO:
        return 0, 1, True
    match = _SCALE.fullmatch(text.strip())
    low, high = (int(match[1]), int(match[2])) if match else (0, 0)
    if not low < high <= low + LARGEST_SCALE:
        raise BadInput(
            f"{where}: scale: found {text!r}; expected two whole numbers such as '1 to 5', at most {LARGEST_SCALE} "
            "apart, or 'yes or no'"
        )
    return low, high, False
