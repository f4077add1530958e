"""Pages for tests: read as a tree of elements, or opened in a real browser."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

NAMES = ("chromium", "chromium-browser", "google-chrome")
FLAGS = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)
_tabs: WeakKeyDictionary[Browser, Page] = WeakKeyDictionary()
# What stands apart from what is before and behind it where it is read.
BLOCKS = ("p", "li", "tr", "td", "th", "small", "div", "h2", "h3", "h4", "summary", "dd", "dt", "text")
VOID = ("wbr", "meta", "link", "br", "hr", "img", "input")


class Element:
    """An element of a page with its attributes and what is in it."""

    def __init__(self, tag: str, attributes: dict[str, str], parent: Element | None = None) -> None:
        self.tag, self.attributes, self.parent = tag, attributes, parent
        self.content: list[Element | str] = []

    @property
    def text(self) -> str:
        """All text in it, white space made single."""
        return " ".join("".join(self._texts()).split())

    def all(self, tag: str = "", kind: str = "") -> Iterator[Element]:
        """The elements in it of a tag and a class, in order."""
        for child in self.content:
            if isinstance(child, Element):
                if tag in ("", child.tag) and (not kind or kind in child.attributes.get("class", "").split()):
                    yield child
                yield from child.all(tag, kind)

    def id(self, name: str) -> Element:
        """The element of an id; raises where there is not one."""
        (result,) = [item for item in self.all() if item.attributes.get("id") == name]
        return result

    def lines(self) -> list[list[str]]:
        """The cells of every line of the tables in it."""
        return [[cell.text for cell in row.content if isinstance(cell, Element)] for row in self.all("tr")]

    def _texts(self) -> Iterator[str]:
        for child in self.content:
            if isinstance(child, str):
                yield child
            else:
                apart = " " if child.tag in BLOCKS else ""
                yield apart
                yield from child._texts()
                yield apart


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.root = self.open = Element("", {})

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        made = Element(tag, {name: value or "" for name, value in attrs}, self.open)
        self.open.content.append(made)
        if tag not in VOID:
            self.open = made

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open.content.append(Element(tag, {name: value or "" for name, value in attrs}, self.open))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.tag == tag, f"<{self.open.tag}> closed by </{tag}>"
        assert self.open.parent is not None
        self.open = self.open.parent

    def handle_data(self, data: str) -> None:
        self.open.content.append(data)


def read(page: bytes) -> Element:
    """A page as a tree; raises where elements are not closed in order."""
    reader = _Reader()
    reader.feed(page.decode())
    reader.close()
    assert reader.open is reader.root
    return reader.root


class Visit:
    """A page opened in a browser: what it said on the console, and what it asked the network for."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self.said: list[str] = []
        self.asked: list[str] = []
        self._listeners: dict[str, Callable[[Any], None]] = {
            "console": lambda message: self.said.append(message.text),
            "pageerror": lambda error: self.said.append(str(error)),
            "request": lambda request: self.asked.append(request.url),
        }
        for event, listener in self._listeners.items():
            page.on(event, listener)

    def end(self) -> None:
        """Stop listening to the page."""
        for event, listener in self._listeners.items():
            self.page.remove_listener(event, listener)

    def overflow(self) -> int:
        """By how many pixels the page is wider than the window."""
        return int(self.page.evaluate("document.documentElement.scrollWidth - innerWidth"))

    def seen(self, selector: str) -> bool:
        """Whether an element is within the first screen."""
        box = self.page.locator(selector).first.bounding_box()
        return box is not None and box["y"] < self.page.viewport_size["height"] and box["height"] > 0


@contextmanager
def started() -> Iterator[Browser]:
    """A headless Chromium with a fresh profile; the test is skipped where there is none."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: pip install playwright")
    program = next(filter(None, map(shutil.which, NAMES)), None)
    if program is None:
        pytest.skip(f"none of {', '.join(NAMES)} is installed (Debian: apt-get install chromium)")
    with sync_api.sync_playwright() as driver:
        # Playwright starts it headless and gives it a new user-data-dir each time.
        browser = driver.chromium.launch(executable_path=program, args=list(FLAGS))
        try:
            yield browser
        finally:
            browser.close()


@contextmanager
def visit(browser: Browser, path: Path, width: int, dark: bool = False) -> Iterator[Visit]:
    """A page opened from its file in a window of a width."""
    scheme = "dark" if dark else "light"
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)  # type: ignore[arg-type]
    try:
        made = Visit(context.new_page())
        made.page.goto(path.resolve().as_uri())
        yield made
    finally:
        context.close()


@contextmanager
def visit_address(browser: Browser, address: str, width: int = 1400, dark: bool = False) -> Iterator[Visit]:
    """A page opened from a server in a window of a width, in the one tab that a browser has for such pages."""
    page = _tab(browser)
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(media="screen", color_scheme="dark" if dark else "light")
    made = Visit(page)
    try:
        page.goto(address)
        yield made
    finally:
        made.end()
        # The script of a page that stays open would go on asking its server, which may be gone.
        page.goto("about:blank")


def _tab(browser: Browser) -> Page:
    """The tab for pages of servers: to open a new one for each takes more time than what is tested in it."""
    if browser not in _tabs or _tabs[browser].is_closed():
        context = browser.new_context()
        context.set_default_timeout(60_000)
        _tabs[browser] = context.new_page()
    return _tabs[browser]
