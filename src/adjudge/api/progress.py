"""Progress of long work: a bar in a terminal or a notebook, nothing elsewhere."""

from __future__ import annotations

import sys
import time
from html import escape
from typing import Any, Protocol

from adjudge.report.streams import raw_stream

# Seconds between two drawings.
INTERVAL = 0.1


class ProgressBar(Protocol):
    """A progress bar within a `with` block."""

    def __enter__(self) -> ProgressBar:
        """Begin to show it."""

    def __exit__(self, *_: object) -> None:
        """Take it away."""

    def show(self, text: str, done: int, total: int) -> None:
        """Show a text, and how much of the total is done; 0 if the total is not known."""


class ScoringProgress:
    """The progress of reading and scoring, called with stage, done and total."""

    def __init__(self, bar: ProgressBar) -> None:
        self._bar = bar

    def __enter__(self) -> ScoringProgress:
        self._bar.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.__exit__()

    def __call__(self, stage: str, done: int, total: int) -> None:
        """Show how far a stage has come."""
        self._bar.show(stage, done, total)


def progress_for(quiet: bool) -> ScoringProgress:
    """The progress of scoring, where it can be shown."""
    return ScoringProgress(bar_for(quiet, "reading"))


def bar_for(quiet: bool, text: str) -> ProgressBar:
    """A bar in a notebook or on a terminal; one that shows nothing when quiet or elsewhere."""
    if quiet:
        return NoBar()
    if in_notebook():
        return NotebookBar()
    return TerminalBar(text) if sys.stderr is not None and sys.stderr.isatty() else NoBar()


def in_notebook() -> bool:
    """Whether this code runs in the kernel of a notebook."""
    if "IPython" not in sys.modules:
        return False
    shell = sys.modules["IPython"].get_ipython()
    return type(shell).__name__ == "ZMQInteractiveShell"


class NoBar:
    """A bar that nobody sees."""

    def __enter__(self) -> NoBar:
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing to take away."""

    def show(self, text: str, done: int, total: int) -> None:
        """Show nothing."""


class TerminalBar:
    """A bar on the terminal that is gone when the work is done."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._drawn = 0.0

    def __enter__(self) -> TerminalBar:
        from rich.console import Console
        from rich.progress import Progress

        self._progress = Progress(console=Console(file=raw_stream(sys.stderr)), transient=True)
        self._progress.start()
        self._task = self._progress.add_task(self._text, total=None)
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()

    def show(self, text: str, done: int, total: int) -> None:
        """Draw the bar, at most ten times a second."""
        if (now := time.monotonic()) - self._drawn >= INTERVAL:
            self._drawn = now
            self._progress.update(self._task, description=text, completed=done, total=total or None)


class NotebookBar:
    """A bar below a cell, as HTML that is replaced; it needs no widgets. It is gone when the work is done."""

    def __init__(self) -> None:
        self._drawn = 0.0
        self._handle: Any = None

    def __enter__(self) -> NotebookBar:
        return self

    def __exit__(self, *_: object) -> None:
        if self._handle is not None:
            self._handle.update({"text/html": "", "text/plain": ""}, raw=True)

    def show(self, text: str, done: int, total: int) -> None:
        """Draw the bar, at most ten times a second."""
        if (now := time.monotonic()) - self._drawn < INTERVAL:
            return
        self._drawn = now
        shown = bar_html(text, done, total)
        if self._handle is None:
            from IPython.display import display

            self._handle = display(shown, raw=True, display_id=True)  # type: ignore[no-untyped-call]
        else:
            self._handle.update(shown, raw=True)


def bar_html(text: str, done: int, total: int) -> dict[str, str]:
    """A bar as notebooks show it.

    >>> bar_html("scoring", 3, 4)["text/html"]
    '<progress value="3" max="4"></progress> scoring, 3 of 4'
    """
    words = f"{text}, {done:,}{f' of {total:,}' if total else ''}"
    measure = f'value="{done}" max="{total}"' if total else ""
    return {"text/html": f"<progress {measure}></progress> {escape(words)}", "text/plain": words}
