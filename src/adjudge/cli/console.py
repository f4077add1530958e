"""What verbs print on: a console for tables and a progress bar."""

from __future__ import annotations

import shutil
import sys
from typing import TYPE_CHECKING, Any

from adjudge.cli.streams import raw_stream

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text


def console_for(quiet: bool) -> Console:
    """The console tables go to."""
    from rich.console import Console

    from adjudge.report.text import visible

    class PipedConsole(Console):
        def render_str(self, text: str, **styles: Any) -> Text:
            return super().render_str(visible(text), **styles)

        def on_broken_pipe(self) -> None:
            raise SystemExit(0)  # Whoever read the output has seen enough.

    width = None if sys.stdout.isatty() else shutil.get_terminal_size((120, 24)).columns
    return PipedConsole(quiet=quiet, width=width, highlight=False, file=raw_stream(sys.stdout))


def progress_for(quiet: bool) -> Bar:
    """A progress bar on a terminal; nothing when quiet or elsewhere."""
    return Bar(quiet or not sys.stderr.isatty())


class Bar:
    """A progress bar that is called with stage, done and total."""

    def __init__(self, hidden: bool) -> None:
        self.hidden = hidden

    def __enter__(self) -> Bar:
        if not self.hidden:
            from rich.console import Console
            from rich.progress import Progress

            self.progress = Progress(console=Console(file=raw_stream(sys.stderr)), transient=True)
            self.progress.start()
            self.task = self.progress.add_task("reading", total=None)
        return self

    def __exit__(self, *_: object) -> None:
        if not self.hidden:
            self.progress.stop()

    def __call__(self, stage: str, done: int, total: int) -> None:
        """Show how far a stage has come."""
        # Only every 64th call redraws the bar.
        if not self.hidden and not done % 64:
            self.progress.update(self.task, description=stage, completed=done, total=total or None)
