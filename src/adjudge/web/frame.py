"""The frame of all pages: templates that escape everything, and the words they use."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from adjudge.core.version import __version__
from adjudge.report.page.frame import make_environment, style_sheet
from adjudge.web.links import PageLinks

if TYPE_CHECKING:
    from jinja2 import Environment

# Where pages may get anything from: themselves only. No frame may show them, and no form may lead elsewhere.
POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)


def render(template: str, links: PageLinks, **view: Any) -> bytes:
    """A page as HTML."""
    return environment().get_template(template).render(links=links, **view).encode("utf-8", "replace")


def render_parts(template: str, links: PageLinks, **view: Any) -> Iterator[bytes]:
    """A page in parts, as far as they are ready."""
    for part in environment().get_template(template).generate(links=links, **view):
        yield part.encode("utf-8", "replace")


def load_templates() -> None:
    """Compile all templates, so that the first page of each kind does not have to wait for it."""
    for file in (files("adjudge.web") / "templates").iterdir():
        environment().get_template(file.name)


@cache
def static_file(name: str) -> bytes:
    """The script, or the style sheet with what the pages share with reports."""
    content = (files("adjudge.web") / "static" / name).read_text("utf-8")
    return (style_sheet(content) if name.endswith(".css") else content).encode()


@cache
def environment() -> Environment:
    """The templates with their filters."""
    from jinja2 import ChoiceLoader, PackageLoader

    loader = ChoiceLoader([PackageLoader("adjudge.web", "templates"), PackageLoader("adjudge.report", "")])
    made = make_environment(loader)
    made.filters |= {
        "short": short_value,
        "day": day_words,
        "commas": lambda number: f"{number:,}",
    }
    made.globals |= {"version": __version__}
    return made


def short_value(value: float) -> str:
    """A value with as many digits as fit beside a turn.

    >>> short_value(1.0), short_value(0.4), short_value(11842.0), short_value(-0.0001)
    ('1', '0.40', '11,842', '0')
    """
    rounded = round(value, 2) + 0.0  # Not -0.0.
    return f"{rounded:,.0f}" if rounded == int(rounded) else f"{rounded:,.2f}"


def day_words(stamp: str) -> str:
    """A time stamp to the minute.

    >>> day_words("2026-11-17T19:17:05+00:00")
    '2026-11-17 19:17'
    """
    return stamp[:16].replace("T", " ")
