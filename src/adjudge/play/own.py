"""A user's own system: a Python function or a command, which answers turn by turn in the background.

It is a tool like a model: the engine asks it and goes on with other conversations until it has answered.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from time import monotonic
from typing import Any, Protocol

from adjudge.core.ask import Reply
from adjudge.core.errors import BadInput, Unanswered
from adjudge.core.play import Said, View


@dataclass(frozen=True)
class OwnTurn:
    """A turn that a user's own system is to make; two are the same if they are the same turn of a conversation."""

    conversation: str
    turn: int
    view: View[Any] = field(compare=False, repr=False)

    @property
    def messages(self) -> list[dict[str, str]]:
        """The conversation as chat messages: the system's own turns are the assistant's, all others the user's."""
        own = self.view.participant
        return [
            {"role": "assistant" if turn.speaker == own else "user", "content": turn.text} for turn in self.view.turns
        ]

    def arguments(self, parameters: Sequence[str]) -> dict[str, Any]:
        """The arguments of a function for its parameters by name; a first one of another name gets the messages."""
        view = self.view
        known = {
            "messages": self.messages,
            "view": view,
            "case": view.case,
            "conversation": view.conversation,
            "trial": view.trial,
            "turn": view.turn,
        }
        arguments = {name: known[name] for name in parameters if name in known}
        first = parameters[0] if parameters else ""
        return {first: known["messages"], **arguments} if first and first not in known else arguments


class OwnSystem(Protocol):
    """Answers turns, one at a time in each worker."""

    def worker(self) -> Worker:
        """A worker; each thread has its own."""


class Worker(Protocol):
    """What answers turns in one thread."""

    def answer(self, turn: OwnTurn) -> Said[Any]:
        """What the system says; raises `Unanswered` where it fails, BadInput where it cannot be used at all."""

    def abandon(self) -> None:
        """End the current turn, whose time is over; called from another thread."""


class _Task:
    """A turn in the hands of a worker."""

    def __init__(self, turn: OwnTurn) -> None:
        self.turn = turn
        self.is_over = False


class OwnAnswerer:
    """Answers turns in threads, at most `concurrency` at once, each within `timeout` seconds.

    A thread that is over its time is left to itself, and another takes its place.
    """

    withheld = ""

    def __init__(self, system: OwnSystem, concurrency: int, timeout: float) -> None:
        self._system = system
        self._concurrency = concurrency
        self._timeout = timeout
        self._turns: queue.SimpleQueue[OwnTurn | None] = queue.SimpleQueue()
        self._ready: queue.SimpleQueue[tuple[OwnTurn, Reply | BadInput] | None] = queue.SimpleQueue()
        self._workers: list[Worker] = []
        self._threads = 0
        self._lock = threading.Lock()

    def ask(self, requests: Iterable[OwnTurn], asker: str = "") -> None:
        """Take turns without waiting for what is said in them."""
        for turn in requests:
            self._turns.put(turn)
            if self._threads < self._concurrency:
                self._threads += 1
                self._start()

    def wait(self) -> list[tuple[OwnTurn, Reply]]:
        """Wait for at least one reply; nothing once the answerer is closed."""
        taken = [self._ready.get()]
        while not self._ready.empty():
            taken.append(self._ready.get())
        ready = []
        for item in taken:
            if item is None:
                continue
            turn, reply = item
            if isinstance(reply, BadInput):
                raise reply
            ready.append((turn, reply))
        return ready

    def close(self) -> None:
        """End every worker."""
        self._ready.put(None)
        for _ in range(self._threads):
            self._turns.put(None)
        for worker in self._workers:
            worker.abandon()

    def _start(self) -> None:
        # A daemon, so that a function that never returns does not keep the command from ending.
        threading.Thread(target=self._work, name="adjudge-own-system", daemon=True).start()

    def _work(self) -> None:
        try:
            worker = self._system.worker()
        except BadInput as error:
            if (turn := self._turns.get()) is not None:
                self._ready.put((turn, error))
            return
        self._workers.append(worker)
        while (turn := self._turns.get()) is not None:
            task = _Task(turn)
            timer = threading.Timer(self._timeout, self._give_up, (task, worker))
            timer.daemon = True
            timer.start()
            started = monotonic()
            reply = _reply_of(worker.answer, turn, started)
            timer.cancel()
            if not self._settle(task, reply):
                return  # Another thread has taken the place of this one.

    def _give_up(self, task: _Task, worker: Worker) -> None:
        """Answer a turn whose time is over, and let another thread go on."""
        why = f"no reply within {self._timeout:g} s"
        if self._settle(task, Reply(Unanswered("timeout", why), seconds=self._timeout, attempts=1)):
            worker.abandon()
            self._start()

    def _settle(self, task: _Task, reply: Reply | BadInput) -> bool:
        """Deliver the reply to a turn, once; False where it has been delivered before."""
        with self._lock:
            if task.is_over:
                return False
            task.is_over = True
        self._ready.put((task.turn, reply))
        return True


def _reply_of(answer: Callable[[OwnTurn], Said[Any]], turn: OwnTurn, started: float) -> Reply | BadInput:
    try:
        outcome: object = answer(turn)
    except BadInput as error:
        return error
    except Unanswered as failure:
        outcome = failure
    except BaseException as error:  # A function may leave by sys.exit(), which would only end its thread.
        outcome = Unanswered("error", f"{type(error).__name__}: {error}")
    return Reply(outcome, seconds=monotonic() - started, attempts=1)
