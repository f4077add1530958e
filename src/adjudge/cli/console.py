"""The console on which verbs print tables."""

from __future__ import annotations

import shutil
import sys
from typing import TYPE_CHECKING, Any

from adjudge.report.streams import raw_stream

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
