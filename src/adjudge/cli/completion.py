"""`adjudge completion`: a script that lets a shell complete commands."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module

from msgspec import Struct

from adjudge.cli.main import VERBS
from adjudge.cli.options import parser, parser_of

EPILOG = """\
examples:
  bash:  adjudge completion bash > ~/.local/share/bash-completion/completions/adjudge
  zsh:   adjudge completion zsh > ~/.zfunc/_adjudge        (with fpath+=~/.zfunc before compinit in ~/.zshrc)
  fish:  adjudge completion fish > ~/.config/fish/completions/adjudge.fish

Start a new shell afterwards. The script holds the suites that are installed when it is written."""

# Verbs whose first argument is a suite; True where the suite has options of its own.
OF_SUITES = {"demo": False, "list": False, "schema": False, "validate": True, "score": True, "play": True}


class Flag(Struct, frozen=True):
    """An option of a verb: its long name, what it is for, and the words it takes if they are fixed."""

    name: str
    help: str
    choices: tuple[str, ...] = ()


class Context(Struct, frozen=True):
    """The options of a verb, or of a verb and a suite; `suite` is empty where it does not matter."""

    verb: str
    suite: str
    flags: tuple[Flag, ...]


def run(arguments: list[str]) -> int:
    """Print the script of a shell."""
    options = parser("completion", "Print a script that completes verbs, suites and options.", EPILOG)
    options.add_argument("shell", choices=tuple(SCRIPTS), help="the shell")
    given = options.parse_args(arguments)
    from adjudge.score import suite_names

    suites = suite_names()
    print(SCRIPTS[given.shell](suites, list(_contexts(suites))))
    return 0


def _contexts(suites: list[str]) -> Iterator[Context]:
    """The options of every verb, and of every suite where they differ."""
    for verb, (module, _) in VERBS.items():
        run_verb = import_module(f"adjudge.cli.{module}").run
        names = _suites_of(verb, suites) if OF_SUITES.get(verb) else [""]
        for suite in names:
            yield Context(verb, suite, _flags(parser_of(run_verb, [suite] if suite else [])))


def _suites_of(verb: str, suites: list[str]) -> list[str]:
    """The suites that a verb takes."""
    if verb != "play":
        return suites
    from adjudge.play.registry import setup_names

    return [suite for suite in suites if suite in setup_names()]


def _flags(options: argparse.ArgumentParser) -> tuple[Flag, ...]:
    return tuple(
        Flag(name, _help(action), tuple(map(str, action.choices or ())))
        for action in options._actions
        for name in action.option_strings
        if name.startswith("--")
    )


def _help(action: argparse.Action) -> str:
    """The help of an option in one line without quotes, which mean something to a shell."""
    text = (action.help or "").replace("%%", "%")
    return "".join(char for char in " ".join(text.split()) if char not in "'\"`$\\")


def _bash(suites: list[str], contexts: list[Context]) -> str:
    return f"""\
# bash completion of adjudge
_adjudge() {{
    local word="${{COMP_WORDS[COMP_CWORD]}}" before="${{COMP_WORDS[COMP_CWORD-1]}}"
    local verb="${{COMP_WORDS[1]}}" suite="${{COMP_WORDS[2]}}" words=""
    if [ "$COMP_CWORD" -eq 1 ]; then
        words="{_words(VERBS)}"
    else
{_choices(contexts, "        ", "$before")}
        if [ -z "$words" ] && [[ "$word" == -* ]]; then
{_flag_names(contexts, "            ")}
        elif [ -z "$words" ] && [ "$COMP_CWORD" -eq 2 ]; then
{_suite_names(suites, "            ")}
        fi
    fi
    COMPREPLY=($(compgen -W "$words" -- "$word"))
}}
complete -o default -F _adjudge adjudge"""


def _zsh(suites: list[str], contexts: list[Context]) -> str:
    return f"""\
#compdef adjudge
_adjudge() {{
    local word="${{words[CURRENT]}}" before="${{words[CURRENT-1]}}" verb="${{words[2]}}" suite="${{words[3]}}"
    local found=""
    if (( CURRENT == 2 )); then
        found="{_words(VERBS)}"
    else
{_choices(contexts, "        ", "$before", "found")}
        if [[ -z "$found" && "$word" == -* ]]; then
{_flag_names(contexts, "            ", "found")}
        elif [[ -z "$found" ]] && (( CURRENT == 3 )); then
{_suite_names(suites, "            ", "found")}
        fi
    fi
    if [[ -n "$found" ]]; then
        compadd -- ${{=found}}
    else
        _files
    fi
}}
compdef _adjudge adjudge"""


def _choices(contexts: list[Context], indent: str, before: str, variable: str = "words") -> str:
    """A `case` over the option before the word, for options with fixed words."""
    taken = {flag.name: flag.choices for context in contexts for flag in context.flags if flag.choices}
    lines = [f'{name}) {variable}="{_words(choices)}" ;;' for name, choices in sorted(taken.items())]
    shells = f'completion) [ "$verb" = completion ] && {variable}="{_words(SCRIPTS)}" ;;'
    return _block(f'case "{before}" in', [*lines, shells], "esac", indent)


def _flag_names(contexts: list[Context], indent: str, variable: str = "words") -> str:
    """A `case` over verb and suite that gives the names of options."""
    lines = [
        f'"{context.verb} {context.suite}"{"" if context.suite else "*"}) '
        f'{variable}="{_words(flag.name for flag in context.flags)}" ;;'
        for context in contexts
    ]
    return _block('case "$verb $suite" in', lines, "esac", indent)


def _suite_names(suites: list[str], indent: str, variable: str = "words") -> str:
    verbs = "|".join(OF_SUITES)
    line = f'{verbs}) {variable}="{_words(suites)}" ;;'
    return _block('case "$verb" in', [line], "esac", indent)


def _words(words: Iterable[str]) -> str:
    return " ".join(words)


def _block(start: str, lines: list[str], end: str, indent: str) -> str:
    return "\n".join([indent + start, *(f"{indent}    {line}" for line in lines), indent + end])


def _fish(suites: list[str], contexts: list[Context]) -> str:
    lines = ["# fish completion of adjudge"]
    lines += [
        f"complete -c adjudge -f -n __fish_use_subcommand -a {verb} -d '{text}'" for verb, (_, text) in VERBS.items()
    ]
    first = "test (count (commandline -opc)) -eq 2; and __fish_seen_subcommand_from"
    lines.append(f"complete -c adjudge -n '{first} {_words(OF_SUITES)}' -a '{_words(suites)}'")
    lines.append(f"complete -c adjudge -f -n '{first} completion' -a '{_words(SCRIPTS)}'")
    for context in contexts:
        where = f"__fish_seen_subcommand_from {context.verb}"
        where += f"; and __fish_seen_subcommand_from {context.suite}" if context.suite else ""
        for flag in context.flags:
            choices = f" -x -a '{_words(flag.choices)}'" if flag.choices else ""
            lines.append(f"complete -c adjudge -n '{where}' -l {flag.name[2:]} -d '{flag.help}'{choices}")
    return "\n".join(lines)


Script = Callable[[list[str], list[Context]], str]
SCRIPTS: dict[str, Script] = {"bash": _bash, "zsh": _zsh, "fish": _fish}
