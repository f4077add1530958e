"""The terminal as verbs write to it: text from users and files cannot control it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TextIO, cast


class EscapedStream:
    """A text stream that spells out control characters; `raw` is the stream as it was, for those who style text."""

    def __init__(self, raw: TextIO) -> None:
        self.raw = raw

    def write(self, text: str) -> int:
        """Write a text with its control characters spelled out."""
        from adjudge.report.text import visible

        return self.raw.write(visible(text))

    def __getattr__(self, name: str) -> Any:
        return getattr(self.raw, name)


@contextmanager
def escaped_streams() -> Iterator[None]:
    """Spell out control characters in all that is printed, whoever prints it."""
    output, errors = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = _escape(output), _escape(errors)
    try:
        yield
    finally:
        if sys.stdout is not None:  # None: the reader of the output has left.
            sys.stdout = output
        sys.stderr = errors


def raw_stream(stream: TextIO) -> TextIO:
    """The stream for a console that writes styles and escapes text itself."""
    return stream.raw if isinstance(stream, EscapedStream) else stream


def _escape(stream: TextIO | None) -> TextIO:
    return cast(TextIO, stream and EscapedStream(stream))
