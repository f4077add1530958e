"""The pages in a real browser: nothing fails, nothing is asked of anybody else, keys and links work."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import msgspec
import pytest
from serving import Served, serving, small_run

from adjudge.cli.main import main
from adjudge.run import MANIFEST, RECORDS, SCORES, Run
from adjudge.suites.team import suite as team
from adjudge.suites.trip import suite as trip
from adjudge.web.labels.files import read_rows
from browser import Visit, started, visit, visit_address
from workspace import made_once, service_sample

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.slow

# Strings that end a tag, a quote, a comment, a line or a script, that reverse, hide or overflow text, or that look
# like an address, a formula, a path or a template.
HOSTILE = (
    *("<script>window.taken=1</script>", "<img src=x onerror=window.taken=1>", "<svg onload=window.taken=1>"),
    *('"><script>window.taken=1</script>', "'><img src=//evil.example/x>", "</title><script>window.taken=1</script>"),
    *("</textarea><script>window.taken=1</script>", "</style><script>window.taken=1</script>", "--><b>out</b>"),
    *("<!--", "]]>", "<![CDATA[x]]>", "&lt;b&gt;", "&#60;script&#62;", "&", '" onmouseover="window.taken=1'),
    *("' onfocus='window.taken=1' autofocus='", "javascript:window.taken=1", "data:text/html,<script>1</script>"),
    *("{{ 7 * 7 }}", "{% raw %}", "${7*7}", "#{7*7}", "%s%n", "=cmd()|'/c calc'!A1", "../../../etc/passwd"),
    *("\u202egnp.exe", "\u2066\u2067", "\u200b", "\x00", "\x1b[31mred", "a\u2028b", "e\u0301" * 40, "\ufeff"),
    *("x" * 3000, "W" * 400 + " ", "line\nline\r\nline", "<base href=//evil.example/>", "/etc/passwd"),
    *("<meta http-equiv=refresh content=0>", "<link rel=stylesheet href=//evil.example/x.css>"),
    *("<iframe src=//evil.example></iframe>", "<form action=//evil.example>"),
)
# So many of them stand in one text.
TOGETHER = 18


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with started() as program:
        yield program


def make_samples(root: Path, scored: Path) -> None:
    """The sample of the suite service, one metric of the suite team judged by labels, and a play."""
    shutil.copytree(scored, root / "service")
    judged = ["--metrics", "goal_reached", "--judge", f"labels:{team.sample_labels}"]
    assert main(["score", "team", str(team.sample), *judged, "-o", str(root / "team"), "-q"]) == 0
    assert main(["play", "service", "-o", str(root / "played"), "--limit", "2", "-q"]) == 0


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The samples, made once for all workers, being served."""
    scored = service_sample(tmp_path_factory)
    root = made_once(tmp_path_factory, "samples", lambda folder: make_samples(folder, scored))
    with serving(root) as served:
        yield served


@pytest.fixture(scope="module")
def all_samples(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The samples of the other suites, being served."""
    root = tmp_path_factory.mktemp("all")
    os.environ["XDG_CACHE_HOME"] = str(root / ".cache")
    for suite in ("decision", "patient", "team"):
        assert main(["demo", suite, "-o", str(root / suite)]) == 0
    assert main(["score", "trip", str(trip.sample), "-o", str(root / "trip"), "-q"]) == 0
    with serving(root) as served:
        yield served


def crawl(browser: Browser, served: Served, visits: int, requests: int, paths: tuple[str, ...] = ()) -> list[str]:
    """Follow links through the pages: visit some of every kind, ask for others; what was wrong on the way.

    `paths` are visited before all others.
    """
    with visit_address(browser, "about:blank") as seen:
        return _crawl(seen, served, visits, requests, paths)


def _crawl(seen: Visit, served: Served, visits: int, requests: int, paths: tuple[str, ...]) -> list[str]:
    faults: list[str] = []
    page = seen.page
    todo, known, kinds = ["/", *paths], {"/", *paths}, dict[str, int]()
    while todo and sum(kinds.values()) < visits:
        path = todo.pop(0)
        kind = "/".join(part for part in path.split("?")[0].split("/") if not any(char.isdigit() for char in part))
        if path not in paths and kinds.get(kind, 0) * 8 >= visits:
            if requests > 0 and served.ask(path)[0].status != 200:
                faults.append(path)
            requests -= 1
            continue
        kinds[kind] = kinds.get(kind, 0) + 1
        answer = page.goto(served.address + path)
        if answer is not None and answer.status != 200:
            faults.append(f"{path}: {answer.status}")
        for width in (2560, 1400, 390):
            page.set_viewport_size({"width": width, "height": 900})
            if page.evaluate("document.documentElement.scrollWidth - innerWidth") > 0:
                faults.append(f"{path}: wider than a window of {width} pixels")
        faults += [f"{path}: {target}" for target in page.evaluate(DEAD_ANCHORS)]
        for href in page.evaluate("[...document.querySelectorAll('a[href]')].map(a => a.getAttribute('href'))"):
            link = urlsplit(href)
            target = (link.path or path.split("?")[0]) + (f"?{link.query}" if link.query else "")
            if not href.startswith("#") and target not in known:
                known.add(target)
                todo.append(target)
        faults += [f"{path}: {text}" for text in seen.said]
        faults += [f"{path}: asks for {address}" for address in seen.asked if not is_own(address, served)]
        seen.said.clear()
        seen.asked.clear()
    return faults


DEAD_ANCHORS = (
    "[...document.querySelectorAll('a[href^=\"#\"]')].map(a => decodeURIComponent(a.getAttribute('href').slice(1)))"
    ".filter(id => !document.getElementById(id))"
)


def is_own(address: str, served: Served) -> bool:
    return address.startswith((served.address + "/", "data:,"))


def test_every_page_opens_fits_every_window_and_every_link_works(browser: Browser, samples: Served) -> None:
    run = samples.run("service")
    short = run.removeprefix("/run/")
    label = f"{run}/label?metric=act_accuracy&plan=random&n=5&seed=1&rater=ann"
    pages = (run, f"{run}/conversations", f"{run}/c/16", f"/diff/{short}/16/{short}/17", f"{run}/differences", label)
    assert crawl(browser, samples, 10, 20, (*pages, f"{samples.run('played')}/c/0")) == []


@pytest.mark.trial
def test_every_page_of_the_other_samples_opens_and_every_link_works(browser: Browser, all_samples: Served) -> None:
    assert crawl(browser, all_samples, 120, 2000) == []


def test_the_worst_conversation_of_a_metric_is_two_clicks_away(browser: Browser, samples: Served) -> None:
    with visit_address(browser, samples.address) as seen:
        seen.page.locator("a.go", has_text="service").click()
        seen.page.locator("#m-joint_goal_accuracy .cell a").nth(1).click()
        assert "sort=joint_goal_accuracy" in seen.page.url
        first = seen.page.locator("tbody tr").first
        assert "wrong 0" in " ".join(first.inner_text().split()) or first.locator(".wrong").count()
        assert seen.said == []


def test_the_first_changed_turn_of_a_flipped_case_is_two_clicks_away(browser: Browser, samples: Served) -> None:
    with visit_address(browser, samples.address + samples.run("service") + "/differences") as seen:
        seen.page.locator("a.go", has_text="s09").click()
        seen.page.wait_for_url("**#first")
        words = seen.page.locator("#first").inner_text().split()
        assert " ".join(words) == "First difference: what the record holds in turn 0"
        box = seen.page.locator("#first").bounding_box()
        assert box is not None
        assert 0 <= box["y"] < 900
        assert seen.page.locator("mark.only").count() > 5


def test_keys_move_unfold_and_lead_on(browser: Browser, samples: Served) -> None:
    with visit_address(browser, samples.address + samples.run("service") + "/c/24") as seen:
        page = seen.page

        def press(key: str) -> None:
            page.locator("html.js").wait_for()
            page.keyboard.press(key)

        press("n")
        assert page.evaluate("document.activeElement.hasAttribute('data-wrong')")
        press("j")
        press("o")
        assert page.evaluate("document.activeElement.querySelectorAll('details[open]').length") > 0
        press("?")
        assert page.locator("#keys").is_visible()
        press("Escape")
        press("]")
        page.wait_for_url("**/c/25")
        press("d")
        page.wait_for_url("**/diff/**")
        press("x")
        page.wait_for_url("**/24")
        press("u")
        page.wait_for_url("**/differences?**")
        assert seen.said == []


def test_filters_go_into_the_address_and_can_be_sent(browser: Browser, samples: Served) -> None:
    with visit_address(browser, samples.address + samples.run("service") + "/conversations") as seen:
        page = seen.page
        page.locator("select[name=metric]").select_option("joint_goal_accuracy")
        page.locator("input[name=than]").fill("1")
        page.keyboard.press("Enter")
        page.wait_for_url("**/conversations?when=joint_goal_accuracy%3Abelow%3A1")
        page.locator("input[name=arm][value=one-agent]").check()
        page.wait_for_url("**arm=one-agent**")
        assert page.locator("h1").inner_text() == "11 of 48 conversations"
        address = page.url
    with visit_address(browser, address) as sent:
        assert sent.page.locator("h1").inner_text() == "11 of 48 conversations"
        sent.page.locator("html.js").wait_for()
        sent.page.keyboard.press("/")
        sent.page.keyboard.type("pizza")
        sent.page.keyboard.press("Enter")
        sent.page.wait_for_url("**q=pizza**")
        assert sent.page.locator("tbody tr").count() == 1


def test_pages_can_be_read_filtered_and_labelled_without_script(browser: Browser, runs: Path) -> None:
    with serving(runs) as served:
        context = browser.new_context(java_script_enabled=False)
        context.set_default_timeout(60_000)
        page = context.new_page()
        page.goto(served.address + served.run("small") + "/conversations")
        page.locator("input[name=arm][value=b]").check()
        page.get_by_role("button", name="Apply").click()
        assert page.locator("h1").inner_text() == "6 of 12 conversations"
        page.locator("a.go").first.click()
        page.locator("summary", has_text="right").first.click()
        page.goto(served.address + served.run("small") + "/label")
        page.locator("input[name=rater]").fill("ann")
        page.get_by_role("button", name="Start").click()
        page.locator("input[value='1']").first.check()
        page.get_by_role("button", name="Save").click()
        assert "Item 2 of" in page.locator("h1").inner_text()
        context.close()


def faults_of_access(browser: Browser, served: Served, name: str, pages: int, dark: int) -> list[tuple[str, ...]]:
    """Where the first pages of a run break the rules of WCAG A and AA; some also in the dark: only contrast differs."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="pip install axe-playwright-python")
    run, faults = served.run(name), []
    short = run.removeprefix("/run/")
    label = f"{run}/label?metric=joint_goal_accuracy&plan=random&n=5&seed=1&rater=ann"
    paths = [run, f"{run}/c/1", label, f"{run}/conversations", f"/diff/{short}/0/{short}/1", "/", f"{run}/differences"]
    rules = {"runOnly": ["wcag2a", "wcag2aa"], "resultTypes": ["violations"]}
    contrast = {"runOnly": ["color-contrast"], "resultTypes": ["violations"]}
    with visit_address(browser, "about:blank") as seen:
        for number, path in enumerate([*paths, f"{run}/report"][:pages]):
            seen.page.emulate_media(color_scheme="light")
            seen.page.goto(served.address + path)
            found = axe.Axe().run(seen.page, options=rules).response["violations"]
            if number < dark:
                seen.page.emulate_media(color_scheme="dark")
                found += seen.page.evaluate("options => axe.run(options)", contrast)["violations"]
            for fault in found:
                node = fault["nodes"][0]
                faults.append((path, fault["id"], node["html"][:200], node.get("failureSummary", "")[:300]))
    return faults


def test_contrast_and_names_satisfy_the_rules_of_accessibility(browser: Browser, tmp_path: Path) -> None:
    small_run(tmp_path / "runs" / "small", cases=2)
    with serving(tmp_path / "runs") as served:
        assert faults_of_access(browser, served, "small", pages=4, dark=1) == []


@pytest.mark.trial
def test_samples_satisfy_the_rules_of_accessibility(browser: Browser, samples: Served) -> None:
    assert faults_of_access(browser, samples, "service", pages=8, dark=8) == []


@pytest.mark.trial
def test_the_other_samples_satisfy_the_rules_of_accessibility(browser: Browser, all_samples: Served) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="pip install axe-playwright-python")
    with visit_address(browser, all_samples.address) as seen:
        for name in ("trip", "patient", "decision", "team"):
            seen.page.goto(f"{all_samples.address}{all_samples.run(name)}/c/3")
            results = axe.Axe().run(seen.page, options={"runOnly": ["wcag2a", "wcag2aa"]})
            assert [
                (name, fault["id"], fault["nodes"][0]["html"][:200]) for fault in results.response["violations"]
            ] == []


def hostile_run(folder: Path) -> Path:
    """A run in which every name, text and reason is one of the hostile strings."""
    groups = ["".join(HOSTILE[start : start + TOGETHER]) for start in range(0, len(HOSTILE), TOGETHER)]
    small_run(folder, cases=len(groups))
    scores = [msgspec.json.decode(line) for line in (folder / SCORES).read_bytes().splitlines()]
    records = [msgspec.json.decode(line) for line in (folder / RECORDS).read_bytes().splitlines()]
    for number, (row, record) in enumerate(zip(scores, records, strict=True)):
        text = groups[number // 2]
        names = {"case": f"{number // 2}{text}", "arm": f"{row['arm']}{HOSTILE[0]}"}
        for target in (row, record):
            target |= names
        row["facets"] = {f"f{text}"[:60]: text}
        for score in row["scores"].values():
            for mark in score.get("marks", []):
                mark |= {"at": text, "why": text, "group": text}
        record["participants"] = [{"id": f"user{text}", "role": text}, {"id": "system", "role": "assistant"}]
        record |= {"goal": {text: [text, {text: text}]}, text or "x": text}
        for turn in record["turns"]:
            turn |= {
                "text": text,
                "speaker": f"user{text}" if turn["speaker"] == "user" else "system",
                "extra": {text: text},
            }
    (folder / SCORES).write_bytes(b"".join(msgspec.json.encode(row) + b"\n" for row in scores))
    (folder / RECORDS).write_bytes(b"".join(msgspec.json.encode(record) + b"\n" for record in records))
    manifest = msgspec.json.decode((folder / MANIFEST).read_bytes())
    manifest |= {"settings": {HOSTILE[1]: HOSTILE[3]}, "suite": HOSTILE[0], "options": {"x": HOSTILE[2]}}
    manifest["coverage"]["arms"] = {f"{arm}{HOSTILE[0]}": {} for arm in ("a", "b")}
    manifest["inputs"] = [{"path": text, "bytes": 1, "sha256": text} for text in HOSTILE]
    for card in manifest["cards"].values():
        card |= {"question": HOSTILE[1], "notes": HOSTILE[4], "formula": HOSTILE[2]}
    (folder / MANIFEST).write_bytes(msgspec.json.encode(manifest))
    return folder


def test_hostile_text_runs_nothing_asks_for_nothing_and_breaks_no_layout(browser: Browser, tmp_path: Path) -> None:
    name = "<img src=x onerror=window.taken=1> & \"quoted\" 'run'"
    hostile_run(tmp_path / "runs" / name)
    with serving(tmp_path / "runs") as served, visit_address(browser, served.address, 390) as seen:
        run = served.run(name)
        short = run.removeprefix("/run/")
        rater = "%3Cscript%3Ewindow.taken=1%3C/script%3E"
        places = range(0, 2 * -(-len(HOSTILE) // TOGETHER), 2)
        paths = ["/", run, f"{run}/conversations", f"{run}/differences", f"{run}/label"]
        paths += [
            f"{run}/conversations?q=%3Cscript%3E&arm=%22%3E%3Cscript%3E",
            f"{run}/conversations?sort=-%3Cscript%3E",
        ]
        paths += [f"{run}/label?metric=success&rater={rater}&n=3", "/?q=%22%3E%3Cscript%3Ewindow.taken=1%3C/script%3E"]
        paths += [f"{run}/c/{place}" for place in places] + [
            f"/diff/{short}/{place}/{short}/{place + 1}" for place in places
        ]
        for path in paths:
            answer = seen.page.goto(served.address + path)
            assert answer is not None
            assert (path, answer.status) == (path, 200)
            assert seen.page.evaluate("window.taken") is None
            assert (path, seen.overflow()) == (path, 0)
            assert seen.page.locator("main b:text-is('out')").count() == 0
        assert seen.said == []
        assert [address for address in seen.asked if not is_own(address, served)] == []


def test_a_run_that_is_going_on_shows_itself_anew(browser: Browser, tmp_path: Path) -> None:
    folder = small_run(tmp_path / "runs" / "small")
    manifest = (folder / MANIFEST).read_text()
    lines = {name: (folder / name).read_bytes().splitlines(keepends=True) for name in (RECORDS, SCORES)}
    (folder / MANIFEST).write_text(manifest.replace('"status":"complete"', '"status":"running"'))
    for name, content in lines.items():
        (folder / name).write_bytes(b"".join(content[:4]) + content[4][:30])
    with serving(tmp_path / "runs") as served, visit_address(browser, served.address + served.run("small")) as seen:
        assert "4 conversations are finished" in seen.page.locator("main").inner_text()
        for name, content in lines.items():
            (folder / name).write_bytes(b"".join(content[:9]))
        seen.page.get_by_text("9 conversations are finished").wait_for(timeout=60_000)
        (folder / MANIFEST).write_text(manifest)
        for name, content in lines.items():
            (folder / name).write_bytes(b"".join(content))
        seen.page.get_by_text("has the best value").wait_for(timeout=60_000)


def start_view(root: Path, port: int) -> subprocess.Popen[bytes]:
    """`adjudge view` as a user starts it; its address is printed when it answers."""
    command = [sys.executable, "-m", "adjudge", "view", str(root), "--no-open", "--port", str(port)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE)
    assert process.stdout is not None
    with process.stdout as printed:
        assert b"http://127.0.0.1" in printed.readline()
    return process


def test_labels_survive_a_killed_server(browser: Browser, tmp_path: Path) -> None:
    folder = small_run(tmp_path / "runs" / "small", cases=3)
    with serving(tmp_path / "runs") as free:
        port, run = free.port, free.run("small")
    process = start_view(tmp_path / "runs", port)
    plan = "metric=joint_goal_accuracy&plan=random&n=6&seed=1&rater=ann"
    try:
        with visit_address(browser, f"http://127.0.0.1:{port}{run}/label?{plan}") as seen:
            for number in range(1, 7):
                seen.page.locator("html.js h1", has_text=f"Item {number} of 6").wait_for()
                seen.page.keyboard.press("y" if number % 3 else "n")
                if number == 3:
                    process.send_signal(signal.SIGKILL)
                    process.wait()
                    process = start_view(tmp_path / "runs", port)
                seen.page.keyboard.press("Enter")
            seen.page.get_by_role("heading", name="All 6 items are done").wait_for()
    finally:
        process.kill()
        process.wait()
    rows = (folder / "labels" / "ann.csv").read_text().splitlines()[1:]
    assert len(rows) == len({row.rsplit(",1,", 1)[0].rsplit(",0,", 1)[0] for row in rows}) == 6


def test_labels_given_by_keyboard_judge_and_calibrate(browser: Browser, samples: Served, tmp_path: Path) -> None:
    folder = tmp_path / "runs" / "team"
    shutil.copytree(samples.root / "team", folder)
    plan = "metric=goal_reached&plan=random&n=4&seed=1&rater=ann"
    with (
        serving(folder.parent) as served,
        visit_address(browser, f"{served.address}{served.run('team')}/label?{plan}") as seen,
    ):
        heading = seen.page.locator("html.js h1")
        count = int(heading.inner_text().rpartition(" ")[2])
        for number in range(1, count + 1):
            seen.page.locator("html.js h1", has_text=f"Item {number} of {count}").wait_for()
            seen.page.keyboard.press("n" if number == 1 else "y")
            seen.page.keyboard.press("Enter")
        seen.page.get_by_role("heading", name=f"All {count} items are done").wait_for()
    labels = folder / "labels" / "ann.csv"
    given = [row.label for row in read_rows(labels)]
    assert given == ["0", *["1"] * (count - 1)]
    options = ["--metrics", "goal_reached", "--judge", f"labels:{labels}", "-o", str(tmp_path / "by ann"), "-q"]
    assert main(["score", "team", str(team.sample), *options]) == 0
    values = [row.scores["goal_reached"].value for row in Run(tmp_path / "by ann").rows()]
    assert sorted(value for value in values if value is not None) == [0.0, *[1.0] * (count - 1)]
    target = tmp_path / "calibration.json"
    assert main(["calibrate", str(folder), "--labels", str(labels), "-o", str(target), "-q"]) == 0
    assert "goal_reached" in target.read_text()


def test_both_sides_of_a_diff_can_be_read_on_a_phone(browser: Browser, served: Served) -> None:
    run = served.run("small").removeprefix("/run/")
    with visit_address(browser, f"{served.address}/diff/{run}/0/{run}/1", 390) as seen:
        boxes = [seen.page.locator(f"#{side}0-1 .said").bounding_box() for side in "ab"]
        first, second = (box for box in boxes if box is not None)
        assert first["width"] > 150
        assert second["width"] > 150
        assert first["y"] + first["height"] <= second["y"]


def test_files_open_without_a_server(browser: Browser, runs: Path, tmp_path: Path) -> None:
    assert main(["view", str(runs), "--export", str(tmp_path / "site"), "-q"]) == 0
    with visit(browser, tmp_path / "site" / "index.html", 1400) as seen:
        seen.page.locator("a.go").first.click()
        seen.page.locator("nav.tabs a", has_text="Conversations").click()
        seen.page.locator("a.go").first.click()
        seen.page.locator("html.js article").first.wait_for()
        seen.page.keyboard.press("]")
        seen.page.wait_for_url("**/c/1.html")
        assert seen.said == []
        assert seen.overflow() <= 0


@pytest.mark.trial
def test_every_page_of_seven_published_systems_opens(browser: Browser, tmp_path: Path) -> None:
    data = Path(__file__).parents[3] / "shared" / "data" / "multiwoz"
    if not data.is_dir():
        pytest.skip(f"{data} is not there")
    systems = sorted((data / "predictions").glob("*.json.gz"))
    predictions = [part for path in systems for part in ("--predictions", str(path))]
    given = ["--goals", data / "goals_dev_test.json.gz", "--booked", data / "booked_domains_dev_test.json.gz"]
    options = [
        *predictions,
        *map(str, given),
        "--db",
        str(data / "db"),
        "-o",
        str(tmp_path / "runs" / "multiwoz"),
        "-q",
    ]
    assert main(["score", "service", str(data / "mwz21states_test.jsonl.gz"), *options]) == 0
    with serving(tmp_path / "runs") as served:
        while "being read for the first time" in served.page("/"):
            time.sleep(0.2)
        count = len((tmp_path / "runs" / "multiwoz" / "scores.jsonl").read_bytes().splitlines())
        assert f"{count:,}" in served.page("/")
        assert crawl(browser, served, 40, 200) == []
