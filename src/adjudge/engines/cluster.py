"""Workers of a Dask cluster: one that is there already, or one that is started on this machine."""

from __future__ import annotations

import asyncio
import time
import uuid
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from queue import Empty, Queue
from typing import TYPE_CHECKING, Any

from adjudge.core.errors import BadInput
from adjudge.core.install import install_command
from adjudge.core.version import __version__
from adjudge.engines.remote import FailedTaskError, do_task, own_build
from adjudge.engines.schedule import Attempt, Schedule
from adjudge.engines.workers import TRIES, Task

if TYPE_CHECKING:
    from distributed import Client, Future

# Tasks that may be done or under way ahead of the first one that is not done, for each thread of a worker.
AHEAD = 3
# Seconds to wait for the scheduler and the first worker; seconds without any worker after which a run is given up.
CONNECT, WITHOUT_WORKERS = 20, 60.0
# Seconds between two looks at the cluster while no task gets done.
LOOK = 2.0
# Seconds to fetch the result of a finished task, which is a few kilobytes.
FETCH = 30.0


class Cluster:
    """The workers of a cluster; without the address of a scheduler, `count` processes are started on this machine."""

    def __init__(self, scheduler: str, count: int) -> None:
        self.count = count
        self._scheduler = scheduler
        self._command = uuid.uuid4().hex
        self._client: Client | None = None
        self._local = ExitStack()

    def results(self, tasks: Iterable[Task]) -> Iterator[Any]:
        """The result of each task in the order of the tasks; `LostTask` where a task ended the workers that tried it.

        Raises BadInput if a task does, or if the cluster is lost.
        """
        client = self._connect()
        schedule, finished = Schedule(tasks), Queue[Any]()
        under_way: dict[str, tuple[Attempt, Future[Any]]] = {}
        while True:
            while (attempt := schedule.next_attempt(AHEAD * max(1, self._threads()))) is not None:
                future = self._submit(client, attempt)
                under_way[future.key] = attempt, future
                future.add_done_callback(finished.put)
            if schedule.has_result():
                yield schedule.next_result()
            elif under_way:
                attempt, future = under_way.pop(self._next_finished(finished).key)
                self._settle(attempt, future, schedule)
            else:
                return

    def close(self) -> None:
        """Leave the cluster and cancel the open tasks of this run; end the cluster if it was started here."""
        if self._client is not None:
            self._client.close()
            self._client = None
        self._local.close()

    def _connect(self) -> Client:
        if self._client is None:
            try:
                self._client = self._open()
            except ImportError:
                raise BadInput(f"--engine dask: needs Dask: {install_command('dask')}") from None
        return self._client

    def _open(self) -> Client:
        from distributed import Client
        from distributed.utils import LoopRunner

        place = self._scheduler or self._local.enter_context(_local_cluster(self.count))
        try:
            if self._scheduler:
                LoopRunner().run_sync(_reach, self._scheduler)
            client = Client(place, timeout=CONNECT, set_as_default=False)
            client.wait_for_workers(1, timeout=CONNECT)
        except (OSError, TimeoutError, ValueError) as error:
            raise BadInput(
                f"{self._name()}: no scheduler with a worker answers there within {CONNECT} s ({error}); "
                "start it with `dask scheduler`, and workers with `dask worker ADDRESS`"
            ) from None
        return client

    def _submit(self, client: Client, attempt: Attempt) -> Future[Any]:
        from distributed.client import ClosedClientError

        try:
            return client.submit(do_task, own_build(), self._command, attempt.task, pure=False)
        except (OSError, ClosedClientError):
            raise BadInput(self._lost_scheduler()) from None

    def _threads(self) -> int:
        """The number of tasks that the workers do at once."""
        assert self._client is not None
        try:
            workers = self._client.scheduler_info(n_workers=-1)["workers"]
        except (OSError, TimeoutError):
            raise BadInput(self._lost_scheduler()) from None
        return sum(worker["nthreads"] for worker in workers.values())

    def _next_finished(self, finished: Queue[Any]) -> Future[Any]:
        """The next future that is done; raises BadInput if the cluster is lost while it is awaited."""
        assert self._client is not None
        lonely_since: float | None = None
        while True:
            try:
                return finished.get(timeout=LOOK)
            except Empty:
                pass
            if self._client.status != "running":
                raise BadInput(self._lost_scheduler())
            lonely_since = None if self._threads() else lonely_since or time.monotonic()
            if lonely_since and time.monotonic() - lonely_since > WITHOUT_WORKERS:
                raise BadInput(
                    f"{self._name()}: no worker for {WITHOUT_WORKERS:.0f} s; start some, and run the same command "
                    "again to continue"
                )

    def _settle(self, attempt: Attempt, future: Future[Any], schedule: Schedule) -> None:
        """Note the result of a task, or put it before all others if its worker ended."""
        from distributed import KilledWorker

        if future.status == "cancelled":
            raise BadInput(self._lost_scheduler())
        if future.status == "lost":
            schedule.repeat(attempt)
            return
        try:
            error = future.exception(timeout=FETCH)
            result = None if error else future.result(timeout=FETCH)
        except TimeoutError:
            schedule.repeat(attempt)
            return
        if error is None:
            schedule.finish(attempt, result)
        elif isinstance(error, KilledWorker):
            schedule.try_again(attempt, f"killed on {error.last_worker.address}")
        elif isinstance(error, BadInput):
            raise BadInput(str(error))
        elif isinstance(error, FailedTaskError):
            raise error
        else:
            raise BadInput(
                f"{self._name()}: a worker cannot do the tasks of adjudge {__version__} "
                f"({type(error).__name__}: {error}); install the same version on all machines"
            )

    def _lost_scheduler(self) -> str:
        return (
            f"{self._name()}: the connection to the scheduler is lost; start it again if it has ended, and run the "
            "same command again to continue"
        )

    def _name(self) -> str:
        return f"--scheduler {self._scheduler}" if self._scheduler else "--engine dask"


async def _reach(scheduler: str) -> None:
    """Connect once; raises OSError where no scheduler answers, ValueError where the address is none.

    `Client` waits forever where another server answers, and cannot be closed after an address that is none.
    """
    from distributed import Security
    from distributed.comm import connect

    arguments = Security().get_connection_args("client")
    try:
        comm = await asyncio.wait_for(connect(scheduler, timeout=CONNECT, **arguments), CONNECT + 1)
    except TimeoutError:
        raise TimeoutError("what answers is no Dask scheduler; the port of its dashboard is another one") from None
    await comm.close()


@contextmanager
def _local_cluster(count: int) -> Iterator[Any]:
    """A cluster of processes on this machine, each of which does one task at a time."""
    import logging

    import dask
    from distributed import LocalCluster

    settings = {
        # A task is given up by `Schedule`, which counts the same.
        "distributed.scheduler.allowed-failures": TRIES,
        # Otherwise a worker that is just being replaced 15 s after it has ended is given up for good.
        "distributed.deploy.lost-worker-timeout": "1000 hours",
    }
    with (
        dask.config.set(settings),
        LocalCluster(
            n_workers=count,
            threads_per_worker=1,
            # A free port: the usual one may be taken, which Dask would warn of.
            dashboard_address="127.0.0.1:0",
            scheduler_kwargs={"dashboard": False},
            silence_logs=logging.CRITICAL,
        ) as cluster,
    ):
        yield cluster
