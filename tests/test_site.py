"""The documentation as a site: it builds without network, every link leads somewhere, and search works in the files."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from functools import partial
from html.parser import HTMLParser
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

import pytest

from browser import Visit, started, visit_address
from workspace import made_once

if TYPE_CHECKING:
    from playwright.sync_api import Browser

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
# One page of each kind, in the order of the tabs.
KINDS = (
    "index.html",
    "guides/compare.html",
    "suites/service.html",
    "reference/command-line/score.html",
    "reference/python/verbs.html",
    "reference/metrics/service/inform.html",
    "decisions/index.html",
)
# Pages that a list leads to, which is in the navigation itself.
LISTED = re.compile(r"(reference/metrics/\w+|decisions)/\w")


# What a small site leaves out: other pages have the same form, and what is read from sources takes long.
LEFT_OUT = ("gallery", "0*.md", "decision", "patient", "team", "trip", "python")


@pytest.fixture(scope="module")
def small_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site with some pages of each kind, made once for all workers; links to the other pages lead nowhere."""

    def make(folder: Path) -> None:
        build_site(folder, shutil.ignore_patterns(*LEFT_OUT))

    return made_once(tmp_path_factory, "small-site", make) / "site"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The whole site, in which every link must lead somewhere."""
    root = tmp_path_factory.mktemp("checkout")
    build_site(root, None, "--strict")
    return root / "site"


def build_site(root: Path, ignore: Callable[..., set[str]] | None, *options: str) -> None:
    """Build a site. A proxy that nobody serves stands before the network, so that a build that asks it fails."""
    pytest.importorskip("zensical", reason="zensical is not installed: pip install '.[docs]'")
    for name in ("zensical.toml", "CHANGELOG.md"):
        shutil.copy(ROOT / name, root)
    shutil.copytree(DOCS, root / "docs", ignore=ignore)
    (root / "src").symlink_to(ROOT / "src", target_is_directory=True)
    nowhere = {"http_proxy": "http://127.0.0.1:9", "https_proxy": "http://127.0.0.1:9"}
    command = [sys.executable, "-m", "zensical", "build", "--clean", *options]
    environment = os.environ | nowhere | {"PYTHONPATH": str(root / "docs")}
    done = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One browser for all tests of the site."""
    with started() as browser:
        yield browser


class Page(HTMLParser):
    """The anchors of a page, what it links to, and what it loads."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.feed(path.read_text("utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.anchors |= {given[name] for name in ("id", "name") if name in given}
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        elif tag == "link" or "src" in given:
            self.loads.append(given.get("src", given.get("href", "")))


@pytest.mark.trial
def test_every_link_and_anchor_of_the_site_leads_somewhere(site: Path) -> None:
    pages = {path.resolve(): Page(path) for path in site.rglob("*.html") if path.name != "404.html"}
    assert len(pages) > 300
    for path, page in pages.items():
        for link in (*page.links, *page.loads):
            parts = urlsplit(link)
            if parts.scheme:
                assert link in page.links, f"{path}: loads {link}"
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            target = target / "index.html" if target.is_dir() else target
            assert target.exists(), f"{path}: {link}: no such file"
            if parts.fragment and target in pages:
                assert unquote(parts.fragment) in pages[target].anchors | {"__top"}, f"{path}: {link}: no such anchor"


@pytest.mark.slow
def test_pages_open_from_files_without_network_errors_or_overflow(small_site: Path, browser: Browser) -> None:
    check_pages(small_site, browser, KINDS[::3])


@pytest.mark.trial
def test_a_page_of_every_kind_opens_from_files(site: Path, browser: Browser) -> None:
    check_pages(site, browser, KINDS)


def check_pages(site: Path, browser: Browser, kinds: tuple[str, ...]) -> None:
    for number, kind in enumerate(kinds):
        address = (site / kind).resolve().as_uri()
        with visit_address(browser, address, width=(360, 1280, 1920)[number % 3], dark=number % 2 == 1) as page:
            page.page.wait_for_load_state("load")
            assert page.said == [], kind
            assert [asked for asked in page.asked if not asked.startswith(("file:", "data:"))] == [], kind
            assert page.overflow() <= 0, kind
            assert page.page.locator("h1").is_visible(), kind


@pytest.mark.slow
def test_search_works_in_files_and_on_a_server(small_site: Path, browser: Browser) -> None:
    with served(small_site) as address:
        for start in ((small_site / "index.html").resolve().as_uri(), f"{address}/index.html"):
            with visit_address(browser, start) as page:
                assert "joint_goal_accuracy" in search(page, "joint goal accuracy")
                assert page.said == []
                page.page.keyboard.press("Enter")
                page.page.wait_for_url("**/*joint_goal_accuracy*")


def search(page: Visit, words: str) -> str:
    """What the search box shows first for some words."""
    box = page.page.locator("input[role=combobox]")
    box.wait_for(state="attached")  # The key is heard once the script has made the box.
    page.page.keyboard.press("Control+k")
    box.fill(words)
    first = page.page.locator("ol li a").first
    first.wait_for()
    return str(first.inner_text())


class served:  # noqa: N801
    """A folder on a server of this machine, as a context manager."""

    def __init__(self, folder: Path) -> None:
        handler = partial(Quiet, directory=str(folder))
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), handler)

    def __enter__(self) -> str:
        Thread(target=self.server.serve_forever, daemon=True).start()
        return f"http://127.0.0.1:{self.server.server_port}"

    def __exit__(self, *_: object) -> None:
        self.server.shutdown()
        self.server.server_close()


class Quiet(SimpleHTTPRequestHandler):
    """Serves files and logs nothing."""

    def log_message(self, format: str, *args: object) -> None:
        """Log nothing."""


def test_every_page_is_in_the_navigation_or_in_a_list() -> None:
    settings = tomllib.loads((ROOT / "zensical.toml").read_text("utf-8"))
    listed = set(addresses(settings["project"]["nav"]))
    pages = {page.relative_to(DOCS).as_posix() for page in DOCS.rglob("*.md")}
    assert {page for page in pages if not LISTED.match(page) or page in listed} == listed


def addresses(entry: object) -> Iterator[str]:
    """The pages of a navigation, whatever their depth."""
    if isinstance(entry, str):
        yield entry
    elif isinstance(entry, dict):
        yield from addresses(list(entry.values()))
    elif isinstance(entry, list):
        for part in entry:
            yield from addresses(part)


def test_the_colours_are_those_of_the_view_pages() -> None:
    view = (ROOT / "src/adjudge/report/page/tokens.css").read_text("utf-8")
    tokens = re.findall(r"--[\w-]+: #\w+;", (DOCS / "assets" / "site.css").read_text("utf-8"))
    assert tokens
    assert [token for token in tokens if token not in view] == []
