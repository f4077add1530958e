"""Pages in a real browser: nothing fails, nothing is asked for, nothing runs over the edge."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from example_run import ROWS, card, make_run, manifest

from adjudge.cli.main import main
from adjudge.core.coverage import ArmCoverage, Coverage
from adjudge.core.mark import Mark, Score, ScoreRow
from adjudge.report.run.page import run_page
from adjudge.run import RECORDS, Run
from adjudge.suites.decision import suite as decision
from adjudge.suites.trip import suite as trip
from browser import Visit, started, visit
from workspace import made_once, service_sample

if TYPE_CHECKING:
    from playwright.sync_api import Browser

ATTACK = "<script>document.title='taken'</script><img src=x onerror=\"document.title='taken'\">\u202edesrever\u2066"
LONG = "x" * 100_000
WIDTHS = (360, 1400)
SCREENS = (360, 800, 1100, 1400, 1920)

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with started() as found:
        yield found


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The pages of the samples that come with the suites, made once for all workers."""
    scored = service_sample(tmp_path_factory)
    folder = made_once(tmp_path_factory, "sample-pages", lambda folder: make_pages(folder, scored))
    names = {suite: folder / f"{suite}.html" for suite in ("service", "decision", "trip")}
    return names | {f"{suite} compared": folder / f"{suite}-compare.html" for suite in ("service", "decision")}


def make_pages(folder: Path, scored: Path) -> None:
    """Write the pages about the samples; that of trips has many parts of the system and many arms."""
    cards = [metric.card for metric in trip.metrics() if not metric.card.needs]
    first = {card.probes[0]: card.name for card in reversed(cards) if card.probes}
    few = ["--metrics", ",".join([*first.values(), "satisfaction_strict"])]
    assert main(["score", "trip", str(trip.sample), "-o", str(folder / "trip"), "-q", *few]) == 0
    assert main(["score", "decision", str(decision.sample), "-o", str(folder / "decision"), "-q"]) == 0
    for run in (scored, folder / "decision", folder / "trip"):
        assert main(["report", str(run), "-o", str(folder / f"{run.name}.html"), "-q"]) == 0
    for run in (scored, folder / "decision"):
        assert main(["compare", str(run), "-o", str(folder / f"{run.name}-compare.html"), "-q"]) == 0


def hostile(folder: Path) -> Path:
    run = make_run(folder / "run", [ScoreRow(row.case, f"{row.arm}{ATTACK}", row.scores) for row in ROWS], manifest())
    turns = [{"id": str(place), "speaker": ATTACK, "text": text} for place, text in enumerate((ATTACK, LONG, "end"))]
    record = {"id": "a", "turns": turns, "facts": {ATTACK: [ATTACK, {LONG: LONG}]}, LONG: LONG}
    (run.folder / RECORDS).write_bytes((msgspec.json.encode(record) + b"\n") * len(ROWS))
    page = folder / "page.html"
    page.write_bytes(run_page(run))
    return page


def dialogues(folder: Path, number: int) -> Run:
    """So many dialogues of eight turns by two arms, with ten metrics over their turns."""
    dice = random.Random(1)
    cards = {f"metric_{place}": card(f"metric_{place}", probes=(f"part {place % 3}",)) for place in range(10)}

    def score() -> Score:
        return Score.of([Mark(float(dice.random() < 0.7), "slot", str(turn), "said so " * 5) for turn in range(8)])

    rows = [
        ScoreRow(f"d{place}", arm, {name: score() for name in cards}) for place in range(number) for arm in ("a", "b")
    ]
    arms = {arm: ArmCoverage(number, number, number * 8, number * 8) for arm in ("a", "b")}
    run = make_run(folder, rows, manifest(cards=cards, coverage=Coverage(arms=arms)))
    turns = [{"id": str(turn), "speaker": "user", "text": "I would like a table for two. " * 4} for turn in range(8)]
    lines = (msgspec.json.encode({"id": row.case, "arm": row.arm, "turns": turns}) + b"\n" for row in rows)
    (folder / RECORDS).write_bytes(b"".join(lines))
    return run


def contrast(found: Visit, selector: str) -> Any:
    """The colours of a text and of the page behind it."""
    return found.page.evaluate(
        "s => [getComputedStyle(document.querySelector(s)).color, getComputedStyle(document.body).backgroundColor]",
        selector,
    )


@pytest.mark.parametrize("name", ["service", "service compared", "decision", "decision compared"])
def test_a_page_opens_without_a_word_or_a_request(browser: Browser, demo: dict[str, Path], name: str) -> None:
    with visit(browser, demo[name], WIDTHS[0]) as found:
        for width in WIDTHS:
            found.page.set_viewport_size({"width": width, "height": 900})
            assert found.overflow() <= 0
            assert found.seen("h1")
            assert found.seen(".answer")
        for scheme, ground in (("light", "rgb(253, 253, 252)"), ("dark", "rgb(19, 20, 22)")):
            found.page.emulate_media(color_scheme=scheme)
            assert contrast(found, "h2")[1] == ground
            assert contrast(found, "h2")[0] != ground
        missing = found.page.evaluate(
            "[...document.querySelectorAll('a')].map(a => a.getAttribute('href'))"
            ".filter(href => href[0] !== '#' || !document.getElementById(href.slice(1)))"
        )
        assert missing == []
        assert found.said == []
        assert found.asked == [demo[name].resolve().as_uri()]


def test_the_whole_navigation_is_seen_at_every_width_and_leads_to_its_sections(
    browser: Browser, demo: dict[str, Path]
) -> None:
    with visit(browser, demo["trip"], SCREENS[0]) as found:
        for width in SCREENS:
            found.page.set_viewport_size({"width": width, "height": 900})
            entries = found.page.evaluate("[...document.querySelectorAll('nav a')].map(a => a.getBoundingClientRect())")

            assert len(entries) > 20
            assert all(0 <= entry["left"] < entry["right"] <= width for entry in entries)
            assert found.overflow() <= 0
        for width in (360, 1100):
            found.page.set_viewport_size({"width": width, "height": 900})
            found.page.evaluate("scrollTo(0, 0)")
            found.page.locator("nav a", has_text="Welfare").click()
            title = found.page.locator("h2", has_text="welfare").bounding_box()
            navigation = found.page.locator("nav").bounding_box()

            assert title["y"] >= navigation["y"] + navigation["height"]
            assert title["y"] < 450


def test_key_numbers_are_seen_with_their_intervals_and_cases_open_by_link(
    browser: Browser, demo: dict[str, Path]
) -> None:
    with visit(browser, demo["service"], WIDTHS[0]) as found:
        for width in WIDTHS:
            found.page.set_viewport_size({"width": width, "height": 900})
            row = found.page.locator("#first tbody tr").first

            assert row.locator("svg .interval").first.bounding_box()["width"] > 2
            assert row.locator("svg .value").first.bounding_box()["height"] > 5
            assert row.locator("td.cell").first.inner_text().count("–") == 1
            for text in ("#first td.cell b", "#first td.cell small"):
                size = found.page.evaluate(
                    "s => parseFloat(getComputedStyle(document.querySelector(s)).fontSize)", text
                )
                assert size >= 10
        found.page.goto(demo["service"].resolve().as_uri() + "#case-3")
        found.page.wait_for_function("document.querySelector('#case-3').parentElement.open")

        assert found.page.locator("#case-3").is_visible()


def test_hostile_text_is_text_and_breaks_nothing(browser: Browser, tmp_path: Path) -> None:
    page = hostile(tmp_path)
    with visit(browser, page, WIDTHS[0]) as found:
        found.page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")

        assert found.overflow() <= 0
        found.page.set_viewport_size({"width": WIDTHS[1], "height": 900})
        assert found.overflow() <= 0
        assert found.said == []
        assert found.asked == [page.resolve().as_uri()]
        assert found.page.title() == "service: run"
        assert "<script>document.title='taken'</script>" in found.page.locator("#case-0 .said").first.inner_text()
        assert "⟦U+202E⟧desrever⟦U+2066⟧" in found.page.locator("#case-0 .said").first.inner_text()
        assert "98,000 characters left out" in found.page.locator("#case-0 .said").nth(1).inner_text()
    assert page.stat().st_size < 1_000_000


def test_a_thousand_dialogues_stay_small_and_open(browser: Browser, tmp_path: Path, record_property: Any) -> None:
    page = tmp_path / "page.html"
    page.write_bytes(run_page(dialogues(tmp_path / "run", 500)))
    began = time.perf_counter()
    with visit(browser, page, 1400) as found:
        record_property("seconds to open", time.perf_counter() - began)
        assert found.said == []
        assert found.seen(".answer")
    assert page.stat().st_size < 5_000_000


def overlaps(found: Visit) -> Any:
    """The arms whose signs leave their figure or the window."""
    return found.page.evaluate(
        "[...document.querySelectorAll('#wishes details[open] figure')].filter(figure => {"
        " const right = figure.querySelector('table').getBoundingClientRect().right;"
        " return right > figure.getBoundingClientRect().right + 1 || right > innerWidth;"
        "}).map(figure => figure.textContent)"
    )


def test_signs_of_wishes_fit_on_a_phone_and_on_paper(browser: Browser, demo: dict[str, Path]) -> None:
    with visit(browser, demo["trip"], 360) as found:
        assert overlaps(found) == []
        found.page.emulate_media(media="print")
        found.page.set_viewport_size({"width": 690, "height": 900})
        assert overlaps(found) == []


def test_paper_has_what_is_folded_on_the_screen(browser: Browser, demo: dict[str, Path]) -> None:
    with visit(browser, demo["service"], 1400) as found:
        found.page.emulate_media(media="print")
        found.page.set_viewport_size({"width": 690, "height": 900})  # A4 without its margins.

        assert found.overflow() <= 0
        assert found.page.locator("#case-3").bounding_box()["height"] > 50
        assert not found.page.locator("nav").is_visible()
        assert len(found.page.pdf(format="A4")) > 10_000
