"""A real Dask cluster: a scheduler and workers in processes of their own."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import psutil


class DaskCluster:
    """A scheduler and its workers; each worker has a nanny that replaces it when it ends."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = 0
        self.workers: list[subprocess.Popen[bytes]] = []
        self.scheduler = self.start_scheduler()

    @property
    def address(self) -> str:
        return f"tcp://127.0.0.1:{self.port}"

    def start_scheduler(self) -> subprocess.Popen[bytes]:
        """Start the scheduler, at the same address as before if there was one."""
        known = self.folder / "scheduler.json"
        known.unlink(missing_ok=True)
        arguments = ["--host", "127.0.0.1", "--port", str(self.port), "--scheduler-file", str(known), "--no-dashboard"]
        process = self.start("dask_scheduler", *arguments)
        wait_until(lambda: known.exists() and known.stat().st_size > 0)
        self.port = int(json.loads(known.read_text())["address"].rpartition(":")[2])
        return process

    def add_worker(self, folder: Path | None = None, **environment: str) -> None:
        arguments = ["--nthreads", "1", "--no-dashboard", "--memory-limit", "0", "--local-directory", str(self.folder)]
        process = self.start("dask_worker", self.address, *arguments, folder=folder, environment=environment)
        self.workers.append(process)

    def start(
        self, module: str, *arguments: str, folder: Path | None = None, environment: dict[str, str] | None = None
    ) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", f"distributed.cli.{module}", *arguments]
        with (self.folder / "log.txt").open("ab") as log:
            return subprocess.Popen(
                command,
                cwd=folder or self.folder,
                env={**os.environ, **(environment or {})},
                stdout=subprocess.DEVNULL,
                stderr=log,
            )

    def working(self) -> list[int]:
        """The processes that do the tasks, which the nannies have started."""
        nannies = [psutil.Process(worker.pid) for worker in self.workers if worker.poll() is None]
        return [
            child.pid for nanny in nannies for child in nanny.children() if "spawn_main" in " ".join(child.cmdline())
        ]

    def kill_workers(self, count: int) -> None:
        for pid in self.working()[:count]:
            os.kill(pid, signal.SIGKILL)

    def replace_lost_workers(self) -> None:
        """Start a worker for each that has ended; workers end when they do not find their scheduler again."""
        count = len(self.workers)
        self.workers = [worker for worker in self.workers if worker.poll() is None]
        for _ in range(count - len(self.workers)):
            self.add_worker()

    def kill_scheduler(self) -> None:
        self.scheduler.kill()
        self.scheduler.wait()

    def close(self) -> None:
        self.close_workers()
        kill_family(self.scheduler)

    def close_workers(self) -> None:
        """End all workers with the nannies that would replace them."""
        for worker in self.workers:
            kill_family(worker)
        self.workers = []


def kill_family(process: subprocess.Popen[bytes]) -> None:
    """Kill a process and all that it has started."""
    family = [] if process.poll() is not None else psutil.Process(process.pid).children(recursive=True)
    process.kill()
    process.wait()
    for child in family:
        with suppress(psutil.NoSuchProcess):
            child.kill()


def wait_until(holds: Callable[[], bool], seconds: float = 60) -> None:
    """Wait for a condition."""
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.05)


def running(folder: Path, workers: int) -> Iterator[DaskCluster]:
    """A cluster for a fixture."""
    cluster = DaskCluster(folder)
    try:
        for _ in range(workers):
            cluster.add_worker()
        yield cluster
    finally:
        cluster.close()
