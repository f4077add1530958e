"""Draw the pictures of the pages from real runs: `make pictures`.

Each picture of the gallery comes from the commands of its own page, which are run in an empty folder: a figure that
they write, the output of one of them, or a page of `adjudge view` over their runs, in a headless Chromium.
"""

from __future__ import annotations

import argparse
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, ViewportSize, sync_playwright
from rich.console import Console
from rich.terminal_theme import DEFAULT_TERMINAL_THEME
from rich.text import Text

from adjudge.web.catalogue import make_id

FOLDER = Path(__file__).parent
DATA = FOLDER.parents[2] / "shared" / "data"
LINKS = {"D": "multiwoz", "delidata": "delidata"}
PROGRAMS = ("chromium", "chromium-browser", "google-chrome")
SIZE: ViewportSize = {"width": 1280, "height": 860}
FENCE = re.compile(r"^```(python|console)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
# A font from a public server, which rich puts into its pictures.
FONT = re.compile(r"@font-face \{.*?\}\s*", re.DOTALL)


@dataclass(frozen=True)
class Photograph:
    """A picture of a page of `adjudge view`: a run, the path below it, an anchor, and a key that is pressed."""

    file: str
    run: str
    path: str
    anchor: str = ""
    key: str = ""


# The figures that the commands of a page of the gallery write.
FIGURES = {
    "multiwoz": "multiwoz.svg",
    "part-left-out": "parts.svg",
    "best-member": "groups.svg",
    "hidden-profile": "hidden.svg",
    "five-conditions": "conditions.svg",
}
PHOTOGRAPHS = {
    "low-recall": Photograph("low-recall.png", "visits", "c/0", "t31"),
    "autogen-blame": Photograph("blame.png", "office", "c/0", "t1", key="e"),
}
TERMINALS = {"gate": ("gate.svg", "adjudge gate ")}


def main() -> None:
    """Draw all pictures, or those that are named."""
    options = argparse.ArgumentParser(description="Draw the pictures of the pages from real runs.")
    options.add_argument("names", nargs="*", metavar="NAME", help="'readme' or a page of the gallery (default: all)")
    names = options.parse_args().names or ["readme", *FIGURES, *PHOTOGRAPHS, *TERMINALS]
    for name in names:
        with tempfile.TemporaryDirectory() as folder:
            draw_readme(Path(folder)) if name == "readme" else draw_gallery(name, Path(folder))


def draw_readme(folder: Path) -> None:
    """Score the sample of the service suite and photograph case s13 by the first arm and case s09 by both."""
    run(["adjudge", "demo", "service", "-o", "runs/demo"], folder)
    demo = make_id("demo")
    with viewer(folder) as address, browser_page() as page:
        photograph(page, f"{address}/run/{demo}/c/24", FOLDER / "conversation.png")
        photograph(page, f"{address}/diff/{demo}/16/{demo}/17#first", FOLDER / "diff.png")
    lines = run(["adjudge", "demo"], folder).splitlines()
    start = next(number for number, line in enumerate(lines) if line.startswith("metric "))
    end = next(number for number, line in enumerate(lines) if line.startswith("$ adjudge report"))
    draw_terminal("adjudge demo", [*lines[:2], "...", *lines[start:end]], FOLDER / "terminal.svg")


def draw_gallery(name: str, folder: Path) -> None:
    """Follow a page of the gallery and draw its picture."""
    if missing := [link for link in LINKS if uses(name, link) and not (DATA / LINKS[link]).is_dir()]:
        print(f"{name}: skipped, needs {', '.join(LINKS[link] for link in missing)}", file=sys.stderr)
        return
    printed = follow(page_of(name), folder)
    if name in FIGURES:
        shutil.copy(folder / FIGURES[name], FOLDER / FIGURES[name])
    elif name in TERMINALS:
        file, start = TERMINALS[name]
        command = next(command for command in printed if command.startswith(start))
        draw_terminal(command, printed[command].splitlines(), FOLDER / file)
    else:
        wanted = PHOTOGRAPHS[name]
        with viewer(folder) as address, browser_page() as page:
            target = f"{address}/run/{make_id(wanted.run)}/{wanted.path}#{wanted.anchor}"
            photograph(page, target, FOLDER / wanted.file, wanted.key)


def page_of(name: str) -> str:
    """The text of a page of the gallery."""
    return (FOLDER.parent / "gallery" / f"{name}.md").read_text("utf-8")


def uses(name: str, link: str) -> bool:
    """Whether the commands of a page read a folder of data."""
    return f" {link}/" in page_of(name)


def follow(page: str, folder: Path) -> dict[str, str]:
    """Run the blocks of a page in a folder; the output of each command by the command."""
    for link, data in LINKS.items():
        (folder / link).symlink_to(DATA / data, target_is_directory=True)
    printed: dict[str, str] = {}
    script = ""
    for language, text in FENCE.findall(page):
        if language == "python":
            script += text  # A block goes on with the names of those before it.
            run([sys.executable, "-c", script], folder)
            continue
        for command in re.findall(r"^\$ (adjudge .*)$", text, re.MULTILINE):
            printed[command] = run(shlex.split(command), folder)
    return printed


def run(command: list[str], folder: Path) -> str:
    """What a command prints in a folder; a gate may fail."""
    if command[0] == "adjudge":
        command = [sys.executable, "-m", "adjudge", *command[1:]]
    done = subprocess.run(command, cwd=folder, env=os.environ | {"COLUMNS": "120"}, capture_output=True, text=True)
    if done.returncode > 1:
        raise SystemExit(f"{shlex.join(command)}: {done.stderr}")
    return done.stdout


def draw_terminal(command: str, lines: list[str], file: Path) -> None:
    """A picture of a terminal with a command and what it prints."""
    console = Console(record=True, width=128, file=open(os.devnull, "w"), color_system=None)  # noqa: SIM115
    console.print(Text(f"$ {command}", style="bold"), soft_wrap=False)
    for line in lines:
        console.print(Text(line, no_wrap=True, overflow="ellipsis"))
    picture = console.export_svg(title="", theme=DEFAULT_TERMINAL_THEME, unique_id="terminal")
    file.write_text(FONT.sub("", picture), "utf-8")


@contextmanager
def viewer(folder: Path) -> Iterator[str]:
    """The address at which the runs of a folder are served."""
    command = [sys.executable, "-m", "adjudge", "view", "runs", "--no-open"]
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            yield server.stdout.readline().split(" at ")[1].split(" ")[0].rstrip("/")
        finally:
            server.terminate()


@contextmanager
def browser_page() -> Iterator[Page]:
    """A page of a headless Chromium with light colours."""
    program = next(filter(None, map(shutil.which, PROGRAMS)))
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
        yield browser.new_page(viewport=SIZE, color_scheme="light")
        browser.close()


def photograph(page: Page, address: str, file: Path, key: str = "") -> None:
    """Save what a page shows at an address, in at most 128 colours, which makes the file three times smaller."""
    page.goto(address)
    if key:
        page.keyboard.press(key)
    page.screenshot(path=file)
    Image.open(file).convert("RGB").quantize(128, dither=Image.Dither.NONE).save(file, optimize=True)


if __name__ == "__main__":
    main()
