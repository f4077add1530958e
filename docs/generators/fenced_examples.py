"""A griffe extension: sets the examples of docstrings as code.

Docstrings have their examples as plain doctest lines, which Markdown would take for quotations.
"""

from __future__ import annotations

from typing import Any

from griffe import Extension, Object


class FencedExamples(Extension):
    """Puts a fence around each paragraph of a docstring that begins with `>>>`."""

    def on_object(self, *, obj: Object, **kwargs: Any) -> None:
        """Rewrite the docstring of an object."""
        if obj.docstring:
            obj.docstring.value = fence_examples(obj.docstring.value)


def fence_examples(text: str) -> str:
    """The text with its examples fenced.

    >>> print(fence_examples("Add.\\n\\n>>> 1 + 1\\n2"))
    Add.
    <BLANKLINE>
    ```pycon
    >>> 1 + 1
    2
    ```
    """
    paragraphs = text.split("\n\n")
    return "\n\n".join(f"```pycon\n{part}\n```" if part.lstrip().startswith(">>> ") else part for part in paragraphs)
