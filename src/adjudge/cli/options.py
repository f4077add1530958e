"""Arguments that verbs share."""

from __future__ import annotations

import argparse
import math
import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from adjudge.core.errors import BadInput
from adjudge.core.selection import ALL

if TYPE_CHECKING:
    from adjudge.core.suite import Option, Suite
    from adjudge.engines.choice import Engine
    from adjudge.score import Plan


class ParserBuilt(Exception):  # noqa: N818 - not an error: it hands over the parser of a verb
    """Carries the parser of a verb that was asked for its options and must not run."""

    def __init__(self, options: argparse.ArgumentParser) -> None:
        super().__init__()
        self.options = options


class VerbParser(argparse.ArgumentParser):
    """The parser of a verb. While `only_built` is set, it raises `ParserBuilt` where it would parse."""

    only_built = False

    def parse_known_args(self, *arguments: Any, **namespace: Any) -> Any:
        """Parse arguments, or hand this parser over."""
        if VerbParser.only_built:
            raise ParserBuilt(self)
        return super().parse_known_args(*arguments, **namespace)


def parser(verb: str, description: str, epilog: str = "") -> argparse.ArgumentParser:
    """A parser whose usage begins with the verb."""
    return VerbParser(
        prog=f"adjudge {verb}",
        description=description,
        epilog=epilog,
        allow_abbrev=False,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )


def parser_of(run: Callable[[list[str]], int], arguments: list[str]) -> argparse.ArgumentParser:
    """The parser that a verb builds for arguments, such as the suite whose options it has; the verb does not run."""
    VerbParser.only_built = True
    try:
        run(arguments)
    except ParserBuilt as built:
        return built.options
    finally:
        VerbParser.only_built = False
    raise AssertionError("the verb parses no arguments")


def add_reading(options: argparse.ArgumentParser, suite: Suite | None) -> None:
    """Add the files, the suite's own options, and how bad input is handled."""
    options.add_argument(
        "files", nargs="+", metavar="FILE", help="a file to read (plain, .gz or .zip), or a folder of such files"
    )
    if suite is not None:
        group = options.add_argument_group(f"options of the suite {suite.name}")
        for option in suite.options:
            add_option(group, option)
    group = options.add_argument_group("bad input")
    group.add_argument(
        "--skip-bad", action="store_true", help="leave out bad records and count them, instead of refusing the files"
    )
    group.add_argument(
        "--on-duplicate",
        choices=("error", "first", "last"),
        default="error",
        help="which record to use if two have the same case, arm and trial (default: error)",
    )
    group.add_argument("--lenient", action="store_true", help="replace lone surrogates by U+FFFD and count them")


def add_keeping(options: argparse.ArgumentParser) -> None:
    """Add how much a run keeps."""
    options.add_argument(
        "--keep",
        default="all",
        metavar="all|worst[:N]|tallies",
        help="keep every record with its marks (default), those of the N worst conversations of each metric and arm "
        "(20) beside the values of all, or the tables only",
    )
    options.add_argument(
        "--store",
        choices=("json", "parquet"),
        default="json",
        help="store scores as JSON lines (default) or as Parquet, which duckdb, polars and pandas read",
    )


def add_verbose(options: argparse.ArgumentParser, what: str = "print every metric, variant, reason and part") -> None:
    """Add the option that prints more than fits one screen."""
    options.add_argument("-v", "--verbose", action="store_true", help=what)


def plan_of(suite: Suite, given: argparse.Namespace) -> Plan:
    """The plan that parsed arguments make."""
    from adjudge.score import Plan

    options: dict[str, Any] = {option.name: getattr(given, option.name.replace("-", "_")) for option in suite.options}
    options["lenient"] = given.lenient
    if "rubric" in options:
        options["rubric"] = [*(options["rubric"] or ()), *_rubrics_in_settings(given)]
    names = metric_names(given) if "metrics" in given else ()
    return Plan(
        suite=suite.name,
        files=tuple(given.files),
        options=options,
        metrics=() if ALL in names else names,
        metric_files=tuple(getattr(given, "metrics_file", None) or ()),
        on_duplicate=given.on_duplicate,
        skip_bad=given.skip_bad,
        keep=getattr(given, "keep", "all"),
        store=getattr(given, "store", "json"),
    )


def _rubrics_in_settings(given: argparse.Namespace) -> list[str]:
    """The settings file, if it has questions of the user's own to the judge."""
    from adjudge.read.settings_file import RUBRIC, read_settings

    config = getattr(given, "config", None)
    place, content = read_settings(Path(config) if config else None)
    return [str(place)] if RUBRIC in content else []


def add_metrics(options: argparse.ArgumentParser, purpose: str) -> None:
    """Add the metrics by name."""
    options.add_argument(
        "--metrics", "--only", action="append", metavar="NAME[,NAME]|all", help=f"{purpose}; --only means the same"
    )


def add_metric_files(options: argparse.ArgumentParser) -> None:
    """Add the files with metrics of the user's own."""
    options.add_argument(
        "--metrics-file", action="append", metavar="FILE.py", help="a Python file with metrics of your own; repeatable"
    )


def add_engine(options: argparse.ArgumentParser) -> None:
    """Add where scoring runs."""
    group = options.add_argument_group("cores and clusters")
    group.add_argument(
        "--jobs",
        "-j",
        type=parse_whole_number,
        metavar="N",
        help="number of processes (default: one for each core if the input has 8 MiB or more, else 1; "
        "0: one for each core)",
    )
    group.add_argument(
        "--engine", choices=("local", "dask"), default="local", help="score on this machine, or with Dask"
    )
    group.add_argument(
        "--scheduler", default="", metavar="ADDRESS", help="the Dask cluster to use, such as tcp://10.0.0.1:8786"
    )


def engine_of(given: argparse.Namespace) -> Engine:
    """Where scoring runs, by the arguments."""
    from adjudge.engines.choice import Engine

    return Engine(given.engine, given.jobs, given.scheduler)


def metric_names(given: argparse.Namespace) -> tuple[str, ...]:
    """The names given with --metrics; raises BadInput for a file, which another option takes."""
    names = split_names(given.metrics)
    for name in names:
        if name.endswith(".py") or "/" in name or os.sep in name:
            raise BadInput(
                f"--metrics {name}: expected names of metrics, found a file; name it with --metrics-file {name}"
            )
    return names


def split_names(given: list[str] | None) -> tuple[str, ...]:
    """The names in options that may be repeated and hold several names, such as `--arms a,b --arms c`."""
    return tuple(name.strip() for names in given or () for name in names.split(","))


def parse_whole_number(text: str) -> int:
    """A whole number from 0."""
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"found {text!r}; expected a whole number")
    return int(text)


def parse_share(text: str) -> float:
    """A number from 0 to 1."""
    try:
        share = float(text)
    except ValueError:
        share = math.nan
    if not 0 <= share <= 1:
        raise argparse.ArgumentTypeError(f"found {text!r}; expected a number from 0 to 1")
    return share


def add_option(group: argparse._ArgumentGroup, option: Option) -> None:
    """Add an option of a suite."""
    if option.flag:
        group.add_argument(f"--{option.name}", help=option.help, action="store_true", default=None)
        return
    group.add_argument(
        f"--{option.name}",
        help=option.help + (f" (default: {option.default})" if option.default else ""),
        metavar=None if option.choices else option.metavar,
        choices=option.choices or None,
        default=option.default,
        action="append" if option.repeat else "store",
    )
