"""A user's own Python function as the system under test."""

from __future__ import annotations

import asyncio
import importlib.util
import inspect
import sys
import threading
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

from adjudge.core.errors import BadInput
from adjudge.core.play import Said
from adjudge.play.own import OwnTurn

EXPECTED = "expected py:FILE.py:FUNCTION"


def load_function(text: str) -> Callable[..., Any]:
    """The function that `FILE.py:FUNCTION` names."""
    file, _, name = text.rpartition(":")
    path = Path(file)
    if not file or not name:
        raise BadInput(f"py:{text}: {EXPECTED}")
    spec = importlib.util.spec_from_file_location(f"adjudge_own_{path.stem}", path)
    if not path.is_file() or spec is None or spec.loader is None:
        raise BadInput(f"py:{text}: no Python file {file!r}; {EXPECTED}")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # Types that are declared in the file look their module up.
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise BadInput(f"{path}: cannot be imported: {type(error).__name__}: {error}") from error
    function = getattr(module, name, None)
    if not callable(function):
        names = [key for key, value in vars(module).items() if inspect.isfunction(value)]
        raise BadInput(f"{path}: no function {name!r}; it has {', '.join(names) or 'none'}")
    return function  # type: ignore[no-any-return]


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
        result = self.function(**self._arguments(turn))
        if inspect.iscoroutine(result):
            result = self._await(result)
        if isinstance(result, str):
            return Said(result)
        if isinstance(result, Said):
            return result
        raise BadInput(
            f"{self.name} returned {result!r} in case {turn.view.case!r}, turn {turn.turn}; expected a text or a Said"
        )

    def abandon(self) -> None:
        """A function cannot be ended; its thread is left to itself."""

    def _arguments(self, turn: OwnTurn) -> dict[str, Any]:
        view = turn.view
        known = {
            "messages": turn.messages,
            "view": view,
            "case": view.case,
            "conversation": view.conversation,
            "trial": view.trial,
            "turn": view.turn,
        }
        arguments = {name: known[name] for name in self.parameters if name in known}
        first = self.parameters[0] if self.parameters else ""
        return {first: turn.messages, **arguments} if first and first not in known else arguments

    def _await(self, coroutine: Coroutine[Any, Any, Any]) -> Any:
        return asyncio.run_coroutine_threadsafe(coroutine, self._running_loop()).result()

    def _running_loop(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                threading.Thread(target=self._loop.run_forever, name="adjudge-own-loop", daemon=True).start()
            return self._loop
