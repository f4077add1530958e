"""The options of the tools that a run asks: judge, embedder, entailment."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from adjudge.api.tools import Asking
    from adjudge.core.usage import Usage
    from adjudge.tools.settings import LoadedSettings
    from adjudge.tools.toolbox import Toolbox

SETTINGS = (
    ("judge", "NAME", str, "PROVIDER:MODEL, or labels:FILE for people's labels; repeat it for a panel"),
    ("judge-url", "URL", str, "the judge's server, which speaks the OpenAI protocol"),
    ("temperature", "T", float, "the temperature of the judge (default: 0)"),
    (
        "max-tokens",
        "N",
        int,
        "the longest reply in tokens (default: 1024; if one is cut off, the question is repeated with 4 times as many)",
    ),
    ("samples", "K", int, "number of answers to each question (default: 1)"),
    ("concurrency", "N", int, "number of requests at the same time (default: 32)"),
    ("timeout", "SECONDS", float, "time limit of a request (default: 120)"),
    ("max-cost", "USD", float, "stop when this amount is spent"),
    ("max-calls", "N", int, "stop after this number of calls"),
    ("embedder", "NAME", str, "the embedder for metrics that embed texts (default: minilm)"),
    ("embedder-url", "URL", str, "the embedder's server, with an embeddings endpoint; --embedder names its model"),
    ("nli", "judge|DIR", str, "the tool for entailment: the judge, or a cross-encoder in a folder"),
    ("nli-url", "URL", str, "the tool for entailment: a server with the /predict of Text Embeddings Inference"),
    ("cache", "FILE", str, "the file that keeps answers (default: answers.sqlite in the run folder)"),
    ("vector-cache", "FILE", str, "the file of embeddings that runs share, or off (default: in your cache folder)"),
    ("rubrics", "DIR", str, "a folder with rubrics of your own, named like those of the suite"),
    (
        "allow-credentialed",
        "NAME",
        str,
        "a provider or address that may receive records under a data use agreement; repeatable",
    ),
)


def add_judging(options: argparse.ArgumentParser) -> None:
    """Add the options; most may also stand in adjudge.toml, and all as ADJUDGE_NAME in the environment."""
    group = options.add_argument_group("judging (also in adjudge.toml, or ADJUDGE_... in the environment)")
    for name, metavar, kind, text in SETTINGS:
        action = "append" if name in ("judge", "allow-credentialed") else "store"
        group.add_argument(f"--{name}", metavar=metavar, type=kind, help=text, action=action)
    group.add_argument(
        "--combine",
        choices=("mean", "majority"),
        default="mean",
        help="how several answers are combined (default: mean)",
    )
    group.add_argument(
        "--canaries", action="store_true", default=None, help="also ask the judge questions with a known answer"
    )
    group.add_argument("--refresh", action="store_true", help="ask again even if the cache has an answer")
    group.add_argument("--replay", action="store_true", help="use only answers from the cache; never ask")
    group.add_argument("--estimate", action="store_true", help="print what asking would cost, and stop")
    group.add_argument(
        "--config", metavar="FILE", help="settings (default: adjudge.toml in this folder, if there is one)"
    )


# Options that only some verbs have; they stand among the settings as well.
PLAY_SETTINGS = ("model", "model_url", "model_temperature")


def settings_of(given: argparse.Namespace) -> LoadedSettings:
    """The settings that options, environment and adjudge.toml describe."""
    from adjudge.api.tools import load_tools

    names = [*(name.replace("-", "_") for name, *_ in SETTINGS), "canaries", *PLAY_SETTINGS]
    return load_tools({name: getattr(given, name, None) for name in names}, given.config)


def asking_of(given: argparse.Namespace) -> Asking:
    """How the options say that tools are asked."""
    from adjudge.api.tools import Asking

    return Asking(combine=given.combine, refresh=given.refresh, replay=given.replay)


def toolbox_of(given: argparse.Namespace, spent: Usage | None = None) -> Toolbox:
    """The toolbox that options, environment and adjudge.toml describe.

    `spent` is what an earlier part of the command, which has announced the tools already, took of the budget.
    """
    from adjudge.api.tools import announce, open_toolbox

    loaded = settings_of(given)
    toolbox = open_toolbox(loaded, asking_of(given), spent)
    if not given.replay and not given.estimate and spent is None:
        announce(toolbox.destinations(), loaded, given.quiet)
    return toolbox
