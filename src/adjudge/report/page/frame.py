"""What all pages share: templates that escape everything, one style sheet, and a policy that lets nothing else in."""

from __future__ import annotations

from base64 import b64encode
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from adjudge.report import contrasts, words
from adjudge.report.page import breakdowns, forest, legible, method

if TYPE_CHECKING:
    from jinja2 import Environment

_SHEETS = ("page.css", "plots.css", "print.css")


def render(template: str, **view: Any) -> bytes:
    """A page as one file that needs no other."""
    from markupsafe import Markup

    sheet = _sheet()
    digest = b64encode(sha256(sheet.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; img-src data:; base-uri 'none'; form-action 'none'"
    page = _templates().get_template(template)
    return page.render(sheet=Markup(sheet), policy=policy, **view).encode()


@cache
def _sheet() -> str:
    folder = files(__package__)
    return "\n".join((folder / "templates" / name).read_text("utf-8") for name in _SHEETS)


@cache
def _templates() -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    made = Environment(
        loader=PackageLoader(__package__ or ""),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters |= {"name": legible.name, "visible": legible.visible, "plural": words.plural, "figure": words.figure}
    made.globals |= {
        "contrasts": contrasts,
        "signs": forest.SIGNS,
        "words": words,
        "method": method,
        "shade": breakdowns.shade,
        "passage": legible.passage,
    }
    return made
