"""Every regular expression of the package, found by running the package: a new one needs no entry in a list.

Run as a program, this module watches `re` while every module is imported and records of every suite are scored, and
prints the expressions as JSON.
"""

from __future__ import annotations

import ast
import importlib
import json
import pkgutil
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec

CALLS = {"compile", "search", "match", "fullmatch", "sub", "subn", "split", "findall", "finditer"}
ANCHORED = {"match", "fullmatch"}
# Patterns that are matched where the last match ended, by the Python in the call; no name shows it.
CONTINUED = {"cell"}
FLAGS_PLACE = {"compile": 1, "sub": 4, "subn": 4, "split": 3}


class Site(msgspec.Struct, frozen=True):
    """A call of `re` in the sources: its place, how the pattern is matched, and the Python for pattern and flags."""

    file: str
    first: int
    last: int
    how: str
    pattern: str
    flags: str

    def __str__(self) -> str:
        return f"{self.file}:{self.first}: {self.pattern}"


class Expression(msgspec.Struct, frozen=True):
    """A regular expression of the package: where it stands and how it is matched."""

    pattern: str
    flags: int
    binary: bool
    where: str
    how: str

    def match(self, text: str) -> None:
        """Match a text in the way in which the package does."""
        compiled = re.compile(self.pattern.encode("latin-1") if self.binary else self.pattern, self.flags)
        given = text.encode() if self.binary else text
        if self.how in ANCHORED:
            getattr(compiled, self.how)(given)
        else:
            compiled.sub(given[:0], given)


class Catalogue(msgspec.Struct, frozen=True):
    """All expressions, and the calls of `re` whose expression is not known because they were never reached."""

    expressions: list[Expression]
    unknown: list[Site]


def catalogue() -> Catalogue:
    """The expressions of the package, collected in a process of its own."""
    done = subprocess.run([sys.executable, __file__], capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()[-2000:]
    return msgspec.convert(json.loads(done.stdout.splitlines()[-1]), Catalogue)


def sites(folder: Path) -> Iterator[Site]:
    """Every call of `re` in the sources."""
    modules = [_Module(path) for path in sorted(folder.rglob("*.py"))]
    for module in modules:
        for call in filter(_is_call_of_re, module.nodes):
            how = _way_of_call(call, module, modules)
            yield Site(str(module.path), call.lineno, call.end_lineno, how, *_pattern_and_flags(call))


class _Module:
    """A source file: its nodes, the names that it imports, and the method that each use of a name calls."""

    def __init__(self, path: Path) -> None:
        self.path = path
        tree = ast.parse(path.read_text("utf-8"))
        self.nodes: list[Any] = list(ast.walk(tree))
        self.constants = {id(node.value): node.targets[0] for node in tree.body if isinstance(node, ast.Assign)}
        self.imports = {
            (str(node.module).rpartition(".")[2], alias.name)
            for node in self.nodes
            if isinstance(node, ast.ImportFrom)
            for alias in node.names
        }
        methods = {id(node.value): node.attr for node in self.nodes if isinstance(node, ast.Attribute)}
        self.uses: dict[str, set[str]] = {}
        for node in self.nodes:
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                self.uses.setdefault(node.id, set()).add(methods.get(id(node), "passed on"))


def _is_call_of_re(node: ast.AST) -> bool:
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name(id="re"), attr=attr)):
            return attr in CALLS
    return False


def _pattern_and_flags(call: Any) -> tuple[str, str]:
    place = FLAGS_PLACE.get(call.func.attr, 2)
    named = [keyword.value for keyword in call.keywords if keyword.arg == "flags"]
    flags = [*named, *call.args[place : place + 1]]
    return ast.unparse(call.args[0]), ast.unparse(flags[0]) if flags else "0"


def _way_of_call(call: Any, module: _Module, modules: list[_Module]) -> str:
    """How the pattern is matched: at the start of a text if every use of its name says so, else anywhere."""
    if call.func.attr in ANCHORED:
        return str(call.func.attr)
    if ast.unparse(call.args[0]) in CONTINUED:
        return "match"
    name = getattr(module.constants.get(id(call)), "id", "")
    users = [other for other in modules if other is module or (module.path.stem, name) in other.imports]
    ways = {way for user in users for way in user.uses.get(name, ())}
    if ways and ways <= ANCHORED:
        return "fullmatch" if ways == {"fullmatch"} else "match"
    return "search"


class _Watch:
    """Notes what the package compiles and where."""

    def __init__(self) -> None:
        self.places: dict[re.Pattern[Any], set[tuple[str, int]]] = {}
        self._real = re._compile  # type: ignore[attr-defined]
        re._compile = self.compile  # type: ignore[attr-defined]

    def compile(self, pattern: Any, flags: int) -> re.Pattern[Any]:
        compiled: re.Pattern[Any] = self._real(pattern, flags)
        frame = sys._getframe(1)
        while frame.f_code.co_filename == re.__file__ and frame.f_back:
            frame = frame.f_back
        self.places.setdefault(compiled, set()).add((frame.f_code.co_filename, frame.f_lineno))
        return compiled

    def expressions(self, site: Site) -> Iterator[Expression]:
        """What was compiled by a call; where it was not reached, what its source says."""
        lines = {(site.file, line) for line in range(site.first, site.last + 1)}
        reached = [compiled for compiled, places in self.places.items() if places & lines]
        for compiled in reached or _evaluate(site):
            binary = isinstance(compiled.pattern, bytes)
            text = compiled.pattern.decode("latin-1") if binary else compiled.pattern
            yield Expression(text, compiled.flags, binary, f"{site.file}:{site.first}", site.how)


def _evaluate(site: Site) -> list[re.Pattern[Any]]:
    """The pattern of a call by the names of its module; none where it needs local names."""
    module = next(m for m in sys.modules.values() if getattr(m, "__file__", None) == site.file)
    try:
        return [re.compile(eval(site.pattern, vars(module)), eval(site.flags, vars(module)))]  # noqa: S307
    except NameError:
        return []


def _call_pattern_makers(module: ModuleType) -> None:
    """Call the functions of a module that take nothing and return a pattern."""
    for function in list(vars(module).values()):
        annotated = getattr(function, "__annotations__", {})
        if function.__class__ is not type and set(annotated) == {"return"} and "re.Pattern" in str(annotated["return"]):
            function()


def _collect() -> Catalogue:
    watch = _Watch()
    import adjudge

    for module in pkgutil.walk_packages(adjudge.__path__, "adjudge."):
        if not module.name.endswith("__main__"):
            _call_pattern_makers(importlib.import_module(module.name))
    from strained import read_texts, score_samples

    score_samples("")
    read_texts()
    by_site = {site: list(watch.expressions(site)) for site in sites(Path(adjudge.__file__).parent)}
    expressions = [expression for several in by_site.values() for expression in several]
    return Catalogue(list(dict.fromkeys(expressions)), [site for site, several in by_site.items() if not several])


if __name__ == "__main__":
    print(json.dumps(msgspec.to_builtins(_collect())))  # Unlike msgspec, json can write half a surrogate pair.
