"""The options of the tools that a run asks (judge, embedder, entailment), and the estimate of what they cost."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from adjudge.core.errors import BadInput

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from adjudge.core.ask import Question, Reply
    from adjudge.core.usage import Usage
    from adjudge.engines.local import Inventory, Job
    from adjudge.tools.guard import Destination
    from adjudge.tools.settings import LoadedSettings
    from adjudge.tools.toolbox import Toolbox

SETTINGS = (
    ("judge", "NAME", str, "PROVIDER:MODEL, or labels:FILE for people's labels; several are a panel"),
    ("judge-url", "URL", str, "a server that speaks the OpenAI protocol"),
    ("temperature", "T", float, "the temperature of the judge (default: 0)"),
    (
        "max-tokens",
        "N",
        int,
        "the longest reply in tokens (default: 1024; a reply that is cut off is asked for again with 4 times as many)",
    ),
    ("samples", "K", int, "number of answers to each question (default: 1)"),
    ("concurrency", "N", int, "number of requests at the same time (default: 32)"),
    ("timeout", "SECONDS", float, "time limit of a request (default: 120)"),
    ("max-cost", "USD", float, "stop when this amount is spent"),
    ("max-calls", "N", int, "stop after this number of calls"),
    ("embedder", "NAME", str, "the embedder for metrics that embed texts (default: minilm)"),
    ("embedder-url", "URL", str, "a server with an embeddings endpoint; --embedder names its model"),
    ("nli", "judge|DIR", str, "entailment: through the judge, or a cross-encoder in a folder"),
    ("nli-url", "URL", str, "entailment: a server with the /predict of Text Embeddings Inference"),
    ("cache", "FILE", str, "the file that keeps answers (default: answers.sqlite in the run folder)"),
    ("rubrics", "DIR", str, "a folder with rubrics of your own, named like those of the suite"),
    ("allow-credentialed", "NAME", str, "a provider or address that may receive credentialed records"),
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
    from adjudge.tools.settings import load_with_origin

    names = [*(name.replace("-", "_") for name, *_ in SETTINGS), "canaries", *PLAY_SETTINGS]
    options: dict[str, Any] = {name: getattr(given, name, None) for name in names}
    return load_with_origin(Path(given.config) if given.config else None, os.environ, options)


def toolbox_of(given: argparse.Namespace, spent: Usage | None = None) -> Toolbox:
    """The toolbox that options, environment and adjudge.toml describe.

    `spent` is what an earlier part of the command, which has announced the tools already, took of the budget.
    """
    from msgspec import structs

    from adjudge.tools.toolbox import Toolbox

    loaded = settings_of(given)
    settings = loaded.settings
    asking = [name for name in ("canaries", "judge_url") if getattr(settings, name)]
    asking += ["nli"] if settings.nli == "judge" else []
    if asking and not settings.judge:
        raise BadInput(f"--{asking[0].replace('_', '-')}: there is no judge to ask; name one with --judge")
    if spent is not None:
        settings = structs.replace(
            settings,
            max_calls=settings.max_calls and max(0, settings.max_calls - spent.calls),
            max_cost=settings.max_cost and max(0.0, settings.max_cost - (spent.cost or 0.0)),
        )
    toolbox = Toolbox(settings, os.environ, given.combine, given.refresh, given.replay)
    if not given.replay and not given.estimate and spent is None:
        announce(toolbox.destinations(), loaded, given.quiet)
    return toolbox


def announce(destinations: Mapping[str, Destination], loaded: LoadedSettings, quiet: bool = False) -> None:
    """Say where requests will go and which settings a file decided, before anything is sent.

    With `quiet`, only what a file decided is said: the user has not typed it.
    """
    from adjudge.report.text import one_line

    by_file = ", ".join(loaded.from_file)
    lines = [f"settings from {loaded.file}: {by_file}"] if by_file else []
    if lines or not quiet:
        lines += [f"{what} go to {destination}" for what, destination in destinations.items()]
    if lines and not (quiet and len(lines) == 1):
        print("\n".join(map(one_line, lines)), file=sys.stderr, flush=True)


class Counter:
    """Counts the questions it is asked and answers none; `withheld` is copied from the judge it replaces."""

    def __init__(self, withheld: str = "") -> None:
        self.withheld = withheld
        self.questions: dict[Question[Any], None] = {}
        self._open: list[Question[Any]] = []

    def ask(self, requests: Iterable[Question[Any]], asker: str = "") -> None:
        """Take questions."""
        new = list(requests)
        self.questions.update(dict.fromkeys(new))
        self._open += new

    def wait(self) -> list[tuple[Question[Any], Reply]]:
        """Leave all of them unanswered."""
        from adjudge.core.ask import Reply
        from adjudge.core.errors import Unanswered

        answered, self._open = self._open, []
        return [(question, Reply(Unanswered("over_budget", "only estimated"))) for question in answered]


def estimate(job: Job, inventory: Inventory, toolbox: Toolbox) -> list[str]:
    """What asking would take, a sentence for each judge; questions that depend on answers are not counted."""
    from adjudge.engines.local import records_of
    from adjudge.tools.judge.answerer import estimate_usage
    from adjudge.tools.toolbox import prices_of

    counter = Counter(next(iter(toolbox.withholding_reasons()), ""))
    if job.plan.options.get("canaries") and job.suite.canaries is not None:
        counter.ask([canary.question for canary in job.suite.canaries(job.tools)])
        counter.wait()
    for _ in job.scorer(inventory.coverage, {"judge": counter}).score(records_of(job, inventory)):
        pass
    lines = []
    for name, spec in toolbox.specs.items():
        each = [estimate_usage(question, spec) for question in counter.questions]
        calls = len(each) * toolbox.settings.samples
        tokens = sum(usage.input_tokens for usage in each) * toolbox.settings.samples
        longest = sum(usage.output_tokens for usage in each) * toolbox.settings.samples
        cost = prices_of(spec).cost(tokens, longest, calls)
        price = "price unknown" if cost is None else f"at most {cost:.2f} USD"
        lines.append(f"{name}: {calls} calls, about {tokens} tokens in, at most {longest} out, {price}")
    if not lines and toolbox.people:
        return ["people are the judge; nothing would be sent"]
    if not lines:
        return ["no judge is configured; nothing would be asked"]
    return [*lines, "questions that depend on an answer are not counted, so there may be more"]
