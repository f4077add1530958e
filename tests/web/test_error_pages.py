"""A page that cannot be made says so, and what to do; only the terminal says how it came about."""

from __future__ import annotations

import pytest
from serving import Served

from adjudge.web import frame


def fail(*_: object) -> str:
    """A view with a fault."""
    raise KeyError("what the fault is about")


def fault_in_template(patched: pytest.MonkeyPatch) -> None:
    """Put a fault into the template of runs."""
    made = frame.environment()
    template, find = made.from_string("{{ run.what_the_fault_is_about }}"), made.get_template
    patched.setattr(made, "get_template", lambda name, *rest: template if name == "run.html" else find(name, *rest))


@pytest.mark.parametrize("part", ["template", "view"])
def test_a_fault_gives_a_page_of_our_own(
    served: Served, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], part: str
) -> None:
    with monkeypatch.context() as patched:
        if part == "template":
            fault_in_template(patched)
        else:
            patched.setattr("adjudge.web.server.run_view", fail)
        answer, page = served.ask(served.run("small"))

    assert answer.status == 500
    assert answer.headers["content-security-policy"].startswith("default-src 'none'")
    assert "<h1>This page could not be made</h1>" in page
    assert "Load the page again" in page
    assert "Traceback" not in page
    assert "fault_is_about" not in page.replace(" ", "_")
    printed = capsys.readouterr().err
    assert "Traceback" in printed
    assert "fault_is_about" in printed.replace(" ", "_")
    assert "Primary metrics" in served.page(served.run("small"))


def test_a_fault_in_the_middle_of_a_search_ends_the_page_with_a_note(
    served: Served, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("adjudge.web.pages.conversations._line", fail)
    page = served.page(f"{served.run('small')}/conversations?q=pizza")

    assert "The page ends here" in page
    assert "Traceback" not in page
    assert "what the fault is about" in capsys.readouterr().err
