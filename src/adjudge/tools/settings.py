"""How tools are set up: command line over environment over `adjudge.toml` over defaults.

The file may come with somebody else's data, so it may not decide where keys and credentialed records go.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any, get_type_hints

import msgspec
from msgspec import Meta, Struct

from adjudge.core.errors import BadInput
from adjudge.read.settings_file import GATE, RUBRIC, read_settings
from adjudge.tools.address import check_address
from adjudge.tools.embed import KEY_VARIABLE as EMBED_KEY
from adjudge.tools.judge.models import OWN_KEY, PLAY_KEY, key_name_of
from adjudge.tools.nli import BY_JUDGE
from adjudge.tools.nli import KEY_VARIABLE as NLI_KEY

PREFIX = "ADJUDGE_"
# The name of a judge that is a file of people's labels begins so.
LABELS = "labels:"
# The value of `vector_cache` that means none.
OFF = "off"

Count = Annotated[int, Meta(ge=1)]
Seconds = Annotated[float, Meta(gt=0, le=86_400)]
Temperature = Annotated[float, Meta(ge=0, le=2)]
Dollars = Annotated[float, Meta(gt=0, le=1e9)]
Text = Annotated[str, Meta(min_length=1)]

# Names that say their value is a secret: "openai_api_key", "token", "judge_password"
_SECRET = re.compile(r"(^|_)(api_?)?(keys?|tokens?|secrets?|passwords?|credentials?|authorization)$")
# The addresses that are checked where they are set, with the environment variable of their key.
_KEY_VARIABLES = {"judge_url": OWN_KEY, "model_url": PLAY_KEY, "embedder_url": EMBED_KEY, "nli_url": NLI_KEY}
# Settings that no file may hold.
_PERMISSIONS = ("allow_credentialed",)
_PATHS = ("cache", "rubrics")
_LISTS = ("judge", "model", "allow_credentialed")


class ToolSettings(Struct, frozen=True, kw_only=True):
    """What the tools of a run are and how they are asked.

    `judge` names one judge (a model, or `labels:FILE`) or, as a panel, several. None is no limit for `max_cost` (US
    dollars) and `max_calls`, the tool's own default for `embedder`, the run's own folder for `cache`, the user's cache
    for `vector_cache` ("off": runs share no vectors), the suite's own for `rubrics`, and the provider's address for
    `judge_url`. `nli` is "judge" or the folder of a model of entailment; without it and `nli_url` there is no such
    tool. `allow_credentialed` names the providers or addresses that may be sent records under a data use agreement.

    `model` names the models that participants ask, one for all (`MODEL`) or for a part (`PART=MODEL`); `model_url` and
    `model_temperature` are for these.
    """

    judge: tuple[Text, ...] = ()
    judge_url: Text | None = None
    temperature: Temperature = 0.0
    max_tokens: Count = 1024
    samples: Count = 1
    concurrency: Count = 32
    timeout: Seconds = 120.0
    max_cost: Dollars | None = None
    max_calls: Count | None = None
    embedder: Text | None = None
    embedder_url: Text | None = None
    nli: Text | None = None
    nli_url: Text | None = None
    cache: Text | None = None
    vector_cache: Text | None = None
    rubrics: Text | None = None
    canaries: bool = False
    allow_credentialed: tuple[Text, ...] = ()
    model: tuple[Text, ...] = ()
    model_url: Text | None = None
    model_temperature: Temperature = 0.0


class LoadedSettings(Struct, frozen=True):
    """Settings with their origin: the settings file, and the names of those settings that it decided."""

    settings: ToolSettings
    file: Path
    from_file: tuple[str, ...] = ()


def load_settings(path: Path | None, environ: Mapping[str, str], given: Mapping[str, Any]) -> ToolSettings:
    """The settings from a file (none named: `adjudge.toml` here, if there is one), the environment and the options.

    An option that is None was not given, a variable that is empty is not set.
    """
    return load_with_origin(path, environ, given).settings


def load_with_origin(path: Path | None, environ: Mapping[str, str], given: Mapping[str, Any]) -> LoadedSettings:
    """The settings with their origin; raises BadInput for a file that decides where keys or credentialed records go."""
    file, content = read_settings(path)
    from_file = _from_file(file, content)
    from_user = {**_from_environment(environ), **_from_options(given)}
    settings = ToolSettings(**{**from_file, **from_user})
    decided = tuple(name for name in from_file if name not in from_user)
    _refuse_addresses(file, decided, settings, environ)
    return LoadedSettings(settings, file, decided)


def _refuse_addresses(file: Path, decided: Sequence[str], settings: ToolSettings, environ: Mapping[str, str]) -> None:
    """Raise BadInput if a file sets the address of a tool whose key is set."""
    for name, variable in _KEY_VARIABLES.items():
        keys = [variable, *map(key_name_of, settings.judge)] if name == "judge_url" else [variable]
        key = next((key for key in keys if environ.get(key, "").strip()), None)
        if name in decided and key is not None:
            raise BadInput(
                f"{file}: {name}: {key} is set, and a file does not decide where questions with a key go; "
                f"give the address with {_option(name)} or in {PREFIX}{name.upper()}"
            )


def _option(name: str) -> str:
    return "--" + name.replace("_", "-")


def _from_file(path: Path, content: Mapping[str, Any]) -> dict[str, Any]:
    table = {name: value for name, value in content.items() if name not in (GATE, RUBRIC)}
    for name in _names(table):
        if _SECRET.search(_field(name)) and _field(name) not in ToolSettings.__struct_fields__:
            raise BadInput(f"{path}: {name}: keys come only from the environment; take it out of the file")
    values = {}
    for name, value in table.items():
        field = _setting_of(name, f"{path}: {name}")
        if field in _PERMISSIONS:
            raise BadInput(
                f"{path}: {name}: permissions come only from the command line or the environment; take it out of the "
                f"file and give {_option(field)} or {PREFIX}{field.upper()}"
            )
        value = [value] if field in _LISTS and isinstance(value, str) else value
        values[field] = _convert(field, value, f"{path}: {name}", strict=True)
    return {field: _from_folder_of(path, field, value) for field, value in values.items()}


def _from_environment(environ: Mapping[str, str]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for field in ToolSettings.__struct_fields__:
        name = PREFIX + field.upper()
        if text := environ.get(name, "").strip():
            value = [part.strip() for part in text.split(",")] if field in _LISTS else text
            values[field] = _convert(field, value, name, strict=False)
    return values


def _from_options(given: Mapping[str, Any]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for name, value in given.items():
        if value is None:
            continue
        option = _option(name)
        value = [value] if name in _LISTS and isinstance(value, str) else value
        value = str(value) if isinstance(value, Path) else value
        values[_setting_of(name, option)] = _convert(name, value, option, strict=False)
    return values


def _names(value: object) -> Iterator[str]:
    """All names in a table and in the tables in it."""
    if isinstance(value, dict):
        yield from value
        value = list(value.values())
    if isinstance(value, list):
        for inner in value:
            yield from _names(inner)


def _field(name: str) -> str:
    return name.lower().replace("-", "_")


def _setting_of(name: str, where: str) -> str:
    fields: Sequence[str] = ToolSettings.__struct_fields__
    field = _field(name)
    if field in fields:
        return field
    close = get_close_matches(field, fields, n=1, cutoff=0.5)
    hint = f"did you mean {close[0]!r}?" if close else f"expected one of {', '.join(fields)}"
    raise BadInput(f"{where}: no such setting; {hint}")


def _convert(field: str, value: object, where: str, strict: bool) -> Any:
    try:
        value = msgspec.convert(value, get_type_hints(ToolSettings, include_extras=True)[field], strict=strict)
    except msgspec.ValidationError as error:
        raise BadInput(f"{where}: {_lower_first(str(error))}, found {value!r}") from error
    if field in _KEY_VARIABLES and isinstance(value, str):
        check_address(where, value, _KEY_VARIABLES[field])
    return value


def _from_folder_of(path: Path, field: str, value: Any) -> Any:
    """A value of a settings file; places that it names are meant from the file's folder."""
    words = {"nli": BY_JUDGE, "vector_cache": OFF}
    if field in _PATHS or (field in words and value != words[field]):
        return _beside(path, value)
    if field == "judge":
        return tuple(
            LABELS + _beside(path, name.removeprefix(LABELS)) if name.startswith(LABELS) else name for name in value
        )
    return value


def _beside(path: Path, value: str) -> str:
    return str(path.parent / Path(value).expanduser())


def _lower_first(sentence: str) -> str:
    return sentence[:1].lower() + sentence[1:]
