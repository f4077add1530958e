"""Formulas, in blocks of the language `math` as on GitHub: LaTeX becomes MathML, which needs no script."""

from __future__ import annotations

from typing import Any

from latex2mathml.converter import convert


def formula(source: str, language: str, css_class: str, options: dict[str, Any], md: Any, **kwargs: Any) -> str:
    """The MathML of a fenced block, for pymdownx.superfences."""
    return f'<div class="formula">{convert(source, display="block")}</div>'
