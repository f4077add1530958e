"""The entry point: finds the verb and runs it."""

from __future__ import annotations

import os
import sys

VERBS = {
    "demo": ("demo", "score the sample that comes with a suite, offline"),
    "list": ("listing", "list the suites, or the metrics and systems of a suite"),
    "describe": ("describe", "describe a metric, or a system (SUITE/SYSTEM)"),
    "convert": ("convert", "write logs of other tools as conversations that the suite team scores"),
    "schema": ("schema", "print the JSON Schema of a suite's records or of a run's files"),
    "validate": ("validate", "check files without scoring them"),
    "play": ("play", "run systems on cases, record the conversations, and score them"),
    "score": ("score", "score files into a run folder"),
    "report": ("report", "show a run, or write it as .html, .md, .csv, .json or a figure"),
    "view": ("view", "look at runs in the browser: conversations, differences, labels"),
    "compare": ("compare", "compare arms: which is better, by how much, and how certain that is"),
    "gate": ("gate", "check a run against rules, for CI: exit code 1 if a rule fails"),
    "power": ("power", "the smallest detectable difference, and the sample size another one needs"),
    "calibrate": ("calibrate", "measure how well a judge, or any metric, agrees with people"),
    "export": ("export", "write every mark as a row of .csv, .jsonl or .parquet"),
    "completion": ("completion", "print a script that completes commands in bash, zsh or fish"),
    "doctor": ("doctor", "check this installation"),
}

EXIT_GATE = 1
EXIT_BAD_INPUT = 2
EXIT_INCOMPLETE = 3
EXIT_INTERRUPTED = 130


def main(argv: list[str] | None = None) -> int:
    """Run a command line and return its exit code."""
    arguments = sys.argv[1:] if argv is None else argv
    if not arguments or arguments[0] in ("-h", "--help", "help"):
        print(_help())
        return 0 if arguments else EXIT_BAD_INPUT
    if arguments[0] in ("-V", "--version"):
        from adjudge.core.version import __version__

        print(f"adjudge {__version__}")
        return 0
    if arguments[0] not in VERBS:
        return _unknown(arguments[0])
    from adjudge.cli.interrupts import second_interrupt_ends_at_once
    from adjudge.report.streams import escaped_streams

    with escaped_streams(), second_interrupt_ends_at_once():
        return _run(arguments[0], arguments[1:])


def _run(verb: str, arguments: list[str]) -> int:
    from importlib import import_module

    from adjudge.core.errors import BadInput

    if sys.stdout is None:  # The caller closed it: what is printed is dropped.
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    try:
        code: int = import_module(f"adjudge.cli.{VERBS[verb][0]}").run(arguments)
        sys.stdout.flush()
        return code
    except BadInput as error:
        print(f"adjudge {verb}: {error}", file=sys.stderr)
        return EXIT_BAD_INPUT
    except KeyboardInterrupt:
        print(f"adjudge {verb}: interrupted; run the same command again to continue", file=sys.stderr)
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        sys.stdout = None  # The reader of the output has left: there is nothing to flush.
        return 0
    except OSError as error:
        sys.stdout = None
        print(f"adjudge {verb}: {error}; check disk and permissions", file=sys.stderr)
        return EXIT_BAD_INPUT


def _help() -> str:
    width = max(map(len, VERBS))
    verbs = "\n".join(f"  {verb:<{width}}  {help}" for verb, (_, help) in VERBS.items())
    return f"""usage: adjudge VERB ...

Evaluation for conversations between many parties: exact metrics, honest statistics, evidence behind
every number. Works offline.

{verbs}

`adjudge VERB --help` shows the options of a verb. Try `adjudge demo` first.
Exit codes: 0 success, 1 a gate failed, 2 wrong usage or bad input, 3 finished but incomplete (errors, or less coverage
than required), 130 interrupted."""


def _unknown(verb: str) -> int:
    from adjudge.core.errors import did_you_mean

    print(f"adjudge: no verb {verb!r}{did_you_mean(verb, VERBS)} (adjudge --help)", file=sys.stderr)
    return EXIT_BAD_INPUT


if __name__ == "__main__":
    sys.exit(main())
