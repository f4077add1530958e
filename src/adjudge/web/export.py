"""The pages written as files that work without a server: preset orders, and no search."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from msgspec import Struct, structs

from adjudge.core.errors import BadInput
from adjudge.report.comparison import words as contrast_words
from adjudge.report.run import words as run_words
from adjudge.web import frame
from adjudge.web.address import ListState, worst_first
from adjudge.web.catalogue import Catalogue, RunEntry
from adjudge.web.links import NO_STATE
from adjudge.web.opened import OpenRun, open_run
from adjudge.web.pages.comparison import comparison_view
from adjudge.web.pages.conversation import conversation_view
from adjudge.web.pages.conversations import PAGE, conversations_view
from adjudge.web.pages.diff import diff_view
from adjudge.web.pages.run import run_view
from adjudge.web.pages.runs import runs_view

# A policy for files: frame-ancestors is left out, because it does not count in a page itself.
POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'"
)
STATIC = ("view.css", "view.js")
# A site of more conversations than so many would fill a disk with pages that nobody opens.
LARGEST = 20_000


class FileLinks(Struct, frozen=True):
    """The addresses of files, seen from a page that lies so many folders deep."""

    depth: int
    orders: dict[str, set[str]]
    diffs: dict[tuple[str, int, str, int], str]
    live: bool = False

    def _up(self, path: str) -> str:
        return f"{'../' * self.depth}{path}"

    def static(self, name: str) -> str:
        """The style sheet or the script."""
        return self._up(f"static/{name}")

    def runs(self) -> str:
        """The list of runs."""
        return self._up("index.html")

    def run(self, run: str, anchor: str = "") -> str:
        """The overview of a run, or a metric in it."""
        return self._up(f"{run}/index.html") + (f"#{anchor}" if anchor else "")

    def breakdown(self, run: str, metric: str, by: str) -> str:
        """There are no other breakdowns than the first."""
        return ""

    def conversations(self, run: str, state: ListState = NO_STATE) -> str:
        """The conversations of a run in the order that comes closest; filters are left out."""
        order = state.sort if state.sort in self.orders.get(run, ()) else ""
        return self._up(f"{run}/{list_file(order, state.page if not state.filters else 1)}")

    def conversation(self, run: str, place: int, state: ListState = NO_STATE, anchor: str = "") -> str:
        """One conversation."""
        return self._up(f"{run}/c/{place}.html") + (f"#t{anchor}" if anchor else "")

    def differences(self, run: str, a: str = "", b: str = "") -> str:
        """The cases in which the first two arms of a run differ."""
        return self._up(f"{run}/differences.html")

    def diff(self, a: tuple[str, int], b: tuple[str, int], anchor: str = "") -> str:
        """Two conversations side by side, if the page is written."""
        name = self.diffs.get((*a, *b), "")
        return self._up(name) + (f"#{anchor}" if anchor else "") if name else ""

    def compare(self, runs: list[str]) -> str:
        """There is no page to pick runs on."""
        return ""

    def label(self, run: str, query: dict[str, str] | None = None) -> str:
        """Nobody can label without a server."""
        return ""

    def report(self, run: str) -> str:
        """The report is another file."""
        return ""


def export_site(root: Path, target: Path) -> int:
    """Write the pages of all runs below a folder; how many were written."""
    if target.exists() and any(target.iterdir()) and not (target / "static" / STATIC[0]).is_file():
        raise BadInput(f"{target}: not empty and no site of an earlier export; name a new folder")
    entries = Catalogue(root).entries()
    if not any(not entry.problem for entry in entries):
        raise BadInput(f"{root}: no run there that can be read; expected a folder with runs made by `adjudge score`")
    for name in STATIC:
        _write(target / "static" / name, frame.static_file(name))
    view = runs_view(entries, {})
    _write_page(target / "index.html", "runs.html", FileLinks(0, {}, {}), root=root.name, **view)
    return 1 + sum(_export_run(entry, target) for entry in entries if not entry.problem)


def list_file(order: str, page: int) -> str:
    """The file of a page of the list in an order.

    >>> list_file("", 1), list_file("-hallucination", 2)
    ('conversations.html', 'conversations-hallucination-down-2.html')
    """
    name = order.removeprefix("-")
    parts = ["conversations", name, "down" if order.startswith("-") else "", str(page) if page > 1 else ""]
    return "-".join(filter(None, parts)) + ".html"


def _export_run(entry: RunEntry, target: Path) -> int:
    with open_run(entry) as run:
        if run.index.count > LARGEST:
            raise BadInput(f"{entry.folder}: {run.index.count:,} conversations; an export has at most {LARGEST:,}")
        orders = ["", "case", "-wrong", *(worst_first(card) for card in run.primary)]
        pairs = dict(_diff_pairs(run))
        links = FileLinks(1, {entry.id: set(orders)}, pairs)
        folder, pages = target / entry.id, 1
        view = run_view(run, {}) | {"live": False}
        wrong_first = ListState(sort="-wrong")
        _write_page(folder / "index.html", "run.html", links, run_words=run_words, wrong_first=wrong_first, **view)
        if len(run.arms) > 1 and entry.manifest is not None:
            compared = comparison_view([run], {})
            shown = {"contrast_words": contrast_words, "narrowed": ""} | compared
            _write_page(folder / "differences.html", "comparison.html", links, **shown)
            pages += 1
        for order in orders:
            pages += _export_list(run, ListState(sort=order), orders, links, folder)
        deeper = structs.replace(links, depth=2)
        for place in range(run.index.count):
            view = conversation_view(run, place, NO_STATE)
            _write_page(folder / "c" / f"{place}.html", "conversation.html", deeper, **view)
        for (_, a, _, b), name in pairs.items():
            _write_page(target / name, "diff.html", deeper, **diff_view(run, a, run, b))
        return pages + run.index.count + len(pairs)


def _export_list(run: OpenRun, state: ListState, orders: list[str], links: FileLinks, folder: Path) -> int:
    pages = max(-(-run.index.count // PAGE), 1)
    titles = {"": "as scored", "case": "case", "-wrong": "wrong marks, most first"}
    for page in range(1, pages + 1):
        view = conversations_view(run, state.at_page(page)) | {"live": False}
        presets = [
            (titles.get(order, f"{order.removeprefix('-')}, worst first"), list_file(order, 1)) for order in orders
        ]
        _write_page(folder / list_file(state.sort, page), "conversations.html", links, presets=presets, **view)
    return pages


def _diff_pairs(run: OpenRun) -> Iterator[tuple[tuple[str, int, str, int], str]]:
    """The first arm against each other arm on every case, as pairs of places with the file of their page."""
    if len(run.arms) < 2 or run.entry.manifest is None:
        return
    arms, trials, names = run.index.column("arm"), run.index.column("trial"), run.index.words("arm")
    if run.arms[0] not in names:  # None of its conversations are kept.
        return
    first = names.index(run.arms[0])
    for place in np.flatnonzero(arms == first).tolist():
        (listed,) = run.index.list_conversations([place])
        for other in run.index.places_of_case(listed.case):
            if other != place and trials[other] == trials[place] and arms[other] != first:
                name = f"{run.entry.id}/d/{place}-{other}.html"
                yield (run.entry.id, place, run.entry.id, other), name


def _write_page(path: Path, template: str, links: FileLinks, **view: object) -> None:
    _write(path, frame.render(template, links, policy=POLICY, **view))


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.part")
    part.write_bytes(content)
    os.replace(part, path)
