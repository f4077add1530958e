"""The frame of a page: templates that escape everything, one style sheet, and a policy that loads nothing else."""

from __future__ import annotations

from base64 import b64encode
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from adjudge.report import text, words
from adjudge.report.page import definitions
from adjudge.report.page.verdict import WORDS

if TYPE_CHECKING:
    from jinja2 import BaseLoader, Environment


def render(template: str, **view: Any) -> bytes:
    """A page as one file that needs no other; the template is named by its path below the package `report`."""
    from markupsafe import Markup

    sheet = _report_sheet()
    digest = b64encode(sha256(sheet.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; img-src data:; base-uri 'none'; form-action 'none'"
    page = _templates().get_template(template)
    return page.render(sheet=Markup(sheet), policy=policy, **view).encode()


def style_sheet(own: str) -> str:
    """The tokens and components that all pages share, with the rules of some pages of their own."""
    shared = [(files(__package__) / name).read_text("utf-8") for name in ("tokens.css", "components.css", "plots.css")]
    return "\n".join([*shared, own, (files(__package__) / "print.css").read_text("utf-8")])


def make_environment(loader: BaseLoader) -> Environment:
    """Templates with the filters and words that all pages share."""
    from jinja2 import Environment, StrictUndefined

    environment = Environment(
        loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters |= {
        "name": text.short_name,
        "visible": text.visible,
        "plural": words.plural,
        "figure": words.figure,
        "percent": lambda share: f"{share:.2f}%",
    }
    environment.globals |= {"words": words, "definitions": definitions, "passage": text.passage, "verdicts": WORDS}
    return environment


@cache
def _report_sheet() -> str:
    return style_sheet((files(__package__) / "report.css").read_text("utf-8"))


@cache
def _templates() -> Environment:
    from jinja2 import PackageLoader

    return make_environment(PackageLoader("adjudge.report", ""))
