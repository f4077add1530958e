"""Pages in a real browser: nothing fails, nothing is asked for, nothing runs over the edge."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
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
def pages(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], Visit]]:
    """Opens the page of a sample by name: made once for all workers, loaded once for all tests of a worker."""
    scored = service_sample(tmp_path_factory)
    folder = made_once(tmp_path_factory, "sample-pages", lambda folder: make_pages(folder, scored))
    visits: dict[str, Visit] = {}
    with ExitStack() as stack:

        def show(name: str, width: int = 1400) -> Visit:
            if name not in visits:
                visits[name] = stack.enter_context(visit(browser, folder / f"{name}.html", width))
            page = visits[name].page
            page.emulate_media(media="screen", color_scheme="light")
            page.set_viewport_size({"width": width, "height": 900})
            page.evaluate("scrollTo(0, 0)")
            return visits[name]

        yield show


def make_pages(folder: Path, scored: Path) -> None:
    """Write the pages about samples; that of trips has many parts of the system and many arms."""
    cards = [metric.card for metric in trip.metrics() if not metric.card.needs]
    first = {card.probes[0]: card.name for card in reversed(cards) if card.probes}
    few = ["--metrics", ",".join([*first.values(), "satisfaction_strict"])]
    assert main(["score", "trip", str(trip.sample), "-o", str(folder / "run"), "-q", *few]) == 0
    assert main(["report", str(folder / "run"), "-o", str(folder / "trip.html"), "-q"]) == 0
    assert main(["report", str(scored), "-o", str(folder / "service.html"), "-q"]) == 0
    assert main(["compare", str(scored), "-o", str(folder / "service-compared.html"), "-q"]) == 0


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


def check_page(seen: Visit) -> None:
    """The page fits, can be read in both schemes, has no dead link, and neither complains nor asks for anything."""
    for width in WIDTHS:
        seen.page.set_viewport_size({"width": width, "height": 900})
        assert seen.overflow() <= 0
        assert seen.seen("h1")
        assert seen.seen(".answer")
    for scheme, ground in (("light", "rgb(253, 253, 252)"), ("dark", "rgb(19, 20, 22)")):
        seen.page.emulate_media(color_scheme=scheme)
        assert contrast(seen, "h2")[1] == ground
        assert contrast(seen, "h2")[0] != ground
    missing = seen.page.evaluate(
        "[...document.querySelectorAll('a')].map(a => a.getAttribute('href'))"
        ".filter(href => href[0] !== '#' || !document.getElementById(href.slice(1)))"
    )
    assert missing == []
    assert seen.said == []
    assert {address.partition("#")[0] for address in seen.asked} == {seen.page.url.partition("#")[0]}


@pytest.mark.parametrize("name", ["service", "service-compared", "trip"])
def test_a_page_opens_without_a_word_or_a_request(pages: Callable[[str], Visit], name: str) -> None:
    check_page(pages(name))


@pytest.mark.trial
@pytest.mark.parametrize("suite", ["decision", "patient", "team"])
def test_pages_of_the_other_suites_open_without_a_word_or_a_request(
    browser: Browser, tmp_path: Path, suite: str
) -> None:
    assert main(["demo", suite, "-o", str(tmp_path / "run")]) == 0
    for verb in ("report", "compare"):
        assert main([verb, str(tmp_path / "run"), "-o", str(tmp_path / f"{verb}.html"), "-q"]) == 0
        with visit(browser, tmp_path / f"{verb}.html", WIDTHS[0]) as seen:
            check_page(seen)


def test_the_whole_navigation_is_seen_at_every_width(pages: Callable[[str], Visit]) -> None:
    seen = pages("trip")
    for width in SCREENS:
        seen.page.set_viewport_size({"width": width, "height": 900})
        entries = seen.page.evaluate("[...document.querySelectorAll('nav a')].map(a => a.getBoundingClientRect())")

        assert len(entries) > 20
        assert all(0 <= entry["left"] < entry["right"] <= width for entry in entries)
        assert seen.overflow() <= 0


@pytest.mark.parametrize("width", [360, 1100])
def test_a_section_is_seen_below_the_navigation(pages: Callable[..., Visit], width: int) -> None:
    seen = pages("trip", width)
    seen.page.locator("nav a", has_text="Welfare").click()
    title = seen.page.locator("h2", has_text="welfare").bounding_box()
    navigation = seen.page.locator("nav").bounding_box()

    assert title["y"] >= navigation["y"] + navigation["height"]
    assert title["y"] < 450


@pytest.mark.parametrize("width", WIDTHS)
def test_key_numbers_are_seen_with_their_intervals_drawn(pages: Callable[..., Visit], width: int) -> None:
    seen = pages("service", width)
    row = seen.page.locator("#first tbody tr").first

    assert row.locator("svg .interval").first.bounding_box()["width"] > 2
    assert row.locator("svg .value").first.bounding_box()["height"] > 5
    assert row.locator("td.cell").first.inner_text().count("–") == 1
    for text in ("#first td.cell b", "#first td.cell small"):
        size = seen.page.evaluate("s => parseFloat(getComputedStyle(document.querySelector(s)).fontSize)", text)
        assert size >= 10


def test_a_link_to_a_closed_conversation_opens_it(pages: Callable[[str], Visit]) -> None:
    seen = pages("service")
    seen.page.evaluate("location.hash = '#case-3'")
    seen.page.wait_for_function("document.querySelector('#case-3').parentElement.open")

    assert seen.page.locator("#case-3").is_visible()


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


def test_signs_of_wishes_fit_on_a_phone_and_on_paper(pages: Callable[..., Visit]) -> None:
    seen = pages("trip", 360)
    assert overlaps(seen) == []
    seen.page.emulate_media(media="print")
    seen.page.set_viewport_size({"width": 690, "height": 900})
    assert overlaps(seen) == []


def test_paper_has_what_is_folded_on_the_screen(pages: Callable[[str], Visit]) -> None:
    seen = pages("service")
    seen.page.emulate_media(media="print")
    seen.page.set_viewport_size({"width": 690, "height": 900})  # A4 without its margins.

    assert seen.overflow() <= 0
    assert seen.page.locator("#case-5").bounding_box()["height"] > 50
    assert not seen.page.locator("nav").is_visible()
    assert len(seen.page.pdf(format="A4")) > 10_000
