"""A progress report with one line a folder of tests, alone or with pytest-xdist."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import PurePosixPath

import pytest

DOCTESTS = "src (examples in docstrings)"


class FolderProgress:
    """Prints failures at once, and the counts of a folder when its last test is done."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.waiting: Counter[str] = Counter()
        self.outcomes: dict[str, Counter[str]] = {}
        self.seconds: Counter[str] = Counter()
        self.total = 0

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Count the tests that this process runs itself."""
        self.expect(item.nodeid for item in session.items)

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, ids: list[str]) -> None:
        """Count the tests that the workers of pytest-xdist run; each worker collects all of them."""
        if not self.total:
            self.expect(ids)

    def expect(self, ids: Iterable[str]) -> None:
        """Note which folders have how many tests."""
        self.waiting.update(folder_of(id) for id in ids)
        self.total = self.waiting.total()

    @pytest.hookimpl(tryfirst=True)
    def pytest_report_teststatus(self, report: pytest.TestReport) -> tuple[str, str, str] | None:
        """Count a test without printing a letter for it."""
        if hasattr(report, "wasxfail") or (report.passed and report.when != "call"):
            return None
        return report.outcome, "", "FAILED" if report.failed else ""

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Count a result; print failures, and the folder's line after its last test."""
        folder = folder_of(report.nodeid)
        self.seconds[folder] += report.duration
        if report.failed:
            self.write(f"FAILED {report.nodeid} ({report.when})")
        if report.failed or report.skipped or report.when == "call":
            self.outcomes.setdefault(folder, Counter())[report.outcome] += 1
        if report.when == "teardown":
            self.waiting[folder] -= 1
            if not self.waiting[folder]:
                self.write(self.line(folder))

    def line(self, folder: str) -> str:
        """The line of a folder: how far all tests are, and how its own came out."""
        done = 1 - self.waiting.total() / self.total
        counts = ", ".join(f"{count:,} {outcome}" for outcome, count in sorted(self.outcomes[folder].items()))
        return f"{done:4.0%}  {folder:<32} {counts} ({self.seconds[folder]:.0f} s)"

    def write(self, line: str) -> None:
        """Print a line at once, also where the output is a file."""
        terminal = self.config.pluginmanager.get_plugin("terminalreporter")
        if terminal is not None:
            terminal.ensure_newline()
            terminal.write_line(line)
            terminal.flush()


def folder_of(id: str) -> str:
    """The folder of a test by its pytest id; all examples in docstrings count as one.

    >>> folder_of("tests/read/test_files.py::test_rows[a/b]")
    'tests/read'
    """
    path = PurePosixPath(id.partition("::")[0])
    return DOCTESTS if path.parts[0] == "src" else str(path.parent)
