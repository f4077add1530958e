"""The pages of the command line, from the parsers that the verbs build."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from importlib import import_module

from adjudge.cli.completion import OF_SUITES
from adjudge.cli.main import VERBS
from adjudge.cli.options import parser_of
from adjudge.play.registry import setup_names

MADE = "<!-- Made by docs/generate.py from the parsers in src/adjudge/cli: change them, then run `make docs`. -->"
INTRODUCTION = """\
`adjudge VERB --help` prints the same as these pages. Options that begin with `--judge`, `--embedder`, `--nli` and a few
more can also be set in `adjudge.toml` or in the environment; [Judging](../../guides/judging.md) says how.

| exit code | meaning |
|---|---|
| 0 | success |
| 1 | a gate failed |
| 2 | wrong usage or bad input; nothing was scored |
| 3 | finished but incomplete: errors, unanswered questions, or less coverage than required |
| 130 | interrupted; the same command continues |
"""

Group = tuple[str, tuple[argparse.Action, ...]]


def verb_pages(suites: list[str]) -> dict[str, str]:
    """The content of every page of the command line by its file name."""
    pages = {"index.md": verb_index()}
    for verb in VERBS:
        pages[f"{verb}.md"] = verb_page(verb, suites_with_options(verb, suites))
    return pages


def verb_index() -> str:
    """The page that lists the verbs."""
    rows = [f"| [`{verb}`]({verb}.md) | {_cell(help)} |" for verb, (_, help) in VERBS.items()]
    return (
        "\n".join([MADE, "", "# Command line", "", INTRODUCTION, "| verb | what it does |", "|---|---|", *rows]) + "\n"
    )


def verb_page(verb: str, suites: list[str]) -> str:
    """The page of one verb: how it is called, its arguments by group, and what only some suites have."""
    options = _parser(verb, "")
    parts = [MADE, "", f"# adjudge {verb}", "", _prose(options.description or ""), "", *_block(call(verb, options))]
    parts += _sections(_groups(options))
    known = {name for _, actions in _groups(options) for action in actions for name in action.option_strings}
    for suite in suites:
        parts += _suite_section(verb, suite, known)
    if options.epilog:
        parts += ["## Examples and notes", "", *_block(options.epilog)]
    return "\n".join([*parts, "[All verbs](index.md)"]) + "\n"


def call(verb: str, options: argparse.ArgumentParser) -> str:
    """How a verb is called, without the options that may be left out."""
    positional = [_value(action) for action in options._actions if not action.option_strings]
    required = [f"{action.option_strings[0]} {_value(action)}" for action in options._actions if _is_required(action)]
    optional = ["[options]"] if any(_shown(action for action in options._actions if action.option_strings)) else []
    return " ".join(["adjudge", verb, *positional, *required, *optional])


def suites_with_options(verb: str, suites: list[str]) -> list[str]:
    """The suites that have options of their own for a verb."""
    if not OF_SUITES.get(verb):
        return []
    return [suite for suite in suites if verb != "play" or suite in setup_names()]


def _parser(verb: str, suite: str) -> argparse.ArgumentParser:
    return parser_of(import_module(f"adjudge.cli.{VERBS[verb][0]}").run, [suite] if suite else [])


def _groups(options: argparse.ArgumentParser) -> list[Group]:
    """The arguments that help shows, by the title of their group."""
    groups = [(group.title or "options", tuple(_shown(group._group_actions))) for group in options._action_groups]
    return [(title, actions) for title, actions in groups if actions]


def _shown(actions: Iterable[argparse.Action]) -> Iterator[argparse.Action]:
    return (action for action in actions if action.help != argparse.SUPPRESS and action.dest != "help")


def _suite_section(verb: str, suite: str, known: set[str]) -> list[str]:
    """The options that a verb has for one suite alone."""
    own = [
        action
        for _, actions in _groups(_parser(verb, suite))
        for action in actions
        if action.option_strings and not known & set(action.option_strings)
    ]
    return [f"## Options of the suite {suite}", "", *_table(own), ""] if own else []


def _sections(groups: list[Group]) -> Iterator[str]:
    for title, actions in groups:
        heading, _, remark = title.removeprefix("positional ").rstrip(")").partition(" (")
        yield from (f"## {heading[0].upper()}{heading[1:]}", "")
        yield from (f"{remark[0].upper()}{remark[1:]}.", "") if remark else ()
        yield from (*_table(actions), "")


def _table(actions: Iterable[argparse.Action]) -> list[str]:
    return ["| argument | meaning |", "|---|---|", *(f"| {_names(action)} | {_help(action)} |" for action in actions)]


def _names(action: argparse.Action) -> str:
    """An argument as it is written: `-o RUN`, `--output RUN`."""
    if not action.option_strings:
        return _code(_value(action))
    value = "" if action.nargs == 0 else f" {_value(action)}"
    return ", ".join(_code(name + value) for name in action.option_strings)


def _value(action: argparse.Action) -> str:
    """The word that stands for an argument's value."""
    word = action.metavar if isinstance(action.metavar, str) else None
    if word is None:
        word = "|".join(map(str, action.choices)) if action.choices else action.dest.upper()
    return {"+": f"{word} [{word} ...]", "*": f"[{word} ...]", "?": f"[{word}]"}.get(str(action.nargs), word)


def _help(action: argparse.Action) -> str:
    return _cell(_prose((action.help or "").replace("%%", "%")))


def _is_required(action: argparse.Action) -> bool:
    return bool(action.option_strings) and action.required


def _code(text: str) -> str:
    """Code in a cell. A bar would end the cell, and renderers differ in how it is escaped within code."""
    return f"<code>{text.replace('|', '&#124;')}</code>" if "|" in text else f"`{text}`"


def _block(text: str) -> list[str]:
    return ["```text", text.rstrip(), "```", ""]


def _prose(text: str) -> str:
    return " ".join(text.split()).replace("<", "&lt;")


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
