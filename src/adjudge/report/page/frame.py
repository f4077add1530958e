"""The frame of a page: templates that escape everything, one style sheet, and a policy that loads nothing else."""

from __future__ import annotations

from base64 import b64encode
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from adjudge.report import text, words
from adjudge.report.page import definitions

if TYPE_CHECKING:
    from jinja2 import Environment

_SHEETS = ("page.css", "plots.css", "print.css")


def render(template: str, **view: Any) -> bytes:
    """A page as one file that needs no other; the template is named by its path below the package `report`."""
    from markupsafe import Markup

    sheet = _sheet()
    digest = b64encode(sha256(sheet.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; img-src data:; base-uri 'none'; form-action 'none'"
    page = _templates().get_template(template)
    return page.render(sheet=Markup(sheet), policy=policy, **view).encode()


@cache
def _sheet() -> str:
    folder = files(__package__)
    return "\n".join((folder / name).read_text("utf-8") for name in _SHEETS)


@cache
def _templates() -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("adjudge.report", ""),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "name": text.short_name,
        "visible": text.visible,
        "plural": words.plural,
        "figure": words.figure,
    }
    environment.globals |= {"words": words, "definitions": definitions, "passage": text.passage}
    return environment
