"""`adjudge play`: run systems on cases, record the conversations, and score them."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from adjudge.cli.console import console_for
from adjudge.cli.judging import add_judging, asking_of, settings_of, toolbox_of
from adjudge.cli.main import EXIT_INCOMPLETE
from adjudge.cli.options import (
    add_metric_files,
    add_metrics,
    add_option,
    add_verbose,
    metric_names,
    parse_whole_number,
    parser,
)
from adjudge.core.errors import BadInput

if TYPE_CHECKING:
    from adjudge.core.play import Limits
    from adjudge.core.system import Setup
    from adjudge.play.plan import PlayPlan
    from adjudge.play.prepare import PreparedPlay
    from adjudge.run.played import Played

DEFAULT_FOLDER = "runs/play"
EPILOG = """an arm is [LABEL=]SYSTEM[-PART...][@MODEL]:
  --arm rules                                  a system that comes with adjudge
  --arm rules-memory                           the same without one of its parts
  --arm small=team@openai:gpt-4.1-mini         with a model
or a system of your own:
  --arm mine=py:my_agent.py:reply              a function: messages -> text, or view -> Said
  --arm mine=url:http://127.0.0.1:8000/v1      a server that speaks the OpenAI protocol
  --arm mine="cmd:./agent --fast"              a command: JSON lines in, JSON lines out

Run the same command again to continue a play that was stopped."""


def run(arguments: list[str]) -> int:
    """Parse the arguments and play."""
    setup = _named_setup(arguments)
    given = _parser(setup).parse_intermixed_args(arguments)  # Cases may stand before or after options.
    assert setup is not None
    return play_suite(setup, given)


def play_suite(setup: Setup, given: argparse.Namespace) -> int:
    """Prepare, play, score, and print what came out."""
    from adjudge.api.play_progress import play_progress_for
    from adjudge.api.playing import Playing, check_metrics
    from adjudge.cli.played import score_played
    from adjudge.report.play.summary import PlaySummary
    from adjudge.report.play.terminal import print_play
    from adjudge.report.text import one_line

    toolbox_of(given)  # A judge that cannot be asked is reported before anything is played.
    metrics, metric_files = metric_names(given), given.metrics_file or ()
    if not given.no_score:
        check_metrics(setup.suite, metrics, metric_files)
    playing = Playing.open(_plan(setup, given), settings_of(given), asking_of(given))
    console = console_for(given.quiet)
    for line in playing.prepared.warnings.lines():
        print(f"warning: {one_line(line)}", file=sys.stderr)
    if given.estimate:
        is_judged = bool(playing.loaded.settings.judge) and not given.no_score
        lines = playing.estimate(metrics, metric_files) if is_judged else playing.estimate_playing()
        print("\n".join(lines))
        return 0
    playing.announce(given.quiet)
    folder, fresh = _folder(given, playing.prepared)
    with play_progress_for(given.quiet) as progress:
        played = playing.play(folder, fresh, progress)
    print_play(PlaySummary.of(played), console)
    code = _exit_code(played)
    if given.no_score:
        return code
    return max(code, score_played(playing.scoring(played, metrics, metric_files), given, console))


def _named_setup(arguments: list[str]) -> Setup | None:
    """The setup that the first argument names; None where help is asked before any."""
    if not arguments or (arguments[0].startswith("-") and {"-h", "--help"} & set(arguments)):
        return None
    if arguments[0].startswith("-"):
        raise BadInput(f"found {arguments[0]!r} first; expected the suite, then cases and options (adjudge list)")
    from adjudge.play.registry import find_setup

    return find_setup(arguments[0])


def _parser(setup: Setup | None) -> argparse.ArgumentParser:
    options = parser("play", "Play cases with systems, record the conversations, and score them.", EPILOG)
    options.add_argument("suite", metavar="SUITE", help=setup.suite if setup else "`adjudge list` shows the suites")
    options.add_argument("files", nargs="*", metavar="CASES", help="files of cases (default: a sample)")
    options.add_argument(
        "-o", "--output", metavar="RUN", help=f"the run folder (default if only rules play: {DEFAULT_FOLDER})"
    )
    options.add_argument(
        "--arm", action="append", metavar="ARM", help="a system to play, as one arm (see below); repeatable"
    )
    if setup is not None:
        _add_setup(options, setup)
    _add_playing(options)
    options.add_argument("--no-score", action="store_true", help="play only; `adjudge score RUN` scores later")
    add_metrics(options, "score only these metrics (default: all)")
    add_metric_files(options)
    add_judging(options)
    options.add_argument("--fresh", action="store_true", help="start over, even if the folder holds another play")
    add_verbose(options)
    options.add_argument("-q", "--quiet", action="store_true", help="print nothing but errors")
    return options


def _add_setup(options: argparse.ArgumentParser, setup: Setup) -> None:
    group = options.add_argument_group(f"options of the suite {setup.suite}")
    for role in setup.roles:
        if not role.tested:
            group.add_argument(
                f"--{role.name}",
                metavar="SYSTEM",
                help=f"the system that plays the {role.name} (default: {role.default})",
            )
    for option in setup.options:
        add_option(group, option)
    if setup.generator is not None:
        from adjudge.play.generated import describe_parameters

        group.add_argument(
            "--generate",
            metavar="NAME=VALUE,...",
            help=f"make cases instead of reading files (default: {describe_parameters(setup.generator.parameters)})",
        )


def _add_playing(options: argparse.ArgumentParser) -> None:
    group = options.add_argument_group("playing")
    group.add_argument("--trials", type=_count, default=1, metavar="N", help="conversations for each case and arm")
    group.add_argument("--seed", type=int, default=0, metavar="S", help="the seed of all random draws (default: 0)")
    group.add_argument("--limit", type=_count, metavar="N", help="play only the first N cases")
    group.add_argument("--max-turns", type=_count, metavar="N", help="end a conversation after N turns")
    group.add_argument("--max-seconds", type=_amount, metavar="S", help="end a conversation after S seconds")
    group.add_argument(
        "--max-calls-each", type=_count, metavar="N", help="end a conversation after N answers of models"
    )
    group.add_argument("--max-cost-each", type=_amount, metavar="USD", help="end a conversation after this cost")
    group.add_argument(
        "--model",
        action="append",
        metavar="[PART=]MODEL",
        help="the model of all parts that ask one, or of one part; repeatable",
    )
    group.add_argument("--model-url", metavar="URL", help="the models' server, which speaks the OpenAI protocol")
    group.add_argument(
        "--model-temperature", type=float, metavar="T", help="the temperature of the models (default: 0)"
    )
    group.add_argument("--prompts", metavar="DIR", help="a folder with prompts of your own, named like ours")


def _count(text: str) -> int:
    number = parse_whole_number(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"found {text!r}; expected a whole number from 1")
    return number


def _amount(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not 0 < number < float("inf"):
        raise argparse.ArgumentTypeError(f"found {text!r}; expected a number above 0")
    return number


def _plan(setup: Setup, given: argparse.Namespace) -> PlayPlan:
    from adjudge.play.plan import PlayPlan

    options: dict[str, Any] = {option.name: getattr(given, option.name.replace("-", "_")) for option in setup.options}
    counterparts = {role.name: getattr(given, role.name) for role in setup.roles if not role.tested}
    return PlayPlan(
        suite=setup.suite,
        files=tuple(given.files),
        generate=getattr(given, "generate", None),
        options=options,
        arms=tuple(given.arm or ()),
        counterparts={role: text for role, text in counterparts.items() if text},
        prompts=given.prompts,
        trials=given.trials,
        seed=given.seed,
        limit=given.limit,
        limits=_limits(setup.limits, given),
    )


def _limits(limits: Limits, given: argparse.Namespace) -> Limits:
    from msgspec import structs

    asked = {
        "turns": given.max_turns,
        "seconds": given.max_seconds,
        "calls": given.max_calls_each,
        "cost": given.max_cost_each,
    }
    return structs.replace(limits, **{name: value for name, value in asked.items() if value is not None})


def _folder(given: argparse.Namespace, prepared: PreparedPlay) -> tuple[Path, bool]:
    """The run folder, and whether to start over; without models, the default folder is always started over."""
    from adjudge.api.scoring import run_folder

    if given.output:
        return run_folder(given.output), given.fresh
    if prepared.models.specs or prepared.models.own:
        raise BadInput("answers of models and of your own system are kept in a run folder only; name one with -o RUN")
    return Path(DEFAULT_FOLDER), True


def _exit_code(played: Played) -> int:
    ends = [line.end for line in played.ends().values()]
    errors = sum(end.reason == "error" for end in ends)
    if errors:
        print(f"adjudge play: incomplete: {errors} of {len(ends)} conversations ended by an error", file=sys.stderr)
    if played.manifest.status == "stopped":
        print(
            "adjudge play: incomplete: stopped at a limit of calls or cost; raise it and run the same command again",
            file=sys.stderr,
        )
    return EXIT_INCOMPLETE if errors or played.manifest.status == "stopped" else 0
