"""Where a job runs: in this process, in several on this machine, or on a cluster."""

from __future__ import annotations

import os
from collections.abc import Iterable
from multiprocessing import current_process
from pathlib import Path
from typing import Any, Literal

from msgspec import Struct, structs

from adjudge.core.errors import BadInput
from adjudge.engines.job import Job
from adjudge.engines.processes import Processes
from adjudge.engines.workers import Workers
from adjudge.score import Plan, find_suite

EngineName = Literal["local", "dask"]
# Smaller inputs are scored in one process unless the user asks for more. A process takes half a second to start and to
# import everything, and the service suite scores 5 MiB a second: two processes are as fast as one at about 5 MiB.
WORTH_SHARING = 8 << 20


class Engine(Struct, frozen=True):
    """Where a job runs: `jobs` is the number of processes (None: as many as pay off), `scheduler` that of a cluster."""

    name: EngineName = "local"
    jobs: int | None = None
    scheduler: str = ""

    def prepare(self, plan: Plan) -> Plan:
        """The plan as workers on other machines can follow it: with absolute paths."""
        if not self.scheduler:
            return plan
        paths = {option.name for option in find_suite(plan.suite).options if option.is_path}
        options = {name: _absolute(value) if name in paths else value for name, value in plan.options.items()}
        return structs.replace(
            plan,
            files=tuple(map(_absolute, plan.files)),
            metric_files=tuple(map(_absolute, plan.metric_files)),
            options=options,
        )

    def workers(self, job: Job) -> Workers | None:
        """The workers for a job; None if it is done in this process."""
        if self.name == "dask":
            from adjudge.engines.cluster import Cluster

            return Cluster(self.scheduler, self.jobs or cores())
        if self.scheduler:
            raise BadInput(f"--scheduler {self.scheduler}: expected with --engine dask only; add it, or leave both out")
        jobs = self.jobs or (cores() if self.jobs == 0 or _is_worth_sharing(job.source.files) else 1)
        return Processes(jobs) if jobs > 1 and not current_process().daemon else None


def cores() -> int:
    """The number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _absolute(value: Any) -> Any:
    """A path, or each of several, as an absolute one; an address in object storage stays what it is."""
    if isinstance(value, list | tuple):
        return [_absolute(item) for item in value]
    return os.path.abspath(value) if isinstance(value, str | os.PathLike) and "://" not in str(value) else value


def _is_worth_sharing(files: Iterable[Path]) -> bool:
    return sum(path.stat().st_size for path in files if path.is_file()) >= WORTH_SHARING
