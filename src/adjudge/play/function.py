"""A user's own Python function as the system under test."""

from __future__ import annotations

import asyncio
import inspect
import threading
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import msgspec

from adjudge.core.errors import BadInput, Unanswered
from adjudge.core.play import Said
from adjudge.play.messages import said_of_messages
from adjudge.play.own import OwnTurn
from adjudge.read.python_file import load_module

EXPECTED = "expected py:FILE.py:FUNCTION"


def load_function(text: str) -> Callable[..., Any]:
    """The function that `FILE.py:FUNCTION` names."""
    file, _, name = text.rpartition(":")
    path = Path(file)
    if not file or not name:
        raise BadInput(f"py:{text}: {EXPECTED}")
    module = load_module(path, "adjudge_own", f"py:{text}: no Python file {file!r}; {EXPECTED}")
    function = getattr(module, name, None)
    if not callable(function):
        names = [key for key, value in vars(module).items() if inspect.isfunction(value)]
        raise BadInput(f"{path}: no function {name!r}; it has {', '.join(names) or 'none'}")
    return function  # type: ignore[no-any-return]


def as_said(result: object, name: str, turn: OwnTurn) -> Said[Any]:
    """What a function returned as a `Said`; raises BadInput where it is none, `Unanswered` for text that is no text."""
    content = Said(result) if isinstance(result, str) else said_of_messages(result) or result
    where = f"in case {turn.view.case!r}, turn {turn.turn}"
    if not isinstance(content, Said):
        raise BadInput(f"{name} returned {result!r} {where}; expected a text, a Said, or chat messages")
    try:
        msgspec.json.encode(content)
    except UnicodeEncodeError as error:
        raise Unanswered("parse_error", f"returned something that is not text: {error}") from None
    except (TypeError, ValueError, RecursionError) as error:
        raise BadInput(
            f"{name} returned a value that cannot be kept {where}: {error}; expected values of JSON"
        ) from error
    return content


class OwnFunction:
    """A function that takes messages and returns a text, or takes a view and returns a `Said`; sync or async.

    Its parameters are matched by name: `messages`, `view`, `case`, `conversation`, `trial`, `turn`. A first parameter
    of any other name gets the messages. All async functions run in one event loop, since their clients are bound to it.
    """

    def __init__(self, name: str, function: Callable[..., Any]) -> None:
        self.name = name
        self.function = function
        self.parameters = list(inspect.signature(function).parameters)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._lock = threading.Lock()

    def worker(self) -> OwnFunction:
        """The function itself, which all threads may call."""
        return self

    def answer(self, turn: OwnTurn) -> Said[Any]:
        """What the function says; raises BadInput where it returns something else."""
        result = self.function(**turn.arguments(self.parameters))
        if inspect.iscoroutine(result):
            result = self._await(result)
        return as_said(result, self.name, turn)

    def abandon(self) -> None:
        """A function cannot be ended; its thread is left to itself."""

    def _await(self, coroutine: Coroutine[Any, Any, Any]) -> Any:
        return asyncio.run_coroutine_threadsafe(coroutine, self._running_loop()).result()

    def _running_loop(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                threading.Thread(target=self._loop.run_forever, name="adjudge-own-loop", daemon=True).start()
            return self._loop
