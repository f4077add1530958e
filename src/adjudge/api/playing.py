"""Play conversations with systems, and score them."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from msgspec import structs

from adjudge.api.options import as_names, split_options
from adjudge.api.play_progress import play_progress_for
from adjudge.api.progress import progress_for
from adjudge.api.runs import Place, Run, TemporaryFolder
from adjudge.api.scoring import HERE, Scoring, chosen_names, run_folder
from adjudge.api.tools import Asking, announce, load_tools, open_toolbox
from adjudge.core.play import Limits
from adjudge.core.usage import Usage
from adjudge.play.engine import play as play_into
from adjudge.play.models import Models
from adjudge.play.plan import PlayPlan
from adjudge.play.prepare import PreparedPlay, prepare
from adjudge.play.registry import find_setup
from adjudge.play.state import PlayProgress, show_nothing
from adjudge.run import MANIFEST, read_manifest
from adjudge.run.manifest import Store
from adjudge.run.played import CONVERSATIONS, Played
from adjudge.score import Plan, choose_metrics, find_suite
from adjudge.tools.settings import LoadedSettings

if TYPE_CHECKING:
    from adjudge.engines.choice import Engine
    from adjudge.engines.survey import Progress
    from adjudge.play.estimate import SampledPlay
    from adjudge.tools.toolbox import Toolbox

# An arm: as it is written on the command line, or a function of the user's own.
ArmLike = str | Callable[..., Any]


def play(
    suite: str,
    cases: Place | Sequence[Place] = (),
    *,
    arms: str | Sequence[str] | Mapping[str, ArmLike] = (),
    folder: Place | None = None,
    only: str | Sequence[str] = (),
    trials: int = 1,
    seed: int = 0,
    limit: int | None = None,
    limits: Limits | None = None,
    fresh: bool = False,
    config: Place | None = None,
    quiet: bool = False,
    **options: Any,
) -> Run:
    """Play cases with systems, and score the conversations, as `adjudge play` does.

    `cases` are files (none: the sample of the suite). `arms` are written as on the command line, or given by name:
    `{"mine": my_function, "rules": "rules"}`, where a function takes messages and returns a text, or takes a view and
    returns a `Said`. `options` are those of the suite, of its roles (`user="agenda"`) and of the tools (`model`,
    `judge`, ...). Without `folder` the run lives in a temporary folder until the program ends.

    >>> import adjudge as aj
    >>> run = aj.play("service", arms={"echo": lambda messages: messages[-1]["content"]}, limit=1, only="inform")
    >>> run.arms, len(run.scores())
    (['echo'], 1)
    """
    labels, functions = _split_arms(arms)
    setup = find_setup(suite)
    counterparts = {role.name: options.pop(role.name) for role in setup.roles if options.get(role.name)}
    plan = PlayPlan(
        suite=suite,
        files=tuple(map(str, [cases] if isinstance(cases, str | os.PathLike) else cases)),
        generate=options.pop("generate", None),
        arms=labels,
        functions=functions,
        counterparts=counterparts,
        prompts=options.pop("prompts", None),
        trials=trials,
        seed=seed,
        limit=limit,
        limits=limits,
    )
    given = split_options(options, setup.options, suite, play)
    check_metrics(suite, as_names(only))
    playing = Playing.open(structs.replace(plan, options=given.suite), load_tools(given.tools, config), given.asking)
    playing.announce(quiet)
    kept = TemporaryFolder() if folder is None else None
    with play_progress_for(quiet) as shown:
        played = playing.play(kept.path if kept else run_folder(os.fspath(folder or "")), fresh, shown)
    scoring = playing.scoring(played, as_names(only))
    for line in (*playing.prepared.warnings.lines(), *scoring.remarks()):
        print(f"warning: {line}", file=sys.stderr)
    with progress_for(quiet) as progress:
        scoring.run(fresh=fresh or given.asking.refresh, progress=progress)
    return Run(played.folder, kept)


@dataclass(frozen=True)
class Playing:
    """A play that is prepared: everything it names has been looked up, and nothing is played yet."""

    prepared: PreparedPlay
    loaded: LoadedSettings
    asking: Asking

    @classmethod
    def open(cls, plan: PlayPlan, loaded: LoadedSettings, asking: Asking) -> Playing:
        """Prepare a play; raises BadInput where something is unknown, missing or broken, a judge included."""
        open_toolbox(loaded, asking)
        models = Models(loaded.settings, os.environ, asking.refresh, asking.replay)
        plan = structs.replace(plan, models=dict(map(_part_and_model, loaded.settings.model)))
        return cls(prepare(plan, models), loaded, asking)

    def estimate(self, metrics: Sequence[str] = (), metric_files: Sequence[str] = ()) -> list[str]:
        """What playing and scoring with these metrics would take, a sentence for each model and judge."""
        with self._sample() as sample:
            scoring = self.scoring(sample.played, metrics, metric_files).scoring
            return [*_playing_usage(sample), *scoring.estimate(sample.scale), sample.basis]

    def estimate_playing(self) -> list[str]:
        """What playing alone would take, a sentence for each model."""
        with self._sample() as sample:
            return [*_playing_usage(sample), sample.basis] if sample.usage else _playing_usage(sample)

    @contextmanager
    def _sample(self) -> Iterator[SampledPlay]:
        from adjudge.play.estimate import play_sample

        with TemporaryDirectory() as folder:
            yield play_sample(self.prepared, Path(folder) / "sample")

    def announce(self, quiet: bool = False) -> None:
        """Say where prompts will go."""
        if not self.asking.replay:
            announce(self.prepared.models.destinations(), structs.replace(self.loaded, from_file=()), quiet)

    def play(self, folder: Path, fresh: bool = False, progress: PlayProgress = show_nothing) -> Played:
        """Play into a folder, or go on where an earlier attempt stopped."""
        return play_into(self.prepared, folder, fresh or self.asking.refresh, progress)

    def scoring(self, played: Played, metrics: Sequence[str] = (), metric_files: Sequence[str] = ()) -> PlayedScoring:
        """The conversations, ready to be scored with what playing has left of the budget."""
        spent = sum(self.prepared.models.usage.values(), Usage())
        return PlayedScoring.open(played, open_toolbox(self.loaded, self.asking, spent), metrics, metric_files)


@dataclass(frozen=True)
class PlayedScoring:
    """The conversations of a played run, read and surveyed, and not scored yet."""

    played: Played
    scoring: Scoring

    @classmethod
    def open(
        cls,
        played: Played,
        toolbox: Toolbox,
        metrics: Sequence[str] = (),
        metric_files: Sequence[str] = (),
        engine: Engine = HERE,
        keep: str = "all",
        store: Store = "json",
    ) -> PlayedScoring:
        """Read the conversations of a play."""
        manifest = played.manifest
        options = {**manifest.options, **{name: value for name, value in manifest.places.items() if name != "files"}}
        plan = Plan(
            suite=manifest.suite,
            files=(str(played.folder / CONVERSATIONS),),
            options=dict(find_setup(manifest.suite).scoring(options)),
            metrics=chosen_names(metrics),
            metric_files=tuple(metric_files),
            keep=keep,
            store=store,
        )
        return cls(played, Scoring.open(plan, toolbox, engine=engine))

    def remarks(self) -> list[str]:
        """A sentence for each judge that also played: judges prefer their own replies."""
        arms = {
            label: {_model_name(model) for model in arm.models.values()}
            for label, arm in self.played.manifest.arms.items()
        }
        return [
            f"the judge {name} also played in {', '.join(labels)}: judges prefer their own replies"
            for name, spec in self.scoring.toolbox.specs.items()
            if (labels := [label for label, models in arms.items() if _model_name(spec.model) in models])
        ]

    def run(self, *, fresh: bool = False, progress: Progress | None = None) -> Run:
        """Score into the folder of the play; earlier scores are replaced where what is scored or how has changed."""
        from adjudge.engines.survey import quiet

        return self.scoring.run(self.played.folder, fresh=self._starts_over(fresh), progress=progress or quiet)

    def _starts_over(self, fresh: bool) -> bool:
        """Whether scores are made anew. The conversations stay what they are."""
        from adjudge.engines.manifest import manifest_of

        folder = Path(self.played.folder)
        if fresh or not (folder / MANIFEST).exists():
            return fresh
        return bool(read_manifest(folder).differences(manifest_of(self.scoring.job, self.scoring.inventory)))


def _playing_usage(sample: SampledPlay) -> list[str]:
    return sample.usage or ["no arm asks a model; playing would send nothing"]


def check_metrics(suite: str, metrics: Sequence[str], metric_files: Sequence[str] = ()) -> None:
    """Raise BadInput where a metric is unknown or a file of metrics broken, before anything is played."""
    plan = Plan(suite=suite, files=(), metrics=chosen_names(metrics), metric_files=tuple(metric_files))
    choose_metrics(find_suite(suite), plan)


def _part_and_model(text: str) -> tuple[str, str]:
    """The part and the model of `PART=MODEL`; the part is empty for a model alone."""
    part, equals, model = text.partition("=")
    return (part, model) if equals and ":" not in part else ("", text)


def _split_arms(
    arms: str | Sequence[str] | Mapping[str, ArmLike],
) -> tuple[tuple[str, ...], dict[str, Callable[..., Any]]]:
    """The arms as they are written, and the functions among them by their label."""
    if not isinstance(arms, Mapping):
        return as_names(arms), {}
    functions = {label: arm for label, arm in arms.items() if not isinstance(arm, str)}
    texts = [label if label in functions or label == arm else f"{label}={arm}" for label, arm in arms.items()]
    return tuple(texts), functions


def _model_name(name: str) -> str:
    """A model's name without its provider and address: "openai:gpt-4.1 at http://..." is gpt-4.1."""
    return name.partition(" at ")[0].rpartition(":")[2]
