"""The addresses of pages: paths on the server, or files of a static export."""

from __future__ import annotations

from typing import Protocol
from urllib.parse import quote, urlencode

from adjudge.web.address import ListState

NO_STATE = ListState()


class PageLinks(Protocol):
    """What templates ask for; an empty address means that there is no such page."""

    @property
    def live(self) -> bool:
        """Whether there is a server behind the pages."""

    def static(self, name: str) -> str:
        """The style sheet or the script."""

    def runs(self) -> str:
        """The list of runs."""

    def run(self, run: str, anchor: str = "") -> str:
        """The overview of a run, or a metric in it."""

    def breakdown(self, run: str, metric: str, by: str) -> str:
        """A metric of a run by a facet."""

    def conversations(self, run: str, state: ListState = NO_STATE) -> str:
        """The conversations of a run."""

    def conversation(self, run: str, place: int, state: ListState = NO_STATE, anchor: str = "") -> str:
        """One conversation, as a place of a list."""

    def differences(self, run: str, a: str = "", b: str = "") -> str:
        """The cases in which two arms of a run differ."""

    def diff(self, a: tuple[str, int], b: tuple[str, int], anchor: str = "") -> str:
        """Two conversations side by side."""

    def compare(self, runs: list[str]) -> str:
        """The comparison of several runs."""

    def label(self, run: str, query: dict[str, str] | None = None) -> str:
        """The queue of labels of a run."""

    def report(self, run: str) -> str:
        """The report of a run as one page."""


class ServerLinks:
    """Paths on the server."""

    live = True

    def static(self, name: str) -> str:
        """The style sheet or the script."""
        return f"/static/{name}"

    def runs(self) -> str:
        """The list of runs."""
        return "/"

    def run(self, run: str, anchor: str = "") -> str:
        """The overview of a run, or a metric in it."""
        return f"/run/{run}" + (f"#{quote(anchor)}" if anchor else "")

    def breakdown(self, run: str, metric: str, by: str) -> str:
        """A metric of a run by a facet."""
        return f"/run/{run}?{urlencode({'metric': metric, 'by': by})}#by"

    def conversations(self, run: str, state: ListState = NO_STATE) -> str:
        """The conversations of a run."""
        return f"/run/{run}/conversations{state.query()}"

    def conversation(self, run: str, place: int, state: ListState = NO_STATE, anchor: str = "") -> str:
        """One conversation, as a place of a list."""
        return f"/run/{run}/c/{place}{state.query()}" + (f"#t{quote(anchor)}" if anchor else "")

    def differences(self, run: str, a: str = "", b: str = "") -> str:
        """The cases in which two arms of a run differ."""
        return f"/run/{run}/differences" + (f"?{urlencode({'a': a, 'b': b})}" if a or b else "")

    def diff(self, a: tuple[str, int], b: tuple[str, int], anchor: str = "") -> str:
        """Two conversations side by side."""
        return f"/diff/{a[0]}/{a[1]}/{b[0]}/{b[1]}" + (f"#{anchor}" if anchor else "")

    def compare(self, runs: list[str]) -> str:
        """The comparison of several runs."""
        return f"/compare?{urlencode([('run', run) for run in runs])}"

    def label(self, run: str, query: dict[str, str] | None = None) -> str:
        """The queue of labels of a run."""
        return f"/run/{run}/label" + (f"?{urlencode(query)}" if query else "")

    def report(self, run: str) -> str:
        """The report of a run as one page."""
        return f"/run/{run}/report"
