"""Draw the pictures of the README from the samples: a conversation and a diff, in a headless Chromium."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from adjudge.web.catalogue import make_id

FOLDER = Path(__file__).parent
PROGRAMS = ("chromium", "chromium-browser", "google-chrome")
SIZE = {"width": 1280, "height": 860}


def main() -> None:
    """Score the sample of the service suite, serve it and photograph two pages."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "runs"
        subprocess.run([sys.executable, "-m", "adjudge", "demo", "service", "-o", root / "demo"], check=True, stdout=-3)
        command = [sys.executable, "-m", "adjudge", "view", str(root), "--no-open"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
            assert server.stdout is not None
            address = server.stdout.readline().split(" at ")[1].split(" ")[0].rstrip("/")
            try:
                draw(address, make_id("demo"))
            finally:
                server.terminate()


def draw(address: str, run: str) -> None:
    """Photograph the pages of case s13 by the first arm and of case s09 by both."""
    program = next(filter(None, map(shutil.which, PROGRAMS)))
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(viewport=SIZE, color_scheme="light")
        page.goto(f"{address}/run/{run}/c/24")
        page.screenshot(path=FOLDER / "conversation.png")
        page.goto(f"{address}/diff/{run}/16/{run}/17#first")
        page.screenshot(path=FOLDER / "diff.png")
        browser.close()


if __name__ == "__main__":
    main()
