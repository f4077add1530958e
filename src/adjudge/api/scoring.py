"""Score conversations: from files or values in memory to a run."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from adjudge.api.inputs import input_files, name_values_in
from adjudge.api.options import as_names, split_options
from adjudge.api.progress import progress_for
from adjudge.api.runs import Place, Run, TemporaryFolder
from adjudge.api.tools import announce, load_tools, open_toolbox
from adjudge.core.errors import BadInput
from adjudge.core.garbage import no_garbage_collection
from adjudge.core.selection import ALL
from adjudge.engines.choice import WORTH_SHARING, Engine, EngineName
from adjudge.engines.job import Job
from adjudge.engines.local import score_job
from adjudge.engines.rows import unsplit_files
from adjudge.engines.survey import Inventory, Progress, quiet, survey
from adjudge.engines.workers import Workers
from adjudge.read.addresses import refuse_address
from adjudge.score import Plan, find_suite
from adjudge.tools.toolbox import Toolbox

# As many processes on this machine as pay off.
HERE = Engine()


@no_garbage_collection()
def score(
    suite: str,
    conversations: Any,
    *,
    only: str | Sequence[str] = (),
    folder: Place | None = None,
    jobs: int | None = None,
    engine: EngineName = "local",
    scheduler: str = "",
    fresh: bool = False,
    skip_bad: bool = False,
    on_duplicate: Literal["error", "first", "last"] = "error",
    lenient: bool = False,
    keep: str = "all",
    store: Literal["json", "parquet"] = "json",
    metrics_file: Place | Sequence[Place] = (),
    config: Place | None = None,
    quiet: bool = False,
    **options: Any,
) -> Run:
    """Score conversations with the metrics of a suite, as `adjudge score` does.

    `conversations` are files or folders, or values in memory: a list of dicts or records, or a DataFrame. `only` names
    the metrics. Without `folder`, the run lives in a temporary folder until the program ends; `run.save` keeps it. With
    a folder, the same call again continues a run that was stopped. `jobs` is the number of processes (None: as many as
    pay off on this machine), and `engine="dask"` shares the work with the cluster of a `scheduler`. `keep` says how
    much the run keeps: "all", "worst", "worst:50" or "tallies", and `store` the format of its scores. `options` are
    those of the suite (`predictions`, `match`, ...) and of the tools (`judge`, `judge_url`, `max_cost`, `replay`, ...),
    by the names they have on the command line; settings from the environment and `adjudge.toml` hold as there.

    >>> import json
    >>> import adjudge as aj
    >>> conversations = [json.loads(line) for line in aj.demo("service").records()]
    >>> run = aj.score("service", conversations, only=["task_completion"], match="strict")
    >>> [f"{row.arm} {row.value:.2f}" for row in run.table()]
    ['five-agents 0.83', 'one-agent 0.75']
    """
    given = split_options(options, find_suite(suite).options, suite, score)
    loaded = load_tools(given.tools, config)
    toolbox = open_toolbox(loaded, given.asking)
    if not given.asking.replay:
        announce(toolbox.destinations(), loaded, quiet)
    with input_files(conversations) as files, progress_for(quiet) as progress:
        plan = Plan(
            suite=suite,
            files=files,
            options={**given.suite, "lenient": lenient},
            metrics=chosen_names(as_names(only)),
            metric_files=tuple(map(str, _places(metrics_file))),
            on_duplicate=on_duplicate,
            skip_bad=skip_bad,
            keep=keep,
            store=store,
        )
        scoring = Scoring.open(plan, toolbox, progress, Engine(engine, jobs, scheduler))
        name_values_in(scoring.inventory.coverage, files)
        return scoring.run(folder, fresh=fresh or given.asking.refresh, progress=progress)


@dataclass(frozen=True)
class Scoring:
    """Records that have been read and surveyed, and are not scored yet; `workers` share the work if there are some."""

    job: Job
    inventory: Inventory
    toolbox: Toolbox
    workers: Workers | None = None

    @classmethod
    def open(cls, plan: Plan, toolbox: Toolbox, progress: Progress = quiet, engine: Engine = HERE) -> Scoring:
        """Read everything once; raises BadInput with all that is bad."""
        job = Job.open(engine.prepare(plan), toolbox)
        workers = engine.workers(job)
        try:
            return cls(job, survey(job, progress, workers), toolbox, workers)
        except BaseException:
            if workers is not None:
                workers.close()
            raise

    def remarks(self) -> list[str]:
        """A sentence for each large file that cannot be shared between workers."""
        files = unsplit_files(self.inventory.shards, WORTH_SHARING) if self.workers else []
        return [
            f"{file}: cannot be split, so one process reads it; plain JSON lines or Parquet can be" for file in files
        ]

    def estimate(self, scale: float = 1.0) -> list[str]:
        """What asking would take, a sentence for each judge, if there were `scale` times as many records."""
        from adjudge.api.estimates import estimate

        return estimate(self.job, self.inventory, self.toolbox, scale)

    def size_remarks(self) -> list[str]:
        """What a large run that keeps everything will take on the disk, in a sentence."""
        from adjudge.run.size import expected_bytes, size_remark

        return size_remark(expected_bytes(self.job.source.files)) if self.job.plan.keep == "all" else []

    def run(self, folder: Place | None = None, *, fresh: bool = False, progress: Progress = quiet) -> Run:
        """Score into a folder, or a temporary one."""
        kept = TemporaryFolder() if folder is None else None
        place = kept.path if kept else run_folder(os.fspath(folder or ""))
        try:
            tallies = score_job(
                self.job, place, workers=self.workers, fresh=fresh, inventory=self.inventory, progress=progress
            )
        finally:
            if self.workers is not None:
                self.workers.close()
        return Run(place, kept, tallies)


def demo(suite: str, *, folder: Place | None = None, only: str | Sequence[str] = (), fresh: bool = False) -> Run:
    """Score the sample that comes with a suite, offline; people's labels are its judge where there are some.

    >>> import adjudge as aj
    >>> aj.demo("service", only="task_completion").arms
    ['five-agents', 'one-agent']
    """
    from adjudge.tools.settings import LABELS, ToolSettings

    found_suite = find_suite(suite)
    judge = (f"{LABELS}{found_suite.sample_labels}",) if found_suite.sample_labels else ()
    plan = Plan(suite=suite, files=(str(found_suite.sample),), metrics=chosen_names(as_names(only)))
    return Scoring.open(plan, Toolbox(ToolSettings(judge=judge), {})).run(folder, fresh=fresh)


def chosen_names(names: Sequence[str]) -> tuple[str, ...]:
    """The names of metrics in a plan; none stands for all."""
    return () if ALL in names else tuple(names)


def run_folder(given: str) -> Path:
    """The run folder, if it can be one."""
    refuse_address(given, "a folder for the run", "copy the run there when it is finished")
    if not given or os.path.isfile(given):
        raise BadInput(f"-o {given!r}: {'is a file' if given else 'is empty'}; expected a folder for the run")
    return Path(given)


def _places(given: Place | Sequence[Place]) -> Sequence[Place]:
    return [given] if isinstance(given, str | os.PathLike) else given
